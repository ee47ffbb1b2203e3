"""Orders hits by date, name, size or folder instead of relevance."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from desktop_rag.retrieval.api import Hit, SearchRequest, Sort

SortKey = tuple[int | str, ...]


def sort_key(sort: Sort, path: str, dated_ns: int, size: int) -> SortKey:
    """Return the key to sort by, ascending; the same for all by relevance, so that a stable sort keeps the order."""
    folder, _, name = path.rpartition(os.sep)
    match sort:
        case Sort.RELEVANCE:
            return ()
        case Sort.DATE:
            return (-dated_ns,)
        case Sort.NAME:
            return (name.casefold(), path)
        case Sort.SIZE:
            return (-size,)
        case Sort.FOLDER:
            return (folder.casefold(), name.casefold(), path)
    assert_never(sort)


def sorted_hits(hits: Sequence[Hit], request: SearchRequest) -> tuple[Hit, ...]:
    """Return the first hits in the order of a request that has one other than relevance, with new ranks."""

    def key(hit: Hit) -> SortKey:
        return sort_key(request.sort, str(hit.path), hit.dated_ns, hit.size)

    ordered = sorted(hits, key=key, reverse=request.reverse)[: request.limit]
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1))
