"""A real watcher on real folders: every kind of change is reported once, and what cannot be watched is polled."""

import errno
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.index.folders import watch, watch_backends
from desktop_rag.index.folders.file_changes import WHOLE, Hint
from desktop_rag.index.folders.watch import Watcher, WatchMode
from desktop_rag.index.folders.watch_backends import InotifyBackend, ObserverBackend, OnHint, WatchBackend
from desktop_rag.index.records import FolderId

ONE, TWO = FolderId(1), FolderId(2)
PATIENCE = 20.0

# watchdog sees a folder that is made while it is being added twice, says so, and goes on.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs inotify")


class Reports:
    """Collects reports; waits for them instead of for time."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[FolderId, frozenset[Hint]]] = queue.SimpleQueue()

    def __call__(self, folder: FolderId, hints: frozenset[Hint]) -> None:
        self._queue.put((folder, hints))

    def next(self) -> tuple[FolderId, frozenset[Hint]]:
        return self._queue.get(timeout=PATIENCE)

    def until(self, folder: FolderId) -> list[FolderId]:
        """Return what is reported before `folder` is."""
        before: list[FolderId] = []
        while (reported := self.next()[0]) != folder:
            before.append(reported)
        return before

    def until_hint(self, hint: Hint) -> None:
        """Wait for a report that includes this hint: what is told late is told with the folder above it."""
        while not any(told == hint or (told.deep and is_at_or_below(hint.path, told.path)) for told in self.next()[1]):
            pass

    def empty(self) -> bool:
        return self._queue.empty()


def is_at_or_below(path: bytes, above: bytes) -> bool:
    return above in (b"", path) or path.startswith(above + b"/")


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture(params=[pytest.param(InotifyBackend, marks=linux), ObserverBackend], ids=["kernel", "observer"])
def notices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch in both ways, whatever this system would choose."""

    def chosen(on_hint: OnHint) -> WatchBackend:
        return InotifyBackend(on_hint) if request.param is InotifyBackend else ObserverBackend(on_hint)

    monkeypatch.setattr(watch, "make_backend", chosen)


@pytest.fixture
def watcher(reports: Reports, notices: None) -> Iterator[Watcher]:
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
    visit(watcher, folder, path)
    return path


def visit(watcher: Watcher, folder: FolderId, root: Path) -> None:
    """Do what a scan does."""
    for place, _, _ in os.walk(root):
        path = b"" if place == str(root) else os.fsencode(Path(place).relative_to(root))
        watcher.visit(folder, path, Path(place).stat().st_dev)


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
    assert reports.next()[1] == {Hint(b"sub", deep=False)}


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
    assert reports.next()[0] == ONE


def test_a_network_folder_is_polled(tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "network_file_system", lambda path: "nfs4")
    watcher = Watcher(reports, poll=0.05)
    try:
        watcher.watch(ONE, os.fsencode(tmp_path))
        assert "nfs4" in watcher.mode(ONE).reason
        assert [reports.next(), reports.next()] == [(ONE, WHOLE), (ONE, WHOLE)]
    finally:
        watcher.close()


@linux
def test_a_network_that_is_mounted_inside_a_root_is_polled_alone(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "network_file_system", lambda path: "cifs" if path.endswith(b"share") else "")
    (tmp_path / "share").mkdir()
    watcher = Watcher(reports, poll=0.05)
    try:
        watcher.watch(ONE, os.fsencode(tmp_path))
        watcher.visit(ONE, b"share", tmp_path.stat().st_dev + 1)
        assert "cifs" in watcher.mode(ONE).reason
        assert "“share” is checked" in watcher.mode(ONE).reason
        assert reports.next() == (ONE, frozenset({Hint(b"share", deep=True)}))
    finally:
        watcher.close()


@linux
def test_folders_beyond_the_limit_are_polled_and_the_others_watched(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_backends, "watch_limit", lambda _="max_user_watches": 5)
    for name in ("a", "b", "c", "d", "e"):
        (tmp_path / name).mkdir()
    watcher = Watcher(reports, quiet=0.02, poll=0.2)
    try:
        watcher.watch(ONE, os.fsencode(tmp_path))
        for path in (b"", b"a", b"b", b"c", b"d", b"e"):
            watcher.visit(ONE, path, tmp_path.stat().st_dev)
        reason = watcher.mode(ONE).reason
        assert "2 folders, such as “d”, are checked" in reason
        assert "fs.inotify.max_user_watches = 5. To raise it: “echo fs.inotify.max_user_watches=524288 |" in reason
        (tmp_path / "b" / "new.txt").write_text("x", encoding="utf-8")
        wanted = {Hint(b"b", deep=False), Hint(b"d", deep=True), Hint(b"e", deep=True)}
        while wanted:
            wanted -= reports.next()[1]
        (tmp_path / "e").rmdir()
        (tmp_path / "a").rmdir()
        reports.until_hint(Hint(b"d", deep=True))
        watcher.visit(ONE, b"d", tmp_path.stat().st_dev)
        while watcher.mode(ONE).polling:
            reports.next()
    finally:
        watcher.close()


@linux
def test_the_limit_of_instances_is_named_and_its_end_noticed(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(_: object) -> watch_backends.WatchBackend:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(
        watch_backends, "watch_limit", lambda limit="max_user_watches": {"max_user_instances": 2000}.get(limit)
    )
    with monkeypatch.context() as limited:
        limited.setattr(watch, "make_backend", none_left)
        watcher = Watcher(reports, quiet=0.02, poll=0.2)
        try:
            assert watcher.watch(ONE, os.fsencode(tmp_path))
            reason = watcher.mode(ONE).reason
            assert "fs.inotify.max_user_instances = 2,000. To raise it:" in reason
            assert "“echo fs.inotify.max_user_instances=4000 | sudo tee /etc/" in reason
            limited.undo()
            assert watcher.watch(ONE, os.fsencode(tmp_path))
            assert not watcher.mode(ONE).polling
        finally:
            watcher.close()


_LIMITED = """
import os, queue, sys
from pathlib import Path
Path("/proc/sys/user/max_inotify_watches").write_text("3")
from desktop_rag.index.folders.watch import Watcher
root = Path(sys.argv[1])
watcher = Watcher(lambda folder, hints: None)
watcher.watch(1, os.fsencode(root))
for name in (b"", b"a", b"b", b"c"):
    watcher.visit(1, name, root.stat().st_dev)
print(watcher.mode(1).reason)
watcher.close()
"""


@linux
def test_the_kernels_own_refusal_is_noticed(tmp_path: Path) -> None:
    """Within a user namespace, which may have a limit of its own."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-Ur", "true"], check=False).returncode:
        pytest.skip("this system allows no user namespaces")
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    command = ["unshare", "-Ur", sys.executable, "-c", _LIMITED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Permission" in done.stderr:
        pytest.skip("the limit of the namespace may not be set")
    assert "“c” is checked every minute" in done.stdout, done.stderr


@linux
def test_lost_reports_make_everything_be_looked_at(tmp_path: Path) -> None:
    """More happens than the kernel keeps while nobody takes its reports."""
    told: queue.SimpleQueue[Hint] = queue.SimpleQueue()
    taking = threading.Event()

    def on_hint(root: FolderId, hint: Hint) -> None:
        taking.wait()
        told.put(hint)

    notices = InotifyBackend(on_hint)
    try:
        notices.begin(ONE, os.fsencode(tmp_path))
        kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="ascii"))
        for _ in range(kept):  # two reports each; many were taken before the first was told
            for name in ("a.txt", "b.txt"):
                os.close(os.open(tmp_path / name, os.O_CREAT | os.O_WRONLY))
        taking.set()
        while told.get(timeout=PATIENCE) != Hint(b"", deep=True):
            pass
    finally:
        taking.set()
        notices.close()


def test_without_handles_of_the_system_roots_are_polled(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(on_hint: OnHint) -> WatchBackend:
        raise OSError(errno.ENFILE, "Too many open files in system")

    monkeypatch.setattr(watch, "make_backend", refuse)
    watcher = Watcher(reports, poll=0.05)
    try:
        watcher.watch(ONE, os.fsencode(tmp_path))
        assert "Too many open files in system" in watcher.mode(ONE).reason
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
