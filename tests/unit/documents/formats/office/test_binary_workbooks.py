"""Workbooks of records (.xlsb): number formats, hidden rows and columns, merged cells; the files are written here."""

import io
import struct
import zipfile

from tests.unit.documents.formats.office.packages import relations, texts

_MAIN = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"


def record(kind: int, data: bytes = b"") -> bytes:
    """Return a record; kind and length have seven bits a byte."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length = len(data)
    size = bytes([length]) if length < 0x80 else bytes([length & 0x7F | 0x80, length >> 7])
    return head + size + data


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def row(number: int, *cells: bytes, hidden: bool = False) -> bytes:
    return record(0, struct.pack("<IIHBBBI", number, 0, 300, 0, 0x10 if hidden else 0, 0, 0)) + b"".join(cells)


def text(column: int, words: str) -> bytes:
    return record(6, struct.pack("<II", column, 0) + wide(words))


def number(column: int, value: float, style: int = 0) -> bytes:
    return record(5, struct.pack("<IId", column, style, value))


def workbook(sheet: bytes, styles: bytes) -> bytes:
    main = record(131) + record(143) + record(156, struct.pack("<II", 0, 1) + wide("rId1") + wide("Sales"))
    parts = {
        "[Content_Types].xml": b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        + f'<Override PartName="/xl/workbook.bin" ContentType="{_MAIN}"/></Types>'.encode(),
        "_rels/.rels": relations(officeDocument="xl/workbook.bin").encode(),
        "xl/workbook.bin": main + record(144) + record(132),
        "xl/_rels/workbook.bin.rels": relations(
            rId1__worksheet="worksheets/sheet1.bin", rId2__styles="styles.bin"
        ).encode(),
        "xl/worksheets/sheet1.bin": record(129)
        + record(148, struct.pack("<4I", 0, 9, 0, 3))
        + record(145)
        + sheet
        + record(146)
        + record(130),
        "xl/styles.bin": record(278) + styles + record(279),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return buffer.getvalue()


def test_cells_look_as_in_other_workbooks() -> None:
    code = '0.0,,"M"'
    styles = record(615, struct.pack("<I", 1)) + record(44, struct.pack("<H", 164) + wide(code)) + record(616)
    ignored = record(626) + record(47, struct.pack("<HH", 0, 9) + bytes(12)) + record(627)
    cells = b"".join(record(47, struct.pack("<HH", 0, form) + bytes(12)) for form in (0, 10, 164))
    sheet = (
        row(0, text(0, "Share"), number(1, 0.075, 1))
        + row(1, text(0, "Sales"), number(1, 12_500_000, 2))
        + row(2, text(0, "Berths"), number(1, 7), hidden=True)
        + row(4, text(0, "North"), text(1, "a"))
        + row(5, text(1, "b"))
    )
    merged = record(177, struct.pack("<I", 1)) + record(176, struct.pack("<4I", 4, 5, 0, 0)) + record(178)
    data = workbook(sheet + merged, styles + ignored + record(617, struct.pack("<I", 3)) + cells + record(618))
    assert texts("a.xlsb", data) == [
        "Sales",
        "Share\t7.50%",
        "Sales\t12.5M (12500000)",
        "[hidden: Berths]\t[hidden: 7]",
        "North\ta",
        "North\tb",
    ]
