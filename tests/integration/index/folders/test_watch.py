"""A real watcher on real folders: every kind of change is reported once, and what cannot be watched is polled."""

import os
from pathlib import Path

import pytest

from desktop_rag.index.folders.file_changes import WHOLE, Hint
from desktop_rag.index.folders.watch import Watcher
from tests.integration.index.folders.watching import ONE, TWO, Reports, begin, linux, visit

# watchdog sees a folder that is made while it is being added twice, says so, and goes on.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


def test_a_new_file_is_reported_with_its_folder(one: Path, reports: Reports) -> None:
    (one / "sub" / "new.txt").write_text("x", encoding="utf-8")
    reports.until_hint(Hint(b"sub", deep=False))


def test_a_changed_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "old.txt").write_text("new text", encoding="utf-8")
    reports.until_hint(Hint(b"", deep=False))


def test_a_deleted_file_is_reported(one: Path, reports: Reports) -> None:
    (one / "old.txt").unlink()
    reports.until_hint(Hint(b"", deep=False))


def test_a_renamed_file_is_reported_with_both_folders(one: Path, reports: Reports) -> None:
    (one / "old.txt").rename(one / "sub" / "renamed.txt")
    wanted = {Hint(b"", deep=False), Hint(b"sub", deep=False)}
    while wanted:
        wanted -= reports.next()[1]


def test_a_file_saved_by_an_editor_is_reported(one: Path, reports: Reports) -> None:
    (one / ".old.txt.tmp").write_text("new text", encoding="utf-8")
    (one / ".old.txt.tmp").replace(one / "old.txt")
    reports.until_hint(Hint(b"", deep=False))


def test_a_renamed_folder_is_reported_with_everything_in_it(one: Path, reports: Reports) -> None:
    (one / "sub").rename(one / "renamed")
    reports.until_hint(Hint(b"renamed", deep=True))


@linux
def test_a_folder_is_watched_under_its_new_name(tmp_path: Path, reports: Reports) -> None:
    watcher = Watcher(reports, quiet=0.05)
    try:
        one = begin(watcher, ONE, tmp_path / "one")
        (one / "sub").rename(one / "renamed")
        reports.until_hint(Hint(b"renamed", deep=True))
        visit(watcher, ONE, one)
        (one / "renamed" / "new.txt").write_text("x", encoding="utf-8")
        reports.until_hint(Hint(b"renamed", deep=False))
    finally:
        watcher.close()


def test_a_file_in_a_folder_made_with_it_is_reported(one: Path, watcher: Watcher, reports: Reports) -> None:
    deep = one / "a" / "b" / "c"
    deep.mkdir(parents=True)
    reports.until_hint(Hint(b"a", deep=True))
    visit(watcher, ONE, one)
    (deep / "new.txt").write_text("x", encoding="utf-8")
    reports.until_hint(Hint(b"a/b/c", deep=False))


def test_a_change_below_a_folder_that_is_about_to_be_reported_is_included(
    one: Path, watcher: Watcher, reports: Reports
) -> None:
    """As when the system tells of a new folder only after a file was written in it."""
    watcher.add(ONE, Hint(b"a", deep=True))
    watcher.add(ONE, Hint(b"a/b/c", deep=True))
    watcher.add(ONE, Hint(b"a/b/c", deep=False))
    assert reports.next() == (ONE, frozenset({Hint(b"a", deep=True)}))


def test_many_changes_are_one_report(one: Path, two: Path, reports: Reports) -> None:
    for number in range(200):
        (one / f"{number}.txt").write_text("x", encoding="utf-8")
    assert reports.next()[0] == ONE
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert len(reports.until(TWO)) < 10


def test_endless_changes_are_reported_all_the_same(one: Path, reports: Reports) -> None:
    for number in range(100_000):
        (one / "old.txt").write_text(str(number), encoding="utf-8")
        if not reports.empty():
            break
    assert reports.next()[0] == ONE


def test_a_file_that_changes_all_the_time_keeps_no_other_folder_waiting(one: Path, reports: Reports) -> None:
    (one / "sub" / "note.txt").write_text("x", encoding="utf-8")
    for number in range(100_000):
        (one / "old.txt").write_text(str(number), encoding="utf-8")
        if not reports.empty():
            break
    assert Hint(b"sub", deep=False) in reports.next()[1]


def test_reading_is_no_change(one: Path, two: Path, reports: Reports) -> None:
    (one / "old.txt").read_text(encoding="utf-8")
    list((one / "sub").iterdir())
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


@pytest.mark.parametrize("litter", [".old.txt.swp", "4913", "old.txt~", ".~lock.old.odt#", "#old.txt#", ".#old.txt"])
def test_what_editors_leave_beside_a_file_is_not_reported(one: Path, two: Path, reports: Reports, litter: str) -> None:
    (one / litter).write_text("x", encoding="utf-8")
    (one / litter).unlink()
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


def test_changes_in_folders_of_programs_are_not_reported(one: Path, two: Path, reports: Reports) -> None:
    (one / ".git").mkdir()
    (one / ".git" / "index").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


@pytest.mark.parametrize("name", [".gitignore", ".noindex"])
def test_a_changed_file_of_rules_is_reported_with_everything_below(one: Path, reports: Reports, name: str) -> None:
    (one / "sub" / name).write_text("*.log\n", encoding="utf-8")
    reports.until_hint(Hint(b"sub", deep=True))


@linux
def test_folders_that_no_scan_visits_are_not_reported(tmp_path: Path, reports: Reports) -> None:
    watcher = Watcher(reports, quiet=0.05)
    try:
        one, two = begin(watcher, ONE, tmp_path / "one"), begin(watcher, TWO, tmp_path / "two")
        (one / "left out").mkdir()
        reports.until_hint(Hint(b"left out", deep=True))
        (one / "left out" / "catalog.sqlite").write_text("x", encoding="utf-8")
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
    assert reports.next()[0] == ONE


def test_a_root_that_is_forgotten_is_not_reported(one: Path, two: Path, watcher: Watcher, reports: Reports) -> None:
    watcher.unwatch(ONE)
    watcher.unwatch(ONE)
    (one / "x.txt").write_text("x", encoding="utf-8")
    (two / "x.txt").write_text("x", encoding="utf-8")
    assert reports.until(TWO) == []


def test_watching_again_costs_nothing(one: Path, watcher: Watcher) -> None:
    assert not watcher.watch(ONE, os.fsencode(one))


def test_a_folder_made_anew_is_watched_anew(one: Path, tmp_path: Path, watcher: Watcher, reports: Reports) -> None:
    one.rename(tmp_path / "elsewhere")
    one.mkdir()
    assert watcher.watch(ONE, os.fsencode(one))
    (one / "new.txt").write_text("x", encoding="utf-8")
    assert reports.next()[0] == ONE


@linux
def test_a_root_that_is_moved_away_is_reported(tmp_path: Path, reports: Reports) -> None:
    watcher = Watcher(reports, quiet=0.05)
    try:
        begin(watcher, ONE, tmp_path / "one").rename(tmp_path / "elsewhere")
        assert reports.next() == (ONE, WHOLE)
    finally:
        watcher.close()


@linux
def test_roots_inside_each_other_are_both_reported(tmp_path: Path, reports: Reports) -> None:
    watcher = Watcher(reports, quiet=0.05)
    try:
        one = begin(watcher, ONE, tmp_path / "one")
        watcher.watch(TWO, os.fsencode(one / "sub"))
        (one / "sub" / "x.txt").write_text("x", encoding="utf-8")
        waiting = {ONE, TWO}
        while waiting:
            waiting.discard(reports.next()[0])
        watcher.unwatch(ONE)
        (one / "sub" / "y.txt").write_text("x", encoding="utf-8")
        assert reports.next()[0] == TWO
    finally:
        watcher.close()
