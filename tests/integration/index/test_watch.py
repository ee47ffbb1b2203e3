"""A real watcher on real folders: every kind of change is reported once, and what cannot be watched is polled."""

import os
import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.index import watch
from desktop_rag.index.records import FolderId
from desktop_rag.index.watch import Watcher, WatchMode

ONE, TWO = FolderId(1), FolderId(2)
PATIENCE = 20.0

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs inotify")


class Reports:
    """Collects reports; waits for them instead of for time."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[FolderId] = queue.SimpleQueue()

    def __call__(self, folder: FolderId) -> None:
        self._queue.put(folder)

    def next(self) -> FolderId:
        return self._queue.get(timeout=PATIENCE)

    def until(self, folder: FolderId) -> list[FolderId]:
        """Return what is reported before `folder` is."""
        before: list[FolderId] = []
        while (reported := self.next()) != folder:
            before.append(reported)
        return before

    def empty(self) -> bool:
        return self._queue.empty()


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
def watcher(reports: Reports) -> Iterator[Watcher]:
    watcher = Watcher(reports, quiet=0.05, longest=0.5)
    yield watcher
    watcher.close()


@pytest.fixture
def one(tmp_path: Path, watcher: Watcher) -> Path:
    return begin(watcher, ONE, tmp_path / "one")


@pytest.fixture
def two(tmp_path: Path, watcher: Watcher) -> Path:
    return begin(watcher, TWO, tmp_path / "two")


def begin(watcher: Watcher, folder: FolderId, path: Path) -> Path:
    (path / "sub").mkdir(parents=True)
    (path / "old.txt").write_text("old", encoding="utf-8")
    watcher.watch(folder, os.fsencode(path))
    return path


def test_a_new_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "new.txt").write_text("x", encoding="utf-8")
    assert reports.next() == ONE


def test_a_changed_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "old.txt").write_text("new text", encoding="utf-8")
    assert reports.next() == ONE


def test_a_deleted_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "old.txt").unlink()
    assert reports.next() == ONE


def test_a_renamed_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "old.txt").rename(one / "sub" / "renamed.txt")
    assert reports.next() == ONE


def test_a_file_in_a_folder_made_with_it_is_reported(one: Path, reports: Reports) -> None:
    deep = one / "a" / "b" / "c"
    deep.mkdir(parents=True)
    reports.next()
    (deep / "new.txt").write_text("x", encoding="utf-8")
    assert reports.next() == ONE


def test_many_changes_are_one_report(one: Path, two: Path, reports: Reports) -> None:
    for number in range(200):
        (one / f"{number}.txt").write_text("x", encoding="utf-8")
    assert reports.next() == ONE
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert len(reports.until(TWO)) < 10


def test_endless_changes_are_reported_all_the_same(one: Path, reports: Reports) -> None:
    for number in range(100_000):
        (one / "old.txt").write_text(str(number), encoding="utf-8")
        if not reports.empty():
            break
    assert reports.next() == ONE


def test_reading_is_no_change(one: Path, two: Path, reports: Reports) -> None:
    (one / "old.txt").read_text(encoding="utf-8")
    list((one / "sub").iterdir())
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


def test_changes_in_folders_of_programs_are_not_reported(one: Path, two: Path, reports: Reports) -> None:
    (one / ".git").mkdir()
    (one / ".git" / "index").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


def test_changes_in_hidden_folders_are_reported_only_if_asked(
    one: Path, two: Path, watcher: Watcher, reports: Reports
) -> None:
    (one / ".config").mkdir()
    (one / ".config" / "a.txt").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []
    watcher.watch(ONE, os.fsencode(one), include_hidden=True)
    (one / ".config" / "a.txt").write_text("y", encoding="utf-8")
    assert reports.next() == ONE


def test_a_changed_gitignore_is_reported(one: Path, reports: Reports) -> None:
    (one / ".gitignore").write_text("*.log\n", encoding="utf-8")
    assert reports.next() == ONE


def test_changes_of_our_own_folder_are_not_reported(tmp_path: Path, reports: Reports) -> None:
    ours = tmp_path / "one" / "library"
    watcher = Watcher(reports, ignored=[os.fsencode(ours)], quiet=0.05)
    try:
        one, two = begin(watcher, ONE, tmp_path / "one"), begin(watcher, TWO, tmp_path / "two")
        ours.mkdir()
        (one / "library" / "catalog.sqlite").write_text("x", encoding="utf-8")
        (two / "x.txt").write_text("x", encoding="utf-8")
        assert reports.until(TWO) == []
    finally:
        watcher.close()


def test_a_root_that_is_a_file_is_watched_alone(tmp_path: Path, watcher: Watcher, two: Path, reports: Reports) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("x", encoding="utf-8")
    watcher.watch(ONE, os.fsencode(notes))
    (tmp_path / "other.txt").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []
    (tmp_path / "fresh").write_text("y", encoding="utf-8")
    (tmp_path / "fresh").replace(notes)
    assert reports.next() == ONE


def test_a_root_that_is_forgotten_is_not_reported(one: Path, two: Path, watcher: Watcher, reports: Reports) -> None:
    watcher.unwatch(ONE)
    watcher.unwatch(ONE)
    (one / "x.txt").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


def test_watching_again_costs_nothing(one: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("it was watched anew")

    monkeypatch.setattr(watch, "_why_not", refuse)
    watcher.watch(ONE, os.fsencode(one))


def test_a_folder_made_anew_is_watched_anew(one: Path, tmp_path: Path, watcher: Watcher, reports: Reports) -> None:
    one.rename(tmp_path / "elsewhere")
    one.mkdir()
    watcher.watch(ONE, os.fsencode(one))
    (one / "new.txt").write_text("x", encoding="utf-8")
    assert reports.next() == ONE


def test_a_watched_root_is_not_polled(one: Path, watcher: Watcher) -> None:
    assert watcher.mode(ONE) == WatchMode(polling=False)
    assert watcher.mode(TWO) == WatchMode(polling=False)


def test_a_missing_root_is_looked_for_and_watched_once_it_is_there(
    tmp_path: Path, watcher: Watcher, reports: Reports
) -> None:
    path = tmp_path / "later"
    watcher.watch(ONE, os.fsencode(path))
    assert watcher.mode(ONE).polling
    assert "not there" in watcher.mode(ONE).reason
    path.mkdir()
    watcher.watch(ONE, os.fsencode(path))
    assert not watcher.mode(ONE).polling
    (path / "x.txt").write_text("x", encoding="utf-8")
    assert reports.next() == ONE


def test_a_network_folder_is_polled(tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "network_file_system", lambda path: "nfs4")
    watcher = Watcher(reports, poll=0.05)
    try:
        watcher.watch(ONE, os.fsencode(tmp_path))
        assert "nfs4" in watcher.mode(ONE).reason
        assert [reports.next(), reports.next()] == [ONE, ONE]
    finally:
        watcher.close()


def test_more_folders_than_the_system_watches_are_polled(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / str(number)).mkdir()
    monkeypatch.setattr(watch, "watch_limit", lambda: 5)
    watcher.watch(ONE, os.fsencode(tmp_path))
    assert watcher.mode(ONE).polling
    assert "max_user_watches" in watcher.mode(ONE).reason


@linux
def test_folders_that_inotify_refuses_are_noticed(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    from watchdog.observers import inotify_c

    (tmp_path / "a" / "b").mkdir(parents=True)
    real = inotify_c.inotify_add_watch

    def full(handle: int, path: bytes, mask: int) -> int:
        return -1 if path.endswith(b"/b") else real(handle, path, mask)

    monkeypatch.setattr(inotify_c, "inotify_add_watch", full)
    watcher.watch(ONE, os.fsencode(tmp_path))
    assert watcher.mode(ONE).polling
    assert "max_user_watches" in watcher.mode(ONE).reason


@linux
def test_roots_inside_each_other_are_both_reported(one: Path, watcher: Watcher, reports: Reports) -> None:
    watcher.watch(TWO, os.fsencode(one / "sub"))
    assert not watcher.mode(TWO).polling
    (one / "sub" / "x.txt").write_text("x", encoding="utf-8")
    waiting = {ONE, TWO}
    while waiting:
        waiting.discard(reports.next())
