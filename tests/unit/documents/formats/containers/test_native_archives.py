import io
import struct
import sys
import tarfile
import zipfile
import zlib
from importlib import import_module

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.containers.libarchive import needs_libarchive
from tests.unit.documents.formats.office.packages import read_or_refuse, texts


def _block(kind: int, flags: int, rest: bytes, data: bytes = b"") -> bytes:
    head = struct.pack("<BHH", kind, flags, 7 + len(rest)) + rest
    return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head + data


def _rar(files: dict[str, bytes]) -> bytes:
    """Return a RAR 4 archive with uncompressed members."""
    blocks = [b"Rar!\x1a\x07\x00", _block(0x73, 0, bytes(6))]
    for name, data in files.items():
        facts = struct.pack("<IIBIIBBHI", len(data), len(data), 3, zlib.crc32(data), 0, 20, 0x30, len(name), 0o100644)
        blocks.append(_block(0x74, 0x8000, facts + name.encode(), data))
    return b"".join([*blocks, _block(0x7B, 0x4000, b"")])


@needs_libarchive
def test_members_of_a_rar_archive_are_sections() -> None:
    document = read_document("a.rar", _rar({"lease.md": b"# Lease", "../b.txt": b"text"}))
    assert [section.label for section in document.structure.sections] == ["a.rar!/lease.md", "a.rar!/../b.txt"]
    assert document.text.endswith("\ntext")


@needs_libarchive
def test_members_before_the_damage_are_kept() -> None:
    data = _rar({"a.txt": b"Rent is due.", "b.txt": b"x" * 500})
    assert texts("a.rar", data[:-300])[:2] == ["a.txt", "Rent is due."]


def test_without_an_unpacking_library_the_error_names_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libarchive", None)
    with pytest.raises(DocumentError, match="libarchive is installed"):
        read_document("a.rar", _rar({"a.txt": b"text"}))


def _written(kind: str, files: dict[str, bytes]) -> bytes:
    pieces: list[bytes] = []

    def keep(piece: bytes) -> int:
        pieces.append(bytes(piece))
        return len(piece)

    with import_module("libarchive").custom_writer(keep, kind) as archive:
        for name, data in files.items():
            archive.add_file_from_memory(name, len(data), data)
    return b"".join(pieces)


def _cabinet(files: dict[str, bytes]) -> bytes:
    """Return a CAB archive whose one folder is stored uncompressed (MS-CAB, 2)."""
    content = b"".join(files.values())
    entries, offset = b"", 0
    for name, data in files.items():
        entries += struct.pack("<IIHHHH", len(data), offset, 0, 0x5A21, 0, 0x20) + name.encode() + b"\0"
        offset += len(data)
    first_file = 36 + 8
    first_block = first_file + len(entries)
    block = struct.pack("<IHH", 0, len(content), len(content)) + content
    size = first_block + len(block)
    head = struct.pack("<4sIIIIIBBHHHHH", b"MSCF", 0, size, 0, first_file, 0, 3, 1, 1, len(files), 0, 0, 0)
    return head + struct.pack("<IHH", first_block, 1, 0) + entries + block


@needs_libarchive
@pytest.mark.parametrize(
    ("suffix", "kind"), [("cpio", "cpio_newc"), ("cpio", "cpio"), ("ar", "ar_svr4"), ("iso", "iso9660")]
)
def test_members_of_archives_of_other_systems_are_sections(suffix: str, kind: str) -> None:
    data = _written(kind, {"lease.md": b"# Lease\n", "b.txt": b"Rent is due."})
    document = read_document(f"a.{suffix}", data)
    assert {section.label.lower() for section in document.structure.sections} == {
        f"a.{suffix}!/lease.md",
        f"a.{suffix}!/b.txt",
    }
    assert "Rent is due." in document.text


@needs_libarchive
def test_members_of_a_cabinet_are_sections() -> None:
    document = read_document("a.cab", _cabinet({"a.txt": b"Rent is due.", "b.md": b"# Lease"}))
    assert [section.label for section in document.structure.sections] == ["a.cab!/a.txt", "a.cab!/b.md"]
    assert "Rent is due." in document.text


def _crc16(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


@needs_libarchive
def test_members_of_an_lha_archive_are_sections() -> None:
    name, data = b"a.txt", b"Rent is due."
    head = struct.pack("<5sIIIBBB", b"-lh0-", len(data), len(data), 0x5A210000, 0x20, 0, len(name)) + name
    head += struct.pack("<H", _crc16(data))
    packed = bytes([len(head), sum(head) & 0xFF]) + head + data + b"\0"
    assert texts("a.lzh", packed) == ["a.txt", "Rent is due."]


@needs_libarchive
def test_documents_in_a_debian_package_are_read() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        entry = tarfile.TarInfo("./usr/share/doc/lease/README.md")
        entry.size = 8
        archive.addfile(entry, io.BytesIO(b"# Lease\n"))
    data = _written("ar_svr4", {"debian-binary": b"2.0\n", "data.tar.xz": packed.getvalue()})
    assert "Lease" in read_document("lease.deb", data).text


@needs_libarchive
@pytest.mark.parametrize("data", [b"MSCF" + bytes(40), b"!<arch>\nrubbish", b"070701zz" + bytes(200)])
def test_a_broken_archive_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(DocumentError):
        read_document("a.cab", data)


@needs_libarchive
def test_a_cut_cabinet_says_so() -> None:
    data = _cabinet({"a.txt": b"Rent is due.", "b.txt": b"x" * 3000})
    assert "damaged" in read_document("a.cab", data[:-2000]).partial


@pytest.mark.parametrize("suffix", ["jar", "war", "whl", "xpi"])
def test_packages_of_programs_are_read_as_zip_archives(suffix: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("META-INF/NOTICE.txt", "Rent is due.")
        archive.writestr("Main.class", b"\xca\xfe\xba\xbe")
    found = texts(f"a.{suffix}", packed.getvalue())
    assert "Rent is due." in found
    assert "Main.class: Programs (.class) are not read yet" in found


@needs_libarchive
def test_a_file_compressed_by_old_unix_is_read() -> None:
    # The output of the program `compress`.
    packed = bytes.fromhex(
        "1f9d9053dedc0141074d19106dc2c89123d04c183a20e094093307441a372082c091"
        "93868d0b100107163c987061c387112756bc08a249983c2e1400"
    )
    assert texts("note.txt.Z", packed) == ["Sow the marrowfat peas in April. Sow the marrowfat peas in May."]
    for at in range(3, len(packed)):
        read_or_refuse("note.txt.Z", packed[:at] + b"\xff" + packed[at + 1 :])
