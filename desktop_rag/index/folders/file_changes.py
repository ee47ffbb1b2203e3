"""What may have changed in a root, and what a scan finds changed indeed."""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.index.folders.name_rules import SEPARATOR
from desktop_rag.index.records import ContentId, File, FileStat


@dataclass(frozen=True, slots=True, order=True)
class Hint:
    """A folder of a root to look at (its path in the root, empty for the root), `deep` with everything below it."""

    path: bytes
    deep: bool


WHOLE = frozenset({Hint(b"", deep=True)})


def topmost(hints: Iterable[Hint]) -> list[Hint]:
    """Return the hints in the order of their paths, without those a deep one above them includes."""
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
    """A file nobody knew; `path` is relative to the root (empty for a root that is a file)."""

    path: bytes
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileChanged:
    """A known file has another size, time or inode, or the rules let it in now; its bytes are to be compared."""

    file: File
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileMoved:
    """A file that was known in another place, of this or another root, lies at `path`; its content is certain."""

    path: bytes
    stat: FileStat
    content: ContentId
    replaced: File | None  # what was known at this place before


@dataclass(frozen=True, slots=True)
class FileTouched:
    """A known file is unchanged, but its device, its inode or the time of its last change has another number."""

    file: File
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileDeleted:
    """A known file is gone, or the rules leave it out without a word."""

    file: File


@dataclass(frozen=True, slots=True)
class FileSkipped:
    """A file (or a whole folder that cannot be opened) that is not read, and the reason a person sees."""

    path: bytes
    stat: FileStat
    reason: str


@dataclass(frozen=True, slots=True)
class RootMissing:
    """The root is not there now: an unplugged drive, an unmounted share, a renamed folder."""


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """A folder, or a good part of a large one, was compared: whoever takes the events may do something else now."""

    path: bytes


ScanEvent = FileFound | FileChanged | FileMoved | FileTouched | FileDeleted | FileSkipped | RootMissing | ScanProgress
