"""Substring search, mode `exact`.

score(chunk) = Σ rarity(keyword) · (1 + REPEATS · (1 − 1 / count(keyword, chunk))): distinct and rare keywords count
most, repetitions little. Plain words that are adjacent as typed count as one more keyword. With `published` the formula
of A-RAG (section 3.2): Σ count(keyword, chunk) · len(keyword).

Keywords are the words and phrases of the query, matched case-insensitively and also inside words; a fuzzy word and
words near each other match as in the other modes. AND, OR and NOT decide which chunks match at all.

The keyword index gives an upper bound of each chunk's score; texts are read from the highest bound down until no other
chunk can be in the top k. Documents that are not indexed yet are read whole.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import fold, terms
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordReader
from desktop_rag.index.keywords.keyword_query import TEXT_EXACT, FuzzyQuery
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.query.highlights import folded_words, is_near, near_each_other, pattern_inside
from desktop_rag.retrieval.query.term_expansion import composed, pattern_of
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileLeaf,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    binds,
    leaves,
    wanted,
)
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

# Upper bounds of the scores of a substring search, from the keyword index: which texts need to be read at all.
#
# Only the chunks that can match have a bound, so a query of rare words costs little in a large library.

Weight = Callable[[TextLeaf, float], float]  # the score of a number of occurrences of a leaf's keyword
Holders = Callable[[FileLeaf], frozenset[ContentId]]
TitleCounts = Callable[[TextLeaf, Sequence[ContentId]], Sequence[int]]
Values = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

_SPARSE = 8  # a union of fewer than one in this many chunks is sorted instead of summed over all


class Bounds(NamedTuple):
    """The chunks that can match (rows of `IndexedChunks`, ascending) and a value of each, at most infinite."""

    rows: Rows
    values: Values

    def among(self, rows: Rows) -> tuple[npt.NDArray[np.bool_], Values]:
        """Return which of `rows` are here, and the value of each (0 for the others)."""
        if not len(self.rows):
            return np.zeros(len(rows), np.bool_), np.zeros(len(rows))
        places = self.rows.searchsorted(rows)
        held = self.rows.take(places, mode="clip") == rows
        return held, np.where(held, self.values.take(places, mode="clip"), 0.0)

    def kept(self, mask: npt.NDArray[np.bool_]) -> "Bounds":
        """Return those of a mask over the rows."""
        return Bounds(self.rows[mask], self.values[mask])


def _both(one: Bounds, other: Bounds, join: Callable[[Values, Values], Values]) -> Bounds:
    """Return the rows of both with their joined values."""
    held, values = other.among(one.rows)
    return Bounds(one.rows[held], join(one.values[held], values[held]))


class OccurrenceBounds:
    """How often each chunk can contain a string (lower case), each string asked once of the index."""

    def __init__(self, keywords: KeywordReader, stop: Stop) -> None:
        self._keywords = keywords
        self._stop = stop
        self._known: dict[str, tuple[Bounds, int]] = {}

    def of(self, text: str) -> Bounds:
        """Return the greatest possible counts."""
        return self._asked(text)[0]

    def holding(self, text: str) -> int:
        """Return in how many chunks the words of a string are, which tells its rarity."""
        return self._asked(text)[1]

    def _asked(self, text: str) -> tuple[Bounds, int]:
        if text not in self._known:
            counts = self._keywords.max_occurrences(text, self._stop)
            rows = (counts != 0).nonzero()[0]
            bounds = Bounds(rows, counts.take(rows).astype(np.float64))
            self._known[text] = bounds.kept(bounds.values > 0) if counts.min(initial=0) < 0 else bounds, len(rows)
        return self._known[text]


class UpperBounds:
    """Computes the bounds of a query; `in_titles` counts a leaf in the titles of documents."""

    def __init__(
        self,
        keywords: KeywordReader,
        occurrences: OccurrenceBounds,
        holders: Holders,
        in_titles: TitleCounts,
        weight: Weight,
        stop: Stop,
    ) -> None:
        self._keywords = keywords
        self._occurrences = occurrences
        self._texts: IndexedChunks = keywords.indexed_chunks()
        self._holders = holders
        self._in_titles = in_titles
        self._weight = weight
        self._stop = stop

    def of(self, node: Node) -> Bounds:
        """Return the sums where every part of AND, and the required one of a preference, can match; 0 for NOT."""
        match node:
            case All(parts):
                return reduce(lambda one, other: _both(one, other, np.add), map(self.of, parts))
            case Either(parts):
                return self._any_of(list(map(self.of, parts)))
            case Not():
                return self._every(0.0)  # a chunk that may contain the part may also not contain it
            case Prefer(required, optional):
                bound = self.of(required)
                return Bounds(bound.rows, bound.values + self.of(optional).among(bound.rows)[1])
            case Boosted(part, factor):
                bound = self.of(part)
                return Bounds(bound.rows, bound.values * factor)
            case FileFact() | Dated():
                holders = self._holders(node)
                rows = np.isin(self._texts.contents, np.fromiter(holders, np.uint64, len(holders))).nonzero()[0]
                return Bounds(rows, np.zeros(len(rows)))
            case _:
                return self._of_leaf(node)

    def _any_of(self, bounds: Sequence[Bounds]) -> Bounds:
        """Return the sums where at least one of these can match."""
        if len(bounds) == 1:
            return bounds[0]
        size = len(self._texts.chunks)
        if sum(len(bound.rows) for bound in bounds) * _SPARSE < size:
            rows, places = np.unique(np.concatenate([bound.rows for bound in bounds]), return_inverse=True)
            weights = np.concatenate([bound.values for bound in bounds])
            return Bounds(rows, np.bincount(places, weights, len(rows)).astype(np.float64, copy=False))
        sums, held = np.zeros(size), np.zeros(size, np.bool_)
        for bound in bounds:
            sums[bound.rows] += bound.values
            held[bound.rows] = True
        rows = held.nonzero()[0]
        return Bounds(rows, sums.take(rows))

    def _of_leaf(self, leaf: TextLeaf) -> Bounds:
        """Return the scores of the greatest possible counts."""
        rows, counts = self._counts(leaf)
        infinite = np.isinf(counts).nonzero()[0]
        if len(infinite):
            counts = counts.copy()
            counts[infinite] = 0
        whole = counts.astype(np.intp)
        scores = np.zeros(whole.max(initial=0) + 1)
        for count in np.bincount(whole).nonzero()[0].tolist():
            scores[count] = self._weight(leaf, count)
        values = scores.take(whole)
        values[infinite] = math.inf
        return Bounds(rows, values)

    def _counts(self, leaf: TextLeaf) -> Bounds:
        if leaf.field is TextField.TITLE:
            contents, places = np.unique(self._texts.contents, return_inverse=True)
            of_contents = self._in_titles(leaf, list(map(ContentId, contents.tolist())))
            counts = np.array(of_contents, np.float64).take(places)
            rows = counts.nonzero()[0]
            return Bounds(rows, counts.take(rows))
        if isinstance(leaf, Fuzzy):  # infinite for the chunks with a word like this one
            query = FuzzyQuery(TEXT_EXACT, fold(leaf.text), leaf.distance)
            found = self._keywords.search(query, len(self._texts.chunks), None, self._stop)
            chunks = np.fromiter((chunk for chunk, _ in found), np.uint64, len(found))
            rows = np.isin(self._texts.chunks, chunks).nonzero()[0]
            return Bounds(rows, np.full(len(rows), np.inf))
        # Each match of a wildcard contains every literal run of its pattern.
        runs = re.split(r"[*?]+", leaf.pattern) if isinstance(leaf, Wildcard) else literals(leaf)
        held = [self._occurrences.of(run.lower()) for run in runs if run]
        return reduce(lambda one, other: _both(one, other, np.minimum), held) if held else self._every(math.inf)

    def _every(self, value: float) -> Bounds:
        size = len(self._texts.chunks)
        return Bounds(np.arange(size), np.full(size, value))


def literals(leaf: TextLeaf) -> Sequence[str]:
    """Return what a text must contain to match a leaf: its words if they may be apart, else the whole."""
    return folded_words(leaf.text) if isinstance(leaf, Phrase) and leaf.slop else [literal(leaf)]


def literal(leaf: TextLeaf) -> str:
    """Return the text of a leaf, without wildcards."""
    return leaf.pattern.replace("*", "").replace("?", "") if isinstance(leaf, Wildcard) else leaf.text


REPEATS = 0.2  # what endless repetitions of a keyword add, as a share of its weight
_BATCH = 500
_SORTED = 1_000  # of the chunks with the highest bounds; others are sorted when these are read
_FIRST_BATCH = 16  # chunks, or as many as are wanted; each further batch is twice as large, up to `_BATCH`


def substring_search(
    catalog: CatalogReader,
    keywords: KeywordReader,
    tree: Node,
    candidates: Candidates,
    limit: int,
    stop: Stop,
    *,
    published: bool = False,
) -> list[tuple[ChunkId, float]]:
    """Return the best `limit` chunks with their scores, best first; equal scores in the order of the chunks."""
    current = keywords.watermark.lineage == catalog.lineage()
    tree = tree if published else _prefer_adjacent(tree)
    occurrences = OccurrenceBounds(keywords, stop)
    weight = by_length if published or not current else _rarity_weight(keywords, occurrences, tree)
    search = _TextReader(catalog, tree, weight, candidates, stop)
    if not current:
        return search.read(candidates.contents)[:limit]  # the index was built from another catalog
    unindexed = candidates.among(catalog.contents.not_announced(keywords.watermark.sequence))
    found = search.read(unindexed)
    texts = keywords.indexed_chunks()
    bounds = UpperBounds(keywords, occurrences, candidates.holders, search.in_titles, weight, stop).of(tree)
    if unindexed:
        bounds = bounds.kept(~_of_contents(texts, bounds, unindexed))
    if candidates.restriction is not None:
        bounds = bounds.kept(_of_contents(texts, bounds, candidates.restriction))
    # Without a finite bound, reading whole documents is cheaper than chunk by chunk.
    infinite = np.isinf(bounds.values)
    if infinite.any():
        unbounded = frozenset(map(ContentId, np.unique(texts.contents[bounds.rows[infinite]]).tolist()))
        found += search.read(candidates.among(unbounded))
        bounds = bounds.kept(~_of_contents(texts, bounds, unbounded))
    return search.best(found, texts.chunks.take(bounds.rows), bounds.values, limit)


def _of_contents(texts: IndexedChunks, bounds: Bounds, contents: frozenset[ContentId]) -> npt.NDArray[np.bool_]:
    """Return which bounds are of chunks of some contents."""
    return np.isin(texts.contents.take(bounds.rows), np.fromiter(contents, np.uint64, len(contents)))


def _prefer_adjacent(tree: Node) -> Node:
    """Return a query of plain words with the preference for the words in a row, as typed; other queries unchanged."""
    if not isinstance(tree, Either) or binds(tree):
        return tree
    words = [leaf.text for leaf in wanted(tree) if isinstance(leaf, Word)]
    return Prefer(tree, Phrase(" ".join(words))) if len(words) > 1 else tree


def by_length(leaf: TextLeaf, count: float) -> float:
    """Return the score of A-RAG: count times length of the keyword (equation 1)."""
    return count * len(literal(leaf)) * leaf.boost


def _rarity_weight(keywords: KeywordReader, occurrences: OccurrenceBounds, tree: Node) -> Weight:
    """Return the scoring by rarity; the index counts the chunks that may contain each keyword."""
    chunks = len(keywords.indexed_chunks().chunks)
    rarity = {}
    for leaf in wanted(tree):
        runs = [run for run in re.split(r"[*?]+", literal(leaf)) if run]
        holding = [occurrences.holding(run.lower()) for run in runs]
        rarity[leaf] = math.log(2 + chunks / (1 + min(holding, default=chunks)))

    def score(leaf: TextLeaf, count: float) -> float:
        return rarity.get(leaf, 1.0) * leaf.boost * (1 + REPEATS * (1 - 1 / max(count, 1)))

    return score


def _titles(catalog: CatalogReader, contents: Iterable[ContentId]) -> dict[ContentId, str]:
    """Return the titles of contents; of those without one, the name of their first file."""
    titles = {content: facts.title for content, facts in catalog.contents.by_id(contents).items()}
    untitled = [content for content, title in titles.items() if not title]
    for content, places in catalog.files.every_place(untitled).items():
        titles[content] = PurePath(os.fsdecode(places[0].path)).stem
    return titles


class _TextReader:
    """Reads texts from the catalog and scores them; titles are read only for a query that has words in titles."""

    def __init__(self, catalog: CatalogReader, tree: Node, weight: Weight, candidates: Candidates, stop: Stop) -> None:
        self._catalog = catalog
        self._tree = tree
        self._weight = weight
        self._leaves = tuple(wanted(tree))
        self._titled = any(isinstance(leaf, TextLeaf) and leaf.field is TextField.TITLE for leaf in leaves(tree))
        self._holders = cache(candidates.holders)
        self._candidates = candidates
        self._stop = stop
        self._titles: dict[ContentId, str] = {}

    def in_titles(self, leaf: TextLeaf, contents: Sequence[ContentId]) -> Sequence[int]:
        """Return how often each of these documents matches a leaf in its title."""
        known = _titles(self._catalog, contents)
        return [_count(leaf, _Text.of("", known.get(content, ""))) for content in contents]

    def read(self, contents: frozenset[ContentId]) -> list[tuple[ChunkId, float]]:
        """Return every matching chunk of some documents, best first."""
        found: list[tuple[ChunkId, float]] = []
        for some in _batches(sorted(contents)):
            self._learn(some)
            for content in some:
                self._stop.check()
                found += self._in_content(content)
        return sorted(found, key=_rank)

    def best(
        self, found: list[tuple[ChunkId, float]], chunks: npt.NDArray[np.uint64], bounds: Values, limit: int
    ) -> list[tuple[ChunkId, float]]:
        """Return the top `limit` of `found` and `chunks`; reads only chunks whose upper bound may reach the top k."""
        size = max(_FIRST_BATCH, limit)
        for order in _from_highest(chunks, bounds):
            while len(order):
                found = sorted(found, key=_rank)[:limit]
                first = (-bounds.item(order[0]), chunks.item(order[0]))
                if len(found) == limit and _rank(found[-1]) < first:
                    return found
                found += self._scored([ChunkId(chunk) for chunk in chunks[order[:size]].tolist()])
                order, size = order[size:], min(2 * size, _BATCH)
        return sorted(found, key=_rank)[:limit]

    def _learn(self, contents: Iterable[ContentId]) -> None:
        if self._titled and (new := set(contents) - self._titles.keys()):
            self._titles |= _titles(self._catalog, new)

    def _scored(self, chunks: list[ChunkId]) -> Iterable[tuple[ChunkId, float]]:
        texts = self._catalog.texts.of_chunks(chunks)
        fitting = self._candidates.fitting({chunk: content for chunk, (content, _) in texts.items()})
        self._learn(content for content, _ in texts.values())
        for chunk in texts.keys() & fitting:
            self._stop.check()
            content, text = texts[chunk]
            score = self._score(text, content)
            if score is not None:
                yield chunk, score

    def _in_content(self, content: ContentId) -> Iterable[tuple[ChunkId, float]]:
        text = self._catalog.texts.whole(content)
        whole = _Text.of(text, self._titles.get(content, ""))
        if self._leaves and not any(_count(leaf, whole) for leaf in self._leaves):
            return
        offsets = self._catalog.chunks.offsets(content)
        fitting = self._candidates.fitting({chunk: content for chunk, _, _ in offsets})
        for chunk, start, end in offsets:
            self._stop.check()
            score = self._score(text[start:end], content) if chunk in fitting else None
            if score is not None:
                yield chunk, score

    def _score(self, text: str, content: ContentId) -> float | None:
        """Return the score of a chunk's text, None if it does not match."""
        return self._of_node(self._tree, _Text.of(text, self._titles.get(content, "")), content)

    def _of_node(self, node: Node, text: "_Text", content: ContentId) -> float | None:
        match node:
            case All(parts):
                scores = [self._of_node(part, text, content) for part in parts]
                return None if None in scores else _sum(scores)
            case Either(parts):
                scores = [self._of_node(part, text, content) for part in parts]
                return None if all(score is None for score in scores) else _sum(scores)
            case Not(part):
                return 0.0 if self._of_node(part, text, content) is None else None
            case Prefer(required, optional):
                score = self._of_node(required, text, content)
                return None if score is None else score + (self._of_node(optional, text, content) or 0.0)
            case Boosted(part, factor):
                score = self._of_node(part, text, content)
                return None if score is None else score * factor
            case FileFact() | Dated():
                return 0.0 if content in self._holders(node) else None
            case _:
                count = _count(node, text)
                return self._weight(node, count) if count else None


def _sum(scores: Iterable[float | None]) -> float:
    return sum(score for score in scores if score is not None)


class _Text(NamedTuple):
    """A text and its title, as written and in lower case."""

    text: str
    title: str
    lowered: str
    lowered_title: str

    @classmethod
    def of(cls, text: str, title: str) -> "_Text":
        return cls(text, title, _lowered(text), title.lower())


def _count(leaf: TextLeaf, text: _Text) -> int:
    in_title = leaf.field is TextField.TITLE
    if isinstance(leaf, Spelled):
        written = composed(text.title if in_title else text.text)
        return sum(1 for _ in pattern_of(leaf.text).finditer(written))
    where = text.lowered_title if in_title else text.lowered
    if isinstance(leaf, Fuzzy):
        word = fold(leaf.text)
        return sum(is_near(word, term.text, leaf.distance) for term in terms(where))
    if isinstance(leaf, Phrase) and leaf.slop:
        return len(near_each_other(terms(where), folded_words(leaf.text), leaf.slop))
    if isinstance(leaf, Wildcard):
        return sum(1 for _ in pattern_inside(leaf.pattern.lower()).finditer(where))
    return where.count(literal(leaf).lower())


def _lowered(text: str) -> str:
    return text.lower().replace("\n", " ")  # a line break separates words as a space does


def _from_highest(chunks: npt.NDArray[np.uint64], bounds: Values) -> Iterator[npt.NDArray[np.intp]]:
    """Yield the places of chunks from the highest bound down, equal ones in the order of the chunks: first the best."""
    best = bounds >= (np.partition(bounds, -_SORTED)[-_SORTED] if len(bounds) > _SORTED else -math.inf)
    for mask in (best, ~best):
        places = mask.nonzero()[0]
        yield places[np.lexsort((chunks.take(places), -bounds.take(places)))]


def _batches(contents: list[ContentId]) -> Iterable[list[ContentId]]:
    return (contents[first : first + _BATCH] for first in range(0, len(contents), _BATCH))


def _rank(found: tuple[ChunkId, float]) -> tuple[float, int]:
    return -found[1], found[0]
