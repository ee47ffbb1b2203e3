"""Rows of the catalog as values, and the ids that name them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from desktop_rag.documents.document import Page, Span, Structure

FolderId = NewType("FolderId", int)
FileId = NewType("FileId", int)
ContentId = NewType("ContentId", int)
ChunkId = NewType("ChunkId", int)


class FileState(StrEnum):
    """The one visible state of a file; the last two carry a reason."""

    QUEUED = "queued"
    SEARCHABLE = "searchable"
    READY = "ready"
    SKIPPED = "skipped"
    FAILED = "failed"


class FolderState(StrEnum):
    """What a root is doing; an offline folder keeps all its files."""

    ACTIVE = "active"
    PAUSED = "paused"
    OFFLINE = "offline"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class FolderRules:
    """What a folder leaves out, on top of its .gitignore files; patterns are gitignore lines."""

    ignore: tuple[str, ...] = ()
    use_gitignore: bool = True
    include_hidden: bool = False
    max_megabytes: int = 200


@dataclass(frozen=True, slots=True)
class Folder:
    """A root the person chose: a folder, or a single file; `path` is absolute, as bytes of the file system."""

    id: FolderId
    path: bytes
    is_file: bool
    state: FolderState
    rules: FolderRules


@dataclass(frozen=True, slots=True)
class FileStat:
    """What the file system says without opening the file; equal stats prove an unchanged file.

    `inode` is 0 where it does not last, `ctime_ns` (when anything about the file was changed) where it is not told.
    """

    size: int
    mtime_ns: int
    inode: int
    device: int
    ctime_ns: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """A place where content lies; `path` is relative to its folder's root (empty for a single-file root)."""

    id: FileId
    folder: FolderId
    path: bytes
    stat: FileStat
    state: FileState
    reason: str
    content: ContentId | None
    pending: bool = False  # whether it is to be read (again): the content is that of before


@dataclass(frozen=True, slots=True)
class Content:
    """What is known of one content without its text."""

    id: ContentId
    sha256: bytes
    format: str
    title: str
    author: str
    created: str
    modified: str
    language: str
    line_count: int
    word_count: int
    page_count: int
    partial: str


@dataclass(frozen=True, slots=True)
class FilePlace:
    """One existing file that holds a content."""

    folder: FolderId
    path: bytes
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """About a thousand tokens of a content; `sentences` are character offsets (start, end) in its text."""

    id: ChunkId
    content: ContentId
    ordinal: int
    span: Span
    heading: str
    text: str
    sentences: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DocumentLayout:
    """What the viewer needs beside the text: kinds a line, pages, boxes, structure (see `Document`)."""

    kinds: bytes
    pages: tuple[Page, ...]
    boxes: bytes
    structure: Structure = field(default_factory=Structure)


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far a copy follows the catalog: the last change it contains, and which catalog it was copied from."""

    sequence: int
    lineage: str
