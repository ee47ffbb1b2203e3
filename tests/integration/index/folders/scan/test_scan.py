"""A scan of real folders: every difference is told once, and following the events is knowing the folder."""

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.index.folders.file_changes import (
    FileChanged,
    FileDeleted,
    FileFound,
    FileMoved,
    FileTouched,
    ScanEvent,
)
from desktop_rag.index.folders.relocation import Devices
from desktop_rag.index.records import File, FileId, FileStat, FileState, FolderId
from tests.examples import examples
from tests.integration.index.folders.scan.walking import (
    Known,
    found,
    learn,
    moved,
    run,
    without_ctime,
    write,
)

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")


def test_everything_is_found_folder_by_folder_in_the_order_of_names(root: Path) -> None:
    write(root, "b.txt", "a.txt", "z/1.md", "d/2.py", "d/e/3.txt")
    assert found(run(root)) == ["a.txt", "b.txt", "d/2.py", "d/e/3.txt", "z/1.md"]


def test_the_stat_is_that_of_the_file(root: Path) -> None:
    write(root, "a.txt", text="12345")
    (event,) = run(root)
    facts = (root / "a.txt").stat()
    volume = Devices().of(os.fsencode(root), facts.st_dev).volume
    assert event == FileFound(b"a.txt", FileStat(5, facts.st_mtime_ns, facts.st_ino, volume, facts.st_ctime_ns))


def test_nothing_is_said_about_what_has_not_changed(root: Path) -> None:
    write(root, "a.txt", "b/c.md", "cat.psd")
    assert run(root, learn(root)) == []


def test_a_changed_file_is_told(root: Path) -> None:
    write(root, "a.txt", "b.txt")
    known = learn(root)
    write(root, "a.txt", text="other text")
    (event,) = run(root, known)
    assert isinstance(event, FileChanged)
    assert (event.file, event.stat.size) == (known[b"a.txt"], 10)


def test_a_file_replaced_by_another_of_the_same_size_and_time_is_told(root: Path) -> None:
    write(root, "a.txt", "b.txt")
    known = learn(root)
    facts = (root / "a.txt").stat()
    (root / "b.txt").unlink()
    write(root, "c.txt", text="TEXT")
    os.utime(root / "c.txt", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (root / "c.txt").replace(root / "a.txt")
    events = run(root, known)
    assert [type(event) for event in events] == [FileChanged, FileDeleted]


@posix
def test_an_edit_that_keeps_size_and_time_is_told(root: Path) -> None:
    write(root, "a.txt", "b.txt", text="rent 100")
    known = learn(root)
    facts = (root / "a.txt").stat()
    while (root / "a.txt").stat().st_ctime_ns == facts.st_ctime_ns:  # the file system's clock has to tick
        write(root, "a.txt", text="rent 900")
        os.utime(root / "a.txt", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (event,) = run(root, known)
    assert isinstance(event, FileChanged)
    assert event.file.path == b"a.txt"


def test_a_drive_mounted_anew_is_not_read_again(root: Path) -> None:
    write(root, "a.txt")
    known = {
        path: replace(file, stat=replace(file.stat, device=file.stat.device + 1, inode=file.stat.inode + 7))
        for path, file in learn(root).items()
    }
    events = run(root, known)
    assert [type(event) for event in events] == [FileTouched]
    assert isinstance(events[0], FileTouched)
    known[b"a.txt"] = replace(known[b"a.txt"], stat=events[0].stat)
    assert run(root, known) == []


def test_a_deleted_file_is_told(root: Path) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "b" / "c.txt").unlink()
    assert run(root, known) == [FileDeleted(known[b"b/c.txt"])]


def test_a_renamed_folder_moves_its_files(root: Path) -> None:
    write(root, "old/a.txt", "old/deep/b.txt", "c.txt")
    known = learn(root)
    (root / "old").rename(root / "new")
    events = without_ctime(run(root, known))
    assert events[:2] == [
        FileDeleted(known[b"old/a.txt"]),
        FileDeleted(known[b"old/deep/b.txt"]),
    ] or set(map(type, events)) == {FileMoved, FileDeleted}
    assert {event.path for event in events if isinstance(event, FileMoved)} == {b"new/a.txt", b"new/deep/b.txt"}
    assert moved(known, b"old/deep/b.txt", b"new/deep/b.txt") in events


def test_a_second_name_of_a_known_file_needs_no_reading(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "b.txt").hardlink_to(root / "a.txt")
    assert moved(known, b"a.txt", b"b.txt") in without_ctime(run(root, known))


def test_files_that_change_places_need_no_reading(root: Path) -> None:
    write(root, "a.txt", text="one")
    write(root, "b.txt", text="another")
    known = learn(root)
    (root / "a.txt").rename(root / "c.txt")
    (root / "b.txt").rename(root / "a.txt")
    (root / "c.txt").rename(root / "b.txt")
    events = {event.path: event.content for event in run(root, known) if isinstance(event, FileMoved)}
    assert events == {b"a.txt": known[b"b.txt"].content, b"b.txt": known[b"a.txt"].content}


def test_a_time_of_whole_seconds_proves_nothing(root: Path) -> None:
    write(root, "a.txt")
    os.utime(root / "a.txt", ns=(0, 1_700_000_000_000_000_000))
    known = learn(root)
    (root / "a.txt").rename(root / "b.txt")
    assert found(run(root, known)) == ["b.txt"]


def test_a_file_moved_and_changed_is_a_new_one(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "a.txt").rename(root / "b.txt")
    write(root, "b.txt", text="changed meanwhile")
    events = run(root, known)
    assert found(events) == ["b.txt"]
    assert FileDeleted(known[b"a.txt"]) in events


NAMES = st.sampled_from(["a.txt", "b.txt", "d/a.txt", "d/e/b.txt", "f/a.txt"])


STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "delete", "move"]), NAMES, NAMES, st.integers(1, 9)), min_size=1, max_size=8
)


def act(root: Path, step: tuple[str, str, str, int]) -> None:
    action, name, other, size = step
    path, target = root / name, root / other
    if action == "write":
        write(root, name, text="x" * size)
    elif action == "delete":
        path.unlink(missing_ok=True)
    elif path.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)


def follow(known: Known, events: list[ScanEvent]) -> None:
    """Do what the catalog does with the events."""
    for event in events:
        match event:
            case FileFound(path, stat):
                known[path] = File(FileId(0), FolderId(1), path, stat, FileState.READY, "", None)
            case FileChanged(file, stat) | FileTouched(file, stat):
                known[file.path] = replace(known[file.path], stat=stat)
            case FileMoved(path, stat, content, _):
                known[path] = File(FileId(0), FolderId(1), path, stat, FileState.READY, "", content)
            case FileDeleted(file):
                del known[file.path]
            case _:
                raise AssertionError(event)


@settings(max_examples=examples(60), deadline=None)
@given(before=STEPS, after=STEPS)
def test_who_follows_the_events_knows_the_folder(
    before: list[tuple[str, str, str, int]], after: list[tuple[str, str, str, int]]
) -> None:
    with TemporaryDirectory() as scratch:
        root = Path(scratch)
        for step in before:
            act(root, step)
        known = learn(root)
        for step in after:
            act(root, step)
        follow(known, run(root, known))
        now = learn(root)
        assert {path: file.stat for path, file in known.items()} == {path: file.stat for path, file in now.items()}
