"""A Whoosh query whose search ends with `Stopped` soon after the stop is set."""

from collections.abc import Iterator

from whoosh.matching import Matcher, WrappingMatcher
from whoosh.query import Query
from whoosh.searching import Searcher

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
