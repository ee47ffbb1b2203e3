"""Chunks in the order of a search, as a ranker returns them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import MatchReason, Mode
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
