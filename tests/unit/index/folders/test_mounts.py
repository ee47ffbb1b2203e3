"""The kind of file system is read from the kernel's list of mounts."""

import os
from pathlib import Path

import pytest

from desktop_rag.index.folders.relocation import Devices, Mount, is_lasting, is_network, mount_of, volume_name

MOUNTS = rb"""20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
21 20 0:5 / /proc rw - proc proc rw
22 20 0:44 / /home/ann/My\040Share rw shared:9 master:2 - nfs4 server:/home rw
23 22 8:17 / /home/ann/My\040Share/local rw - ext4 /dev/sdb1 rw
24 20 0:45 / /mnt/ssh rw - fuse.sshfs ann@host: rw
25 20 8:33 / /mnt/usb rw - fuseblk /dev/sdc1 rw
26 20 8:49 / /mnt/twice rw - ext4 old rw
27 26 0:46 / /mnt/twice rw - cifs //nas/new rw
broken line
28 20 8:1 / /short rw -
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
    assert mount_of(path, MOUNTS).kind == kind


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "vboxsf"])
def test_file_systems_of_other_machines_are_networks(kind: str) -> None:
    assert is_network(kind)


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "tmpfs", "overlay", "fuseblk", "fuse.gocryptfs", ""])
def test_local_file_systems_are_not(kind: str) -> None:
    assert not is_network(kind)


def test_a_mount_has_its_device_place_and_source() -> None:
    assert mount_of(b"/home/ann/My Share/a", MOUNTS) == Mount(
        os.makedev(0, 44), b"/home/ann/My Share", "nfs4", b"server:/home"
    )


@pytest.mark.parametrize(
    ("mount", "name"),
    [
        (Mount(44, b"/a", "nfs4", b"server:/home"), "nfs4 b'server:/home'"),
        (Mount(45, b"/a", "cifs", b"//nas/new"), "cifs b'//nas/new'"),
        (Mount(46, b"/a", "tmpfs", b"none"), "tmpfs@b'/a'"),
        (Mount(47, b"/a", "vfat", b"/dev/no-such-stick"), ""),
    ],
)
def test_a_volume_has_a_name_that_no_other_has(mount: Mount, name: str) -> None:
    assert volume_name(b"/", mount) == name


def test_a_volume_is_named_by_the_uuid_of_its_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for device, uuid in (("sdb1", "7A2B-11C0"), ("sdc1", "55aa-77bb")):
        (tmp_path / device).touch()
        (tmp_path / "by-uuid").mkdir(exist_ok=True)
        (tmp_path / "by-uuid" / uuid).symlink_to(f"../{device}")
    monkeypatch.setattr("desktop_rag.index.folders.relocation._BY_UUID", os.fsencode(tmp_path / "by-uuid"))
    names = [
        volume_name(b"/", Mount(1, b"/a", "vfat", os.fsencode(tmp_path / name))) for name in ("sdb1", "sdc1", "sdd1")
    ]
    assert names == ["uuid=b'7A2B-11C0'", "uuid=b'55aa-77bb'", ""]


def test_the_number_of_a_volume_does_not_depend_on_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def volume(table: bytes, device: int) -> int:
        monkeypatch.setattr("desktop_rag.index.folders.relocation._read_mounts", lambda: table)
        return Devices().of(b"/mnt/data", device).volume

    before = volume(b"9 1 0:44 / /mnt/data rw - nfs4 server:/data rw", os.makedev(0, 44))
    after = volume(b"9 1 0:51 / /mnt/data rw - nfs4 server:/data rw", os.makedev(0, 51))
    other = volume(b"9 1 0:44 / /mnt/data rw - nfs4 server:/other rw", os.makedev(0, 44))
    assert before == after != other
    assert is_lasting(before)
    assert before < 2**63, "a whole number of SQLite"
    unnamed = volume(b"9 1 8:17 / /mnt/data rw - vfat /dev/none rw", os.makedev(8, 17))
    assert unnamed == os.makedev(8, 17)
    assert not is_lasting(unnamed)


def test_a_drive_mounted_after_the_table_was_read_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    root = b"1 0 8:1 / / rw - nfs4 server:/root rw\n"
    tables = [root, root + b"9 1 0:44 / /mnt/data rw - nfs4 server:/data rw\n"]
    monkeypatch.setattr("desktop_rag.index.folders.relocation._read_mounts", lambda: tables.pop(0))
    devices = Devices()
    first = devices.of(b"/home", os.makedev(8, 1)).volume
    assert devices.of(b"/mnt/data", os.makedev(0, 44)).volume != first
    assert tables == []
