"""Looks up the files of one root folder by path, so that a scan never holds all of them in memory."""

import os
import time
from collections import OrderedDict
from collections.abc import Collection
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database, Value
from desktop_rag.index.catalog.stored_values import STATE
from desktop_rag.index.records import ContentId, File, FileId, FileStat, FileState, FolderId

REMEMBERED_SECONDS = 60.0  # as long as orphaned contents are kept
REMEMBERED = 100_000

SEPARATOR = os.fsencode(os.sep)
AFTER_SEPARATOR = bytes((SEPARATOR[0] + 1,))
_FILE = (
    f"SELECT file.id, path, size, mtime_ns, inode, device, ctime_ns, pending, {STATE}, reason, content "
    "FROM file LEFT JOIN content ON content.id = file.content WHERE folder = ?"
)
# The index is partial: a query has to repeat its condition to use it.
SAME_FILE = (
    "SELECT content FROM file WHERE inode = ? AND inode != 0 AND size = ? AND mtime_ns = ? AND device = ? "
    "AND pending = 0 AND content IS NOT NULL LIMIT 1"
)
_Identity = tuple[int, int, int, int]


class _Row(NamedTuple):
    id: FileId
    path: bytes
    size: int
    mtime_ns: int
    inode: int
    device: int
    ctime_ns: int
    pending: int
    state: FileState
    reason: str
    content: ContentId | None


def absolute(root: bytes, path: bytes) -> bytes:
    """Return the absolute path of a file from its root folder and its own path (empty for a single-file root)."""
    # As os.path.join does, in a third of the time: every file of a list or count passes here.
    return (root if root.endswith(SEPARATOR) else root + SEPARATOR) + path if path else root


def relative_to(root: bytes, path: bytes) -> bytes | None:
    """Return `path` relative to `root` (empty when they are equal), or None when it is outside."""
    if path == root:
        return b""
    prefix = root.rstrip(SEPARATOR) + SEPARATOR
    return path[len(prefix) :] if path.startswith(prefix) else None


def away_folder_of(path: bytes, away: Collection[bytes]) -> bytes | None:
    """Return the folder among those `away` that has `path`, all relative to the root folder; None without one."""
    return next((each for each in sorted(away) if not each or path == each or path.startswith(each + SEPARATOR)), None)


class FolderFiles(NamedTuple):
    """The known files directly inside a folder, and its subfolders with known files, both by name."""

    files: dict[bytes, File]
    folders: frozenset[bytes]


class RecentlyRemoved:
    """Caches removed files for a while, so that a moved file is not read again when it is found."""

    def __init__(self) -> None:
        self._contents: OrderedDict[_Identity, tuple[ContentId, float]] = OrderedDict()

    def note(self, file: File) -> None:
        """Record a file that was deleted or replaced at its path."""
        if file.content is not None and not file.pending and file.stat.inode:
            self._contents[_identity(file.stat)] = (file.content, time.monotonic())
            self._contents.move_to_end(_identity(file.stat))
            if len(self._contents) > REMEMBERED:
                self._contents.popitem(last=False)

    def content_of(self, stat: FileStat) -> ContentId | None:
        """Return the content of a file with this stat that was removed less than a minute ago."""
        long_ago = time.monotonic() - REMEMBERED_SECONDS
        while self._contents and next(iter(self._contents.values()))[1] < long_ago:
            self._contents.popitem(last=False)
        found = self._contents.get(_identity(stat))
        return found[0] if found else None


class FileLookup:
    """The files of one root folder, by their paths relative to it."""

    def __init__(self, database: Database, folder: FolderId, removed: RecentlyRemoved | None = None) -> None:
        self._database = database
        self._folder = folder
        self._removed = removed or RecentlyRemoved()

    def at(self, path: bytes) -> File | None:
        """Return the file known at `path`."""
        row = self._database.row(_Row, f"{_FILE} AND path = ?", (self._folder, path))
        return None if row is None else self._file(row)

    def inside(self, path: bytes) -> FolderFiles:
        """Return the known files and subfolders directly inside the folder at `path`."""
        where, values, start = self._range(path)
        rows = self._database.rows(
            _Row, f"{_FILE}{where} AND instr(substr(path, {start}), ?) = 0", (self._folder, *values, SEPARATOR)
        )
        deeper = self._database.values(
            bytes,
            f"SELECT DISTINCT substr(path, {start}, instr(substr(path, {start}), ?1) - 1) FROM file "
            f"WHERE folder = ?{where} AND instr(substr(path, {start}), ?1) > 0",
            (SEPARATOR, self._folder, *values),
        )
        files = (self._file(row) for row in rows)
        return FolderFiles({file.path[start - 1 :]: file for file in files}, frozenset(deeper))

    def beneath(self, path: bytes) -> list[File]:
        """Return every file known anywhere below `path`."""
        where, values, _ = self._range(path)
        return [self._file(row) for row in self._database.rows(_Row, f"{_FILE}{where}", (self._folder, *values))]

    def count_beneath(self, path: bytes) -> int:
        """Return how many files are known anywhere below `path`."""
        where, values, _ = self._range(path)
        return self._database.number(f"SELECT count(*) FROM file WHERE folder = ?{where}", (self._folder, *values))

    def devices(self, path: bytes) -> frozenset[int]:
        """Return the volumes on which the files below `path` were."""
        where, values, _ = self._range(path)
        sql = f"SELECT DISTINCT device FROM file WHERE folder = ?{where}"
        return frozenset(self._database.values(int, sql, (self._folder, *values)))

    def content_of(self, stat: FileStat) -> ContentId | None:
        """Return the content of a known file with this device, inode, size and time, if that identifies it.

        A time of whole seconds does not: unpacked archives give it to many files, and inodes are reused.
        """
        if not stat.inode or stat.mtime_ns % 1_000_000_000 == 0:
            return None
        values = (stat.inode, stat.size, stat.mtime_ns, stat.device)
        found = self._database.values(ContentId, SAME_FILE, values)
        return found[0] if found else self._removed.content_of(stat)

    def _range(self, path: bytes) -> tuple[str, tuple[Value, ...], int]:
        """Return the condition for paths below `path`, its values, and the position (from 1) of their rest."""
        if not path:
            return "", (), 1
        return " AND path > ? AND path < ?", (path + SEPARATOR, path + AFTER_SEPARATOR), len(path) + 2

    def _file(self, row: _Row) -> File:
        stat = FileStat(row.size, row.mtime_ns, row.inode, row.device, row.ctime_ns)
        return File(row.id, self._folder, row.path, stat, row.state, row.reason, row.content, bool(row.pending))


def _identity(stat: FileStat) -> _Identity:
    return stat.device, stat.inode, stat.size, stat.mtime_ns
