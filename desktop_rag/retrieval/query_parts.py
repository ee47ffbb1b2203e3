"""The parts of Whoosh queries that are ours: most end with `Stopped` soon after the stop is set."""

from collections.abc import Iterator

from whoosh.matching import ListMatcher, Matcher, WrappingMatcher
from whoosh.query import FuzzyTerm, Query, Wildcard
from whoosh.reading import IndexReader
from whoosh.searching import Searcher

from desktop_rag.index.keyword_schema import CONTENT
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop


class Stoppable(Query):
    """Matches and scores what `query` does."""

    def __init__(self, query: Query, stop: Stop) -> None:
        self._query = query
        self._stop = stop

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return what walks through the matching documents of one segment."""
        self._stop.check()
        return _StoppableMatcher(self._query.matcher(searcher, context), self._stop)


class OfContents(Query):
    """Matches every chunk of some contents; Whoosh's own `ColumnQuery` cannot stand under OR."""

    def __init__(self, contents: frozenset[ContentId], stop: Stop) -> None:
        self._contents = contents
        self._stop = stop

    def estimate_size(self, ixreader: IndexReader) -> int:
        """Return an upper bound of how many documents match."""
        return ixreader.doc_count_all()

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return what walks through the matching documents of one segment."""
        self._stop.check()
        reader = searcher.reader()
        contents = reader.column_reader(CONTENT)
        return ListMatcher([doc for doc in reader.all_doc_ids() if contents[doc] in self._contents], all_weights=1.0)


class StoppableWildcard(Wildcard):
    """A wildcard whose walk through the vocabulary can be stopped."""

    def __init__(self, fieldname: str, pattern: str, boost: float, stop: Stop) -> None:
        super().__init__(fieldname, pattern, boost)
        self._stop = stop

    def _btexts(self, ixreader: IndexReader) -> Iterator[bytes]:
        for term in super()._btexts(ixreader):
            self._stop.check()
            yield term


class StoppableFuzzy(FuzzyTerm):
    """A fuzzy word whose walk through the vocabulary can be stopped."""

    def __init__(self, fieldname: str, word: str, distance: int, boost: float, stop: Stop) -> None:
        super().__init__(fieldname, word, boost, maxdist=distance, prefixlength=0)
        self._stop = stop

    def _btexts(self, ixreader: IndexReader) -> Iterator[bytes]:
        for term in super()._btexts(ixreader):
            self._stop.check()
            yield term


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
