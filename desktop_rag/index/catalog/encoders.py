"""The encoders whose vectors are in the catalog, and which one serves queries.

One `serving` encoder encodes queries. After an upgrade whose old model is still available the new encoder is `coming`:
its vectors are made in the background, and when every chunk has them it replaces the serving one in one transaction.
Vectors of different encoders are never mixed in one search. The vectors of a `leaving` encoder are deleted in batches.
"""

from typing import NamedTuple

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import ChunkId


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
