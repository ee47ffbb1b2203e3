"""A cached list of the files without searchable text, and an index of the words in their names."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.index.catalog.file_table import VISIBLE
from desktop_rag.index.records import ContentId, FilePlace, FolderId

_REFRESH_FACTOR = 20.0  # the cache is refreshed at most after this multiple of the time a refresh takes


class _Row(NamedTuple):
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
            _Row,
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


def _file(row: _Row) -> TextlessFile:
    path = absolute(row.root, row.path)
    name = path.replace(b"\\", b"/").rpartition(b"/")[2]
    content = None if row.content is None else ContentId(row.content)
    place = FilePlace(FolderId(row.folder), path, row.size, row.mtime_ns)
    return TextlessFile(place, content, row.reason, frozenset(words_of(name)))
