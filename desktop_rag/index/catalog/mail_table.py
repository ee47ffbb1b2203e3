"""The headers of mails, for the fields `from:`, `to:`, `cc:`, `subject:` and `sent:` of the query language."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import astuple
from typing import NamedTuple

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.catalog.database import Database, Value
from desktop_rag.index.records import ContentId
from desktop_rag.text.normalize import has_tag

# Created when the indexer opens the catalog: older catalogs of the same format lack it.
_TABLE = """
CREATE TABLE IF NOT EXISTS mail (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    sender TEXT NOT NULL,
    receivers TEXT NOT NULL,
    copies TEXT NOT NULL,
    subject TEXT NOT NULL,
    sent TEXT NOT NULL,
    PRIMARY KEY (content, first_line)
) WITHOUT ROWID;
"""


class _MailRow(NamedTuple):
    content: ContentId
    first_line: int
    last_line: int
    sender: str
    receivers: str
    copies: str
    subject: str
    sent: str


class MailTable:
    """Reads the headers of mails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[MailHeader, ...]]:
        """Return the headers of the mails in these contents, in order; contents without any are missing."""
        sql = (
            "SELECT content, first_line, last_line, sender, receivers, copies, subject, sent FROM mail "
            "WHERE content IN ({}) ORDER BY content, first_line"
        )
        found: defaultdict[ContentId, list[MailHeader]] = defaultdict(list)
        for row in self._database.rows_of(_MailRow, sql, contents) if self._database.has_table("mail") else ():
            found[row.content].append(MailHeader(*row[1:]))
        return {content: tuple(headers) for content, headers in found.items()}

    def any(self) -> bool:
        """Return whether there is any mail."""
        return self._database.has_table("mail") and self._database.number("SELECT EXISTS (SELECT 1 FROM mail)") > 0


class MailWriter(MailTable):
    """Stores the headers of mails."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        database.execute(_TABLE)

    def store(self, content: ContentId, headers: Iterable[MailHeader]) -> list[tuple[Value, ...]]:
        """Store the headers of a content, one for each line; return what was stored, without the content."""
        by_line = {mail.first_line: astuple(mail) for mail in headers}
        rows = [by_line[line] for line in sorted(by_line)]
        self._database.execute_many(
            "INSERT INTO mail (content, first_line, last_line, sender, receivers, copies, subject, sent) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((content, *row) for row in rows),
        )
        return rows


# The tags that documents give themselves, for the field `tag:` of the query language.

# The first version of the readers that collects all tags, also those of members of archives.
READER_WITH_TAGS = 8

# Created when the indexer opens the catalog: older catalogs of the same format lack it.
_TABLE_TABLE = """
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
        sql = "SELECT content, name FROM tag WHERE content IN ({}) ORDER BY content, ordinal"
        there = contents if self._database.has_table("tag") else ()
        for content, name in self._database.rows_of(tuple[ContentId, str], sql, there):
            found[content].append(name)
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
        found = set(self._database.values(ContentId, "SELECT id FROM content WHERE reader < ?", (READER_WITH_TAGS,)))
        if self._database.has_table("tag"):
            names = self._database.values(str, "SELECT DISTINCT name FROM tag")
            for name in names:
                if has_tag((name,), wanted):
                    found.update(self._database.values(ContentId, "SELECT content FROM tag WHERE name = ?", (name,)))
        return frozenset(found)


class TagWriter(TagTable):
    """Stores the tags of contents."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        database.execute(_TABLE_TABLE)

    def store(self, content: ContentId, tags: Iterable[str]) -> list[tuple[Value, ...]]:
        """Store the tags of a content; return what was stored, without the content."""
        rows: list[tuple[Value, ...]] = list(enumerate(tags))
        self._database.execute_many(
            "INSERT OR REPLACE INTO tag (content, ordinal, name) VALUES (?, ?, ?)", ((content, *row) for row in rows)
        )
        return rows
