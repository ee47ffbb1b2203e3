"""What the copies (keyword index, vector files) have to follow: the change log, and the vectors themselves."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_rag.errors import LibraryDamaged
from desktop_rag.index import contents
from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.index.database import Database
from desktop_rag.index.records import Chunk, ChunkId, ContentId


class Changes(NamedTuple):
    """What a copy must add and remove to reach `sequence`."""

    added: tuple[ChunkId, ...]
    removed: tuple[ChunkId, ...]
    sequence: int


class Ledger:
    """The catalog as the keeper of its copies sees it; the indexer's thread only."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._reader = CatalogReader(database)

    def changes(self, after: int, limit: int, gained: Literal["added", "encoded"]) -> Changes:
        """Return what happened to chunks after a sequence number, each chunk once, by what it is now.

        The keyword index follows chunks that were `added`, the vector files those that were `encoded`.
        """
        rows = self.database.rows(
            tuple[int, str, int],
            "SELECT sequence, kind, chunk FROM change WHERE sequence > ? AND kind IN (?, 'removed') "
            "ORDER BY sequence LIMIT ?",
            (after, gained, limit),
        )
        last = {ChunkId(chunk): kind for _, kind, chunk in rows}
        return Changes(
            tuple(chunk for chunk, kind in last.items() if kind == gained),
            tuple(chunk for chunk, kind in last.items() if kind == "removed"),
            rows[-1][0] if rows else after,
        )

    def announce(self, limit: int) -> int:
        """Add some chunks of a long document to the change log, that the copies may follow; return how many.

        All at once they would keep every later file waiting.
        """
        content = self.database.number(
            "SELECT id FROM content WHERE state = 'stored' AND sequence IS NULL AND EXISTS (SELECT 1 FROM file "
            "JOIN folder ON folder.id = file.folder WHERE file.content = content.id AND folder.removed_ns = 0) LIMIT 1"
        )
        if not content:
            return 0
        with self.database.transaction():
            return contents.announce(self.database, ContentId(content), limit)

    def last_sequence(self) -> int:
        """Return the number of the newest change."""
        return self.database.number("SELECT max(sequence) FROM change")

    def mark_searchable(self, sequence: int) -> None:
        """Say that the keyword index now holds everything up to this change."""
        self.database.execute(
            "UPDATE content SET state = CASE WHEN EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id "
            "AND encoded = 0) THEN 'searchable' ELSE 'ready' END WHERE state = 'stored' AND sequence <= ?",
            (sequence,),
        )

    def mark_unsearchable(self, sequence: int) -> None:
        """Say that the keyword index holds nothing beyond this change, whatever was said before."""
        self.database.execute(
            "UPDATE content SET state = 'stored' WHERE state IN ('searchable', 'ready') AND sequence > ?", (sequence,)
        )

    def unencoded_chunks(self, limit: int) -> list[Chunk]:
        """Return searchable chunks without vectors, newest first."""
        ids = self.database.values(
            int,
            "SELECT chunk.id FROM chunk JOIN content ON content.id = chunk.content AND content.state = 'searchable' "
            "WHERE encoded = 0 AND EXISTS (SELECT 1 FROM file JOIN folder ON folder.id = file.folder "
            "WHERE file.content = content.id AND folder.removed_ns = 0 AND folder.state != 'paused') "
            "ORDER BY chunk.id DESC LIMIT ?",
            (limit,),
        )
        found = self._reader.chunks(map(ChunkId, ids))
        return [found[ChunkId(id_)] for id_ in ids]

    def store_vectors(self, encoder: str, vectors: Iterable[tuple[ChunkId, bytes]]) -> None:
        """Keep the sentence vectors of chunks; chunks that are gone, or do not fit, are passed over."""
        with self.database.transaction():
            for chunk, data in vectors:
                self.database.execute(
                    "INSERT OR REPLACE INTO vector (chunk, encoder, data) SELECT id, ?1, ?2 FROM chunk "
                    "WHERE id = ?3 AND sentence_count > 0 AND length(?2) > 0 AND length(?2) % (4 * sentence_count) = 0",
                    (encoder, data, chunk),
                )
                if not self.database.changed():
                    continue
                self.database.execute("UPDATE chunk SET encoded = 1 WHERE id = ?", (chunk,))
                self.database.execute("INSERT INTO change (kind, chunk) VALUES ('encoded', ?)", (chunk,))
                self.database.execute(
                    "UPDATE content SET state = 'ready' WHERE state = 'searchable' "
                    "AND id = (SELECT content FROM chunk WHERE id = ?) "
                    "AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)",
                    (chunk,),
                )

    def forget_vectors(self, encoder: str) -> None:
        """Drop vectors of other encoders; their chunks are encoded again in the background."""
        with self.database.transaction():
            self.database.execute(
                "UPDATE chunk SET encoded = 0 WHERE id IN (SELECT chunk FROM vector WHERE encoder != ?)", (encoder,)
            )
            self.database.execute("DELETE FROM vector WHERE encoder != ?", (encoder,))
            self.database.execute(
                "UPDATE content SET state = 'searchable' WHERE state = 'ready' "
                "AND EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)"
            )

    def encoder(self) -> str | None:
        """Return which encoder made the stored vectors; `forget_vectors` sees to it that it is one."""
        found = self.database.values(str, "SELECT encoder FROM vector LIMIT 1")
        return found[0] if found else None

    def vectors(self, chunk: ChunkId) -> NDArray[np.float32] | None:
        """Return the vectors of a chunk's sentences, one a row, or None while it has none."""
        found = self.database.row(
            tuple[int, bytes],
            "SELECT sentence_count, data FROM vector JOIN chunk ON chunk.id = vector.chunk WHERE chunk = ?",
            (chunk,),
        )
        if found is None:
            return None
        try:
            return np.frombuffer(found[1], np.float32).reshape(found[0], -1)
        except ValueError as error:
            raise LibraryDamaged(
                f"The vectors of chunk {chunk} are not whole. Run `desktop-rag check --repair`."
            ) from error
