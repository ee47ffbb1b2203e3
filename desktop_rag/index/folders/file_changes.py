"""Hints where a root folder may have changed, and the events of a scan."""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.errors import ProblemKind
from desktop_rag.index.folders.name_rules import SEPARATOR
from desktop_rag.index.records import ContentId, File, FileStat


@dataclass(frozen=True, slots=True, order=True)
class Hint:
    """A folder to scan (path relative to the root folder, empty for itself), `deep` with all subfolders."""

    path: bytes
    deep: bool


WHOLE = frozenset({Hint(b"", deep=True)})


def topmost(hints: Iterable[Hint]) -> list[Hint]:
    """Return the hints sorted by path, without those inside a deep one."""
    kept: list[Hint] = []
    deep: bytes | None = None
    for hint in sorted(hints, key=lambda hint: (hint.path, not hint.deep)):
        if deep is not None and (not deep or hint.path == deep or hint.path.startswith(deep + SEPARATOR)):
            continue
        if hint.deep:
            deep = hint.path
        if not kept or kept[-1].path != hint.path:
            kept.append(hint)
    return kept


@dataclass(frozen=True, slots=True)
class FileFound:
    """A new file; `path` is relative to the root folder (empty for a single-file root)."""

    path: bytes
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileChanged:
    """A known file with another size, time or inode, or included by the rules now; it is to be read."""

    file: File
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileMoved:
    """A file known at another path, in this or another root folder, is now at `path`; its hash has to confirm that."""

    path: bytes
    stat: FileStat
    content: ContentId
    replaced: File | None  # the file known at this path before


@dataclass(frozen=True, slots=True)
class FileTouched:
    """A known file is unchanged, but its device, inode or ctime differs."""

    file: File
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileDeleted:
    """A known file was deleted, or the rules exclude it without a report."""

    file: File


@dataclass(frozen=True, slots=True)
class FileSkipped:
    """A file (or folder that cannot be opened) that is not read, and the reason the user sees."""

    path: bytes
    stat: FileStat
    reason: str
    kind: ProblemKind


@dataclass(frozen=True, slots=True)
class RootMissing:
    """The root folder does not exist now: an unplugged drive, an unmounted share, a renamed folder."""


@dataclass(frozen=True, slots=True)
class FolderAway:
    """A folder in the root folder is not there now because its drive is not connected; its files are kept."""

    path: bytes


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """A folder, or part of a large one, was compared: the consumer may pause here."""

    path: bytes


ScanEvent = (
    FileFound
    | FileChanged
    | FileMoved
    | FileTouched
    | FileDeleted
    | FileSkipped
    | RootMissing
    | FolderAway
    | ScanProgress
)
