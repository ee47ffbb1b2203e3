"""What cannot be watched is polled, and the reason is told."""

import errno
import os
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desktop_rag.index.folders import watch, watch_backends
from desktop_rag.index.folders.file_changes import WHOLE, Hint
from desktop_rag.index.folders.watch import Watcher, WatchMode
from desktop_rag.index.folders.watch_backends import InotifyBackend, OnHint, WatchBackend
from desktop_rag.index.records import FolderId
from tests.integration.index.folders.watching import ONE, PATIENCE, TWO, Reports, linux

# watchdog sees a folder that is made while it is being added twice, says so, and goes on.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


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


@pytest.mark.processes
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
