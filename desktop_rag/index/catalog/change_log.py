"""What the copies (keyword index, vector files) have to follow: the change log, and the vectors themselves."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from desktop_rag.index.catalog import content_storage, encoders, sentence_vectors
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.catalog.encoders import ROW_HEAD, EncoderRow
from desktop_rag.index.catalog.sentence_vectors import HASH_BYTES, Rows, rows_in, sentence_hashes
from desktop_rag.index.records import Chunk, ChunkId, ContentId

FORGOTTEN_AT_ONCE = 64  # vectors of chunks, when an encoder has left


class Changes(NamedTuple):
    """What a copy must add and remove to reach `sequence`."""

    added: tuple[ChunkId, ...]
    removed: tuple[ChunkId, ...]
    sequence: int


class ChangeLog:
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
            return content_storage.announce(self.database, ContentId(content), limit)

    def last_sequence(self) -> int:
        """Return the number of the newest change."""
        return self.database.number("SELECT max(sequence) FROM change")

    def last_removal(self) -> int:
        """Return the number of the newest change that removed a chunk; 0 without any."""
        return self.database.number("SELECT max(sequence) FROM change WHERE kind = 'removed'")

    def drop_vectors(self, damaged: Iterable[ChunkId]) -> None:
        """Let the sentences of chunks be encoded again, and note anew what has vectors."""
        with self.database.transaction():
            self.database.execute_many("DELETE FROM vector WHERE chunk = ?", ((chunk,) for chunk in damaged))
            encoders.note_anew(self.database)
            sentence_vectors.list_anew(self.database)

    def secure(self, sequence: int) -> None:
        """Write the catalog through to the disk before a copy holds its changes up to `sequence`.

        A copy that were ahead of its catalog after a power loss would have to be built anew.
        """
        self.database.execute("PRAGMA synchronous=FULL")
        try:
            self.database.execute("INSERT OR REPLACE INTO meta VALUES ('secured', ?)", (str(sequence),))
        finally:
            self.database.execute("PRAGMA synchronous=NORMAL")

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

    def waiting_chunks(self, limit: int) -> list[Chunk]:
        """Return searchable chunks that lack vectors of the encoder at work, newest first."""
        ids = self.database.values(
            int,
            "SELECT chunk.id FROM chunk JOIN content ON content.id = chunk.content "
            "AND content.state IN ('searchable', 'ready') "
            "WHERE waits = 1 AND EXISTS (SELECT 1 FROM file JOIN folder ON folder.id = file.folder "
            "WHERE file.content = content.id AND folder.removed_ns = 0 AND folder.state != 'paused') "
            "ORDER BY chunk.id DESC LIMIT ?",
            (limit,),
        )
        found = self._reader.chunks(map(ChunkId, ids))
        return [found[ChunkId(id_)] for id_ in ids]

    def employ(self, name: str, dimensions: int, *, beside: bool) -> EncoderRow:
        """Make vectors with this encoder from now on; see `encoders.employ`."""
        return encoders.employ(self.database, name, dimensions, beside=beside)

    def promote(self) -> bool:
        """Let the coming encoder serve, if there is one, and tell whether there was."""
        return encoders.promote(self.database)

    def encoder(self) -> EncoderRow | None:
        """Return the encoder whose vectors answer."""
        return encoders.serving(self.database)

    def known_rows(self, encoder: EncoderRow, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the rows of sentences that need not be encoded again."""
        return sentence_vectors.known(self.database, encoder, hashes)

    def keep_rows(self, encoder: EncoderRow, chunks: Sequence[Chunk], rows: Rows) -> None:
        """Keep those of the rows that are of sentences of these chunks; chunks that are gone are passed over."""
        with self.database.transaction():
            there = self._reader.contents_of(chunk.id for chunk in chunks)
            for chunk in chunks:
                if chunk.id in there:
                    sentence_vectors.keep(self.database, encoder, chunk.id, sentence_hashes(chunk), rows)

    def keep_blob(self, encoder: str, chunk: ChunkId, data: bytes) -> None:
        """Keep rows of sentences of a chunk that lie one behind the other, if their encoder is wanted."""
        maker = encoders.named(self.database, encoder)
        if maker is not None:
            rows = {row[:HASH_BYTES]: row for row in rows_in(data, maker.dimensions)}
            self.keep_rows(maker, list(self._reader.chunks((chunk,)).values()), rows)

    def whole_vectors(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Return the rows of those chunks of whose sentences all have a vector that answers."""
        rows = self.database.rows(
            tuple[int, bytes],
            "SELECT chunk, data FROM vector JOIN encoder ON encoder.id = encoder AND role = 'serving' "
            "JOIN chunk ON chunk.id = vector.chunk WHERE encoded = 1 "
            f"AND length(data) = sentence_count * ({ROW_HEAD} + dimensions) AND chunk IN ({marks(len(chunks))})",
            chunks,
        )
        return {ChunkId(chunk): data for chunk, data in rows}

    def broken_vectors(self) -> list[ChunkId]:
        """Return the chunks that are said to have all their vectors, and have not."""
        return encoders.broken(self.database)

    def unlisted_sentences(self) -> int:
        """Return by how many entries the table of sentences differs from the vectors; reads all of them."""
        return sentence_vectors.unlisted(self.database)

    def forget_vectors(self) -> bool:
        """Erase some vectors of encoders that are not wanted any more; return whether there were any."""
        return sentence_vectors.forget_some(self.database, FORGOTTEN_AT_ONCE)
