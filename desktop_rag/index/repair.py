"""Repairs a library: indexes are rebuilt from the catalog; a catalog beyond repair is renamed, not deleted."""

import contextlib
import os
import shutil
import time
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.errors import LibraryBusy, LibraryDamaged, LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders import root_folders
from desktop_rag.index.folders.root_folders import FolderList, ListedFolder
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.vectors.vector_codes import belong_to
from desktop_rag.stop import Stop

LOCK_SECONDS = 5.0
REBUILT = "The indexes were deleted. `desktop-rag index`, or opening the window, rebuilds them from the catalog."


def repair(library: Library) -> str:
    """Repair the library as far as possible and return a message with the result and the next step."""
    with indexer_locked_out(library):
        done = repair_catalog(library)
        for copy in (library.keywords, library.vectors):
            _discard(copy)
        library.make_private()
    return done


def repair_catalog(library: Library) -> str:
    """Repair the catalog, or replace it by a new one, and return a message; the indexes have to be rebuilt.

    Only with the library's lock held.
    """
    try:
        return _repair_entries(library)
    except LibraryDamaged:
        return f"The catalog was beyond repair. {start_new_catalog(library, root_folders.read(library.folder_list))}"


def _discard(copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    if os.path.lexists(copy):  # not a folder, or one that cannot be emptied
        copy.unlink(missing_ok=True)


@contextlib.contextmanager
def indexer_locked_out(library: Library) -> Generator[None]:
    """Hold the library's lock, so that no indexer runs in the block; raises `LibraryBusy` if one is running."""
    try:
        with FileLock(library.lock).acquire(timeout=LOCK_SECONDS):
            yield
    except Timeout as error:
        raise LibraryBusy(
            "The library is open in another window or command. Close it, then repair the library again."
        ) from error


def _repair_entries(library: Library) -> str:
    """Rebuild SQLite's indexes, delete damaged entries, restart the change log; return the next step as a message.

    Raises `LibraryDamaged` when the catalog cannot be read even then.
    """
    with contextlib.closing(Catalog.open(library.catalog)) as catalog:
        catalog.reindex()
        catalog.delete_orphaned_rows()
    with contextlib.closing(IntegrityChecker(library)) as checker:
        first = next(checker.run(deep=False, stop=Stop()))
        if not first.holds:
            raise LibraryDamaged(first.detail)
        broken = checker.broken_contents()
    with contextlib.closing(Catalog.open(library.catalog)) as catalog, catalog.transaction():
        catalog.contents.delete_now(broken)
        _drop_wrong_vectors(catalog)
        catalog.change_lineage()
        empty = not catalog.folders.all()
    with contextlib.closing(Catalog.open(library.catalog, durable=True)) as catalog:
        root_folders.agree(catalog, library.folder_list)
    if empty:
        return "The library is empty. Add your folders again: desktop-rag index FOLDER"
    documents = "1 document" if len(broken) == 1 else f"{len(broken)} documents"
    return REBUILT + (f" {documents} with broken entries will be read again." if broken else "")


def _drop_wrong_vectors(catalog: Catalog) -> None:
    """Delete vectors that do not match their sentences; these are encoded again."""
    for encoder in catalog.encoders.kept():
        for blobs in catalog.vectors.blobs(encoder):
            for chunk in catalog.chunks.by_id(blobs).values():
                if not belong_to(chunk, blobs[chunk.id], encoder.dimensions):
                    catalog.vectors.delete(encoder, chunk.id)
    catalog.encoders.recompute_flags()
    catalog.vectors.rebuild_sentence_table()


def start_new_catalog(library: Library, listed: FolderList | None) -> str:
    """Replace the catalog by a new one with the same root folders: those of the list, or of the old catalog."""
    folders = listed.folders if listed else _folders(library)
    aside = _rename_damaged(library.catalog)
    with contextlib.closing(Catalog.open(library.catalog)) as catalog:
        root_folders.adopt(catalog, FolderList(folders=folders))
        root_folders.keep(catalog, library.folder_list)
    if not folders:
        return f"{aside}Add your folders again."
    count = "1 folder" if len(folders) == 1 else f"{len(folders)} folders"
    return f"{aside}A new one knows the same {count}; `desktop-rag index`, or opening the window, reads them again."


def delete_damaged_catalogs(library: Library) -> None:
    """Delete the renamed catalogs: an intact but outdated one, or contents the user wants forgotten."""
    for aside in library.folder.glob(f"{library.catalog.name}.damaged-*"):
        aside.unlink(missing_ok=True)


def _rename_damaged(catalog: Path) -> str:
    """Rename the catalog's files, replacing earlier renamed ones; return where they are."""
    before = list(catalog.parent.glob(f"{catalog.name}.damaged-*"))
    aside = catalog.with_name(f"{catalog.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    catalog.with_name(catalog.name + "-shm").unlink(missing_ok=True)
    for suffix in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            catalog.with_name(catalog.name + suffix).replace(aside.with_name(aside.name + suffix))
    if not aside.exists():
        return ""
    for file in before:
        if not file.name.startswith(aside.name):
            file.unlink(missing_ok=True)
    return f"It is in {aside.name} now. "


def _folders(library: Library) -> tuple[ListedFolder, ...]:
    """Return the root folders, with default rules where theirs cannot be read."""
    try:
        with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
            with contextlib.suppress(LibraryError):
                return root_folders.list_of(catalog).folders
            paths = catalog.folders.paths()
    except LibraryError:
        return ()
    return tuple(ListedFolder(path, is_file) for path, is_file in paths)
