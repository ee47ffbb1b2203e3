"""The indexer's main loop: which step comes next, which folder has to be looked at, when to rest."""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from desktop_rag.errors import LibraryError
from desktop_rag.index.library import Library
from desktop_rag.index.pipeline import Pipeline
from desktop_rag.index.records import ChunkId, FolderId, FolderState
from desktop_rag.index.status import StatusBoard
from desktop_rag.index.watch import Watcher
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

REST_SECONDS = 1.0  # how often an idle loop looks whether anybody is left
TROUBLE_SECONDS = 5.0  # between two tries when the disk or the library fails
FULL_SCAN_SECONDS = 600.0  # events are hints: everything is compared this often all the same
OFFLINE_SECONDS = 5.0  # how often an absent drive is looked for


class Worker:
    """Drives the pipeline on the calling thread; the other methods may be called from any thread."""

    def __init__(self, library: Library, encoder: Path, board: StatusBoard, stop: Stop) -> None:
        self._library = library
        self._board = board
        self._stop = stop
        self._wake = threading.Event()
        self._looks: queue.SimpleQueue[FolderId] = queue.SimpleQueue()
        self._vectors: queue.SimpleQueue[tuple[ChunkId, str, bytes]] = queue.SimpleQueue()
        self._pipeline = Pipeline(library, encoder, board, stop)
        self._watcher = Watcher(self.look_at)
        self._full_scan_at = 0.0
        self._offline_at = 0.0

    def wake(self) -> None:
        """Let the loop look for work now."""
        self._wake.set()

    def look_at(self, folder: FolderId) -> None:
        """Compare a folder with the catalog soon."""
        self._board.await_scan(folder)
        self._looks.put(folder)
        self.wake()

    def drop(self, folder: FolderId) -> None:
        """Stop watching a folder that was removed."""
        self._watcher.unwatch(folder)
        self.wake()

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep vectors that a searcher encoded on demand."""
        self._vectors.put((chunk, encoder, vectors))
        self.wake()

    def run(self, until: Callable[[], bool]) -> None:
        """Work until `until` says so or the stop is set."""
        try:
            with self._stop.interrupting(self.wake):
                while not (self._stop.is_set() or until()):
                    self._turn()
        finally:
            self._watcher.close()
            self._pipeline.close()

    def _turn(self) -> None:
        """Do one round of steps, or rest when there is nothing to do."""
        self._wake.clear()
        try:
            busy = self._steps()
        except LibraryError as error:
            logger.exception("a step failed")
            self._pipeline.say(trouble=str(error))
            self._stop.wait(TROUBLE_SECONDS)
            return
        if busy:
            return
        self._pipeline.rest()
        self._wake.wait(REST_SECONDS)

    def _steps(self) -> bool:
        self._begin_scans()
        self._take_vectors()
        scanning = self._pipeline.scan_some()
        reading = self._pipeline.read_some()
        behind = self._pipeline.commit_keywords(force=not (scanning or reading))
        encoding = not (scanning or reading or behind) and self._pipeline.encode_some()
        following = self._pipeline.follow_vectors(eager=not encoding)
        return scanning or reading or behind or encoding or following or self._pipeline.tidy()

    def _begin_scans(self) -> None:
        now = time.monotonic()
        wanted: set[FolderId] = set()
        while not self._looks.empty():
            wanted.add(self._looks.get())
        full = now >= self._full_scan_at
        offline = now >= self._offline_at
        if not (wanted or full or offline):
            return
        self._offline_at = now + OFFLINE_SECONDS
        if full:
            self._full_scan_at = now + FULL_SCAN_SECONDS
        for folder in self._pipeline.catalog.folders():
            back = offline and folder.state is FolderState.OFFLINE and os.path.exists(folder.path)  # noqa: PTH110
            if full or back or folder.id in wanted:
                self._watcher.watch(folder.id, folder.path)
                self._pipeline.begin_scan(folder.id)
        self._pipeline.say(notes=self._notes())
        self._board.scans_begun(wanted)

    def _notes(self) -> tuple[tuple[FolderId, str], ...]:
        modes = ((folder.id, self._watcher.mode(folder.id)) for folder in self._pipeline.catalog.folders())
        return tuple((folder, mode.reason) for folder, mode in modes if mode.polling)

    def _take_vectors(self) -> None:
        while not self._vectors.empty():
            self._pipeline.keep_vectors(*self._vectors.get())
