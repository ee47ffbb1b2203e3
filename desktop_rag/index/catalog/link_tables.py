"""The links between texts and documents, as keys (see `links.mentions`): names in chunks, names of documents."""

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.records import ChunkId, ContentId

_AT_ONCE = 50_000  # keys that are Python's integers at once

# Created when the indexer opens the catalog: older catalogs of the same format lack these tables.
_TABLES = """
-- Which chunks contain a name; the key is the beginning of its hash, see `links.mentions`.
CREATE TABLE IF NOT EXISTS mention (
    key INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    PRIMARY KEY (key, chunk)
) WITHOUT ROWID;
-- The same by chunk, all keys in one blob: to follow links from a chunk, and to delete its keys.
CREATE TABLE IF NOT EXISTS mentioning (chunk INTEGER PRIMARY KEY, keys BLOB NOT NULL);

-- The names of a content: its title and its file names; `unnamed` are the contents whose names are to be updated.
CREATE TABLE IF NOT EXISTS called (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    key INTEGER NOT NULL,
    PRIMARY KEY (content, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS called_key ON called (key);
CREATE TABLE IF NOT EXISTS unnamed (content INTEGER PRIMARY KEY);
CREATE TRIGGER IF NOT EXISTS file_linked AFTER UPDATE OF content, path ON file WHEN new.content IS NOT NULL BEGIN
    INSERT OR IGNORE INTO unnamed VALUES (new.content);
END;
CREATE TRIGGER IF NOT EXISTS file_came AFTER INSERT ON file WHEN new.content IS NOT NULL BEGIN
    INSERT OR IGNORE INTO unnamed VALUES (new.content);
END;
"""


class LinkTables:
    """Reads the links."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def exist(self) -> bool:
        """Return whether links have been extracted in this catalog at all."""
        return self._database.has_table("mentioning")

    def keys_in(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, set[int]]:
        """Return the keys of the names in these chunks; chunks without any are missing."""
        rows = self._database.rows(
            tuple[ChunkId, bytes], f"SELECT chunk, keys FROM mentioning WHERE chunk IN ({marks(len(chunks))})", chunks
        )
        return {chunk: set(array("q", data)) for chunk, data in rows}

    def documents_named(self, keys: Sequence[int]) -> dict[int, list[ContentId]]:
        """Return the documents with each of these names; not those that no file holds any more."""
        rows = self._database.rows(
            tuple[int, ContentId],
            "SELECT called.key, content FROM json_each(?1) AS asked JOIN called ON called.key = asked.value "
            "WHERE EXISTS (SELECT 1 FROM file WHERE file.content = called.content)",
            (json.dumps(keys),),
        )
        found: dict[int, list[ContentId]] = defaultdict(list)
        for key, content in rows:
            found[key].append(content)
        return found

    def chunk_counts(self, keys: Sequence[int], most: int) -> dict[int, int]:
        """Return how many chunks contain each name, counted up to `most`."""
        return dict(
            self._database.rows(
                tuple[int, int],
                "SELECT asked.value, (SELECT count(*) FROM (SELECT 1 FROM mention WHERE mention.key = asked.value "
                "LIMIT ?2)) FROM json_each(?1) AS asked",
                (json.dumps(keys), most),
            )
        )

    def chunks_with(self, keys: Iterable[int]) -> dict[int, list[ChunkId]]:
        """Return the chunks that contain each of these names."""
        rows = self._database.rows(
            tuple[int, ChunkId],
            "SELECT mention.key, chunk FROM json_each(?1) AS asked JOIN mention ON mention.key = asked.value",
            (json.dumps(list(keys)),),
        )
        found: dict[int, list[ChunkId]] = defaultdict(list)
        for key, chunk in rows:
            found[key].append(chunk)
        return found

    def chunks_naming(self, content: ContentId, limit: int) -> list[ChunkId]:
        """Return up to `limit` chunks that contain a name of a document."""
        return self._database.values(
            ChunkId,
            "SELECT DISTINCT mention.chunk FROM called JOIN mention ON mention.key = called.key "
            "WHERE called.content = ? LIMIT ?",
            (content, limit),
        )


class LinkWriter(LinkTables):
    """Writes the links; used by `LinkSync` only."""

    def prepare(self) -> None:
        """Create the tables if they are missing; every content is then to be named."""
        if not self.exist():
            with self._database.transaction():
                self._database.execute(_TABLES)
                self._queue_all()

    def watermark(self) -> str:
        """Return the text set by `set_watermark`, or an empty one."""
        found = self._database.values(str, "SELECT value FROM meta WHERE key = 'linked'")
        return found[0] if found else ""

    def set_watermark(self, watermark: str) -> None:
        """Store the progress of the link tables in the change log, as text."""
        self._database.execute("INSERT OR REPLACE INTO meta VALUES ('linked', ?)", (watermark,))

    def clear(self) -> None:
        """Delete all links; every content is then to be named again."""
        with self._database.transaction():
            for table in ("mention", "mentioning", "called"):
                self._database.execute(f"DELETE FROM {table}")
            self._queue_all()

    def unnamed(self, limit: int) -> list[ContentId]:
        """Return up to `limit` contents whose names are to be updated."""
        return self._database.values(ContentId, "SELECT content FROM unnamed LIMIT ?", (limit,))

    def set_names(self, names: dict[ContentId, list[int]]) -> None:
        """Store the keys of the names of contents, and take these contents off the list of unnamed ones."""
        for content, keys in names.items():
            self._database.execute("DELETE FROM called WHERE content = ?", (content,))
            self._database.execute_many(
                "INSERT INTO called (content, key) VALUES (?, ?)", ((content, key) for key in keys)
            )
        self._database.execute(f"DELETE FROM unnamed WHERE content IN ({marks(len(names))})", list(names))

    def add_mentions(self, keys: Mapping[ChunkId, "array[int]"]) -> None:
        """Store the keys of the names in new chunks."""
        self._database.execute_many(
            "INSERT INTO mentioning (chunk, keys) VALUES (?, ?)",
            ((chunk, held.tobytes()) for chunk, held in keys.items()),
        )
        named = np.frombuffer(b"".join(held.tobytes() for held in keys.values()), np.int64)
        chunks = np.repeat(np.fromiter(keys, np.int64, len(keys)), list(map(len, keys.values())))
        order = np.lexsort((chunks, named))  # that of the table, so that each of its pages is looked up once
        for first in range(0, len(order), _AT_ONCE):
            some = order[first : first + _AT_ONCE]
            pairs = zip(named.take(some).tolist(), chunks.take(some).tolist(), strict=True)
            self._database.execute_many("INSERT OR IGNORE INTO mention (key, chunk) VALUES (?, ?)", pairs)

    def delete_mentions(self, chunks: Sequence[ChunkId]) -> None:
        """Delete the keys of the names in chunks."""
        for chunk, keys in self.keys_in(chunks).items():
            self._database.execute_many(
                "DELETE FROM mention WHERE key = ? AND chunk = ?", ((key, chunk) for key in keys)
            )
            self._database.execute("DELETE FROM mentioning WHERE chunk = ?", (chunk,))

    def _queue_all(self) -> None:
        self._database.execute("INSERT OR IGNORE INTO unnamed SELECT content FROM file WHERE content IS NOT NULL")
