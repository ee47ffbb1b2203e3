"""Syncs the keyword index with the catalog: replays the change log in small commits, rebuilds a damaged index."""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.records import ChunkId, Watermark

logger = logging.getLogger(__name__)

BATCH = 500  # chunks of a commit at most; it blocks the indexer's loop for about 0.3 s
# While more is coming, a commit below the batch size waits this many times the duration of the last one (seconds).
PATIENCE, LONGEST_WAIT = 8.0, 2.0


class KeywordSync:
    """The one writer of the keyword index; used by the indexer's loop only."""

    def __init__(self, folder: Path, catalog: Catalog, lineage: str) -> None:
        self._folder = folder
        self._catalog = catalog
        self._change_log = catalog.change_log
        self._lineage = lineage
        self._next_at = 0.0
        self._marked = 0  # the last change marked as searchable in the catalog
        self._writer = self._open()

    def follow(self, *, force: bool) -> tuple[bool, bool]:
        """Replay a batch of the change log; return whether the index was behind and whether it was written.

        Without `force` a small batch waits a moment for more changes, unless it is the first one after an idle time.
        """
        self._mark_searchable()  # in case the disk was full, or the program ended, after the last commit
        changes = self._change_log.changes(self._writer.watermark.sequence, BATCH, "added")
        room = BATCH - len(changes.added) - len(changes.removed)
        if room > 0 and self._change_log.announce(room):
            changes = self._change_log.changes(self._writer.watermark.sequence, BATCH, "added")
        if changes.sequence == self._writer.watermark.sequence:
            self._maintain(self._writer.tend)
            return False, False
        full = len(changes.added) + len(changes.removed) >= BATCH
        if not (force or full or time.monotonic() >= self._next_at):
            return True, False
        began = time.monotonic()
        self._change_log.sync_to_disk(changes.sequence)
        try:
            documents = self._documents(changes.added)
            self._writer.apply(documents, changes.removed, Watermark(changes.sequence, self._lineage))
        except LibraryError as error:
            self._rebuild_if_damaged(error)
            return True, False
        self._mark_searchable()
        self._maintain(self._writer.tend)
        self._next_at = time.monotonic() + min(LONGEST_WAIT, PATIENCE * (time.monotonic() - began))
        return True, True

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
        if in_the_way or isinstance(error, LibraryBusy):
            raise error
        logger.warning("rebuilding the keyword index: %s", error)
        self._writer = self._open(rebuild=True)
