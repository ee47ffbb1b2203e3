"""File systems as they are: drives that come and go, names that look alike, paths beyond every limit."""

import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.mounts import Devices
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileState, FolderId, FolderState
from tests.integration.index.indexer.test_pipeline import Loop

linux = pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")


class Mounts:
    """Real mounts, which end with the test."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def mount(self, *arguments: str, at: Path) -> None:
        """Mount something, or skip the test where that is not allowed or not known."""
        done = subprocess.run(["mount", *arguments, str(at)], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"mount {' '.join(arguments)}: {done.stderr.strip()}")
        self._stack.callback(self.unmount, at)

    def unmount(self, at: Path) -> None:
        """Unmount, if it is mounted."""
        subprocess.run(["umount", str(at)], capture_output=True, check=False)

    def close(self) -> None:
        self._stack.close()


@pytest.fixture
def mounts() -> Iterator[Mounts]:
    mounts = Mounts()
    yield mounts
    mounts.close()


@pytest.fixture
def loop(library: Library, catalog: Catalog) -> Iterator[Loop]:
    loop = Loop(library, catalog)
    yield loop
    loop.close()


@pytest.fixture
def root(catalog: Catalog, tmp_path: Path) -> FolderId:
    (tmp_path / "root").mkdir()
    return catalog.folders.add(os.fsencode(tmp_path / "root"), is_file=False)


def state(catalog: Catalog) -> FolderState:
    (folder,) = catalog.folders.all()
    return folder.state


def contents(catalog: Catalog, root: FolderId) -> dict[str, int | None]:
    return {os.fsdecode(path): file.content for path, file in catalog.files.of_folder(root).items()}


@linux
def test_a_drive_that_is_unmounted_keeps_its_files_and_is_not_read_again(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    mounts.mount("-t", "tmpfs", "none", at=drive)
    mounts.mount("--bind", str(drive), at=tmp_path / "root")
    (drive / "letter.txt").write_text("A letter.")
    loop.scan(root)
    loop.read()
    before = contents(catalog, root)
    mounts.unmount(tmp_path / "root")
    loop.scan(root)
    assert state(catalog) is FolderState.OFFLINE
    assert contents(catalog, root) == before
    mounts.mount("--bind", str(drive), at=tmp_path / "root")
    monkeypatch.setattr(ReaderChild, "read_in_chunks", lambda *_: pytest.fail("it was read"))
    loop.scan(root)
    loop.read()
    assert state(catalog) is FolderState.ACTIVE
    assert contents(catalog, root) == before


@linux
def test_a_drive_inside_a_folder_keeps_its_files_while_it_is_away(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    drive, place = tmp_path / "drive", tmp_path / "root" / "stick"
    drive.mkdir()
    place.mkdir()
    mounts.mount("-t", "tmpfs", "none", at=drive)
    mounts.mount("--bind", str(drive), at=place)
    (place / "deep").mkdir()
    (place / "deep" / "letter.txt").write_text("A letter.")
    (tmp_path / "root" / "note.txt").write_text("A note.")
    loop.scan(root)
    loop.read()
    mounts.unmount(place)
    (tmp_path / "root" / "note.txt").unlink()
    loop.scan(root)
    assert set(contents(catalog, root)) == {"stick/deep/letter.txt"}
    assert state(catalog) is FolderState.ACTIVE


@linux
def test_a_folder_that_is_mounted_into_itself_is_read_once(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    (tmp_path / "root" / "again").mkdir()
    (tmp_path / "root" / "note.txt").write_text("A note.")
    mounts.mount("--bind", str(tmp_path / "root"), at=tmp_path / "root" / "again")
    loop.scan(root)
    assert set(contents(catalog, root)) == {"note.txt"}


@linux
def test_a_name_in_other_letters_is_the_same_file_where_case_does_not_count(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    mounts.mount("-t", "tmpfs", "-o", "casefold", "none", at=tmp_path / "root")
    folder = tmp_path / "root" / "folded"
    folder.mkdir()
    if subprocess.run(["chattr", "+F", str(folder)], capture_output=True, check=False).returncode:
        pytest.skip("no folder of this system ignores case")
    (folder / "readme.txt").write_text("A note.")
    loop.scan(root)
    loop.read()
    (before,) = contents(catalog, root).values()
    (folder / "readme.txt").rename(folder / "README.txt")
    loop.scan(root)
    loop.read()
    assert contents(catalog, root) == {"folded/README.txt": before}


def test_names_that_look_alike_are_two_files_where_the_system_says_so(
    loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    composed, decomposed = (unicodedata.normalize(form, "café.txt") for form in ("NFC", "NFD"))
    (tmp_path / "root" / composed).write_text("One drinks here.")
    (tmp_path / "root" / decomposed).write_text("Another drinks here.")
    if len(list((tmp_path / "root").iterdir())) == 1:
        pytest.skip("this file system makes them one")
    loop.scan(root)
    loop.read()
    found = contents(catalog, root)
    assert set(found) == {composed, decomposed}
    assert len(set(found.values())) == 2


def test_a_renamed_file_is_only_hashed_where_inodes_do_not_last(
    loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Devices, "have_lasting_inodes", lambda *_: False)
    (tmp_path / "root" / "one.txt").write_text("One sentence.")
    loop.scan(root)
    loop.read()
    (known,) = catalog.files.of_folder(root).values()
    assert (known.stat.inode, known.stat.ctime_ns) == (0, 0)
    (tmp_path / "root" / "one.txt").rename(tmp_path / "root" / "two.txt")
    monkeypatch.setattr(ReaderChild, "read_in_chunks", lambda *_: pytest.fail("it was read"))
    loop.scan(root)
    assert catalog.files.next_queued(1)
    loop.read()
    assert contents(catalog, root) == {"two.txt": known.content}


@pytest.mark.skipif(os.name != "posix", reason="makes the path by handles")
def test_a_path_beyond_the_systems_limit_is_told_and_hurts_nobody(
    loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    handle = os.open(tmp_path / "root", os.O_RDONLY)
    for _ in range(22):
        os.mkdir("d" * 200, dir_fd=handle)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(os.open("deep.txt", os.O_WRONLY | os.O_CREAT, dir_fd=handle))
    os.close(handle)
    (tmp_path / "root" / "note.txt").write_text("A note.")
    for _ in range(2):
        loop.scan(root)
        loop.read()
    files = catalog.files.of_folder(root)
    assert files.pop(b"note.txt").content is not None
    (told,) = files.values()
    assert told.state is FileState.SKIPPED
    assert "is longer than this system opens" in told.reason


def test_a_time_that_goes_back_is_a_change_too(loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "root" / "one.txt"
    path.write_text("Before.")
    loop.scan(root)
    loop.read()
    (before,) = contents(catalog, root).values()
    path.write_text("After it")
    os.utime(path, ns=(0, 1_000_000_001))
    loop.scans.request(root, {Hint(b"", deep=False)})
    loop.scan(root)
    loop.read()
    (after,) = contents(catalog, root).values()
    assert after != before
