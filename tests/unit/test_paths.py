"""Locations of resources and data in a checkout, a wheel and a frozen program."""

import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop_rag import paths


def test_a_checkout_has_its_resources_beside_the_package() -> None:
    assert paths.resources() == Path(__file__).parents[2] / "resources"


def test_an_installed_wheel_contains_its_resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "desktop_rag" / "paths.py"))
    assert paths.resources() == tmp_path.resolve() / "desktop_rag" / "resources"


def test_the_guides_are_read_from_the_checkout_or_the_resources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (paths.guides() / "user-guide.md").samefile(Path(__file__).parents[2] / "docs" / "user-guide.md")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    delivered = tmp_path / "resources" / "docs"
    delivered.mkdir(parents=True)
    assert paths.guides() == delivered


def test_a_frozen_program_has_its_resources_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resources() == tmp_path / "resources"


def test_one_variable_moves_all_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    places = (paths.settings_file(), paths.ignore_file(), paths.log_folder())
    assert all(tmp_path in place.parents for place in places)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no modes")
def test_an_existing_private_folder_gets_mode_0700(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    assert stat.S_IMODE(paths.private_folder(folder).stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no modes")
def test_missing_parents_of_a_private_folder_are_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    before = os.umask(0)
    try:
        paths.private_folder(tmp_path / "home" / "libraries" / "default")
    finally:
        os.umask(before)
    made = ["home", "home/libraries", "home/libraries/default"]
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ["", *made]] == [0o755, 0o700, 0o700, 0o700]


def test_every_new_folder_of_a_durable_folder_is_synced_in_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(paths, "sync_folder", synced.append)
    folder = paths.durable_folder(tmp_path / "home" / "libraries" / "default")
    assert sorted(synced) == [tmp_path, tmp_path / "home", tmp_path / "home" / "libraries"]
    synced.clear()
    assert paths.durable_folder(folder).is_dir()
    assert synced == []


def test_an_invalid_name_becomes_valid_text() -> None:
    assert paths.valid_text("caf\udce9.txt") == "caf\ufffd.txt"
    assert paths.valid_text("café.txt") == "café.txt"


def test_concurrent_durable_writes_leave_one_of_them_whole(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    texts = [str(number).encode() * 50_000 for number in range(4)]
    with ThreadPoolExecutor() as pool:
        for _ in range(10):
            list(pool.map(lambda text: paths.write_durably(file, text), texts))
    assert file.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name != "posix", reason="devices and links")
def test_only_a_regular_file_is_replaced_and_a_link_stays(tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="it is no regular file"):
        paths.write_durably(pipe, b"new")
    assert pipe.is_fifo()
    link.symlink_to(file)
    paths.write_durably(link, b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")


def test_no_part_of_a_file_is_left_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        paths.write_durably(tmp_path / "file", b"new")
    assert not list(tmp_path.iterdir())


def portable(folder: Path, *arguments: str, code: int) -> "subprocess.CompletedProcess[str]":
    """Run a program whose prefix is `folder` with `--portable`."""
    script = "import sys; sys.prefix = sys.argv.pop(1); from desktop_rag.__main__ import main; sys.exit(main())"
    environment = {name: value for name, value in os.environ.items() if name != "DESKTOP_RAG_HOME"}
    environment |= {"HOME": str(folder / "home"), "XDG_DATA_HOME": str(folder / "home" / "data")}
    command = [sys.executable, "-c", script, str(folder), *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stdout + result.stderr
    return result


@pytest.mark.processes
def test_a_portable_program_keeps_its_data_beside_itself_also_from_its_children(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The marrowfat peas are sown in April.")
    portable(tmp_path, "--portable", "index", str(note), code=0)
    found = portable(tmp_path, "--portable", "search", "marrowfat", "--mode", "keyword", code=0)
    assert "note.txt" in found.stdout
    assert (tmp_path / "desktop-rag-data" / "libraries" / "default" / "catalog.sqlite").is_file()
    assert not (tmp_path / "home").exists()


@pytest.mark.processes
def test_a_portable_program_says_when_it_cannot_write_beside_itself(tmp_path: Path) -> None:
    (tmp_path / "desktop-rag-data").write_text("a file is in the way")
    refused = portable(tmp_path, "--portable", "search", "marrowfat", code=1)
    assert "cannot be written" in refused.stderr
    late = portable(tmp_path, "--library", "x", "--portable", code=2)
    assert "must be the first argument" in late.stderr
