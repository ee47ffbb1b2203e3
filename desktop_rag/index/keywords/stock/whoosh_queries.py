"""Makes Whoosh queries of keyword queries, for the stock engine.

Five are our own: Whoosh's unordered `SpanNear2` limits each step separately and misses a word between two others, its
`ColumnQuery` does not work under OR, its fuzzy words know no swapped
letters, and it has no query for inflected forms and none that can be stopped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from whoosh.matching import ListMatcher, Matcher, WrappingMatcher
from whoosh.query import (
    And,
    AndMaybe,
    AndNot,
    DisjunctionMax,
    Every,
    FuzzyTerm,
    Not,
    Or,
    Query,
    Require,
    Span,
    SpanNear2,
    Term,
    Wildcard,
)
from whoosh.reading import IndexReader
from whoosh.searching import Searcher

from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FilteredQuery,
    FuzzyQuery,
    IdQuery,
    InflectedQuery,
    KeywordQuery,
    MaxOfQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
    of_contents,
)
from desktop_rag.index.keywords.proximity import side_by_side, windows
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop


def whoosh_query(query: KeywordQuery) -> Query:
    """Return the Whoosh query that finds and scores the same documents."""
    match query:
        case TermQuery(field, text, boost):
            return Term(field, text, boost)
        case AdjacentQuery(field, words, boost):
            return WhooshAdjacent([Term(field, word, boost) for word in words])
        case NearQuery(field, words, slop, boost):
            return WhooshNear(field, words, slop, boost)
        case PatternQuery(field, pattern, boost):
            return Wildcard(field, pattern, boost, constantscore=False)
        case FuzzyQuery(field, text, distance, boost):
            return WhooshFuzzy(field, text, boost, distance, constantscore=False)
        case InflectedQuery():
            return _inflected(query)
        case IdQuery(column, scores):
            return WhooshIds(column, scores)
        case AllOfQuery():
            return _all_of(query)
        case AnyOfQuery(parts):
            return Or(list(map(whoosh_query, parts)))
        case MaxOfQuery(parts):
            return DisjunctionMax(list(map(whoosh_query, parts)))
        case FilteredQuery(wanted, condition):
            return Require(whoosh_query(wanted), whoosh_query(condition))
    assert_never(query)


def _all_of(query: AllOfQuery) -> Query:
    parts = list(map(whoosh_query, query.required)) or [Every()]
    found = And(parts) if len(parts) > 1 else parts[0]
    if query.forbidden:
        # `AndNot` keeps its first document even if that is forbidden; `Not` under `And` adds 1 to the score.
        found = Require(found, Not(Or(list(map(whoosh_query, query.forbidden)))))
    for part in query.optional:
        found = AndMaybe(found, whoosh_query(part))
    return found


def _inflected(query: InflectedQuery) -> Query:
    others = of_contents(frozenset[ContentId]().union(*(contents for contents, _ in query.forms)))
    inside = [
        Require(Or([Term(query.forms_field, word) for word in words]), whoosh_query(of_contents(contents)))
        for contents, words in query.forms
        if words
    ]
    return Or([AndNot(Term(query.field, query.text), whoosh_query(others)), *inside], query.boost)


class WhooshFuzzy(FuzzyTerm):
    """Matches texts with a term within `maxdist` edits; for Whoosh, swapping two letters is two of them."""

    def _btexts(self, ixreader: IndexReader) -> Iterator[bytes]:
        from rapidfuzz.distance import OSA

        for term in ixreader.lexicon(self.fieldname):
            if OSA.distance(self.text, term.decode("utf-8"), score_cutoff=int(self.maxdist)) <= self.maxdist:
                yield term


class WhooshAdjacent(SpanNear2):
    """Matches texts in which the words of some term queries are side by side in this order."""

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        return _AdjacentMatcher([query.matcher(searcher, context) for query in self.qs])


class WhooshNear(SpanNear2):
    """Matches texts that hold all `words` with at most `slop` other words between the first and the last of them."""

    def __init__(self, fieldname: str, words: Sequence[str], slop: int, boost: float = 1.0) -> None:
        counts = Counter(words)
        super().__init__([Term(fieldname, word, boost) for word in counts], slop=slop, ordered=False)
        self.needed = tuple(counts.values())

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        return _NearMatcher([query.matcher(searcher, context) for query in self.qs], self.slop, self.needed)


class WhooshIds(Query):
    """Matches the documents whose id in `column` is among `scores`, each with the score given there."""

    def __init__(self, column: str, scores: Mapping[int, float]) -> None:
        self.column = column
        self.scores = scores

    def estimate_size(self, ixreader: IndexReader) -> int:
        """Return an upper bound of how many documents match."""
        return ixreader.doc_count_all()

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        del context
        reader = searcher.reader()
        numbers = reader.column_reader(self.column)
        documents = [document for document in reader.all_doc_ids() if numbers[document] in self.scores]
        return ListMatcher(documents, [self.scores[numbers[document]] for document in documents])


class StoppableQuery(Query):
    """Matches and scores what `query` does; its search ends with `Stopped` soon after the stop is set."""

    def __init__(self, query: Query, stop: Stop) -> None:
        self._query = query
        self._stop = stop

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        self._stop.check()
        return _StoppableMatcher(self._query.matcher(searcher, context), self._stop)


class _AdjacentMatcher(SpanNear2.SpanNear2Matcher):
    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in side_by_side(_positions(self.ms))]


class _NearMatcher(SpanNear2.SpanNear2Matcher):
    def __init__(self, matchers: Sequence[Matcher], slop: int, needed: tuple[int, ...]) -> None:
        self._needed = needed
        super().__init__(matchers, slop=slop, ordered=False)

    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in windows(_positions(self.ms), self._needed, self.slop)]


def _positions(matchers: Sequence[Matcher]) -> list[list[int]]:
    return [[span.start for span in matcher.spans()] for matcher in matchers]


class _StoppableMatcher(WrappingMatcher):
    def __init__(self, child: Matcher, stop: Stop) -> None:
        super().__init__(child)
        self._stop = stop

    def _replacement(self, newchild: Matcher) -> Matcher:
        return _StoppableMatcher(newchild, self._stop)

    def copy(self) -> Matcher:
        return _StoppableMatcher(self.child.copy(), self._stop)

    def next(self) -> None:
        self._stop.check()
        self.child.next()

    def skip_to(self, id: int) -> None:  # noqa: A002 - Whoosh's name
        self._stop.check()
        self.child.skip_to(id)

    def all_ids(self) -> Iterator[int]:
        for document in self.child.all_ids():
            self._stop.check()
            yield document
