"""The indexer's main loop: which step comes next, which folders to scan, when to wait."""

import errno
import logging
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from desktop_rag.errors import DesktopRagError, LibraryDamaged, Stopped
from desktop_rag.index.catalog.database import DISK_FULL
from desktop_rag.index.folders.file_changes import WHOLE, Hint
from desktop_rag.index.folders.watch import Watcher
from desktop_rag.index.indexer.integrity_scan import IntegrityScan
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.priority import LoadMeter, Pace, Priority, idle_seconds
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import Hold, Schedule, WorkTime
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, Folder, FolderId, FolderState
from desktop_rag.index.recovery import TRUSTED, Recovery
from desktop_rag.stop import Stop

# Detection of system sleep, during which changes on network and exchanged drives were not reported.

GAP_SECONDS = 5.0  # a shorter sleep is ignored
POLL_GAP_SECONDS = 60.0  # since the last poll: the process was stopped, or both clocks stood still


def boot_clock() -> float:
    """Return a clock in seconds that includes sleep, where the system has one."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # Python's monotonic clock excludes sleep
    return time.monotonic()


class SuspendDetector:
    """Compares a clock that excludes sleep with one that includes it; used by one thread.

    Neither can be set, so changing the time of day is not mistaken for sleep.
    """

    def __init__(
        self,
        without_sleep: Callable[[], float] = time.monotonic,
        with_sleep: Callable[[], float] = boot_clock,
    ) -> None:
        self._without_sleep, self._with_sleep = without_sleep, with_sleep
        self._polled_at = without_sleep()
        self._offset = with_sleep() - self._polled_at
        self._slept = False

    def has_slept(self) -> bool:
        """Return whether the computer slept since the last `take`."""
        now = self._without_sleep()
        offset = self._with_sleep() - now
        if offset - self._offset > GAP_SECONDS or now - self._polled_at > POLL_GAP_SECONDS:
            self._slept = True
        self._polled_at, self._offset = now, offset
        return self._slept

    def take(self) -> bool:
        """Return whether the computer slept since the last call, and reset."""
        slept = self.has_slept()
        self._slept = False
        return slept


# Decides whether the indexer may work now, after the schedule of its library.

IDLE_AFTER_SECONDS = 60.0  # without a key or movement of the mouse
LOOK_SECONDS = 5.0  # between two questions to the session


class WorkGate:
    """Holds the work back while the schedule says so; one thread asks, any thread sets the schedule."""

    def __init__(
        self,
        schedule: Schedule,
        on_battery: Callable[[], bool],
        window_idle: Callable[[], float],
        *,
        session_idle: Callable[[], float | None] = idle_seconds,
        busy: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._schedule = schedule
        self._on_battery = on_battery
        self._window_idle = window_idle  # seconds since the user worked with our window
        self._session_idle = session_idle
        self._busy = busy or LoadMeter().is_busy
        self._clock = clock
        self._waived = False
        self._looked_at = float("-inf")
        self._is_idle = False

    @property
    def schedule(self) -> Schedule:
        """Return the schedule."""
        return self._schedule

    def set_schedule(self, schedule: Schedule) -> None:
        """Replace the schedule; it takes effect before the next step."""
        self._schedule, self._waived = schedule, False

    def go_on(self) -> None:
        """Work now whatever the schedule says, until nothing is left to do or its condition was met."""
        self._schedule, self._waived = replace(self._schedule, paused_until=0.0), True

    def end_waiver(self) -> None:
        """Obey the schedule again: nothing is left to do."""
        self._waived = False

    def hold(self) -> Hold:
        """Return what holds the work back now."""
        if self._clock() < self._schedule.paused_until:
            return Hold.PAUSED
        held = Hold.NONE
        if self._schedule.when is WorkTime.MAINS and self._on_battery():
            held = Hold.MAINS
        elif self._schedule.when is WorkTime.IDLE and not self._look():
            held = Hold.IDLE
        if held is Hold.NONE:
            self._waived = False
        return Hold.NONE if self._waived else held

    def _look(self) -> bool:
        """Return whether the computer is idle, asked every few seconds."""
        if self._window_idle() < IDLE_AFTER_SECONDS:
            return False
        now = self._clock()
        if not 0 <= now - self._looked_at < LOOK_SECONDS:
            self._looked_at = now
            idle = self._session_idle()
            self._is_idle = not self._busy() if idle is None else idle >= IDLE_AFTER_SECONDS
        return self._is_idle


logger = logging.getLogger(__name__)

IDLE_SECONDS = 1.0  # how often an idle loop checks whether to end
RETRY_SECONDS = 5.0  # before the retry after an error of the disk or the library
FULL_SCAN_SECONDS = 600.0  # watch events may be missing: all folders are scanned this often
MAX_WAIT_SECONDS = 1.0  # for commands; a longer one runs concurrently with the loop
OFFLINE_SECONDS = 5.0  # how often a missing drive is looked for


class WriteGate:
    """Makes the loop wait for commands: SQLite grants its lock to nearly always the loop, which asks so often."""

    def __init__(self) -> None:
        self._commands = 0
        self._changed = threading.Condition()

    @contextmanager
    def command(self) -> Generator[None]:
        """Make the loop wait before its next step while the block runs."""
        with self._changed:
            self._commands += 1
        try:
            yield
        finally:
            with self._changed:
                self._commands -= 1
                self._changed.notify_all()

    def wait_for_commands(self) -> None:
        """Wait until no command is running, at most `MAX_WAIT_SECONDS`."""
        with self._changed:
            self._changed.wait_for(lambda: not self._commands, MAX_WAIT_SECONDS)


class IndexerLoop:
    """Drives the pipeline on the calling thread; the other methods may be called from any thread."""

    def __init__(
        self, library: Library, encoder: Path, board: StatusBoard, stop: Stop, recovery: Recovery = TRUSTED
    ) -> None:
        self._board = board
        self._stop = stop
        self._wake = threading.Event()
        self._vectors: queue.SimpleQueue[tuple[ChunkId, str, bytes]] = queue.SimpleQueue()
        self._watcher = Watcher(self.request_scan)
        self.priority = Priority()
        self.gate = WorkGate(Schedule(), self.priority.on_battery, self.priority.window_idle)
        self._held = Hold.NONE
        self.write_gate = WriteGate()
        self._pipeline = Pipeline(library, encoder, board, stop, self._watcher.visit, self.priority.max_readers)
        self.gate.set_schedule(self._pipeline.catalog.folders.schedule())
        self._watched: set[FolderId] = set()
        self._hints: dict[FolderId, frozenset[Hint]] = {}
        self._hints_lock = threading.Lock()
        self._suspend = SuspendDetector()
        self._full_scan_at = 0.0
        self._offline_at = 0.0
        self._library = library
        self._integrity_scan = None if recovery.sealed else IntegrityScan(library, self.wake)
        self._notice = recovery.notice
        self._more_is_coming = False  # whether more files will soon be searchable: one keyword commit for all

    def wake(self) -> None:
        """Wake the loop to look for work now."""
        self._wake.set()

    def request_scan(self, folder: FolderId, hints: frozenset[Hint] = WHOLE) -> None:
        """Scan a folder soon, only where the hints say, or forget it if it was removed."""
        with self._hints_lock:
            self._hints[folder] = self._hints.get(folder, frozenset()) | hints
        self._board.request_scan(folder)
        self._pipeline.make_way()
        self.wake()

    def request_check(self) -> None:
        """Check the library and repair the damage found, once nothing else is to do."""
        if self._integrity_scan is None:
            self._integrity_scan = IntegrityScan(self._library, self.wake)
        self.wake()

    def interrupt(self, folder: FolderId | None) -> None:
        """Cancel the work on a folder, or on all, that was paused in the catalog."""
        self._pipeline.interrupt(folder)
        self.wake()

    def set_schedule(self, schedule: Schedule) -> None:
        """Work by another schedule from now on."""
        self.gate.set_schedule(schedule)
        self._hold()
        self.wake()

    def go_on(self) -> None:
        """Work now whatever the schedule says, and end a chosen pause."""
        self.gate.go_on()
        self._hold()
        self.wake()

    def _hold(self) -> Hold:
        """Return what holds the work back now; cancel what runs when that begins."""
        held = self.gate.hold()
        self._board.update(hold=held)
        if held is not Hold.NONE and self._held is Hold.NONE:
            self._pipeline.interrupt(None)
        self._held = held
        return held

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Queue vectors that a searcher encoded on demand."""
        self._vectors.put((chunk, encoder, vectors))
        self.wake()

    def run(self, until: Callable[[], bool]) -> None:
        """Run until `until` returns true, the stop is set or the library is removed.

        Raises `LibraryDamaged` if the catalog has to be repaired first.
        """
        try:
            with self._stop.interrupting(self.wake):
                while not (self._stop.is_set() or until()):
                    if not self._pipeline.is_current():
                        logger.warning("the catalog was moved or replaced; ending")
                        return
                    self._run_steps(until)
        finally:
            if self._integrity_scan is not None:
                self._integrity_scan.close()
            self._watcher.close()
            self._pipeline.close()

    def _run_steps(self, until: Callable[[], bool]) -> None:
        """Run all steps once, or wait if there is nothing to do."""
        self._wake.clear()
        try:
            busy = self._next_steps()
        except Stopped:
            return
        except LibraryDamaged:
            raise
        except DesktopRagError as error:
            logger.exception("a step failed")
            self._board.update(trouble=_message_for(error))
            self._stop.wait(RETRY_SECONDS)
            return
        if not busy and not self._check_integrity():
            self._pipeline.report_idle()
            self._pipeline.read_queue.prepare()
            if self._held is Hold.NONE:
                self.gate.end_waiver()
            self._wait_for_work(until)

    def _check_integrity(self) -> bool:
        """Check the library while idle, and repair the damage found; return whether the check was pending."""
        if self._integrity_scan is None:
            return False
        self._integrity_scan.start()
        if self._integrity_scan.is_running():
            self._wake.wait(IDLE_SECONDS)
            return True
        damage = self._integrity_scan.take()
        self._integrity_scan = None
        if damage is not None:
            self._pipeline.repair(damage)
        return True

    def _wait_for_work(self, until: Callable[[], bool]) -> None:
        """Wait until something happens or is due; drives are looked for while some are missing."""
        scan_at = min(self._full_scan_at, self._offline_at if self._pipeline.misses_drives() else math.inf)
        while not (self._stop.is_set() or until() or not self._pipeline.is_current()):
            self._board.update(notes=self._notes())
            seconds = min(scan_at - time.monotonic(), self._pipeline.wait_seconds())
            if self.gate.hold() is not self._held:
                return
            if seconds <= 0 or self._suspend.has_slept() or self._wake.wait(min(seconds, IDLE_SECONDS)):
                return

    def _next_steps(self) -> bool:
        pipeline = self._pipeline
        self.write_gate.wait_for_commands()
        pace = self.priority.pace()
        pipeline.read_queue.set_slots(pace.readers)
        pipeline.read_queue.cancel_inactive()
        self._start_scans()
        self._take_vectors()
        held = self._hold()
        if pipeline.is_paused() or held is Hold.PAUSED:
            return self._erase()
        hurry = self.priority.somebody_waits()
        behind = pipeline.commit_keywords(force=not self._more_is_coming, hurry=hurry)
        self.write_gate.wait_for_commands()
        scanning = pipeline.scans.step()
        self.write_gate.wait_for_commands()
        reading = pipeline.read_queue.step(submit=held is Hold.NONE, hurry=hurry)
        self._more_is_coming = scanning or (reading and not (hurry and pipeline.read_queue.is_ending()))
        if held is not Hold.NONE:  # what changed and was deleted is still noticed
            recognising = pipeline.ocr.step(free=False)
            return any((behind, scanning, reading, recognising, self._erase()))
        naming = not scanning and pipeline.index_names()
        # Words come first; but a big file may be read for minutes, so links and vectors do not wait for the last files.
        free = not (scanning or behind) and pipeline.read_queue.has_free_slot()
        # Merged before sentences are encoded, which may take hours: a search asks each segment of the keyword index.
        merging = free and not self._more_is_coming and pipeline.merge_keywords()
        linking = free and not merging and pipeline.sync_links(eager=not self._more_is_coming)
        encoding = free and not (merging or linking) and self._encode(pace)
        recognising = pipeline.ocr.step(free=not (scanning or reading or behind), patient=not encoding, rest=pace.rest)
        following = pipeline.publish_vectors(eager=not encoding)
        erasing = pipeline.erase_removed()
        busy = scanning or reading or behind or naming or merging or linking or encoding or following or erasing
        return busy or pipeline.settle() or recognising

    def _erase(self) -> bool:
        """Erase what was removed, also from the indexes, while no other work is done; return whether there was any."""
        pipeline = self._pipeline
        erasing = pipeline.erase_removed()
        if erasing:
            pipeline.commit_keywords(force=True)
            pipeline.sync_links(eager=True)
            pipeline.publish_vectors(eager=True)
        return erasing

    def _encode(self, pace: Pace) -> bool:
        """Encode some sentences, then rest while the user is active; return whether there were any."""
        began = time.monotonic()
        encoded = self._pipeline.encode_some(pace.threads)
        if encoded and pace.rest:
            self._wake.wait(pace.rest * (time.monotonic() - began))
        return encoded

    def _start_scans(self) -> None:
        requests = self._board.scan_requests()
        now = time.monotonic()
        full = now >= self._full_scan_at or self._suspend.take()
        offline = now >= self._offline_at
        if not (requests or full or offline):
            return
        # Only for these requests: later hints stay for the request that came with them.
        with self._hints_lock:
            hints = {folder: self._hints.pop(folder, frozenset()) for folder in requests}
        folders = self._pipeline.catalog.folders.worked_on()
        self._forget(self._watched - {folder.id for folder in folders})
        for folder in folders:
            returned = offline and (_is_back(folder) or self._pipeline.scans.has_returned(folder))
            if full or returned or folder.id in requests:
                self._watched.add(folder.id)
                is_new = self._watcher.watch(folder.id, folder.path)
                is_full = full or returned or is_new or folder.state is not FolderState.ACTIVE
                places = WHOLE if is_full else hints.get(folder.id, frozenset())
                if places:  # an earlier scan may have taken the hints already
                    self._pipeline.scans.request(folder.id, places)
        self._board.update(notes=self._notes())
        self._board.scans_started(requests)
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


def _message_for(error: DesktopRagError) -> str:
    """Return the message for the user about a failed step."""
    full = isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOSPC, errno.EDQUOT)
    return DISK_FULL if full else str(error)


def _is_back(folder: Folder) -> bool:
    """Return whether an offline root is available again."""
    if folder.state is not FolderState.OFFLINE:
        return False
    return os.path.isfile(folder.path) if folder.is_file else os.path.isdir(folder.path)  # noqa: PTH112, PTH113 (bytes)
