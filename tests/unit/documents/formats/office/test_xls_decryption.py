"""Workbooks encrypted with the password that Excel tries by itself, and with another one."""

import hashlib
import io
import struct
from contextlib import closing

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.binary.xls_records import PASSWORD, rc4
from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.errors import DocumentError
from desktop_rag.stop import Stop
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import texts
from tests.unit.documents.formats.office.test_xls_records import begin, label, record

SALT, VERIFIER = bytes(range(16)), b"sixteen bytes 16"


def by_md5(password: bytes, block: int) -> bytes:
    short = hashlib.md5(password).digest()[:5]
    base = hashlib.md5((short + SALT) * 16).digest()[:5]
    return hashlib.md5(base + struct.pack("<I", block)).digest()


def by_sha1(password: bytes, block: int) -> bytes:
    return hashlib.sha1(hashlib.sha1(SALT + password).digest() + struct.pack("<I", block)).digest()[:16]


def file_pass(password: bytes, *, newer: bool) -> bytes:
    if not newer:
        checked = rc4(by_md5(password, 0), VERIFIER + hashlib.md5(VERIFIER).digest())
        return record(0x2F, struct.pack("<3H", 1, 1, 1) + SALT + checked)
    checked = rc4(by_sha1(password, 0), VERIFIER + hashlib.sha1(VERIFIER).digest())
    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + bytes(2)
    head = struct.pack("<3H2I", 1, 2, 2, 4, len(header))
    data = head + header + struct.pack("<I", 16) + SALT + checked[:16] + struct.pack("<I", 20) + checked[16:]
    return record(0x2F, data)


def encrypted(password: bytes = PASSWORD, *, newer: bool = False) -> bytes:
    """Return a workbook over more than one block; records of its sheet are encrypted but for their heads."""
    cells = b"".join(label(row, 0, f"Berth {row}") for row in range(60))
    head = begin(5) + file_pass(password, newer=newer)
    name = struct.pack("<BB", 4, 0) + b"Dues"
    place = len(head) + 4 + 6 + len(name) + 4
    listed = record(0x85, struct.pack("<IH", place, 0) + name)
    plain = head + listed + record(0x0A) + begin(0x10) + cells + record(0x0A)
    key = by_sha1 if newer else by_md5
    noise = b"".join(rc4(key(password, block), bytes(1024)) for block in range(len(plain) // 1024 + 1))
    hidden, at = bytearray(plain), 0
    while at < len(plain):
        kind, size = struct.unpack_from("<HH", plain, at)
        for index in range(at + 4 + (4 if kind == 0x85 else 0), at + 4 + size):
            hidden[index] ^= noise[index] if kind not in (0x809, 0x2F) else 0
        at += 4 + size
    return ole({"Workbook": bytes(hidden)})


@pytest.mark.parametrize("newer", [False, True])
def test_a_workbook_that_excel_opens_without_asking_is_read(newer: bool) -> None:
    assert texts("dues.xls", encrypted(newer=newer)) == ["Dues", *(f"Berth {row}" for row in range(60))]


@pytest.mark.parametrize("newer", [False, True])
def test_a_workbook_with_a_password_of_its_own_is_protected(newer: bool) -> None:
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("dues.xls", encrypted("other".encode("utf-16-le"), newer=newer))


@pytest.mark.processes
def test_a_circle_of_small_sectors_is_not_followed_for_ever() -> None:
    data = bytearray(encrypted())
    table = 512 * (1 + struct.unpack_from("<I", data, 60)[0])
    end = data.index(b"\xfe\xff\xff\xff", table)
    struct.pack_into("<I", data, end, 0)  # back to the start of the stream
    with closing(ReaderChild()) as child:
        document = child.read(io.BytesIO(data), "dues.xls", len(data), Stop())
    assert document.text.startswith("Dues")
    assert document.text.endswith("Berth 59")
