"""The scans of a library's roots, taken in slices so that reading goes on beside them."""

import time
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass
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

STEP_SECONDS = 0.1  # the longest a step may hold the loop …
MOST_HINTS = 500  # … and the most folders that are looked at one by one

Visiting = Callable[[FolderId, bytes, int], None]


@dataclass(slots=True)
class _Scan:
    root: bytes
    events: Generator[ScanEvent]
    hints: frozenset[Hint]
    began: float
    missing: bool = False


class ScanScheduler:
    """Compares roots with the catalog; used by the indexer's loop only.

    A root that changes while it is scanned is scanned again afterwards, and after a pause as long as
    the scan took: files that change all the time keep nobody from reading them.
    `on_scanned` is called with each root that was scanned to its end, `visiting` with each folder before it is listed.
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
        self._wanted: dict[FolderId, frozenset[Hint]] = {}
        self._running: dict[FolderId, _Scan] = {}
        self._not_before: dict[FolderId, float] = {}

    def close(self) -> None:
        """Give up the scans under way."""
        for running in self._running.values():
            running.events.close()

    def want(self, folder: FolderId, hints: Collection[Hint] = WHOLE) -> None:
        """Compare a root soon, where the hints say; if it is being compared now, once more."""
        wanted = self._wanted.get(folder, frozenset()) | frozenset(hints)
        self._wanted[folder] = wanted if len(wanted) <= MOST_HINTS else WHOLE
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
        self._board.update(phase=IndexingPhase.SCANNING)
        try:
            ended = not self._is_wanted(folder, running) or self._take(folder, running)
        except LibraryError:
            running.events.close()
            self.want(folder, running.hints)
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
        roots = {folder.id: folder for folder in self._catalog.folders.all() if folder.state is not FolderState.PAUSED}
        for id_ in list(self._wanted):
            if id_ not in roots:
                del self._wanted[id_]
                self._tell()
            elif id_ not in self._running and self._not_before.get(id_, 0.0) <= now:
                hints = self._wanted.pop(id_)
                self._running[id_] = _Scan(roots[id_].path, self._scan(roots[id_], hints), hints, now)

    def _is_wanted(self, folder: FolderId, running: _Scan) -> bool:
        """Return whether a root is still there, in the same place, and not paused."""
        found = (known for known in self._catalog.folders.all() if known.id == folder and known.path == running.root)
        return any(known.state is not FolderState.PAUSED for known in found)

    def _scan(self, folder: Folder, hints: frozenset[Hint]) -> Generator[ScanEvent]:
        def visiting(path: bytes, device: int) -> None:
            self._visiting(folder.id, path, device)

        return scan(folder, self._catalog.files.lookup(folder.id, self._removed), self._stop, hints, visiting)

    def _take(self, folder: FolderId, running: _Scan) -> bool:
        """Note the events of a moment; return whether the last one was among them."""
        until = time.monotonic() + STEP_SECONDS
        with self._catalog.transaction():
            if not self._is_wanted(folder, running):  # it was removed or moved, or became part of another root
                return True
            for event in running.events:
                running.missing = running.missing or isinstance(event, RootMissing)
                self._note(folder, event)
                if time.monotonic() >= until:
                    return False
        if not running.missing and not self._stop.is_set():
            self._catalog.folders.set_online(folder)
            self._on_scanned(folder)
        return True

    def _note(self, folder: FolderId, event: ScanEvent) -> None:
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
            case FileSkipped(path, stat, reason):
                catalog.files.skip(folder, path, stat, reason)
            case RootMissing():
                catalog.folders.set_offline(folder)
            case ScanProgress():
                pass
            case _:
                assert_never(event)

    def _tell(self) -> None:
        self._board.update(scanning=frozenset(self._running) | frozenset(self._wanted))
