"""Mends a library: copies go and come back from the catalog; a catalog beyond repair is set aside, not deleted."""

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.errors import LibraryBusy, LibraryDamaged, LibraryError
from desktop_rag.index.catalog import encoders, folder_list, sentence_vectors
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import marks
from desktop_rag.index.catalog.folder_list import FolderList, ListedFolder
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.index.vectors.vector_codes import is_of
from desktop_rag.stop import Stop

LOCK_SECONDS = 5.0
VECTORS_AT_ONCE = 256  # chunks
REBUILT = "The copies were thrown away. `desktop-rag index`, or opening the window, builds them from the catalog."


def repair(library: Library) -> str:
    """Mend what can be mended and return a sentence that says what was done and what comes next."""
    with indexer_locked_out(library):
        done = mend(library)
        for copy in (library.keywords, library.vectors):
            _discard(copy)
        make_private(library)
    return done


def mend(library: Library) -> str:
    """Mend the catalog, or set it aside and begin a new one; the copies have to be built anew. Say what was done.

    Only with the library's lock held.
    """
    try:
        return _mend(library)
    except LibraryDamaged:
        return f"The catalog was beyond repair. {begin_anew(library, folder_list.read(library.folder_list))}"


def make_private(library: Library) -> None:
    """Let only the owner read the library; what belongs to somebody else is left to `check`."""
    if os.name != "posix":
        return
    for path in (library.folder, *library.folder.rglob("*")):
        with contextlib.suppress(OSError):
            if not path.is_symlink() and not path.is_socket() and path.stat().st_mode & 0o077:
                path.chmod(path.stat().st_mode & 0o700)


def _discard(copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    if os.path.lexists(copy):  # not a folder, or one that cannot be emptied
        copy.unlink(missing_ok=True)


@contextlib.contextmanager
def indexer_locked_out(library: Library) -> Generator[None]:
    """Hold the library's lock, so that no indexer runs in the block; raises `LibraryBusy` if one does."""
    try:
        with FileLock(library.lock).acquire(timeout=LOCK_SECONDS):
            yield
    except Timeout as error:
        raise LibraryBusy(
            "The library is open in another window or command. Close it, then repair the library again."
        ) from error


def _mend(library: Library) -> str:
    """Rebuild SQLite's indexes, drop broken entries, begin a new change log; say what comes next.

    Raises `LibraryDamaged` when the catalog cannot be read even then.
    """
    with contextlib.closing(Catalog.open(library.catalog)) as catalog:
        catalog.database.execute("REINDEX")
        _drop_strays(catalog)
    with contextlib.closing(IntegrityChecker(library)) as checker:
        first = next(checker.run(deep=False, stop=Stop()))
        if not first.holds:
            raise LibraryDamaged(first.detail)
        broken = checker.broken_contents()
    with contextlib.closing(Catalog.open(library.catalog)) as catalog, catalog.transaction():
        _read_again(catalog, broken)
        _encode_again(catalog)
        _begin_log(catalog)
        empty = not catalog.folders()
    with contextlib.closing(Catalog.open(library.catalog, durable=True)) as catalog:
        folder_list.agree(catalog, library.folder_list)
    if empty:
        return "The library is empty. Add your folders again: desktop-rag index FOLDER"
    documents = "1 document" if len(broken) == 1 else f"{len(broken)} documents"
    return REBUILT + (f" {documents} with broken entries will be read again." if broken else "")


def _drop_strays(catalog: Catalog) -> None:
    """Delete rows that belong to nothing; a file whose content is gone is read again."""
    with catalog.transaction():
        catalog.database.execute(
            "UPDATE file SET content = NULL, pending = 1 WHERE content NOT IN (SELECT id FROM content)"
        )
        catalog.database.execute("DELETE FROM file WHERE folder NOT IN (SELECT id FROM folder)")
        for table in ("segment", "page", "layout", "chunk"):
            catalog.database.execute(f"DELETE FROM {table} WHERE content NOT IN (SELECT id FROM content)")
        catalog.database.execute("DELETE FROM vector WHERE chunk NOT IN (SELECT id FROM chunk)")


def _begin_log(catalog: Catalog) -> None:
    """Write the change log as if everything had been added just now, under another lineage: copies begin anew."""
    catalog.database.execute("UPDATE meta SET value = ? WHERE key = 'lineage'", (secrets.token_hex(16),))
    catalog.database.execute("DELETE FROM change")
    catalog.database.execute("INSERT INTO change (kind, chunk) SELECT 'added', id FROM chunk ORDER BY id")
    catalog.database.execute(
        "INSERT INTO change (kind, chunk) SELECT 'encoded', id FROM chunk WHERE encoded = 1 ORDER BY id"
    )
    catalog.database.execute("UPDATE content SET sequence = (SELECT max(sequence) FROM change)")


def _read_again(catalog: Catalog, contents: frozenset[ContentId]) -> None:
    for content in contents:
        catalog.database.execute("UPDATE file SET content = NULL, pending = 1 WHERE content = ?", (content,))
        catalog.database.execute("DELETE FROM content WHERE id = ?", (content,))


def _encode_again(catalog: Catalog) -> None:
    """Drop vectors that are not those of their sentences; these are encoded again."""
    database = catalog.database
    for encoder in encoders.wanted(database):
        ids = database.values(int, "SELECT chunk FROM vector WHERE encoder = ?", (encoder.id,))
        for first in range(0, len(ids), VECTORS_AT_ONCE):
            some = ids[first : first + VECTORS_AT_ONCE]
            rows = dict(
                database.rows(
                    tuple[int, bytes],
                    f"SELECT chunk, data FROM vector WHERE encoder = ? AND chunk IN ({marks(len(some))})",
                    (encoder.id, *some),
                )
            )
            for chunk in catalog.chunks(map(ChunkId, some)).values():
                if not is_of(chunk, rows[chunk.id], encoder.dimensions):
                    database.execute("DELETE FROM vector WHERE chunk = ? AND encoder = ?", (chunk.id, encoder.id))
    encoders.note_anew(database)
    sentence_vectors.list_anew(database)


def begin_anew(library: Library, listed: FolderList | None) -> str:
    """Set the catalog aside and begin a new one with the person's folders: the listed ones, or what it says itself."""
    folders = listed.folders if listed else _folders(library)
    aside = _set_aside(library.catalog)
    with contextlib.closing(Catalog.open(library.catalog)) as catalog:
        folder_list.adopt(catalog, FolderList(folders=folders))
        folder_list.keep(catalog, library.folder_list)
    if not folders:
        return f"{aside}Add your folders again."
    count = "1 folder" if len(folders) == 1 else f"{len(folders)} folders"
    return f"{aside}A new one knows the same {count}; `desktop-rag index`, or opening the window, reads them again."


def discard_aside(library: Library) -> None:
    """Delete catalogs that were set aside: one that was whole but outdated, or what a person wants forgotten."""
    for aside in library.folder.glob(f"{library.catalog.name}.damaged-*"):
        aside.unlink(missing_ok=True)


def _set_aside(catalog: Path) -> str:
    """Give the catalog's files another name, in place of those set aside before; say where they are."""
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
    return f"It lies in {aside.name} now. "


def _folders(library: Library) -> tuple[ListedFolder, ...]:
    """Return the folders, with their usual rules where theirs cannot be read."""
    try:
        with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
            with contextlib.suppress(LibraryError):
                return folder_list.list_of(catalog).folders
            rows = catalog.database.rows(tuple[bytes, int], "SELECT path, is_file FROM folder WHERE removed_ns = 0")
    except LibraryError:
        return ()
    return tuple(ListedFolder(path, bool(single)) for path, single in rows)
