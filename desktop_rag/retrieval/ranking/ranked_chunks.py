"""Chunks in the order of a search, as a ranker returns them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Hit, MatchReason, Mode, SearchRequest, Sort
from desktop_rag.retrieval.ranking.reranking import RerankFeatures


class RankedChunk(NamedTuple):
    """A chunk with its score; `sentence` is the number of its sentence nearest to the query, or -1.

    `features` are those it was re-ranked by, None if it was not.
    """

    chunk: ChunkId
    score: float
    why: MatchReason
    sentence: int = -1
    features: RerankFeatures | None = None

    def is_nearer(self, mode: Mode) -> bool:
        """Return whether it is found rather by meaning than by words, so that its nearest sentence is shown."""
        keyword, semantic = self.why.keyword_rank, self.why.semantic_rank
        return semantic is not None and (keyword is None or semantic < keyword or mode is Mode.SEMANTIC)


@dataclass(frozen=True, slots=True)
class RankedChunks:
    """Chunks, best first; `complete` says that there are no more, `more` as in `SearchResult`.

    `note` says what could not be searched and why, `encoder_note` what limits search by meaning; both may be empty.
    """

    found: Sequence[RankedChunk]
    note: str = ""
    complete: bool = False
    more: bool = False
    encoder_missing: bool = False
    encoder_note: str = ""


# Orders hits by date, name, size or folder instead of relevance.

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
