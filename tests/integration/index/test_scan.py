"""A scan of real folders: every difference is told once, and nothing that merely cannot be seen counts as gone."""

import os
import socket
import sys
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.known import KnownFiles
from desktop_rag.index.folders.changes import (
    WHOLE,
    FileChanged,
    FileFound,
    FileLeftOut,
    FileMoved,
    FileTouched,
    FileVanished,
    FolderPassed,
    Hint,
    RootMissing,
    ScanEvent,
    topmost,
)
from desktop_rag.index.folders.scan import scan
from desktop_rag.index.records import (
    ContentId,
    File,
    FileId,
    FileStat,
    FileState,
    Folder,
    FolderId,
    FolderRules,
    FolderState,
)
from desktop_rag.stop import Stop
from tests.integration.index.conftest import document_of

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


@contextmanager
def catalog_of(known: Known) -> Iterator[KnownFiles]:
    """Put the files into a real catalog, each that was read with a content of its own."""
    with TemporaryDirectory() as scratch, closing(Catalog.open(Path(scratch) / "catalog.sqlite")) as catalog:
        catalog.database.execute("PRAGMA synchronous=OFF")
        catalog.add_folder(b"/root", is_file=False)
        with catalog.transaction():
            for number in range(max((file.id for file in known.values()), default=0)):
                catalog.store(b"%d" % number, document_of(""), [])
            for file in known.values():
                outcome = file.state if file.state in (FileState.SKIPPED, FileState.FAILED) else ""
                stat = (file.stat.size, file.stat.mtime_ns, file.stat.inode, file.stat.device, file.stat.ctime_ns)
                pending = file.state is FileState.QUEUED
                values = (file.id, FolderId(1), file.path, *stat, pending, outcome, file.reason, file.content)
                catalog.database.execute(f"INSERT INTO file VALUES ({','.join('?' * len(values))})", values)
        yield KnownFiles(catalog.database, FolderId(1))


def run(
    root: Path, known: Known | None = None, rules: FolderRules | None = None, hints: Collection[Hint] = WHOLE
) -> list[ScanEvent]:
    """Return what a scan tells, but for what only says that it goes on."""
    with catalog_of(known or {}) as files:
        events = scan(folder(root, rules), files, Stop(), hints)
        return [event for event in events if not isinstance(event, FolderPassed)]


def learn(root: Path, rules: FolderRules | None = None) -> Known:
    """Return the files as a catalog would know them after a first scan, when all are read."""
    known: Known = {}
    for event in run(root, rules=rules):
        number = len(known) + 1
        match event:
            case FileFound(path, stat):
                state, content = FileState.READY, ContentId(number)
                known[path] = File(FileId(number), FolderId(1), path, stat, state, "", content)
            case FileLeftOut(path, stat, reason):
                known[path] = File(FileId(number), FolderId(1), path, stat, FileState.SKIPPED, reason, None)
            case _:
                raise AssertionError(event)
    return known


def moved(known: Known, old: bytes, new: bytes) -> FileMoved:
    content = known[old].content
    assert content is not None
    return FileMoved(new, replace(known[old].stat, ctime_ns=0), content, None)


def without_ctime(events: list[ScanEvent]) -> list[ScanEvent]:
    """Renaming changes the ctime."""
    return [
        replace(event, stat=replace(event.stat, ctime_ns=0)) if isinstance(event, FileMoved) else event
        for event in events
    ]


def found(events: list[ScanEvent]) -> list[str]:
    return [os.fsdecode(event.path) for event in events if isinstance(event, FileFound)]


def test_everything_is_found_folder_by_folder_in_the_order_of_names(root: Path) -> None:
    write(root, "b.txt", "a.txt", "z/1.md", "d/2.py", "d/e/3.txt")
    assert found(run(root)) == ["a.txt", "b.txt", "d/2.py", "d/e/3.txt", "z/1.md"]


def test_the_stat_is_that_of_the_file(root: Path) -> None:
    write(root, "a.txt", text="12345")
    (event,) = run(root)
    facts = (root / "a.txt").stat()
    assert event == FileFound(b"a.txt", FileStat(5, facts.st_mtime_ns, facts.st_ino, facts.st_dev, facts.st_ctime_ns))


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
    (root / "b.txt").unlink()
    write(root, "c.txt", text="TEXT")
    os.utime(root / "c.txt", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (root / "c.txt").replace(root / "a.txt")
    events = run(root, known)
    assert [type(event) for event in events] == [FileChanged, FileVanished]


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
    assert run(root, known) == [FileVanished(known[b"b/c.txt"])]


def test_a_renamed_folder_moves_its_files(root: Path) -> None:
    write(root, "old/a.txt", "old/deep/b.txt", "c.txt")
    known = learn(root)
    (root / "old").rename(root / "new")
    events = without_ctime(run(root, known))
    assert events[:2] == [
        FileVanished(known[b"old/a.txt"]),
        FileVanished(known[b"old/deep/b.txt"]),
    ] or set(map(type, events)) == {FileMoved, FileVanished}
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
        path: replace(file, state=FileState.SKIPPED, reason="The file is empty.", content=None)
        for path, file in learn(root).items()
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

    def refusing(path: bytes | int) -> "os._ScandirIterator[bytes]":
        if isinstance(path, bytes) and path.endswith(b"/closed"):  # a mode would not stop root, who may run the tests
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[return-value]  # whatever was asked for

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
    known = learn(root)
    write(root, "b/new.txt")
    with catalog_of(known) as files:
        events = scan(folder(root), files, Stop())
        assert next(events) == FolderPassed(b"")
        root.rename(tmp_path / "elsewhere")
        assert list(events) == []
    assert run(root, known) == [RootMissing()]


def test_a_root_that_goes_away_before_its_end_is_told_keeps_its_files(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    real = os.scandir

    def listed_at_last(path: bytes) -> "os._ScandirIterator[bytes]":
        entries = real(path)
        if path == os.fsencode(root):
            root.rename(tmp_path / "elsewhere")
        return entries

    monkeypatch.setattr(os, "scandir", listed_at_last)
    assert run(root, known) == [RootMissing()]


def test_a_stopped_scan_takes_nothing_for_gone(root: Path) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    stop = Stop()
    stop.set()
    with catalog_of(known) as files:
        assert list(scan(folder(root), files, stop)) == []


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
    with catalog_of(known) as files:
        assert list(scan(kept, files, Stop())) == [RootMissing()]


# Only where a hint says


def test_a_hint_costs_its_folder_only(root: Path) -> None:
    write(root, "a.txt", "b/c.txt", "b/deep/d.txt", "e/f.txt")
    known = learn(root)
    for name in ("a.txt", "b/c.txt", "b/deep/d.txt", "e/f.txt"):
        write(root, name, text="changed")
    shallow = run(root, known, hints=[Hint(b"b", deep=False)])
    assert [event.file.path for event in shallow if isinstance(event, FileChanged)] == [b"b/c.txt"]
    deep = run(root, known, hints=[Hint(b"b", deep=True)])
    assert [event.file.path for event in deep if isinstance(event, FileChanged)] == [b"b/c.txt", b"b/deep/d.txt"]


def test_a_hint_at_a_folder_that_is_gone_tells_what_was_in_it(root: Path) -> None:
    write(root, "a.txt", "b/c.txt", "b/deep/d.txt")
    known = learn(root)
    (root / "b" / "c.txt").unlink()
    (root / "b" / "deep" / "d.txt").unlink()
    (root / "b" / "deep").rmdir()
    (root / "b").rmdir()
    events = run(root, known, hints=[Hint(b"b/deep", deep=True)])
    assert events == [FileVanished(known[b"b/c.txt"]), FileVanished(known[b"b/deep/d.txt"])]


def test_a_hint_into_what_is_left_out_finds_nothing(root: Path) -> None:
    write(root, ".gitignore", text="drafts/\n")
    write(root, "drafts/a.txt", "node_modules/b.js", "private/.noindex", "private/c/d.txt")
    for path in (b"drafts", b"node_modules", b"private", b"private/c"):
        assert run(root, hints=[Hint(path, deep=True)]) == []


def test_rules_above_a_hint_count(root: Path) -> None:
    write(root, ".gitignore", text="*.log\n")
    write(root, "a/.gitignore", text="!keep.log\n")
    write(root, "a/b/x.log", "a/b/keep.log")
    assert found(run(root, hints=[Hint(b"a/b", deep=False)])) == ["a/b/keep.log"]


def test_a_renamed_folder_is_recognised_by_its_hints(root: Path) -> None:
    write(root, "old/a.txt", "other/b.txt")
    known = learn(root)
    (root / "old").rename(root / "new")
    events = without_ctime(run(root, known, hints=[Hint(b"", deep=False), Hint(b"new", deep=True)]))
    assert FileVanished(known[b"old/a.txt"]) in events
    assert moved(known, b"old/a.txt", b"new/a.txt") in events


def test_hints_below_a_deep_one_are_spare() -> None:
    hints = [Hint(b"a/b", deep=False), Hint(b"a", deep=True), Hint(b"a-b", deep=False), Hint(b"c", deep=False)]
    assert topmost(hints) == [Hint(b"a", deep=True), Hint(b"a-b", deep=False), Hint(b"c", deep=False)]
    assert topmost([*hints, Hint(b"", deep=True)]) == [Hint(b"", deep=True)]


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
        now = learn(root)
        assert {path: file.stat for path, file in known.items()} == {path: file.stat for path, file in now.items()}
