"""An index of the words in file names, also of files without text; the keyword index contains texts only.

It is a full-text table of SQLite (FTS5) beside the table of files. Triggers queue each file whose name is new; the
indexer takes the queue, so no search goes through the names of a whole library. The names still in the queue are read
one by one, the newest first.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from desktop_rag.documents.ocr.ocr_engine import with_remedy
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.file_table import VISIBLE
from desktop_rag.index.catalog.stored_values import IS_PICTURES, MISSING
from desktop_rag.index.keywords.analysis import stem, terms
from desktop_rag.index.keywords.identifiers import identifier_parts
from desktop_rag.index.records import ContentId, FilePlace, FolderId
from desktop_rag.paths import valid_text

NAMES_AT_ONCE = 1000  # files of the queue that are indexed, or looked through by a search, at once
_MOST_FILES = 20_000  # with the same word in their names; more are no answer to a search
_MOST_TEXTLESS = 2_000
_MOST_HELD = 50  # sets of words whose contents are cached
_COUNT_SECONDS = 10.0  # for which the number of files is not counted again
_ENDING = re.compile(r"(?<=.)\.(?=\w*[^\W\d])\w{1,8}$")
_PIECES = re.compile(r"\d+|[^\W\d_]+")
_SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
_QUOTED_SIGNS = _SIGNS.replace("'", "''")
_TOKENIZER = f"ascii tokenchars '{_QUOTED_SIGNS}'".replace('"', '""')  # a word is one token

NAME_TABLES = f"""
-- The words of file names, by the id of the file, and the files whose words are not in it yet; see `file_names`.
CREATE VIRTUAL TABLE name_word USING fts5(
    words, content='', contentless_delete=1, detail=none, tokenize="{_TOKENIZER}"
);
CREATE VIRTUAL TABLE name_vocabulary USING fts5vocab(name_word, row);
CREATE TABLE name_queue (file INTEGER PRIMARY KEY);
CREATE TRIGGER name_added AFTER INSERT ON file BEGIN INSERT OR IGNORE INTO name_queue VALUES (new.id); END;
CREATE TRIGGER name_changed AFTER UPDATE OF path, folder ON file BEGIN
    INSERT OR IGNORE INTO name_queue VALUES (new.id);
END;
CREATE TRIGGER name_removed AFTER DELETE ON file BEGIN INSERT OR IGNORE INTO name_queue VALUES (old.id); END;
CREATE INDEX file_unread ON file (id) WHERE content IS NULL AND pending = 0 AND outcome != '';
CREATE INDEX content_without_words ON content (id) WHERE word_count = 0;
INSERT INTO name_queue SELECT id FROM file;
"""


class _QueuedName(NamedTuple):
    file: int
    root: bytes | None
    path: bytes | None


class FileNames:
    """Finds contents by words in their file names."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._queued: tuple[tuple[int, frozenset[str]], ...] = ()
        self._files = 0
        self._count_again_at = 0.0
        self._held: dict[frozenset[str], frozenset[ContentId]] = {}
        self._held_at: object = None

    def holding(self, words: Iterable[str]) -> frozenset[ContentId]:
        """Return the contents with any of these stems (see `words_of`) in a file name; none if nearly all have it.

        Cached until the next change: each part of a query asks for the same words.
        """
        version = self._database.number("PRAGMA data_version"), self._database.total_changes()
        if version != self._held_at or len(self._held) > _MOST_HELD:
            self._held_at, self._held = version, {}
        wanted = frozenset(words)
        if wanted not in self._held:
            self._held[wanted] = self._contents(self.files_holding(wanted))
        return self._held[wanted]

    def matching(self, pattern: re.Pattern[str], prefix: str = "") -> frozenset[ContentId]:
        """Return the contents with a word in a file name that begins with `prefix` and fully matches the pattern."""
        return self.holding(self.words_that(lambda word: pattern.fullmatch(word) is not None, prefix))

    def count(self) -> int:
        """Return about how many files with text there are: those of folders just removed count, too."""
        now = time.monotonic()
        if now >= self._count_again_at:
            self._files = self._database.number("SELECT count(*) FROM file WHERE content IS NOT NULL")
            self._count_again_at = now + _COUNT_SECONDS
        return self._files

    def is_indexed(self) -> bool:
        """Return whether the catalog has the index: not before an indexer of this version has opened it."""
        return self._database.has_table("name_queue")

    def files_holding(self, words: Iterable[str]) -> list[int]:
        """Return the ids of the files with any of these stems in their names, at most `_MOST_FILES`."""
        wanted = {word for word in words if word}
        if not wanted:
            return []
        found = [file for file, held in self._in_queue() if not held.isdisjoint(wanted)]
        if not self.is_indexed():
            return found
        for some in _groups(sorted(wanted)):
            asked = " OR ".join('"' + word.replace('"', '""') + '"' for word in some)
            sql = "SELECT rowid FROM name_word WHERE name_word MATCH ? LIMIT ?"
            count = self._database.number(f"SELECT count(*) FROM ({sql})", (asked, _MOST_FILES))
            if len(found) + count >= _MOST_FILES:
                return []
            found += self._database.values(int, sql, (asked, _MOST_FILES))
        return found

    def words_that(self, test: Callable[[str], bool], prefix: str = "") -> list[str]:
        """Return the words of names that begin with `prefix` and pass a test."""
        found = {word for _, words in self._in_queue() for word in words if word.startswith(prefix)}
        if self.is_indexed():
            sql = "SELECT term FROM name_vocabulary WHERE term >= ? AND term < ?"
            found.update(self._database.values(str, sql, (prefix, prefix + "\U0010ffff")))
        return [word for word in found if test(word)]

    def _contents(self, files: Iterable[int]) -> frozenset[ContentId]:
        sql = f"SELECT content FROM {VISIBLE} WHERE content IS NOT NULL AND file.id IN ({{}})"
        return frozenset(self._database.values_of(ContentId, sql, files))

    def _in_queue(self) -> tuple[tuple[int, frozenset[str]], ...]:
        version = self._database.number("PRAGMA data_version")
        if version != self._version:
            newest = f"{_QUEUED} ORDER BY name_queue.file DESC LIMIT {NAMES_AT_ONCE}"
            rows = self._database.rows(_QueuedName, newest if self.is_indexed() else _EVERY)
            self._queued = tuple((row.file, _words_of_row(row)) for row in rows if row.root is not None)
            self._version = version
        return self._queued


_QUEUED = (
    "SELECT name_queue.file, folder.path, file.path FROM name_queue LEFT JOIN file ON file.id = name_queue.file "
    "LEFT JOIN folder ON folder.id = file.folder"
)
_EVERY = f"SELECT file.id, folder.path, file.path FROM {VISIBLE}"


class FileNameWriter(FileNames):
    """Indexes the names in the queue."""

    def index_some(self) -> bool:
        """Index the words of some queued names; return whether there were any."""
        rows = self._database.rows(_QueuedName, f"{_QUEUED} LIMIT ?", (NAMES_AT_ONCE,))
        if not rows:
            return False
        with self._database.transaction():
            self._database.execute_many("DELETE FROM name_word WHERE rowid = ?", ((row.file,) for row in rows))
            self._database.execute_many(
                "INSERT INTO name_word (rowid, words) VALUES (?, ?)",
                ((row.file, " ".join(_words_of_row(row))) for row in rows if row.root is not None),
            )
            self._database.execute_many("DELETE FROM name_queue WHERE file = ?", ((row.file,) for row in rows))
        return True

    def rebuild(self) -> None:
        """Empty the index and queue every file."""
        self._database.execute("INSERT INTO name_word (name_word) VALUES ('delete-all')")
        self._database.execute("INSERT OR IGNORE INTO name_queue SELECT id FROM file")

    def overwrite(self) -> None:
        """Merge the index, which removes the words of deleted files."""
        self._database.execute("INSERT INTO name_word (name_word) VALUES ('optimize')")


def _words_of_row(row: _QueuedName) -> frozenset[str]:
    return words_of((row.path or row.root or b"").replace(b"\\", b"/").rpartition(b"/")[2])


def _groups(words: Sequence[str]) -> Iterable[Sequence[str]]:
    return (words[first : first + NAMES_AT_ONCE] for first in range(0, len(words), NAMES_AT_ONCE))


def without_extension(name: str) -> str:
    """Return a file name without its extension, unchanged if it has none."""
    return _ENDING.sub("", name)


@lru_cache(maxsize=4096)
def words_of(name: bytes) -> frozenset[str]:
    """Return the words of a file name without its extension, case-folded and stemmed, whole and in parts.

    “Budget2023_finalVersion.xlsx” has budget2023, budget, 2023, finalversion, final and version.
    """
    text = without_extension(valid_text(name.decode("utf-8", "replace")))
    found = {term.text for term in (*terms(text), *identifier_parts(text))}
    found |= {piece for word in found for piece in _PIECES.findall(word)}
    return frozenset(found | {stem(word) for word in found})


class _TextlessRow(NamedTuple):
    file: int
    content: ContentId | None
    folder: FolderId
    root: bytes
    path: bytes
    size: int
    mtime_ns: int
    reason: str
    unread_pages: int


class TextlessFile(NamedTuple):
    """A file that was read without finding text, or not read for a reason; `content` is None if it was not read."""

    place: FilePlace
    content: ContentId | None
    reason: str
    words: frozenset[str]


class NameTest(NamedTuple):
    """A test for the words of names; those that pass begin with `prefix`."""

    prefix: str
    passes: Callable[[str], bool]


class TextlessFiles:
    """Finds files without text by their names."""

    def __init__(self, database: Database, names: FileNames) -> None:
        self._database = database
        self._names = names
        self._version = -1
        self._files: frozenset[int] = frozenset()

    def all(self) -> tuple[TextlessFile, ...]:
        """Return every file without text, the newest `_MOST_TEXTLESS`."""
        return self._newest(self._ids())

    def every(self) -> Iterator[tuple[TextlessFile, bool]]:
        """Yield each file without text, and each picture of text, which is True of the second."""
        pictures = set(self._database.values(int, _PICTURES))
        without = self._ids()
        for file, read in self._read(sorted(without | pictures)):
            yield read, file not in without

    def with_words(self, words: Iterable[str], tests: Sequence[NameTest] = ()) -> tuple[TextlessFile, ...]:
        """Return those of `all` with one of these stems in their names (see `words_of`), or one that passes a test."""
        wanted = set(words)
        for test in tests:
            wanted.update(self._names.words_that(test.passes, test.prefix))
        holding = self._names.files_holding(wanted)
        return self._newest(self._ids().intersection(holding).union(self._pictures(holding)))

    def _pictures(self, files: Iterable[int]) -> set[int]:
        """Return those of some files that are pictures of text: the few words beside them do not say what they show."""
        return set(self._database.values_of(int, f"{_PICTURES} AND file.id IN ({{}})", sorted(files)))

    def _ids(self) -> frozenset[int]:
        version = self._database.number("PRAGMA data_version")
        if version != self._version:
            self._files = frozenset(self._database.values(int, _TEXTLESS))
            self._version = version
        return self._files

    def _newest(self, files: Iterable[int]) -> tuple[TextlessFile, ...]:
        return tuple(file for _, file in self._read(sorted(files, reverse=True)[:_MOST_TEXTLESS]))

    def _read(self, files: Sequence[int]) -> Iterator[tuple[int, TextlessFile]]:
        sql = (
            f"SELECT file.id, content, folder.id, folder.path, file.path, size, mtime_ns, CASE WHEN content IS NULL "
            f"THEN reason ELSE {MISSING} END AS missing, coalesce(unread_pages, 0) FROM {VISIBLE} "
            "LEFT JOIN content ON content.id = file.content WHERE file.id IN ({})"
        )
        return ((row.file, _file(row)) for row in self._database.rows_of(_TextlessRow, sql, files))


_PICTURES = f"SELECT file.id FROM file JOIN content ON file.content = content.id WHERE {IS_PICTURES}"
_TEXTLESS = (
    "SELECT id FROM file WHERE content IS NULL AND pending = 0 AND outcome != '' UNION ALL "
    "SELECT file.id FROM content JOIN file ON file.content = content.id WHERE content.word_count = 0 "
    "AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id)"
)


def _file(row: _TextlessRow) -> TextlessFile:
    path = absolute(row.root, row.path)
    name = path.replace(b"\\", b"/").rpartition(b"/")[2]
    place = FilePlace(row.folder, path, row.size, row.mtime_ns)
    reason = with_remedy(row.reason) if row.unread_pages else row.reason
    return TextlessFile(place, row.content, reason, words_of(name))
