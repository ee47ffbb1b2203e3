"""The reading half of the indexer's work: queued files go out to the readers, documents come into the catalog."""

import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass

from desktop_rag.documents.sandbox.reader_messages import READER_VERSION
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog, QueuedFile
from desktop_rag.index.indexer.reader_pool import (
    BIG_FILE,
    Extracted,
    Extraction,
    Postponed,
    Quarantined,
    ReaderCrashed,
    ReaderPool,
    Recognised,
    UnreadableFile,
    Vanished,
    is_long,
)
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileId, FileState, FolderId, FolderState

AHEAD = 48  # files with the readers at once: they go on while the loop commits …
AHEAD_BYTES = 2_000_000  # … but not so many that a file dropped just now would wait for long
WAIT_SECONDS = 0.05  # for the first file to be finished
STEP_SECONDS = 0.1  # the longest a step of storing may hold the catalog


@dataclass(slots=True)
class _Arrival:
    """A long document on its way into the catalog."""

    document: Extracted
    steps: Generator[None, None, None]


class ReadQueue:
    """Reads what is queued in the catalog; used by the indexer's loop only.

    `look_again` is told of a folder in which a file is not where the scan saw it.
    """

    def __init__(
        self,
        library: Library,
        catalog: Catalog,
        board: StatusBoard,
        look_again: Callable[[FolderId], None],
        most_hands: int = 2,
    ) -> None:
        self._catalog = catalog
        self._board = board
        self._look_again = look_again
        self._extractor = ReaderPool(library.catalog, most_hands)
        self._hands = most_hands
        self._long: deque[Extracted] = deque()
        self._arrival: _Arrival | None = None
        self._missed: dict[FileId, FolderId] = {}  # not found where they should be, until their folder was scanned
        self._missed_again: set[FileId] = set()

    def close(self) -> None:
        """End the readers; what is not stored stays queued."""
        self._extractor.close()

    def step(self) -> bool:
        """Hand out files and store what was read; return whether any file is still on its way.

        Raises `LibraryError` or `ProcessError` when something other than the files is in the way.
        """
        self.put_back()
        self._hand_out()
        if not self._extractor.in_hand() and not self._arriving():
            return False
        done = self._extractor.finished(0.0 if self._arriving() else WAIT_SECONDS)
        self._store(done)
        self._store_long()
        self._extractor.keep(len(self._long) + (self._arrival is not None))
        self._hand_out()
        self._tell()
        for extraction in done:
            if isinstance(extraction, Postponed) and extraction.error is not None:
                raise extraction.error
        return True

    def has_free_hand(self) -> bool:
        """Return whether a reader has nothing to do, so that nobody is kept from reading by other work."""
        return len(self._extractor.in_hand()) < self._hands and not self._arriving()

    def allow(self, hands: int) -> None:
        """Read so many files at once from now on."""
        self._hands = hands
        self._extractor.allow(hands)

    def call_off(self, folder: FolderId | None) -> None:
        """Stop reading files of a folder, or all, at once; callable from any thread."""
        self._extractor.call_off(lambda file: folder in (None, file.folder))

    def put_back(self) -> None:
        """Stop reading what lies in folders that are paused or away, and let go of what was read of paused ones."""
        states = {folder.id: folder.state for folder in self._catalog.folders()}
        self._extractor.call_off(lambda file: states.get(file.folder) is not FolderState.ACTIVE)
        paused = {folder for folder, state in states.items() if state is FolderState.PAUSED}
        self._long = deque(extracted for extracted in self._long if extracted.file.folder not in paused)
        if self._arrival is not None and self._arrival.document.file.folder in paused:
            self._arrival = None
            self._catalog.dismiss_unfinished()

    def scanned(self, folder: FolderId) -> None:
        """Look again for the missed files of a folder: whatever is still queued was seen by the scan."""
        self._missed_again = {file for file, of in self._missed.items() if of == folder}
        self._missed = {file: of for file, of in self._missed.items() if of != folder}

    def holds_strays(self) -> bool:
        """Return whether a file is on its way whose folder is not in the library any more."""
        folders = {folder.id for folder in self._catalog.folders()}
        return any(file.folder not in folders for file in self._held().values())

    def _arriving(self) -> bool:
        return self._arrival is not None or bool(self._long)

    # Handing out

    def _hand_out(self) -> None:
        held = self._held()
        if len(held) > AHEAD // 2:
            return
        room = AHEAD_BYTES - sum(file.size for file in held.values() if file.size < BIG_FILE)
        big = any(file.size >= BIG_FILE for file in held.values())
        limit = AHEAD + len(held) + len(self._missed)
        for file in self._catalog.next_queued(limit, largest=BIG_FILE - 1 if big else None):
            if file.id in held or file.id in self._missed or (big and file.size >= BIG_FILE):
                continue
            room -= 0 if file.size >= BIG_FILE else file.size
            if len(held) >= self._hands and (room < 0 or len(held) >= AHEAD):
                break
            big = big or file.size >= BIG_FILE
            self._extractor.submit(file)
            held[file.id] = file

    def _held(self) -> dict[FileId, QueuedFile]:
        files = {file.id: file for file in self._extractor.in_hand()}
        long = [*self._long, *([self._arrival.document] if self._arrival else [])]
        return files | {extracted.file.id: extracted.file for extracted in long}

    def _tell(self) -> None:
        files = self._extractor.being_read() or tuple(self._held().values())
        if files:
            self._board.say(phase=IndexingPhase.READING, current_file=files[0].path)

    # Storing

    def _store(self, done: list[Extraction]) -> None:
        """Store the outcome of files in one transaction; long documents are only noted."""
        with self._catalog.transaction():
            for extraction in done:
                self._note(extraction)
        ended = sum(not isinstance(extraction, Postponed) for extraction in done)
        if ended:
            self._board.files.add(ended)
            self._board.achieved()

    def _note(self, extraction: Extraction) -> None:
        catalog, file = self._catalog, extraction.file
        match extraction:
            case Extracted(_, sha256, document, chunks):
                known = catalog.known_content(sha256, READER_VERSION)
                if known is None and (is_long(extraction) or self._is_arriving(sha256)):
                    self._long.append(extraction)
                else:
                    catalog.link_file(file.id, known or catalog.store(sha256, document, chunks))
            case Recognised(_, sha256):
                known = catalog.known_content(sha256, READER_VERSION)
                if known is not None:  # else it was erased meanwhile: the file stays queued and is read
                    catalog.link_file(file.id, known)
            case UnreadableFile(_, reason, skipped):
                catalog.end_file(file.id, FileState.SKIPPED if skipped else FileState.FAILED, reason)
            case ReaderCrashed(_, sha256, reason, reached, before):
                if not quarantine.strike(catalog.database, sha256, reason, reached, before):
                    return  # it is read again
                quarantine.set_aside(catalog.database, file.id, sha256, reason)
            case Quarantined(_, sha256, reason):
                quarantine.set_aside(catalog.database, file.id, sha256, reason)
            case Vanished():
                self._miss(file)
            case Postponed():
                return
        catalog.queue_if_changed(file)

    def _miss(self, file: QueuedFile) -> None:
        """Leave it to a scan what became of a file: its drive may be gone, and then nothing is forgotten."""
        if file.id in self._missed_again:
            self._catalog.end_file(file.id, FileState.FAILED, "This file is listed in its folder but cannot be opened.")
        else:
            self._missed[file.id] = file.folder
            self._look_again(file.folder)

    def _is_arriving(self, sha256: bytes) -> bool:
        waiting = [*self._long, *([self._arrival.document] if self._arrival else [])]
        return any(extracted.sha256 == sha256 for extracted in waiting)

    def _store_long(self) -> None:
        """Bring the long document at hand a little further."""
        if self._arrival is None and self._long:
            extracted = self._long.popleft()
            self._arrival = _Arrival(extracted, self._arrive(extracted))
        if self._arrival is None:
            return
        until = time.monotonic() + STEP_SECONDS
        arrival, self._arrival = self._arrival, None  # after an error it is given up, and its file stays queued
        with self._catalog.transaction():
            ended = all(time.monotonic() < until for _ in arrival.steps)
        if ended:
            self._board.achieved()
        else:
            self._arrival = arrival

    def _arrive(self, extracted: Extracted) -> Generator[None, None, None]:
        """Store a long document and link it at the last step."""
        self._catalog.dismiss_unfinished()
        content = self._catalog.known_content(extracted.sha256, READER_VERSION)
        if content is None:
            content = yield from self._catalog.storing(extracted.sha256, extracted.document, extracted.chunks)
        self._catalog.link_file(extracted.file.id, content)
        self._catalog.queue_if_changed(extracted.file)
