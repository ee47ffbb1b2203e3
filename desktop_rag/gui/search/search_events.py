"""Events of the search worker."""

import contextlib
from dataclasses import dataclass, replace
from itertools import dropwhile
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import QueryError
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.retrieval.api import MAX_SIMILAR, Facets, Hit, Mode, SearchRequest, SearchResult, Sort
from desktop_rag.retrieval.query.tree import Filter

# Recent and saved searches of a library, in one small file.

MOST_RECENT = 50


@dataclass(frozen=True, slots=True)
class RecentSearch:
    """A query, its mode, its filters and the order of its hits."""

    query: str
    mode: Mode = Mode.HYBRID
    filters: tuple[Filter, ...] = ()
    sort: Sort = Sort.RELEVANCE


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search saved under a name."""

    name: str
    search: RecentSearch


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """All recent searches (newest first) and saved ones (by name)."""

    recent: tuple[RecentSearch, ...] = ()
    saved: tuple[SavedSearch, ...] = ()

    def with_recent(self, search: RecentSearch) -> "SavedSearches":
        """Return a copy with `search` as the newest."""
        others = (each for each in self.recent if each.query != search.query)
        return replace(self, recent=(search, *others)[:MOST_RECENT])

    def with_saved(self, name: str, search: RecentSearch) -> "SavedSearches":
        """Return a copy with `search` saved under a name, replacing an earlier one."""
        others = (each for each in self.saved if each.name != name)
        return replace(self, saved=tuple(sorted((SavedSearch(name, search), *others), key=lambda each: each.name)))

    def without_saved(self, name: str) -> "SavedSearches":
        """Return a copy without the saved search of that name."""
        return replace(self, saved=tuple(each for each in self.saved if each.name != name))


def load(library: Path) -> SavedSearches:
    """Load the file from a library's folder; empty if it is missing or unreadable."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return decode_json(Library(library).searches.read_bytes(), SavedSearches)
    return SavedSearches()


def store(library: Path, kept: SavedSearches) -> None:
    """Write the file; an unplugged or read-only library keeps nothing."""
    if library.is_dir():
        with contextlib.suppress(OSError):
            write_durably(Library(private_folder(library)).searches, msgspec.json.encode(kept))


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


# Sets the passages of a result apart that have no word of the query: they are similar, but were not found.

_FEW_WORDS = 2  # of a query that asks for its words; longer ones are often sentences, best answered in other words


def set_apart(search: HitsFound) -> SearchResult:
    """Return the result with documents that have no word of the query among the similar passages.

    After a sentence only those at the end of the list: what is better than a document with words stays in its place.
    A few of them are kept; all, where the documents are in another language than the query and have none of its words.
    """
    request, result = search.request, search.result
    by_both = request.mode.by_meaning and request.mode is not Mode.SEMANTIC and request.sort is Sort.RELEVANCE
    if not by_both or not (result.without_words or any(hit.why.by_words for hit in result.hits)):
        return result
    documents: dict[ContentId, list[Hit]] = {}
    for hit in result.hits:
        documents.setdefault(hit.content, []).append(hit)
    of_words = {content for content, hits in documents.items() if any(hit.why.by_words for hit in hits)}
    if len(result.query.split()) > _FEW_WORDS:
        of_words = set(dropwhile(lambda content: content not in of_words, reversed(documents)))
    similar = [hit for hit in result.hits if hit.content not in of_words]
    kept = similar if result.languages is not None else similar[:MAX_SIMILAR]
    return replace(
        result,
        hits=tuple(hit for hit in result.hits if hit.content in of_words),
        similar=(*kept, *result.similar),
        without_words=False,
    )


def has_more(search: HitsFound, shown: SearchResult, counted: FacetsCounted | None) -> bool:
    """Return whether a longer list may have further passages with words; `counted` are all documents that have some."""
    if search.result.more and shown.hits:
        return True
    if len(search.result.hits) < search.request.limit or not shown.hits:
        return False
    documents = counted.facets.documents if counted is not None and counted.request is search.request else 0
    return len(shown.hits) == len(search.result.hits) or documents > len({hit.content for hit in shown.hits})


def cap_of(search: HitsFound) -> int:
    """Return the most hits that one document may have had, 0 if no document has others."""
    request = search.request
    return request.per_file if search.result.more or request.mode.by_meaning else 0
