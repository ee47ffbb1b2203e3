"""Upper bounds of the scores of a substring search, from the keyword index: which texts need to be read at all.

Only the chunks that can match have a bound, so a query of rare words costs little in a large library.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.analysis import fold
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordReader
from desktop_rag.index.keywords.keyword_fields import TEXT_EXACT
from desktop_rag.index.keywords.keyword_query import FuzzyQuery
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.tree import FileLeaf, Fuzzy, Node, Phrase, QueryVisitor, TextField, TextLeaf, Wildcard
from desktop_rag.retrieval.reading.highlights import folded_words
from desktop_rag.stop import Stop

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


class UpperBounds(QueryVisitor[Bounds]):
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

    def all_of(self, parts: tuple[Node, ...]) -> Bounds:
        """Return the sums where every part can match."""
        return reduce(lambda one, other: _both(one, other, np.add), [self.visit(part) for part in parts])

    def any_of(self, parts: tuple[Node, ...]) -> Bounds:
        """Return the sums where at least one part can match."""
        bounds = [self.visit(part) for part in parts]
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

    def negation(self, part: Node) -> Bounds:
        """Return 0: a chunk that may contain the part may also not contain it."""
        return self._every(0.0)

    def preference(self, required: Node, optional: Node) -> Bounds:
        """Return the sums where the required part can match."""
        bound = self.visit(required)
        return Bounds(bound.rows, bound.values + self.visit(optional).among(bound.rows)[1])

    def boost(self, part: Node, factor: float) -> Bounds:
        """Return the multiples."""
        bound = self.visit(part)
        return Bounds(bound.rows, bound.values * factor)

    def file_leaf(self, leaf: FileLeaf) -> Bounds:
        """Return 0 for the chunks of files that fulfil the condition."""
        holders = self._holders(leaf)
        rows = np.isin(self._texts.contents, np.fromiter(holders, np.uint64, len(holders))).nonzero()[0]
        return Bounds(rows, np.zeros(len(rows)))

    def text_leaf(self, leaf: TextLeaf) -> Bounds:
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
