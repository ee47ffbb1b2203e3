"""Mends a library: copies go and come back from the catalog; a catalog beyond repair is set aside, not deleted."""

import contextlib
import os
import shutil
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.errors import LibraryBusy, LibraryDamaged, LibraryError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.index.check import Checker
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId, Folder, FolderId, FolderRules, FolderState
from desktop_rag.stop import Stop

LOCK_SECONDS = 5.0
REBUILT = "The copies were thrown away. `desktop-rag index`, or opening the window, builds them from the catalog."


def repair(library: Library) -> str:
    """Mend what can be mended and return a sentence that says what was done and what comes next."""
    with indexer_locked_out(library):
        if os.name == "posix":
            library.folder.chmod(0o700)
            for file in (library.catalog, library.conversations):
                if file.exists():
                    file.chmod(0o600)
        try:
            done = _mend(library)
        except LibraryDamaged:
            done = _begin_anew(library)
        for copy in (library.keywords, library.vectors):
            _discard(copy)
    return done


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
    with contextlib.closing(Checker(library)) as checker:
        first = next(checker.run(deep=False, stop=Stop()))
        if not first.holds:
            raise LibraryDamaged(first.detail)
        broken = checker.broken_contents()
    with contextlib.closing(Catalog.open(library.catalog)) as catalog, catalog.transaction():
        _read_again(catalog, broken)
        _encode_again(catalog)
        _begin_log(catalog)
        empty = not catalog.folders()
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
    """Write the change log as if everything had been added just now: the copies begin with nothing."""
    catalog.database.execute("DELETE FROM change")
    catalog.database.execute("INSERT INTO change (kind, chunk) SELECT 'added', id FROM chunk ORDER BY id")
    catalog.database.execute("INSERT INTO change (kind, chunk) SELECT 'encoded', chunk FROM vector ORDER BY chunk")
    catalog.database.execute("UPDATE content SET sequence = (SELECT max(sequence) FROM change)")


def _read_again(catalog: Catalog, contents: frozenset[ContentId]) -> None:
    for content in contents:
        catalog.database.execute("UPDATE file SET content = NULL, pending = 1 WHERE content = ?", (content,))
        catalog.database.execute("DELETE FROM content WHERE id = ?", (content,))


def _encode_again(catalog: Catalog) -> None:
    """Drop vectors that have not the length most have; their sentences are encoded again."""
    rows = catalog.database.rows(
        tuple[int, int, int],
        "SELECT chunk.id, sentence_count, length(data) FROM vector JOIN chunk ON chunk.id = vector.chunk",
    )
    lengths = {chunk: length / count if count and length % (4 * count) == 0 else 0.0 for chunk, count, length in rows}
    usual, votes = Counter(lengths.values()).most_common(1)[0] if lengths else (0.0, 0)
    trusted = usual if 2 * votes > len(lengths) else 0.0
    for chunk, length in lengths.items():
        if not trusted or length != trusted:
            catalog.database.execute("DELETE FROM vector WHERE chunk = ?", (chunk,))
            catalog.database.execute("UPDATE chunk SET encoded = 0 WHERE id = ? AND sentence_count > 0", (chunk,))
    catalog.database.execute(
        "UPDATE content SET state = 'searchable' WHERE state = 'ready' "
        "AND EXISTS (SELECT 1 FROM chunk WHERE chunk.content = content.id AND encoded = 0)"
    )


def _begin_anew(library: Library) -> str:
    """Set the broken catalog aside and give a new one the folders that can still be read in it."""
    folders = _folders(library)
    aside = library.catalog.with_name(f"{library.catalog.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            library.catalog.with_name(library.catalog.name + suffix).replace(aside.with_name(aside.name + suffix))
    with contextlib.closing(Catalog.open(library.catalog)) as catalog:
        for folder in folders:
            fresh = catalog.add_folder(folder.path, is_file=folder.is_file)
            catalog.set_rules(fresh, folder.rules)
            catalog.set_folder_state(fresh, folder.state)
    if not folders:
        return f"The catalog was beyond repair and lies in {aside.name} now. Add your folders again."
    count = "1 folder" if len(folders) == 1 else f"{len(folders)} folders"
    return (
        f"The catalog was beyond repair and lies in {aside.name} now. A new one knows the same {count}; "
        "`desktop-rag index`, or opening the window, reads them again."
    )


def _folders(library: Library) -> tuple[Folder, ...]:
    """Return the folders, with their usual rules where theirs cannot be read."""
    try:
        with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
            with contextlib.suppress(LibraryError):
                return catalog.folders()
            rows = catalog.database.rows(tuple[bytes, int], "SELECT path, is_file FROM folder WHERE removed_ns = 0")
    except LibraryError:
        return ()
    usual = FolderRules()
    return tuple(Folder(FolderId(0), path, bool(single), FolderState.ACTIVE, usual) for path, single in rows)
