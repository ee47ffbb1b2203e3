"""The steps of the indexer: scan, read, store, commit keywords, encode, erase.

Each step takes a fraction of a second and stores its result in the catalog, so pausing, stopping or killing the process
loses at most the current step.
"""

import contextlib
import time
from pathlib import Path

from desktop_rag.documents.file_types import READER_VERSION
from desktop_rag.errors import EncoderError, LibraryError, Stopped
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.quarantine import requeue_for_new_reader
from desktop_rag.index.indexer.integrity_scan import IntegrityDamage
from desktop_rag.index.indexer.keyword_sync import KeywordSync
from desktop_rag.index.indexer.ocr_stage import OcrStage
from desktop_rag.index.indexer.read_queue import ReadQueue
from desktop_rag.index.indexer.scan_scheduler import ScanScheduler, Visiting
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.links.link_sync import LinkSync
from desktop_rag.index.records import ChunkId, FolderId, FolderState
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.paths import stat_of
from desktop_rag.stop import Stop

MAKE_WAY_SECONDS = 5.0  # between two encodings cancelled for changed files, so that the others get on
PUBLISH_SECONDS = 3.0  # between two publications of vectors while encoding
RENEWED_AT_ONCE = 32  # files to re-read at a time, so that new files do not wait long
MIN_FREE_PAGES, FREED_AT_ONCE = 1024, 512  # of the catalog: to shrink it at all, and in one step
RETENTION_SECONDS = 60.0  # a removed folder and orphaned contents are erased after this; until then restored at once


class Pipeline:
    """All steps of one library; used by one thread."""

    def __init__(
        self,
        library: Library,
        encoder: Path,
        board: StatusBoard,
        stop: Stop,
        visiting: Visiting,
        max_readers: int,
    ) -> None:
        self._library = library
        self._board = board
        self._stop = stop
        self.catalog = Catalog.open(library.catalog)
        self._identity = _identity(library.catalog)
        self.catalog.contents.discard_unfinished()
        lineage = self.catalog.lineage()
        self.read_queue = ReadQueue(library, self.catalog, board, lambda root: self.scans.request(root), max_readers)
        self.scans = ScanScheduler(self.catalog, board, self.read_queue.on_scanned, stop, visiting)
        self.ocr = OcrStage(library.catalog, self.catalog, board)
        self._keywords = KeywordSync(library.keywords, self.catalog, lineage)
        self._vectors = VectorSync(library.vectors, encoder, self.catalog, lineage)
        self._links = LinkSync(self.catalog)
        self._encoding_stop = Stop()  # of the current batch
        self._encodes = False
        self._make_way_at = 0.0
        self._encoder_trouble = ""
        self._may_be_outdated = True
        self._erase_at = 0.0
        self._last_changes = (-1, -1)  # change counters of others and us at the last search for orphans …
        self._unchanged = 0  # … and how often they were unchanged since
        self._is_shrinking = False
        self._publish_at = 0.0

    def close(self) -> None:
        """End the reader children and close the files."""
        self.scans.close()
        self.read_queue.close()
        self.ocr.close()
        self._vectors.close()
        with contextlib.suppress(LibraryError):
            self.catalog.checkpoint()
        self.catalog.close()

    def is_current(self) -> bool:
        """Return whether the open catalog is still the file in the library's folder."""
        return _identity(self._library.catalog) == self._identity

    def report_idle(self) -> None:
        """Report that there is nothing to do."""
        states = self._folder_states()
        waiting = FolderState.PAUSED in states and FolderState.ACTIVE not in states
        self._board.update(
            phase=IndexingPhase.PAUSED if waiting else IndexingPhase.IDLE,
            current_file=b"",
            trouble=self._encoder_trouble,
        )

    def wait_seconds(self) -> float:
        """Return the seconds until the next scheduled work."""
        erase = max(0.0, self._erase_at - time.monotonic())
        return min(self.scans.wait_seconds(), self.read_queue.wait_seconds(), erase)

    def commit_keywords(self, *, force: bool, hurry: bool = True) -> bool:
        """Synchronise the keyword index a step further, see `KeywordSync.follow`; return whether it was behind."""
        behind, committed = self._keywords.follow(force=force, hurry=hurry)
        if committed:
            self._board.update(phase=IndexingPhase.READING)
            self._board.report_searchable()
        return behind

    def merge_keywords(self) -> bool:
        """Merge small segments of the keyword index for a moment; return whether there may be more to do."""
        return self._keywords.settle()

    def index_names(self) -> bool:
        """Index the names of some new or renamed files; return whether there were any."""
        return self.catalog.file_names.index_some()

    def sync_links(self, *, eager: bool) -> bool:
        """Extract some new links, and store them soon or, if `eager`, now; return whether there were any."""
        before = self._links.extracted
        found = self._links.sync(eager=eager)
        if eager and self._links.extracted > before:
            self._board.links.add(self._links.extracted - before)
            self._board.update(phase=IndexingPhase.LINKING, current_file=b"", links_left=self._links.left())
        return found

    def encode_some(self, threads: int = 1) -> bool:
        """Encode the newest sentences without vectors; return whether there were any."""
        self._encoding_stop, self._encodes = Stop(), True
        try:
            with self._stop.interrupting(self._encoding_stop.set):
                done = self._vectors.encode_some(self._encoding_stop, threads)
        except Stopped:
            self._stop.check()
            return True  # cancelled by a command
        except EncoderError as error:
            self._encoder_trouble = str(error)
            return False
        finally:
            self._encodes = False
        self._encoder_trouble = ""
        if done:
            self._board.sentences.add(done)
            self._board.update(phase=IndexingPhase.ENCODING, current_file=b"")
            self._board.report_progress()
        return done > 0

    def interrupt(self, folder: FolderId | None) -> None:
        """Cancel reading a folder (all with None), and encoding; callable from any thread."""
        self._encoding_stop.set()
        self.ocr.cancel()
        self.read_queue.cancel(folder)

    def make_way(self) -> None:
        """Cancel encoding, unless it was cancelled just now: files have changed; callable from any thread."""
        now = time.monotonic()
        if self._encodes and now >= self._make_way_at:
            self._make_way_at = now + MAKE_WAY_SECONDS
            self._encoding_stop.set()

    def is_paused(self) -> bool:
        """Return whether all folders are paused."""
        return self._folder_states() == {FolderState.PAUSED}

    def _folder_states(self) -> set[FolderState]:
        return {folder.state for folder in self.catalog.folders.worked_on()} - {FolderState.REMOVED}

    def misses_drives(self) -> bool:
        """Return whether a root folder, or a drive inside one, was missing at the last scan."""
        return FolderState.OFFLINE in self._folder_states() or bool(self.catalog.folders.away())

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Store vectors that a searcher encoded on demand."""
        with contextlib.suppress(EncoderError):  # `encode_some` reports it
            self._vectors.keep(chunk, encoder, vectors)

    def publish_vectors(self, *, eager: bool) -> bool:
        """Publish the vectors encoded so far, every few seconds or at once if `eager`; return whether any were new."""
        now = time.monotonic()
        if not eager and now < self._publish_at:
            return False
        self._publish_at = now + PUBLISH_SECONDS
        return self._vectors.follow()

    def settle(self) -> bool:
        """Optimise the vector files and the catalog while idle; return whether there is more to do."""
        return self._queue_outdated() or self._vectors.settle() or self._shrink_catalog()

    def _shrink_catalog(self) -> bool:
        """Return some free pages of the catalog to the file system; return whether there may be more."""
        unused, total = self.catalog.page_counts()
        if not self._is_shrinking and unused < max(MIN_FREE_PAGES, total // 20):
            return False  # they will be reused soon
        self._is_shrinking = self.catalog.shrink(FREED_AT_ONCE)
        return self._is_shrinking

    def _queue_outdated(self) -> bool:
        """Queue some files for re-reading that an older reader version has read; return whether there were any."""
        if self._may_be_outdated:
            outdated = self.catalog.files.queue_outdated(READER_VERSION, RENEWED_AT_ONCE)
            self._may_be_outdated = outdated + requeue_for_new_reader(self.catalog) > 0
        return self._may_be_outdated

    def repair(self, damage: IntegrityDamage) -> None:
        """Rebuild damaged indexes, and read and encode damaged contents again."""
        if damage.keywords:
            self._keywords.rebuild()
        if damage.vectors:
            self.catalog.vectors.drop(damage.encodings)
            self._vectors.rebuild()
        self.catalog.contents.read_again(damage.contents)
        self.catalog.record_integrity_scan()

    def erase_removed(self) -> bool:
        """Erase some of the data removed or orphaned a while ago; return whether there may be more."""
        if time.monotonic() >= self._erase_at:
            if self._drop_orphans():
                return True
            self._erase_at = time.monotonic() + RETENTION_SECONDS
            self._may_be_outdated = True  # in a folder that was offline
        return self.catalog.contents.erase_some() or self._overwrite_forgotten()

    def _drop_orphans(self) -> bool:
        """Drop removed folders and orphaned contents; return whether there may be more.

        Searches all contents, except when nothing has been written since the last searches.
        """
        changes = (self.catalog.data_version(), self.catalog.write_count())
        self._unchanged = self._unchanged + 1 if changes == self._last_changes else 0
        self._last_changes = changes
        if self._unchanged > 1:  # not at the first time: what had just been removed was still retained then
            return False
        before = time.time_ns() - int(RETENTION_SECONDS * 1e9)
        if self.catalog.folders.erase_removed(before):
            return True
        self.catalog.contents.discard_orphans(before)
        return False

    def _overwrite_forgotten(self) -> bool:
        """Overwrite the text of forgotten folders in all files of the library; return whether steps remain."""
        catalog = self.catalog
        if not quarantine.is_forgetting(catalog):
            return False
        if quarantine.discard_uncited_orphans(catalog) or self.read_queue.holds_removed_files():
            return True
        sequence = catalog.change_log.last_removal()
        purged = self._keywords.purge(sequence) and self._vectors.purge(sequence)
        if not (purged and self._links.has_reached(sequence)):
            return True
        for aside in self._library.folder.glob(f"{self._library.catalog.name}.damaged-*"):
            aside.unlink(missing_ok=True)
        if quarantine.overwrite(catalog):
            quarantine.end_forgetting(catalog)
            self._board.notify()
        return True


def _identity(catalog: Path) -> tuple[int, int] | None:
    facts = stat_of(catalog)
    return (facts.st_dev, facts.st_ino) if facts else None
