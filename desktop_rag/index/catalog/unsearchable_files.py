"""What a search does not see: files that wait, could not be read or only in part, and folders that are away."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import marks
from desktop_rag.index.catalog.root_paths import absolute
from desktop_rag.index.records import FolderId, FolderState

EXAMPLES = 8  # files named


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that was not read, or only in part, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class UnsearchableFiles:
    """Counts of files: waiting to be read, skipped, failed, read in part, and among these scans without text.

    `scan_pages` are the pages of the scans that nobody has looked at; `examples` a few of all but the waiting ones.
    """

    waiting: int = 0
    skipped: int = 0
    failed: int = 0
    partial: int = 0
    scans: int = 0
    scan_pages: int = 0
    offline: tuple[Path, ...] = ()
    examples: tuple[UnreadFile, ...] = ()


class _Counts(NamedTuple):
    waiting: int
    skipped: int
    failed: int
    partial: int
    scans: int
    scan_pages: int


_FROM = (
    "FROM file JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0 "
    "LEFT JOIN content ON content.id = file.content"
)
_COUNTS = (
    "SELECT count(CASE WHEN pending = 1 AND content IS NULL THEN 1 END), "
    "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'skipped' THEN 1 END), "
    "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'failed' THEN 1 END), "
    "count(CASE WHEN content.partial != '' THEN 1 END), count(CASE WHEN content.unread_pages > 0 THEN 1 END), "
    f"coalesce(sum(content.unread_pages), 0) {_FROM}"
)
_EXAMPLES = (
    "SELECT folder.path, file.path, CASE WHEN content.partial != '' THEN content.partial ELSE reason END "
    f"{_FROM} WHERE ((pending = 0 AND content IS NULL) OR content.partial != '')"
)


def gaps(catalog: CatalogReader, folders: Sequence[FolderId] = ()) -> UnsearchableFiles:
    """Return what is not seen in some folders (in all when empty); one pass over their files."""
    only = f"folder.id IN ({marks(len(folders))})" if folders else "1"
    counts = catalog.database.row(_Counts, f"{_COUNTS} WHERE {only}", folders) or _Counts(0, 0, 0, 0, 0, 0)
    examples: list[UnreadFile] = []
    if counts.skipped or counts.failed or counts.partial:
        rows = catalog.database.rows(
            tuple[bytes, bytes, str], f"{_EXAMPLES} AND {only} ORDER BY outcome LIMIT {EXAMPLES}", folders
        )
        examples = [UnreadFile(Path(os.fsdecode(absolute(root, path))), reason) for root, path, reason in rows]
    away = [
        Path(os.fsdecode(folder.path))
        for folder in catalog.folders.all()
        if folder.state is FolderState.OFFLINE and (not folders or folder.id in folders)
    ]
    return UnsearchableFiles(*counts, tuple(away), tuple(examples))
