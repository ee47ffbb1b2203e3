"""The work of the indexer in small steps: scan, read, store, commit keywords, encode, tidy up.

Each step takes a fraction of a second and leaves everything in the catalog, so pausing, stopping or
killing the process between or inside steps loses nothing but the step itself.
"""

import contextlib
import os
import time
from pathlib import Path

from desktop_rag.documents.sandbox.reader_messages import READER_VERSION
from desktop_rag.errors import EncoderError, LibraryError, Stopped
from desktop_rag.index.catalog import retention
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.change_log import ChangeLog
from desktop_rag.index.catalog.quarantine import queue_renewed
from desktop_rag.index.catalog.reread_queue import queue_outdated
from desktop_rag.index.folders.scan_scheduler import ScanScheduler, Visiting
from desktop_rag.index.indexer.integrity_scan import IntegrityDamage
from desktop_rag.index.indexer.ocr_stage import OcrStage
from desktop_rag.index.indexer.read_queue import ReadQueue
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.keywords.keyword_sync import KeywordSync
from desktop_rag.index.library import Library
from desktop_rag.index.links.link_sync import LinkSync
from desktop_rag.index.records import ChunkId, FolderId, FolderState
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.stop import Stop

PUBLISH_SECONDS = 3.0  # between two publications while encoding
RENEWED_AT_ONCE = 32  # files; new ones wait for no more of those that are only read again
LEAST_PAGES, PAGES = 1024, 512  # of the catalog: so many are given back at all, and at a time
RETENTION_SECONDS = 60.0  # how long a removed folder and an orphaned content can come back without work


class Pipeline:
    """All steps of one library; used by one thread."""

    def __init__(
        self,
        library: Library,
        encoder: Path,
        board: StatusBoard,
        stop: Stop,
        visiting: Visiting,
        most_hands: int,
    ) -> None:
        self._library = library
        self._board = board
        self._stop = stop
        self.catalog = Catalog.open(library.catalog)
        self._identity = _identity(library.catalog)
        self.catalog.dismiss_unfinished()
        ledger = self._ledger = ChangeLog(self.catalog.database)
        lineage = self.catalog.lineage()
        self.intake = ReadQueue(library, self.catalog, board, self._look_again, most_hands)
        self.scans = ScanScheduler(self.catalog, board, self.intake.scanned, stop, visiting)
        self.recognition = OcrStage(library.catalog, self.catalog, board)
        self._keywords = KeywordSync(library.keywords, self.catalog, ledger, lineage)
        self._vectors = VectorSync(library.vectors, encoder, ledger, lineage)
        self._links = LinkSync(self.catalog.database, ledger)
        self._encoding = Stop()  # of the batch at hand
        self._encoder_trouble = ""
        self._may_be_outdated = True
        self._tidy_at = 0.0
        self._written = (-1, -1)  # by others and by us, when the contents were last looked through …
        self._unchanged = 0  # … and how often nothing more had been written since
        self._giving_back = False
        self._publish_at = 0.0

    def close(self) -> None:
        """End the reader children and close the files."""
        self.scans.close()
        self.intake.close()
        self.recognition.close()
        self._vectors.close()
        with contextlib.suppress(LibraryError):
            self.catalog.gather()
        self.catalog.close()

    def is_at_home(self) -> bool:
        """Return whether the catalog that is open is still the one in the library's folder."""
        return _identity(self._library.catalog) == self._identity

    def rest(self) -> None:
        """Say that there is nothing to do just now."""
        states = {folder.state for folder in self.catalog.folders()}
        waiting = FolderState.PAUSED in states and FolderState.ACTIVE not in states
        self._board.say(
            phase=IndexingPhase.PAUSED if waiting else IndexingPhase.IDLE,
            current_file=b"",
            trouble=self._encoder_trouble,
        )

    def wait_seconds(self) -> float:
        """Return how long there is surely nothing to do, unless something happens."""
        return min(self.scans.wait_seconds(), max(0.0, self._tidy_at - time.monotonic()))

    def commit_keywords(self, *, force: bool) -> bool:
        """Bring the keyword index nearer to the catalog; return whether it was behind."""
        behind, committed = self._keywords.follow(force=force)
        if committed:
            self._board.say(phase=IndexingPhase.READING)
            self._board.achieved()
        return behind

    def follow_links(self) -> bool:
        """Note what the newest chunks name; return whether there were any."""
        return self._links.follow()

    def encode_some(self, threads: int = 1) -> bool:
        """Encode the newest sentences without vectors; return whether there were any."""
        self._encoding = Stop()
        try:
            with self._stop.interrupting(self._encoding.set):
                done = self._vectors.encode_some(self._encoding, threads)
        except Stopped:
            self._stop.check()
            return True  # it was interrupted: somebody wants something else
        except EncoderError as error:
            self._encoder_trouble = str(error)
            return False
        self._encoder_trouble = ""
        if done:
            self._board.sentences.add(done)
            self._board.say(phase=IndexingPhase.ENCODING, current_file=b"")
            self._board.achieved()
        return done > 0

    def interrupt(self, folder: FolderId | None) -> None:
        """End what is being read of a folder (of all with None) or encoded, at once; callable from any thread."""
        self._encoding.set()
        self.recognition.call_off()
        self.intake.call_off(folder)

    def is_paused(self) -> bool:
        """Return whether the person wants nothing to be done."""
        states = {folder.state for folder in self.catalog.folders()}
        return states == {FolderState.PAUSED}

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep what the searcher encoded on demand."""
        with contextlib.suppress(EncoderError):  # `encode_some` tells
            self._vectors.keep(chunk, encoder, vectors)

    def follow_vectors(self, *, eager: bool) -> bool:
        """Let searchers see the vectors encoded so far, every few seconds or `eager`ly; return whether any were new."""
        now = time.monotonic()
        if not eager and now < self._publish_at:
            return False
        self._publish_at = now + PUBLISH_SECONDS
        return self._vectors.follow()

    def settle(self) -> bool:
        """Make searches faster while nobody waits for anything else; return whether there is more to do."""
        return self._renew() or self._keywords.settle() or self._vectors.settle() or self._give_back()

    def _give_back(self) -> bool:
        """Make the catalog's file smaller by a piece of what was erased; return whether there may be more."""
        database = self.catalog.database
        unused = database.number("PRAGMA freelist_count")
        if not self._giving_back and unused < max(LEAST_PAGES, database.number("PRAGMA page_count") // 20):
            return False  # it is used again soon
        self._giving_back = database.give_back(PAGES)
        return self._giving_back

    def _renew(self) -> bool:
        """Let some files be read again that an older reader has read; return whether there were any."""
        if self._may_be_outdated:
            outdated = queue_outdated(self.catalog.database, READER_VERSION, RENEWED_AT_ONCE)
            self._may_be_outdated = outdated + queue_renewed(self.catalog.database) > 0
        return self._may_be_outdated

    def mend(self, injuries: IntegrityDamage) -> None:
        """Build copies anew, and read and encode again what was found damaged."""
        if injuries.keywords:
            self._keywords.rebuild()
        if injuries.vectors:
            self._ledger.drop_vectors(injuries.encodings)
            self._vectors.rebuild()
        self.catalog.read_again(injuries.contents)
        self.catalog.note_looked_through()

    def tidy(self) -> bool:
        """Let go what has been removed or orphaned for a while, and erase a piece; return whether there may be more."""
        if time.monotonic() >= self._tidy_at:
            if self._dismiss():
                return True
            self._tidy_at = time.monotonic() + RETENTION_SECONDS
            self._may_be_outdated = True  # in a folder that was not there
        return self.catalog.erase_some() or self._overwrite_forgotten()

    def _dismiss(self) -> bool:
        """Let leave what has no place any more; return whether there may be more.

        Looks through all contents, but not those of a library at rest.
        """
        database = self.catalog.database
        written = (self.catalog.data_version(), database.total_changes())
        self._unchanged = self._unchanged + 1 if written == self._written else 0
        self._written = written
        if self._unchanged > 1:  # at the first time, what was removed just before was still within its retention
            return False
        before = time.time_ns() - int(RETENTION_SECONDS * 1e9)
        if self.catalog.forget_removed(before):
            return True
        self.catalog.dismiss_orphans(before)
        return False

    def _overwrite_forgotten(self) -> bool:
        """Leave no byte of what was forgotten in the library's files; return whether more has to be done before."""
        database = self.catalog.database
        if not retention.is_forgetting(database):
            return False
        if retention.dismiss_strays(database) or self.intake.holds_strays():
            return True
        sequence = self._ledger.last_removal()
        purged = self._keywords.purge(sequence) and self._vectors.purge(sequence)
        if not (purged and self._links.has_come_to(sequence)):
            return True
        for aside in self._library.folder.glob(f"{self._library.catalog.name}.damaged-*"):
            aside.unlink(missing_ok=True)
        if retention.overwrite(database):
            retention.end_forgetting(database)
            self._board.touch()
        return True

    def _look_again(self, folder: FolderId) -> None:
        self.scans.want(folder)


def _identity(catalog: Path) -> tuple[int, int] | None:
    try:
        facts = os.stat(catalog)  # noqa: PTH116
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
