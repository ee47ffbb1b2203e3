"""The tags that documents give themselves, for the field `tag:` of the query language."""

from collections import defaultdict
from collections.abc import Iterable

from desktop_rag.index.catalog.database import Database, Value, batches, marks
from desktop_rag.index.records import ContentId
from desktop_rag.text.tag_names import has_tag

# The first version of the readers that collects all tags, also those of members of archives.
READER_WITH_TAGS = 8

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
        self._having: tuple[object, frozenset[ContentId]] = (None, frozenset())

    def of(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[str, ...]]:
        """Return the tags of these contents in the order of the document; contents without any are missing."""
        found: defaultdict[ContentId, list[str]] = defaultdict(list)
        for some in batches(contents) if self._database.has_table("tag") else ():
            sql = f"SELECT content, name FROM tag WHERE content IN ({marks(len(some))}) ORDER BY content, ordinal"
            for content, name in self._database.rows(tuple[int, str], sql, some):
                found[ContentId(content)].append(name)
        return {content: tuple(names) for content, names in found.items()}

    def having(self, wanted: tuple[str, ...]) -> frozenset[ContentId]:
        """Return the contents with one of these tags or one below it, and those whose tags are not known yet.

        Those are of a reader version that collected no tags; they are read again when their files are at hand. Cached
        until the next change.
        """
        if not wanted:
            return frozenset()
        key = (self._database.number("PRAGMA data_version"), self._database.total_changes(), wanted)
        if self._having[0] != key:
            self._having = key, self._find(wanted)
        return self._having[1]

    def _find(self, wanted: tuple[str, ...]) -> frozenset[ContentId]:
        found = set(self._database.values(int, "SELECT id FROM content WHERE reader < ?", (READER_WITH_TAGS,)))
        if self._database.has_table("tag"):
            names = self._database.values(str, "SELECT DISTINCT name FROM tag")
            for name in names:
                if has_tag((name,), wanted):
                    found.update(self._database.values(int, "SELECT content FROM tag WHERE name = ?", (name,)))
        return frozenset(map(ContentId, found))


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
