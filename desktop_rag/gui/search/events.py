"""What the search page is told from the background."""

from dataclasses import dataclass

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.hits import Facets, SearchRequest, SearchResult


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a request."""

    request: SearchRequest
    result: SearchResult


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """The query says nothing that can be looked for (yet)."""

    request: SearchRequest
    error: QueryError


@dataclass(frozen=True, slots=True)
class Counted:
    """What the documents of a request share."""

    request: SearchRequest
    facets: Facets
