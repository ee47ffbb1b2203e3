"""Finds the file system of a path: networks report no changes, and some file systems have no lasting inodes."""

import os
import re
import sys

_MOUNTS = "/proc/self/mounts"
# Shared folders of virtual machines do not report changes made by the host either.
_KINDS = """nfs nfs4 cifs smb3 smb2 smbfs 9p afs afpfs ceph davfs ncpfs lustre gfs2 ocfs2 beegfs
vboxsf vmhgfs prl_fs drvfs"""
# No inode numbers on the disk: the kernel assigns new ones after each mount.
_NO_LASTING_INODES = frozenset({"vfat", "msdos", "exfat", "cifs", "smb3", "smb2", "smbfs", "davfs", "vboxsf", "vmhgfs"})
_NETWORK = frozenset(_KINDS.split())
_LOCAL_FUSE = frozenset({"fuse.ntfs-3g", "fuse.exfat", "fuse.ext2", "fuse.bindfs", "fuse.gocryptfs", "fuse.encfs"})
_ESCAPED = re.compile(rb"\\([0-7]{3})")


def network_file_system(path: bytes) -> str:
    """Return the type of the network file system of `path`, empty if it is local or unknown."""
    whole = os.path.realpath(path)
    if sys.platform == "win32":
        return "a share" if whole.startswith((b"\\\\", b"//")) else ""
    kind = mount_type(whole, _read_mounts())
    return kind if is_network(kind) else ""


class Devices:
    """Looks up, per device, whether inode numbers last; reads the mount table once."""

    def __init__(self) -> None:
        self._lasting: dict[int, bool] = {}
        self._mounts: bytes | None = None

    def have_lasting_inodes(self, path: bytes, device: int) -> bool:
        """Return whether inode numbers on `device`, the one of `path`, survive a remount."""
        known = self._lasting.get(device)
        if known is None:
            if self._mounts is None:
                self._mounts = _read_mounts()
            kind = mount_type(os.path.realpath(path), self._mounts)
            known = self._lasting[device] = not (kind in _NO_LASTING_INODES or _is_foreign_fuse(kind))
        return known


def _read_mounts() -> bytes:
    try:
        with open(_MOUNTS, "rb") as file:  # noqa: PTH123 (a file of the kernel)
            return file.read()
    except OSError:
        return b""


def mount_type(path: bytes, mounts: bytes) -> str:
    """Return the type of the mount that holds the absolute `path`, given the lines of /proc/self/mounts."""
    best, kind = b"", b""
    for line in mounts.splitlines():
        parts = line.split(b" ")
        if len(parts) < 3:
            continue
        place = _ESCAPED.sub(lambda match: bytes([int(match[1], 8)]), parts[1])
        inside = path == place or path.startswith(place.rstrip(b"/") + b"/")
        if inside and len(place) >= len(best):  # of two mounts at one path the later one counts
            best, kind = place, parts[2]
    return kind.decode("ascii", "replace")


def is_network(kind: str) -> bool:
    """Return whether a type of file system is shared with machines whose changes are not reported."""
    return kind in _NETWORK or _is_foreign_fuse(kind)


def _is_foreign_fuse(kind: str) -> bool:
    return kind.startswith("fuse.") and kind not in _LOCAL_FUSE
