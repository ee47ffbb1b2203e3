"""Keeps the keyword index in step with the catalog: small commits, and a new index when the old one is of no use."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.keyword import KeywordDocument, KeywordWriter
from desktop_rag.index.ledger import Ledger
from desktop_rag.index.records import ChunkId, Watermark

logger = logging.getLogger(__name__)

COMMIT_SECONDS = 1.0  # about what a commit may take: so long the loop does nothing else
# Small commits are dear, for Whoosh merges them later: while more is coming, a commit that would not
# be full waits as long as this many of the last one took, but no longer than a few seconds.
PATIENCE, SHORTEST_WAIT, LONGEST_WAIT = 3.0, 1.0, 4.0
FIRST_BATCH, SMALLEST_BATCH, LARGEST_BATCH = 200, 100, 2000  # chunks


class KeywordCopy:
    """The one writer of the keyword index; used by the indexer's loop only."""

    def __init__(self, folder: Path, catalog: Catalog, ledger: Ledger, lineage: str) -> None:
        self._folder = folder
        self._catalog = catalog
        self._ledger = ledger
        self._lineage = lineage
        self._batch = FIRST_BATCH
        self._next_at = 0.0
        self._writer = self._opened()

    def follow(self, *, force: bool) -> tuple[bool, bool]:
        """Come nearer to the catalog; return whether the index was behind and whether it was written.

        Without `force` a small batch waits for more to come, but for the first one after a time of rest.
        """
        changes = self._ledger.changes(self._writer.watermark.sequence, self._batch, "added")
        room = self._batch - len(changes.added) - len(changes.removed)
        if room > 0 and self._ledger.announce(room):
            changes = self._ledger.changes(self._writer.watermark.sequence, self._batch, "added")
        if changes.sequence == self._writer.watermark.sequence:
            return False, False
        full = len(changes.added) + len(changes.removed) >= self._batch
        if not (force or full or time.monotonic() >= self._next_at):
            return True, False
        began = time.thread_time()  # a busy machine must not lead to smaller, dearer commits
        documents = self._documents(changes.added)
        try:
            self._writer.apply(documents, changes.removed, Watermark(changes.sequence, self._lineage))
        except LibraryError as error:
            self._give_up(error)
            return True, False
        self._ledger.mark_searchable(changes.sequence)
        took = time.thread_time() - began
        self._next_at = time.monotonic() + min(LONGEST_WAIT, max(SHORTEST_WAIT, PATIENCE * took))
        if full:
            pace = COMMIT_SECONDS / max(0.001, took)
            self._batch = min(LARGEST_BATCH, max(SMALLEST_BATCH, int(self._batch * min(2.0, pace))))
        return True, True

    def settle(self) -> bool:
        """Merge small parts, for a time of rest; return whether there may be more."""
        try:
            return self._writer.settle()
        except LibraryError as error:
            self._give_up(error)
            return True

    def _documents(self, ids: tuple[ChunkId, ...]) -> Iterator[KeywordDocument]:
        chunks = self._catalog.chunks(ids)
        contents = self._catalog.contents({chunk.content for chunk in chunks.values()})
        for chunk in chunks.values():
            yield KeywordDocument(chunk.id, chunk.content, contents[chunk.content].title, chunk.heading, chunk.text)

    def _opened(self, *, rebuild: bool = False) -> KeywordWriter:
        writer = KeywordWriter.open(self._folder, self._lineage, rebuild=rebuild)
        if writer.watermark.sequence > self._ledger.last_sequence():
            # The catalog lost its last changes with the power; their numbers will be given to others.
            writer = KeywordWriter.open(self._folder, self._lineage, rebuild=True)
        self._ledger.mark_unsearchable(writer.watermark.sequence)
        return writer

    def _give_up(self, error: LibraryError) -> None:
        """Build the index anew if it is damaged; raise `error` if something else is in its way, such as a full disk."""
        cause = error.__cause__
        in_the_way = isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError)
        if in_the_way or isinstance(error, LibraryBusy):
            raise error
        logger.warning("the keyword index is built anew: %s", error)
        self._writer = self._opened(rebuild=True)
