"""The kind of file system is read from the kernel's list of mounts."""

import pytest

from desktop_rag.index.folders.mounts import is_network, mount_type

MOUNTS = rb"""/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
server:/home /home/ann/My\040Share nfs4 rw 0 0
/dev/sdb1 /home/ann/My\040Share/local ext4 rw 0 0
ann@host: /mnt/ssh fuse.sshfs rw 0 0
/dev/sdc1 /mnt/usb fuseblk rw 0 0
old /mnt/twice ext4 rw 0 0
new /mnt/twice cifs rw 0 0
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (b"/home/ann/notes", "ext4"),
        (b"/home/ann/My Share", "nfs4"),
        (b"/home/ann/My Share/a/b.txt", "nfs4"),
        (b"/home/ann/My Share/local/a", "ext4"),
        (b"/home/ann/My Shared", "ext4"),
        (b"/mnt/ssh/x", "fuse.sshfs"),
        (b"/mnt/usb/x", "fuseblk"),
        (b"/mnt/twice/x", "cifs"),
        (b"/", "ext4"),
    ],
)
def test_the_longest_mount_decides(path: bytes, kind: str) -> None:
    assert mount_type(path, MOUNTS) == kind


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "vboxsf"])
def test_file_systems_of_other_machines_are_networks(kind: str) -> None:
    assert is_network(kind)


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "tmpfs", "overlay", "fuseblk", "fuse.gocryptfs", ""])
def test_local_file_systems_are_not(kind: str) -> None:
    assert not is_network(kind)
