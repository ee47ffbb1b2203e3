"""The value types of the catalog: ids, folders, files, contents, chunks."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NewType

from desktop_rag.documents.document import Page, Span, Structure

FolderId = NewType("FolderId", int)
FileId = NewType("FileId", int)
ContentId = NewType("ContentId", int)
ChunkId = NewType("ChunkId", int)


class FileState(StrEnum):
    """The state of a file as shown to the user; the last three have a reason."""

    QUEUED = "queued"
    SEARCHABLE = "searchable"
    READY = "ready"
    PICTURES = "pictures"  # of text: they wait for OCR, or it found no words
    SKIPPED = "skipped"
    FAILED = "failed"


class FolderState(StrEnum):
    """The state of a root folder; an offline one keeps all its files."""

    ACTIVE = "active"
    PAUSED = "paused"
    OFFLINE = "offline"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class FolderRules:
    """The rules of a root folder, beside its .gitignore files; `ignore` are gitignore lines."""

    ignore: tuple[str, ...] = ()
    use_gitignore: bool = True
    include_hidden: bool = False
    max_megabytes: int = 200
    hard_links: bool = True  # read files that have other names too, perhaps outside of the folder


@dataclass(frozen=True, slots=True)
class Folder:
    """A root folder, or a single file added as one; `path` is absolute, as bytes of the file system."""

    id: FolderId
    path: bytes
    is_file: bool
    state: FolderState
    rules: FolderRules


@dataclass(frozen=True, slots=True)
class FileStat:
    """The metadata of a file from the file system; equal stats prove that the file is unchanged.

    `inode` is 0 where it does not last, `ctime_ns` where the system has none. `device` is the number of the volume,
    the same after a restart where the system names its volumes (see `index.folders.mounts`).
    """

    size: int
    mtime_ns: int
    inode: int
    device: int
    ctime_ns: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """A file; `path` is relative to its root folder (empty for a single-file root)."""

    id: FileId
    folder: FolderId
    path: bytes
    stat: FileStat
    state: FileState
    reason: str
    content: ContentId | None
    pending: bool = False  # waits to be read (again): the content is the old one


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that was not read, or only in part, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class UnsearchableFiles:
    """Counts of files: waiting to be read, skipped, failed, read in part, and of these, scans without text.

    `scan_pages` are the scanned pages that wait for OCR; `examples` a few files of all kinds but the waiting ones.
    """

    waiting: int = 0
    skipped: int = 0
    failed: int = 0
    partial: int = 0
    scans: int = 0
    scan_pages: int = 0
    offline: tuple[Path, ...] = ()
    examples: tuple[UnreadFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """The metadata of a content."""

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
    tags: tuple[str, ...] = ()
    missing: str = ""  # why not all of it can be found, with the remedy for pictures of text


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file with a content; `path` is absolute."""

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
    """The layout of a document: the kind of each line, pages, boxes, structure (see `Document`)."""

    kinds: bytes
    pages: tuple[Page, ...]
    boxes: bytes
    structure: Structure = field(default_factory=Structure)


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far an index follows the catalog: its last change, and the lineage of the catalog it was built from."""

    sequence: int
    lineage: str
