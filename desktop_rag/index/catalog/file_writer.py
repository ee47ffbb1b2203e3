"""Writes the files of a library: the queue of files to read, and the outcome of reading each."""

import json
import sys
from collections.abc import Collection
from typing import NamedTuple

from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.content_table import WHOLE
from desktop_rag.index.catalog.database import marks
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.file_table import FileTable
from desktop_rag.index.records import ContentId, FileId, FileStat, FileState, FolderId

SIZE_CLASS = 1_000_000  # bytes; files of one class are read in the order of their modification time

_STAT = "size, mtime_ns, inode, device, ctime_ns"  # in the order of `FileStat`
_NEW_STAT = ", ".join(f"{column} = excluded.{column}" for column in _STAT.split(", "))


class QueuedFile(NamedTuple):
    """A file that waits to be read; `path` is absolute."""

    id: FileId
    folder: FolderId
    path: bytes
    size: int
    mtime_ns: int


class FileWriter(FileTable):
    """Queues files and records the outcome of reading them."""

    def queue(self, folder: FolderId, path: bytes, stat: FileStat) -> None:
        """Queue a file to be read; if it is known, its old content stays searchable until then."""
        self._database.execute(
            f"INSERT INTO file (folder, path, {_STAT}, pending) VALUES (?, ?, ?, ?, ?, ?, ?, 1) "
            f"ON CONFLICT (folder, path) DO UPDATE SET {_NEW_STAT}, pending = 1",
            (folder, path, *_values(stat)),
        )

    def skip(self, folder: FolderId, path: bytes, stat: FileStat, reason: str, kind: ProblemKind) -> None:
        """Record a file that is not read, with the reason the user sees."""
        self._database.execute(
            f"INSERT INTO file (folder, path, {_STAT}, pending, outcome, reason, reason_kind) "
            f"VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (folder, path) DO UPDATE SET {_NEW_STAT}, "
            "pending = 0, outcome = excluded.outcome, reason = excluded.reason, reason_kind = excluded.reason_kind, "
            "content = NULL, set_aside = NULL",
            (folder, path, *_values(stat), FileState.SKIPPED, reason, kind.value),
        )

    def add_moved(self, folder: FolderId, path: bytes, stat: FileStat, content: ContentId) -> None:
        """Record a moved file, which is found with this content at once, unless that is deleted; and queue it.

        A rename sets the ctime, so it hides an edit before it that kept size and time: only the hash tells.
        """
        with self._database.transaction():
            self.queue(folder, path, stat)
            self._database.execute(
                "UPDATE file SET content = ?1, outcome = '', reason = '', set_aside = NULL "
                f"WHERE folder = ?2 AND path = ?3 AND EXISTS (SELECT 1 FROM content WHERE id = ?1 AND {WHOLE})",
                (content, folder, path),
            )

    def set_stat(self, file: FileId, stat: FileStat) -> None:
        """Update the stat of an unchanged file, such as a new device number."""
        self._database.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, inode = ?, device = ?, ctime_ns = ? WHERE id = ?",
            (*_values(stat), file),
        )

    def remove(self, file: FileId) -> None:
        """Delete a file's record; its content becomes an orphan if no other file holds it."""
        self._database.execute("DELETE FROM file WHERE id = ?", (file,))

    def next_queued(self, limit: int, largest: int | None = None, without: Collection[FileId] = ()) -> list[QueuedFile]:
        """Return queued files (up to `largest` bytes) of active root folders: small ones first, then recent ones.

        The root folders take turns, so that a huge one does not delay the others. Files `without` are left out.
        """
        left_out = json.dumps(list(without))
        found: list[tuple[int, int, int, QueuedFile]] = []
        for folder, root in self._database.rows(
            tuple[FolderId, bytes], "SELECT id, path FROM folder WHERE removed_ns <= 0 AND state = 'active'"
        ):
            rows = self._database.rows(
                tuple[FileId, bytes, int, int],
                # The order of the index `file_queue`: a long queue costs no more than a short one.
                f"SELECT id, path, size, mtime_ns FROM file WHERE folder = ? AND pending = 1 "
                f"AND size / {SIZE_CLASS} <= ? AND id NOT IN (SELECT value FROM json_each(?)) "
                f"ORDER BY size / {SIZE_CLASS}, mtime_ns DESC LIMIT ?",
                (folder, sys.maxsize if largest is None else largest // SIZE_CLASS, left_out, limit),
            )
            for turn, (id_, path, size, mtime_ns) in enumerate(rows):
                file = QueuedFile(id_, folder, absolute(root, path), size, mtime_ns)
                found.append((size // SIZE_CLASS, turn, -mtime_ns, file))
        found.sort(key=lambda item: item[:3])
        return [file for *_, file in found[:limit]]

    def retry_failed(self, folder: FolderId) -> None:
        """Queue the files of a root folder that failed and are not quarantined: the cause may be gone."""
        self._database.execute(
            "UPDATE file SET pending = 1 WHERE folder = ? AND pending = 0 AND outcome = ? AND set_aside IS NULL",
            (folder, FileState.FAILED),
        )

    def queue_outdated(self, reader: int, limit: int) -> int:
        """Queue some files read by a reader version older than `reader`, the newest first; return how many.

        Only files of active root folders: what cannot be read now keeps its old content.
        """
        files = self._database.values(
            int,
            "SELECT file.id FROM file JOIN content ON content.id = file.content AND content.reader < ? "
            "JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0 AND folder.state = 'active' "
            "WHERE pending = 0 ORDER BY mtime_ns DESC LIMIT ?",
            (reader, limit),
        )
        self._database.execute(f"UPDATE file SET pending = 1 WHERE id IN ({marks(len(files))})", files)
        return len(files)

    def link(self, file: FileId, content: ContentId) -> None:
        """Record the content a file was found to hold."""
        self._database.execute(
            "UPDATE file SET content = ?, pending = 0, outcome = '', reason = '', set_aside = NULL WHERE id = ?",
            (content, file),
        )

    def queue_if_changed(self, file: QueuedFile) -> None:
        """Queue a file again if a scan found it changed after it was dispatched: it was read too early."""
        self._database.execute(
            "UPDATE file SET pending = 1 WHERE id = ? AND (size != ? OR mtime_ns != ?)",
            (file.id, file.size, file.mtime_ns),
        )

    def set_outcome(self, file: FileId, state: FileState, reason: str, kind: ProblemKind) -> None:
        """Record that a file was skipped or failed, and why; its old content is unlinked."""
        self._database.execute(
            "UPDATE file SET content = NULL, pending = 0, outcome = ?, reason = ?, reason_kind = ?, "
            "set_aside = NULL WHERE id = ?",
            (state, reason, kind.value, file),
        )


def _values(stat: FileStat) -> tuple[int, ...]:
    return stat.size, stat.mtime_ns, stat.inode, stat.device, stat.ctime_ns
