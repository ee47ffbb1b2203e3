"""Statuses as the indexer would send them."""

from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderId, FolderRules, FolderState


def folder(
    number: int,
    path: bytes = b"/home/anna/Contracts",
    *,
    found: int = 10,
    searchable: int = 10,
    ready: int = 10,
    skipped: int = 0,
    failed: int = 0,
    state: FolderState = FolderState.ACTIVE,
    scanning: bool = False,
    note: str = "",
) -> FolderStatus:
    """Return a folder's status; by default all ten files are ready."""
    return FolderStatus(
        folder=FolderId(number),
        path=path,
        is_file=False,
        state=state,
        rules=FolderRules(),
        found=found,
        searchable=searchable,
        ready=ready,
        skipped=skipped,
        failed=failed,
        scanning=scanning,
        note=note,
    )


def library(*folders: FolderStatus, phase: IndexingPhase = IndexingPhase.IDLE, trouble: str = "") -> LibraryStatus:
    """Return a status of the whole library."""
    return LibraryStatus(folders, phase, trouble=trouble)
