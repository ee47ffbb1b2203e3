"""Sentence vectors, found by the hash of the sentence, so that no text is encoded twice.

A vector is a row: the hash of the sentence, then the quantised vector (`vectors.vector_codes`), which is opaque here.
A chunk has one blob per encoder: the rows of its sentences in order, or of some of them until all are encoded.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from desktop_rag.index.catalog.chunk_table import ChunkTable
from desktop_rag.index.catalog.database import Database, batches, marks
from desktop_rag.index.records import Chunk, ChunkId

# The encoders whose vectors are in the catalog, and which one serves queries.
#
# One `serving` encoder encodes queries. After an upgrade whose old model is still available the new encoder is
# `coming`: its vectors are made in the background, and when every chunk has them it replaces the serving one in one
# transaction. Vectors of different encoders are never mixed in one search. The vectors of a `leaving` encoder are
# deleted in batches.


class EncoderRow(NamedTuple):
    """An encoder with vectors in the catalog; `name` is the id in its description."""

    id: int
    name: str
    dimensions: int


ROW_HEAD = 20  # bytes of a row before its codes: the hash and the scale
_ROW = "SELECT id, name, dimensions FROM encoder"
# Whether a chunk has the vectors of all its sentences.
_WHOLE = (
    "EXISTS (SELECT 1 FROM vector JOIN encoder AS maker ON maker.id = vector.encoder WHERE vector.chunk = chunk.id "
    f"AND vector.encoder = ?1 AND length(data) = sentence_count * ({ROW_HEAD} + dimensions))"
)


class EncoderTable:
    """Reads the encoders."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def serving(self) -> EncoderRow | None:
        """Return the encoder that serves queries."""
        return self._database.row(EncoderRow, f"{_ROW} WHERE role = 'serving'")

    def current(self) -> EncoderRow | None:
        """Return the encoder that new vectors are made with: the coming one, else the serving one."""
        return self._database.row(EncoderRow, f"{_ROW} WHERE role != 'leaving' ORDER BY role LIMIT 1")

    def kept(self) -> list[EncoderRow]:
        """Return the serving and the coming encoder."""
        return self._database.rows(EncoderRow, f"{_ROW} WHERE role != 'leaving'")

    def by_name(self, name: str) -> EncoderRow | None:
        """Return the serving or coming encoder of this name."""
        return self._database.row(EncoderRow, f"{_ROW} WHERE role != 'leaving' AND name = ?", (name,))

    def obsolete(self) -> EncoderRow | None:
        """Return an encoder whose vectors are to be deleted."""
        return self._database.row(EncoderRow, f"{_ROW} WHERE role = 'leaving' LIMIT 1")

    def incomplete_chunks(self) -> list[ChunkId]:
        """Return the chunks flagged as encoded that lack vectors of the serving encoder."""
        encoder = self.serving()
        chunks = self._database.values(
            int,
            f"SELECT id FROM chunk WHERE encoded = 1 AND sentence_count > 0 AND NOT {_WHOLE}",
            (encoder.id if encoder is not None else 0,),
        )
        return list(map(ChunkId, chunks))


class EncoderWriter(EncoderTable):
    """Switches encoders, and keeps the flags of chunks up to date."""

    def delete(self, encoder: EncoderRow) -> None:
        """Delete an encoder that has no vectors any more."""
        self._database.execute("DELETE FROM encoder WHERE id = ?", (encoder.id,))

    def switch_to(self, name: str, dimensions: int, *, beside: bool) -> EncoderRow:
        """Make new vectors with this encoder.

        `beside`: the serving encoder can still encode queries, and serves until the new one has all vectors.
        """
        ours = self._database.row(EncoderRow, f"{_ROW} WHERE name = ?", (name,))
        before, current = self.serving(), self.current()
        if ours is not None and ours == current:
            return ours
        with self._database.transaction():
            if ours is None:
                id_ = self._database.insert(
                    "INSERT INTO encoder (name, dimensions, role) VALUES (?, ?, 'leaving')", (name, dimensions)
                )
                ours = EncoderRow(id_, name, dimensions)
            self._database.execute("UPDATE encoder SET role = 'leaving' WHERE role = 'coming'")
            if before is None or before == ours or not beside:
                self._serve_with(ours)
            else:
                self._database.execute("UPDATE encoder SET role = 'coming' WHERE id = ?", (ours.id,))
            self._database.execute(
                f"UPDATE chunk SET waits = 1 - waits WHERE sentence_count > 0 AND waits = {_WHOLE}", (ours.id,)
            )
        return ours

    def promote(self) -> bool:
        """Make the coming encoder the serving one; return whether there was one."""
        coming = self._database.row(EncoderRow, f"{_ROW} WHERE role = 'coming'")
        if coming is None:
            return False
        with self._database.transaction():
            self._serve_with(coming)
        return True

    def _serve_with(self, encoder: EncoderRow) -> None:
        self._database.execute("UPDATE encoder SET role = 'leaving' WHERE role = 'serving' AND id != ?", (encoder.id,))
        self._database.execute("UPDATE encoder SET role = 'serving' WHERE id = ?", (encoder.id,))
        self._database.execute(
            f"UPDATE chunk SET encoded = 0 WHERE encoded = 1 AND sentence_count > 0 AND NOT {_WHOLE}", (encoder.id,)
        )
        self._database.execute(
            f"INSERT INTO change (kind, chunk) SELECT 'encoded', id FROM chunk WHERE encoded = 0 AND {_WHOLE}",
            (encoder.id,),
        )
        self._database.execute(f"UPDATE chunk SET encoded = 1 WHERE encoded = 0 AND {_WHOLE}", (encoder.id,))
        self._database.execute(
            "UPDATE content SET state = CASE WHEN EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id "
            "AND encoded = 0) THEN 'searchable' ELSE 'ready' END WHERE state IN ('searchable', 'ready')"
        )

    def recompute_flags(self) -> None:
        """Recompute which chunks have all their vectors, for a repair; delete blobs that are not whole rows."""
        self._database.execute("DELETE FROM vector WHERE encoder NOT IN (SELECT id FROM encoder)")
        self._database.execute(
            "DELETE FROM vector WHERE rowid IN (SELECT vector.rowid FROM vector JOIN encoder ON encoder.id = encoder "
            f"JOIN chunk ON chunk.id = vector.chunk WHERE length(data) % ({ROW_HEAD} + dimensions) != 0 "
            f"OR length(data) NOT BETWEEN 1 AND sentence_count * ({ROW_HEAD} + dimensions))"
        )
        serving, current = self.serving(), self.current()
        for column, encoder, holds in (("encoded", serving, "{}"), ("waits", current, "NOT {}")):
            whole = holds.format(_WHOLE)
            self._database.execute(
                f"UPDATE chunk SET {column} = {whole} WHERE sentence_count > 0",
                (encoder.id if encoder is not None else 0,),
            )
        self._database.execute(
            "UPDATE content SET state = 'searchable' WHERE state = 'ready' "
            "AND EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)"
        )

    def mark_complete(self, encoder: EncoderRow, chunk: ChunkId) -> None:
        """Record that a chunk has all its vectors of an encoder; for the serving one, add it to the change log."""
        if encoder == self.current():
            self._database.execute("UPDATE chunk SET waits = 0 WHERE id = ? AND waits = 1", (chunk,))
        if encoder != self.serving():
            return
        self._database.execute("UPDATE chunk SET encoded = 1 WHERE id = ? AND encoded = 0", (chunk,))
        if not self._database.changed():
            return
        self._database.execute("INSERT INTO change (kind, chunk) VALUES ('encoded', ?)", (chunk,))
        self._database.execute(
            "UPDATE content SET state = 'ready' WHERE state = 'searchable' "
            "AND id = (SELECT content FROM chunk WHERE id = ?) "
            "AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)",
            (chunk,),
        )


HASH_BYTES = 16
_KEY_BYTES = 6  # of the hash, as key of the sentence table; SQLite stores such an integer in six bytes

Rows = Mapping[bytes, bytes]  # each by its hash


class SentenceVectorTable:
    """Reads the vectors."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._encoders = EncoderTable(database)
        self._chunks = ChunkTable(database)

    def complete(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Return the blobs of those chunks whose sentences all have a vector of the serving encoder."""
        rows = self._database.rows(
            tuple[ChunkId, bytes],
            "SELECT chunk, data FROM vector JOIN encoder ON encoder.id = encoder AND role = 'serving' "
            "JOIN chunk ON chunk.id = vector.chunk WHERE encoded = 1 "
            f"AND length(data) = sentence_count * ({ROW_HEAD} + dimensions) AND chunk IN ({marks(len(chunks))})",
            chunks,
        )
        return dict(rows)

    def stored(self, encoder: str, chunks: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Return the blobs of those chunks that have one of the encoder of this name, obsolete or not."""
        sql = (
            "SELECT chunk, data FROM vector WHERE encoder = (SELECT id FROM encoder WHERE name = ?) "
            "AND chunk IN (SELECT value FROM json_each(?))"
        )
        return dict(self._database.rows(tuple[ChunkId, bytes], sql, (encoder, json.dumps(chunks))))

    def blobs(self, encoder: EncoderRow) -> Iterator[dict[ChunkId, bytes]]:
        """Yield the blobs of an encoder in batches; batches may be deleted meanwhile."""
        ids = self._database.values(int, "SELECT chunk FROM vector WHERE encoder = ?", (encoder.id,))
        for some in batches(ids):
            sql = f"SELECT chunk, data FROM vector WHERE encoder = ? AND chunk IN ({marks(len(some))})"
            yield dict(self._database.rows(tuple[ChunkId, bytes], sql, (encoder.id, *some)))

    def rows_by_hash(self, encoder: EncoderRow, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the rows of the sentences that already have a vector in any chunk."""
        wanted = set(hashes)
        keys = {_key(digest) for digest in wanted}
        owners: set[int] = set()
        for some in batches(keys):
            owners.update(
                self._database.values(
                    int,
                    "SELECT DISTINCT owner FROM (SELECT (SELECT sentence.chunk FROM sentence JOIN vector "
                    "ON vector.chunk = sentence.chunk AND vector.encoder = ?1 WHERE sentence.key = asked.value "
                    "LIMIT 1) AS owner FROM json_each(?2) AS asked) WHERE owner IS NOT NULL",
                    (encoder.id, json.dumps(some)),
                )
            )
        found: dict[bytes, bytes] = {}
        sql = "SELECT data FROM vector WHERE chunk IN ({}) AND encoder = ?"
        for data in self._database.values_of(bytes, sql, owners, encoder.id):
            rows = ((row[:HASH_BYTES], row) for row in rows_in(data, encoder.dimensions))
            found.update((digest, row) for digest, row in rows if digest in wanted)
        return found

    def has_any(self) -> bool:
        """Return whether any sentence has a vector."""
        return self._database.number("SELECT EXISTS (SELECT 1 FROM sentence)") > 0

    def count_unlisted(self) -> int:
        """Return how many entries of the sentence table differ from the blobs; reads all of them."""
        wrong = -self._database.number("SELECT count(*) FROM sentence")
        missing = 0
        for chunk, keys in self._listed():
            there = self._database.number(
                "SELECT count(*) FROM json_each(?1) AS asked "
                "JOIN sentence ON sentence.key = asked.value AND chunk = ?2",
                (json.dumps(list(keys)), chunk),
            )
            wrong += there
            missing += len(keys) - there
        return missing + abs(wrong)

    def _listed(self) -> Iterator[tuple[int, set[int]]]:
        """Yield each chunk with the keys of its sentences that have a vector."""
        for chunk in self._database.values(int, "SELECT DISTINCT chunk FROM vector"):
            rows = self._database.rows(
                tuple[int, bytes],
                "SELECT dimensions, data FROM vector JOIN encoder ON encoder.id = encoder WHERE chunk = ?",
                (chunk,),
            )
            yield chunk, {_key(row) for dimensions, data in rows for row in rows_in(data, dimensions)}


class SentenceVectorWriter(SentenceVectorTable):
    """Stores and deletes vectors."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._encoder_writer = EncoderWriter(database)

    def store_rows(self, encoder: EncoderRow, chunks: Sequence[Chunk], rows: Rows) -> None:
        """Store the rows of the sentences of these chunks; chunks deleted meanwhile are ignored."""
        with self._database.transaction():
            existing = self._chunks.contents_of(chunk.id for chunk in chunks)
            for chunk in chunks:
                if chunk.id in existing:
                    self.store(encoder, chunk.id, sentence_hashes(chunk), rows)

    def store_blob(self, encoder: str, chunk: ChunkId, data: bytes) -> None:
        """Store consecutive rows of a chunk, if their encoder is not obsolete."""
        row = self._encoders.by_name(encoder)
        if row is not None:
            rows = {one[:HASH_BYTES]: one for one in rows_in(data, row.dimensions)}
            self.store_rows(row, list(self._chunks.by_id((chunk,)).values()), rows)

    def drop(self, damaged: Iterable[ChunkId]) -> None:
        """Delete the vectors of chunks, so that they are encoded again, and recompute flags and sentence table."""
        with self._database.transaction():
            self._database.execute_many("DELETE FROM vector WHERE chunk = ?", ((chunk,) for chunk in damaged))
            self._encoder_writer.recompute_flags()
            self.rebuild_sentence_table()

    def delete(self, encoder: EncoderRow, chunk: ChunkId) -> None:
        """Delete a chunk's vectors of one encoder; `drop` or `recompute_flags` has to follow."""
        self._database.execute("DELETE FROM vector WHERE chunk = ? AND encoder = ?", (chunk, encoder.id))

    def reuse(self, chunks: Sequence[tuple[ChunkId, Sequence[bytes]]]) -> None:
        """Reuse known vectors for new chunks, given with the hashes of their sentences.

        Belongs in the transaction that stores the chunks.
        """
        for encoder in self._encoders.kept():
            rows = self.rows_by_hash(encoder, (digest for _, hashes in chunks for digest in hashes))
            if rows:
                for chunk, hashes in chunks:
                    self.store(encoder, chunk, hashes, rows)

    def store(self, encoder: EncoderRow, chunk: ChunkId, hashes: Sequence[bytes], rows: Rows) -> bool:
        """Add rows to those a chunk has; return whether it has all of them now.

        `hashes` are those of all its sentences in order. Belongs in a transaction.
        """
        old = self._database.values(
            bytes, "SELECT data FROM vector WHERE chunk = ? AND encoder = ?", (chunk, encoder.id)
        )
        had = {row[:HASH_BYTES]: row for row in rows_in(old[0] if old else b"", encoder.dimensions)}
        size = row_bytes(encoder.dimensions)
        has = had | {digest: rows[digest] for digest in hashes if digest in rows and len(rows[digest]) == size}
        whole = all(digest in has for digest in hashes)
        fresh = has.keys() - had.keys()
        if fresh:
            self._database.execute(
                "INSERT INTO vector (chunk, encoder, data) VALUES (?, ?, ?) "
                "ON CONFLICT (chunk, encoder) DO UPDATE SET data = excluded.data",
                (chunk, encoder.id, b"".join(has[digest] for digest in hashes if digest in has)),
            )
            self._database.execute_many(
                "INSERT OR IGNORE INTO sentence (key, chunk) VALUES (?, ?)", ((_key(digest), chunk) for digest in fresh)
            )
        if whole:
            self._encoder_writer.mark_complete(encoder, chunk)
        return whole

    def unlist(self, chunks: Sequence[int]) -> None:
        """Remove the sentences of chunks that are about to be deleted from the sentence table."""
        rows = self._database.rows(
            tuple[int, int, bytes],
            "SELECT chunk, dimensions, data FROM vector JOIN encoder ON encoder.id = encoder "
            f"WHERE chunk IN ({marks(len(chunks))})",
            chunks,
        )
        for chunk, dimensions, data in rows:
            self._unlist(chunk, {row[:HASH_BYTES] for row in rows_in(data, dimensions)})

    def erase_obsolete(self, limit: int) -> bool:
        """Delete up to `limit` blobs of an obsolete encoder; return whether there was one."""
        leaving = self._encoders.obsolete()
        if leaving is None:
            return False
        with self._database.transaction():
            rows = self._database.rows(
                tuple[int, bytes], "SELECT chunk, data FROM vector WHERE encoder = ? LIMIT ?", (leaving.id, limit)
            )
            for chunk, data in rows:
                others = self._database.rows(
                    tuple[int, bytes],
                    "SELECT dimensions, data FROM vector JOIN encoder ON encoder.id = encoder "
                    "WHERE chunk = ? AND encoder != ?",
                    (chunk, leaving.id),
                )
                still = {row[:HASH_BYTES] for dimensions, other in others for row in rows_in(other, dimensions)}
                gone = {row[:HASH_BYTES] for row in rows_in(data, leaving.dimensions)} - still
                self._unlist(chunk, gone)
                self._database.execute("DELETE FROM vector WHERE chunk = ? AND encoder = ?", (chunk, leaving.id))
            if not rows:
                self._encoder_writer.delete(leaving)
        return True

    def rebuild_sentence_table(self) -> None:
        """Rebuild the sentence table from the blobs, for a repair."""
        self._database.execute("DELETE FROM sentence")
        for chunk, keys in self._listed():
            self._database.execute_many(
                "INSERT INTO sentence (key, chunk) VALUES (?, ?)", ((key, chunk) for key in keys)
            )

    def _unlist(self, chunk: int, hashes: Iterable[bytes]) -> None:
        self._database.execute_many(
            "DELETE FROM sentence WHERE key = ? AND chunk = ?", ((_key(digest), chunk) for digest in hashes)
        )


def normalised(text: str) -> str:
    """Return a sentence with normalised white space, the form that is encoded."""
    return " ".join(text.split())


def sentence_hash(text: str) -> bytes:
    """Return the hash of a sentence, independent of its white space."""
    return blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def sentence_texts(chunk: Chunk) -> list[str]:
    """Return the normalised sentences of a chunk."""
    offset = chunk.span.start
    return [normalised(chunk.text[start - offset : end - offset]) for start, end in chunk.sentences]


def sentence_hashes(chunk: Chunk) -> list[bytes]:
    """Return the hashes of the sentences of a chunk."""
    return list(map(sentence_hash, sentence_texts(chunk)))


def row_bytes(dimensions: int) -> int:
    """Return the size of a row in bytes."""
    return ROW_HEAD + dimensions


def rows_in(data: bytes, dimensions: int) -> Iterator[bytes]:
    """Yield the rows of a blob; an incomplete row at its end is ignored."""
    size = row_bytes(dimensions)
    for start in range(0, len(data) - size + 1, size):
        yield data[start : start + size]


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:_KEY_BYTES], signed=True)
