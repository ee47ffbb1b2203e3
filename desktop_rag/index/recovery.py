"""Recovers a library before the indexer opens it: detects an unclean shutdown, repairs an unusable catalog.

A damaged catalog is not deleted but renamed; the new one gets the same root folders.
"""

import contextlib
import logging
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import OLDEST
from desktop_rag.index.folders import root_folders
from desktop_rag.index.library import Library
from desktop_rag.index.repair import delete_damaged_catalogs, repair_catalog, start_new_catalog
from desktop_rag.paths import write_durably

logger = logging.getLogger(__name__)

LONGEST_TRUST_SECONDS = 30 * 86_400.0  # disks lose data over time
OLDER = "The library was of an older version of this program."

_Facts = tuple[int, int]


class ShutdownSeal(msgspec.Struct, frozen=True):
    """The size and time of each file of the catalog and its copies, by its path inside the library."""

    files: dict[str, _Facts]


class Recovery(NamedTuple):
    """Whether the library was shut down cleanly, and a notice for the user (mostly empty)."""

    sealed: bool
    notice: str = ""


TRUSTED = Recovery(sealed=True)


def recover(library: Library) -> Recovery:
    """Repair the library if needed, and return whether it was shut down cleanly and is unchanged since then.

    Only with the library's lock held. Raises `LibraryError` when it cannot be used, such as one of a newer program.
    """
    try:
        sealed = _is_sealed(library)
        library.seal.unlink(missing_ok=True)
        notice = _repaired(library)
        with contextlib.closing(Catalog.open(library.catalog, durable=True)) as catalog:
            root_folders.agree(catalog, library.folder_list)
            rested = time.time() - catalog.last_integrity_scan() < LONGEST_TRUST_SECONDS
    except OSError as error:
        raise LibraryError(
            f"The library in {library.folder} cannot be written ({error.strerror}). "
            "Check its permissions and its disk, or choose another folder for it."
        ) from error
    return Recovery(sealed and rested, notice)


def _repaired(library: Library) -> str:
    """Repair or replace the catalog if it cannot be used; return a notice for the user."""
    notices = []
    if library.repair_request.exists():
        notices.append(repair_catalog(library))
        library.repair_request.unlink()
    listed = root_folders.read(library.folder_list)
    problem = _problem(library, listed)
    if problem:
        notices.append(f"{problem} {start_new_catalog(library, listed)}")
    if problem == OLDER:
        delete_damaged_catalogs(library)  # intact, but not needed any more
    for notice in notices:
        logger.warning("%s", notice)
    return " ".join(notices)


def _problem(library: Library, listed: root_folders.FolderList | None) -> str:
    """Return why the catalog cannot be used, or an empty text."""
    if not library.catalog.exists():
        return "The catalog is missing." if listed else ""
    try:
        with contextlib.closing(CatalogReader.open(library.catalog)) as reader:
            version = reader.format_version()
            if 0 < version < OLDEST:
                return OLDER
        with contextlib.closing(Catalog.open(library.catalog)) as catalog:
            lineage = catalog.lineage()
            root_folders.list_of(catalog)
    except LibraryDamaged as error:
        return str(error)
    if listed and listed.lineage != lineage:
        return "The catalog is that of another library." if version else "The catalog was empty."
    return ""


def seal(library: Library) -> None:
    """Write the shutdown seal, after everything is closed; with it the next start skips the integrity scan."""
    with contextlib.suppress(OSError):  # the next start runs the scan
        write_durably(library.seal, msgspec.json.encode(ShutdownSeal(_facts(library))))


def request_repair(library: Library, error: LibraryDamaged) -> None:
    """Request that the next indexer repairs the catalog before anything else."""
    logger.warning("the next indexer has to repair this: %s", error)
    with contextlib.suppress(OSError):  # it will detect the damage itself
        write_durably(library.repair_request, str(error).encode())


def _is_sealed(library: Library) -> bool:
    try:
        return decode_json(library.seal.read_bytes(), ShutdownSeal).files == _facts(library)
    except (OSError, msgspec.DecodeError):
        return False


def _facts(library: Library) -> dict[str, _Facts]:
    journal = library.catalog.with_name(library.catalog.name + "-wal")
    files = [library.catalog, journal]
    for copy in (library.keywords, library.vectors):
        files += (path for path in copy.rglob("*") if path.is_file())
    facts = {str(path.relative_to(library.folder)): _size_and_time(path) for path in files if path.exists()}
    # Who reads and is ended by force, or may not write, leaves an empty journal behind.
    return {name: known for name, known in facts.items() if known[0] or name != journal.name}


def _size_and_time(path: Path) -> _Facts:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns
