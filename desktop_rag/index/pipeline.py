"""The work of the indexer in small steps: scan, read, store, commit keywords, encode, tidy up.

Each step takes a fraction of a second and leaves everything in the catalog, so pausing, stopping or
killing the process between or inside steps loses nothing but the step itself.
"""

import logging
import time
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path

from desktop_rag.documents.requests import READER_VERSION
from desktop_rag.errors import EncoderError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.extraction import Extracted, Extraction, Extractor, Recognised, Unreadable, Vanished
from desktop_rag.index.keyword import KeywordDocument, KeywordWriter
from desktop_rag.index.ledger import Ledger
from desktop_rag.index.library import Library
from desktop_rag.index.messages import Phase
from desktop_rag.index.records import ChunkId, FileState, FolderId, FolderState, Watermark
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
from desktop_rag.index.status import Activity, StatusBoard
from desktop_rag.index.vector_copy import VectorCopy
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

SCAN_SLICE = 400  # events a step
KEYWORD_BATCH = 300  # chunks a commit: about a second of stock Whoosh
KEYWORD_SECONDS = 1.0  # the longest a read file waits for its commit while others are being read
PUBLISH_SECONDS = 3.0  # between two publications while encoding
RETENTION_SECONDS = 60.0  # how long a removed folder and an orphaned content can come back without work


class Pipeline:
    """All steps of one library; used by one thread."""

    def __init__(self, library: Library, encoder: Path, board: StatusBoard, stop: Stop) -> None:
        self._board = board
        self._stop = stop
        self.catalog = Catalog.open(library.catalog)
        self.ledger = Ledger(self.catalog.database)
        self._extractor = Extractor(library.catalog, hands=2)
        lineage = self.catalog.lineage()
        self._keywords = KeywordWriter.open(library.keywords, lineage)
        self._vectors = VectorCopy(library.vectors, encoder, self.ledger, lineage)
        self._scans: dict[FolderId, Generator[ScanEvent]] = {}
        self._uncommitted_since: float | None = None
        self._tidy_at = 0.0
        self._publish_at = 0.0
        self._encoder_trouble = ""

    def close(self) -> None:
        """End the reader children and close the files."""
        for events in self._scans.values():
            events.close()
        self._extractor.close()
        self._vectors.close()
        self.catalog.close()

    def say(
        self,
        *,
        phase: Phase | None = None,
        current_file: bytes | None = None,
        notes: tuple[tuple[FolderId, str], ...] | None = None,
        trouble: str | None = None,
    ) -> None:
        """Change what the board says; what is not given stays."""
        now = self._board.activity
        self._board.activity = Activity(
            now.phase if phase is None else phase,
            now.current_file if current_file is None else current_file,
            frozenset(self._scans),
            now.notes if notes is None else notes,
            now.trouble if trouble is None else trouble,
        )

    def rest(self) -> None:
        """Say that there is nothing to do just now."""
        states = {folder.state for folder in self.catalog.folders()}
        waiting = FolderState.PAUSED in states and FolderState.ACTIVE not in states
        self.say(phase=Phase.PAUSED if waiting else Phase.IDLE, current_file=b"", trouble=self._encoder_trouble)

    # Scanning

    def begin_scan(self, folder: FolderId) -> None:
        """Compare a folder with the catalog from the next step on; a scan under way starts over."""
        known = next((f for f in self.catalog.folders() if f.id == folder), None)
        running = self._scans.pop(folder, None)
        if running is not None:
            running.close()
        if known is None or known.state is FolderState.PAUSED:
            return
        self._scans[folder] = scan(known, self.catalog.files(folder), self._stop)
        self.say(phase=Phase.SCANNING)

    def scan_some(self) -> bool:
        """Take the next events of the oldest scan; return whether there was one."""
        if not self._scans:
            return False
        folder, events = next(iter(self._scans.items()))
        taken = list(islice(events, SCAN_SLICE))
        with self.catalog.transaction():
            for event in taken:
                self._note(folder, event)
        if len(taken) < SCAN_SLICE:
            del self._scans[folder]
            if not any(isinstance(event, RootMissing) for event in taken):
                self.catalog.set_back_online(folder)
            self.say()
        return True

    def _note(self, folder: FolderId, event: ScanEvent) -> None:
        catalog = self.catalog
        match event:
            case FileFound(path, stat):
                catalog.queue_file(folder, path, stat)
            case FileChanged(file, stat):
                catalog.queue_file(folder, file.path, stat)
            case FileMoved(file, path, stat):
                catalog.move_file(file.id, path, stat)
            case FileVanished(file):
                catalog.remove_file(file.id)
                self._tidy_soon()
            case FileLeftOut(path, stat, reason):
                catalog.leave_out(folder, path, stat, reason)
            case RootMissing():
                catalog.set_folder_state(folder, FolderState.OFFLINE)

    # Reading

    def read_some(self) -> bool:
        """Hand out files to the readers and store what they finished; return whether any is in hand."""
        self._hand_out()
        if not self._extractor.in_hand():
            return False
        done = self._extractor.finished(0.05)
        for extraction in done:
            self._store(extraction)
        self._hand_out()
        return True

    def _hand_out(self) -> None:
        free = self._extractor.free_hands()
        if not free:
            return
        in_hand = {file.id for file in self._extractor.in_hand()}
        waiting = [f for f in self.catalog.next_queued(free + len(in_hand)) if f.id not in in_hand]
        for file in waiting[:free]:
            self._extractor.submit(file)
            self.say(phase=Phase.READING, current_file=file.path)

    def _store(self, extraction: Extraction) -> None:
        catalog = self.catalog
        file = extraction.file
        with catalog.transaction():
            match extraction:
                case Extracted(_, sha256, document, chunks):
                    content = catalog.known_content(sha256, READER_VERSION) or catalog.store(sha256, document, chunks)
                    catalog.link_file(file.id, content)
                case Recognised(_, sha256):
                    known = catalog.known_content(sha256, READER_VERSION)
                    if known is not None:  # else it was erased meanwhile: the file stays queued
                        catalog.link_file(file.id, known)
                case Unreadable(_, reason, skipped):
                    catalog.end_file(file.id, FileState.SKIPPED if skipped else FileState.FAILED, reason)
                case Vanished():
                    catalog.remove_file(file.id)
        self._tidy_soon()
        self._board.files.add(1)
        self._board.touch()

    # Keywords

    def commit_keywords(self, *, force: bool) -> bool:
        """Bring the keyword index nearer to the catalog; return whether it was behind.

        Without `force` a small batch waits up to `KEYWORD_SECONDS` for more to come.
        """
        changes = self.ledger.changes(self._keywords.watermark.sequence, KEYWORD_BATCH, "added")
        if changes.sequence == self._keywords.watermark.sequence:
            self._uncommitted_since = None
            return False
        now = time.monotonic()
        self._uncommitted_since = self._uncommitted_since or now
        full = len(changes.added) + len(changes.removed) >= KEYWORD_BATCH
        if not (force or full or now - self._uncommitted_since >= KEYWORD_SECONDS):
            return True
        documents = self._keyword_documents(changes.added)
        self._keywords.apply(documents, changes.removed, Watermark(changes.sequence, self.catalog.lineage()))
        self.ledger.mark_searchable(changes.sequence)
        self._uncommitted_since = None
        self._board.touch()
        return True

    def _keyword_documents(self, ids: tuple[ChunkId, ...]) -> Iterator[KeywordDocument]:
        chunks = self.catalog.chunks(ids)
        contents = self.catalog.contents({chunk.content for chunk in chunks.values()})
        for chunk in chunks.values():
            yield KeywordDocument(chunk.id, chunk.content, contents[chunk.content].title, chunk.heading, chunk.text)

    # Vectors

    def encode_some(self) -> bool:
        """Encode the newest sentences without vectors; return whether there were any."""
        try:
            done = self._vectors.encode_some(self._stop)
        except EncoderError as error:
            self._encoder_trouble = str(error)
            self.say(trouble=str(error))
            return False
        self._encoder_trouble = ""
        if done:
            self._board.sentences.add(done)
            self.say(phase=Phase.ENCODING, current_file=b"")
        return done > 0

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep what the searcher encoded on demand."""
        self._vectors.keep(chunk, encoder, vectors)

    def follow_vectors(self, *, eager: bool) -> bool:
        """Let searchers see the vectors encoded so far, every few seconds or `eager`ly; return whether any were new."""
        now = time.monotonic()
        if not eager and now < self._publish_at:
            return False
        self._publish_at = now + PUBLISH_SECONDS
        return self._vectors.follow()

    # Tidying

    def _tidy_soon(self) -> None:
        self._tidy_at = self._tidy_at or time.monotonic() + RETENTION_SECONDS

    def tidy(self) -> bool:
        """Erase removed folders and orphaned contents whose time has come; return whether anything went."""
        if time.monotonic() < self._tidy_at:
            return False
        before = time.time_ns() - int(RETENTION_SECONDS * 1e9)
        gone = self.catalog.forget_removed(before)
        gone = self.catalog.remove_orphans(before) > 0 or gone
        self._tidy_at = time.monotonic() + RETENTION_SECONDS
        return gone
