"""The catalog: the only truth about folders, files, their contents, chunks and vectors.

The keyword index and the vector files are copies; they follow the change log and can be thrown away.
Only the indexer opens a `Catalog`; everyone else uses its reading half.
"""

import os
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog import content_storage
from desktop_rag.index.catalog.catalog_reader import WHOLE, CatalogReader, absolute
from desktop_rag.index.catalog.catalog_schema import prepare
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_lookup import FileLookup
from desktop_rag.index.records import ContentId, File, FileId, FileStat, FileState, FolderId, FolderRules, FolderState
from desktop_rag.paths import private_folder

SIZE_CLASS = 1_000_000  # bytes; files of one class are read in the order of their time
FORGOTTEN_AT_ONCE = 2000  # files: some hundredths of a second

_STAT = "size, mtime_ns, inode, device, ctime_ns"  # in the order of `FileStat`
_NEW_STAT = ", ".join(f"{column} = excluded.{column}" for column in _STAT.split(", "))


class QueuedFile(NamedTuple):
    """A file that waits to be read; `path` is absolute."""

    id: FileId
    folder: FolderId
    path: bytes
    size: int
    mtime_ns: int


class Catalog(CatalogReader):
    """Read and write access; one process, one thread."""

    @classmethod
    def open(cls, path: Path, *, durable: bool = False) -> "Catalog":
        """Open or create the catalog at `path`; raises `LibraryError`.

        What is written with a `durable` one is on the disk when its transaction ends, with all that was written
        before; without, a power loss may take the last seconds, which are read from the files again.
        """
        private_folder(path.parent)
        database = Database(path)
        prepare(database)
        if durable:
            database.execute("PRAGMA synchronous=FULL")
        return cls(database)

    def transaction(self) -> AbstractContextManager[None]:
        """Return a block in which everything happens or nothing."""
        return self.database.transaction()

    def gather(self) -> None:
        """Bring everything into the one file: closing does not, while a search has the catalog open."""
        self.database.empty_journal()

    # Folders

    def add_folder(self, path: bytes, *, is_file: bool) -> FolderId:
        """Add a root, or bring a removed one back with its rules and files."""
        known = self.database.row(tuple[int, int], "SELECT id, is_file FROM folder WHERE path = ?", (path,))
        if known is None:
            rules = msgspec.json.encode(FolderRules()).decode()
            return FolderId(
                self.database.insert(
                    "INSERT INTO folder (path, is_file, state, rules) VALUES (?, ?, ?, ?)",
                    (path, is_file, FolderState.ACTIVE, rules),
                )
            )
        folder = FolderId(known[0])
        if known[1] != is_file:  # a file has taken the place of a folder, or the other way round
            self.database.execute("DELETE FROM file WHERE folder = ?", (folder,))
            self.database.execute("UPDATE folder SET is_file = ? WHERE id = ?", (is_file, folder))
        self.restore_folder(folder)
        self.set_folder_state(folder, FolderState.ACTIVE)
        return folder

    def set_folder_state(self, folder: FolderId, state: FolderState) -> None:
        """Say what a root is doing."""
        self.database.execute("UPDATE folder SET state = ? WHERE id = ?", (state, folder))

    def set_offline(self, folder: FolderId) -> None:
        """Say that a root is away, unless it is paused."""
        self._change_state(folder, FolderState.ACTIVE, FolderState.OFFLINE)

    def set_back_online(self, folder: FolderId) -> None:
        """Say that a root that was away is there again."""
        self._change_state(folder, FolderState.OFFLINE, FolderState.ACTIVE)

    def _change_state(self, folder: FolderId, old: FolderState, new: FolderState) -> None:
        self.database.execute("UPDATE folder SET state = ? WHERE id = ? AND state = ?", (new, folder, old))

    def set_rules(self, folder: FolderId, rules: FolderRules) -> None:
        """Use other rules from the next scan on."""
        self.database.execute("UPDATE folder SET rules = ? WHERE id = ?", (msgspec.json.encode(rules).decode(), folder))

    def remove_folder(self, folder: FolderId) -> None:
        """Hide a root and everything in it from the next query on; `forget_removed` erases it later."""
        self.database.execute("UPDATE folder SET removed_ns = ? WHERE id = ?", (time.time_ns(), folder))

    def restore_folder(self, folder: FolderId) -> None:
        """Undo `remove_folder`; raises `LibraryRefused` when the root has been erased."""
        self.database.execute("UPDATE folder SET removed_ns = 0 WHERE id = ?", (folder,))
        if not self.database.changed():
            raise LibraryRefused("This folder has been erased from the library. Add it again.")

    def adopt_files(self, parent: FolderId, child: FolderId, prefix: bytes) -> None:
        """Move the files of a root that lies inside another into that one; nothing is read again."""
        inside = os.path.join(prefix, b"")  # noqa: PTH118 (bytes)
        with self.transaction():
            self.database.execute(
                "UPDATE OR IGNORE file SET folder = ?, path = CASE WHEN path = x'' THEN ? "
                "ELSE CAST(? || path AS BLOB) END WHERE folder = ?",
                (parent, prefix, inside, child),
            )
            self.database.execute("DELETE FROM folder WHERE id = ?", (child,))

    def forget_removed(self, before_ns: int) -> bool:
        """Erase some files of roots removed before that time, and then the roots; return whether there may be more.

        Their contents become orphans.
        """
        removed = "SELECT id FROM folder WHERE removed_ns BETWEEN 1 AND ?"
        with self.transaction():
            self.database.execute(
                f"DELETE FROM file WHERE id IN (SELECT id FROM file WHERE folder IN ({removed}) LIMIT ?)",
                (before_ns, FORGOTTEN_AT_ONCE),
            )
            if self.database.changed() == FORGOTTEN_AT_ONCE:
                return True
            self.database.execute(f"DELETE FROM folder WHERE id IN ({removed})", (before_ns,))
        return False

    # Files

    def files(self, folder: FolderId) -> dict[bytes, File]:
        """Return every known file of a root by its relative path."""
        return {file.path: file for file in FileLookup(self.database, folder).beneath(b"")}

    def queue_file(self, folder: FolderId, path: bytes, stat: FileStat) -> None:
        """Note a file that is to be read; if it is known, its old content serves until then."""
        self.database.execute(
            f"INSERT INTO file (folder, path, {_STAT}, pending) VALUES (?, ?, ?, ?, ?, ?, ?, 1) "
            f"ON CONFLICT (folder, path) DO UPDATE SET {_NEW_STAT}, pending = 1",
            (folder, path, *_values(stat)),
        )

    def leave_out(self, folder: FolderId, path: bytes, stat: FileStat, reason: str) -> None:
        """Note a file that is not read, with the reason a person sees."""
        self.database.execute(
            f"INSERT INTO file (folder, path, {_STAT}, pending, outcome, reason) "
            f"VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (folder, path) DO UPDATE SET {_NEW_STAT}, pending = 0, "
            "outcome = excluded.outcome, reason = excluded.reason, content = NULL, set_aside = NULL",
            (folder, path, *_values(stat), FileState.SKIPPED, reason),
        )

    def place_file(self, folder: FolderId, path: bytes, stat: FileStat, content: ContentId) -> None:
        """Note a file whose content is certain without reading it; if that content is gone, the file is queued."""
        with self.transaction():
            self.queue_file(folder, path, stat)
            self.database.execute(
                "UPDATE file SET content = ?1, pending = 0, outcome = '', reason = '', set_aside = NULL "
                f"WHERE folder = ?2 AND path = ?3 AND EXISTS (SELECT 1 FROM content WHERE id = ?1 AND {WHOLE})",
                (content, folder, path),
            )

    def note_stat(self, file: FileId, stat: FileStat) -> None:
        """Note what the system says of a file that is unchanged, such as another number of its device."""
        self.database.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, inode = ?, device = ?, ctime_ns = ? WHERE id = ?",
            (*_values(stat), file),
        )

    def remove_file(self, file: FileId) -> None:
        """Forget a place; its content becomes an orphan if no other place holds it."""
        self.database.execute("DELETE FROM file WHERE id = ?", (file,))

    def next_queued(self, limit: int, largest: int | None = None) -> list[QueuedFile]:
        """Return files to read (up to `largest` bytes) from active roots: small ones first, then recent ones.

        The roots take turns, so that a huge one keeps no other waiting.
        """
        found: list[tuple[int, int, int, QueuedFile]] = []
        for folder, root in self.database.rows(
            tuple[int, bytes], "SELECT id, path FROM folder WHERE removed_ns = 0 AND state = 'active'"
        ):
            rows = self.database.rows(
                tuple[int, bytes, int, int],
                # The order of the index `file_queue`: a long queue costs no more than a short one.
                f"SELECT id, path, size, mtime_ns FROM file WHERE folder = ? AND pending = 1 "
                f"AND size / {SIZE_CLASS} <= ? ORDER BY size / {SIZE_CLASS}, mtime_ns DESC LIMIT ?",
                (folder, sys.maxsize if largest is None else largest // SIZE_CLASS, limit),
            )
            for turn, (id_, path, size, mtime_ns) in enumerate(rows):
                file = QueuedFile(FileId(id_), FolderId(folder), absolute(root, path), size, mtime_ns)
                found.append((size // SIZE_CLASS, turn, -mtime_ns, file))
        found.sort(key=lambda item: item[:3])
        return [file for *_, file in found[:limit]]

    def retry_failed(self, folder: FolderId) -> None:
        """Queue the files of a root that could not be read and are not set aside: what was in the way may be gone."""
        self.database.execute(
            "UPDATE file SET pending = 1 WHERE folder = ? AND pending = 0 AND outcome = ? AND set_aside IS NULL",
            (folder, FileState.FAILED),
        )

    def link_file(self, file: FileId, content: ContentId) -> None:
        """Say that a file holds this content now."""
        self.database.execute(
            "UPDATE file SET content = ?, pending = 0, outcome = '', reason = '', set_aside = NULL WHERE id = ?",
            (content, file),
        )

    def queue_if_changed(self, file: QueuedFile) -> None:
        """Queue a file again that a scan found changed after it was handed out: it was read too early."""
        self.database.execute(
            "UPDATE file SET pending = 1 WHERE id = ? AND (size != ? OR mtime_ns != ?)",
            (file.id, file.size, file.mtime_ns),
        )

    def end_file(self, file: FileId, state: FileState, reason: str) -> None:
        """Say that a file was skipped or failed, and why; what it held before is not cited any more."""
        self.database.execute(
            "UPDATE file SET content = NULL, pending = 0, outcome = ?, reason = ?, set_aside = NULL WHERE id = ?",
            (state, reason, file),
        )

    # Contents

    def store(self, sha256: bytes, document: Document, chunks: Sequence[DraftChunk]) -> ContentId:
        """Store what a reader made of these bytes at one go, and tell the copies."""
        steps = self.storing(sha256, document, chunks)
        with self.transaction():
            while True:
                try:
                    next(steps)
                except StopIteration as end:
                    content: ContentId = end.value
                    break
            content_storage.announce(self.database, content, len(chunks) + 1)
        return content

    def storing(
        self, sha256: bytes, document: Document, chunks: Sequence[DraftChunk]
    ) -> Generator[None, None, ContentId]:
        """Store what a reader made of these bytes step by step; see `contents.storing`."""
        return content_storage.storing(self.database, sha256, document, chunks)

    def dismiss_orphans(self, before_ns: int) -> None:
        """Mark contents that no file holds; those marked before that time are gone, and `erase_some` erases them."""
        content_storage.dismiss_orphans(self.database, before_ns)

    def dismiss_unfinished(self) -> None:
        """Let `erase_some` erase what was being stored when the process ended."""
        content_storage.dismiss_unfinished(self.database)

    def read_again(self, broken: Iterable[ContentId]) -> None:
        """Let contents leave that are damaged, and queue their files; what lies in no folder at hand is kept."""
        with self.transaction():
            for content in broken:
                self.database.execute(
                    "UPDATE file SET content = NULL, pending = 1 WHERE content = ? AND folder IN "
                    "(SELECT id FROM folder WHERE removed_ns = 0 AND state != 'offline')",
                    (content,),
                )
                if self.database.changed():
                    self.database.execute("UPDATE file SET content = NULL, pending = 1 WHERE content = ?", (content,))
                    content_storage.dismiss(self.database, (content,))

    def looked_through(self) -> float:
        """Return when the library was last looked through as a whole (seconds since 1970); its birth counts."""
        return float(self.database.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'looked_through'"))

    def note_looked_through(self) -> None:
        """Say that the library was looked through just now."""
        self.database.execute("INSERT OR REPLACE INTO meta VALUES ('looked_through', ?)", (str(int(time.time())),))

    def erase_some(self) -> bool:
        """Erase a piece of what is gone; return whether there was any."""
        return content_storage.erase_some(self.database)


def _values(stat: FileStat) -> tuple[int, ...]:
    return stat.size, stat.mtime_ns, stat.inode, stat.device, stat.ctime_ns
