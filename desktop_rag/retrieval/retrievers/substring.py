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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, reduce
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import fold, terms
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordReader
from desktop_rag.index.keywords.keyword_fields import TEXT_EXACT
from desktop_rag.index.keywords.keyword_query import FuzzyQuery
from desktop_rag.index.records import ChunkId, Content, ContentId
from desktop_rag.retrieval.query.tree import (
    Either,
    FileLeaf,
    Fuzzy,
    Node,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    binds,
    wanted,
)
from desktop_rag.retrieval.query.visitor import QueryVisitor
from desktop_rag.retrieval.reading.highlights import folded_words, is_near, near_each_other, pattern_inside
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.spelled import composed, pattern_of
from desktop_rag.stop import Stop

REPEATS = 0.2  # what endless repetitions of a keyword add, as a share of its weight
_BATCH = 500
_FIRST_BATCH = 16  # chunks, or as many as are wanted; each further batch is twice as large, up to `_BATCH`

Weight = Callable[[TextLeaf, float], float]  # the score of a number of occurrences of a leaf's keyword
Holders = Callable[[FileLeaf], frozenset[ContentId]]
Bounds = npt.NDArray[np.float64]


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
    weight = by_length if published or not current else _rarity_weight(keywords, tree, stop)
    search = _TextReader(catalog, _Scorer(tree, candidates.holders, weight), candidates, stop)
    if not current:
        return search.read(candidates.contents)[:limit]  # the index was built from another catalog
    unindexed = catalog.contents.not_announced(keywords.watermark.sequence) & candidates.contents
    found = search.read(unindexed)
    texts = keywords.indexed_chunks()
    bounds = _UpperBounds(keywords, texts, catalog, candidates, weight, stop).visit(tree)
    if unindexed:
        bounds[np.isin(texts.contents, _numbers(unindexed))] = -1.0
    if candidates.restriction is not None:
        bounds[~np.isin(texts.contents, _numbers(candidates.restriction))] = -1.0
    # Without a finite bound, reading whole documents is cheaper than chunk by chunk.
    if np.isinf(bounds).any():
        unbounded = frozenset(map(ContentId, np.unique(texts.contents[np.isinf(bounds)]).tolist()))
        found += search.read(unbounded & candidates.contents)
        bounds[np.isin(texts.contents, _numbers(unbounded))] = -1.0
    return search.best(found, texts.chunks, bounds, limit)


def _prefer_adjacent(tree: Node) -> Node:
    """Return a query of plain words with the preference for the words in a row, as typed; other queries unchanged."""
    if not isinstance(tree, Either) or binds(tree):
        return tree
    words = [leaf.text for leaf in wanted(tree) if isinstance(leaf, Word)]
    return Prefer(tree, Phrase(" ".join(words))) if len(words) > 1 else tree


def by_length(leaf: TextLeaf, count: float) -> float:
    """Return the score of A-RAG: count times length of the keyword (equation 1)."""
    return count * len(_literal(leaf)) * leaf.boost


def _rarity_weight(keywords: KeywordReader, tree: Node, stop: Stop) -> Weight:
    """Return the scoring by rarity; the index counts the chunks that may contain each keyword."""
    chunks = len(keywords.indexed_chunks().chunks)
    rarity = {}
    for leaf in wanted(tree):
        runs = [run for run in re.split(r"[*?]+", _literal(leaf)) if run]
        holding = [int(np.count_nonzero(keywords.max_occurrences(run.lower(), stop) > 0)) for run in runs]
        rarity[leaf] = math.log(2 + chunks / (1 + min(holding, default=chunks)))

    def score(leaf: TextLeaf, count: float) -> float:
        return rarity.get(leaf, 1.0) * leaf.boost * (1 + REPEATS * (1 - 1 / max(count, 1)))

    return score


def _with_titles(catalog: CatalogReader, contents: Iterable[ContentId]) -> dict[ContentId, Content]:
    """Return contents by id; those without a title have the name of their first file for one."""
    known = dict(catalog.contents.by_id(contents))
    untitled = [content for content, facts in known.items() if not facts.title]
    for content, places in catalog.files.every_place(untitled).items():
        known[content] = replace(known[content], title=PurePath(os.fsdecode(places[0].path)).stem)
    return known


class _TextReader:
    """Reads texts from the catalog and scores them."""

    def __init__(self, catalog: CatalogReader, scorer: "_Scorer", candidates: Candidates, stop: Stop) -> None:
        self._catalog = catalog
        self._scorer = scorer
        self._visible = candidates.contents
        self._excluded = candidates.excluded
        self._stop = stop
        self._known: dict[ContentId, Content] = {}

    def read(self, contents: frozenset[ContentId]) -> list[tuple[ChunkId, float]]:
        """Return every matching chunk of some documents, best first."""
        found: list[tuple[ChunkId, float]] = []
        for some in _batches(sorted(contents)):
            for content in _with_titles(self._catalog, some).values():
                self._stop.check()
                found += self._in_content(content)
        return sorted(found, key=_rank)

    def best(
        self,
        found: list[tuple[ChunkId, float]],
        chunks: npt.NDArray[np.uint64],
        bounds: Bounds,
        limit: int,
    ) -> list[tuple[ChunkId, float]]:
        """Return the top `limit` of `found` and `chunks`; reads only chunks whose upper bound may reach the top k."""
        likely = np.flatnonzero(bounds >= 0)
        order = likely[np.lexsort((chunks[likely], -bounds[likely]))]
        size = max(_FIRST_BATCH, limit)
        while len(order):
            found = sorted(found, key=_rank)[:limit]
            first = (-bounds.item(order[0]), chunks.item(order[0]))
            if len(found) == limit and _rank(found[-1]) < first:
                return found
            found += self._scored([ChunkId(chunk) for chunk in chunks[order[:size]].tolist()])
            order, size = order[size:], min(2 * size, _BATCH)
        return sorted(found, key=_rank)[:limit]

    def _scored(self, chunks: list[ChunkId]) -> Iterable[tuple[ChunkId, float]]:
        texts = self._catalog.texts.of_chunks(chunks)
        new = {content for content, _ in texts.values()} & self._visible - self._known.keys()
        self._known |= _with_titles(self._catalog, new)
        for chunk, (content, text) in texts.items():
            self._stop.check()
            if content in self._visible and content in self._known and chunk not in self._excluded:
                score = self._scorer.score(text, self._known[content])
                if score is not None:
                    yield chunk, score

    def _in_content(self, content: Content) -> Iterable[tuple[ChunkId, float]]:
        text = self._catalog.texts.whole(content.id)
        if not self._scorer.may_match(text, content):
            return
        for chunk, start, end in self._catalog.chunks.offsets(content.id):
            self._stop.check()
            score = self._scorer.score(text[start:end], content) if chunk not in self._excluded else None
            if score is not None:
                yield chunk, score


class _UpperBounds(QueryVisitor[Bounds]):
    """Upper bounds of the scores of all indexed chunks, from the keyword index; -1 for chunks that cannot match."""

    def __init__(
        self,
        keywords: KeywordReader,
        texts: IndexedChunks,
        catalog: CatalogReader,
        candidates: Candidates,
        weight: Weight,
        stop: Stop,
    ) -> None:
        self._keywords = keywords
        self._weight = weight
        self._texts = texts
        self._catalog = catalog
        self._holders = candidates.holders
        self._stop = stop

    def all_of(self, parts: tuple[Node, ...]) -> Bounds:
        """Return the sums where every part can match."""
        bounds = [self.visit(part) for part in parts]
        return np.where(reduce(np.minimum, bounds) < 0, -1.0, reduce(np.add, bounds))

    def any_of(self, parts: tuple[Node, ...]) -> Bounds:
        """Return the sums where at least one part can match."""
        bounds = [self.visit(part) for part in parts]
        sums = reduce(np.add, (np.maximum(bound, 0.0) for bound in bounds))
        sums[reduce(np.maximum, bounds) < 0] = -1.0
        return sums

    def negation(self, part: Node) -> Bounds:
        """Return 0: a chunk that may contain the part may also not contain it."""
        return np.zeros(len(self._texts.chunks))

    def preference(self, required: Node, optional: Node) -> Bounds:
        """Return the sums where the required part can match."""
        bound = self.visit(required)
        return np.where(bound < 0, -1.0, bound + np.maximum(self.visit(optional), 0.0))

    def boost(self, part: Node, factor: float) -> Bounds:
        """Return the multiples."""
        bound = self.visit(part)
        return np.where(bound < 0, -1.0, bound * factor)

    def file_leaf(self, leaf: FileLeaf) -> Bounds:
        """Return 0 for the chunks of files that fulfil the condition."""
        return np.where(np.isin(self._texts.contents, _numbers(self._holders(leaf))), 0.0, -1.0)

    def text_leaf(self, leaf: TextLeaf) -> Bounds:
        """Return the scores of the greatest possible counts."""
        counts = self._counts(leaf)
        bounds = np.full(len(counts), _bound(self._weight, leaf, 0.0))
        held = np.flatnonzero(counts > 0)
        distinct, positions = np.unique(counts[held], return_inverse=True)
        bounds[held] = np.array([_bound(self._weight, leaf, count) for count in distinct.tolist()])[positions]
        return bounds

    def _counts(self, leaf: TextLeaf) -> Bounds:
        if leaf.field is TextField.TITLE:
            return self._in_titles(leaf)
        if isinstance(leaf, Fuzzy):
            return self._near(leaf)
        # Each match of a wildcard contains every literal run of its pattern.
        runs = re.split(r"[*?]+", leaf.pattern) if isinstance(leaf, Wildcard) else _literals(leaf)
        counts = [self._keywords.max_occurrences(run.lower(), self._stop) for run in runs if run]
        return reduce(np.minimum, counts).astype(np.float64) if counts else np.full(len(self._texts.chunks), np.inf)

    def _near(self, leaf: Fuzzy) -> Bounds:
        """Return infinity for the chunks with a word like this one."""
        query = FuzzyQuery(TEXT_EXACT, fold(leaf.text), leaf.distance)
        found = self._keywords.search(query, len(self._texts.chunks), None, self._stop)
        return np.where(np.isin(self._texts.chunks, _numbers(chunk for chunk, _ in found)), np.inf, 0.0)

    def _in_titles(self, leaf: TextLeaf) -> Bounds:
        contents, positions = np.unique(self._texts.contents, return_inverse=True)
        known = _with_titles(self._catalog, map(ContentId, contents.tolist()))
        titles = (known[content].title if content in known else "" for content in contents.tolist())
        counts = np.fromiter((_count(leaf, _Text.of("", title)) for title in titles), np.float64, len(contents))
        return counts[positions]


def _bound(weight: Weight, leaf: TextLeaf, count: float) -> float:
    if math.isinf(count):
        return math.inf
    return weight(leaf, count) if count > 0 else -1.0


class _Scorer:
    """Scores one text at a time by the tree of the query."""

    def __init__(self, tree: Node, holders: Holders, weight: Weight) -> None:
        self._tree = tree
        self._weight = weight
        self._leaves = tuple(wanted(tree))
        self._holders = cache(holders)

    def may_match(self, text: str, content: Content) -> bool:
        """Return False if no chunk of a document's text can match, without reading chunk by chunk."""
        if not self._leaves:
            return True
        whole = _Text.of(text, content.title)
        return any(_count(leaf, whole) for leaf in self._leaves)

    def score(self, text: str, content: Content) -> float | None:
        """Return the score of a chunk's text, None if it does not match."""
        return _TextScore(_Text.of(text, content.title), content.id, self._holders, self._weight).visit(self._tree)


class _TextScore(QueryVisitor[float | None]):
    """The score of one text; None where it does not match."""

    def __init__(self, text: "_Text", content: ContentId, holders: Holders, weight: Weight) -> None:
        self._text = text
        self._weight = weight
        self._content = content
        self._holders = holders

    def all_of(self, parts: tuple[Node, ...]) -> float | None:
        scores = [self.visit(part) for part in parts]
        return None if None in scores else _sum(scores)

    def any_of(self, parts: tuple[Node, ...]) -> float | None:
        scores = [self.visit(part) for part in parts]
        return None if all(score is None for score in scores) else _sum(scores)

    def negation(self, part: Node) -> float | None:
        return 0.0 if self.visit(part) is None else None

    def preference(self, required: Node, optional: Node) -> float | None:
        score = self.visit(required)
        return None if score is None else score + (self.visit(optional) or 0.0)

    def boost(self, part: Node, factor: float) -> float | None:
        score = self.visit(part)
        return None if score is None else score * factor

    def file_leaf(self, leaf: FileLeaf) -> float | None:
        return 0.0 if self._content in self._holders(leaf) else None

    def text_leaf(self, leaf: TextLeaf) -> float | None:
        count = _count(leaf, self._text)
        return self._weight(leaf, count) if count else None


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
    return where.count(_literal(leaf).lower())


def _lowered(text: str) -> str:
    return text.lower().replace("\n", " ")  # a line break separates words as a space does


def _literals(leaf: TextLeaf) -> Sequence[str]:
    return folded_words(leaf.text) if isinstance(leaf, Phrase) and leaf.slop else [_literal(leaf)]


def _literal(leaf: TextLeaf) -> str:
    return leaf.pattern.replace("*", "").replace("?", "") if isinstance(leaf, Wildcard) else leaf.text


def _batches(contents: list[ContentId]) -> Iterable[list[ContentId]]:
    return (contents[first : first + _BATCH] for first in range(0, len(contents), _BATCH))


def _rank(found: tuple[ChunkId, float]) -> tuple[float, int]:
    return -found[1], found[0]


def _numbers(contents: Iterable[int]) -> npt.NDArray[np.uint64]:
    return np.fromiter(contents, np.uint64)
