"""What clients say to the searcher child, and what it answers."""

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout
from desktop_rag.processes.wire import Wire
from desktop_rag.retrieval.api import (
    ChunkText,
    ClauseCount,
    DocumentCard,
    DocumentDiff,
    DocumentList,
    DocumentQuery,
    Facets,
    LibraryFacts,
    LineWindow,
    Passage,
    Scope,
    SearchRequest,
    SearchResult,
)
from desktop_rag.retrieval.explain.explanation import Explanation


@dataclass(frozen=True, slots=True)
class FindPassages:
    """Answered by `PassagesFound`; see `Retriever.find`."""

    content: ContentId
    patterns: tuple[str, ...]
    per_pattern: int


@dataclass(frozen=True, slots=True)
class ReadLines:
    """Answered by `LineWindow`; see `Retriever.read_lines`."""

    content: ContentId
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class ReadChunks:
    """Answered by `ChunkTexts`; see `Retriever.read_chunks`."""

    chunks: tuple[ChunkId, ...]


@dataclass(frozen=True, slots=True)
class Describe:
    """Answered by `Described`; see `Retriever.describe`."""

    content: ContentId


@dataclass(frozen=True, slots=True)
class LookUp:
    """Answered by `Described`; see `Retriever.lookup`."""

    sha256: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class GetLayout:
    """Answered by `DocumentLayout`; see `Retriever.layout`."""

    content: ContentId


@dataclass(frozen=True, slots=True)
class CountFacts:
    """Answered by `LibraryFacts`; see `Retriever.facts`."""

    scope: Scope


@dataclass(frozen=True, slots=True)
class CountFacets:
    """Answered by `Facets`; see `Retriever.facets`."""

    request: SearchRequest


@dataclass(frozen=True, slots=True)
class CountClauses:
    """Answered by `ClauseCounts`; see `Retriever.clauses`."""

    request: SearchRequest


@dataclass(frozen=True, slots=True)
class Explain:
    """Answered by `Explanation`; see `Explorer.explain`."""

    path: Path
    request: SearchRequest | None


@dataclass(frozen=True, slots=True)
class Relate:
    """Answered by `SearchResult`; see `Explorer.related`."""

    chunk: ChunkId
    limit: int


@dataclass(frozen=True, slots=True)
class Differ:
    """Answered by `DocumentDiff`; see `Retriever.difference`."""

    one: ContentId
    other: ContentId
    most: int


SearcherRequest = (
    SearchRequest
    | CountFacets
    | CountClauses
    | Explain
    | Relate
    | FindPassages
    | ReadLines
    | ReadChunks
    | Describe
    | LookUp
    | GetLayout
    | CountFacts
    | DocumentQuery
    | Differ
)


@dataclass(frozen=True, slots=True)
class PassagesFound:
    """What `find` found."""

    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class ClauseCounts:
    """The parts of a query with their counts."""

    clauses: tuple[ClauseCount, ...]


@dataclass(frozen=True, slots=True)
class ChunkTexts:
    """The chunks that were asked for."""

    chunks: tuple[ChunkText, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of a document, None if the library does not hold it."""

    card: DocumentCard | None


SearcherReply = (
    SearchResult
    | Facets
    | Explanation
    | PassagesFound
    | LineWindow
    | ChunkTexts
    | ClauseCounts
    | Described
    | DocumentLayout
    | LibraryFacts
    | DocumentList
    | DocumentDiff
)

SEARCHER_REQUESTS = Wire(
    SearchRequest,
    CountFacets,
    CountClauses,
    Explain,
    Relate,
    FindPassages,
    ReadLines,
    ReadChunks,
    Describe,
    LookUp,
    GetLayout,
    CountFacts,
    DocumentQuery,
    Differ,
)
SEARCHER_REPLIES = Wire(
    SearchResult,
    Facets,
    Explanation,
    PassagesFound,
    LineWindow,
    ChunkTexts,
    ClauseCounts,
    Described,
    DocumentLayout,
    LibraryFacts,
    DocumentList,
    DocumentDiff,
)
