"""Locations of resources and data in a checkout, a wheel and a frozen program."""

import stat
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
