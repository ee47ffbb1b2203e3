"""The user's bookmarked passages and notes, in a database of their own beside the conversations.

A bookmark stores content hash, lines and text, so that it survives moves and is located in a changed file. Every commit
is flushed to disk and copies rotate beside the file, as for conversations.
"""

import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePath
from typing import NewType

from desktop_rag.agent.conversations.backups import counted_transaction, erase_traces, open_or_read
from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.errors import BookmarkError, LibraryError
from desktop_rag.index.catalog.database import Database

FORMAT = 1

_SCHEMA = """
CREATE TABLE bookmark (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 BLOB NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL,
    page INTEGER, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, quote TEXT NOT NULL, note TEXT NOT NULL,
    made_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE written (times INTEGER NOT NULL) STRICT;
INSERT INTO written VALUES (0);
"""
_COLUMNS = "sha256, path, title, page, first_line, last_line, quote, note, made_ns"

BookmarkId = NewType("BookmarkId", int)


@dataclass(frozen=True, slots=True)
class BookmarkedPassage:
    """Lines of a content at the time of bookmarking; `sha256` is the hexadecimal hash of the file."""

    sha256: str
    path: str
    title: str
    page: int | None
    first_line: int
    last_line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A passage and the user's note on it."""

    id: BookmarkId
    passage: BookmarkedPassage
    note: str
    made_ns: int


class BookmarkStore:
    """Bookmarks on disk; `notice` tells the user if the file was restored or is read-only."""

    def __init__(self, path: Path) -> None:
        with _bookmark_errors(f"opened in {path}"):
            self._db, self.notice = open_or_read(path, FORMAT, _create, "bookmarks")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def all(self) -> tuple[Bookmark, ...]:
        """Return all bookmarks by document, in the order of lines."""
        sql = f"SELECT id, {_COLUMNS} FROM bookmark ORDER BY title COLLATE NOCASE, path, first_line, id"
        with _bookmark_errors("read"):
            rows = self._db.rows(tuple[BookmarkId, bytes, str, str, int | None, int, int, str, str, int], sql)
        return tuple(Bookmark(row[0], BookmarkedPassage(row[1].hex(), *row[2:8]), *row[8:]) for row in rows)

    def add(self, passage: BookmarkedPassage, note: str = "") -> Bookmark:
        """Store a passage, or update the note of an equal one; return the bookmark."""
        same = "SELECT id FROM bookmark WHERE sha256 = ? AND first_line = ? AND last_line = ? AND quote = ?"
        sha256 = bytes.fromhex(passage.sha256)
        place = (passage.page, passage.first_line, passage.last_line)
        with self._writing():
            found = self._db.values(int, same, (sha256, *place[1:], passage.quote))
            if found:
                if note:
                    self._db.execute("UPDATE bookmark SET note = ? WHERE id = ?", (note, found[0]))
            else:
                values = (sha256, passage.path, passage.title, *place, passage.quote, note, time.time_ns())
                self._db.insert(f"INSERT INTO bookmark ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            kept = found[0] if found else self._db.number("SELECT last_insert_rowid()")
        return next(bookmark for bookmark in self.all() if bookmark.id == kept)

    def restore(self, bookmark: Bookmark) -> None:
        """Undo the deletion of a bookmark."""
        passage = bookmark.passage
        place = (passage.page, passage.first_line, passage.last_line)
        sha256 = bytes.fromhex(passage.sha256)
        values = (sha256, passage.path, passage.title, *place, passage.quote, bookmark.note, bookmark.made_ns)
        with self._writing():
            sql = f"INSERT OR REPLACE INTO bookmark (id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            self._db.execute(sql, (bookmark.id, *values))

    def write_note(self, bookmark: BookmarkId, note: str) -> None:
        """Replace the note of a bookmark."""
        with self._writing():
            self._db.execute("UPDATE bookmark SET note = ? WHERE id = ?", (note.strip(), bookmark))

    def delete(self, bookmark: BookmarkId) -> None:
        """Delete a bookmark with its note."""
        with self._writing():
            self._db.execute("DELETE FROM bookmark WHERE id = ?", (bookmark,))

    def count_from(self, forgotten: Forgotten) -> int:
        """Count the bookmarks in a folder."""
        return sum(_belongs_to(bookmark, forgotten) for bookmark in self.all())

    def erase_from(self, forgotten: Forgotten) -> int:
        """Erase the bookmarks of a folder from the file and every copy; return their number."""
        erased = [(bookmark.id,) for bookmark in self.all() if _belongs_to(bookmark, forgotten)]
        with self._writing():
            self._db.execute_many("DELETE FROM bookmark WHERE id = ?", erased)
        with _bookmark_errors("changed"):
            erase_traces(self._db)
        return len(erased)

    @contextmanager
    def _writing(self) -> Generator[None]:
        with _bookmark_errors("changed"), counted_transaction(self._db):
            yield


def _create(db: Database, _found: int) -> None:
    db.execute(_SCHEMA)


def as_markdown(bookmarks: Iterable[Bookmark]) -> str:
    """Return bookmarks as Markdown: each document with its passages and notes."""
    parts = ["# Bookmarks and notes"]
    for (title, path), group in groupby(bookmarks, key=lambda each: (each.passage.title, each.passage.path)):
        name = PurePath(path.replace("\\", "/")).name
        parts.append(f"## {' '.join(title.split()) or name}")
        parts.append(f"`{path}`")
        for bookmark in group:
            parts.append(_quotation(bookmark.passage))
            if bookmark.note:
                parts.append(bookmark.note)
    return "\n\n".join(parts) + "\n"


def _quotation(passage: BookmarkedPassage) -> str:
    first, last = passage.first_line, passage.last_line
    lines = f"line {first}" if first == last else f"lines {first}–{last}"
    where = f"page {passage.page}, {lines}" if passage.page is not None else lines
    return "\n".join(f"> {line}" if line else ">" for line in (*passage.quote.strip().splitlines(), "", f"— {where}"))


def _belongs_to(bookmark: Bookmark, forgotten: Forgotten) -> bool:
    passage = bookmark.passage
    return passage.sha256 in forgotten.contents or forgotten.contains(passage.path)


@contextmanager
def _bookmark_errors(what: str) -> Generator[None]:
    """Turn database errors into `BookmarkError`."""
    try:
        yield
    except (LibraryError, OSError) as error:
        raise BookmarkError(f"The bookmarks could not be {what} ({error.__cause__ or error}).") from error
