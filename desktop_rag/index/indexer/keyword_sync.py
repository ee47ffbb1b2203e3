"""Syncs the keyword index with the catalog: replays the change log in small commits, rebuilds a damaged index."""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_rag.errors import LibraryBusy, LibraryError, OutOfMemory
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.change_log import Changes
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.records import ChunkId, Watermark

logger = logging.getLogger(__name__)

BATCH = 500  # chunks of a commit at most; it blocks the indexer's loop for about 0.3 s
# While nobody waits, of chunks that have no more characters than these together: less is merged later.
LARGE_BATCH, LARGE_BATCH_CHARACTERS = 4000, 4_000_000
# While more is coming, a commit below the batch size waits this many times the duration of the last one, and longer
# from commit to commit by this factor, up to so many seconds, or so many while nobody waits.
PATIENCE, GROWTH = 8.0, 1.5
LONGEST_WAIT, LONGEST_UNHURRIED_WAIT = 2.0, 15.0


class KeywordSync:
    """The one writer of the keyword index; used by the indexer's loop only."""

    def __init__(self, folder: Path, catalog: Catalog, lineage: str) -> None:
        self._folder = folder
        self._catalog = catalog
        self._change_log = catalog.change_log
        self._lineage = lineage
        self._committed_at = self._wait = 0.0
        self._marked = 0  # the last change marked as searchable in the catalog
        self._writer = self._open()

    def follow(self, *, force: bool, hurry: bool = True) -> tuple[bool, bool]:
        """Replay a batch of the change log; return whether the index was behind, and whether it was written.

        Without `force` a small batch waits a moment for more changes, unless it is the first one after an idle time;
        without `hurry`, when no client waits for the result, batches are larger and wait longer.
        """
        self._mark_searchable()  # in case the disk was full, or the program ended, after the last commit
        most = BATCH if hurry else LARGE_BATCH
        waiting = self._count(most)
        if waiting < BATCH and self._change_log.announce(BATCH - waiting):  # of a long document, which later files pass
            most, waiting = BATCH, self._count(BATCH)
        if not waiting:
            self._wait = 0.0
            self._maintain(self._writer.tend)
            return False, False
        due = self._committed_at + min(self._wait, LONGEST_WAIT if hurry else LONGEST_UNHURRIED_WAIT)
        if not (force or waiting >= most or time.monotonic() >= due):
            return True, False
        began = time.monotonic()
        changes = self._changes(most)
        self._change_log.sync_to_disk(changes.sequence)
        try:
            documents = self._documents(changes.added)
            self._writer.apply(documents, changes.removed, Watermark(changes.sequence, self._lineage))
        except LibraryError as error:
            self._rebuild_if_damaged(error)
            return True, False
        self._mark_searchable()
        self._maintain(self._writer.tend)
        self._committed_at = time.monotonic()
        self._wait = min(LONGEST_UNHURRIED_WAIT, max(PATIENCE * (self._committed_at - began), GROWTH * self._wait))
        return True, True

    def _count(self, most: int) -> int:
        """Return how many changes are to be replayed, counted up to `most`."""
        return self._change_log.count_keyword_changes(self._writer.watermark.sequence, most)

    def _changes(self, most: int) -> Changes:
        """Return the next changes: `most` of them if their text is short, else at most `BATCH`."""
        after = self._writer.watermark.sequence
        changes = self._change_log.changes(after, most, "added")
        if most > BATCH and self._catalog.chunks.characters(changes.added) > LARGE_BATCH_CHARACTERS:
            return self._change_log.changes(after, BATCH, "added")
        return changes

    def settle(self) -> bool:
        """Merge small segments for a moment, for idle times; return whether there may be more to do."""
        return self._maintain(self._writer.settle)

    def purge(self, sequence: int) -> bool:
        """Erase the bytes of everything removed up to a change; return False if the index has not replayed that far."""
        if self._writer.watermark.sequence < sequence:
            return False
        try:
            self._writer.purge()
        except LibraryError as error:
            self._rebuild_if_damaged(error)
            return False
        return True

    def rebuild(self) -> None:
        """Rebuild the index from the catalog."""
        self._writer = self._open(rebuild=True)

    def _mark_searchable(self) -> None:
        """Mark the committed changes as searchable in the catalog."""
        sequence = self._writer.watermark.sequence
        if sequence > self._marked:
            self._change_log.mark_searchable(sequence)
            self._marked = sequence

    def _maintain(self, work: Callable[[], bool]) -> bool:
        """Run `work`, rebuilding the index if it is damaged; return whether more work remains."""
        try:
            return work()
        except LibraryError as error:
            self._rebuild_if_damaged(error)
            return True

    def _documents(self, ids: tuple[ChunkId, ...]) -> Iterator[KeywordDocument]:
        passages = list(self._catalog.chunks.passages(ids))
        contents = self._catalog.contents.by_id({passage.content for passage in passages})
        for chunk, content, heading, text in passages:
            yield KeywordDocument(chunk, content, contents[content].title, heading, text)

    def _open(self, *, rebuild: bool = False) -> ColumnarKeywordWriter:
        writer = ColumnarKeywordWriter.open(self._folder, self._lineage, rebuild=rebuild)
        if writer.watermark.sequence > self._change_log.last_sequence():
            # A power failure took the catalog's last changes; their numbers will be used again for others.
            writer = ColumnarKeywordWriter.open(self._folder, self._lineage, rebuild=True)
        self._change_log.mark_unsearchable(writer.watermark.sequence)
        self._marked = 0
        return writer

    def _rebuild_if_damaged(self, error: LibraryError) -> None:
        """Rebuild the index if it is damaged; raise `error` for other causes, such as a full disk."""
        cause = error.__cause__
        in_the_way = isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError)
        if in_the_way or isinstance(error, (LibraryBusy, OutOfMemory)):
            raise error
        logger.warning("rebuilding the keyword index: %s", error)
        self._writer = self._open(rebuild=True)
