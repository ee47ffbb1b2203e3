"""Compares a root folder on the disk with its files in the catalog, without opening any file.

A file counts as deleted only when the scan could have seen it: files in a folder that cannot be read, or on a drive
that is not connected, are kept. Links are not followed, so nothing is read twice and no scan is endless.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.file_lookup import FileLookup, FolderFiles
from desktop_rag.index.folders.file_changes import (
    WHOLE,
    FileChanged,
    FileDeleted,
    FileFound,
    FileMoved,
    FileSkipped,
    FileTouched,
    FolderAway,
    Hint,
    RootMissing,
    ScanEvent,
    ScanProgress,
    topmost,
)
from desktop_rag.index.folders.name_rules import SEPARATOR, SPECIAL_NAMES, hidden_by_system
from desktop_rag.index.folders.relocation import Device, Devices, is_lasting
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, Level, RuleDecision
from desktop_rag.index.records import File, FileStat, FileState, Folder
from desktop_rag.paths import stat_of
from desktop_rag.stop import Stop

PROGRESS_ENTRIES = 200  # entries of a folder between two events, even if nothing differs

_NO_STAT = FileStat(0, 0, 0, 0)


def scan(
    folder: Folder,
    known: FileLookup,
    stop: Stop,
    hints: Collection[Hint] = WHOLE,
    visiting: Callable[[bytes, int], None] = lambda path, device: None,
) -> Generator[ScanEvent]:
    """Yield the differences between `folder` and its `known` files, where the hints say, folder by folder and by name.

    Each event has to be stored before the next is requested. `visiting` is called with each folder (its path in the
    root folder, its device) before it is listed. If stopped, the scan ends early and reports no file as deleted.
    """
    scanner = _Scanner(folder, known, stop, visiting)
    return scanner.single_file() if folder.is_file else scanner.tree(hints)


@dataclass(frozen=True, slots=True)
class _QueuedFolder:
    """A folder to compare, with the decisions made on the way to it."""

    path: bytes
    parent: Level | None  # the rules of the parent folder; None for the root folder itself
    deep: bool
    is_wanted: bool = False  # a line of the user includes it, whatever is in it


@dataclass(frozen=True, slots=True)
class _Listing:
    """The entries of a folder by name, its device, and what is known of that."""

    entries: Sequence[os.DirEntry[bytes]]
    device: int
    on: Device

    def stat(self, facts: os.stat_result) -> FileStat:
        """Return the stat of a file in the folder; one that is mounted there alone is on another device."""
        volume, lasting = self.on.volume if facts.st_dev == self.device else facts.st_dev, self.on.lasting_inodes
        if not lasting or os.name == "nt":  # where ctime is the time of creation
            return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino if lasting else 0, volume)
        return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, volume, facts.st_ctime_ns)


@dataclass(slots=True)
class _Compared:
    """The names in a folder that were found by comparing its entries."""

    folders: dict[bytes, bool] = field(default_factory=dict)  # to scan → whether a line of the user includes it
    existing: set[bytes] = field(default_factory=set)  # files that are included, or reported as skipped
    inaccessible: set[bytes] = field(default_factory=set)  # may be a folder whose files still exist


class _Scanner:
    def __init__(self, folder: Folder, known: FileLookup, stop: Stop, visiting: Callable[[bytes, int], None]) -> None:
        self._root = folder.path
        self._filter = FolderFilter(folder.path, folder.rules)
        self._known = known
        self._stop = stop
        self._visiting = visiting
        self._devices = Devices()
        self._device = -1
        self._listed: set[tuple[int, int]] = set()  # (device, inode) of folders

    def single_file(self) -> Generator[ScanEvent]:
        """Compare a root that is a file; a deleted one counts as missing, like a folder."""
        facts = stat_of(self._root)
        if facts is None or not stat.S_ISREG(facts.st_mode):
            yield RootMissing()
            return
        decision = self._filter.single(os.fsdecode(os.path.basename(self._root)), facts.st_size)  # noqa: PTH119 (bytes)
        now = _Listing((), facts.st_dev, self._devices.of(self._root, facts.st_dev)).stat(facts)
        yield from self._compare(b"", self._known.at(b""), now, decision)

    def tree(self, hints: Iterable[Hint]) -> Generator[ScanEvent]:
        """Scan the folders the hints name, from the top down."""
        device = self._root_device()
        if device is None:
            yield RootMissing()
            return
        self._device = device
        for hint in topmost(hints):
            queue = deque((self._start(hint),))
            while queue:
                if self._stop.is_set():
                    return
                subfolders = yield from self._folder(queue.popleft())
                if subfolders is None:
                    yield RootMissing()
                    return
                queue.extendleft(reversed(subfolders))

    # The way to a folder

    def _start(self, hint: Hint) -> _QueuedFolder:
        """Return the folder a hint names, or the nearest ancestor that exists and is included."""
        start = _QueuedFolder(b"", None, hint.deep)
        for part in hint.path.split(SEPARATOR) if hint.path else ():
            child = _inside(start.path, part)
            facts = stat_of(self._whole(child), links=True)
            if facts is None:
                return replace(start, deep=False)
            hidden = part.startswith(b".") or hidden_by_system(facts)
            level = self._level(start, self._special(start.path))
            decision = self._filter.folder_with(level, child, self._special(child), hidden=hidden)
            if not stat.S_ISDIR(facts.st_mode) or not decision.included:
                return replace(start, deep=False)
            start = _QueuedFolder(child, level, hint.deep, decision.rule is FolderRule.OWN_LINE)
        return start

    def _special(self, path: bytes) -> frozenset[bytes]:
        """Return the names in a folder that rules depend on, without listing it."""
        whole = self._whole(path)
        return frozenset(name for name in SPECIAL_NAMES if os.path.lexists(os.path.join(whole, name)))  # noqa: PTH118

    def _level(self, folder: _QueuedFolder, names: Collection[bytes]) -> Level:
        if folder.parent is None:
            return self._filter.top(names)
        return self._filter.below(folder.parent, os.path.basename(folder.path), names)  # noqa: PTH119 (bytes)

    def _root_device(self) -> int | None:
        facts = stat_of(self._root)
        return facts.st_dev if facts and stat.S_ISDIR(facts.st_mode) else None

    # One folder

    def _folder(self, folder: _QueuedFolder) -> Generator[ScanEvent, None, list[_QueuedFolder] | None]:
        """Compare one folder; return its subfolders to scan next, None if the root folder is missing now."""
        path = folder.path
        if path and not folder.is_wanted and self._filter.marked(path, self._special(path)):
            root_exists = yield from self._report_deleted(self._known.beneath(path))
            return [] if root_exists else None
        listing = yield from self._list(path)
        if listing is None:
            return []
        if not listing.entries and self._is_empty_mount_point(path, listing):
            if path:
                yield FolderAway(path)
            return [] if path else None
        known = self._known.inside(path)
        level = self._level(folder, {entry.name for entry in listing.entries})
        compared = yield from self._compare_entries(path, level, listing, known)
        away = self._away(path, known, compared, listing)
        if away and self._root_device() != self._device:
            return None
        if not (yield from self._report_deleted(self._deleted(path, known, compared, away))):
            return None
        for name in away:
            yield FolderAway(_inside(path, name) if name in known.folders else path)
        yield ScanProgress(path)
        if not folder.deep:
            return []
        return [
            _QueuedFolder(_inside(path, name), level, deep=True, is_wanted=is_wanted)
            for name, is_wanted in compared.folders.items()
        ]

    def _list(self, path: bytes) -> Generator[ScanEvent, None, _Listing | None]:
        """List a folder; None if it is deleted, unreadable (then reported), the kernel's or was listed already."""
        whole = self._whole(path)
        try:
            facts = os.stat(whole)  # noqa: PTH116
            if facts.st_ino and (facts.st_dev, facts.st_ino) in self._listed:
                return None  # mounted into itself
            self._listed.add((facts.st_dev, facts.st_ino))
            device = self._devices.of(whole, facts.st_dev)
            if device.of_kernel:
                return None  # /proc, where the root folder is that of the whole computer
            self._visiting(path, facts.st_dev)
            with os.scandir(whole) as entries:
                return _Listing(sorted(entries, key=lambda entry: entry.name), facts.st_dev, device)
        except (FileNotFoundError, NotADirectoryError):
            return None  # deleted meanwhile, or its drive was disconnected: a scan of its parent reports it
        except OSError as error:
            yield from self._skip(path, self._known.at(path), _NO_STAT, _unreadable("folder", error))
            return None

    def _compare_entries(
        self, path: bytes, level: Level, listing: _Listing, known: FolderFiles
    ) -> Generator[ScanEvent, None, _Compared]:
        """Compare the files of one folder with the known ones."""
        compared = _Compared()
        for count, entry in enumerate(listing.entries, start=1):
            if count % PROGRESS_ENTRIES == 0:
                yield ScanProgress(path)
            name = entry.name
            try:
                if entry.is_symlink():
                    continue
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                compared.existing.add(name)
                compared.inaccessible.add(name)
                yield from self._skip(_inside(path, name), known.files.get(name), _NO_STAT, _unreadable("file", error))
                continue
            hidden = name.startswith(b".") or hidden_by_system(facts)
            if stat.S_ISDIR(facts.st_mode):
                decision = self._filter.folder(level, name, hidden=hidden)
                if decision.included:
                    compared.folders[name] = decision.rule is FolderRule.OWN_LINE
            elif stat.S_ISREG(facts.st_mode):
                decision = self._filter.file(level, name, facts.st_size, hidden=hidden, links=facts.st_nlink)
                if decision.included or decision.is_reported:
                    compared.existing.add(name)
                    yield from self._compare(_inside(path, name), known.files.get(name), listing.stat(facts), decision)
        return compared

    def _away(self, path: bytes, known: FolderFiles, compared: _Compared, listing: _Listing) -> set[bytes]:
        """Return the names of files and subfolders on an unmounted drive.

        They were on other volumes than this folder, and nothing of those volumes is left in it. Desktops remove the
        mount point together with a removable drive, and another drive may be mounted at the same path.
        """
        missing = known.files.keys() - compared.existing
        gone = {name: frozenset({known.files[name].stat.device}) for name in missing}
        for name in known.folders - compared.folders.keys():
            gone[name] = self._known.devices(_inside(path, name)) - {0}
        away = {
            name
            for name, volumes in gone.items()
            if volumes and all(map(is_lasting, volumes)) and not os.path.lexists(self._whole(_inside(path, name)))
        }
        if away:
            here = {listing.on.volume, *(file.stat.device for name, file in known.files.items() if name not in gone)}
            for name in known.folders - gone.keys():
                here |= self._known.devices(_inside(path, name))
            away = {name for name in away if here.isdisjoint(gone[name])}
        return away

    def _deleted(self, path: bytes, known: FolderFiles, compared: _Compared, away: set[bytes]) -> list[File]:
        """Return the known files of a folder that do not exist any more, or are not included any more."""
        deleted = [
            file
            for name, file in known.files.items()
            if not (name in compared.existing or name in compared.folders or name in away)
        ]
        for name in known.folders - compared.folders.keys() - compared.inaccessible - away:
            deleted += self._known.beneath(_inside(path, name))
        if (placeholder := self._known.at(path)) is not None:
            deleted.append(placeholder)  # recorded why the folder could not be opened, or was a file
        return deleted

    def _compare(self, path: bytes, file: File | None, now: FileStat, rule: RuleDecision) -> Generator[ScanEvent]:
        """Yield the difference between a file and its record `file`."""
        if not rule.included:
            yield from self._skip(path, file, now, rule.reason, rule.kind)
        elif file is None:
            now = self._with_inode(path, now)
            content = self._known.content_of(now)
            yield FileFound(path, now) if content is None else FileMoved(path, now, content, None)
        elif not _unchanged(file.stat, now):
            now = self._with_inode(path, now)
            another = (now.device, now.inode) != (file.stat.device, file.stat.inode)
            content = self._known.content_of(now) if another else None
            yield FileChanged(file, now) if content is None else FileMoved(path, now, content, file)
        elif file.state is FileState.SKIPPED and now.size:  # no rule skips it any more
            yield FileChanged(file, self._with_inode(path, now))
        elif now != file.stat and now.inode:
            yield FileTouched(file, now)

    def _skip(
        self,
        path: bytes,
        file: File | None,
        now: FileStat,
        reason: str,
        kind: ProblemKind = ProblemKind.ACCESS,
    ) -> Generator[ScanEvent]:
        same = file is not None and file.state is FileState.SKIPPED and file.reason == reason
        if file is None or not same or not _unchanged(file.stat, now):
            yield FileSkipped(path, now, reason, kind)

    def _report_deleted(self, files: Sequence[File]) -> Generator[ScanEvent, None, bool]:
        """Report files as deleted, unless the root folder is missing; return whether it exists."""
        if files and self._root_device() != self._device:
            return False
        for count, file in enumerate(files, start=1):
            yield FileDeleted(file)
            if count % PROGRESS_ENTRIES == 0:
                yield ScanProgress(file.path)
        return True

    def _is_empty_mount_point(self, path: bytes, listing: _Listing) -> bool:
        """Return whether an empty folder had files of another volume: a drive that is not mounted now."""
        volumes = self._known.devices(path)
        return bool(volumes) and volumes.isdisjoint({listing.on.volume, listing.device})

    def _with_inode(self, path: bytes, now: FileStat) -> FileStat:
        """Complete a stat: on Windows a folder listing has no inode and device."""
        facts = stat_of(self._whole(path)) if os.name == "nt" and not now.inode else None
        return FileStat(now.size, now.mtime_ns, facts.st_ino, facts.st_dev) if facts else now

    def _whole(self, path: bytes) -> bytes:
        return os.path.join(self._root, path) if path else self._root  # noqa: PTH118 (bytes)


def _inside(folder: bytes, name: bytes) -> bytes:
    return folder + SEPARATOR + name if folder else name


def _unchanged(before: FileStat, now: FileStat) -> bool:
    """Return whether a file is unchanged; inodes are not compared when the drive was remounted under another device.

    An edit that restores the old modification time still changes the ctime.
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
