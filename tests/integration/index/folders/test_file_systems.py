"""File systems as they are: drives that come and go, names that look alike, paths beyond every limit."""

import os
import shutil
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
from desktop_rag.index.folders.path_explanation import why
from desktop_rag.index.folders.relocation import Device, Devices
from desktop_rag.index.folders.root_folders import add_root_folders
from desktop_rag.index.indexer.status_board import IndexingActivity, status
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileState, FolderId, FolderState
from tests.integration.index.indexer.test_pipeline import Loop

pytestmark = pytest.mark.processes

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
def test_files_that_the_kernel_makes_are_neither_added_nor_found(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    added = add_root_folders(catalog, [b"/proc", b"/proc/self/status", b"/sys/kernel"])
    assert added.folders == ()
    assert all("the system makes its files" in reason for _, reason in added.refused)
    (tmp_path / "root" / "proc").mkdir()
    (tmp_path / "root" / "note.txt").write_text("A note.")
    mounts.mount("--bind", "/proc/sys/kernel", at=tmp_path / "root" / "proc")
    loop.scan(root)
    assert set(contents(catalog, root)) == {"note.txt"}


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


def volume(mounts: Mounts, at: Path, image: Path) -> None:
    """Mount the ext4 file system of an image, which has a UUID; skip the test where that is not allowed."""
    if not image.exists():
        image.write_bytes(b"")
        os.truncate(image, 4 << 20)
        made = subprocess.run(["mkfs.ext4", "-q", str(image)], capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.skip(f"mkfs.ext4: {made.stderr.strip()}")
    mounts.mount("-o", "loop", str(image), at=at)


@pytest.fixture
def sticks(tmp_path: Path) -> tuple[Path, Path]:
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("no mkfs.ext4 here")
    return tmp_path / "first.img", tmp_path / "second.img"


@linux
def test_a_folder_emptied_while_its_device_number_changed_is_empty(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path, sticks: tuple[Path, Path]
) -> None:
    place, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    elsewhere.mkdir()
    volume(mounts, place, sticks[0])
    for name in ("letter.txt", "deep/note.txt"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("Some text.")
    loop.scan(root)
    loop.read()
    before, device = contents(catalog, root), place.stat().st_dev
    mounts.unmount(place)
    loop.scan(root)
    assert (state(catalog), contents(catalog, root)) == (FolderState.OFFLINE, before)
    volume(mounts, elsewhere, sticks[1])  # takes the first loop device
    volume(mounts, place, sticks[0])
    assert place.stat().st_dev != device
    (place / "deep" / "note.txt").unlink()
    loop.scan(root)
    assert (state(catalog), set(contents(catalog, root))) == (FolderState.ACTIVE, {"letter.txt"})
    (place / "letter.txt").unlink()
    (place / "deep").rmdir()
    (place / "lost+found").rmdir()
    mounts.unmount(place)
    mounts.unmount(elsewhere)
    volume(mounts, place, sticks[0])
    assert place.stat().st_dev == device
    loop.scan(root)
    assert (state(catalog), contents(catalog, root)) == (FolderState.ACTIVE, {})


def test_files_recorded_by_device_number_are_deleted_with_their_folder(
    loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    """Versions before knew the number of the device only."""
    device = (tmp_path / "root").stat().st_dev
    for name in ("gone/a.txt", "emptied/b.txt", "kept.txt"):
        (tmp_path / "root" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "root" / name).write_text("Some text.")
    loop.scan(root)
    loop.read()
    before = contents(catalog, root)
    catalog.database.execute("UPDATE file SET device = ?", (device,))
    loop.scan(root)
    assert not catalog.files.next_queued(1), "nothing is read again"
    assert contents(catalog, root) == before
    catalog.database.execute("UPDATE file SET device = ?", (device,))
    shutil.rmtree(tmp_path / "root" / "gone")
    (tmp_path / "root" / "emptied" / "b.txt").unlink()
    loop.scan(root)
    assert set(contents(catalog, root)) == {"kept.txt"}
    assert loop.scans.away(root) == frozenset()


def test_why_tells_that_a_folder_of_the_library_is_away(
    loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path
) -> None:
    folder = tmp_path / "root"
    assert why(catalog, os.fsencode(folder)).sentence == "It is a folder of the library."
    folder.rename(tmp_path / "elsewhere")
    told = "It is a folder of the library. It is not there now; what was read stays searchable."
    assert why(catalog, os.fsencode(folder)).sentence == told, "before the next scan"
    loop.scan(root)
    assert why(catalog, os.fsencode(folder)).sentence == told


@linux
def test_a_drive_whose_folder_goes_with_it_keeps_its_files_and_is_not_read_again(
    mounts: Mounts,
    loop: Loop,
    root: FolderId,
    catalog: Catalog,
    tmp_path: Path,
    sticks: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stick = tmp_path / "root" / "STICK"
    stick.mkdir()
    volume(mounts, stick, sticks[0])
    (stick / "letter.txt").write_text("A letter.")
    (tmp_path / "root" / "note.txt").write_text("A note.")
    loop.scan(root)
    loop.read()
    before = contents(catalog, root)
    mounts.unmount(stick)
    stick.rmdir()
    (tmp_path / "root" / "note.txt").unlink()
    loop.scan(root)
    assert contents(catalog, root) == {"STICK/letter.txt": before["STICK/letter.txt"]}
    assert loop.scans.away(root) == {b"STICK"}
    told = "The drive of “STICK” is not connected now; its text stays searchable."
    [folder] = status(catalog, IndexingActivity(IndexingPhase.IDLE), 0.0, 0.0).folders
    assert folder.note == told, "told from the catalog, without an indexer"
    assert why(catalog, os.fsencode(stick / "letter.txt")).sentence.endswith(told)
    assert told in why(catalog, os.fsencode(stick)).sentence
    letter = catalog.files.of_folder(root)[b"STICK/letter.txt"].content
    assert letter is not None
    assert catalog.files.offline_among((letter,)) == {letter}
    assert not loop.scans.has_returned(catalog.folders.all()[0])
    stick.mkdir()
    volume(mounts, stick, sticks[0])
    assert loop.scans.has_returned(catalog.folders.all()[0])
    monkeypatch.setattr(ReaderChild, "read_in_chunks", lambda *_: pytest.fail("it was read"))
    loop.scan(root)
    loop.read()
    assert loop.scans.away(root) == frozenset()
    (stick / "letter.txt").unlink()
    loop.scan(root)
    assert contents(catalog, root) == {}


@linux
def test_another_drive_in_the_place_of_one_is_read_and_deletes_nothing(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path, sticks: tuple[Path, Path]
) -> None:
    place = tmp_path / "root" / "usb"
    place.mkdir()
    for image, name in zip(sticks, ("first", "second"), strict=True):
        volume(mounts, place, image)
        (place / name).mkdir()
        (place / name / "deep.txt").write_text(f"Deep on the {name}.")
        (place / f"{name}.txt").write_text(f"On the {name}.")
        loop.scan(root)
        loop.read()
        mounts.unmount(place)
    everything = {"usb/first.txt", "usb/first/deep.txt", "usb/second.txt", "usb/second/deep.txt"}
    for _ in range(2):
        assert set(contents(catalog, root)) == everything
        loop.scan(root)
    volume(mounts, place, sticks[0])
    (place / "first" / "deep.txt").unlink()
    (place / "first").rmdir()
    loop.scan(root)
    assert set(contents(catalog, root)) == everything - {"usb/first/deep.txt"}
    assert loop.scans.away(root) == {b"usb", b"usb/second"}


@linux
def test_a_folder_copied_to_another_drive_loses_what_was_deleted_there(
    mounts: Mounts, loop: Loop, root: FolderId, catalog: Catalog, tmp_path: Path, sticks: tuple[Path, Path]
) -> None:
    place = tmp_path / "root"
    for image, names in zip(sticks, (("a", "b", "c"), ("a", "c")), strict=True):
        volume(mounts, place, image)
        for name in names:
            (place / name).mkdir()
            (place / name / "text.txt").write_text(f"Text {name}.")
        loop.scan(root)
        loop.read()
        mounts.unmount(place)
    assert set(contents(catalog, root)) == {"a/text.txt", "c/text.txt"}


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
    monkeypatch.setattr(Devices, "of", lambda _, path, device: Device(device, lasting_inodes=False, of_kernel=False))
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
