"""Workbooks of Excel 2 to 4, written here record by record."""

import random
import struct

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def cell(kind: int, row: int, column: int, value: bytes, style: int = 0) -> bytes:
    return record(kind, struct.pack("<3H", row, column, style) + value)


def label(row: int, column: int, text: bytes) -> bytes:
    return cell(0x204, row, column, struct.pack("<H", len(text)) + text)


def short_number(number: int, *, hundredths: bool = False) -> bytes:
    return struct.pack("<i", number << 2 | 2 | hundredths)


def excel4(*records: bytes) -> bytes:
    """Return a sheet with a format of two decimals (style 1) and one of dates (style 2)."""
    formats = [record(0x41E, b"\0\0" + bytes([len(code)]) + code) for code in (b"General", b"#,##0.00", b"d/m/yy")]
    styles = [record(0x443, bytes([0, index]) + bytes(10)) for index in range(3)]
    begin = record(0x409, struct.pack("<3H", 4, 0x10, 0))
    return b"".join((begin, record(0x42, struct.pack("<H", 1250)), *formats, *styles, *records, record(0x0A)))


DUES = excel4(
    label(0, 0, b"Berth"),
    label(0, 1, b"Fee"),
    label(0, 2, b"Since"),
    label(1, 0, "Łódź".encode("cp1250")),
    cell(0x27E, 1, 1, short_number(123450, hundredths=True), 1),
    cell(0x203, 1, 2, struct.pack("<d", 36_586.0), 2),
    label(2, 0, b"Sum"),
    cell(0x406, 2, 1, struct.pack("<d", 9876.5) + bytes(6), 1),
    cell(0x406, 2, 2, b"\0\0\0\0\0\0\xff\xff" + bytes(6)),
    record(0x207, struct.pack("<H", 4) + b"paid"),
    cell(0x205, 3, 0, b"\1\0"),
    record(0x1C, struct.pack("<3H", 1, 1, 14) + b"Raised"),
    record(0x1C, struct.pack("<3H", 0xFFFF, 0, 8) + b" in May."),
)


def test_cells_have_their_formats_and_notes() -> None:
    assert texts("dues.xls", DUES) == [
        "dues",
        "Berth\tFee\tSince",
        "Łódź\t1,234.50\t2000-03-01",
        "Sum\t9,876.50\tpaid",
        "TRUE",
        "Comment on B2: Raised in May.",
    ]


def test_sheets_of_a_workbook_have_their_names() -> None:
    begin = record(0x409, struct.pack("<3H", 4, 0x100, 0))
    sheets = [
        record(0x8F, bytes(4) + bytes([len(name)]) + name) + excel4(label(0, 0, name)) for name in (b"One", b"Two")
    ]
    assert texts("a.xls", begin + b"".join(sheets)) == ["One", "One", "Two", "Two"]


def test_excel_2_has_shorter_fields() -> None:
    place = struct.pack("<2H", 0, 0) + bytes(3)
    data = record(0x09, struct.pack("<2H", 2, 0x10)) + record(0x04, place + b"\x05Berth")
    number = struct.pack("<2H", 1, 0) + bytes(3)
    data += record(0x03, number + struct.pack("<d", 2.5)) + record(
        0x02, struct.pack("<2H", 1, 1) + bytes(3) + b"\x07\0"
    )
    assert texts("a.xls", data + record(0x0A)) == ["a", "Berth", "2.5\t7"]


def test_numbers_of_four_bytes_may_be_negative_or_floating() -> None:
    floating = struct.pack("<d", 0.5)[4:]
    cells = cell(0x27E, 0, 0, short_number(-3)) + cell(0x27E, 0, 1, floating)
    assert texts("a.xls", excel4(cells)) == ["a", "-3\t0.5"]


def test_password_is_told() -> None:
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.xls", excel4(record(0x2F, bytes(4))))


def test_damaged_bytes_end_in_a_text_or_a_reason() -> None:
    chance = random.Random(4)
    for _ in range(400):
        data = bytearray(DUES)
        for _ in range(chance.randrange(1, 12)):
            data[chance.randrange(6, len(data))] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        read_or_refuse("a.xls", bytes(data))
