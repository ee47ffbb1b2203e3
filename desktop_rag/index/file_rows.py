"""The values of the list of all files: rows, queries, groups of problems and statistics."""

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.errors import ProblemKind
from desktop_rag.index.records import ContentId, FileId, FolderId


class ListedState(StrEnum):
    """What can be found of a file, from best to worst."""

    MEANING = "meaning"
    WORDS = "words"
    WAITING = "waiting"
    PARTIAL = "partial"  # searchable, but not all of it was read
    PICTURES = "pictures"  # pictures of text: they wait for OCR, or it found no words
    PROBLEM = "problem"  # not searchable: skipped or failed


PROBLEMS = (ListedState.PARTIAL, ListedState.PICTURES, ListedState.PROBLEM)


class FileColumn(StrEnum):
    """A column of the list, by which it can be sorted."""

    NAME = "name"
    STATE = "state"
    TYPE = "type"
    SIZE = "size"
    MODIFIED = "modified"
    WORDS = "words"
    PAGES = "pages"
    REASON = "reason"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class FileQuery:
    """Which files are listed, in which order.

    `words` must all occur in the path, ignoring case; `inside` is a subfolder of `folder`, relative to it. Empty
    filters let everything pass. The order is computed once for each query; another `revision` demands that it is
    computed again.
    """

    words: str = ""
    states: tuple[ListedState, ...] = ()
    kind: str = ""
    problem: ProblemKind | None = None
    folder: FolderId | None = None
    inside: bytes = b""
    column: FileColumn = FileColumn.NAME
    descending: bool = False
    revision: int = 0


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One file; `path` is absolute, `kind` a `Format` or, if the file was not read, its format or suffix by name."""

    file: FileId
    folder: FolderId
    root: bytes
    path: bytes
    state: ListedState
    kind: str
    size: int
    modified_ns: int
    words: int
    pages: int
    reason: str
    problem: ProblemKind | None
    content: ContentId | None
    skipped: bool = False  # never opened, because of its type or size


@dataclass(frozen=True, slots=True)
class FileWindow:
    """Rows `first` and following of a query; None for a file that is gone since the order was computed."""

    total: int
    first: int
    rows: tuple[ListedFile | None, ...]


@dataclass(frozen=True, slots=True)
class FolderContents:
    """What is directly in a folder: subfolders with the number of files at any depth, and the first of its files."""

    subfolders: tuple[tuple[bytes, int], ...] = ()
    files: tuple[ListedFile, ...] = ()
    more: int = 0  # subfolders and files beyond the limit


@dataclass(frozen=True, slots=True)
class Tally:
    """Files of one type or language, and the words in them."""

    name: str
    files: int
    words: int


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """The files with one kind of problem; `retryable` ones were opened, others are left out by type or size."""

    kind: ProblemKind
    files: int
    retryable: int
    reason: str  # of one of them


@dataclass(frozen=True, slots=True)
class DiskUse:
    """Bytes on the disk of each part of a library."""

    catalog: int = 0
    keywords: int = 0
    vectors: int = 0
    conversations: int = 0  # and bookmarks
    backups: int = 0


@dataclass(frozen=True, slots=True)
class LibraryOverview:
    """Statistics of the visible files; a content with several files counts once among documents, words and pages."""

    files: int = 0
    documents: int = 0
    words: int = 0
    pages: int = 0
    bytes: int = 0
    states: tuple[tuple[ListedState, int], ...] = ()
    kinds: tuple[Tally, ...] = ()
    languages: tuple[Tally, ...] = ()
    problems: tuple[ProblemGroup, ...] = ()
    disk: DiskUse = DiskUse()
