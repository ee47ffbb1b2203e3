"""Watches root folders and reports changes after a debounce, once per changed folder.

A report is a hint, which may be missing or superfluous: the receiver scans the folder. Folders for which the system
reports no changes are polled instead; `WatchMode` says which and why.
"""

import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop_rag.index.folders.file_changes import WHOLE, Hint, topmost
from desktop_rag.index.folders.relocation import network_file_system
from desktop_rag.index.folders.rules import shown
from desktop_rag.index.folders.watch_backends import WatchBackend, make_backend, why_no_room
from desktop_rag.index.records import FolderId
from desktop_rag.paths import stat_of

logger = logging.getLogger(__name__)

QUIET_SECONDS = 0.3  # debounce: a change is reported after this time without another one …
LONGEST_SECONDS = 2.0  # … or at the latest this long after the first
POLL_SECONDS = 60.0
MOST_HINTS = 500  # changed folders of a root folder that are reported individually


@dataclass(frozen=True, slots=True)
class WatchMode:
    """How changes of a root folder are detected; `reason` is a sentence for the user, empty unless `polling`."""

    polling: bool
    reason: str = ""


EVENTS = WatchMode(polling=False)


@dataclass(slots=True)
class _Change:
    """The first and last change in a folder (monotonic seconds), and whether its subfolders changed too."""

    first: float
    last: float
    deep: bool


@dataclass(slots=True)
class _Root:
    """A watched root folder, its pending changes, and its polled subfolders with the reason."""

    path: bytes
    identity: tuple[int, int] | None
    changes: dict[bytes, _Change] = field(default_factory=dict)
    polled: dict[bytes, str] = field(default_factory=dict)
    poll_at: float = float("inf")


class Watcher:
    """Calls `on_change` on its own thread; the other methods may be called from one thread at a time."""

    def __init__(
        self,
        on_change: Callable[[FolderId, frozenset[Hint]], None],
        *,
        quiet: float = QUIET_SECONDS,
        longest: float = LONGEST_SECONDS,
        poll: float = POLL_SECONDS,
    ) -> None:
        self._on_change = on_change
        self._quiet, self._longest, self._poll = quiet, longest, poll
        self._roots: dict[FolderId, _Root] = {}
        self._networks: dict[int, str] = {}  # device → its network file system, empty if local
        self._changed = threading.Condition()
        self._closed = False
        self._backend: WatchBackend | None = None
        self._trouble = self._make_backend()
        self._thread = threading.Thread(target=self._report, name="watcher", daemon=True)
        self._thread.start()

    def watch(self, folder: FolderId, path: bytes) -> bool:
        """Watch a root folder; its subfolders are watched as they are visited.

        Return whether it is new or was replaced: then all of its subfolders have to be visited.
        """
        with self._changed:
            known = self._roots.get(folder)
        if known is not None and known.path == path and known.identity == _identity(path):
            whole = known.polled.get(b"", "") if known.identity else None
            if whole == "" and self._backend is not None and self._backend.is_alive(folder):
                return False
        self.unwatch(folder)
        root = _Root(path, _identity(path))
        reason = self._start(folder, root)
        if reason:
            logger.info("a root is polled: %s", reason)
            self._poll_for(root, b"", reason)
        with self._changed:
            self._roots[folder] = root
            self._changed.notify()
        return True

    def visit(self, folder: FolderId, path: bytes, device: int) -> None:
        """Watch a folder that is about to be listed; changes in it are reported once this has returned."""
        with self._changed:
            root = self._roots.get(folder)
        if root is None or self._backend is None or (path and b"" in root.polled):
            return
        reason = self._network(os.path.join(root.path, path), device) if path else root.polled.get(b"", "")  # noqa: PTH118
        if not reason:
            reason = self._try_visit(folder, path)
        with self._changed:
            if reason:
                self._poll_for(root, path, reason)
                self._changed.notify()
            else:
                root.polled.pop(path, None)

    def unwatch(self, folder: FolderId) -> None:
        """Stop watching a root folder; unknown ones are ignored."""
        with self._changed:
            self._roots.pop(folder, None)
        if self._backend is not None:
            self._backend.end(folder)

    def mode(self, folder: FolderId) -> WatchMode:
        """Return how changes of a root folder are detected."""
        with self._changed:
            root = self._roots.get(folder)
            polled = dict(root.polled) if root is not None else {}
        if not polled:
            return EVENTS
        if b"" in polled:
            return WatchMode(polling=True, reason=f"Checked {self._often()}. {polled[b'']}.")
        path = min(polled)
        which = f"“{shown(path)}”" if len(polled) == 1 else f"{len(polled):,} folders, such as “{shown(path)}”,"
        verb = "is" if len(polled) == 1 else "are"
        return WatchMode(polling=True, reason=f"{which} {verb} checked {self._often()}. {polled[path]}.")

    def close(self) -> None:
        """Stop watching and end the threads."""
        with self._changed:
            self._closed = True
            self._roots.clear()
            self._changed.notify()
        if self._backend is not None:
            self._backend.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def add(self, folder: FolderId, hint: Hint) -> None:
        """Record a change in a folder of a root folder."""
        now = time.monotonic()
        with self._changed:
            root = self._roots.get(folder)
            if root is None:
                return
            change = root.changes.get(hint.path)
            if change is None:
                if len(root.changes) >= MOST_HINTS:
                    root.changes.clear()
                    hint = Hint(b"", deep=True)
                root.changes[hint.path] = _Change(now, now, hint.deep)
                self._changed.notify()
            else:
                change.last, change.deep = now, change.deep or hint.deep

    # Starting

    def _make_backend(self) -> str:
        """Start the backend; return why there is none, or an empty text."""
        try:
            self._backend = make_backend(self.add)
        except OSError as error:
            if error.errno == errno.EMFILE and sys.platform == "linux":
                return why_no_room("max_user_instances")
            return f"This system reports no changes now ({error.strerror or error})"
        return ""

    def _start(self, folder: FolderId, root: _Root) -> str:
        """Start watching a root folder; return why it cannot be watched, or an empty text."""
        if root.identity is None:
            return "This folder is not there now"
        if self._backend is None:  # the limit may have been raised meanwhile
            self._trouble = self._make_backend()
        reason = self._trouble or self._network(root.path, root.identity[0])
        if reason or self._backend is None:
            return reason
        try:
            self._backend.begin(folder, root.path)
        except OSError as error:
            self._backend.end(folder)
            return _why(error)
        return ""

    def _try_visit(self, folder: FolderId, path: bytes) -> str:
        if self._backend is None:
            return ""
        try:
            self._backend.visit(folder, path)
        except OSError as error:
            gone = error.errno in (errno.ENOENT, errno.ENOTDIR)  # the scan that follows reports it
            return "" if gone else _why(error)
        return ""

    def _network(self, path: bytes, device: int) -> str:
        kind = self._networks.get(device)
        if kind is None:
            kind = self._networks[device] = network_file_system(path)
        return f"It is on a network ({kind}), which reports no changes" if kind else ""

    def _poll_for(self, root: _Root, path: bytes, reason: str) -> None:
        root.polled[path] = reason
        root.poll_at = min(root.poll_at, time.monotonic() + self._poll)

    def _often(self) -> str:
        return "every minute" if self._poll == POLL_SECONDS else f"every {self._poll:g} seconds"

    # Reporting

    def _report(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                due = {folder: hints for folder, root in self._roots.items() if (hints := self._due(root, now))}
                if not due:
                    next_due = min(map(self._due_at, self._roots.values()), default=now + self._poll)
                    self._changed.wait(min(next_due - now, self._poll))
            for folder, hints in due.items():
                self._on_change(folder, hints)

    def _due(self, root: _Root, now: float) -> frozenset[Hint]:
        """Remove and return the hints of a root folder that are due."""
        hints = {Hint(path, change.deep) for path, change in root.changes.items() if self._due_time(change) <= now}
        for hint in hints:
            del root.changes[hint.path]
        if root.poll_at <= now:
            root.polled = {path: why for path, why in root.polled.items() if _is_there(root.path, path)}
            hints |= {Hint(path, deep=True) for path in root.polled}
            root.poll_at = now + self._poll if root.polled else float("inf")
        return frozenset(topmost(hints)) if Hint(b"", deep=True) not in hints else WHOLE

    def _due_at(self, root: _Root) -> float:
        return min(root.poll_at, *map(self._due_time, root.changes.values()), float("inf"))

    def _due_time(self, change: _Change) -> float:
        return min(change.last + self._quiet, change.first + self._longest)


def _identity(path: bytes) -> tuple[int, int] | None:
    facts = stat_of(path)
    return (facts.st_dev, facts.st_ino) if facts else None


def _is_there(root: bytes, path: bytes) -> bool:
    return not path or os.path.isdir(os.path.join(root, path))  # noqa: PTH112, PTH118 (bytes)


def _why(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return why_no_room("max_user_watches")
    return f"The system does not report changes here ({error.strerror or error})"
