"""Relocates moved root folders: verified by file stats, and for a sample of files by their hashes.

Only the sample is read; other changes are left to the next scan.
"""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_lookup import absolute, relative_to
from desktop_rag.index.catalog.file_table import FileFingerprint
from desktop_rag.index.folders.rules import shown
from desktop_rag.index.indexer_api import Relocated
from desktop_rag.index.records import FileStat, Folder, FolderState
from desktop_rag.paths import stat_of

# Finds the file system of a path: networks report no changes, some have no lasting inodes, each volume has a name.
#
# The number of a device is no name: btrfs, NFS, LVM and memory get another one after a restart of the computer.

_MOUNTS = "/proc/self/mountinfo"
_BY_UUID = b"/dev/disk/by-uuid"
_FIRST_VOLUME = 1 << 61  # more than any number of a device
# Shared folders of virtual machines do not report changes made by the host either.
_KINDS = """nfs nfs4 cifs smb3 smb2 smbfs 9p afs afpfs ceph davfs ncpfs lustre gfs2 ocfs2 beegfs
vboxsf vmhgfs prl_fs drvfs"""
# No inode numbers on the disk: the kernel assigns new ones after each mount.
_NO_LASTING_INODES = frozenset({"vfat", "msdos", "exfat", "cifs", "smb3", "smb2", "smbfs", "davfs", "vboxsf", "vmhgfs"})
# Their statfs(2) derives f_fsid from the UUID; that of others is the number of the device, or random.
_UUID_IN_STATFS = frozenset({"ext2", "ext3", "ext4", "btrfs", "f2fs", "zfs"})
_SUBVOLUMES = frozenset({"btrfs"})  # each has a device of its own, which the mount table does not name
_IN_MEMORY = frozenset({"tmpfs", "ramfs"})  # empty after each mount, so the place is all there is to know
_NETWORK = frozenset(_KINDS.split())
_LOCAL_FUSE = frozenset({"fuse.ntfs-3g", "fuse.exfat", "fuse.ext2", "fuse.bindfs", "fuse.gocryptfs", "fuse.encfs"})
# The kernel makes the files of these when they are read: there is no end to them, and no document among them.
_KERNEL_KINDS = """proc sysfs devtmpfs devpts cgroup cgroup2 debugfs tracefs securityfs pstore bpf configfs fusectl
mqueue hugetlbfs efivarfs binfmt_misc rpc_pipefs selinuxfs nsfs"""
_OF_KERNEL = frozenset(_KERNEL_KINDS.split())
_ESCAPED = re.compile(rb"\\([0-7]{3})")


def network_file_system(path: bytes) -> str:
    """Return the type of the network file system of `path`, empty if it is local or unknown."""
    whole = os.path.realpath(path)
    if sys.platform == "win32":
        return "a share" if whole.startswith((b"\\\\", b"//")) else ""
    kind = mount_of(whole, _read_mounts()).kind
    return kind if is_network(kind) else ""


def kernel_file_system(path: bytes) -> str:
    """Return the type of the file system of `path` if the kernel makes its files, as those of /proc, else ""."""
    kind = mount_of(os.path.realpath(path), _read_mounts()).kind
    return kind if kind in _OF_KERNEL else ""


class Mount(NamedTuple):
    """One mounted file system; `device` is that of most of its folders, `source` a device file, a share or any word."""

    device: int
    place: bytes
    kind: str
    source: bytes


class Device(NamedTuple):
    """What is known of the device of a path.

    `volume` is a number for its volume that stays the same after a remount or a restart of the computer: that of the
    device itself where the system has no other name for the volume; Windows has its serial number there.
    """

    volume: int
    lasting_inodes: bool  # inode numbers survive a remount
    of_kernel: bool  # the kernel makes the files on it


class Devices:
    """Looks up what is known of each device; reads the mount table as seldom as possible."""

    def __init__(self) -> None:
        self._known: dict[int, Device] = {}
        self._table: bytes | None = None

    def of(self, path: bytes, device: int) -> Device:
        """Return what is known of `device`, the one of `path`."""
        known = self._known.get(device)
        if known is None:
            mount = self._mount(os.path.realpath(path), device)
            lasting = not (mount.kind in _NO_LASTING_INODES or _is_foreign_fuse(mount.kind))
            name = volume_name(path, mount) if mount.device == device or mount.kind in _SUBVOLUMES else ""
            known = Device(_volume_number(name) if name else device, lasting, mount.kind in _OF_KERNEL)
            self._known[device] = known
        return known

    def _mount(self, path: bytes, device: int) -> Mount:
        fresh = self._table is None
        if self._table is None:
            self._table = _read_mounts()
        mount = mount_of(path, self._table)
        if mount.device != device and not fresh:  # mounted since
            self._table = _read_mounts()
            mount = mount_of(path, self._table)
        return mount


def volume_name(path: bytes, mount: Mount) -> str:
    """Return a name of the volume of `path` that no other volume has, or "" if the system knows none."""
    if mount.kind in _UUID_IN_STATFS:
        try:
            number = os.statvfs(path).f_fsid
        except OSError:
            return ""
        return f"{mount.kind} {number:x}" if number else ""
    if is_network(mount.kind):
        return f"{mount.kind} {mount.source!r}"
    if mount.kind in _IN_MEMORY:
        return f"{mount.kind}@{mount.place!r}"
    uuid = _uuid_of(mount.source)
    return f"uuid={uuid!r}" if uuid else ""


def is_lasting(volume: int) -> bool:
    """Return whether a number of a volume is the same after a restart, not just that of a device."""
    return volume >= _FIRST_VOLUME


def _volume_number(name: str) -> int:
    return _FIRST_VOLUME | int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) >> 3


def _uuid_of(source: bytes) -> bytes:
    """Return the UUID of the file system on a block device."""
    device = os.path.realpath(source)
    try:
        names = os.listdir(_BY_UUID)  # noqa: PTH208 (bytes)
    except OSError:
        return b""
    links = (name for name in names if os.path.realpath(os.path.join(_BY_UUID, name)) == device)  # noqa: PTH118 (bytes)
    return next(links, b"")


def _read_mounts() -> bytes:
    try:
        with open(_MOUNTS, "rb") as file:  # noqa: PTH123 (a file of the kernel)
            return file.read()
    except OSError:
        return b""


def mount_of(path: bytes, table: bytes) -> Mount:
    """Return the mount that holds the absolute `path`, given the lines of /proc/self/mountinfo."""
    best = Mount(-1, b"", "", b"")
    for line in table.splitlines():
        parts = line.split(b" ")
        mark = parts.index(b"-") if b"-" in parts else len(parts)
        if len(parts) < mark + 3:
            continue
        place = _unescaped(parts[4])
        inside = path == place or path.startswith(place.rstrip(b"/") + b"/")
        if inside and len(place) >= len(best.place):  # of two mounts at one path the later one counts
            major, _, minor = parts[2].partition(b":")
            kind = parts[mark + 1].decode("ascii", "replace")
            best = Mount(os.makedev(int(major), int(minor)), place, kind, _unescaped(parts[mark + 2]))
    return best


def _unescaped(field: bytes) -> bytes:
    return _ESCAPED.sub(lambda match: bytes([int(match[1], 8)]), field)


def is_network(kind: str) -> bool:
    """Return whether a type of file system is shared with machines whose changes are not reported."""
    return kind in _NETWORK or _is_foreign_fuse(kind)


def _is_foreign_fuse(kind: str) -> bool:
    return kind.startswith("fuse.") and kind not in _LOCAL_FUSE


# Tells which folders inside a root folder are on drives that are not connected: their text stays searchable.


def absence_note(away: Collection[bytes]) -> str:
    """Return a sentence about the folders inside a root folder whose drives are not connected; "" without any."""
    if not away:
        return ""
    path = min(away)
    if len(away) > 1:
        return f"{len(away):,} folders are on drives that are not connected now; their text stays searchable."
    if not path:
        return "Some of it is on a drive that is not connected now; its text stays searchable."
    return f"The drive of “{shown(path)}” is not connected now; its text stays searchable."


SAMPLE = 16  # files whose bytes are compared
SAMPLE_BYTES = 64_000_000  # larger files are not in the sample
ENOUGH = 0.5  # of the files must exist with the same size and time
COARSE_NS = 10_000_000  # the finest time of exFAT; FAT keeps even seconds only
SLACK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class _Known:
    """A file with unchanged size and time at its new path."""

    row: FileFingerprint
    path: bytes
    facts: os.stat_result


@dataclass(frozen=True, slots=True)
class _Move:
    """A root folder with its new path, its file count, and the files that look unchanged there."""

    folder: Folder
    path: bytes
    files: int
    known: tuple[_Known, ...]


def relocate(catalog: Catalog, old: bytes, new: bytes) -> Relocated:
    """Change the paths of root folders at and below `old` to `new`, after verifying that they moved there.

    Raises `LibraryRefused` with the reason if the verification fails; then nothing is changed.
    """
    new = os.path.realpath(new)
    # The old path may be a link to the new one by now.
    moving = _moving(catalog, os.path.normpath(old), new) or _moving(catalog, os.path.realpath(old), new)
    if not moving:
        raise LibraryRefused(f"No folder of the library is {shown(old)}, or lies in it.")
    moves = [_proven(catalog, folder, path) for folder, path in moving]
    with catalog.transaction():
        _refuse_overlaps(catalog.folders.all(), moves)
        for move in moves:
            _apply(catalog, move)
    return Relocated(len(moves), sum(move.files for move in moves), sum(len(move.known) for move in moves))


def _moving(catalog: Catalog, old: bytes, new: bytes) -> list[tuple[Folder, bytes]]:
    """Return the root folders at and below `old` with their new paths."""
    below = ((folder, relative_to(old, folder.path)) for folder in catalog.folders.all())
    return [(folder, absolute(new, path)) for folder, path in below if path is not None]


def _proven(catalog: Catalog, folder: Folder, path: bytes) -> _Move:
    """Compare the known files of a root folder with those at `path`; raises `LibraryRefused`."""
    is_there = os.path.isfile(path) if folder.is_file else os.path.isdir(path)  # noqa: PTH112, PTH113 (bytes)
    if not is_there:
        raise LibraryRefused(
            f"There is no {'file' if folder.is_file else 'folder'} {shown(path)}. Nothing was changed."
        )
    rows = catalog.files.fingerprints(folder.id)
    known = tuple(found for row in rows if (found := _look(row, absolute(path, row.path))) is not None)
    if len(known) < ENOUGH * len(rows):
        raise LibraryRefused(
            f"{shown(path)} does not hold the files of {shown(folder.path)}: of {len(rows):,} files "
            f"{len(known):,} are there unchanged. Nothing was changed. If it is another folder, add it as such."
        )
    _compare_sample(known)
    return _Move(folder, path, len(rows), known)


def _look(row: FileFingerprint, path: bytes) -> _Known | None:
    facts = stat_of(path, links=True)
    if facts is None or not stat.S_ISREG(facts.st_mode) or facts.st_size != row.size:
        return None
    return _Known(row, path, facts) if _same_time(row.mtime_ns, facts.st_mtime_ns) else None


def _same_time(before: int, now: int) -> bool:
    """Return whether two times are equal up to the resolution of another file system."""
    return before == now or (now % COARSE_NS == 0 and abs(now - before) < SLACK_NS)


def _compare_sample(known: tuple[_Known, ...]) -> None:
    """Raise `LibraryRefused` if a file of an evenly spread sample has another hash."""
    read = [file for file in known if file.row.sha256 and not file.row.pending and file.row.size <= SAMPLE_BYTES]
    for file in read[:: max(1, -(-len(read) // SAMPLE))]:
        try:
            with Path(os.fsdecode(file.path)).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").digest()
        except OSError as error:
            raise LibraryRefused(
                f"{shown(file.path)} cannot be read ({error.strerror or error}). Nothing was changed."
            ) from error
        if digest != file.row.sha256:
            raise LibraryRefused(
                f"{shown(file.path)} has the size and time of the file the library knows, but not its bytes. "
                "Nothing was changed. If it is another folder, add it as such."
            )


def _refuse_overlaps(folders: Iterable[Folder], moves: list[_Move]) -> None:
    places = {folder.id: folder.path for folder in folders} | {move.folder.id: move.path for move in moves}
    for move in moves:
        if move.folder.id not in places:
            raise LibraryRefused(f"{shown(move.folder.path)} is not in the library any more.")
        for other, path in places.items():
            inside = relative_to(path, move.path) is not None or relative_to(move.path, path) is not None
            if other != move.folder.id and inside:
                raise LibraryRefused(
                    f"{shown(move.path)} and {shown(path)}, which the library has already, lie in one another. "
                    "Nothing was changed."
                )


def _apply(catalog: Catalog, move: _Move) -> None:
    devices = Devices()
    device = devices.of(move.path, os.stat(move.path).st_dev).volume  # noqa: PTH116 (bytes)
    # A file that is missing there is deleted, not offline: its old device is not waited for.
    catalog.folders.set_path(move.folder.id, move.path, device)
    if move.folder.state is FolderState.OFFLINE:
        catalog.folders.set_online(move.folder.id)
    for file in move.known:
        facts = file.facts
        volume = devices.of(file.path, facts.st_dev).volume
        stat_ = FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, volume, facts.st_ctime_ns)
        catalog.files.set_stat(file.row.id, stat_)
