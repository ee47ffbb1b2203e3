"""Adds, attaches, restores, pauses and resumes root folders in the catalog."""

import logging
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.folders.relocation import kernel_file_system
from desktop_rag.index.folders.rules import FolderFilter, chosen
from desktop_rag.index.indexer_api import FoldersAdded
from desktop_rag.index.records import FolderId, FolderRules, FolderState
from desktop_rag.paths import write_durably


def add_root_folders(catalog: Catalog, paths: Iterable[bytes]) -> FoldersAdded:
    """Add folders and single files; refuse those inside another root folder or unreadable ones with a reason."""
    added: list[FolderId] = []
    refused: list[tuple[bytes, str]] = []
    for given in paths:
        path = os.path.realpath(given)
        reason = _refusal(path)  # outside the transaction: a dead network drive may take long to answer
        with catalog.transaction():
            reason = reason or _part_of(catalog, path)
            if reason:
                refused.append((given, reason))
            else:
                added.append(_add(catalog, path))
    return FoldersAdded(tuple(dict.fromkeys(added)), tuple(refused))


def keep_attached(catalog: Catalog, paths: Iterable[bytes]) -> FoldersAdded:
    """Attach these files and folders, and remove all others that are attached; return the new ones.

    What is a root folder of the library stays one. What is attached already stays so, even if it is missing now.
    """
    wanted = frozenset(paths)
    known = {folder.path for folder in catalog.folders.worked_on()}
    reasons = {path: _refusal(path) for path in sorted(wanted - known)}
    added: list[FolderId] = []
    with catalog.transaction():
        for folder in catalog.folders.attached():
            if folder.path not in wanted:
                catalog.folders.remove(folder.id)
        for path, reason in reasons.items():
            if not reason:
                added.append(catalog.folders.attach(path, is_file=os.path.isfile(path)))  # noqa: PTH113 (bytes)
    return FoldersAdded(tuple(added), tuple((path, reason) for path, reason in reasons.items() if reason))


def restore(catalog: Catalog, folder: FolderId) -> None:
    """Restore a removed root folder; raises `LibraryRefused` if it is deleted, or part of another one meanwhile."""
    with catalog.transaction():
        catalog.folders.restore(folder)
        path = next(known.path for known in catalog.folders.all() if known.id == folder)
        if reason := _part_of(catalog, path):
            raise LibraryRefused(reason)
        _merge_inner(catalog, folder, path)


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
    if kind := kernel_file_system(path):
        return f"It is no folder of documents: the system makes its files at the moment they are read ({kind})."
    return chosen(path)


def _part_of(catalog: Catalog, path: bytes) -> str:
    for folder in catalog.folders.all():
        inside = relative_to(folder.path, path)
        if inside:
            name = os.fsdecode(os.path.basename(folder.path))  # noqa: PTH119 (bytes)
            decision = FolderFilter(folder.path, folder.rules).explain(inside)
            if decision.included:
                return f"It is already part of {name}."
            return f"It is inside {name}, which excludes it. {decision.reason}"
    return ""


def _add(catalog: Catalog, path: bytes) -> FolderId:
    """Add one root folder; root folders inside it are merged into it without being read again."""
    root = catalog.folders.add(path, is_file=os.path.isfile(path))  # noqa: PTH113 (bytes)
    _merge_inner(catalog, root, path)
    return root


def _merge_inner(catalog: Catalog, root: FolderId, path: bytes) -> None:
    for folder in catalog.folders.all():
        inside = relative_to(path, folder.path)
        if inside:
            catalog.folders.merge(root, folder.id, inside)


def pause(catalog: Catalog, folder: FolderId | None) -> None:
    """Pause one root folder, or all."""
    _change_state(catalog, folder, {FolderState.ACTIVE, FolderState.OFFLINE}, FolderState.PAUSED)


def resume(catalog: Catalog, folder: FolderId | None) -> None:
    """Resume one root folder, or all."""
    _change_state(catalog, folder, {FolderState.PAUSED}, FolderState.ACTIVE)


def _change_state(catalog: Catalog, folder: FolderId | None, old: set[FolderState], new: FolderState) -> None:
    with catalog.transaction():
        for known in catalog.folders.all():
            if folder in (None, known.id) and known.state in old:
                catalog.folders.set_state(known.id, new)


# A backup of the root folders beside the catalog (folders.json), to restore them if the catalog is lost.
#
# It is written after every change of a root folder. The catalog's change count tells which of the two is newer, its
# lineage whether they belong together.

logger = logging.getLogger(__name__)


class ListedFolder(msgspec.Struct, frozen=True):
    """A root folder with the user's settings."""

    path: bytes
    is_file: bool
    paused: bool = False
    rules: FolderRules = FolderRules()


class FolderList(msgspec.Struct, frozen=True):
    """The root folders of the catalog `lineage` at its folder change count `number`."""

    lineage: str = ""
    number: int = 0
    folders: tuple[ListedFolder, ...] = ()


def read(file: Path) -> FolderList | None:
    """Return the list, or None when there is none that can be read."""
    try:
        return decode_json(file.read_bytes(), FolderList)
    except (OSError, msgspec.DecodeError):
        return None


def list_of(catalog: CatalogReader) -> FolderList:
    """Return the list for the current state of the catalog."""
    folders = tuple(
        ListedFolder(folder.path, folder.is_file, folder.state is FolderState.PAUSED, folder.rules)
        for folder in catalog.folders.all()
    )
    return FolderList(catalog.lineage(), catalog.folders.change_count(), folders)


def keep(catalog: CatalogReader, file: Path) -> None:
    """Write the list if it differs from the catalog; a failure is only logged, the next change retries."""
    now = list_of(catalog)
    if now == read(file):
        return
    try:
        write_durably(file, msgspec.json.encode(now))
    except OSError as error:
        logger.warning("the list of folders could not be written: %s", error)


def agree(catalog: Catalog, file: Path) -> None:
    """Restore the root folders from the list if it is newer, as when an older catalog was restored; then write it."""
    listed = read(file)
    if listed is not None and listed.number > list_of(catalog).number:
        adopt(catalog, listed)
    keep(catalog, file)


def adopt(catalog: Catalog, listed: FolderList) -> None:
    """Make the root folders of the catalog those of a list; the files of unchanged ones are kept."""
    wanted = {folder.path: folder for folder in listed.folders}
    with catalog.transaction():
        for known in catalog.folders.all():
            if known.path not in wanted:
                catalog.folders.remove(known.id)
        for folder in wanted.values():
            root = catalog.folders.add(folder.path, is_file=folder.is_file)
            catalog.folders.set_rules(root, folder.rules)
            catalog.folders.set_state(root, FolderState.PAUSED if folder.paused else FolderState.ACTIVE)
        catalog.folders.set_change_count(listed.number)
