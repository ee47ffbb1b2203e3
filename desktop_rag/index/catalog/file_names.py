"""Cached indexes of the words in file names, also of files without text; the keyword index contains texts only."""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.file_table import VISIBLE
from desktop_rag.index.keywords.analysis import stem, terms
from desktop_rag.index.keywords.identifiers import identifier_parts
from desktop_rag.index.records import ContentId, FilePlace, FolderId
from desktop_rag.paths import valid_text

_ENDING = re.compile(r"(?<=.)\.(?=\w*[^\W\d])\w{1,8}$")
_PIECES = re.compile(r"\d+|[^\W\d_]+")
_REFRESH_FACTOR = 20.0  # the cache is refreshed at most after this multiple of the time a refresh takes


class _NameRow(NamedTuple):
    content: int
    root: bytes
    path: bytes


class FileNames:
    """Finds contents by words in their file names; may lag behind while the catalog is being written."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._wait_until = 0.0
        self._words: dict[bytes, frozenset[str]] = {}
        self._contents: dict[str, set[ContentId]] = {}
        self._files = 0

    def holding(self, words: Iterable[str]) -> frozenset[ContentId]:
        """Return the contents with any of these stems (see `words_of`) in a file name."""
        self._refresh()
        return frozenset[ContentId]().union(*(self._contents.get(word, ()) for word in words))

    def matching(self, pattern: re.Pattern[str]) -> frozenset[ContentId]:
        """Return the contents with a word in a file name that fully matches the pattern."""
        self._refresh()
        return self.holding([word for word in self._contents if pattern.fullmatch(word)])

    def count(self) -> int:
        """Return how many files there are."""
        self._refresh()
        return self._files

    def _refresh(self) -> None:
        began = time.monotonic()
        version = self._database.number("PRAGMA data_version")
        if version == self._version or began < self._wait_until:
            return
        rows = self._database.rows(
            _NameRow,
            "SELECT file.content, folder.path, file.path FROM file JOIN folder ON folder.id = file.folder "
            "AND folder.removed_ns = 0 WHERE file.content IS NOT NULL",
        )
        known, self._words = self._words, {}
        contents: defaultdict[str, set[ContentId]] = defaultdict(set)
        for row in rows:
            name = (row.path or row.root).replace(b"\\", b"/").rpartition(b"/")[2]
            words = self._words.get(name)
            if words is None:
                words = self._words[name] = known.get(name) or frozenset(words_of(name))
            for word in words:
                contents[word].add(ContentId(row.content))
        self._contents, self._files, self._version = dict(contents), len(rows), version
        ended = time.monotonic()
        self._wait_until = ended + _REFRESH_FACTOR * (ended - began)


def words_of(name: bytes) -> set[str]:
    """Return the words of a file name without its extension, case-folded and stemmed, whole and in parts.

    “Budget2023_finalVersion.xlsx” has budget2023, budget, 2023, finalversion, final and version.
    """
    text = _ENDING.sub("", valid_text(name.decode("utf-8", "replace")))
    found = {term.text for term in (*terms(text), *identifier_parts(text))}
    found |= {piece for word in found for piece in _PIECES.findall(word)}
    return found | {stem(word) for word in found}


class _TextlessRow(NamedTuple):
    content: int | None
    folder: int
    root: bytes
    path: bytes
    size: int
    mtime_ns: int
    reason: str


class TextlessFile(NamedTuple):
    """A file that was read without finding text, or not read for a reason; `content` is None if it was not read."""

    place: FilePlace
    content: ContentId | None
    reason: str
    words: frozenset[str]


class TextlessFiles:
    """Finds files without text by their names; may lag behind while the catalog is being written."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._wait_until = 0.0
        self._files: tuple[TextlessFile, ...] = ()
        self._by_word: dict[str, list[int]] = {}

    def all(self) -> tuple[TextlessFile, ...]:
        """Return every file without text."""
        self._refresh()
        return self._files

    def with_words(self, words: Iterable[str], tests: Sequence[Callable[[str], bool]] = ()) -> tuple[TextlessFile, ...]:
        """Return those of `all` with one of these stems in their names (see `words_of`), or one that passes a test."""
        held = [word for word in words if word in self._by_word]
        if tests:
            held += [word for word in self._by_word if any(test(word) for test in tests)]
        return tuple(self._files[number] for number in sorted({n for word in held for n in self._by_word[word]}))

    def _refresh(self) -> None:
        began = time.monotonic()
        version = self._database.number("PRAGMA data_version")
        if version == self._version or began < self._wait_until:
            return
        rows = self._database.rows(
            _TextlessRow,
            f"SELECT content, folder.id, folder.path, file.path, size, mtime_ns, reason FROM {VISIBLE} WHERE "
            "(content IS NULL AND pending = 0 AND outcome != '') OR (content IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.content = file.content))",
        )
        self._files = tuple(map(_file, rows))
        by_word: defaultdict[str, list[int]] = defaultdict(list)
        for number, file in enumerate(self._files):
            for word in file.words:
                by_word[word].append(number)
        self._by_word, self._version = dict(by_word), version
        ended = time.monotonic()
        self._wait_until = ended + _REFRESH_FACTOR * (ended - began)


def _file(row: _TextlessRow) -> TextlessFile:
    path = absolute(row.root, row.path)
    name = path.replace(b"\\", b"/").rpartition(b"/")[2]
    content = None if row.content is None else ContentId(row.content)
    place = FilePlace(FolderId(row.folder), path, row.size, row.mtime_ns)
    return TextlessFile(place, content, row.reason, frozenset(words_of(name)))
