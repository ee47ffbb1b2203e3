"""Crash counter per content hash: a file that crashes its reader twice is quarantined until it changes.

After the first crash it is read again up to the step at which its reader crashed. Each reader version counts from 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.reader_messages import READER_VERSION
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.root_paths import absolute
from desktop_rag.index.records import ContentId, FileId, FolderId

ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Strikes:
    """How often these bytes cost a reader the life, and what is said of it."""

    count: int
    reason: str
    reached: StepReached

    @property
    def are_enough(self) -> bool:
        """Return whether these bytes are not read any more."""
        return self.count >= ENOUGH


def strikes_of(catalog: CatalogReader, sha256: bytes) -> Strikes | None:
    """Return what was counted against these bytes with today's readers."""
    found = catalog.database.row(
        tuple[int, str, int, str],
        "SELECT count, reason, step, why FROM strike WHERE sha256 = ? AND reader = ?",
        (sha256, READER_VERSION),
    )
    return Strikes(found[0], found[1], StepReached(found[2], found[3])) if found else None


def strike(catalog: Catalog, sha256: bytes, reason: str, reached: StepReached, before: int = 0) -> bool:
    """Count one more against these bytes than `before` they were read; return whether it is enough.

    So copies of them that were read at the same time count once.
    """
    catalog.database.execute(
        "INSERT INTO strike (sha256, reader, count, reason, step, why) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT "
        "(sha256, reader) DO UPDATE SET count = excluded.count, reason = excluded.reason, step = excluded.step, "
        "why = excluded.why WHERE count < excluded.count",
        (sha256, READER_VERSION, before + 1, reason, reached.step, reached.why),
    )
    struck = strikes_of(catalog, sha256)
    return struck is not None and struck.are_enough


def is_set_aside(catalog: CatalogReader, file: FileId) -> bool:
    """Return whether a file is not read any more because of its bytes."""
    return catalog.database.number("SELECT count(*) FROM file WHERE id = ? AND set_aside IS NOT NULL", (file,)) > 0


def set_aside(catalog: Catalog, file: FileId, sha256: bytes, reason: str) -> None:
    """Say that a file is not read any more because of its bytes."""
    said = f"{reason} It was tried {ENOUGH} times and is set aside until it changes."
    catalog.database.execute(
        "UPDATE file SET content = NULL, pending = 0, outcome = 'failed', reason = ?, set_aside = ? WHERE id = ?",
        (said, sha256, file),
    )


def try_again(catalog: Catalog, paths: Iterable[bytes] = ()) -> frozenset[FolderId]:
    """Read files (absolute paths; all that are set aside without any) as if nothing had happened; return their roots.

    These are files that could not be read, or only in part; others stay as they are.
    """
    wanted = set(paths)
    rows = catalog.database.rows(
        tuple[int, int, bytes, bytes, bytes | None, int | None, bytes | None],
        "SELECT folder, file.id, folder.path, file.path, set_aside, content.id, content.sha256 FROM file "
        "JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0 "
        "LEFT JOIN content ON content.id = file.content WHERE pending = 0 "
        "AND (file.content IS NULL AND outcome = 'failed' OR content.partial != '')",
    )
    folders: set[FolderId] = set()
    with catalog.transaction():
        for folder, file, root, path, aside, content, sha256 in rows:
            if absolute(root, path) in wanted if wanted else aside is not None:
                folders.add(FolderId(folder))
                _forgive(catalog, aside or sha256)
                if content is not None:
                    catalog.contents.read_again((ContentId(content),))
                else:
                    catalog.database.execute("UPDATE file SET pending = 1 WHERE id = ?", (file,))
    return frozenset(folders)


def queue_renewed(catalog: Catalog) -> int:
    """Queue the files of active roots that were set aside by other readers than today's; return how many."""
    catalog.database.execute(
        "UPDATE file SET pending = 1 WHERE set_aside IS NOT NULL AND pending = 0 "
        "AND folder IN (SELECT id FROM folder WHERE removed_ns = 0 AND state = 'active') "
        "AND NOT EXISTS (SELECT 1 FROM strike WHERE sha256 = set_aside AND reader = ?)",
        (READER_VERSION,),
    )
    return catalog.database.changed()


def _forgive(catalog: Catalog, sha256: bytes | None) -> None:
    if sha256 is not None:
        catalog.database.execute("DELETE FROM strike WHERE sha256 = ?", (sha256,))
        # Every copy of these bytes waits for the same reading.
        catalog.database.execute("UPDATE file SET pending = 1 WHERE set_aside = ? AND pending = 0", (sha256,))
