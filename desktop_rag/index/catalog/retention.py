"""Contents kept without a file because an answer cites them, and the erasure of contents down to the last byte.

A folder that is merely removed, not forgotten, is erased a minute later by `Pipeline.erase_removed`.
"""

from collections.abc import Iterable

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ContentId, FolderId

_FORGETTING = "forgetting"
# Contents in this root folder only: a removed folder can be restored with its files, a forgotten one cannot.
_ONLY_THERE = (
    "SELECT DISTINCT content FROM file WHERE folder = ?1 AND content IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM file AS other WHERE other.content = file.content AND other.folder != ?1)"
)

_UNCITED_ORPHANS = (
    "SELECT id FROM content WHERE state NOT IN ('arriving', 'leaving') AND sha256 NOT IN (SELECT sha256 FROM cited) "
    "AND NOT EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"
)


def keep_cited(catalog: Catalog, cited: Iterable[bytes]) -> None:
    """Replace the set of contents (SHA-256) that are kept even without a file."""
    with catalog.database.transaction():
        catalog.database.execute("DELETE FROM cited")
        catalog.database.execute_many("INSERT OR IGNORE INTO cited VALUES (?)", ((sha256,) for sha256 in cited))


def contents_only_in(catalog: CatalogReader, folder: FolderId) -> tuple[bytes, ...]:
    """Return the contents (SHA-256) that are in this root folder only."""
    sql = f"SELECT DISTINCT sha256 FROM content WHERE id IN ({_ONLY_THERE}) ORDER BY sha256"
    return tuple(catalog.database.values(bytes, sql, (folder,)))


def forget(catalog: Catalog, folder: FolderId, also: Iterable[bytes]) -> None:
    """Delete a root folder with the contents only it has, and those of `also` (SHA-256) without a file.

    `overwrite` later removes the remains from the catalog's file.
    """
    with catalog.database.transaction():
        only_there = catalog.database.rows(
            tuple[int, bytes], f"SELECT id, sha256 FROM content WHERE id IN ({_ONLY_THERE})", (folder,)
        )
        catalog.database.execute("DELETE FROM folder WHERE id = ?", (folder,))
        catalog.contents.discard((ContentId(content) for content, _ in only_there))
        uncited = {*also, *(sha256 for _, sha256 in only_there)}
        catalog.database.execute_many("DELETE FROM cited WHERE sha256 = ?", ((sha256,) for sha256 in uncited))
        discard_uncited_orphans(catalog)
        catalog.contents.delete_unused_ocr()
        catalog.database.execute(
            "DELETE FROM strike WHERE sha256 NOT IN (SELECT set_aside FROM file WHERE set_aside NOT NULL)"
        )
        catalog.database.execute("INSERT OR REPLACE INTO meta VALUES (?, '')", (_FORGETTING,))


def discard_uncited_orphans(catalog: Catalog) -> bool:
    """Mark contents without a file or citation for deletion; return whether there were any."""
    orphans = catalog.database.values(int, _UNCITED_ORPHANS)
    catalog.contents.discard(map(ContentId, orphans))
    return bool(orphans)


def is_forgetting(catalog: CatalogReader) -> bool:
    """Return whether files of the library may still contain remains of forgotten contents."""
    return catalog.database.number("SELECT count(*) FROM meta WHERE key = ?", (_FORGETTING,)) > 0


def overwrite(catalog: Catalog) -> bool:
    """Rewrite the catalog without remains of deleted rows; return whether no reader prevented that."""
    # `secure_delete` alone is not enough: when rows move between pages, copies of them stay in unused space.
    while catalog.file_names.index_some():
        pass
    catalog.file_names.overwrite()
    catalog.database.rewrite()
    return catalog.database.empty_journal()


def end_forgetting(catalog: Catalog) -> None:
    """Record that all remains are overwritten."""
    catalog.database.execute("DELETE FROM meta WHERE key = ?", (_FORGETTING,))
