"""Notices that something changed below a root, and says so a little later, once.

An event is a hint and may be missed or spare: whoever is told looks at the whole root. Where the system gives no
events, or not for all folders, the root is reported every so often instead, and the mode says why.
"""

import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

from desktop_rag.index.mounts import network_file_system
from desktop_rag.index.records import FolderId
from desktop_rag.index.rules import is_hidden_path, is_system_path

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

logger = logging.getLogger(__name__)

QUIET_SECONDS = 0.5  # a change is told when nothing more has come for so long …
LONGEST_SECONDS = 3.0  # … or at the latest so long after the first
POLL_SECONDS = 60.0
_LIMIT_FILE = "/proc/sys/fs/inotify/max_user_watches"
# Not opening and closing without writing: reading the files ourselves is no change.
_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileClosedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]


@dataclass(frozen=True, slots=True)
class WatchMode:
    """How changes of a root are noticed; `reason` is a sentence for the person, empty unless `polling`."""

    polling: bool
    reason: str = ""


EVENTS = WatchMode(polling=False)


@dataclass(slots=True)
class _Watched:
    """A root, how it is watched, and when its next report is due (monotonic seconds)."""

    path: bytes
    identity: tuple[int, int] | None
    include_hidden: bool
    mode: WatchMode = EVENTS
    observer: "BaseObserver | None" = None
    first: float | None = None
    last: float = 0.0
    poll_at: float | None = None

    def still_serves(self, path: bytes) -> bool:
        """Return whether this watches what `path` is now; a folder made or mounted anew is another one."""
        if path != self.path or _identity(path) != self.identity:
            return False
        return self.observer is None or all(emitter.is_alive() for emitter in self.observer.emitters)


class Watcher:
    """Calls `on_change` on a thread of its own; the other methods may be called from any one thread.

    `ignored` are folders whose changes are nobody's business, such as the library's own.
    """

    def __init__(
        self,
        on_change: Callable[[FolderId], None],
        *,
        ignored: Sequence[bytes] = (),
        quiet: float = QUIET_SECONDS,
        longest: float = LONGEST_SECONDS,
        poll: float = POLL_SECONDS,
    ) -> None:
        self._on_change = on_change
        self._ignored = tuple(os.path.realpath(path) for path in ignored)
        self._quiet, self._longest, self._poll = quiet, longest, poll
        self._roots: dict[FolderId, _Watched] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._report, name="watcher", daemon=True)
        self._thread.start()

    def watch(self, folder: FolderId, path: bytes, *, include_hidden: bool = False) -> None:
        """Watch a root from now on; what changes after this returns is reported (in hidden folders only if asked).

        Takes about a second for 50,000 folders; a root that is watched already, and is still the same, costs nothing.
        """
        with self._changed:
            known = self._roots.get(folder)
        if known is not None and known.include_hidden == include_hidden and known.still_serves(path):
            return
        self.unwatch(folder)
        root = self._begin(folder, path, include_hidden)
        with self._changed:
            self._roots[folder] = root
            self._changed.notify()

    def unwatch(self, folder: FolderId) -> None:
        """Forget a root; nothing more is reported of it. Unknown roots are passed over."""
        with self._changed:
            root = self._roots.pop(folder, None)
        if root is not None and root.observer is not None:
            _end(root.observer)

    def mode(self, folder: FolderId) -> WatchMode:
        """Return how a root is watched; one that is not watched is not polled either."""
        with self._changed:
            root = self._roots.get(folder)
            return root.mode if root is not None else EVENTS

    def close(self) -> None:
        """Forget all roots and end the thread."""
        with self._changed:
            self._closed = True
            roots = list(self._roots)
            self._changed.notify()
        for folder in roots:
            self.unwatch(folder)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def note(self, folder: FolderId) -> None:
        """Note that something changed below a root."""
        now = time.monotonic()
        with self._changed:
            root = self._roots.get(folder)
            if root is not None:
                root.last = now
                if root.first is None:
                    root.first = now
                    self._changed.notify()

    def _begin(self, folder: FolderId, path: bytes, include_hidden: bool) -> _Watched:  # noqa: FBT001
        root = _Watched(path, _identity(path), include_hidden)
        reason = _why_not(path)
        if not reason:
            is_noise = is_system_path if include_hidden else is_hidden_path
            root.observer, reason = _start(_Handler(self, folder, path, is_noise, self._ignored), path)
        if root.observer is None:
            logger.info("a root is polled: %s", reason)
            root.mode = WatchMode(polling=True, reason=reason)
            root.poll_at = time.monotonic() + self._poll
        return root

    def _report(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                due = [folder for folder, root in self._roots.items() if self._due_at(root) <= now]
                for folder in due:
                    root = self._roots[folder]
                    root.first = None
                    if root.poll_at is not None:
                        root.poll_at = now + self._poll
                if not due:
                    next_due = min(map(self._due_at, self._roots.values()), default=now + self._poll)
                    self._changed.wait(min(next_due - now, self._poll))
            for folder in due:
                self._on_change(folder)

    def _due_at(self, root: _Watched) -> float:
        due = float("inf") if root.poll_at is None else root.poll_at
        if root.first is not None:
            due = min(due, root.last + self._quiet, root.first + self._longest)
        return due


class _Handler(FileSystemEventHandler):
    """Passes on what happens below one root (or to one file), but for noise."""

    def __init__(
        self,
        watcher: Watcher,
        folder: FolderId,
        path: bytes,
        is_noise: Callable[[bytes], bool],
        ignored: tuple[bytes, ...],
    ) -> None:
        self._watcher = watcher
        self._folder = folder
        self._path = os.path.realpath(path)
        self._only = self._path if os.path.isfile(path) else None  # noqa: PTH113 (bytes)
        self._is_noise = is_noise
        self._ignored = ignored

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note the event, unless both of its paths are noise."""
        if any(self._matters(os.fsencode(path)) for path in (event.src_path, event.dest_path) if path):
            self._watcher.note(self._folder)

    def _matters(self, path: bytes) -> bool:
        if self._only is not None:
            return os.path.basename(path) == os.path.basename(self._only)  # noqa: PTH119 (bytes)
        if any(path == ours or path.startswith(ours + os.fsencode(os.sep)) for ours in self._ignored):
            return False
        return not self._is_noise(path.removeprefix(self._path))


def _identity(path: bytes) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)  # noqa: PTH116 (bytes)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _why_not(path: bytes) -> str:
    """Return why a root cannot be watched by events, as far as that shows beforehand; empty if it can."""
    if not os.path.exists(path):  # noqa: PTH110 (bytes)
        return "This folder is not there now; it is looked for every minute."
    kind = network_file_system(path)
    if kind:
        return f"This folder lies on a network ({kind}), which reports no changes; it is looked at every minute."
    limit = watch_limit()
    if limit is not None and count_folders(path, enough=limit + 1) > limit:
        return _too_many(limit)
    return ""


def _start(handler: _Handler, path: bytes) -> "tuple[BaseObserver | None, str]":
    """Begin watching; return (observer, "") or (None, why it failed)."""
    whole = os.path.realpath(path)
    is_file = os.path.isfile(whole)  # noqa: PTH113 (bytes)
    target = os.path.dirname(whole) if is_file else whole  # noqa: PTH120 (bytes)
    before = frozenset(_watches_held())
    observer = None
    try:
        # One observer a root: roots inside each other would share watches that could not be told apart.
        observer = Observer()
        observer.schedule(handler, os.fsdecode(target), recursive=not is_file, event_filter=_EVENTS)
        observer.start()
    except OSError as error:
        if observer is not None:
            _end(observer)
        if error.errno in {errno.ENOSPC, errno.EMFILE}:
            return None, _too_many(watch_limit())
        return None, f"This folder cannot be watched ({error.strerror or error}); it is looked at every minute."
    if not is_file and _misses_folders(target, before):
        _end(observer)
        return None, _too_many(watch_limit())
    return observer, ""


def _misses_folders(target: bytes, others: frozenset[str]) -> bool:
    """Return whether inotify refused some folders: at its limit watchdog passes over them without a word."""
    if watch_limit() is None:
        return False
    for _ in range(3):  # a folder made this moment may be counted before it is watched
        held = sum(count for handle, count in _watches_held().items() if handle not in others)
        if held >= count_folders(target):
            return False
    return True


def _end(observer: "BaseObserver") -> None:
    observer.stop()
    if observer.is_alive():
        observer.join()


def _too_many(limit: int | None) -> str:
    number = f" ({limit:,})" if limit else ""
    return (
        f"There are more folders than this system watches at once{number}; this one is looked at every minute. "
        "An administrator can raise fs.inotify.max_user_watches."
    )


def watch_limit() -> int | None:
    """Return how many folders this user may watch, over all programs; None where the system sets no such limit."""
    try:
        with open(_LIMIT_FILE, encoding="ascii") as file:  # noqa: PTH123 (a file of the kernel)
            return int(file.read())
    except (OSError, ValueError):
        return None


def count_folders(path: bytes, enough: int = sys.maxsize) -> int:
    """Return how many folders there are at and below `path`, those that cannot be opened left out."""
    count = 0
    waiting = [path]
    while waiting and count < enough:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            count += 1
            waiting.extend(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    return count


def _watches_held() -> dict[str, int]:
    """Return how many watches each inotify handle of this process holds (Linux)."""
    held: dict[str, int] = {}
    with suppress(OSError):
        for handle in os.listdir("/proc/self/fdinfo"):  # noqa: PTH208
            with suppress(OSError), open(f"/proc/self/fdinfo/{handle}", "rb") as file:  # noqa: PTH123
                count = sum(line.startswith(b"inotify wd") for line in file)
                if count:
                    held[handle] = count
    return held
