"""Literal search as in A-RAG (section 3.2): score(chunk) = Σ count(keyword, chunk) · len(keyword).

Keywords are the words and phrases of the query, found without regard to case and also inside words. AND, OR and
NOT decide which chunks count at all. The terms of the keyword index tell how high a chunk can score at most; texts are
read from the highest bound down until no other can be among the best. What is not indexed yet is read as a whole.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, assert_never

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader, Texts
from desktop_rag.index.records import ChunkId, Content, ContentId
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Either,
    FileFact,
    FileLeaf,
    Fuzzy,
    Modified,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    wanted,
)
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.spelled import composed, pattern_of
from desktop_rag.stop import Stop

_BATCH = 500
_FEW = 64  # chunks that are read first

Holders = Callable[[FileLeaf], frozenset[ContentId]]


def keywords(tree: Node | None) -> tuple[str, ...]:
    """Return what the query looks for, as it was typed."""
    return tuple(dict.fromkeys(_literal(leaf) for leaf in wanted(tree)))


def exact_search(
    catalog: CatalogReader,
    keywords: KeywordReader,
    tree: Node,
    candidates: Candidates,
    limit: int,
    stop: Stop,
) -> list[tuple[ChunkId, float]]:
    """Return the best `limit` chunks with their scores, best first; equal scores in the order of the chunks."""
    search = _ExactSearch(catalog, _Scorer(tree, candidates.holders), candidates.contents, stop)
    if keywords.watermark.lineage != catalog.lineage():
        return search.read(candidates.contents)[:limit]  # a copy of another catalog is of no use
    untold = catalog.untold_contents(keywords.watermark.sequence) & candidates.contents
    found = search.read(untold)
    texts = keywords.texts()
    bounds = _Bounds(keywords, texts, catalog, candidates, stop).of(tree)
    unlikely = (bounds < 0) | np.isin(texts.contents, _numbers(untold))
    if candidates.limiting is not None:
        unlikely |= ~np.isin(texts.contents, _numbers(candidates.limiting))
    bounds[unlikely] = -1.0
    # Where a bound is of no help, reading whole contents is cheaper than chunk after chunk.
    unbounded = frozenset(map(ContentId, np.unique(texts.contents[np.isinf(bounds)]).tolist()))
    found += search.read(unbounded & candidates.contents)
    bounds[np.isin(texts.contents, _numbers(unbounded))] = -1.0
    return search.best(found, texts.chunks, bounds, limit)


class _ExactSearch:
    """Reads texts and scores them."""

    def __init__(self, catalog: CatalogReader, scorer: "_Scorer", visible: frozenset[ContentId], stop: Stop) -> None:
        self._catalog = catalog
        self._scorer = scorer
        self._visible = visible
        self._stop = stop
        self._known: dict[ContentId, Content] = {}

    def read(self, contents: frozenset[ContentId]) -> list[tuple[ChunkId, float]]:
        """Return every chunk of some contents that matches, best first."""
        found: list[tuple[ChunkId, float]] = []
        for some in _batches(sorted(contents)):
            for content in self._catalog.contents(some).values():
                self._stop.check()
                found += self._in_content(content)
        return sorted(found, key=_rank)

    def best(
        self,
        found: list[tuple[ChunkId, float]],
        chunks: npt.NDArray[np.uint64],
        bounds: npt.NDArray[np.float64],
        limit: int,
    ) -> list[tuple[ChunkId, float]]:
        """Return the best of `found` and of `chunks`; only those whose bound reaches the best so far are read."""
        likely = np.flatnonzero(bounds >= 0)
        order = likely[np.lexsort((chunks[likely], -bounds[likely]))]
        step = _FEW
        while len(order):
            found = sorted(found, key=_rank)[:limit]
            first = (-bounds.item(order[0]), chunks.item(order[0]))
            if len(found) == limit and _rank(found[-1]) < first:
                return found
            found += self._scored([ChunkId(chunk) for chunk in chunks[order[:step]].tolist()])
            order, step = order[step:], min(2 * step, _BATCH)
        return sorted(found, key=_rank)[:limit]

    def _scored(self, chunks: list[ChunkId]) -> Iterable[tuple[ChunkId, float]]:
        texts = self._catalog.chunk_texts(chunks)
        new = {content for content, _ in texts.values()} & self._visible - self._known.keys()
        self._known |= self._catalog.contents(new)
        for chunk, (content, text) in texts.items():
            self._stop.check()
            if content in self._visible and content in self._known:
                score = self._scorer.score(text, self._known[content])
                if score is not None:
                    yield chunk, score

    def _in_content(self, content: Content) -> Iterable[tuple[ChunkId, float]]:
        text = self._catalog.text(content.id)
        if not self._scorer.may_match(text, content):
            return
        for chunk, start, end in self._catalog.chunk_offsets(content.id):
            self._stop.check()
            score = self._scorer.score(text[start:end], content)
            if score is not None:
                yield chunk, score


class _Bounds:
    """Upper bounds of the scores of all indexed chunks, by what the keyword index knows; -1 where none can match."""

    def __init__(
        self, keywords: KeywordReader, texts: Texts, catalog: CatalogReader, candidates: Candidates, stop: Stop
    ) -> None:
        self._keywords = keywords
        self._texts = texts
        self._catalog = catalog
        self._holders = candidates.holders
        self._stop = stop

    def of(self, node: Node) -> npt.NDArray[np.float64]:
        """Return the bounds for a query."""
        match node:
            case All(parts):
                bounds = [self.of(part) for part in parts]
                none = np.logical_or.reduce([bound < 0 for bound in bounds])
                return np.where(none, -1.0, np.sum(bounds, axis=0))
            case Either(parts):
                bounds = [self.of(part) for part in parts]
                none = np.logical_and.reduce([bound < 0 for bound in bounds])
                return np.where(none, -1.0, np.sum([np.maximum(bound, 0.0) for bound in bounds], axis=0))
            case Prefer(required, optional):
                bound = self.of(required)
                return np.where(bound < 0, -1.0, bound + np.maximum(self.of(optional), 0.0))
            case Not():
                return np.zeros(len(self._texts.chunks))  # what contains it at most may still be without it
            case Boosted(part, factor):
                bound = self.of(part)
                return np.where(bound < 0, -1.0, bound * factor)
            case FileFact() | Modified():
                return np.where(np.isin(self._texts.contents, _numbers(self._holders(node))), 0.0, -1.0)
            case Word() | Phrase() | Fuzzy() | Wildcard() | Spelled():
                counts = self._counts(node)
                return np.where(counts > 0, counts * (len(_literal(node)) * node.boost), -1.0)
        assert_never(node)

    def _counts(self, leaf: TextLeaf) -> npt.NDArray[np.float64]:
        if leaf.field is TextField.TITLE:
            return self._in_titles(leaf)
        # A match of a pattern holds each of its letters' runs once.
        runs = re.split(r"[*?]+", leaf.pattern) if isinstance(leaf, Wildcard) else [leaf.text]
        counts = [self._keywords.at_most(run.lower(), self._stop) for run in runs if run]
        return np.min(counts, axis=0).astype(np.float64) if counts else np.full(len(self._texts.chunks), np.inf)

    def _in_titles(self, leaf: TextLeaf) -> npt.NDArray[np.float64]:
        contents, places = np.unique(self._texts.contents, return_inverse=True)
        known = self._catalog.contents(map(ContentId, contents.tolist()))
        titles = (known[content].title if content in known else "" for content in contents.tolist())
        counts = np.fromiter((_count(leaf, _Text.of("", title)) for title in titles), np.float64, len(contents))
        return counts[places]


class _Scorer:
    """Scores one text at a time by the tree of the query."""

    def __init__(self, tree: Node, holders: Holders) -> None:
        self._tree = tree
        self._leaves = tuple(wanted(tree))
        self._holders = holders
        self._held: dict[FileLeaf, frozenset[ContentId]] = {}

    def may_match(self, text: str, content: Content) -> bool:
        """Return False if no chunk of this text can have a score, without looking at the chunks."""
        if not self._leaves:
            return True
        told = _Text.of(text, content.title)
        return any(_count(leaf, told) for leaf in self._leaves)

    def score(self, text: str, content: Content) -> float | None:
        """Return the score of a chunk's text, None if it does not match."""
        return self._score(self._tree, _Text.of(text, content.title), content.id)

    def _score(self, node: Node, text: "_Text", content: ContentId) -> float | None:
        match node:
            case All(parts):
                scores = [self._score(part, text, content) for part in parts]
                return None if None in scores else _sum(scores)
            case Either(parts):
                scores = [self._score(part, text, content) for part in parts]
                return None if all(score is None for score in scores) else _sum(scores)
            case Prefer(required, optional):
                score = self._score(required, text, content)
                return None if score is None else score + (self._score(optional, text, content) or 0.0)
            case Not(part):
                return 0.0 if self._score(part, text, content) is None else None
            case Boosted(part, factor):
                score = self._score(part, text, content)
                return None if score is None else score * factor
            case FileFact() | Modified():
                return 0.0 if content in self._holding(node) else None
            case Word() | Phrase() | Fuzzy() | Wildcard() | Spelled():
                count = _count(node, text)
                return count * len(_literal(node)) * node.boost if count else None
        assert_never(node)

    def _holding(self, leaf: FileLeaf) -> frozenset[ContentId]:
        if leaf not in self._held:
            self._held[leaf] = self._holders(leaf)
        return self._held[leaf]


def _sum(scores: Iterable[float | None]) -> float:
    return sum(score for score in scores if score is not None)


class _Text(NamedTuple):
    """A text and its title, as they are written and in small letters."""

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
    if isinstance(leaf, Wildcard):
        expression = "".join({"*": r"\w*", "?": r"\w"}.get(char) or re.escape(char) for char in leaf.pattern.lower())
        return sum(1 for _ in re.finditer(expression, where))
    return where.count(_literal(leaf).lower())


def _lowered(text: str) -> str:
    return text.lower().replace("\n", " ")  # a line's end parts words as a space does


def _literal(leaf: TextLeaf) -> str:
    return leaf.pattern.replace("*", "").replace("?", "") if isinstance(leaf, Wildcard) else leaf.text


def _batches(contents: list[ContentId]) -> Iterable[list[ContentId]]:
    return (contents[first : first + _BATCH] for first in range(0, len(contents), _BATCH))


def _rank(found: tuple[ChunkId, float]) -> tuple[float, int]:
    return -found[1], found[0]


def _numbers(contents: Iterable[ContentId]) -> npt.NDArray[np.uint64]:
    return np.fromiter(contents, np.uint64)
