"""Compares a root with what the catalog knows of it; the file system is believed, and nothing is opened.

A file is taken for gone only when the walk could have seen it: what lies in a folder that cannot be read, or on a
drive that is not there, stays known. Links are not followed, so nothing is read twice and no walk is endless.
"""

import os
import stat
from collections.abc import Generator, Mapping
from dataclasses import dataclass

from desktop_rag.index.records import File, FileStat, FileState, Folder
from desktop_rag.index.rules import SEPARATOR, FolderFilter, Level, hidden_by_system, is_scan_reason
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class FileFound:
    """A file nobody knew; `path` is relative to the root (empty for a root that is a file)."""

    path: bytes
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileChanged:
    """A known file has another size, time or inode, or the rules let it in now."""

    file: File
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileMoved:
    """A known file lies somewhere else; its content is the same."""

    file: File
    path: bytes
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FileVanished:
    """A known file is gone, or the rules leave it out without a word."""

    file: File


@dataclass(frozen=True, slots=True)
class FileLeftOut:
    """A file (or a whole folder that cannot be opened) that is not read, and the reason a person sees."""

    path: bytes
    stat: FileStat
    reason: str


@dataclass(frozen=True, slots=True)
class RootMissing:
    """The root is not there now: an unplugged drive, an unmounted share, a renamed folder."""


ScanEvent = FileFound | FileChanged | FileMoved | FileVanished | FileLeftOut | RootMissing

_Identity = tuple[int, int, int, int]
_NO_STAT = FileStat(0, 0, 0, 0)


def scan(folder: Folder, known: Mapping[bytes, File], stop: Stop) -> Generator[ScanEvent]:
    """Yield what differs between `folder` and the `known` files (by relative path): folder by folder, by name.

    Stopped, it ends early and takes no file for gone.
    """
    walk = _Walk(folder, known, stop)
    return walk.single() if folder.is_file else walk.tree()


class _Walk:
    def __init__(self, folder: Folder, known: Mapping[bytes, File], stop: Stop) -> None:
        self._root = folder.path
        self._filter = FolderFilter(folder.path, folder.rules)
        self._known = known
        self._stop = stop
        self._seen: set[bytes] = set()
        self._sheltered: list[bytes] = []  # folders whose files cannot be seen just now
        self._folders: set[tuple[int, int]] = set()
        self._maybe_moved: list[FileFound] = []
        self._identities: dict[_Identity, File] | None = None
        self._foreign: list[bytes] = []  # known files that were on another device than the root is now

    def single(self) -> Generator[ScanEvent]:
        """Compare a root that is a file; one that is gone counts as missing, like a folder."""
        try:
            facts = os.stat(self._root)  # noqa: PTH116 (names need not be valid text)
        except OSError:
            facts = None
        if facts is None or not stat.S_ISREG(facts.st_mode):
            yield RootMissing()
            return
        decision = self._filter.single(os.fsdecode(os.path.basename(self._root)), facts.st_size)  # noqa: PTH119 (bytes)
        yield from self._compare(b"", _file_stat(facts), "" if decision.included else decision.reason)

    def tree(self) -> Generator[ScanEvent]:
        """Walk the root from the top down, and then tell what was moved and what is gone."""
        device = self._root_device()
        if device is None:
            yield RootMissing()
            return
        self._foreign = [path for path, file in self._known.items() if file.stat.device != device]
        waiting: list[tuple[bytes, Level | None, bytes]] = [(b"", None, b"")]
        while waiting:
            if self._stop.is_set():
                return
            path, above, name = waiting.pop()
            entries = yield from self._entries(path)
            if entries is None:
                continue
            if not entries and self._is_empty_mount_point(path):
                if not path:
                    yield RootMissing()
                    return
                self._sheltered.append(path)
                continue
            level = self._level(above, name, entries)
            if level is not None:
                below = yield from self._visit(path, level, entries)
                waiting.extend((child, level, part) for child, part in reversed(below))
        if self._root_device() == device:
            yield from self._gone()
        else:
            yield RootMissing()

    def _root_device(self) -> int | None:
        try:
            facts = os.stat(self._root)  # noqa: PTH116
        except OSError:
            return None
        return facts.st_dev if stat.S_ISDIR(facts.st_mode) else None

    def _entries(self, path: bytes) -> Generator[ScanEvent, None, list[os.DirEntry[bytes]] | None]:
        """Return what a folder holds, by name; None if it is gone, unreadable (then told) or was visited already."""
        whole = self._whole(path)
        try:
            facts = os.stat(whole)  # noqa: PTH116
            if facts.st_ino and (facts.st_dev, facts.st_ino) in self._folders:
                return None  # mounted into itself
            self._folders.add((facts.st_dev, facts.st_ino))
            with os.scandir(whole) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return None  # deleted meanwhile; a root that is gone is noticed at the end
        except OSError as error:
            self._sheltered.append(path)
            yield from self._leave_out(path, _NO_STAT, _unreadable("folder", error))
            return None

    def _level(self, above: Level | None, name: bytes, entries: list[os.DirEntry[bytes]]) -> Level | None:
        """Return the rules inside a folder, None if a file in it asks to leave it out."""
        names = {entry.name for entry in entries}
        if above is None:
            return self._filter.top(names)
        return None if self._filter.marked(names) else self._filter.below(above, name, names)

    def _visit(
        self, path: bytes, level: Level, entries: list[os.DirEntry[bytes]]
    ) -> Generator[ScanEvent, None, list[tuple[bytes, bytes]]]:
        """Compare the files of one folder; return the folders in it that are to be walked: (path, name)."""
        below: list[tuple[bytes, bytes]] = []
        prefix = path + SEPARATOR if path else b""
        for entry in entries:
            child = prefix + entry.name
            try:
                if entry.is_symlink():
                    continue
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._seen.add(child)
                yield from self._leave_out(child, _NO_STAT, _unreadable("file", error))
                continue
            hidden = entry.name.startswith(b".") or hidden_by_system(facts)
            if stat.S_ISDIR(facts.st_mode):
                if self._filter.folder(level, entry.name, hidden=hidden).included:
                    below.append((child, entry.name))
            elif stat.S_ISREG(facts.st_mode):
                decision = self._filter.file(level, entry.name, facts.st_size, hidden=hidden)
                if decision.included or decision.told:
                    yield from self._compare(child, _file_stat(facts), "" if decision.included else decision.reason)
        return below

    def _compare(self, path: bytes, now: FileStat, reason: str) -> Generator[ScanEvent]:
        """Yield what is new about one file; a `reason` leaves it out."""
        self._seen.add(path)
        if reason:
            yield from self._leave_out(path, now, reason)
            return
        file = self._known.get(path)
        if file is None:
            found = FileFound(path, self._with_inode(path, now))
            if self._moved_from(found) is None:
                yield found
            else:
                self._maybe_moved.append(found)  # told at the end, when it is certain that the other one is gone
        elif not _unchanged(file.stat, now) or (file.state is FileState.SKIPPED and is_scan_reason(file.reason)):
            yield FileChanged(file, self._with_inode(path, now))

    def _leave_out(self, path: bytes, now: FileStat, reason: str) -> Generator[ScanEvent]:
        self._seen.add(path)
        file = self._known.get(path)
        same = file is not None and file.state is FileState.SKIPPED and file.reason == reason
        if file is None or not same or not _unchanged(file.stat, now):
            yield FileLeftOut(path, now, reason)

    def _gone(self) -> Generator[ScanEvent]:
        """Yield the moves and the files that are gone."""
        gone = {path: self._known[path] for path in sorted(self._known) if self._is_gone(path)}
        for found in self._maybe_moved:
            before = self._moved_from(found)
            if before is not None and gone.pop(before.path, None) is not None:
                yield FileMoved(before, found.path, found.stat)
            else:
                yield found
        for file in gone.values():
            yield FileVanished(file)

    def _is_gone(self, path: bytes) -> bool:
        if path in self._seen:
            return False
        return not any(not folder or path.startswith(folder + SEPARATOR) for folder in self._sheltered)

    def _moved_from(self, found: FileFound) -> File | None:
        if self._identities is None:
            files = (file for file in self._known.values() if file.state is not FileState.SKIPPED and file.stat.inode)
            self._identities = {_identity(file.stat): file for file in files}
        return self._identities.get(_identity(found.stat))

    def _is_empty_mount_point(self, path: bytes) -> bool:
        """Return whether an empty folder should hold files of another device: a drive that is not mounted."""
        prefix = path + SEPARATOR if path else b""
        if not any(known.startswith(prefix) for known in self._foreign):
            return False
        devices = {file.stat.device for known, file in self._known.items() if known.startswith(prefix)}
        try:
            return os.stat(self._whole(path)).st_dev not in devices  # noqa: PTH116
        except OSError:
            return True

    def _with_inode(self, path: bytes, now: FileStat) -> FileStat:
        """Complete a stat: Windows gives inode and device only on asking for the file itself."""
        if now.inode:
            return now
        try:
            facts = os.stat(self._whole(path))  # noqa: PTH116
        except OSError:
            return now
        return FileStat(now.size, now.mtime_ns, facts.st_ino, facts.st_dev)

    def _whole(self, path: bytes) -> bytes:
        return os.path.join(self._root, path) if path else self._root  # noqa: PTH118 (bytes)


def _file_stat(facts: os.stat_result) -> FileStat:
    return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_dev)


def _identity(facts: FileStat) -> _Identity:
    return facts.device, facts.inode, facts.size, facts.mtime_ns


def _unchanged(before: FileStat, now: FileStat) -> bool:
    """Return whether a file is the same; a drive mounted anew has another device number and says nothing by inodes."""
    if (before.size, before.mtime_ns) != (now.size, now.mtime_ns):
        return False
    return before.inode == now.inode or not now.inode or before.device != now.device


def _unreadable(what: str, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return f"You have no permission to open this {what}."
    return f"This {what} cannot be opened: {error.strerror or error}."
