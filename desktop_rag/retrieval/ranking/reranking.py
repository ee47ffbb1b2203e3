"""Looks at the best passages of hybrid search once more, closer than an index can (mode `hybrid+rerank`).

Of each passage the title and the sentences around the nearest one are encoded together, and its words are compared with
the query's: how many it has, how many side by side, and how alike the title is. A word counts by how few of these
passages have it (the idf of Robertson and Spärck Jones, within the pool). All is summed; the weights were learned by
pairwise logistic regression, `desktop-rag eval learn`, see docs/evaluation.md.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple

from desktop_rag.index.catalog.sentence_vectors import sentence_texts
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.index.records import Chunk
from desktop_rag.retrieval.ranking.fusion import Parts

DEPTH = 30  # passages that are looked at
_AROUND = 1  # sentences on either side of the nearest one

Nearness = Callable[[Sequence[str]], Sequence[float]]


class RerankFeatures(NamedTuple):
    """What speaks for a passage, each from 0 to 1."""

    words: float  # the score of its words
    sentence: float  # how near its nearest sentence is
    text: float  # how near all of it is
    window: float  # how near the title and the sentences around the nearest one are, read together
    covered: float  # of the query's words, those it has
    adjacent: float  # of the pairs of words side by side in the query, those that stand so in it
    title: float  # the cosine of its title's words and the query's


WEIGHTS = RerankFeatures(words=3.08, sentence=1.73, text=1.32, window=2.68, covered=1.22, adjacent=1.42, title=1.49)


class RerankCandidate(NamedTuple):
    """A passage to be looked at: its document's title, the number of its nearest sentence or -1, its hybrid scores."""

    chunk: Chunk
    title: str
    sentence: int
    parts: Parts


class _Read(NamedTuple):
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    title: frozenset[str]


def evidence(query: str, candidates: Sequence[RerankCandidate], nearness: Nearness) -> list[RerankFeatures]:
    """Return what speaks for each passage; `nearness` tells how near texts are to the query, by cosines."""
    near = _relative(nearness([window(each) for each in candidates]))
    asked = [stem(term.text) for term in terms(query, query=True) if term.text not in STOP_WORDS]
    words, pairs = frozenset(asked), frozenset(pairwise(asked))
    read = [_read(each, words) for each in candidates]
    telling = _telling(read)
    every, every_pair = sum(map(telling, words)), _of_pairs(pairs, telling)
    found = []
    for each, close, passage in zip(candidates, near, read, strict=True):
        own_title = sum(map(telling, passage.title))
        shared = sum(map(telling, passage.title & words))
        found.append(
            RerankFeatures(
                *each.parts,
                window=close,
                covered=_share(sum(map(telling, passage.words & words)), every),
                adjacent=_share(_of_pairs(passage.pairs & pairs, telling), every_pair),
                title=_share(shared, sqrt(own_title * every)),
            )
        )
    return found


def judged(found: RerankFeatures, trust: float = 1.0, weights: RerankFeatures = WEIGHTS) -> float:
    """Return the score, from 0 to 1; `trust` is how far the encoder knows the words of the query."""
    by_meaning = RerankFeatures(1.0, trust, trust, trust, 1.0, 1.0, 1.0)
    counted = [weight * known for weight, known in zip(weights, by_meaning, strict=True)]
    return sum(weight * value for weight, value in zip(counted, found, strict=True)) / sum(counted)


def window(candidate: RerankCandidate) -> str:
    """Return the title and the sentences around the nearest one."""
    sentences = sentence_texts(candidate.chunk)
    nearest = max(0, candidate.sentence)
    text = " ".join(sentences[max(0, nearest - _AROUND) : nearest + _AROUND + 1])
    return f"{candidate.title}. {text}" if candidate.title else text


def _read(candidate: RerankCandidate, asked: frozenset[str]) -> _Read:
    """Return what counts of a passage: the rest of its words answers nothing."""
    title = [stem(term.text) for term in terms(candidate.title)]
    text = [*title, *(stem(term.text) for term in terms(candidate.chunk.text))]
    pairs = frozenset(pair for pair in pairwise(text) if pair[0] in asked and pair[1] in asked)
    return _Read(asked.intersection(text), pairs, frozenset(title))


def _telling(read: Sequence[_Read]) -> Callable[[str], float]:
    counts = Counter(word for passage in read for word in passage.words | passage.title)
    return lambda word: log(1 + (len(read) - counts[word] + 0.5) / (counts[word] + 0.5))


def _of_pairs(pairs: Iterable[tuple[str, str]], telling: Callable[[str], float]) -> float:
    return sum(telling(first) + telling(second) for first, second in pairs)


def _relative(scores: Sequence[float]) -> list[float]:
    greatest = max(scores, default=0.0)
    return [max(score, 0.0) / greatest if greatest > 0 else 0.0 for score in scores]


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
