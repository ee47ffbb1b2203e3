import ctypes
import struct
import sys
import zlib

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.containers import rar
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import texts


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


def _has_libarchive() -> bool:
    try:
        ctypes.CDLL(rar._LIBRARY)
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _has_libarchive(), reason="needs libarchive")
def test_members_of_a_rar_archive_are_sections() -> None:
    document = read_document("a.rar", _rar({"lease.md": b"# Lease", "../b.txt": b"text"}))
    assert [section.label for section in document.structure.sections] == ["a.rar!/lease.md", "a.rar!/../b.txt"]
    assert document.text.endswith("\ntext")


@pytest.mark.skipif(not _has_libarchive(), reason="needs libarchive")
def test_members_before_the_damage_are_kept() -> None:
    data = _rar({"a.txt": b"Rent is due.", "b.txt": b"x" * 500})
    assert texts("a.rar", data[:-300])[:2] == ["a.txt", "Rent is due."]


def test_without_an_unpacking_library_the_error_names_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libarchive", None)
    with pytest.raises(DocumentError, match="libarchive is installed"):
        read_document("a.rar", _rar({"a.txt": b"text"}))
