"""Compares a root with what the catalog knows of it; the file system is believed, and nothing is opened.

A file is taken for gone only when the walk could have seen it: what lies in a folder that cannot be read, or on a
drive that is not there, stays known. Links are not followed, so nothing is read twice and no walk is endless.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.index.catalog.file_lookup import FileLookup, Inside
from desktop_rag.index.folders.file_changes import (
    WHOLE,
    FileChanged,
    FileFound,
    FileLeftOut,
    FileMoved,
    FileTouched,
    FileVanished,
    FolderPassed,
    Hint,
    RootMissing,
    ScanEvent,
    topmost,
)
from desktop_rag.index.folders.mounts import Devices
from desktop_rag.index.folders.name_rules import SEPARATOR, SPECIAL_NAMES, hidden_by_system
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, Level, is_scan_reason
from desktop_rag.index.records import File, FileStat, FileState, Folder
from desktop_rag.stop import Stop

PASSED = 200  # entries of a folder between two events, however little there is to tell

_NO_STAT = FileStat(0, 0, 0, 0)
_Entries = Sequence[os.DirEntry[bytes]]


def scan(
    folder: Folder,
    known: FileLookup,
    stop: Stop,
    hints: Collection[Hint] = WHOLE,
    visiting: Callable[[bytes, int], None] = lambda path, device: None,
) -> Generator[ScanEvent]:
    """Yield what differs between `folder` and the `known` files, where the hints say, folder by folder and by name.

    What is yielded is to be noted before the next is asked for. `visiting` is told of each folder (its path in the
    root, its device) before it is listed. Stopped, the scan ends early and takes no file for gone.
    """
    walk = _Walk(folder, known, stop, visiting)
    return walk.single() if folder.is_file else walk.tree(hints)


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder to visit, and what the walk has decided on its way there."""

    path: bytes
    above: Level | None  # the rules of the folder above it; None for the root itself
    deep: bool
    wanted: bool = False  # whether a line of the person takes it in, whatever is in it


class _Walk:
    def __init__(self, folder: Folder, known: FileLookup, stop: Stop, visiting: Callable[[bytes, int], None]) -> None:
        self._root = folder.path
        self._filter = FolderFilter(folder.path, folder.rules)
        self._known = known
        self._stop = stop
        self._visiting = visiting
        self._devices = Devices()
        self._device = -1
        self._folders: set[tuple[int, int]] = set()

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
        reason = "" if decision.included else decision.reason
        now = _file_stat(facts, lasting=self._devices.have_lasting_inodes(self._root, facts.st_dev))
        yield from self._compare(b"", self._known.at(b""), now, reason)

    def tree(self, hints: Iterable[Hint]) -> Generator[ScanEvent]:
        """Walk the root where the hints say, from the top down."""
        device = self._root_device()
        if device is None:
            yield RootMissing()
            return
        self._device = device
        for hint in topmost(hints):
            waiting = deque((self._start(hint),))
            while waiting:
                if self._stop.is_set():
                    return
                below = yield from self._visit(waiting.popleft())
                if below is None:
                    yield RootMissing()
                    return
                waiting.extendleft(reversed(below))

    # The way to a folder

    def _start(self, hint: Hint) -> _Place:
        """Return where a hint leads: to its folder, or the nearest one above that is there and not left out."""
        place = _Place(b"", None, hint.deep)
        for part in hint.path.split(SEPARATOR) if hint.path else ():
            child = _inside(place.path, part)
            try:
                facts = os.lstat(self._whole(child))
            except OSError:
                return replace(place, deep=False)
            hidden = part.startswith(b".") or hidden_by_system(facts)
            level = self._level(place, self._special(place.path))
            decision = self._filter.folder_with(level, child, self._special(child), hidden=hidden)
            if not stat.S_ISDIR(facts.st_mode) or not decision.included:
                return replace(place, deep=False)
            place = _Place(child, level, hint.deep, decision.rule is FolderRule.OWN_LINE)
        return place

    def _special(self, path: bytes) -> frozenset[bytes]:
        """Return those entries of a folder that rules look at, without listing it."""
        whole = self._whole(path)
        return frozenset(name for name in SPECIAL_NAMES if os.path.lexists(os.path.join(whole, name)))  # noqa: PTH118

    def _level(self, place: _Place, names: Collection[bytes]) -> Level:
        if place.above is None:
            return self._filter.top(names)
        return self._filter.below(place.above, os.path.basename(place.path), names)  # noqa: PTH119 (bytes)

    def _root_device(self) -> int | None:
        try:
            facts = os.stat(self._root)  # noqa: PTH116
        except OSError:
            return None
        return facts.st_dev if stat.S_ISDIR(facts.st_mode) else None

    # One folder

    def _visit(self, place: _Place) -> Generator[ScanEvent, None, list[_Place] | None]:
        """Compare one folder; return the folders in it to walk next, None if the root is not there any more."""
        path = place.path
        if path and not place.wanted and self._filter.marked(path, self._special(path)):
            there = yield from self._tell_gone(self._known.beneath(path))
            return [] if there else None
        entries = yield from self._entries(path)
        if entries is None:
            return []
        if not entries and self._is_empty_mount_point(path):
            return [] if path else None
        known = self._known.inside(path)
        level = self._level(place, {entry.name for entry in entries})
        below = yield from self._compare_all(path, level, entries, known)
        gone = [file for name, file in known.files.items() if name not in self._seen and name not in below]
        for name in known.folders - below.keys() - self._unsure:
            gone += self._known.beneath(_inside(path, name))
        if (placeholder := self._known.at(path)) is not None:
            gone.append(placeholder)  # said why the folder could not be opened, or was a file
        if not (yield from self._tell_gone(gone)):
            return None
        yield FolderPassed(path)
        if not place.deep:
            return []
        return [_Place(_inside(path, name), level, True, wanted) for name, wanted in below.items()]  # noqa: FBT003

    def _entries(self, path: bytes) -> Generator[ScanEvent, None, list[os.DirEntry[bytes]] | None]:
        """Return what a folder holds, by name; None if it is gone, unreadable (then told) or was visited already."""
        whole = self._whole(path)
        try:
            facts = os.stat(whole)  # noqa: PTH116
            if facts.st_ino and (facts.st_dev, facts.st_ino) in self._folders:
                return None  # mounted into itself
            self._folders.add((facts.st_dev, facts.st_ino))
            self._visiting(path, facts.st_dev)
            self._lasting = self._devices.have_lasting_inodes(whole, facts.st_dev)
            with os.scandir(whole) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return None  # deleted meanwhile, or its drive is gone: a look at the folder above it will tell
        except OSError as error:
            yield from self._leave_out(path, self._known.at(path), _NO_STAT, _unreadable("folder", error))
            return None

    def _compare_all(
        self, path: bytes, level: Level, entries: _Entries, known: Inside
    ) -> Generator[ScanEvent, None, dict[bytes, bool]]:
        """Compare the files of one folder; return its folders that are read: name → whether a line takes it in.

        Leaves in `_seen` the names of files that are there, in `_unsure` those of folders that cannot be looked at.
        """
        below: dict[bytes, bool] = {}
        self._seen: set[bytes] = set()
        self._unsure: set[bytes] = set()
        for count, entry in enumerate(entries, start=1):
            if count % PASSED == 0:
                yield FolderPassed(path)
            name = entry.name
            try:
                if entry.is_symlink():
                    continue
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._seen.add(name)
                self._unsure.add(name)
                reason = _unreadable("file", error)
                yield from self._leave_out(_inside(path, name), known.files.get(name), _NO_STAT, reason)
                continue
            hidden = name.startswith(b".") or hidden_by_system(facts)
            if stat.S_ISDIR(facts.st_mode):
                decision = self._filter.folder(level, name, hidden=hidden)
                if decision.included:
                    below[name] = decision.rule is FolderRule.OWN_LINE
            elif stat.S_ISREG(facts.st_mode):
                decision = self._filter.file(level, name, facts.st_size, hidden=hidden)
                if decision.included or decision.told:
                    self._seen.add(name)
                    reason = "" if decision.included else decision.reason
                    now = _file_stat(facts, lasting=self._lasting)
                    yield from self._compare(_inside(path, name), known.files.get(name), now, reason)
        return below

    def _compare(self, path: bytes, file: File | None, now: FileStat, reason: str) -> Generator[ScanEvent]:
        """Yield what is new about one file, which was known as `file`; a `reason` leaves it out."""
        if reason:
            yield from self._leave_out(path, file, now, reason)
        elif file is None:
            now = self._with_inode(path, now)
            content = self._known.content_of(now)
            yield FileFound(path, now) if content is None else FileMoved(path, now, content, None)
        elif not _unchanged(file.stat, now):
            now = self._with_inode(path, now)
            another = (now.device, now.inode) != (file.stat.device, file.stat.inode)
            content = self._known.content_of(now) if another else None
            yield FileChanged(file, now) if content is None else FileMoved(path, now, content, file)
        elif file.state is FileState.SKIPPED and is_scan_reason(file.reason):
            yield FileChanged(file, self._with_inode(path, now))
        elif now != file.stat and now.inode:
            yield FileTouched(file, now)

    def _leave_out(self, path: bytes, file: File | None, now: FileStat, reason: str) -> Generator[ScanEvent]:
        same = file is not None and file.state is FileState.SKIPPED and file.reason == reason
        if file is None or not same or not _unchanged(file.stat, now):
            yield FileLeftOut(path, now, reason)

    def _tell_gone(self, files: Sequence[File]) -> Generator[ScanEvent, None, bool]:
        """Tell which files are gone, unless the root is: return whether it is still there."""
        if files and self._root_device() != self._device:
            return False
        for count, file in enumerate(files, start=1):
            yield FileVanished(file)
            if count % PASSED == 0:
                yield FolderPassed(file.path)
        return True

    def _is_empty_mount_point(self, path: bytes) -> bool:
        """Return whether an empty folder should hold files of another device: a drive that is not mounted."""
        devices = self._known.devices(path)
        try:
            return bool(devices) and os.stat(self._whole(path)).st_dev not in devices  # noqa: PTH116
        except OSError:
            return True

    def _with_inode(self, path: bytes, now: FileStat) -> FileStat:
        """Complete a stat: Windows gives inode and device only on asking for the file itself."""
        if now.inode or os.name != "nt":
            return now
        try:
            facts = os.stat(self._whole(path))  # noqa: PTH116
        except OSError:
            return now
        return FileStat(now.size, now.mtime_ns, facts.st_ino, facts.st_dev)

    def _whole(self, path: bytes) -> bytes:
        return os.path.join(self._root, path) if path else self._root  # noqa: PTH118 (bytes)


def _inside(folder: bytes, name: bytes) -> bytes:
    return folder + SEPARATOR + name if folder else name


def _file_stat(facts: os.stat_result, *, lasting: bool) -> FileStat:
    if not lasting or os.name == "nt":  # where ctime is the time of creation
        return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino if lasting else 0, facts.st_dev)
    return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_dev, facts.st_ctime_ns)


def _unchanged(before: FileStat, now: FileStat) -> bool:
    """Return whether a file is the same; a drive mounted anew has another device number and says nothing by inodes.

    An edit that puts the old time back still changes the ctime.
    """
    if (before.size, before.mtime_ns) != (now.size, now.mtime_ns):
        return False
    if before.device != now.device or not (before.inode and now.inode):
        return True
    return before.inode == now.inode and (before.ctime_ns == now.ctime_ns or not (before.ctime_ns and now.ctime_ns))


def _unreadable(what: str, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return f"You have no permission to open this {what}."
    if error.errno == errno.ENAMETOOLONG:
        return f"The path of this {what} is longer than this system opens."
    return f"This {what} cannot be opened: {error.strerror or error}."
