"""What a person may do with the roots of a library, carried out at once in the catalog."""

import os
import stat
from collections.abc import Iterable

from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.root_paths import relative_to
from desktop_rag.index.folders.rules import FolderFilter, chosen
from desktop_rag.index.indexer_api import FoldersAdded
from desktop_rag.index.records import FolderId, FolderState


def add_roots(catalog: Catalog, paths: Iterable[bytes]) -> FoldersAdded:
    """Add folders and single files; those that are inside a known root or cannot be read are refused with a reason."""
    added: list[FolderId] = []
    refused: list[tuple[bytes, str]] = []
    for given in paths:
        path = os.path.realpath(given)
        reason = _refusal(path)  # outside the transaction: a dead network drive may take its time
        with catalog.transaction():
            reason = reason or _part_of(catalog, path)
            if reason:
                refused.append((given, reason))
            else:
                added.append(_add(catalog, path))
    return FoldersAdded(tuple(dict.fromkeys(added)), tuple(refused))


def restore(catalog: Catalog, folder: FolderId) -> None:
    """Bring a removed root back; raises `LibraryRefused` if it is erased, or part of another one meanwhile."""
    with catalog.transaction():
        catalog.folders.restore(folder)
        path = next(known.path for known in catalog.folders.all() if known.id == folder)
        if reason := _part_of(catalog, path):
            raise LibraryRefused(reason)
        _adopt_inside(catalog, folder, path)


def _refusal(path: bytes) -> str:
    try:
        facts = os.stat(path)  # noqa: PTH116 (names need not be valid text)
    except OSError as error:
        return f"It cannot be opened: {error.strerror}."
    is_folder = stat.S_ISDIR(facts.st_mode)
    if not (is_folder or stat.S_ISREG(facts.st_mode)):
        return "It is neither a folder nor a file."
    if not os.access(path, os.R_OK | (os.X_OK if is_folder else 0)):
        return "You have no permission to read it."
    return chosen(path)


def _part_of(catalog: Catalog, path: bytes) -> str:
    for folder in catalog.folders.all():
        inside = relative_to(folder.path, path)
        if inside:
            name = os.fsdecode(os.path.basename(folder.path))  # noqa: PTH119 (bytes)
            decision = FolderFilter(folder.path, folder.rules).explain(inside)
            if decision.included:
                return f"It is already part of {name}."
            return f"It lies in {name}, which leaves it out. {decision.reason}"
    return ""


def _add(catalog: Catalog, path: bytes) -> FolderId:
    """Add one root; roots inside it become part of it without being read again."""
    root = catalog.folders.add(path, is_file=os.path.isfile(path))  # noqa: PTH113 (bytes)
    _adopt_inside(catalog, root, path)
    return root


def _adopt_inside(catalog: Catalog, root: FolderId, path: bytes) -> None:
    for folder in catalog.folders.all():
        inside = relative_to(path, folder.path)
        if inside:
            catalog.folders.merge(root, folder.id, inside)


def pause(catalog: Catalog, folder: FolderId | None) -> None:
    """Stop work on one root, or on all."""
    _change_state(catalog, folder, {FolderState.ACTIVE, FolderState.OFFLINE}, FolderState.PAUSED)


def resume(catalog: Catalog, folder: FolderId | None) -> None:
    """Go on with one root, or with all."""
    _change_state(catalog, folder, {FolderState.PAUSED}, FolderState.ACTIVE)


def _change_state(catalog: Catalog, folder: FolderId | None, old: set[FolderState], new: FolderState) -> None:
    with catalog.transaction():
        for known in catalog.folders.all():
            if folder in (None, known.id) and known.state in old:
                catalog.folders.set_state(known.id, new)
