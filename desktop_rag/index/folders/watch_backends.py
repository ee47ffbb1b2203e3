"""Backends of the watcher: inotify (Linux), folder by folder, and watchdog (Windows, macOS), whole trees."""

import errno
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.inotify import Inotify, InotifyReport
from desktop_rag.index.folders.name_rules import GIT_FOLDER, SEPARATOR, SPECIAL_NAMES, is_system
from desktop_rag.index.records import FolderId

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

logger = logging.getLogger(__name__)

OnHint = Callable[[FolderId, Hint], None]

Limit = Literal["max_user_watches", "max_user_instances"]

_LIMITS = "/proc/sys/fs/inotify"
_RAISED: dict[Limit, int] = {"max_user_watches": 524_288, "max_user_instances": 1024}  # to at least this
_SHARE = 0.8  # of the user's watches: editors and file managers need some, too


class WatchBackend(Protocol):
    """Reports changes in root folders by calling `OnHint` on its own thread."""

    def begin(self, root: FolderId, path: bytes) -> None:
        """Start watching a root folder or single file; raise `OSError`."""

    def visit(self, root: FolderId, path: bytes) -> None:
        """Start watching one folder; raise `OSError`, ENOSPC if the limit of watches is reached."""

    def end(self, root: FolderId) -> None:
        """Stop watching a root folder."""

    def is_alive(self, root: FolderId) -> bool:
        """Return whether the root folder is still watched."""

    def close(self) -> None:
        """End the thread."""


class InotifyBackend:
    """Watches exactly the folders that scans visit; one inotify instance serves all root folders."""

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
            if report.lost_some:
                logger.warning("the inotify queue overflowed; scanning all folders")
                told = [(root, Hint(b"", deep=True)) for root in self._roots]
            else:
                places = list(self._places.get(report.watch, ()))
                told = [(root, hint) for root, path in places for hint in self._hints(root, path, report)]
                if report.ends:
                    for root, path in self._places.pop(report.watch, set()):
                        self._watches[root].pop(path, None)
        for root, hint in told:
            self._on_hint(root, hint)

    def _hints(self, root: FolderId, path: bytes, report: InotifyReport) -> list[Hint]:
        only = self._files.get(root)
        if only is not None:
            return [Hint(b"", deep=False)] if report.name == only or report.to_itself else []
        if report.ends or (report.to_itself and path) or _is_temporary(report.name):
            return []  # the watch on the parent reports it
        hints = [Hint(path, deep=report.to_itself)]
        child = path + SEPARATOR + report.name if path else report.name
        if report.to_folder and report.left:
            for below in [
                known for known in self._watches[root] if known == child or known.startswith(child + SEPARATOR)
            ]:
                self._forget(root, below)
        if report.to_folder and report.appeared:
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
    """Watches whole trees, which Windows and macOS support natively; one observer per root folder."""

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


def make_backend(on_hint: OnHint) -> WatchBackend:
    """Return the backend for this system; raise `OSError`."""
    return InotifyBackend(on_hint) if Inotify.exists() else ObserverBackend(on_hint)


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
