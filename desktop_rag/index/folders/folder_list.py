"""The list of the person's folders beside the catalog: what they chose outlives a catalog that does not.

It is written after every change of a folder. A number that the catalog counts up by itself tells which of the two is
the newer one, and the catalog's lineage whether they belong together.
"""

import logging
from pathlib import Path

import msgspec

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import FolderRules, FolderState
from desktop_rag.paths import write_durably

logger = logging.getLogger(__name__)


class ListedFolder(msgspec.Struct, frozen=True):
    """A root and what the person decided about it."""

    path: bytes
    is_file: bool
    paused: bool = False
    rules: FolderRules = FolderRules()


class FolderList(msgspec.Struct, frozen=True):
    """The roots of the catalog `lineage` at its change of folders number `number`."""

    lineage: str = ""
    number: int = 0
    folders: tuple[ListedFolder, ...] = ()


def read(file: Path) -> FolderList | None:
    """Return the list, or None when there is none that can be read."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=FolderList)
    except (OSError, msgspec.DecodeError):
        return None


def list_of(catalog: CatalogReader) -> FolderList:
    """Return the list as the catalog knows it."""
    folders = tuple(
        ListedFolder(folder.path, folder.is_file, folder.state is FolderState.PAUSED, folder.rules)
        for folder in catalog.folders.all()
    )
    return FolderList(catalog.lineage(), catalog.folders.change_count(), folders)


def keep(catalog: CatalogReader, file: Path) -> None:
    """Write the list if the catalog's is another one; on a full disk it stays behind until the next time."""
    now = list_of(catalog)
    if now == read(file):
        return
    try:
        write_durably(file, msgspec.json.encode(now))
    except OSError as error:
        logger.warning("the list of folders could not be written: %s", error)


def agree(catalog: Catalog, file: Path) -> None:
    """Give the catalog the roots of the list if that is the newer one, as when an older catalog was put back."""
    listed = read(file)
    if listed is not None and listed.number > list_of(catalog).number:
        adopt(catalog, listed)
    keep(catalog, file)


def adopt(catalog: Catalog, listed: FolderList) -> None:
    """Give the catalog exactly the roots of a list; files of roots that stay are kept."""
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
