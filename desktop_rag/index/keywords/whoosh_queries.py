"""Whoosh queries of ours: words side by side or near each other, the forms of a word, and listed chunks.

Whoosh's own unordered `SpanNear2` limits each step separately and misses a word that stands between two others; its
`ColumnQuery` cannot stand under OR.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from whoosh.matching import ListMatcher, Matcher
from whoosh.query import AndNot, Or, Query, Require, Span, SpanNear2, Term
from whoosh.reading import IndexReader
from whoosh.searching import Searcher

from desktop_rag.index.keywords.keyword_schema import CHUNK, CONTENT
from desktop_rag.index.records import ChunkId, ContentId

Places = Sequence[Collection[int]]


def side_by_side(places: Places) -> list[tuple[int, int]]:
    """Return (first, last) of every run in which word 1 directly follows word 0 and so on; `places` by word."""
    others = [frozenset(positions) for positions in places[1:]]
    return [
        (first, first + len(others))
        for first in places[0]
        if all(first + step in positions for step, positions in enumerate(others, start=1))
    ]


def windows(places: Places, needed: Sequence[int], slop: int) -> list[tuple[int, int]]:
    """Return (first, last) of the shortest runs of positions that hold every word `needed` times.

    `places[i]` are the positions of word i; a run may hold at most `slop` positions of other words.
    """
    events = sorted((position, word) for word, positions in enumerate(places) for position in positions)
    widest = sum(needed) + slop
    missing = sum(needed)
    held = [0] * len(needed)
    found: list[tuple[int, int]] = []
    left = 0
    for position, word in events:
        held[word] += 1
        missing -= held[word] <= needed[word]
        while not missing:
            first, leaving = events[left]
            if position - first < widest:
                found.append((first, position))
            held[leaving] -= 1
            missing += held[leaving] < needed[leaving]
            left += 1
    return found


class Adjacent(SpanNear2):
    """Matches texts in which `words` stand side by side in this order."""

    def __init__(self, fieldname: str, words: Sequence[str], boost: float = 1.0) -> None:
        super().__init__([Term(fieldname, word, boost) for word in words])

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return what walks through the matching documents of one segment."""
        return _AdjacentMatcher([query.matcher(searcher, context) for query in self.qs])


class Near(SpanNear2):
    """Matches texts that hold all `words` with at most `slop` other words between the first and the last of them."""

    def __init__(self, fieldname: str, words: Sequence[str], slop: int, boost: float = 1.0) -> None:
        counts = Counter(words)
        super().__init__([Term(fieldname, word, boost) for word in counts], slop=slop, ordered=False)
        self.needed = tuple(counts.values())

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return what walks through the matching documents of one segment."""
        return _NearMatcher([query.matcher(searcher, context) for query in self.qs], self.slop, self.needed)


class Listed(Query):
    """Matches the documents whose number in `column` is among `scores`, each with the score beside it."""

    def __init__(self, column: str, scores: Mapping[int, float]) -> None:
        self.column = column
        self.scores = scores

    def estimate_size(self, ixreader: IndexReader) -> int:
        """Return an upper bound of how many documents match."""
        return ixreader.doc_count_all()

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return what walks through the matching documents of one segment."""
        del context
        reader = searcher.reader()
        numbers = reader.column_reader(self.column)
        documents = [document for document in reader.all_doc_ids() if numbers[document] in self.scores]
        return ListMatcher(documents, [self.scores[numbers[document]] for document in documents])


def of_contents(contents: Iterable[ContentId]) -> Listed:
    """Return what matches every chunk of some contents."""
    return Listed(CONTENT, dict.fromkeys(contents, 1.0))


def of_chunks(chunks: Iterable[ChunkId]) -> Listed:
    """Return what matches these chunks."""
    return Listed(CHUNK, dict.fromkeys(chunks, 1.0))


class Inflected(Or):
    """Matches texts with any form of a word as one word: the term `usual`, or what a language makes of it.

    `forms` are the words of the field `spelled` that count instead in the chunks of some contents.
    """

    def __init__(
        self,
        usual: Term,
        spelled: str,
        forms: Sequence[tuple[frozenset[ContentId], tuple[str, ...]]],
        boost: float = 1.0,
    ) -> None:
        self.usual = usual
        self.spelled = spelled
        self.forms = forms
        others = of_contents(frozenset[ContentId]().union(*(contents for contents, _ in forms)))
        inside = [
            Require(Or([Term(spelled, word) for word in words]), of_contents(contents))
            for contents, words in forms
            if words
        ]
        super().__init__([AndNot(usual, others), *inside], boost)


class _AdjacentMatcher(SpanNear2.SpanNear2Matcher):
    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in side_by_side(_places(self.ms))]


class _NearMatcher(SpanNear2.SpanNear2Matcher):
    def __init__(self, matchers: Sequence[Matcher], slop: int, needed: tuple[int, ...]) -> None:
        self._needed = needed
        super().__init__(matchers, slop=slop, ordered=False)

    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in windows(_places(self.ms), self._needed, self.slop)]


def _places(matchers: Sequence[Matcher]) -> list[list[int]]:
    return [[span.start for span in matcher.spans()] for matcher in matchers]
