"""Counts of the library for the indexing status, and the files that are not searchable."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import marks
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.stored_values import IS_PICTURES, MISSING, STATE
from desktop_rag.index.records import ContentId, FileState, FolderId, FolderState, UnreadFile, UnsearchableFiles

EXAMPLES = 8  # unsearchable files listed by name


class FolderCounts(NamedTuple):
    """Files of one root folder by state; a file that waits to be re-read counts as neither searchable nor ready."""

    folder: FolderId
    found: int = 0
    searchable: int = 0
    ready: int = 0
    skipped: int = 0
    failed: int = 0
    quarantined: int = 0
    pictures: int = 0


class SentenceCounts(NamedTuple):
    """Sentences of the visible contents; those of paused folders count, but are not waiting."""

    ready: int
    total: int
    waiting: int


class UnreadFileRow(NamedTuple):
    """A file that was skipped or failed, or waits after its reading was interrupted."""

    path: bytes
    state: FileState
    reason: str
    is_quarantined: bool


class PartialFileRow(NamedTuple):
    """A file that was read in part, or whose pages are pictures."""

    path: bytes
    state: FileState
    content: ContentId
    reason: str
    unread_pages: int


_FILES = (
    "SELECT folder, count(*), count(CASE WHEN state IN ('searchable', 'ready') THEN 1 END), "
    "count(CASE state WHEN 'ready' THEN 1 END), count(CASE state WHEN 'skipped' THEN 1 END), "
    "count(CASE state WHEN 'failed' THEN 1 END), "
    "count(CASE WHEN state IN ('skipped', 'failed') AND set_aside IS NOT NULL THEN 1 END), "
    "count(CASE state WHEN 'pictures' THEN 1 END) "
    f"FROM (SELECT folder, set_aside, {STATE} AS state FROM file LEFT JOIN content ON content.id = file.content "
    "{0} LIMIT -1) GROUP BY folder"  # the limit keeps SQLite from deciding the state again for each count
)
_SENTENCES = (
    "SELECT sum(sentence_count * encoded), sum(sentence_count), sum(sentence_count * (1 - encoded) * working) "
    "FROM (SELECT content AS held, max(folder.state != 'paused') AS working FROM file "
    "JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0 WHERE content IS NOT NULL GROUP BY content) "
    "JOIN chunk ON chunk.content = held"
)


def folder_counts(catalog: CatalogReader, only: FolderId | None = None) -> dict[FolderId, FolderCounts]:
    """Count the files of each root folder, or of `only` one, in one pass; folders without files are missing."""
    where, values = ("", ()) if only is None else ("WHERE folder = ?", (only,))
    return {row.folder: row for row in catalog.database.rows(FolderCounts, _FILES.format(where), values)}


def sentence_counts(catalog: CatalogReader) -> SentenceCounts:
    """Count the sentences in one pass over the chunks."""
    found = catalog.database.row(tuple[int | None, int | None, int | None], _SENTENCES) or (0, 0, 0)
    return SentenceCounts(*(count or 0 for count in found))


def unread_file_count(catalog: CatalogReader, folder: FolderId) -> int:
    """Return how many files of a root folder were skipped, failed, interrupted, read in part or are pictures."""
    unread = catalog.database.number(
        "SELECT count(*) FROM file WHERE folder = ? AND pending = 0 AND content IS NULL", (folder,)
    )
    partial = catalog.database.number(
        f"SELECT count(*) FROM file JOIN content ON content.id = file.content WHERE folder = ? AND {MISSING} != ''",
        (folder,),
    )
    return unread + partial


def unread_files(catalog: CatalogReader, folder: FolderId, limit: int) -> list[UnreadFileRow]:
    """Return files of a root folder that were skipped, failed or interrupted, failed ones first."""
    rows = catalog.database.rows(
        tuple[bytes, bytes, FileState, str, bytes | None],
        f"SELECT folder.path, file.path, {STATE}, reason, set_aside FROM file JOIN folder ON folder.id = file.folder "
        "LEFT JOIN content ON content.id = file.content WHERE folder = ? AND pending = 0 AND content IS NULL "
        "ORDER BY outcome = '', outcome, file.id DESC LIMIT ?",
        (folder, limit),
    )
    return [
        UnreadFileRow(absolute(root, path), state, reason, digest is not None and state is not FileState.QUEUED)
        for root, path, state, reason, digest in rows
    ]


def partial_files(catalog: CatalogReader, folder: FolderId, limit: int) -> list[PartialFileRow]:
    """Return files of a root folder that were read in part, then those whose pages are pictures."""
    rows = catalog.database.rows(
        tuple[bytes, bytes, FileState, ContentId, str, int],
        f"SELECT folder.path, file.path, {STATE} AS shown, content.id, {MISSING} AS missing, unread_pages FROM file "
        "JOIN folder ON folder.id = file.folder JOIN content ON content.id = file.content "
        "WHERE folder = ? AND missing != '' ORDER BY shown = 'pictures' LIMIT ?",
        (folder, limit),
    )
    return [
        PartialFileRow(absolute(root, path), state, content, reason, unread)
        for root, path, state, content, reason, unread in rows
    ]


class _Counts(NamedTuple):
    waiting: int
    skipped: int
    failed: int
    partial: int
    scans: int
    scan_pages: int


_FROM = (
    "FROM file JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0 "
    "LEFT JOIN content ON content.id = file.content"
)
_IS_SCAN = f"(content.unread_pages > 0 OR {IS_PICTURES})"
_COUNTS = (
    "SELECT count(CASE WHEN (pending = 1 OR outcome = '') AND content IS NULL THEN 1 END), "
    "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'skipped' THEN 1 END), "
    "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'failed' THEN 1 END), "
    f"count(CASE WHEN {_IS_SCAN} OR content.partial != '' THEN 1 END), "
    f"count(CASE WHEN {_IS_SCAN} THEN 1 END), "
    f"coalesce(sum(content.unread_pages), 0) {_FROM}"
)
_EXAMPLES = (
    f"SELECT folder.path, file.path, CASE WHEN content.id IS NULL THEN reason ELSE {MISSING} END AS missing "
    f"{_FROM} WHERE (pending = 0 AND content IS NULL OR {MISSING} != '')"
)


def unsearchable_files(
    catalog: CatalogReader, folders: Sequence[FolderId] = (), attached: Sequence[FolderId] = ()
) -> UnsearchableFiles:
    """Return the files that a search cannot find, in these root folders (all when empty) and `attached`."""
    chosen = f"folder.id IN ({marks(len(folders))})" if folders else "removed_ns = 0"
    only, values = f"({chosen} OR folder.id IN ({marks(len(attached))}))", (*folders, *attached)
    counts = catalog.database.row(_Counts, f"{_COUNTS} WHERE {only}", values) or _Counts(0, 0, 0, 0, 0, 0)
    examples: list[UnreadFile] = []
    if counts.skipped or counts.failed or counts.partial:
        rows = catalog.database.rows(
            tuple[bytes, bytes, str], f"{_EXAMPLES} AND {only} ORDER BY outcome LIMIT {EXAMPLES}", values
        )
        examples = [UnreadFile(Path(os.fsdecode(absolute(root, path))), reason) for root, path, reason in rows]
    offline = [
        Path(os.fsdecode(folder.path))
        for folder in catalog.folders.all()
        if folder.state is FolderState.OFFLINE and (not folders or folder.id in folders)
    ]
    return UnsearchableFiles(*counts, tuple(offline), tuple(examples))
