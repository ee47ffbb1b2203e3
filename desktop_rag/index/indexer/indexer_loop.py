"""The indexer's main loop: which step comes next, which folder has to be looked at, when to rest."""

import errno
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from desktop_rag.errors import DesktopRagError, LibraryDamaged, Stopped
from desktop_rag.index.catalog.database import DISK_FULL
from desktop_rag.index.folders.file_changes import WHOLE, Hint
from desktop_rag.index.folders.watch import Watcher
from desktop_rag.index.indexer.integrity_scan import IntegrityScan
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.priority import Pace, Priority
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer.suspend_detection import SuspendDetector
from desktop_rag.index.indexer.write_gate import WriteGate
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, Folder, FolderId, FolderState
from desktop_rag.index.recovery import TRUSTED, Recovery
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

REST_SECONDS = 1.0  # how often an idle loop looks whether anybody is left
TROUBLE_SECONDS = 5.0  # between two tries when the disk or the library fails
FULL_SCAN_SECONDS = 600.0  # events are hints: everything is compared this often all the same
OFFLINE_SECONDS = 5.0  # how often an absent drive is looked for


class IndexerLoop:
    """Drives the pipeline on the calling thread; the other methods may be called from any thread."""

    def __init__(
        self, library: Library, encoder: Path, board: StatusBoard, stop: Stop, recovery: Recovery = TRUSTED
    ) -> None:
        self._board = board
        self._stop = stop
        self._wake = threading.Event()
        self._vectors: queue.SimpleQueue[tuple[ChunkId, str, bytes]] = queue.SimpleQueue()
        self._watcher = Watcher(self.look_at)
        self.priority = Priority()
        self.turns = WriteGate()
        self._pipeline = Pipeline(library, encoder, board, stop, self._watcher.visit, self.priority.most_hands)
        self._watched: set[FolderId] = set()
        self._hints: dict[FolderId, frozenset[Hint]] = {}
        self._hinting = threading.Lock()
        self._sleep = SuspendDetector()
        self._full_scan_at = 0.0
        self._offline_at = 0.0
        self._scrub = None if recovery.sealed else IntegrityScan(library, self.wake)
        self._notice = recovery.notice
        self._coming = False  # whether more files are about to become searchable

    def wake(self) -> None:
        """Let the loop look for work now."""
        self._wake.set()

    def look_at(self, folder: FolderId, hints: frozenset[Hint] = WHOLE) -> None:
        """Compare a folder with the catalog soon, where the hints say, or forget it if it was removed."""
        with self._hinting:
            self._hints[folder] = self._hints.get(folder, frozenset()) | hints
        self._board.ask_for_scan(folder)
        self.wake()

    def interrupt(self, folder: FolderId | None) -> None:
        """End at once what is being done for a folder, or for all: it was paused in the catalog."""
        self._pipeline.interrupt(folder)
        self.wake()

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep vectors that a searcher encoded on demand."""
        self._vectors.put((chunk, encoder, vectors))
        self.wake()

    def run(self, until: Callable[[], bool]) -> None:
        """Work until `until` says so, the stop is set or the library is taken away.

        Raises `LibraryDamaged` when the catalog has to be mended before anything else.
        """
        try:
            with self._stop.interrupting(self.wake):
                while not (self._stop.is_set() or until()):
                    if not self._pipeline.is_at_home():
                        logger.warning("the catalog is not in its place any more; ending")
                        return
                    self._turn(until)
        finally:
            if self._scrub is not None:
                self._scrub.close()
            self._watcher.close()
            self._pipeline.close()

    def _turn(self, until: Callable[[], bool]) -> None:
        """Do one round of steps, or rest when there is nothing to do."""
        self._wake.clear()
        try:
            busy = self._steps()
        except Stopped:
            return
        except LibraryDamaged:
            raise
        except DesktopRagError as error:
            logger.exception("a step failed")
            self._board.say(trouble=_told(error))
            self._stop.wait(TROUBLE_SECONDS)
            return
        if not busy and not self._scrubs():
            self._pipeline.rest()
            self._rest(until)

    def _scrubs(self) -> bool:
        """Look through the library when there is nothing else to do; return whether that is not over."""
        if self._scrub is None:
            return False
        self._scrub.begin()
        if self._scrub.is_going_on():
            self._wake.wait(REST_SECONDS)
            return True
        injuries = self._scrub.take()
        self._scrub = None
        if injuries is not None:
            self._pipeline.mend(injuries)
        return True

    def _rest(self, until: Callable[[], bool]) -> None:
        """Wait until something happens or is due."""
        while not (self._stop.is_set() or until() or not self._pipeline.is_at_home()):
            due = min(self._full_scan_at, self._offline_at) - time.monotonic()
            seconds = min(due, self._pipeline.wait_seconds())
            if seconds <= 0 or self._sleep.is_over() or self._wake.wait(min(seconds, REST_SECONDS)):
                return

    def _steps(self) -> bool:
        pipeline = self._pipeline
        self.turns.give_way()
        pace = self.priority.pace()
        pipeline.intake.allow(pace.hands)
        pipeline.intake.put_back()
        self._begin_scans()
        self._take_vectors()
        if pipeline.is_paused():
            tidying = pipeline.tidy()
            if tidying:  # what was removed leaves the copies, too
                pipeline.commit_keywords(force=True)
                pipeline.follow_links()
                pipeline.follow_vectors(eager=True)
            return tidying
        behind = pipeline.commit_keywords(force=not self._coming)
        self.turns.give_way()
        scanning = pipeline.scans.step()
        self.turns.give_way()
        reading = pipeline.intake.step()
        self._coming = scanning or reading
        linking = not (scanning or behind) and pipeline.follow_links()
        # A big file may be read for minutes: nobody else is kept from work by that.
        encoding = not (scanning or behind or linking) and pipeline.intake.has_free_hand() and self._encode(pace)
        recognising = pipeline.recognition.step(
            free=not (scanning or reading or behind), patient=not encoding, rest=pace.rest
        )
        following = pipeline.follow_vectors(eager=not encoding)
        tidying = pipeline.tidy()
        busy = scanning or reading or behind or linking or encoding or following or tidying
        return busy or pipeline.settle() or recognising

    def _encode(self, pace: Pace) -> bool:
        """Encode some sentences, and rest afterwards if the person works; return whether there were any."""
        began = time.monotonic()
        encoded = self._pipeline.encode_some(pace.threads)
        if encoded and pace.rest:
            self._wake.wait(pace.rest * (time.monotonic() - began))
        return encoded

    def _begin_scans(self) -> None:
        asked = self._board.asked()
        now = time.monotonic()
        full = now >= self._full_scan_at or self._sleep.has_ended()
        offline = now >= self._offline_at
        if not (asked or full or offline):
            return
        # Only those asked for: hints that came since then stay for the look that is asked for with them.
        with self._hinting:
            hints = {folder: self._hints.pop(folder, frozenset()) for folder in asked}
        folders = self._pipeline.catalog.folders()
        self._forget(self._watched - {folder.id for folder in folders})
        for folder in folders:
            if full or folder.id in asked or (offline and _is_back(folder)):
                self._watched.add(folder.id)
                anew = self._watcher.watch(folder.id, folder.path)
                everything = full or anew or folder.state is not FolderState.ACTIVE
                places = WHOLE if everything else hints.get(folder.id, frozenset())
                if places:  # none are left where an earlier look took them before they were asked for
                    self._pipeline.scans.want(folder.id, places)
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
        notes = ((folder, (self._notice, mode.reason if mode.polling else "")) for folder, mode in modes)
        return tuple((folder, " ".join(filter(None, note))) for folder, note in notes if any(note))

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
