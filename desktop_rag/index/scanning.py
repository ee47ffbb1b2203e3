"""The scans of a library's roots, taken in slices so that reading goes on beside them."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import islice

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.messages import Phase
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.index.scan import (
    FileChanged,
    FileFound,
    FileLeftOut,
    FileMoved,
    FileVanished,
    RootMissing,
    ScanEvent,
    scan,
)
from desktop_rag.index.status import StatusBoard
from desktop_rag.stop import Stop

SLICE = 400  # events a step


@dataclass(slots=True)
class _Scan:
    events: Generator[ScanEvent]
    began: float
    missing: bool = False


class Scans:
    """Compares roots with the catalog; used by the indexer's loop only.

    A root that changes while it is scanned is scanned again afterwards, and after a pause as long as
    the scan took: files that change all the time keep nobody from reading them.
    `scanned` is told of each root that was compared to its end.
    """

    def __init__(self, catalog: Catalog, board: StatusBoard, scanned: Callable[[FolderId], None], stop: Stop) -> None:
        self._catalog = catalog
        self._board = board
        self._scanned = scanned
        self._stop = stop
        self._wanted: dict[FolderId, None] = {}
        self._running: dict[FolderId, _Scan] = {}
        self._not_before: dict[FolderId, float] = {}

    def close(self) -> None:
        """Give up the scans under way."""
        for running in self._running.values():
            running.events.close()

    def want(self, folder: FolderId) -> None:
        """Compare a root soon; if it is being compared now, once more."""
        self._wanted[folder] = None
        self._tell()

    def wait_seconds(self) -> float:
        """Return how long it is until a wanted scan may begin; infinite without one."""
        due = (self._not_before.get(folder, 0.0) for folder in self._wanted)
        return max(0.0, min(due, default=float("inf")) - time.monotonic())

    def step(self) -> bool:
        """Take the next events of one scan; return whether there was one."""
        self._begin()
        if not self._running:
            return False
        folder = next(iter(self._running))
        running = self._running.pop(folder)  # and back behind the others, unless it ends
        self._board.say(phase=Phase.SCANNING)
        try:
            ended = not self._is_wanted(folder) or self._take(folder, running)
        except LibraryError:
            running.events.close()
            self.want(folder)
            raise
        if ended:
            running.events.close()
            now = time.monotonic()
            self._not_before[folder] = 2 * now - running.began
            self._tell()
        else:
            self._running[folder] = running
        return True

    def _begin(self) -> None:
        now = time.monotonic()
        roots = {folder.id: folder for folder in self._catalog.folders() if folder.state is not FolderState.PAUSED}
        for id_ in list(self._wanted):
            if id_ not in roots:
                del self._wanted[id_]
                self._tell()
            elif id_ not in self._running and self._not_before.get(id_, 0.0) <= now:
                events = scan(roots[id_], self._catalog.files(id_), self._stop)
                self._running[id_] = _Scan(events, now)
                del self._wanted[id_]

    def _is_wanted(self, folder: FolderId) -> bool:
        """Return whether a root is still there and not paused."""
        found = (known for known in self._catalog.folders() if known.id == folder)
        return any(known.state is not FolderState.PAUSED for known in found)

    def _take(self, folder: FolderId, running: _Scan) -> bool:
        """Note a slice of events; return whether it was the last one."""
        taken = list(islice(running.events, SLICE))
        running.missing = running.missing or any(isinstance(event, RootMissing) for event in taken)
        with self._catalog.transaction():
            if not self._is_wanted(folder):  # it was removed, or became part of another root
                return True
            for event in taken:
                self._note(folder, event)
        if len(taken) == SLICE:
            return False
        if not running.missing and not self._stop.is_set():
            self._catalog.set_back_online(folder)
            self._scanned(folder)
        return True

    def _note(self, folder: FolderId, event: ScanEvent) -> None:
        catalog = self._catalog
        match event:
            case FileFound(path, stat):
                catalog.queue_file(folder, path, stat)
            case FileChanged(file, stat):
                catalog.queue_file(folder, file.path, stat)
            case FileMoved(file, path, stat):
                catalog.move_file(folder, file.id, path, stat)
            case FileVanished(file):
                catalog.remove_file(file.id)
            case FileLeftOut(path, stat, reason):
                catalog.leave_out(folder, path, stat, reason)
            case RootMissing():
                catalog.set_offline(folder)

    def _tell(self) -> None:
        self._board.say(scanning=frozenset(self._running) | frozenset(self._wanted))
