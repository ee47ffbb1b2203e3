"""Title diversity: of documents with similar titles, such as the parts of a series, the best one stands first.

Questions by names need several documents; the others of a series (“Heinkel HD 39” beside “Heinkel HD 23”) take their
places. Greedy, as maximal marginal relevance (Carbonell and Goldstein 1998), but titles are compared, not texts.
Measured, see docs/evaluation.md.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk

PENALTY = 0.2  # of the score, times the similarity of the titles


class DocumentTitle(NamedTuple):
    """The document of a chunk, and the stems of its title."""

    content: ContentId
    stems: frozenset[str]


def diversified(
    ranked: Sequence[RankedChunk], titles: Mapping[ChunkId, DocumentTitle], asked: frozenset[str]
) -> list[RankedChunk]:
    """Return the chunks, each with its score less the penalty for the most similar title before it, best first.

    A title of the same document does not count, nor an equal one (several files are called “Minutes”), nor one that
    has further words of the question (`asked`, stems).
    """
    left = {each.chunk: each.score for each in ranked}
    penalties = dict.fromkeys(left, 0.0)
    found: list[RankedChunk] = []
    by_chunk = {each.chunk: each for each in ranked}
    while left:
        best = max(left, key=lambda chunk: left[chunk] - penalties[chunk])
        found.append(by_chunk[best]._replace(score=left.pop(best) - penalties[best]))
        for chunk in left:
            penalties[chunk] = max(penalties[chunk], PENALTY * _similarity(titles[chunk], titles[best], asked))
    return found


def _similarity(one: DocumentTitle, before: DocumentTitle, asked: frozenset[str]) -> float:
    """Return the shared part of the words of two titles (Jaccard)."""
    if one.content == before.content or one.stems == before.stems or (one.stems - before.stems) & asked:
        return 0.0
    return len(one.stems & before.stems) / max(1, len(one.stems | before.stems))
