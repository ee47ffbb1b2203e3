"""The headers of mails, for the fields `from:`, `to:`, `cc:`, `subject:` and `sent:` of the query language."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import astuple
from typing import NamedTuple

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.catalog.database import Database, Value, batches, marks
from desktop_rag.index.records import ContentId

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
    content: int
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
        self._exists = False

    def of(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[MailHeader, ...]]:
        """Return the headers of the mails in these contents, in order; contents without any are missing."""
        found: defaultdict[ContentId, list[MailHeader]] = defaultdict(list)
        for some in batches(contents) if self._is_there() else ():
            rows = self._database.rows(
                _MailRow,
                "SELECT content, first_line, last_line, sender, receivers, copies, subject, sent FROM mail "
                f"WHERE content IN ({marks(len(some))}) ORDER BY content, first_line",
                some,
            )
            for row in rows:
                found[ContentId(row.content)].append(MailHeader(*row[1:]))
        return {content: tuple(headers) for content, headers in found.items()}

    def any(self) -> bool:
        """Return whether there is any mail."""
        return self._is_there() and self._database.number("SELECT EXISTS (SELECT 1 FROM mail)") > 0

    def _is_there(self) -> bool:
        if not self._exists:
            self._exists = self._database.number("SELECT count(*) FROM sqlite_master WHERE name = 'mail'") > 0
        return self._exists


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
