"""Re-ranks the top passages of hybrid search by features that need their texts (mode `hybrid+rerank`).

Of each passage the title and what is around the nearest sentence are encoded together (`window`), and its words are
compared with the query's: the share it has, the share of adjacent pairs, and the similarity of the title. Words are
weighted by their idf within the pool (Robertson and Spärck Jones). The score is a linear model; its weights were
learned by pairwise logistic regression, `benchmarks/rerank_weights`, see docs/evaluation.md.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple

from desktop_rag.index.catalog.sentence_vectors import sentence_texts
from desktop_rag.index.encoding.encoder_description import EncoderDescription
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.retrieval.retrievers.keyword import ScoredChunks
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch

# Fuses keyword and semantic scores by a convex combination (Bruch et al., TOIS 2023).
#
# Each score is divided by the maximum of its query. Measured, this beats reciprocal rank fusion by .02 of nDCG@10, and
# the curve is flat from .5 to .65; see docs/evaluation.md.

SEMANTIC_WEIGHT = EncoderDescription().semantic_weight  # of the sum, unless the encoder has its own
SENTENCE_WEIGHT = 0.6  # of that, for the best sentence; the rest is for the whole chunk
FOREIGN_WORDS = 0.25  # of the score of words in a passage of another language than the query's: names and stray matches
RRF_K = 60  # K of reciprocal rank fusion


class ScoreParts(NamedTuple):
    """The normalised scores (0 to 1) of a chunk's words, of its nearest sentence, and of its whole text."""

    words: float
    best: float
    whole: float


def fuse(
    matches: Sequence[tuple[ChunkId, float]],
    nearest: Sequence[VectorMatch],
    *,
    truncated: bool,
    semantic_weight: float = SEMANTIC_WEIGHT,
    foreign: Container[ChunkId] = frozenset(),
) -> ScoredChunks:
    """Return every chunk of both lists with its score (0 to 1), best first; the rest is as for `score_parts`."""
    found = [
        (
            chunk,
            (1 - semantic_weight) * each.words
            + semantic_weight * (SENTENCE_WEIGHT * each.best + (1 - SENTENCE_WEIGHT) * each.whole),
        )
        for chunk, each in score_parts(matches, nearest, truncated=truncated, foreign=foreign).items()
    ]
    return sorted(found, key=lambda one: -one[1])


def score_parts(
    matches: Sequence[tuple[ChunkId, float]],
    nearest: Sequence[VectorMatch],
    *,
    truncated: bool,
    foreign: Container[ChunkId] = frozenset(),
) -> dict[ChunkId, ScoreParts]:
    """Return the normalised scores of every chunk of both lists.

    `truncated` says that there are more keyword matches than `matches`: a chunk missing there then gets the lowest
    score of the list, the upper bound of its own. A chunk missing in `nearest` has no vectors yet and gets its lowest.
    `foreign` are the chunks in another language than the query, whose words count less.
    """
    words = _each_normalised(dict(matches))
    best = _each_normalised({one.chunk: one.best for one in nearest})
    whole = _each_normalised({one.chunk: one.whole for one in nearest})
    least = min(words.values(), default=0.0) if truncated else 0.0
    least_best, least_whole = min(best.values(), default=0.0), min(whole.values(), default=0.0)
    return {
        chunk: ScoreParts(
            words.get(chunk, least) * (FOREIGN_WORDS if chunk in foreign else 1.0),
            best.get(chunk, least_best),
            whole.get(chunk, least_whole),
        )
        for chunk in dict.fromkeys((*words, *best))
    }


def reciprocal_rank_fusion(matches: Sequence[tuple[ChunkId, float]], nearest: Sequence[VectorMatch]) -> ScoredChunks:
    """Return every chunk of both lists by the sum of 1 / (60 + rank), best first (Cormack et al., SIGIR 2009)."""
    scores: dict[ChunkId, float] = {}
    for ranked in ([chunk for chunk, _ in matches], [one.chunk for one in nearest]):
        for rank, chunk in enumerate(ranked, start=1):
            scores[chunk] = scores.get(chunk, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda one: -one[1])


def _each_normalised(scores: Mapping[ChunkId, float]) -> dict[ChunkId, float]:
    return dict(zip(scores, _normalised(tuple(scores.values())), strict=True))


_WINDOW = 300  # characters of a window beside the title: longer ones take longer to encode and rank no better

Similarities = Callable[[Sequence[str]], Sequence[float]]


class RerankFeatures(NamedTuple):
    """The features of a passage, each from 0 to 1; `words`, `sentence` and `text` are its hybrid scores."""

    words: float  # keyword score
    sentence: float  # cosine of its nearest sentence
    text: float  # cosine of the whole passage
    window: float  # cosine of the title with the sentences around the nearest one, encoded together
    covered: float  # idf-weighted share of the query's words it has
    adjacent: float  # the same share of the query's adjacent word pairs
    title: float  # idf-weighted cosine of its title's words and the query's


WEIGHTS = RerankFeatures(words=3.08, sentence=1.73, text=1.32, window=2.68, covered=1.22, adjacent=1.42, title=1.49)


class RerankCandidate(NamedTuple):
    """A passage to re-rank: its document's title, the number of its nearest sentence or -1, its hybrid scores."""

    chunk: Chunk
    title: str
    sentence: int
    parts: ScoreParts


class _Terms(NamedTuple):
    """The stems of a passage that the query has, their adjacent pairs, and all stems of its title."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    title: frozenset[str]


class Reranker:
    """Computes the features of one query's passages; none is read or encoded twice.

    `similarities` returns the cosines of texts with the query.
    """

    def __init__(self, query: str, similarities: Similarities) -> None:
        asked = [stem(term.text) for term in terms(query, query=True) if term.text not in STOP_WORDS]
        self._words, self._pairs = frozenset(asked), frozenset(pairwise(asked))
        self._similarities = similarities
        self._terms: dict[ChunkId, _Terms] = {}
        self._near: dict[str, float] = {}  # of windows

    def features(self, candidates: Sequence[RerankCandidate]) -> list[RerankFeatures]:
        """Return the features of each passage among these."""
        near = _normalised(self._windows_near([window(each) for each in candidates]))
        passages = [self._terms_of(each) for each in candidates]
        idf = _pool_idf(passages)
        every, every_pair = sum(map(idf, self._words)), _pair_weight(self._pairs, idf)
        found = []
        for each, close, passage in zip(candidates, near, passages, strict=True):
            own_title = sum(map(idf, passage.title))
            shared = sum(map(idf, passage.title & self._words))
            found.append(
                RerankFeatures(
                    *each.parts,
                    window=close,
                    covered=_share(sum(map(idf, passage.words)), every),
                    adjacent=_share(_pair_weight(passage.pairs & self._pairs, idf), every_pair),
                    title=_share(shared, sqrt(own_title * every)),
                )
            )
        return found

    def _windows_near(self, texts: Sequence[str]) -> list[float]:
        new = [text for text in dict.fromkeys(texts) if text not in self._near]
        self._near.update(zip(new, self._similarities(new) if new else (), strict=True))
        return [self._near[text] for text in texts]

    def _terms_of(self, candidate: RerankCandidate) -> _Terms:
        if (known := self._terms.get(candidate.chunk.id)) is None:
            title = [stem(term.text) for term in terms(candidate.title)]
            text = [*title, *(stem(term.text) for term in terms(candidate.chunk.text))]
            pairs = frozenset(pair for pair in pairwise(text) if pair[0] in self._words and pair[1] in self._words)
            known = _Terms(self._words.intersection(text), pairs, frozenset(title))
            self._terms[candidate.chunk.id] = known
        return known


def rerank_score(found: RerankFeatures, trust: float = 1.0, weights: RerankFeatures = WEIGHTS) -> float:
    """Return the score, from 0 to 1; `trust` (0 to 1) scales the weights of the encoder's features."""
    scale = RerankFeatures(1.0, trust, trust, trust, 1.0, 1.0, 1.0)
    counted = [weight * factor for weight, factor in zip(weights, scale, strict=True)]
    return sum(weight * value for weight, value in zip(counted, found, strict=True)) / sum(counted)


def window(candidate: RerankCandidate) -> str:
    """Return the title and the nearest sentence with what fits of the next and the previous one into `_WINDOW`."""
    sentences = sentence_texts(candidate.chunk)
    nearest = max(0, candidate.sentence)
    text = " ".join(sentences[nearest : nearest + 2])[:_WINDOW]
    room = _WINDOW - len(text) - 1
    if nearest and room > 0:
        text = f"{sentences[nearest - 1][-room:]} {text}"
    return f"{candidate.title}. {text}" if candidate.title else text


def _pool_idf(passages: Sequence[_Terms]) -> Callable[[str], float]:
    counts = Counter(word for passage in passages for word in passage.words | passage.title)
    return lambda word: log(1 + (len(passages) - counts[word] + 0.5) / (counts[word] + 0.5))


def _pair_weight(pairs: Iterable[tuple[str, str]], idf: Callable[[str], float]) -> float:
    return sum(idf(first) + idf(second) for first, second in pairs)


def _normalised(scores: Sequence[float]) -> list[float]:
    """Return the scores divided by the greatest; negative ones count as 0."""
    greatest = max(scores, default=0.0)
    return [max(score, 0.0) / greatest if greatest > 0 else 0.0 for score in scores]


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
