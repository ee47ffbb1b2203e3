"""The indexer's main loop: which step comes next, which folder has to be looked at, when to rest."""

import errno
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.index.database import DISK_FULL
from desktop_rag.index.library import Library
from desktop_rag.index.pipeline import Pipeline
from desktop_rag.index.records import ChunkId, Folder, FolderId, FolderState
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
        self._board = board
        self._stop = stop
        self._wake = threading.Event()
        self._vectors: queue.SimpleQueue[tuple[ChunkId, str, bytes]] = queue.SimpleQueue()
        self._pipeline = Pipeline(library, encoder, board, stop)
        self._watcher = Watcher(self.look_at, ignored=(os.fsencode(library.folder),))
        self._watched: set[FolderId] = set()
        self._full_scan_at = 0.0
        self._offline_at = 0.0
        self._coming = False  # whether more files are about to become searchable

    def wake(self) -> None:
        """Let the loop look for work now."""
        self._wake.set()

    def look_at(self, folder: FolderId) -> None:
        """Compare a folder with the catalog soon, or forget it if it was removed."""
        self._board.ask_for_scan(folder)
        self.wake()

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep vectors that a searcher encoded on demand."""
        self._vectors.put((chunk, encoder, vectors))
        self.wake()

    def run(self, until: Callable[[], bool]) -> None:
        """Work until `until` says so, the stop is set or the library is taken away."""
        try:
            with self._stop.interrupting(self.wake):
                while not (self._stop.is_set() or until()):
                    if not self._pipeline.is_at_home():
                        logger.warning("the catalog is not in its place any more; ending")
                        return
                    self._turn(until)
        finally:
            self._watcher.close()
            self._pipeline.close()

    def _turn(self, until: Callable[[], bool]) -> None:
        """Do one round of steps, or rest when there is nothing to do."""
        self._wake.clear()
        try:
            busy = self._steps()
        except Stopped:
            return
        except DesktopRagError as error:
            logger.exception("a step failed")
            self._board.say(trouble=_told(error))
            self._stop.wait(TROUBLE_SECONDS)
            return
        if not busy:
            self._pipeline.rest()
            self._rest(until)

    def _rest(self, until: Callable[[], bool]) -> None:
        """Wait until something happens or is due."""
        while not (self._stop.is_set() or until() or not self._pipeline.is_at_home()):
            due = min(self._full_scan_at, self._offline_at) - time.monotonic()
            seconds = min(due, self._pipeline.wait_seconds())
            if seconds <= 0 or self._wake.wait(min(seconds, REST_SECONDS)):
                return

    def _steps(self) -> bool:
        pipeline = self._pipeline
        self._begin_scans()
        self._take_vectors()
        behind = pipeline.commit_keywords(force=not self._coming)
        scanning = pipeline.scans.step()
        reading = pipeline.intake.step()
        self._coming = scanning or reading
        # A big file may be read for minutes: nobody else is kept from work by that.
        encoding = not (scanning or behind) and pipeline.intake.has_free_hand() and pipeline.encode_some()
        following = pipeline.follow_vectors(eager=not encoding)
        tidying = pipeline.tidy()
        return scanning or reading or behind or encoding or following or tidying or pipeline.settle()

    def _begin_scans(self) -> None:
        asked = self._board.asked()
        now = time.monotonic()
        full = now >= self._full_scan_at
        offline = now >= self._offline_at
        if not (asked or full or offline):
            return
        folders = self._pipeline.catalog.folders()
        self._forget(self._watched - {folder.id for folder in folders})
        for folder in folders:
            if full or folder.id in asked or (offline and _is_back(folder)):
                self._watcher.watch(folder.id, folder.path, include_hidden=folder.rules.include_hidden)
                self._watched.add(folder.id)
                self._pipeline.scans.want(folder.id)
        self._board.say(notes=self._notes())
        self._board.answered(asked)
        self._offline_at = now + OFFLINE_SECONDS
        if full:
            self._full_scan_at = now + FULL_SCAN_SECONDS

    def _forget(self, folders: set[FolderId]) -> None:
        for folder in folders:
            self._watcher.unwatch(folder)
        self._watched -= folders

    def _notes(self) -> tuple[tuple[FolderId, str], ...]:
        modes = ((folder, self._watcher.mode(folder)) for folder in sorted(self._watched))
        return tuple((folder, mode.reason) for folder, mode in modes if mode.polling)

    def _take_vectors(self) -> None:
        while not self._vectors.empty():
            self._pipeline.keep_vectors(*self._vectors.get())


def _told(error: DesktopRagError) -> str:
    """Return what a person is told about a step that failed."""
    full = isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOSPC, errno.EDQUOT)
    return DISK_FULL if full else str(error)


def _is_back(folder: Folder) -> bool:
    """Return whether a root that was away is there again."""
    if folder.state is not FolderState.OFFLINE:
        return False
    return os.path.isfile(folder.path) if folder.is_file else os.path.isdir(folder.path)  # noqa: PTH112, PTH113 (bytes)
