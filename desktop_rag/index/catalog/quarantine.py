"""Crash counter per content hash: a file that crashes its reader twice is quarantined until it changes.

After the first crash it is read again up to the step at which its reader crashed. Each reader version counts from 0.
A reader that was killed from outside is no crash: its file waits for a while, with a count of 0 and no outcome.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.documents.file_types import JUDGING_VERSION
from desktop_rag.documents.formats.source_file import NOT_ENOUGH_MEMORY, StepReached
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.stored_values import MISSING
from desktop_rag.index.records import ContentId, FileId, FileState, FolderId

MAX_CRASHES = 2


@dataclass(frozen=True, slots=True)
class CrashRecord:
    """How often a content crashed its reader, with the message and the last step reached."""

    count: int
    reason: str
    reached: StepReached

    @property
    def is_final(self) -> bool:
        """Return whether the content is not to be read any more."""
        return self.count >= MAX_CRASHES


def crashes_of(catalog: CatalogReader, sha256: bytes) -> CrashRecord | None:
    """Return the crashes of a content with this reader version."""
    found = catalog.database.row(
        tuple[int, str, int, str],
        "SELECT count, reason, step, why FROM strike WHERE sha256 = ? AND reader = ?",
        (sha256, JUDGING_VERSION),
    )
    return CrashRecord(found[0], found[1], StepReached(found[2], found[3])) if found else None


def record_crash(catalog: Catalog, sha256: bytes, reason: str, reached: StepReached, before: int = 0) -> bool:
    """Record one crash more than the `before` ones; return whether the file is to be quarantined.

    Copies that were read at the same time thus count once.
    """
    catalog.database.execute(
        "INSERT INTO strike (sha256, reader, count, reason, step, why) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT "
        "(sha256, reader) DO UPDATE SET count = excluded.count, reason = excluded.reason, step = excluded.step, "
        "why = excluded.why WHERE count < excluded.count",
        (sha256, JUDGING_VERSION, before + 1, reason, reached.step, reached.why),
    )
    struck = crashes_of(catalog, sha256)
    return struck is not None and struck.is_final


def is_quarantined(catalog: CatalogReader, file: FileId) -> bool:
    """Return whether a file is quarantined."""
    sql = "SELECT count(*) FROM file WHERE id = ? AND set_aside IS NOT NULL AND outcome != ''"
    return catalog.database.number(sql, (file,)) > 0


def quarantine_file(catalog: Catalog, file: FileId, sha256: bytes, reason: str) -> None:
    """Quarantine a file until its content changes."""
    message = f"{reason} It was tried {MAX_CRASHES} times and is quarantined until it changes."
    _set_aside(catalog, file, sha256, message, FileState.FAILED, ProblemKind.CRASHED)


def any_set_aside(catalog: CatalogReader) -> bool:
    """Return whether any file is set aside."""
    return catalog.database.number("SELECT EXISTS (SELECT 1 FROM file WHERE set_aside IS NOT NULL)") > 0


def set_aside_interrupted(catalog: Catalog, file: FileId, sha256: bytes, reason: str) -> None:
    """Let a file whose readers were ended from outside wait until `requeue_interrupted`."""
    catalog.database.execute(
        "INSERT INTO strike (sha256, reader, count, reason, step, why) VALUES (?, ?, 0, ?, 0, '') "
        "ON CONFLICT (sha256, reader) DO NOTHING",
        (sha256, JUDGING_VERSION, reason),
    )
    _set_aside(catalog, file, sha256, reason, "", ProblemKind.INTERRUPTED)


def requeue_interrupted(catalog: Catalog) -> int:
    """Queue the files of `set_aside_interrupted`, in active root folders; return how many."""
    return _requeue(catalog, "EXISTS (SELECT 1 FROM strike WHERE sha256 = set_aside AND reader = ? AND count = 0)")


def _set_aside(catalog: Catalog, file: FileId, sha256: bytes, message: str, outcome: str, kind: ProblemKind) -> None:
    catalog.database.execute(
        "UPDATE file SET content = NULL, pending = 0, outcome = ?, reason = ?, reason_kind = ?, set_aside = ? "
        "WHERE id = ?",
        (outcome, message, kind.value, sha256, file),
    )


def retry(catalog: Catalog, paths: Iterable[bytes] = ()) -> frozenset[FolderId]:
    """Requeue files (absolute paths; all quarantined ones if empty) and reset their crash counts; return their folders.

    Only files that failed, wait after an interruption, were read in part or are pictures; others are ignored. Pages are
    recognised again.
    """
    wanted = set(paths)
    rows = catalog.database.rows(
        tuple[FolderId, int, bytes, bytes, bytes | None, ContentId | None, bytes | None],
        "SELECT folder, file.id, folder.path, file.path, set_aside, content.id, content.sha256 FROM file "
        "JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0 "
        "LEFT JOIN content ON content.id = file.content WHERE pending = 0 "
        f"AND (file.content IS NULL AND (outcome = 'failed' OR set_aside IS NOT NULL) OR {MISSING} != '')",
    )
    folders: set[FolderId] = set()
    with catalog.transaction():
        for folder, file, root, path, aside, content, sha256 in rows:
            if absolute(root, path) in wanted if wanted else aside is not None:
                folders.add(folder)
                if judged := aside or sha256:
                    catalog.database.execute("DELETE FROM strike WHERE sha256 = ?", (judged,))
                    # All copies of the content are read again.
                    catalog.database.execute(
                        "UPDATE file SET pending = 1 WHERE set_aside = ? AND pending = 0", (judged,)
                    )
                if content is not None:
                    catalog.database.execute("DELETE FROM recognised WHERE sha256 = ?", (sha256,))
                    catalog.contents.read_again((content,))
                else:
                    catalog.database.execute("UPDATE file SET pending = 1 WHERE id = ?", (file,))
    return frozenset(folders)


def requeue_for_new_reader(catalog: Catalog) -> int:
    """Queue the files that other readers or rules refused, quarantined or cut; return how many."""
    cut = catalog.database.rows(
        tuple[ContentId, bytes],
        "SELECT DISTINCT content.id, sha256 FROM content JOIN strike USING (sha256) "
        "JOIN file ON file.content = content.id JOIN folder ON folder.id = file.folder "
        "WHERE strike.reader != ?1 AND partial != '' AND removed_ns <= 0 AND folder.state = 'active' "
        "AND NOT EXISTS (SELECT 1 FROM strike AS judged WHERE judged.sha256 = content.sha256 AND judged.reader = ?1)",
        (JUDGING_VERSION,),
    )
    with catalog.transaction():
        catalog.contents.read_again(content for content, _ in cut)
        for _, sha256 in cut:
            catalog.database.execute("DELETE FROM strike WHERE sha256 = ?", (sha256,))
        aside = _requeue(catalog, "NOT EXISTS (SELECT 1 FROM strike WHERE sha256 = set_aside AND reader = ?)")
        refused = _requeue_failed(catalog)
    return len(cut) + aside + refused


def _requeue_failed(catalog: Catalog) -> int:
    """Queue, once for each version, what others refused or cut for a lack of memory; return how many."""
    if catalog.database.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'refused_by'") == JUDGING_VERSION:
        return 0
    catalog.database.execute("INSERT OR REPLACE INTO meta VALUES ('refused_by', ?)", (str(JUDGING_VERSION),))
    cut = catalog.database.values(
        ContentId,
        "SELECT DISTINCT content.id FROM content JOIN file ON file.content = content.id "
        "JOIN folder ON folder.id = file.folder WHERE partial = ? AND removed_ns <= 0 AND folder.state = 'active'",
        (NOT_ENOUGH_MEMORY,),
    )
    catalog.contents.read_again(cut)
    catalog.database.execute(
        "UPDATE file SET pending = 1 WHERE pending = 0 AND set_aside IS NULL AND content IS NULL AND outcome = 'failed'"
    )
    return len(cut) + catalog.database.changed()


def _requeue(catalog: Catalog, condition: str) -> int:
    catalog.database.execute(
        "UPDATE file SET pending = 1 WHERE set_aside IS NOT NULL AND pending = 0 "
        f"AND folder IN (SELECT id FROM folder WHERE removed_ns <= 0 AND state = 'active') AND {condition}",
        (JUDGING_VERSION,),
    )
    return catalog.database.changed()


# Contents kept without a file because an answer cites them, and the erasure of contents down to the last byte.
#
# A folder that is merely removed, not forgotten, is erased a minute later by `Pipeline.erase_removed`.

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
