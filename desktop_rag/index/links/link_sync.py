"""Extracts links from new chunks: follows the change log, a batch at a time.

Names in chunks and names of documents are stored under the same keys, so that a link exists as soon as both are stored,
in either order. Keys are hashes: one batch touches pages all over their table, so a transaction has many chunks.
"""

import time
from array import array
from collections.abc import Sequence

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.links.link_keys import keys_of_chunks, keys_of_document
from desktop_rag.index.records import Chunk, ChunkId, ContentId

STEP = 64  # chunks or contents at a time: some hundredths of a second
MOST_KEYS, LONGEST_WAIT = 800_000, 60.0  # keys, and seconds since the first, before they are stored
NAMED_AT_ONCE = 1024  # contents whose names are stored in one transaction
VERSION = 4  # of what `mentions` extracts; after a change all links are extracted again


class LinkSync:
    """Brings the link tables in line with the change log; used by the indexer's loop only."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._links = catalog.links
        self._links.prepare()
        self._sequence = self._start_sequence()
        self._extracted = self._sequence  # the last change whose keys are extracted, though not stored yet
        self._keys: dict[ChunkId, array[int]] = {}  # of chunks added by these changes …
        self._removed: set[ChunkId] = set()  # … and the chunks removed by them
        self._key_count = 0
        self._store_at = 0.0

    def sync(self, *, eager: bool = True) -> bool:
        """Process one batch of changes; return whether there were any.

        Stores what was extracted once it is much or old, or, if `eager`, when there are no further changes.
        """
        changes = self._catalog.change_log.changes(self._extracted, STEP, "added")
        if changes.sequence > self._extracted:
            if self._extracted == self._sequence:
                self._store_at = time.monotonic() + LONGEST_WAIT
            self._extract(list(self._catalog.chunks.by_id(changes.added).values()))
            for chunk in changes.removed:
                self._keys.pop(chunk, None)
            self._removed.update(changes.removed)
            self._extracted = changes.sequence
            if self._key_count < MOST_KEYS and time.monotonic() < self._store_at:
                return True
        elif not eager and (self._extracted == self._sequence or time.monotonic() < self._store_at):
            return False
        return self._store()

    def _store(self) -> bool:
        """Store the extracted keys, and the names of some contents; return whether there were any."""
        links = self._links
        unnamed = links.unnamed(NAMED_AT_ONCE)
        if self._extracted == self._sequence and not unnamed:
            return False
        with self._catalog.transaction():
            ids = [*self._removed, *self._keys]
            for first in range(0, len(ids), STEP):
                links.delete_mentions(ids[first : first + STEP])
            links.add_mentions(self._keys)
            for first in range(0, len(unnamed), STEP):
                links.set_names(self._names_of(unnamed[first : first + STEP]))
            links.set_watermark(f"{VERSION}:{self._extracted}")
        self._sequence = self._extracted
        self._keys, self._removed, self._key_count = {}, set(), 0
        return True

    @property
    def extracted(self) -> int:
        """Return the last change whose links are extracted, though maybe not stored yet."""
        return self._extracted

    def left(self) -> int:
        """Return about how many changes are not extracted yet."""
        return max(0, self._catalog.change_log.last_keyword_change() - self._extracted)

    def has_reached(self, sequence: int) -> bool:
        """Return whether the tables contain every change up to `sequence`."""
        return self._sequence >= sequence

    def _start_sequence(self) -> int:
        """Return the last change the tables contain; clear tables of another version."""
        version, _, sequence = self._links.watermark().partition(":")
        last = self._catalog.change_log.last_sequence()
        if version == str(VERSION) and sequence.isdecimal() and int(sequence) <= last:
            return int(sequence)
        self._links.clear()
        return 0

    def _extract(self, chunks: Sequence[Chunk]) -> None:
        keys = keys_of_chunks(self._catalog, chunks)
        self._keys |= {chunk: array("q", held) for chunk, held in keys.items()}
        self._key_count += sum(map(len, keys.values()))

    def _names_of(self, contents: Sequence[ContentId]) -> dict[ContentId, list[int]]:
        """Return the keys of the titles, aliases and file names of contents; none for those that no longer exist."""
        known = self._catalog.contents.by_id(contents)
        places = self._catalog.files.places(known)
        named = {content: keys_of_document(self._catalog, known[content], places.get(content, ())) for content in known}
        return {content: named.get(content, []) for content in contents}
