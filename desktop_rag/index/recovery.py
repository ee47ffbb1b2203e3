"""What the indexer does before it opens a library: notices an unclean end, and mends a catalog that cannot be used.

Nothing of a damaged catalog is deleted: it is set aside, and a new one gets the person's folders.
"""

import contextlib
import logging
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import FORMAT
from desktop_rag.index.folders import folder_list
from desktop_rag.index.library import Library
from desktop_rag.index.repair import begin_anew, discard_aside, make_private, mend
from desktop_rag.paths import write_durably

logger = logging.getLogger(__name__)

LONGEST_TRUST_SECONDS = 30 * 86_400.0  # disks forget, too
OLDER = "The library was of an older version of this program."

_Facts = tuple[int, int]


class ShutdownSeal(msgspec.Struct, frozen=True):
    """The size and time of each file of the catalog and its copies, by its path inside the library."""

    files: dict[str, _Facts]


class Recovery(NamedTuple):
    """Whether the library can be trusted as it is, and what a person should know about it (mostly nothing)."""

    sealed: bool
    notice: str = ""


TRUSTED = Recovery(sealed=True)


def recover(library: Library) -> Recovery:
    """Make the library usable if it is not, and say whether it was left properly and is untouched since then.

    Only with the library's lock held. Raises `LibraryError` when it cannot be used, such as one of a newer program.
    """
    try:
        sealed = _is_sealed(library)
        library.seal.unlink(missing_ok=True)
        notice = _mended(library)
        with contextlib.closing(Catalog.open(library.catalog, durable=True)) as catalog:
            folder_list.agree(catalog, library.folder_list)
            rested = time.time() - catalog.last_integrity_scan() < LONGEST_TRUST_SECONDS
        make_private(library)
    except OSError as error:
        raise LibraryError(
            f"The library in {library.folder} cannot be written ({error.strerror}). "
            "Check its permissions and its disk, or choose another folder for it."
        ) from error
    return Recovery(sealed and rested, notice)


def _mended(library: Library) -> str:
    """Mend the catalog or begin a new one if it cannot be used; return what a person should know."""
    notices = []
    if library.distress.exists():
        notices.append(mend(library))
        library.distress.unlink()
    listed = folder_list.read(library.folder_list)
    trouble = _trouble(library, listed)
    if trouble:
        notices.append(f"{trouble} {begin_anew(library, listed)}")
    if trouble == OLDER:
        discard_aside(library)  # whole, but of no more use
    for notice in notices:
        logger.warning("%s", notice)
    return " ".join(notices)


def _trouble(library: Library, listed: folder_list.FolderList | None) -> str:
    """Return why the catalog cannot be used, empty if it can."""
    if not library.catalog.exists():
        return "The catalog is gone." if listed else ""
    try:
        with contextlib.closing(CatalogReader.open(library.catalog)) as reader:
            version = reader.format_version()
            if 0 < version < FORMAT:
                return OLDER
        with contextlib.closing(Catalog.open(library.catalog)) as catalog:
            lineage = catalog.lineage()
            folder_list.list_of(catalog)
    except LibraryDamaged as error:
        return str(error)
    if listed and listed.lineage != lineage:
        return "The catalog is that of another library." if version else "The catalog was empty."
    return ""


def seal(library: Library) -> None:
    """Note what the files are like, after everything is closed; the next start need not look at them."""
    with contextlib.suppress(OSError):  # it will look at them
        write_durably(library.seal, msgspec.json.encode(ShutdownSeal(_facts(library))))


def call_for_help(library: Library, error: LibraryDamaged) -> None:
    """Leave word for the next indexer that the catalog has to be mended before anything else."""
    logger.warning("the next indexer has to mend this: %s", error)
    with contextlib.suppress(OSError):  # it will find out by itself
        write_durably(library.distress, str(error).encode())


def _is_sealed(library: Library) -> bool:
    try:
        return msgspec.json.decode(library.seal.read_bytes(), type=ShutdownSeal).files == _facts(library)
    except (OSError, msgspec.DecodeError):
        return False


def _facts(library: Library) -> dict[str, _Facts]:
    files = [library.catalog, library.catalog.with_name(library.catalog.name + "-wal")]
    for copy in (library.keywords, library.vectors):
        files += (path for path in copy.rglob("*") if path.is_file())
    return {str(path.relative_to(library.folder)): _size_and_time(path) for path in files if path.exists()}


def _size_and_time(path: Path) -> _Facts:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns
