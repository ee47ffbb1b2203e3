"""Finds the file system of a path: networks report no changes, some have no lasting inodes, each volume has a name.

The number of a device is no name: btrfs, NFS, LVM and memory get another one after a restart of the computer.
"""

import hashlib
import os
import re
import sys
from collections.abc import Collection
from typing import NamedTuple

from desktop_rag.index.folders.rules import shown

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


class _Device(NamedTuple):
    volume: int
    lasting_inodes: bool
    of_kernel: bool


class Devices:
    """Looks up, per device, its volume and whether inode numbers last; reads the mount table as seldom as possible."""

    def __init__(self) -> None:
        self._known: dict[int, _Device] = {}
        self._table: bytes | None = None

    def have_lasting_inodes(self, path: bytes, device: int) -> bool:
        """Return whether inode numbers on `device`, the one of `path`, survive a remount."""
        return self._of(path, device).lasting_inodes

    def are_of_kernel(self, path: bytes, device: int) -> bool:
        """Return whether the kernel makes the files on `device`, the one of `path`."""
        return self._of(path, device).of_kernel

    def volume(self, path: bytes, device: int) -> int:
        """Return a number for the volume of `path` that stays the same after a remount or a restart of the computer.

        That is `device` itself where the system has no other name for the volume; Windows has its serial number there.
        """
        return self._of(path, device).volume

    def _of(self, path: bytes, device: int) -> _Device:
        known = self._known.get(device)
        if known is None:
            mount = self._mount(os.path.realpath(path), device)
            lasting = not (mount.kind in _NO_LASTING_INODES or _is_foreign_fuse(mount.kind))
            name = volume_name(path, mount) if mount.device == device or mount.kind in _SUBVOLUMES else ""
            known = _Device(_volume_number(name) if name else device, lasting, mount.kind in _OF_KERNEL)
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
