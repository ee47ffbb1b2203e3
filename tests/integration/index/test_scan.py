"""A scan of real folders: every difference is told once, and nothing that merely cannot be seen counts as gone."""

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.index.records import File, FileId, FileStat, FileState, Folder, FolderId, FolderRules, FolderState
from desktop_rag.index.scan import (
    FileChanged,
    FileFound,
    FileLeftOut,
    FileMoved,
    FileVanished,
    RootMissing,
    ScanEvent,
    scan,
)
from desktop_rag.stop import Stop

Known = dict[bytes, File]
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


def write(root: Path, *names: str, text: str = "text") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def folder(root: Path, rules: FolderRules | None = None) -> Folder:
    return Folder(FolderId(1), os.fsencode(root), root.is_file(), FolderState.ACTIVE, rules or FolderRules())


def run(root: Path, known: Known | None = None, rules: FolderRules | None = None) -> list[ScanEvent]:
    return list(scan(folder(root, rules), known or {}, Stop()))


def learn(root: Path, rules: FolderRules | None = None) -> Known:
    """Return the files as a catalog would know them after a first scan."""
    known: Known = {}
    for event in run(root, rules=rules):
        match event:
            case FileFound(path, stat):
                known[path] = File(FileId(len(known) + 1), FolderId(1), path, stat, FileState.READY, "", None)
            case FileLeftOut(path, stat, reason):
                known[path] = File(FileId(len(known) + 1), FolderId(1), path, stat, FileState.SKIPPED, reason, None)
            case _:
                raise AssertionError(event)
    return known


def found(events: list[ScanEvent]) -> list[str]:
    return [os.fsdecode(event.path) for event in events if isinstance(event, FileFound)]


def test_everything_is_found_folder_by_folder_in_the_order_of_names(root: Path) -> None:
    write(root, "b.txt", "a.txt", "z/1.md", "d/2.py", "d/e/3.txt")
    assert found(run(root)) == ["a.txt", "b.txt", "d/2.py", "d/e/3.txt", "z/1.md"]


def test_the_stat_is_that_of_the_file(root: Path) -> None:
    write(root, "a.txt", text="12345")
    (event,) = run(root)
    facts = (root / "a.txt").stat()
    assert event == FileFound(b"a.txt", FileStat(5, facts.st_mtime_ns, facts.st_ino, facts.st_dev))


def test_nothing_is_said_about_what_has_not_changed(root: Path) -> None:
    write(root, "a.txt", "b/c.md", "cat.jpg")
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
    os.utime(root / "b.txt", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (root / "b.txt").replace(root / "a.txt")
    events = run(root, known)
    assert [type(event) for event in events] == [FileChanged, FileVanished]


def test_a_drive_mounted_anew_is_not_read_again(root: Path) -> None:
    write(root, "a.txt")
    known = {
        path: replace(file, stat=replace(file.stat, device=file.stat.device + 1, inode=file.stat.inode + 7))
        for path, file in learn(root).items()
    }
    assert run(root, known) == []


def test_a_deleted_file_is_told(root: Path) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "b" / "c.txt").unlink()
    assert run(root, known) == [FileVanished(known[b"b/c.txt"])]


def test_a_renamed_folder_moves_its_files(root: Path) -> None:
    write(root, "old/a.txt", "old/deep/b.txt", "c.txt")
    known = learn(root)
    (root / "old").rename(root / "new")
    events = run(root, known)
    assert events == [
        FileMoved(known[b"old/a.txt"], b"new/a.txt", known[b"old/a.txt"].stat),
        FileMoved(known[b"old/deep/b.txt"], b"new/deep/b.txt", known[b"old/deep/b.txt"].stat),
    ]


def test_a_second_name_of_a_file_that_is_still_there_is_a_new_file(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "b.txt").hardlink_to(root / "a.txt")
    assert found(run(root, known)) == ["b.txt"]


def test_a_file_moved_and_changed_is_a_new_one(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "a.txt").rename(root / "b.txt")
    write(root, "b.txt", text="changed meanwhile")
    events = run(root, known)
    assert found(events) == ["b.txt"]
    assert FileVanished(known[b"a.txt"]) in events


def test_what_a_person_expects_to_see_is_left_out_with_a_reason(root: Path) -> None:
    write(root, "cat.jpg", "a.txt")
    write(root, "big.txt", text="x" * 1_000_001)
    events = run(root, rules=FolderRules(max_megabytes=1))
    reasons = {event.path: event.reason for event in events if isinstance(event, FileLeftOut)}
    assert set(reasons) == {b"cat.jpg", b"big.txt"}
    assert "1 MB" in reasons[b"big.txt"]
    assert found(events) == ["a.txt"]


def test_what_is_hidden_or_ignored_is_not_mentioned(root: Path) -> None:
    write(root, ".git/config", "node_modules/x.js", ".hidden.txt", ".ssh/id_rsa", "drafts/a.txt", "b.log")
    write(root, ".gitignore", text="*.log\n")
    assert run(root, rules=FolderRules(ignore=("drafts/",))) == []


def test_a_known_file_that_is_ignored_now_is_gone(root: Path) -> None:
    write(root, "a.txt", "b.txt")
    known = learn(root)
    write(root, ".gitignore", text="b.txt\n")
    assert run(root, known) == [FileVanished(known[b"b.txt"])]


def test_a_known_file_that_is_too_big_now_is_left_out(root: Path) -> None:
    write(root, "a.txt", text="x" * 1_500_000)
    known = learn(root)
    (event,) = run(root, known, FolderRules(max_megabytes=1))
    assert isinstance(event, FileLeftOut)
    assert event.path == b"a.txt"


def test_a_file_let_in_by_a_changed_rule_is_read(root: Path) -> None:
    write(root, "a.txt", text="x" * 1_500_000)
    known = learn(root, FolderRules(max_megabytes=1))
    assert run(root, known, FolderRules(max_megabytes=1)) == []
    assert run(root, known, FolderRules(max_megabytes=2)) == [FileChanged(known[b"a.txt"], known[b"a.txt"].stat)]


def test_a_file_the_reader_skipped_is_not_read_again(root: Path) -> None:
    write(root, "a.txt")
    known = {
        path: replace(file, state=FileState.SKIPPED, reason="The file is empty.") for path, file in learn(root).items()
    }
    assert run(root, known) == []


def test_a_folder_that_asks_to_be_left_out_is(root: Path) -> None:
    write(root, "private/.noindex", "private/deep/diary.txt", "open.txt")
    assert found(run(root)) == ["open.txt"]


@posix
def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    write(tmp_path, "outside/secret.txt")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "file.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "twice.txt").symlink_to(root / "a.txt")
    (root / "dangling.txt").symlink_to(root / "nowhere.txt")
    assert found(run(root)) == ["a.txt"]


@posix
def test_a_root_that_is_a_link_is_walked(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert found(run(tmp_path / "link")) == ["a.txt"]


@posix
def test_what_is_no_file_is_passed_over(root: Path) -> None:
    write(root, "a.txt")
    os.mkfifo(root / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        current = Path.cwd()
        os.chdir(root)  # the path of a socket must be short
        try:
            listener.bind("socket.txt")
        finally:
            os.chdir(current)
        assert found(run(root)) == ["a.txt"]


@posix
def test_names_that_are_no_text_are_found(root: Path) -> None:
    if sys.platform == "darwin":
        pytest.skip("macOS refuses such names")
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.txt"))).write_text("x", encoding="utf-8")
    (event,) = run(root)
    assert isinstance(event, FileFound)
    assert event.path == b"caf\xe9.txt"


@posix
def test_an_unreadable_folder_is_told_and_keeps_its_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "closed/a.txt", "closed/deep/b.txt", "closed2/c.txt")
    known = learn(root)
    real = os.scandir

    def refusing(path: bytes) -> "os._ScandirIterator[bytes]":
        if path.endswith(b"/closed"):  # a mode would not stop root, who may run the tests
            raise PermissionError(13, "Permission denied")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refusing)
        (event,) = run(root, known)
        assert isinstance(event, FileLeftOut)
        assert (event.path, event.reason) == (b"closed", "You have no permission to open this folder.")
        told = File(FileId(99), FolderId(1), b"closed", event.stat, FileState.SKIPPED, event.reason, None)
        assert run(root, known | {b"closed": told}) == []
    assert run(root, known | {b"closed": told}) == [FileVanished(told)]


def test_a_missing_root_says_only_that(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    root.rename(tmp_path / "elsewhere")
    assert run(root, known) == [RootMissing()]


def test_an_empty_mount_point_is_a_missing_root(root: Path) -> None:
    write(root, "a.txt")
    known = {
        path: replace(file, stat=replace(file.stat, device=file.stat.device + 1)) for path, file in learn(root).items()
    }
    (root / "a.txt").unlink()
    assert run(root, known) == [RootMissing()]


def test_an_empty_mount_point_inside_keeps_its_files(root: Path) -> None:
    write(root, "drive/a.txt", "b.txt", "c.txt")
    known = learn(root)
    elsewhere = replace(known[b"drive/a.txt"].stat, device=known[b"b.txt"].stat.device + 1)
    known[b"drive/a.txt"] = replace(known[b"drive/a.txt"], stat=elsewhere)
    (root / "drive" / "a.txt").unlink()
    (root / "c.txt").unlink()
    assert run(root, known) == [FileVanished(known[b"c.txt"])]


def test_a_folder_emptied_by_the_person_is_empty(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    assert run(root, known) == [FileVanished(known[b"a.txt"])]


def test_a_root_that_goes_away_during_the_scan_loses_nothing(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt", "b/c.txt", "d/e.txt")
    events = scan(folder(root), {}, Stop())
    assert found([next(events)]) == ["a.txt"]
    known = learn(root)
    root.rename(tmp_path / "elsewhere")
    assert list(events) == [RootMissing()]
    assert run(root, known) == [RootMissing()]


def test_a_stopped_scan_takes_nothing_for_gone(root: Path) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    stop = Stop()
    stop.set()
    assert list(scan(folder(root), known, stop)) == []


def test_a_root_that_is_a_file_is_one_file_with_an_empty_path(root: Path) -> None:
    write(root, ".notes.txt")
    path = root / ".notes.txt"
    known = learn(path)
    assert set(known) == {b""}
    assert run(path, known) == []
    write(root, ".notes.txt", text="changed")
    (event,) = run(path, known)
    assert isinstance(event, FileChanged)
    kept = folder(path)
    path.unlink()
    assert list(scan(kept, known, Stop())) == [RootMissing()]


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
            case FileChanged(file, stat):
                known[file.path] = replace(known[file.path], stat=stat)
            case FileMoved(file, path, stat):
                known[path] = replace(known.pop(file.path), path=path, stat=stat)
            case FileVanished(file):
                del known[file.path]
            case _:
                raise AssertionError(event)


@settings(max_examples=60, deadline=None)
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
        assert {path: file.stat for path, file in known.items()} == {p: file.stat for p, file in learn(root).items()}
        assert run(root, known) == []
