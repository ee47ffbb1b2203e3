"""What conversations have attached, and how far it has been read."""

from collections.abc import Sequence
from math import ceil

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.library_statistics import folder_counts, unread_files
from desktop_rag.index.records import Folder, FolderState
from desktop_rag.retrieval.api import Attachment, SearchRequest
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk


def find_attachments(catalog: CatalogReader, paths: Sequence[bytes]) -> tuple[Attachment, ...]:
    """Return what is attached at these paths; one without a record of a file waits for its scan."""
    known = {folder.path: folder for folder in catalog.folders.worked_on()}
    return tuple(_attachment(catalog, path, known.get(path)) for path in paths)


def _attachment(catalog: CatalogReader, path: bytes, folder: Folder | None) -> Attachment:
    if folder is None:
        return Attachment(path, waiting=1)
    is_scanned = _is_scanned(catalog, folder)  # asked first: a scan may end meanwhile
    counts = folder_counts(catalog, folder.id).get(folder.id)
    if counts is None:
        return Attachment(path, folder.id, waiting=int(not is_scanned))
    unread = counts.skipped + counts.failed
    waiting = counts.found - counts.searchable - unread - counts.pictures
    reason = unread_files(catalog, folder.id, 1)[0].reason if unread else ""
    return Attachment(path, folder.id, counts.searchable, waiting, unread, counts.pictures, reason)


def _is_scanned(catalog: CatalogReader, folder: Folder) -> bool:
    """Return whether a folder without a known file has none: its scan has ended, or it is not there."""
    return folder.state is FolderState.OFFLINE or catalog.folders.was_scanned(folder.id)


def attached_first(
    catalog: CatalogReader, found: Sequence[RankedChunk], request: SearchRequest
) -> Sequence[RankedChunk]:
    """Move ranked passages of attached documents to the front, as many as half of the hits."""
    if not request.scope.attached:
        return found
    attached = catalog.files.attached_contents(request.scope.attached)
    contents = catalog.chunks.contents_of(each.chunk for each in found)
    own = [each for each in found if contents.get(each.chunk) in attached][: ceil(request.limit / 2)]
    first = {each.chunk for each in own}
    return [*own, *(each for each in found if each.chunk not in first)]
