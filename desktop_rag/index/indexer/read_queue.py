"""The read queue of the indexer: submits queued files to the readers and stores their documents in the catalog."""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable

from desktop_rag.documents.file_types import READER_VERSION
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_writer import QueuedFile
from desktop_rag.index.indexer.reader_pool import (
    BIG_FILE,
    AlreadyRead,
    Extracted,
    Postponed,
    Quarantined,
    ReaderCrashed,
    ReaderPool,
    ReadingInterrupted,
    ReadOutcome,
    UnreadableFile,
    Vanished,
    is_long,
    is_slow,
    may_join,
)
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileId, FileState, FolderId, FolderState

MAX_SUBMITTED = 48  # files with the readers at once, so that they continue while the loop commits …
MAX_SUBMITTED_BYTES = 2_000_000  # … but few enough that a new file does not wait long
FETCHED = 4 * MAX_SUBMITTED  # queued files fetched at once: those read but not stored make each look at the queue long
WAIT_SECONDS = 0.05  # for the first finished file
QUICK_FILE = 100_000  # bytes; smaller ones are first where nothing is being read
STORED_AT_ONCE = 2048  # files, or …
STORED_CHARACTERS = 8_000_000  # … characters, stored in one transaction, if that many are read within …
STORE_SECONDS = 0.3  # … this time (the first at once, which the user waits for), which grows by …
_GROWTH = 1.5  # … this factor while more files follow, up to …
LONGEST_STORE_SECONDS, LONGEST_UNHURRIED_SECONDS = 1.5, 15.0  # … these; the latter while nobody waits
STEP_SECONDS = 0.1  # the longest that storing may block the catalog
PATIENCE = 10.0  # seconds in which the last files are read alone, since nearly all end within it
INTERRUPTIONS = 2  # of one file, until it is set aside for …
_PAUSE_SECONDS = 60.0  # … this long at first, then ever longer, up to …
_LONGEST_PAUSE_SECONDS = 3600.0  # … this


class ReadQueue:
    """Reads the files queued in the catalog; used by the indexer's loop only.

    `rescan` is called with a folder in which a file was missing.
    """

    def __init__(
        self,
        library: Library,
        catalog: Catalog,
        board: StatusBoard,
        rescan: Callable[[FolderId], None],
        max_readers: int = 2,
    ) -> None:
        self._catalog = catalog
        self._board = board
        self._rescan = rescan
        self._readers = ReaderPool(library.catalog, max_readers)
        self._slots = max_readers
        self._read: dict[FileId, ReadOutcome] = {}  # to be stored …
        self._read_characters = 0
        self._first_read_at = math.inf
        self._store_seconds = 0.0  # … so long after the first of them
        self._changed_at = -math.inf  # when a file was last submitted or read
        self._long_documents: deque[Extracted] = deque()
        self._current: tuple[Extracted, Generator[None, None, None]] | None = None  # that is being stored, in steps
        self._missing: dict[FileId, FolderId] = {}  # missing files, until their folder has been scanned
        self._asked: tuple[int, ...] = ()  # the state in which the queue was last asked for more files
        self._fetched: list[QueuedFile] = []  # the next files of the queue …
        self._fetched_in: tuple[int, ...] = ()  # … in this state of it
        self._held: set[FileId] = set()  # converted files, until the slow ones that are being read are done
        self._retried: set[FileId] = set()
        self._interrupted: Counter[FileId] = Counter()
        self._pause = _PAUSE_SECONDS
        self._resume_at = time.monotonic()  # files set aside by an earlier indexer are read at once

    def close(self) -> None:
        """End the readers; unstored files stay queued."""
        self._readers.close()

    def prepare(self) -> None:
        """Start a reader while there is nothing to read, so that the first new file is searchable sooner."""
        self._readers.prepare()

    def step(self, *, submit: bool = True, hurry: bool = True) -> bool:
        """Submit files, unless the work is held back, and store read documents; return whether any is in progress.

        Without `hurry`, when no client waits for the result, more is stored in one transaction.
        Raises `LibraryError` or `ProcessError` for failures that are not the fault of a file.
        """
        self.cancel_inactive()
        if self.wait_seconds() <= 0:
            self._resume_interrupted()
        if submit:
            self._submit()
        if not self._readers.submitted() and not self._read and not self._unstored():
            self._store_seconds = 0.0
            return False
        done = self._next_done(submit=submit, hurry=hurry)
        self._store(done)
        self._store_long()
        self._readers.slots.set_unstored(len(self._unstored()))
        if submit:
            self._submit()
        self._report_progress()
        for outcome in done:
            if isinstance(outcome, Postponed) and outcome.error is not None:
                raise outcome.error
        return True

    def _next_done(self, *, submit: bool, hurry: bool) -> list[ReadOutcome]:
        """Return what is to be stored now: each transaction writes some pages again, so a few files share one."""
        until = time.monotonic() + (0.0 if self._unstored() else WAIT_SECONDS)
        longest = LONGEST_STORE_SECONDS if hurry else LONGEST_UNHURRIED_SECONDS
        while True:
            outcomes = self._readers.finished(max(0.0, until - time.monotonic()))
            now = time.monotonic()
            if outcomes:
                self._changed_at = now
                self._first_read_at = self._first_read_at if self._read else now
            self._read |= {outcome.file.id: outcome for outcome in outcomes}
            self._read_characters += sum(len(each.document.text) for each in outcomes if isinstance(each, Extracted))
            if submit:  # before the end is looked for: all readers may have ended at once, with more files to read
                self._submit()
            is_full = len(self._read) >= STORED_AT_ONCE or self._read_characters >= STORED_CHARACTERS
            is_old = now >= self._first_read_at + min(self._store_seconds, longest)
            ends = self.is_ending() if hurry else not self._readers.submitted()
            if is_full or is_old or ends or any(map(is_long, outcomes)):
                break
            if now >= until:
                return []
        done = list(self._read.values())
        self._read, self._read_characters, self._first_read_at = {}, 0, math.inf
        if done:
            self._store_seconds = max(STORE_SECONDS, min(LONGEST_UNHURRIED_SECONDS, self._store_seconds * _GROWTH))
        return done

    def wait_seconds(self) -> float:
        """Return the seconds until files whose reading was interrupted are read again."""
        return max(0.0, self._resume_at - time.monotonic())

    def is_ending(self) -> bool:
        """Return whether the last files are being read: a processor is free for what was read before them."""
        return len(self._readers.submitted()) < self._slots

    def has_free_slot(self) -> bool:
        """Return whether a reader is idle, for a while unless all are, so that other work does not delay reading."""
        reading = len(self._readers.submitted())
        lasts = time.monotonic() - self._changed_at > PATIENCE
        return not self._unstored() and (not reading or (reading < self._slots and lasts))

    def set_slots(self, count: int) -> None:
        """Read `count` files in parallel from now on."""
        self._slots = count
        self._readers.slots.set_slots(count)

    def cancel(self, folder: FolderId | None) -> None:
        """Cancel reading the files of a folder, or all; callable from any thread."""
        self._readers.cancel(lambda file: folder in (None, file.folder))

    def cancel_inactive(self) -> None:
        """Cancel reading in paused and offline folders, and drop the documents read from paused ones."""
        states = {folder.id: folder.state for folder in self._catalog.folders.worked_on()}
        self._readers.cancel(lambda file: states.get(file.folder) is not FolderState.ACTIVE)
        paused = {folder for folder, state in states.items() if state is FolderState.PAUSED}
        self._long_documents = deque(
            extracted for extracted in self._long_documents if extracted.file.folder not in paused
        )
        if self._current is not None and self._current[0].file.folder in paused:
            self._current = None
            self._catalog.contents.discard_unfinished()

    def on_scanned(self, folder: FolderId) -> None:
        """Retry the missing files of a scanned folder: those still queued were seen by the scan."""
        self._retried = {file for file, of in self._missing.items() if of == folder}
        self._missing = {file: of for file, of in self._missing.items() if of != folder}

    def holds_removed_files(self) -> bool:
        """Return whether a file of a removed folder is in progress."""
        folders = {folder.id for folder in self._catalog.folders.worked_on()}
        return any(file.folder not in folders for file in self._in_progress().values())

    def _unstored(self) -> list[Extracted]:
        """Return the long documents that are not stored, or not wholly."""
        return [*self._long_documents, *([self._current[0]] if self._current else [])]

    # Submitting

    def _submit(self) -> None:
        waiting = self._readers.submitted()
        submitted = len(waiting)
        if submitted > MAX_SUBMITTED // 2:
            return
        in_progress = self._in_progress()
        written = self._catalog.write_count(), self._catalog.data_version()
        if self._queue_state(written, in_progress) == self._asked:
            return
        held = len(self._held)
        slow = [file for file in waiting if is_slow(file)]
        if not slow:
            self._held.clear()
        bytes_left = MAX_SUBMITTED_BYTES - sum(file.size for file in waiting if file.size < BIG_FILE)
        files = self._next_queued(written, slow, in_progress.keys() | self._missing.keys() | self._held)
        if not in_progress:  # the first file is searchable sooner
            files = sorted(files, key=lambda file: file.size >= QUICK_FILE)
        for file in files:
            if is_slow(file) and not may_join(file, slow, self._slots):
                if file.size < BIG_FILE:
                    self._held.add(file.id)
                continue
            bytes_left -= 0 if file.size >= BIG_FILE else file.size
            if submitted >= self._slots and (bytes_left < 0 or submitted >= MAX_SUBMITTED):
                break
            if is_slow(file):
                slow.append(file)
            self._readers.submit(file)
            self._changed_at = time.monotonic()
            submitted += 1
            in_progress[file.id] = file
        self._asked = self._queue_state(written, in_progress) if len(self._held) <= held else ()

    def _queue_state(self, written: tuple[int, int], in_progress: Iterable[FileId]) -> tuple[int, ...]:
        """Return what decides which files are submitted next, the queue by what was `written` to the catalog."""
        return self._slots, *written, len(self._readers.submitted()), len(self._missing), len(self._held), *in_progress

    def _next_queued(self, written: tuple[int, int], slow: list[QueuedFile], known: set[FileId]) -> list[QueuedFile]:
        """Return the next files; big ones only if no other is queued, or none is being read."""
        has_room = len(slow) < self._slots
        state = *written, bool(slow), has_room
        left = [file for file in self._fetched if file.id not in known] if state == self._fetched_in else []
        if not left:
            files = self._catalog.files
            left = files.next_queued(FETCHED, BIG_FILE - 1, known) if slow else []
            if not left and has_room:
                left = files.next_queued(FETCHED, None, known)
        self._fetched, self._fetched_in = left, state
        return left

    def _in_progress(self) -> dict[FileId, QueuedFile]:
        files = {file.id: file for file in self._readers.submitted()}
        files |= {file: outcome.file for file, outcome in self._read.items()}
        return files | {extracted.file.id: extracted.file for extracted in self._unstored()}

    def _report_progress(self) -> None:
        files = self._readers.running() or tuple(self._in_progress().values())
        if files:
            self._board.update(phase=IndexingPhase.READING, current_file=files[0].path)

    # Storing

    def _store(self, done: list[ReadOutcome]) -> None:
        """Store the outcomes of files in one transaction; long documents are queued for `_store_long`."""
        if not done:
            return
        with self._catalog.transaction():
            for outcome in done:
                self._store_outcome(outcome)
        ended = sum(not isinstance(outcome, Postponed) for outcome in done)
        if ended:
            self._board.files.add(ended)
            self._board.report_progress()

    def _store_outcome(self, outcome: ReadOutcome) -> None:
        catalog, file = self._catalog, outcome.file
        match outcome:
            case Extracted(_, sha256, document, chunks):
                known = catalog.contents.by_hash_and_reader(sha256, READER_VERSION)
                if known is None and (is_long(outcome) or any(each.sha256 == sha256 for each in self._unstored())):
                    self._long_documents.append(outcome)
                else:
                    catalog.files.link(file.id, known or catalog.contents.store(sha256, document, chunks))
            case AlreadyRead(_, sha256):
                known = catalog.contents.by_hash_and_reader(sha256, READER_VERSION)
                if known is not None:  # else it was erased meanwhile: the file stays queued and is read again
                    catalog.files.link(file.id, known)
            case UnreadableFile(_, reason, kind, skipped):
                state = FileState.SKIPPED if skipped else FileState.FAILED
                catalog.files.set_outcome(file.id, state, reason, kind)
            case ReaderCrashed(_, sha256, reason, reached, before):
                if not quarantine.record_crash(catalog, sha256, reason, reached, before):
                    return  # it is retried
                quarantine.quarantine_file(catalog, file.id, sha256, reason)
            case ReadingInterrupted():
                self._count_interruption(outcome)
            case Quarantined(_, sha256, reason):
                quarantine.quarantine_file(catalog, file.id, sha256, reason)
            case Vanished():
                self._rescan_for(file)
            case Postponed():
                return
        catalog.files.queue_if_changed(file)

    def _count_interruption(self, outcome: ReadingInterrupted) -> None:
        """Leave a file whose reading was interrupted in the queue, or set it aside for a while after a few times."""
        self._interrupted[outcome.file.id] += 1
        if self._interrupted[outcome.file.id] >= INTERRUPTIONS:
            quarantine.set_aside_interrupted(self._catalog, outcome.file.id, outcome.sha256, outcome.reason)
            self._resume_at = min(self._resume_at, time.monotonic() + self._pause)

    def _resume_interrupted(self) -> None:
        """Queue the files whose reading was interrupted: the cause may be gone."""
        self._interrupted.clear()
        if quarantine.requeue_interrupted(self._catalog):
            self._pause = min(4 * self._pause, _LONGEST_PAUSE_SECONDS)
        self._resume_at = math.inf

    def _rescan_for(self, file: QueuedFile) -> None:
        """Rescan the folder of a missing file: its drive may be disconnected, and then nothing is removed."""
        if file.id in self._retried:
            why = "This file is listed in its folder but cannot be opened."
            self._catalog.files.set_outcome(file.id, FileState.FAILED, why, ProblemKind.ACCESS)
        else:
            self._missing[file.id] = file.folder
            self._rescan(file.folder)

    def _store_long(self) -> None:
        """Store the next part of the current long document."""
        if self._current is None and self._long_documents:
            extracted = self._long_documents.popleft()
            self._current = extracted, self._store_in_steps(extracted)
        if self._current is None:
            return
        until = time.monotonic() + STEP_SECONDS
        current, self._current = self._current, None  # after an error it is dropped, and its file stays queued
        with self._catalog.transaction():
            ended = all(time.monotonic() < until for _ in current[1])
        if ended:
            self._board.report_progress()
        else:
            self._current = current

    def _store_in_steps(self, extracted: Extracted) -> Generator[None, None, None]:
        """Store a long document in steps and link its file in the last."""
        self._catalog.contents.discard_unfinished()
        content = self._catalog.contents.by_hash_and_reader(extracted.sha256, READER_VERSION)
        if content is None:
            content = yield from self._catalog.contents.store_in_steps(
                extracted.sha256, extracted.document, extracted.chunks
            )
        self._catalog.files.link(extracted.file.id, content)
        self._catalog.files.queue_if_changed(extracted.file)
