"""A backup of the root folders beside the catalog (folders.json), to restore them if the catalog is lost.

It is written after every change of a root folder. The catalog's change count tells which of the two is newer, its
lineage whether they belong together.
"""

import logging
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import FolderRules, FolderState
from desktop_rag.paths import write_durably

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
