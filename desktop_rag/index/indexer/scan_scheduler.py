"""Runs the scans of root folders in time slices, so that files are read meanwhile."""

import os
import time
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from typing import assert_never

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_lookup import RecentlyRemoved
from desktop_rag.index.folders.file_changes import (
    WHOLE,
    FileChanged,
    FileDeleted,
    FileFound,
    FileMoved,
    FileSkipped,
    FileTouched,
    FolderAway,
    Hint,
    RootMissing,
    ScanEvent,
    ScanProgress,
)
from desktop_rag.index.folders.scan import scan
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import Folder, FolderId, FolderState
from desktop_rag.stop import Stop

STEP_SECONDS = 0.1  # a step blocks the loop at most this long …
MOST_HINTS = 500  # … and more hints than these become one scan of the whole root folder

Visiting = Callable[[FolderId, bytes, int], None]


@dataclass(slots=True)
class _Scan:
    root: bytes
    events: Generator[ScanEvent]
    hints: frozenset[Hint]
    began: float
    missing: bool = False
    away: set[bytes] = field(default_factory=set)


class ScanScheduler:
    """Scans root folders into the catalog; used by the indexer's loop only.

    A root folder that changes during its scan is scanned again, after a pause as long as the scan took, so that files
    that change all the time do not block reading. `on_scanned` is called after each complete scan of a root folder,
    `visiting` with each folder before it is listed.
    """

    def __init__(
        self,
        catalog: Catalog,
        board: StatusBoard,
        on_scanned: Callable[[FolderId], None],
        stop: Stop,
        visiting: Visiting = lambda folder, path, device: None,
    ) -> None:
        self._catalog = catalog
        self._board = board
        self._on_scanned = on_scanned
        self._stop = stop
        self._visiting = visiting
        self._removed = RecentlyRemoved()
        self._queued: dict[FolderId, frozenset[Hint]] = {}
        self._running: dict[FolderId, _Scan] = {}
        self._not_before: dict[FolderId, float] = {}

    def close(self) -> None:
        """Cancel the running scans."""
        for running in self._running.values():
            running.events.close()

    def request(self, folder: FolderId, hints: Collection[Hint] = WHOLE) -> None:
        """Queue a scan of a root folder, where the hints say; a running scan is repeated."""
        wanted = self._queued.get(folder, frozenset()) | frozenset(hints)
        self._queued[folder] = wanted if len(wanted) <= MOST_HINTS else WHOLE
        self._report_status()

    def wait_seconds(self) -> float:
        """Return the seconds until a queued scan may start; infinite without one."""
        due = (self._not_before.get(folder, 0.0) for folder in self._queued)
        return max(0.0, min(due, default=float("inf")) - time.monotonic())

    def away(self, folder: FolderId) -> frozenset[bytes]:
        """Return the folders inside a root folder whose drives were not connected at its last scan."""
        return self._catalog.folders.away().get(folder, frozenset())

    def has_returned(self, folder: Folder) -> bool:
        """Return whether a drive inside a root folder is connected again."""
        return any(_is_filled(folder.path, path) for path in self.away(folder.id) if path)

    def step(self) -> bool:
        """Process the next events of one scan; return whether one was running."""
        self._start_queued()
        if not self._running:
            return False
        folder = next(iter(self._running))
        running = self._running.pop(folder)  # appended again, unless it has ended
        self._board.update(phase=IndexingPhase.SCANNING)
        try:
            ended = not self._is_current(folder, running) or self._step(folder, running)
        except LibraryError:
            running.events.close()
            self.request(folder, running.hints)
            raise
        if ended:
            running.events.close()
            now = time.monotonic()
            self._not_before[folder] = 2 * now - running.began
            self._report_status()
        else:
            self._running[folder] = running
        return True

    def _start_queued(self) -> None:
        now = time.monotonic()
        roots = {
            folder.id: folder for folder in self._catalog.folders.worked_on() if folder.state is not FolderState.PAUSED
        }
        for id_ in list(self._queued):
            if id_ not in roots:
                del self._queued[id_]
                self._report_status()
            elif id_ not in self._running and self._not_before.get(id_, 0.0) <= now:
                hints = self._queued.pop(id_)
                self._running[id_] = _Scan(roots[id_].path, self._scan(roots[id_], hints), hints, now)

    def _is_current(self, folder: FolderId, running: _Scan) -> bool:
        """Return whether a root folder still exists, with the same path, and is not paused."""
        found = (
            known for known in self._catalog.folders.worked_on() if known.id == folder and known.path == running.root
        )
        return any(known.state is not FolderState.PAUSED for known in found)

    def _scan(self, folder: Folder, hints: frozenset[Hint]) -> Generator[ScanEvent]:
        def visiting(path: bytes, device: int) -> None:
            self._visiting(folder.id, path, device)

        return scan(folder, self._catalog.files.lookup(folder.id, self._removed), self._stop, hints, visiting)

    def _step(self, folder: FolderId, running: _Scan) -> bool:
        """Store the events of one time slice; return whether the scan has ended."""
        until = time.monotonic() + STEP_SECONDS
        with self._catalog.transaction():
            if not self._is_current(folder, running):  # it was removed, relocated or merged into another one
                return True
            for event in running.events:
                running.missing = running.missing or isinstance(event, RootMissing)
                if isinstance(event, FolderAway):
                    running.away.add(event.path)
                self._store(folder, event)
                if time.monotonic() >= until:
                    return False
        if not running.missing and not self._stop.is_set():
            self._catalog.folders.set_online(folder)
            self._catalog.folders.note_scanned(folder)
            kept = frozenset[bytes]() if running.hints == WHOLE else self.away(folder)
            away = running.away | {path for path in kept if not _is_filled(running.root, path)}
            self._catalog.folders.set_away(folder, away)
            self._on_scanned(folder)
        return True

    def _store(self, folder: FolderId, event: ScanEvent) -> None:
        catalog = self._catalog
        match event:
            case FileFound(path, stat):
                catalog.files.queue(folder, path, stat)
            case FileChanged(file, stat):
                self._removed.note(file)
                catalog.files.queue(folder, file.path, stat)
            case FileMoved(path, stat, content, replaced):
                if replaced is not None:
                    self._removed.note(replaced)
                catalog.files.add_moved(folder, path, stat, content)
            case FileTouched(file, stat):
                catalog.files.set_stat(file.id, stat)
            case FileDeleted(file):
                self._removed.note(file)
                catalog.files.remove(file.id)
            case FileSkipped(path, stat, reason, kind):
                catalog.files.skip(folder, path, stat, reason, kind)
            case RootMissing():
                catalog.folders.set_offline(folder)
            case ScanProgress() | FolderAway():
                pass
            case _:
                assert_never(event)

    def _report_status(self) -> None:
        self._board.update(scanning=frozenset(self._running) | frozenset(self._queued))


def _is_filled(root: bytes, path: bytes) -> bool:
    """Return whether there is something in a folder."""
    try:
        with os.scandir(os.path.join(root, path)) as entries:  # noqa: PTH118 (bytes)
            return any(True for _ in entries)
    except OSError:
        return False
