"""Contents kept without a file because an answer cites them, and the erasure of contents down to the last byte."""

from collections.abc import Iterable

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ContentId, FolderId

_FORGETTING = "forgetting"
# What only this root holds: a removed root may come back with its files, but not from being forgotten.
_ONLY_THERE = (
    "SELECT DISTINCT content FROM file WHERE folder = ?1 AND content IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM file AS other WHERE other.content = file.content AND other.folder != ?1)"
)

_STRAYS = (
    "SELECT id FROM content WHERE state NOT IN ('arriving', 'leaving') AND sha256 NOT IN (SELECT sha256 FROM cited) "
    "AND NOT EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"
)


def keep_cited(catalog: Catalog, cited: Iterable[bytes]) -> None:
    """Keep exactly these contents (by SHA-256) also without a file."""
    with catalog.database.transaction():
        catalog.database.execute("DELETE FROM cited")
        catalog.database.execute_many("INSERT OR IGNORE INTO cited VALUES (?)", ((sha256,) for sha256 in cited))


def contents_only_in(catalog: CatalogReader, folder: FolderId) -> tuple[bytes, ...]:
    """Return the contents (by SHA-256) that would be gone with a root."""
    sql = f"SELECT DISTINCT sha256 FROM content WHERE id IN ({_ONLY_THERE}) ORDER BY sha256"
    return tuple(catalog.database.values(bytes, sql, (folder,)))


def forget(catalog: Catalog, folder: FolderId, also: Iterable[bytes]) -> None:
    """Erase a root with everything only it holds, and of `also` (by SHA-256) what no file holds.

    What that leaves on the disk is overwritten by `overwrite`.
    """
    with catalog.database.transaction():
        only_there = catalog.database.rows(
            tuple[int, bytes], f"SELECT id, sha256 FROM content WHERE id IN ({_ONLY_THERE})", (folder,)
        )
        catalog.database.execute("DELETE FROM folder WHERE id = ?", (folder,))
        catalog.contents.discard((ContentId(content) for content, _ in only_there))
        uncited = {*also, *(sha256 for _, sha256 in only_there)}
        catalog.database.execute_many("DELETE FROM cited WHERE sha256 = ?", ((sha256,) for sha256 in uncited))
        dismiss_strays(catalog)
        catalog.contents.delete_unused_ocr()
        catalog.database.execute(
            "DELETE FROM strike WHERE sha256 NOT IN (SELECT set_aside FROM file WHERE set_aside NOT NULL)"
        )
        catalog.database.execute("INSERT OR REPLACE INTO meta VALUES (?, '')", (_FORGETTING,))


def dismiss_strays(catalog: Catalog) -> bool:
    """Let contents leave now that no file holds and no answer cites; return whether there were any."""
    strays = catalog.database.values(int, _STRAYS)
    catalog.contents.discard(map(ContentId, strays))
    return bool(strays)


def is_forgetting(catalog: CatalogReader) -> bool:
    """Return whether bytes of something forgotten may still lie in a file of the library."""
    return catalog.database.number("SELECT count(*) FROM meta WHERE key = ?", (_FORGETTING,)) > 0


def overwrite(catalog: Catalog) -> bool:
    """Leave no byte of erased rows in the catalog's files; return whether no reader was in the way."""
    # `secure_delete` alone is not enough: where rows moved between pages, copies of them stay in the gaps.
    catalog.database.execute("VACUUM")
    return catalog.database.empty_journal()


def end_forgetting(catalog: Catalog) -> None:
    """Say that everything is overwritten."""
    catalog.database.execute("DELETE FROM meta WHERE key = ?", (_FORGETTING,))
