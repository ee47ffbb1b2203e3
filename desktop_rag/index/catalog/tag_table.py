"""The tags that documents give themselves, for the field `tag:` of the query language."""

from collections import defaultdict
from collections.abc import Iterable

from desktop_rag.index.catalog.database import Database, Value, batches, marks
from desktop_rag.index.records import ContentId

# Created when the indexer opens the catalog: older catalogs of the same format lack it.
_TABLE = """
CREATE TABLE IF NOT EXISTS tag (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (content, ordinal)
) WITHOUT ROWID;
"""


class TagTable:
    """Reads the tags of contents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[str, ...]]:
        """Return the tags of these contents in the order of the document; contents without any are missing."""
        found: defaultdict[ContentId, list[str]] = defaultdict(list)
        for some in batches(contents) if self._database.has_table("tag") else ():
            sql = f"SELECT content, name FROM tag WHERE content IN ({marks(len(some))}) ORDER BY content, ordinal"
            for content, name in self._database.rows(tuple[int, str], sql, some):
                found[ContentId(content)].append(name)
        return {content: tuple(names) for content, names in found.items()}


class TagWriter(TagTable):
    """Stores the tags of contents."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        database.execute(_TABLE)

    def store(self, content: ContentId, tags: Iterable[str]) -> list[tuple[Value, ...]]:
        """Store the tags of a content; return what was stored, without the content."""
        rows: list[tuple[Value, ...]] = list(enumerate(tags))
        self._database.execute_many(
            "INSERT OR REPLACE INTO tag (content, ordinal, name) VALUES (?, ?, ?)", ((content, *row) for row in rows)
        )
        return rows
