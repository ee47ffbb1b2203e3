"""The vectors of sentences, found by what the sentence says: whoever has encoded a text once never does it again.

A vector is a row: the hash of its text, and what `vectors.codes` makes of the vector, which nothing here looks into.
A chunk has one blob for each encoder, the rows of its sentences in their order; until all are known, of some of them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice

from desktop_rag.index.catalog import encoders
from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.catalog.encoders import ROW_HEAD, EncoderRow
from desktop_rag.index.records import Chunk, ChunkId

HASH_BYTES = 16
_KEY_BYTES = 6  # of the hash, in the table of all sentences; SQLite keeps such a number in just so many bytes
_BATCH = 500

Rows = Mapping[bytes, bytes]  # each by its hash


def normalised(text: str) -> str:
    """Return a sentence as the encoder is given it: neither wrapping nor indenting makes it another one."""
    return " ".join(text.split())


def sentence_hash(text: str) -> bytes:
    """Return what names the text of a sentence, whatever white space it is written with."""
    return blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def sentence_texts(chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk as the encoder is given them."""
    offset = chunk.span.start
    return [normalised(chunk.text[start - offset : end - offset]) for start, end in chunk.sentences]


def sentence_hashes(chunk: Chunk) -> list[bytes]:
    """Return what names the sentences of a chunk."""
    return list(map(sentence_hash, sentence_texts(chunk)))


def row_bytes(dimensions: int) -> int:
    """Return the size of a row."""
    return ROW_HEAD + dimensions


def rows_in(data: bytes, dimensions: int) -> Iterator[bytes]:
    """Yield the rows of a blob; what is left of a broken one is not a row."""
    size = row_bytes(dimensions)
    for start in range(0, len(data) - size + 1, size):
        yield data[start : start + size]


def known(database: Database, encoder: EncoderRow, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
    """Return the rows of those of these sentences that any chunk has a vector of."""
    wanted = set(hashes)
    keys = {_key(digest) for digest in wanted}
    owners: set[int] = set()
    for some in _batches(keys):
        owners.update(
            database.values(
                int,
                "SELECT DISTINCT owner FROM (SELECT (SELECT sentence.chunk FROM sentence JOIN vector "
                "ON vector.chunk = sentence.chunk AND vector.encoder = ?1 WHERE sentence.key = asked.value LIMIT 1) "
                "AS owner FROM json_each(?2) AS asked) WHERE owner IS NOT NULL",
                (encoder.id, json.dumps(some)),
            )
        )
    found: dict[bytes, bytes] = {}
    for some in _batches(owners):
        for data in database.values(
            bytes, f"SELECT data FROM vector WHERE encoder = ? AND chunk IN ({marks(len(some))})", (encoder.id, *some)
        ):
            rows = ((row[:HASH_BYTES], row) for row in rows_in(data, encoder.dimensions))
            found.update((digest, row) for digest, row in rows if digest in wanted)
    return found


def has_any(database: Database) -> bool:
    """Return whether a vector is known of any sentence."""
    return database.number("SELECT EXISTS (SELECT 1 FROM sentence)") > 0


def adopt(database: Database, chunks: Sequence[tuple[ChunkId, Sequence[bytes]]]) -> None:
    """Give new chunks, each with the hashes of its sentences, the vectors that are known of them.

    Belongs in the transaction that stores the chunks.
    """
    for encoder in encoders.wanted(database):
        rows = known(database, encoder, (digest for _, hashes in chunks for digest in hashes))
        if rows:
            for chunk, hashes in chunks:
                keep(database, encoder, chunk, hashes, rows)


def keep(database: Database, encoder: EncoderRow, chunk: ChunkId, hashes: Sequence[bytes], rows: Rows) -> bool:
    """Keep the rows of a chunk's sentences, beside those it has; return whether it has all of them now.

    `hashes` are those of all its sentences in their order. Belongs in a transaction.
    """
    old = database.values(bytes, "SELECT data FROM vector WHERE chunk = ? AND encoder = ?", (chunk, encoder.id))
    had = {row[:HASH_BYTES]: row for row in rows_in(old[0] if old else b"", encoder.dimensions)}
    size = row_bytes(encoder.dimensions)
    has = had | {digest: rows[digest] for digest in hashes if digest in rows and len(rows[digest]) == size}
    whole = all(digest in has for digest in hashes)
    fresh = has.keys() - had.keys()
    if fresh:
        database.execute(
            "INSERT INTO vector (chunk, encoder, data) VALUES (?, ?, ?) "
            "ON CONFLICT (chunk, encoder) DO UPDATE SET data = excluded.data",
            (chunk, encoder.id, b"".join(has[digest] for digest in hashes if digest in has)),
        )
        database.execute_many(
            "INSERT OR IGNORE INTO sentence (key, chunk) VALUES (?, ?)", ((_key(digest), chunk) for digest in fresh)
        )
    if whole:
        encoders.note_whole(database, encoder, chunk)
    return whole


def forget(database: Database, chunks: Sequence[int]) -> None:
    """Take the sentences of chunks that are about to be erased out of the table; costs no more than their number."""
    rows = database.rows(
        tuple[int, int, bytes],
        "SELECT chunk, dimensions, data FROM vector JOIN encoder ON encoder.id = encoder "
        f"WHERE chunk IN ({marks(len(chunks))})",
        chunks,
    )
    for chunk, dimensions, data in rows:
        _forget_keys(database, chunk, {row[:HASH_BYTES] for row in rows_in(data, dimensions)})


def forget_some(database: Database, limit: int) -> bool:
    """Erase some vectors of encoders that are not wanted any more; return whether there were any."""
    leaving = encoders.leaving(database)
    if leaving is None:
        return False
    with database.transaction():
        rows = database.rows(
            tuple[int, bytes], "SELECT chunk, data FROM vector WHERE encoder = ? LIMIT ?", (leaving.id, limit)
        )
        for chunk, data in rows:
            others = database.rows(
                tuple[int, bytes],
                "SELECT dimensions, data FROM vector JOIN encoder ON encoder.id = encoder "
                "WHERE chunk = ? AND encoder != ?",
                (chunk, leaving.id),
            )
            still = {row[:HASH_BYTES] for dimensions, other in others for row in rows_in(other, dimensions)}
            gone = {row[:HASH_BYTES] for row in rows_in(data, leaving.dimensions)} - still
            _forget_keys(database, chunk, gone)
            database.execute("DELETE FROM vector WHERE chunk = ? AND encoder = ?", (chunk, leaving.id))
        if not rows:
            encoders.erase(database, leaving)
    return True


def list_anew(database: Database) -> None:
    """Write the table of all sentences anew from the blobs, for a repair."""
    database.execute("DELETE FROM sentence")
    for chunk, keys in _listed(database):
        database.execute_many("INSERT INTO sentence (key, chunk) VALUES (?, ?)", ((key, chunk) for key in keys))


def unlisted(database: Database) -> int:
    """Return by how many entries the table of all sentences differs from the blobs; reads all of them."""
    wrong = -database.number("SELECT count(*) FROM sentence")
    missing = 0
    for chunk, keys in _listed(database):
        there = database.number(
            "SELECT count(*) FROM json_each(?1) AS asked JOIN sentence ON sentence.key = asked.value AND chunk = ?2",
            (json.dumps(list(keys)), chunk),
        )
        wrong += there
        missing += len(keys) - there
    return missing + abs(wrong)


def _listed(database: Database) -> Iterator[tuple[int, set[int]]]:
    """Yield each chunk with the keys of the sentences it has a vector of."""
    for chunk in database.values(int, "SELECT DISTINCT chunk FROM vector"):
        rows = database.rows(
            tuple[int, bytes],
            "SELECT dimensions, data FROM vector JOIN encoder ON encoder.id = encoder WHERE chunk = ?",
            (chunk,),
        )
        yield chunk, {_key(row) for dimensions, data in rows for row in rows_in(data, dimensions)}


def _forget_keys(database: Database, chunk: int, hashes: Iterable[bytes]) -> None:
    database.execute_many(
        "DELETE FROM sentence WHERE key = ? AND chunk = ?", ((_key(digest), chunk) for digest in hashes)
    )


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:_KEY_BYTES], signed=True)


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    iterator = iter(ids)
    while some := list(islice(iterator, _BATCH)):
        yield some
