"""What conversations have attached, and how far it has been read."""

from collections.abc import Sequence
from math import ceil

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.listing.library_statistics import read_files
from desktop_rag.index.records import ContentId, Folder
from desktop_rag.retrieval.api import Attachment, SearchRequest
from desktop_rag.retrieval.ranking.ranker import RankedChunk


def find_attachments(catalog: CatalogReader, paths: Sequence[bytes]) -> tuple[Attachment, ...]:
    """Return what is attached at these paths; one without a record of a file waits for its scan."""
    known = {folder.path: folder for folder in catalog.folders.worked_on()}
    return tuple(_attachment(catalog, path, known.get(path)) for path in paths)


def _attachment(catalog: CatalogReader, path: bytes, folder: Folder | None) -> Attachment:
    if folder is None:
        return Attachment(path, waiting=1)
    files = read_files(catalog, folder.id)
    unread = [file for file in files if not file.pending and file.content is None]
    searchable = dict.fromkeys(ContentId(file.content) for file in files if file.content and file.searchable)
    waiting = sum(bool(file.pending or (file.content and not file.searchable)) for file in files)
    reason = unread[0].reason if unread else ""
    return Attachment(
        path, folder.id, tuple(searchable), waiting if files else 1, len(unread), reason, files=len(files)
    )


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
