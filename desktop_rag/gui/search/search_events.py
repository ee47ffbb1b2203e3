"""What the search page is told from the background."""

from dataclasses import dataclass

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import Facets, Filter, Hit, Mode, SearchRequest, SearchResult


@dataclass(frozen=True, slots=True)
class HitsFound:
    """The hits of a request."""

    request: SearchRequest
    result: SearchResult

    def continues(self, other: "HitsFound") -> bool:
        """Return whether these are more hits of the same search, or the same ones in a better order."""
        return _search(self.request) == _search(other.request)


@dataclass(frozen=True, slots=True)
class Related:
    """What belongs to a passage."""

    hit: Hit
    result: SearchResult


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """The query says nothing that can be looked for (yet)."""

    request: SearchRequest
    error: QueryError


@dataclass(frozen=True, slots=True)
class FacetsCounted:
    """What the documents of a request share."""

    request: SearchRequest
    facets: Facets


SearchEvent = HitsFound | FacetsCounted | NotUnderstood | Related


def _search(request: SearchRequest) -> tuple[str, Mode, tuple[Filter, ...]]:
    return request.query, request.mode.first, request.filters
