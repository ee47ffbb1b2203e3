"""The retrieval API: requests, results, and the `Retriever` Protocol that the engine and the searcher client share."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

from desktop_rag.documents.document import InlineMark, Span
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout, FolderId, UnsearchableFiles
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.stop import Stop

# What a conversation has attached: a file or folder beside those of the library.


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or folder that a conversation has attached, as far as it has been read; `path` is absolute.

    `folder` is None before the indexer knows it. `waiting` files are not searchable yet (1 before the first scan),
    `unread` ones cannot be read; `reason` says why, of the first of them. `pictures` have no text.
    """

    path: bytes
    folder: FolderId | None = None
    searchable: int = 0
    waiting: int = 0
    unread: int = 0
    pictures: int = 0
    reason: str = ""

    @property
    def files(self) -> int:
        """Return the number of files known so far; none in an empty folder."""
        return self.searchable + self.waiting + self.unread + self.pictures


# The differences between two documents.


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of one document and those they are replaced by in another; `first` is 0 where there are none."""

    first: int
    lines: tuple[str, ...]
    other_first: int
    other_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """The longest of the `total` changes by sentences, in order; `alike` is the share of sentences that both have."""

    changes: tuple[Change, ...]
    total: int
    alike: float


# What a document mentions: whole dates, amounts of money, names, and terms that it defines, each with its line.

GuideKind = Literal["date", "amount", "name", "term"]


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """Words of a document, the first line that has them, and how many lines do."""

    kind: GuideKind
    text: str
    line: int
    lines: int = 1


@dataclass(frozen=True, slots=True)
class DocumentGuide:
    """The entries, by kind and in the order of the document; `whole`: all lines were looked at."""

    entries: tuple[GuideEntry, ...]
    whole: bool


MAX_SIMILAR = 10
MAX_PER_FILE = 3  # hits of one file, unless a search covers so few files that they would not fill the list


class Mode(StrEnum):
    """The search modes; named the same in the window, the command line and the tools."""

    KEYWORD = "keyword"
    EXACT = "exact"  # substrings, see retrievers/substring
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    LINKED = "linked"  # hybrid with link boost
    RERANKED = "hybrid+rerank"  # hybrid, its top passages re-ranked
    BEST = "linked+rerank"  # the same, with link boost

    @property
    def by_meaning(self) -> bool:
        """Return whether the mode uses sentence vectors."""
        return self not in (Mode.KEYWORD, Mode.EXACT)

    @property
    def first(self) -> "Mode":
        """Return the faster mode whose results can be shown until those of this one are ready."""
        return Mode.HYBRID if self in (Mode.RERANKED, Mode.BEST) else self


class Sort(StrEnum):
    """The order of hits: by relevance, by date (newest first), name, size (largest first) or folder."""

    RELEVANCE = "relevance"
    DATE = "date"
    NAME = "name"
    SIZE = "size"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look; an empty scope is the whole library.

    `attached` are files and folders of a conversation beside those of the library: they are searched, too, and their
    passages come first. `contents` limits all of it, `filters` what is not attached; `withheld` contents are left out.
    """

    folders: tuple[FolderId, ...] = ()
    contents: tuple[ContentId, ...] = ()
    attached: tuple[FolderId, ...] = ()
    withheld: Withheld = NOTHING_WITHHELD
    filters: tuple[Filter, ...] = ()

    @property
    def is_chosen(self) -> bool:
        """Return whether the scope is a part of the library that was chosen."""
        return bool(self.folders or self.contents or self.filters)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One query; `default_and` joins bare words by AND instead of OR (ranked).

    `published`: rank by the papers' formulas, not by those that measured best here. `sort` orders all that fulfils a
    query with operators, of plain words the best hundred passages; conditions alone by date. `reverse` turns it.
    """

    query: str
    mode: Mode = Mode.HYBRID
    limit: int = 10
    scope: Scope = Scope()
    per_file: int = MAX_PER_FILE  # the most hits of a file; 0 for no cap
    default_and: bool = False
    filters: tuple[Filter, ...] = ()
    unfinished: bool = False  # whether a last word that no document has is a prefix
    published: bool = False
    sort: Sort = Sort.RELEVANCE
    reverse: bool = False
    listed: tuple[ContentId, ...] = ()  # of the hits: facets count them also without the words, alone if none has any


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short text with the character ranges (start, end) to mark, at `span` of the content; code keeps its lines."""

    text: str
    marks: tuple[tuple[int, int], ...]
    span: Span

    def places(self) -> tuple[tuple[int, int], ...]:
        """Return the marked ranges as (start, end) offsets in the content."""
        cut = self.text.startswith("…") and len(self.text) > self.span.end - self.span.start
        shift = self.span.start - cut
        return tuple((start + shift, end + shift) for start, end in self.marks)


@dataclass(frozen=True, slots=True)
class MatchReason:
    """The ranks (from 1) of a hit in both lists, or None, and whether it has a word of the query.

    `across` is its score by meaning (`VectorMatch.score`) if it is in another language than the query and the encoder
    compares both, else 0.
    """

    keyword_rank: int | None = None
    semantic_rank: int | None = None
    has_word: bool = False  # in its text, title or name
    by_name: bool = False  # only in the name of its file
    across: float = 0.0

    @property
    def by_words(self) -> bool:
        """Return whether the hit has a word of the query."""
        return self.has_word or self.keyword_rank is not None


@dataclass(frozen=True, slots=True)
class FurtherPlace:
    """Another excerpt of a found chunk that has the words of the query, with its own headings, page and section."""

    snippet: Snippet
    heading: str = ""
    page: int | None = None
    section: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that matches a query, in the file `path`; `also` are other files with the same text (deduplicated).

    `snippet` is its best excerpt; `further` are the others that fulfil the query, in order, each occurrence in one.
    `dated_ns` is the own date (`query/own_dates`), else when the file was modified. `size` is in bytes.
    """

    rank: int
    chunk: ChunkId
    content: ContentId
    sha256: str
    path: Path
    also: tuple[Path, ...]
    format: str
    title: str
    dated_ns: int
    size: int
    page: int | None
    heading: str
    span: Span
    score: float
    snippet: Snippet
    why: MatchReason
    section: str = ""  # the named part (slide, cell range, chapter …) in which the snippet starts
    tags: tuple[str, ...] = ()  # of the document
    further: tuple[FurtherPlace, ...] = ()
    language: str = ""  # of the document (ISO 639-1), empty if it is not known
    away: bool = False  # the path is one of a team's server, which is not known to be reachable here

    def by_place(self) -> tuple["Hit", ...]:
        """Return the hit once for each place, the best first."""
        others = (
            replace(self, snippet=at.snippet, heading=at.heading, page=at.page, section=at.section)
            for at in self.further
        )
        return tuple(replace(hit, further=()) for hit in (self, *others))


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file without text, found by its name; `reason` says why it has none, if that is known."""

    path: Path
    dated_ns: int
    size: int
    reason: str = ""
    tags: tuple[str, ...] = ()
    away: bool = False  # as of a `Hit`


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first; `coverage` is the share of sentences that have a vector (1.0 = search by meaning is complete).

    `note` says what could not be searched and why, or is empty. `suggestion` (“did you mean”) is the query with its
    slips repaired (`rent && deposit`); else, if no word was found, with similar words of the library; else empty.

    If the query has operators, every hit fulfils it; `similar` are then up to `MAX_SIMILAR` passages near in meaning
    that do not, shown apart, and only below a complete list. `named` are files without text whose names match.
    `without_words`: the hits are near in meaning, none has a word of the query; `languages` are then those of query
    and most documents (ISO 639-1), if they differ. `more`: `limit` or the cap per file left out further passages.
    `troubles` are those of a team's library; the `note` has their sentences.
    """

    query: str
    mode: Mode
    took_ms: float
    hits: tuple[Hit, ...]
    coverage: float
    note: str = ""
    suggestion: str = ""
    similar: tuple[Hit, ...] = ()
    named: tuple[NamedFile, ...] = ()
    without_words: bool = False
    languages: tuple[str, str] | None = None
    more: bool = False
    troubles: tuple[ServerTrouble, ...] = ()


@dataclass(frozen=True, slots=True)
class Facet:
    """A value, the number of documents that have it, and the filter for them; `level` is the depth of a folder."""

    label: str
    count: int
    filter: Filter
    level: int = 0


@dataclass(frozen=True, slots=True)
class Facets:
    """Facet counts of the matching documents, each list as if no filter of its own field were set.

    `about`: in a team's library the number of documents may be a little off, and the lists count the best ones only.
    """

    documents: int
    folders: tuple[Facet, ...] = ()
    types: tuple[Facet, ...] = ()
    dates: tuple[Facet, ...] = ()
    languages: tuple[Facet, ...] = ()
    authors: tuple[Facet, ...] = ()
    tags: tuple[Facet, ...] = ()
    about: bool = False


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """A word, phrase or condition of a query and how many documents match it, or `about`; `forbidden`: under NOT."""

    text: str
    documents: int
    forbidden: bool = False
    about: bool = False


@dataclass(frozen=True, slots=True)
class LineWindow:
    """Lines `first` to `first + len(lines) - 1` of a content that has `total` lines.

    `start` is the offset of the first one in the text; `marks` are the inline marks within, with offsets in the text.
    """

    content: ContentId
    first: int
    lines: tuple[str, ...]
    total: int
    start: int = 0
    marks: tuple[InlineMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines around the matches of `pattern` in one document."""

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
    """The metadata of a document; `path` is None when no file holds it any more."""

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
    away: bool = False  # as of a `Hit`


class Order(StrEnum):
    """How a list of documents is ordered."""

    FIT = "fit"  # best match of the words first; by name without words
    NAME = "name"
    NEWEST = "newest"
    READ = "read"  # what the library has read last first


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """A query for documents by words of their names, titles, authors and folders; without words, all documents."""

    words: str = ""
    scope: Scope = Scope()
    filters: tuple[Filter, ...] = ()
    order: Order = Order.FIT
    skip: int = 0
    limit: int = 20
    with_facets: bool = False  # need a look at every matching document


@dataclass(frozen=True, slots=True)
class DocumentList:
    """One page of the matching documents, their total number and, if asked for, their facets.

    `unmatched` are words that match no document; `fits` are the match scores of the cards, from 0 to 1.
    """

    total: int
    cards: tuple[DocumentCard, ...]
    facets: Facets
    fits: tuple[float, ...] = ()
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """The size of the library and its unsearchable files: for prompts, coverage reports and empty states."""

    files: int
    contents: int
    chunks: int
    coverage: float
    gaps: UnsearchableFiles = field(default_factory=UnsearchableFiles)


class Retriever(Protocol):
    """Read access to a library: the engine in this process, or the client of the searcher process.

    Every method may raise `LibraryError`, `ProcessError` or `Stopped`; `search` also `QueryError`.
    """

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Return the best chunks for a query."""

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count the documents that match each clause of a keyword query; raises `QueryError` like `search`."""

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        """Return passages of one document that contain a pattern as a substring, ignoring case."""

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        """Return `count` lines from line `first` (from 1), fewer at the end of the document."""

    def read_windows(self, places: tuple[tuple[ContentId, int, int], ...], stop: Stop) -> tuple[LineWindow, ...]:
        """Return the lines of each place (content, first line, count); fewer places, at least one, if they are long."""

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        """Return whole chunks in the order of `chunks`; unknown ids are left out."""

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        """Return the metadata of a document, or None if the library no longer has it."""

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        """Return the document with this hash if a file has it, else the one now at `path`, else the recorded one."""

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        """Return line kinds, pages, boxes and structure of a document; its inline marks come with its lines."""

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        """Count the documents that match a query by folder, type, date …; raises `QueryError` like `search`."""

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """Return documents by their names; raises `QueryError` for an invalid filter."""

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        """Return at most `most` changes from one document to another."""

    def guide(self, content: ContentId, stop: Stop) -> DocumentGuide:
        """Return the dates, amounts, names and defined terms of a document with their lines."""

    def attachments(self, paths: tuple[bytes, ...], stop: Stop) -> tuple[Attachment, ...]:
        """Return what conversations have attached at these paths, in their order."""

    def attached_contents(self, attached: tuple[FolderId, ...], stop: Stop) -> tuple[ContentId, ...]:
        """Return the contents of attached files and folders."""

    def file_copy(self, sha256: str, stop: Stop) -> Path | None:
        """Return a copy of a document's file from the store of a team's library; None if there is none."""

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        """Return how much there is to search in `scope`."""
