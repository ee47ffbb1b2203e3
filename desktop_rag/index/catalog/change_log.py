"""The change log: chunks added, encoded and removed, which the keyword index, the vectors and the links follow."""

from typing import Literal, NamedTuple

from desktop_rag.index.catalog.content_writer import ContentWriter
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import ChunkId, ContentId


class Changes(NamedTuple):
    """The chunks an index must add and remove to reach `sequence`."""

    added: tuple[ChunkId, ...]
    removed: tuple[ChunkId, ...]
    sequence: int


class ChangeLog:
    """Reads the change log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def changes(self, after: int, limit: int, gained: Literal["added", "encoded"]) -> Changes:
        """Return up to `limit` changes after a sequence number, each chunk once with its last change.

        The keyword index and the links follow chunks that were `added`, the vector files those that were `encoded`.
        """
        rows = self._database.rows(
            tuple[int, str, ChunkId],
            "SELECT sequence, kind, chunk FROM change WHERE sequence > ? AND kind IN (?, 'removed') "
            "ORDER BY sequence LIMIT ?",
            (after, gained, limit),
        )
        last = {chunk: kind for _, kind, chunk in rows}
        return Changes(
            tuple(chunk for chunk, kind in last.items() if kind == gained),
            tuple(chunk for chunk, kind in last.items() if kind == "removed"),
            rows[-1][0] if rows else after,
        )

    def count_keyword_changes(self, after: int, most: int) -> int:
        """Return how many changes after a sequence number concern the keyword index, counted up to `most`."""
        return self._database.number(
            "SELECT count(*) FROM (SELECT 1 FROM change WHERE sequence > ? AND kind IN ('added', 'removed') LIMIT ?)",
            (after, most),
        )

    def touched(self, after: int, limit: int) -> tuple[tuple[ChunkId, ...], int]:
        """Return the chunks of up to `limit` changes of any kind after a sequence number, and the last of these."""
        rows = self._database.rows(
            tuple[int, ChunkId], "SELECT sequence, chunk FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?",
            (after, limit),
        )  # fmt: skip
        return tuple(dict.fromkeys(chunk for _, chunk in rows)), rows[-1][0] if rows else after

    def last_sequence(self) -> int:
        """Return the number of the newest change; 0 without any."""
        return self._database.number("SELECT max(sequence) FROM change")

    def last_keyword_change(self) -> int:
        """Return the number of the newest change that concerns the keyword index; 0 without any."""
        return self._database.number("SELECT max(sequence) FROM change WHERE kind IN ('added', 'removed')")

    def last_removal(self) -> int:
        """Return the number of the newest change that removed a chunk; 0 without any."""
        return self._database.number("SELECT max(sequence) FROM change WHERE kind = 'removed'")

    def chunks_at(self, sequence: int) -> frozenset[ChunkId]:
        """Return the chunks that existed after change number `sequence`."""
        rows = self._database.rows(
            tuple[ChunkId, str],
            "SELECT chunk, kind FROM change WHERE sequence <= ? AND kind IN ('added', 'removed') ORDER BY sequence",
            (sequence,),
        )
        return frozenset(chunk for chunk, kind in dict(rows).items() if kind == "added")

    def changed_after(self, sequence: int) -> frozenset[ChunkId]:
        """Return the chunks with a change after number `sequence`."""
        return frozenset(self._database.values(ChunkId, "SELECT chunk FROM change WHERE sequence > ?", (sequence,)))


class ChangeLogWriter(ChangeLog):
    """Appends to the change log, and records the progress of the keyword index."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._contents = ContentWriter(database)

    def announce(self, limit: int) -> int:
        """Append up to `limit` chunks of a long document that are not in the log yet; return how many.

        All at once they would delay every later file.
        """
        content = self._database.number(
            "SELECT id FROM content WHERE state = 'stored' AND sequence IS NULL AND EXISTS (SELECT 1 FROM file "
            "JOIN folder ON folder.id = file.folder WHERE file.content = content.id AND folder.removed_ns <= 0) LIMIT 1"
        )
        if not content:
            return 0
        with self._database.transaction():
            return self._contents.announce(ContentId(content), limit)

    def sync_to_disk(self, sequence: int) -> None:
        """Flush the catalog to the disk before an index stores the changes up to `sequence`.

        An index that is ahead of its catalog after a power loss would have to be rebuilt.
        """
        self._database.execute("PRAGMA synchronous=FULL")
        try:
            self._database.execute("INSERT OR REPLACE INTO meta VALUES ('secured', ?)", (str(sequence),))
        finally:
            self._database.execute("PRAGMA synchronous=NORMAL")

    def mark_searchable(self, sequence: int) -> None:
        """Record that the keyword index contains everything up to this change."""
        self._database.execute(
            "UPDATE content SET state = CASE WHEN EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id "
            "AND encoded = 0) THEN 'searchable' ELSE 'ready' END WHERE state = 'stored' AND sequence <= ?",
            (sequence,),
        )

    def mark_unsearchable(self, sequence: int) -> None:
        """Record that the keyword index contains nothing after this change, as when it was restored or rebuilt."""
        self._database.execute(
            "UPDATE content SET state = 'stored' WHERE state IN ('searchable', 'ready') AND sequence > ?", (sequence,)
        )

    def restart(self) -> None:
        """Rewrite the log as if every chunk had been added just now, for a repair."""
        self._database.execute("DELETE FROM change")
        self._database.execute("INSERT INTO change (kind, chunk) SELECT 'added', id FROM chunk ORDER BY id")
        self._database.execute(
            "INSERT INTO change (kind, chunk) SELECT 'encoded', id FROM chunk WHERE encoded = 1 ORDER BY id"
        )
        self._database.execute("UPDATE content SET sequence = (SELECT max(sequence) FROM change WHERE kind = 'added')")
