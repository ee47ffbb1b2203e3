"""What search takes and gives: queries, scopes, hits, passages, and the Protocol of whoever can answer."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from desktop_rag.documents.document import InlineMark, Span
from desktop_rag.index.catalog.unsearchable_files import UnsearchableFiles
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout, FolderId
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.stop import Stop

MAX_PER_FILE = 3  # hits of one file, unless a search covers so few files that they would not fill the list


class Mode(StrEnum):
    """How to search; spelled the same in the window, the command line and the tools."""

    KEYWORD = "keyword"
    EXACT = "exact"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    LINKED = "linked"  # hybrid, and what the best passages name
    RERANKED = "hybrid+rerank"  # hybrid, and its best passages looked at once more

    @property
    def by_meaning(self) -> bool:
        """Return whether vectors have a say."""
        return self not in (Mode.KEYWORD, Mode.EXACT)

    @property
    def first(self) -> "Mode":
        """Return the mode whose list can be shown while this one is still being worked out."""
        return Mode.HYBRID if self is Mode.RERANKED else self


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look; an empty scope is the whole library."""

    folders: tuple[FolderId, ...] = ()
    contents: tuple[ContentId, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on files beside the query: a field of the query language and what is asked of it.

    A date may be a range (“2023 TO 2024-03”). Filters of one field are alternatives, those of several all hold.
    """

    field: FileField
    text: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One query; `default_and` joins bare words by AND instead of OR (ranked).

    `unfinished`: the last word may still be being typed and also stands for what begins with it.
    `published`: by the formulas of the papers instead of those that measured best here: the nearest sentence alone
    (A-RAG, equation 3), reciprocal rank fusion with K = 60.
    """

    query: str
    mode: Mode = Mode.HYBRID
    limit: int = 10
    scope: Scope = Scope()
    per_file: int = MAX_PER_FILE
    default_and: bool = False
    filters: tuple[Filter, ...] = ()
    unfinished: bool = False
    published: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short text with the matched character ranges (start, end) to mark; `span` is where it stands."""

    text: str
    marks: tuple[tuple[int, int], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MatchReason:
    """Ranks from 1 that brought a hit here; None where that list did not find it."""

    keyword_rank: int | None = None
    semantic_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers a query, at one place; the other places of the same content are in `also`."""

    rank: int
    chunk: ChunkId
    content: ContentId
    sha256: str
    path: Path
    also: tuple[Path, ...]
    format: str
    title: str
    modified_ns: int
    page: int | None
    heading: str
    span: Span
    score: float
    snippet: Snippet
    why: MatchReason
    section: str = ""  # the named part (slide, cells, chapter …) where the snippet begins


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in order; `coverage` is the share of sentences that have a vector (1.0 = search by meaning is complete).

    `note` says what could not be searched and why, empty when all is well. `suggestion` is the query with words that
    stand nowhere replaced by similar ones that do, when no word of it was found and there are such.
    """

    query: str
    mode: Mode
    took_ms: float
    hits: tuple[Hit, ...]
    coverage: float
    note: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One value that documents share, how many do, and the filter that keeps only those; `level` indents a folder."""

    label: str
    count: int
    filter: Filter
    level: int = 0


@dataclass(frozen=True, slots=True)
class Facets:
    """The documents that contain what a query asks for, counted by what they have in common.

    Each list counts as if no filter of its own field were set, so that another value of it can be chosen too.
    """

    documents: int
    folders: tuple[Facet, ...] = ()
    types: tuple[Facet, ...] = ()
    dates: tuple[Facet, ...] = ()
    languages: tuple[Facet, ...] = ()
    authors: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """A word, phrase or condition of a query, and how many documents hold it; `forbidden`: it stands under NOT."""

    text: str
    documents: int
    forbidden: bool = False


@dataclass(frozen=True, slots=True)
class LineWindow:
    """Lines `first` to `first + len(lines) - 1` of a content that has `total` lines.

    `start` is the offset of the first one in the text; `marks` are those of these lines, with offsets in the text.
    """

    content: ContentId
    first: int
    lines: tuple[str, ...]
    total: int
    start: int = 0
    marks: tuple[InlineMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines around a match inside one document; `pattern` is what was looked for."""

    content: ContentId
    pattern: str
    first: int
    lines: tuple[str, ...]
    page: int | None
    marks: tuple[tuple[int, int, int], ...]  # (line number, start, end) of each match
    section: str = ""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A whole chunk to read."""

    chunk: ChunkId
    content: ContentId
    ordinal: int
    chunks_in_content: int
    span: Span
    heading: str
    page: int | None
    lines: tuple[str, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """What is known of a document; `path` is where it lies now, None when no place holds it any more."""

    content: ContentId
    sha256: str
    path: Path | None
    also: tuple[Path, ...]
    format: str
    title: str
    author: str
    created: str
    language: str
    modified_ns: int
    lines: int
    words: int
    pages: int
    partial: str
    offline: bool


class Order(StrEnum):
    """How a list of documents is ordered."""

    FIT = "fit"  # those whose names fit best first; by name without words
    NAME = "name"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Documents by words of their names, titles, authors and folders; without words all of them."""

    words: str = ""
    scope: Scope = Scope()
    filters: tuple[Filter, ...] = ()
    order: Order = Order.FIT
    skip: int = 0
    limit: int = 20


@dataclass(frozen=True, slots=True)
class DocumentList:
    """A page of the documents asked for, how many there are in all, and what they have in common.

    `unmatched` are words that stand in no name; `fits` say for each card how much of the words it has, up to 1.
    """

    total: int
    cards: tuple[DocumentCard, ...]
    facets: Facets
    fits: tuple[float, ...] = ()
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of one document that stand otherwise in another, or not at all: then the first line there is zero."""

    first: int
    lines: tuple[str, ...]
    other_first: int
    other_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """How two documents differ, sentence by sentence; of the `total` changes the longest come, in their order.

    `alike` is the share of sentences that stand in both.
    """

    changes: tuple[Change, ...]
    total: int
    alike: float


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """How much there is to search, and what cannot be seen: for prompts, coverage reports and empty states."""

    files: int
    contents: int
    chunks: int
    coverage: float
    gaps: UnsearchableFiles = field(default_factory=UnsearchableFiles)


class Retriever(Protocol):
    """The library's reading side; the engine in this process, or the searcher child behind a pipe.

    Every method may raise `LibraryError`, `ProcessError` or `Stopped`; `search` also `QueryError`.
    """

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Return the best chunks for a query."""
        ...

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count for each part of a query by words the documents that hold it; raises `QueryError` like `search`."""
        ...

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        """Return passages of one document that contain a pattern as a substring, ignoring case."""
        ...

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        """Return `count` lines from line `first` (from 1), fewer at the end of the document."""
        ...

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        """Return whole chunks in the order asked; unknown ids are left out."""
        ...

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        """Return what is known of a document, or None if the library no longer holds it."""
        ...

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        """Return the document a file holds under this hash or now at `path`; else what is remembered of the hash."""
        ...

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        """Return line kinds, pages, boxes and structure of a document; its marks come with its lines."""
        ...

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        """Count the documents that contain what a query asks for; raises `QueryError` like `search`."""
        ...

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """Return documents by their names; raises `QueryError` for a filter that cannot be understood."""
        ...

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        """Return at most `most` changes from one document to another."""
        ...

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        """Return how much there is to search in `scope`."""
        ...
