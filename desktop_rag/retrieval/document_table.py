"""Every visible document in a few arrays: its own date, and which others are counted alike; kept until a change.

Without it each list and each count of a large library would read the records of all its documents.
"""

import os
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


class Alike(NamedTuple):
    """A document, and how many are counted like it, itself included."""

    content: ContentId
    number: int


class DocumentTable:
    """The documents in ascending order; of those in one folder, month and so on `kinds` has the same number."""

    def __init__(self, contents: Numbers, dates: Numbers, kinds: Numbers) -> None:
        self._contents, self._dates, self._kinds = contents, dates, kinds

    def alike(self, contents: frozenset[ContentId]) -> list[Alike]:
        """Return one of each kind of these documents, those unknown here each on its own."""
        asked = np.fromiter(contents, np.int64, len(contents))
        known = np.isin(asked, self._contents)
        unknown = [Alike(ContentId(content), 1) for content in asked[~known].tolist()]
        asked = asked[known]
        kinds = self._kinds[np.searchsorted(self._contents, asked)]
        _, first, numbers = np.unique(kinds, return_index=True, return_counts=True)
        found = zip(asked[first].tolist(), numbers.tolist(), strict=True)
        return [*(Alike(ContentId(content), number) for content, number in found), *unknown]

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
    numbers: dict[object, int] = {}
    last = None
    for rows in catalog.files.described(_ROWS):
        stop.check()
        for row in rows:
            if row.content == last:  # the first file is shown; such a document is counted on its own
                kinds[-1] = -row.content
                continue
            last = row.content
            folder, _, name = absolute(row.root, row.path).rpartition(_SEPARATOR)
            moment = own_date_of((row.modified, row.created), row.title, name, row.mtime_ns)
            dated = datetime.fromtimestamp(moment / 1e9)
            ending = name.rpartition(b".")[2]
            kind = (row.folder, folder, ending, dated.year, dated.month, row.author, row.language, row.tags)
            contents.append(row.content)
            dates.append(moment)
            kinds.append(numbers.setdefault(kind, len(numbers)))
    return DocumentTable(np.array(contents, np.int64), np.array(dates, np.int64), np.array(kinds, np.int64))
