"""A cached index of the words in file names; the keyword index contains texts only."""

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.keywords.analysis import stem, terms
from desktop_rag.index.keywords.identifiers import identifier_parts
from desktop_rag.index.records import ContentId
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
