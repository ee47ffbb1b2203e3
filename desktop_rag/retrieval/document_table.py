"""Every visible document in a few arrays: its own date, and which others are counted alike; kept until a change.

Without it each list and each count of a large library would read the records of all its documents.
"""

import os
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.own_dates import own_date_of
from desktop_rag.stop import Stop

_ROWS = 5_000  # files read at a time
_SEPARATOR = os.fsencode(os.sep)
Numbers = npt.NDArray[np.int64]


class Kind(NamedTuple):
    """What is counted of a document; `ending` is that of any name, `suffix` with its point, `tags` has one a line."""

    folder: int
    inside: bytes
    ending: bytes
    suffix: str
    year: int
    month: int
    author: str
    language: str
    tags: str


class Alike(NamedTuple):
    """A document, and how many are counted like it, itself included; `kind` is None if that is unknown."""

    content: ContentId
    number: int
    kind: Kind | None = None


class DocumentTable:
    """The documents in ascending order; `kinds` has the number of each one's kind, another one where it is unknown."""

    def __init__(self, contents: Numbers, dates: Numbers, kinds: Numbers, known: Sequence[Kind]) -> None:
        self._contents, self._dates, self._kinds, self._known = contents, dates, kinds, known

    def alike(self, contents: Collection[ContentId] | Numbers, *, others: bool) -> list[Alike]:
        """Return one of each kind of these documents; with `others` also those unknown here, each on its own."""
        asked = contents if isinstance(contents, np.ndarray) else np.fromiter(contents, np.int64, len(contents))
        known = np.isin(asked, self._contents)
        unknown = [Alike(ContentId(content), 1) for content in asked[~known].tolist()] if others else []
        asked = asked[known]
        kinds = self._kinds[np.searchsorted(self._contents, asked)]
        some, first, numbers = np.unique(kinds, return_index=True, return_counts=True)
        found = zip(asked[first].tolist(), numbers.tolist(), some.tolist(), strict=True)
        return [
            *(Alike(ContentId(one), number, self._known[kind] if kind >= 0 else None) for one, number, kind in found),
            *unknown,
        ]

    @cached_property
    def newest_first(self) -> tuple[ContentId, ...]:
        """The documents by their own date."""
        order = np.lexsort((self._contents, -self._dates))
        return tuple(map(ContentId, self._contents[order].tolist()))


def document_table(catalog: CatalogReader, stop: Stop) -> DocumentTable:
    """Return the table of a catalog; raises `Stopped`."""
    version = catalog.files.version()
    known = catalog.documents
    if known is None or known[0] != version:
        known = catalog.documents = version, _read(catalog, stop)
    table = known[1]
    assert isinstance(table, DocumentTable)
    return table


def _read(catalog: CatalogReader, stop: Stop) -> DocumentTable:
    contents, dates, kinds = list[int](), list[int](), list[int]()
    numbers: dict[Kind, int] = {}
    last = None
    for rows in catalog.files.described(_ROWS):
        stop.check()
        for row in rows:
            if row.content == last:  # the first file is shown; such a document is counted on its own
                kinds[-1] = -row.content
                continue
            last = row.content
            path = absolute(row.root, row.path)
            moment = own_date_of((row.modified, row.created), row.title, path.rpartition(_SEPARATOR)[2], row.mtime_ns)
            kind = kind_of(row.folder, path, moment, row.author, row.language, row.tags or "")
            contents.append(row.content)
            dates.append(moment)
            kinds.append(numbers.setdefault(kind, len(numbers)))
    known = tuple(numbers)
    return DocumentTable(np.array(contents, np.int64), np.array(dates, np.int64), np.array(kinds, np.int64), known)


def kind_of(folder: int, path: bytes, moment_ns: int, author: str, language: str, tags: str) -> Kind:
    """Return the kind of a document by its first file and its own date."""
    inside, _, name = path.rpartition(_SEPARATOR)
    stem, _, ending = name.rpartition(b".")
    suffix = f".{os.fsdecode(ending)}" if stem and ending else ""
    dated = datetime.fromtimestamp(moment_ns / 1e9)
    return Kind(folder, inside, ending, suffix, dated.year, dated.month, author, language, tags)
