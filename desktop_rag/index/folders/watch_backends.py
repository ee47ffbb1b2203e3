"""Backends of the watcher: inotify (Linux), folder by folder, and watchdog (Windows, macOS), whole trees."""

import contextlib
import ctypes
import errno
import logging
import os
import select
import struct
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.name_rules import GIT_FOLDER, SEPARATOR, SPECIAL_NAMES, is_system
from desktop_rag.index.records import FolderId

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver


# A minimal binding of inotify(7), the change notifications of the Linux kernel.
#
# Packages that watch whole trees would also watch folders that are never read (a `node_modules` can have more folders
# than all documents of the user), and do not report which folders they could not watch.

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ONLY_FOLDER, _FOLDER = 0x2000, 0x4000, 0x8000, 0x1000000, 0x40000000
# Without opening and closing read-only: our own reading is no change.
_TO_ITSELF = _DELETE_SELF | _MOVE_SELF | _UNMOUNT
_CHANGES = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 18


class InotifyReport(NamedTuple):
    """A change in a watched folder, of the entry `name` (empty: of the folder itself)."""

    watch: int
    mask: int
    name: bytes


class Inotify:
    """An inotify instance; any thread may add and remove watches, one thread reads the reports."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._checked(self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        self._wake, self._waker = os.pipe()
        self._poll = select.poll()
        self._poll.register(self._handle, select.POLLIN)
        self._poll.register(self._wake, select.POLLIN)

    def add(self, folder: bytes) -> int:
        """Watch a folder and return the number of its watch, the same one if it is watched already; raise `OSError`."""
        return self._checked(self._libc.inotify_add_watch(self._handle, folder, _CHANGES | _ONLY_FOLDER))

    def remove(self, watch: int) -> None:
        """Stop watching a folder; deleted ones are ignored."""
        self._libc.inotify_rm_watch(self._handle, watch)

    def read(self) -> list[InotifyReport]:
        """Wait for reports and return them, or an empty list after `close`."""
        while True:
            ready = {handle for handle, _ in self._poll.poll()}
            if self._wake in ready:
                return []
            with contextlib.suppress(BlockingIOError):
                return _reports(os.read(self._handle, _BUFFER))

    def close(self) -> None:
        """Make `read` return; `free` closes the handles."""
        os.write(self._waker, b"!")

    def free(self) -> None:
        """Close the handles, after `read` has returned."""
        for handle in (self._handle, self._wake, self._waker):
            os.close(handle)

    def _checked(self, result: int) -> int:
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result


def _reports(data: bytes) -> list[InotifyReport]:
    reports: list[InotifyReport] = []
    at = 0
    while at < len(data):
        watch, mask, _, length = _HEAD.unpack_from(data, at)
        name = data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0")
        reports.append(InotifyReport(watch, mask, name))
        at += _HEAD.size + length
    return reports


logger = logging.getLogger(__name__)

OnHint = Callable[[FolderId, Hint], None]

Limit = Literal["max_user_watches", "max_user_instances"]

_LIMITS = "/proc/sys/fs/inotify"
_RAISED: dict[Limit, int] = {"max_user_watches": 524_288, "max_user_instances": 1024}  # to at least this
_SHARE = 0.8  # of the user's watches: editors and file managers need some, too


class InotifyBackend:
    """Watches exactly the folders that scans visit; one inotify instance serves all root folders.

    `OnHint` is called on its own thread. Its methods raise `OSError`, ENOSPC if the limit of watches is reached.
    """

    def __init__(self, on_hint: OnHint) -> None:
        self._on_hint = on_hint
        self._inotify = Inotify()
        self._lock = threading.Lock()
        self._roots: dict[FolderId, bytes] = {}
        self._files: dict[FolderId, bytes] = {}  # names of single-file roots
        self._places: dict[int, set[tuple[FolderId, bytes]]] = {}  # watch → folders; two with a bind mount
        self._watches: dict[FolderId, dict[bytes, int]] = {}
        self._room = 0
        self._thread = threading.Thread(target=self._run, name="inotify", daemon=True)
        self._thread.start()

    def begin(self, root: FolderId, path: bytes) -> None:
        """Start watching a root folder; its subfolders are watched when they are visited."""
        whole = os.path.realpath(path)
        is_file = os.path.isfile(whole)  # noqa: PTH113 (bytes)
        limit = watch_limit()
        with self._lock:
            self._room = int(limit * _SHARE) if limit is not None else sys.maxsize
            self._roots[root] = os.path.dirname(whole) if is_file else whole  # noqa: PTH120 (bytes)
            self._watches[root] = {}
            if is_file:
                self._files[root] = os.path.basename(whole)  # noqa: PTH119 (bytes)
        self.visit(root, b"")

    def visit(self, root: FolderId, path: bytes) -> None:
        """Watch one folder."""
        with self._lock:
            base = self._roots.get(root)
            if base is None:
                return
            if path not in self._watches[root] and len(self._places) >= self._room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            watch = self._inotify.add(os.path.join(base, path) if path else base)  # noqa: PTH118 (bytes)
            if self._watches[root].get(path) == watch:
                return
            self._forget(root, path)
            self._watches[root][path] = watch
            self._places.setdefault(watch, set()).add((root, path))

    def end(self, root: FolderId) -> None:
        """Remove the watches of a root folder."""
        with self._lock:
            for path in list(self._watches.get(root, ())):
                self._forget(root, path)
            for known in (self._watches, self._roots, self._files):
                known.pop(root, None)

    def is_alive(self, root: FolderId) -> bool:
        """Return whether the root folder itself is still watched."""
        with self._lock:
            return b"" in self._watches.get(root, ())

    def close(self) -> None:
        """End the thread and free the handle."""
        self._inotify.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()
            self._inotify.free()

    def _run(self) -> None:
        while reports := self._inotify.read():
            for report in reports:
                self._handle(report)

    def _handle(self, report: InotifyReport) -> None:
        with self._lock:
            if report.mask & _OVERFLOW:  # the kernel's queue lost reports
                logger.warning("the inotify queue overflowed; scanning all folders")
                told = [(root, Hint(b"", deep=True)) for root in self._roots]
            else:
                places = list(self._places.get(report.watch, ()))
                told = [(root, hint) for root, path in places for hint in self._hints(root, path, report)]
                if report.mask & _IGNORED:  # the watch was removed
                    for root, path in self._places.pop(report.watch, set()):
                        self._watches[root].pop(path, None)
        for root, hint in told:
            self._on_hint(root, hint)

    def _hints(self, root: FolderId, path: bytes, report: InotifyReport) -> list[Hint]:
        only, to_itself = self._files.get(root), bool(report.mask & _TO_ITSELF)
        if only is not None:
            return [Hint(b"", deep=False)] if report.name == only or to_itself else []
        if report.mask & _IGNORED or (to_itself and path) or _is_temporary(report.name):
            return []  # the watch on the parent reports it
        hints = [Hint(path, deep=to_itself)]
        child = path + SEPARATOR + report.name if path else report.name
        if report.mask & _FOLDER and report.mask & (_MOVED_FROM | _DELETE):
            for below in [
                known for known in self._watches[root] if known == child or known.startswith(child + SEPARATOR)
            ]:
                self._forget(root, below)
        if report.mask & _FOLDER and report.mask & (_CREATE | _MOVED_TO):
            hints.append(Hint(child, deep=True))
        if _is_rule_file(report.name):
            hints.append(Hint(path, deep=True))
        return hints

    def _forget(self, root: FolderId, path: bytes) -> None:
        watch = self._watches[root].pop(path, None)
        places = self._places.get(watch, set()) if watch is not None else set()
        places.discard((root, path))
        if watch is not None and not places and watch in self._places:
            del self._places[watch]
            self._inotify.remove(watch)


class ObserverBackend:
    """Watches whole trees, which Windows and macOS support natively; one observer per root folder, see above."""

    def __init__(self, on_hint: OnHint) -> None:
        self._on_hint = on_hint
        self._observers: dict[FolderId, BaseObserver] = {}

    def begin(self, root: FolderId, path: bytes) -> None:
        """Start watching a root folder with all subfolders."""
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        whole = os.path.realpath(path)
        is_file = os.path.isfile(whole)  # noqa: PTH113 (bytes)
        on_hint = self._on_hint

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: "FileSystemEvent") -> None:
                for hint in hints_of(event, whole, is_file=is_file):
                    on_hint(root, hint)

        target = os.path.dirname(whole) if is_file else whole  # noqa: PTH120 (bytes)
        observer = Observer()
        observer.schedule(Handler(), os.fsdecode(target), recursive=not is_file)
        observer.start()
        self._observers[root] = observer

    def visit(self, root: FolderId, path: bytes) -> None:
        """Do nothing: the observer sees every folder."""

    def end(self, root: FolderId) -> None:
        """Stop the observer of a root folder."""
        observer = self._observers.pop(root, None)
        if observer is not None:
            observer.stop()
            observer.join()

    def is_alive(self, root: FolderId) -> bool:
        """Return whether the observer still runs."""
        observer = self._observers.get(root)
        return observer is not None and all(emitter.is_alive() for emitter in observer.emitters)

    def close(self) -> None:
        """Stop all observers."""
        for root in list(self._observers):
            self.end(root)


def hints_of(event: "FileSystemEvent", root: bytes, *, is_file: bool) -> list[Hint]:
    """Return the folders to scan after a watchdog event; none for events that change no file."""
    if event.event_type in ("opened", "closed_no_write") or (event.is_directory and event.event_type == "modified"):
        return []
    hints: list[Hint] = []
    given = (event.src_path, event.dest_path)
    for path in (os.fsencode(path) for path in given if path):
        if is_file or path == root:
            hints += [Hint(b"", deep=True)] if path == root else []
            continue
        parts = path.removeprefix(root + SEPARATOR).split(SEPARATOR)
        if any(map(_is_temporary, parts)):
            continue
        hints.append(Hint(SEPARATOR.join(parts[:-1]), deep=_is_rule_file(parts[-1])))
        if event.is_directory and event.event_type != "deleted":
            hints.append(Hint(SEPARATOR.join(parts), deep=True))
    return hints


def _is_rule_file(name: bytes) -> bool:
    """Return whether a file of this name is a rule for its folder, such as .gitignore."""
    return name in SPECIAL_NAMES and name != GIT_FOLDER


def _is_temporary(name: bytes) -> bool:
    return is_system(os.fsdecode(name)) and not _is_rule_file(name)


WatchBackend = InotifyBackend | ObserverBackend


def make_backend(on_hint: OnHint) -> WatchBackend:
    """Return the backend for this system; raise `OSError`."""
    return InotifyBackend(on_hint) if sys.platform == "linux" else ObserverBackend(on_hint)


def why_no_room(limit: Limit) -> str:
    """Return which limit of inotify is reached, its value, and the command of an administrator that raises it."""
    value = watch_limit(limit)
    number = f" = {value:,}" if value else ""
    raised = f"fs.inotify.{limit}={max(_RAISED[limit], 2 * (value or 0))}"
    command = f"echo {raised} | sudo tee /etc/sysctl.d/60-{limit}.conf && sudo sysctl --system"
    if limit == "max_user_instances":
        many = "More programs watch folders than this system allows"
    else:
        many = "There are more folders than this system watches at once"
    return f"{many}: fs.inotify.{limit}{number}. To raise it: “{command}”"


def watch_limit(limit: Limit = "max_user_watches") -> int | None:
    """Return a limit of inotify for this user, over all programs; None where the system sets no such limit."""
    try:
        with open(f"{_LIMITS}/{limit}", encoding="ascii") as file:  # noqa: PTH123 (a file of the kernel)
            return int(file.read())
    except (OSError, ValueError):
        return None
