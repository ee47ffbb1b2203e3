"""Events of the search worker."""

from dataclasses import dataclass

from desktop_rag.errors import QueryError
from desktop_rag.gui.search.saved_searches import RecentSearch
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Facets, Filter, Hit, Mode, SearchRequest, SearchResult, Sort


@dataclass(frozen=True, slots=True)
class HitsFound:
    """The hits of a request."""

    request: SearchRequest
    result: SearchResult

    def continues(self, other: "HitsFound") -> bool:
        """Return whether these are more hits of the same search, or the same ones re-ranked."""
        return _search(self.request) == _search(other.request)

    def answers(self, search: RecentSearch) -> bool:
        """Return whether these are hits of `search`."""
        asked = (search.query, search.mode.first, search.filters, search.sort)
        return bool(self.result.hits) and _search(self.request) == asked


@dataclass(frozen=True, slots=True)
class Related:
    """Passages related to a hit."""

    hit: Hit
    result: SearchResult


@dataclass(frozen=True, slots=True)
class DocumentSearched:
    """The passages of one document for a request; `more`: it has others."""

    request: SearchRequest
    content: ContentId
    hits: tuple[Hit, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """The query cannot be parsed (yet)."""

    request: SearchRequest
    error: QueryError


@dataclass(frozen=True, slots=True)
class FacetsCounted:
    """The facets of a request."""

    request: SearchRequest
    facets: Facets


SearchEvent = HitsFound | FacetsCounted | NotUnderstood | Related


def _search(request: SearchRequest) -> tuple[str, Mode, tuple[Filter, ...], Sort]:
    return request.query, request.mode.first, request.filters, request.sort
