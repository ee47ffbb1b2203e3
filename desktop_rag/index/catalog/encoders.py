"""Which encoders made the vectors in the catalog, and which of them answer.

One `serving` encoder answers. After an upgrade whose old model is still at hand the new encoder is `coming`: its
vectors are made in the background, and when every chunk has them it takes over at one moment. Vectors of different
encoders never meet in one search. What a `leaving` encoder made is erased by and by.
"""

from typing import NamedTuple

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import ChunkId


class EncoderRow(NamedTuple):
    """An encoder the catalog has vectors of; its name is the id in its description."""

    id: int
    name: str
    dimensions: int


ROW_HEAD = 20  # bytes of a row before its codes: what is encoded, and the scale
_ROW = "SELECT id, name, dimensions FROM encoder"
# Whether a chunk has the vectors of all its sentences.
_WHOLE = (
    "EXISTS (SELECT 1 FROM vector JOIN encoder AS maker ON maker.id = vector.encoder WHERE vector.chunk = chunk.id "
    f"AND vector.encoder = ?1 AND length(data) = sentence_count * ({ROW_HEAD} + dimensions))"
)


def serving(database: Database) -> EncoderRow | None:
    """Return the encoder whose vectors answer."""
    return database.row(EncoderRow, f"{_ROW} WHERE role = 'serving'")


def made_now(database: Database) -> EncoderRow | None:
    """Return the encoder whose vectors are being made: the coming one, else the serving one."""
    return database.row(EncoderRow, f"{_ROW} WHERE role != 'leaving' ORDER BY role LIMIT 1")


def wanted(database: Database) -> list[EncoderRow]:
    """Return the encoders whose vectors are worth keeping."""
    return database.rows(EncoderRow, f"{_ROW} WHERE role != 'leaving'")


def named(database: Database, name: str) -> EncoderRow | None:
    """Return an encoder whose vectors are worth keeping by its name."""
    return database.row(EncoderRow, f"{_ROW} WHERE role != 'leaving' AND name = ?", (name,))


def leaving(database: Database) -> EncoderRow | None:
    """Return an encoder whose vectors are to be erased."""
    return database.row(EncoderRow, f"{_ROW} WHERE role = 'leaving' LIMIT 1")


def erase(database: Database, encoder: EncoderRow) -> None:
    """Forget an encoder that has no vectors any more."""
    database.execute("DELETE FROM encoder WHERE id = ?", (encoder.id,))


def employ(database: Database, name: str, dimensions: int, *, beside: bool) -> EncoderRow:
    """Make vectors with this encoder from now on.

    `beside` says that the one that serves can still encode queries, so that it serves until the new one has all.
    """
    ours = database.row(EncoderRow, f"{_ROW} WHERE name = ?", (name,))
    before, at_work = serving(database), made_now(database)
    if ours is not None and ours == at_work:
        return ours
    with database.transaction():
        if ours is None:
            id_ = database.insert(
                "INSERT INTO encoder (name, dimensions, role) VALUES (?, ?, 'leaving')", (name, dimensions)
            )
            ours = EncoderRow(id_, name, dimensions)
        database.execute("UPDATE encoder SET role = 'leaving' WHERE role = 'coming'")
        if before is None or before == ours or not beside:
            _let_serve(database, ours)
        else:
            database.execute("UPDATE encoder SET role = 'coming' WHERE id = ?", (ours.id,))
        database.execute(
            f"UPDATE chunk SET waits = 1 - waits WHERE sentence_count > 0 AND waits = {_WHOLE}", (ours.id,)
        )
    return ours


def promote(database: Database) -> bool:
    """Let the coming encoder serve; return whether there was one."""
    coming = database.row(EncoderRow, f"{_ROW} WHERE role = 'coming'")
    if coming is None:
        return False
    with database.transaction():
        _let_serve(database, coming)
    return True


def _let_serve(database: Database, encoder: EncoderRow) -> None:
    database.execute("UPDATE encoder SET role = 'leaving' WHERE role = 'serving' AND id != ?", (encoder.id,))
    database.execute("UPDATE encoder SET role = 'serving' WHERE id = ?", (encoder.id,))
    database.execute(
        f"UPDATE chunk SET encoded = 0 WHERE encoded = 1 AND sentence_count > 0 AND NOT {_WHOLE}", (encoder.id,)
    )
    database.execute(
        f"INSERT INTO change (kind, chunk) SELECT 'encoded', id FROM chunk WHERE encoded = 0 AND {_WHOLE}",
        (encoder.id,),
    )
    database.execute(f"UPDATE chunk SET encoded = 1 WHERE encoded = 0 AND {_WHOLE}", (encoder.id,))
    database.execute(
        "UPDATE content SET state = CASE WHEN EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id "
        "AND encoded = 0) THEN 'searchable' ELSE 'ready' END WHERE state IN ('searchable', 'ready')"
    )


def broken(database: Database) -> list[ChunkId]:
    """Return the chunks that are said to have all the vectors that answer, and have not."""
    encoder = serving(database)
    chunks = database.values(
        int,
        f"SELECT id FROM chunk WHERE encoded = 1 AND sentence_count > 0 AND NOT {_WHOLE}",
        (encoder.id if encoder is not None else 0,),
    )
    return list(map(ChunkId, chunks))


def note_anew(database: Database) -> None:
    """Write anew which chunks have their vectors, for a repair: blobs that are not whole rows go."""
    database.execute("DELETE FROM vector WHERE encoder NOT IN (SELECT id FROM encoder)")
    database.execute(
        "DELETE FROM vector WHERE rowid IN (SELECT vector.rowid FROM vector JOIN encoder ON encoder.id = encoder "
        f"JOIN chunk ON chunk.id = vector.chunk WHERE length(data) % ({ROW_HEAD} + dimensions) != 0 "
        f"OR length(data) NOT BETWEEN 1 AND sentence_count * ({ROW_HEAD} + dimensions))"
    )
    serves, makes = serving(database), made_now(database)
    for column, encoder, holds in (("encoded", serves, "{}"), ("waits", makes, "NOT {}")):
        whole = holds.format(_WHOLE)
        database.execute(
            f"UPDATE chunk SET {column} = {whole} WHERE sentence_count > 0",
            (encoder.id if encoder is not None else 0,),
        )
    database.execute(
        "UPDATE content SET state = 'searchable' WHERE state = 'ready' "
        "AND EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)"
    )


def note_whole(database: Database, encoder: EncoderRow, chunk: ChunkId) -> None:
    """Say that a chunk has all its vectors of an encoder, and tell the vector files if that is the serving one."""
    if encoder == made_now(database):
        database.execute("UPDATE chunk SET waits = 0 WHERE id = ? AND waits = 1", (chunk,))
    if encoder != serving(database):
        return
    database.execute("UPDATE chunk SET encoded = 1 WHERE id = ? AND encoded = 0", (chunk,))
    if not database.changed():
        return
    database.execute("INSERT INTO change (kind, chunk) VALUES ('encoded', ?)", (chunk,))
    database.execute(
        "UPDATE content SET state = 'ready' WHERE state = 'searchable' "
        "AND id = (SELECT content FROM chunk WHERE id = ?) "
        "AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)",
        (chunk,),
    )
