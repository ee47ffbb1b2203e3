"""Comments and text boxes of .xls files, and what is too much for calamine; the files are written here."""

import io
import random
import struct
from contextlib import closing

import olefile
import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office import workbooks
from desktop_rag.documents.formats.office.binary.xls_records import Note, XlsRecords, ole_file
from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.stop import Stop
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import texts

_BEGIN, _END, _CONTINUE, _SHEET, _NOTE, _OBJECT, _TEXT, _LABEL = 0x809, 0xA, 0x3C, 0x85, 0x1C, 0x5D, 0x1B6, 0x204
_BOX, _COMMENT = 6, 0x19


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def begin(kind: int) -> bytes:
    return record(_BEGIN, struct.pack("<HHHHII", 0x600, kind, 0x2000, 1997, 0, 6))


def label(row: int, column: int, text: str) -> bytes:
    return record(_LABEL, struct.pack("<HHHHB", row, column, 0, len(text), 1) + text.encode("utf-16-le"))


def drawn(kind: int, number: int, *pieces: str) -> bytes:
    """Return an object with a text in pieces; each has one byte or two for a character, as it needs."""
    wide = [not piece.isascii() for piece in pieces]
    coded = zip(pieces, wide, strict=True)
    parts = (bytes([two]) + piece.encode("utf-16-le" if two else "latin-1") for piece, two in coded)
    head = struct.pack("<HHHH", 0x15, 0x12, kind, number) + bytes(14)
    text = bytes(10) + struct.pack("<HHI", sum(map(len, pieces)), 16, 0)
    runs = record(_CONTINUE, bytes(16))
    return record(_OBJECT, head) + record(_TEXT, text) + b"".join(record(_CONTINUE, part) for part in parts) + runs


def note(row: int, column: int, number: int) -> bytes:
    return record(_NOTE, struct.pack("<HHHH", row, column, 0, number) + bytes(4))


def workbook(looks: bytes = b"", **sheets: bytes) -> bytes:
    """Return an .xls file of sheets with these records; `looks` are formats and styles of cells."""
    bodies = [begin(0x10) + body + record(_END) for body in sheets.values()]
    heads = [struct.pack("<BB", len(name), 0) + name.encode("latin-1") for name in sheets]
    place = len(begin(5) + looks) + sum(len(record(_SHEET, bytes(6) + head)) for head in heads) + len(record(_END))
    listed = b""
    for head, body in zip(heads, bodies, strict=True):
        listed += record(_SHEET, struct.pack("<IH", place, 0) + head)
        place += len(body)
    return ole({"Workbook": begin(5) + looks + listed + record(_END) + b"".join(bodies)})


MOORINGS = (
    label(0, 0, "Berth")
    + label(1, 0, "North quay")
    + drawn(_BOX, 1, "Fees were raised in May.")
    + drawn(_COMMENT, 2, "Ada:\n", "Žofie ", "paid it.")
    + drawn(_COMMENT, 3, "First seen.")
    + note(1, 27, 2)
    + note(0, 0, 3)
)


def test_comments_name_their_cell_and_text_boxes_follow() -> None:
    assert texts("a.xls", workbook(Moorings=MOORINGS, Crew=label(0, 0, "Skipper"))) == [
        "Moorings",
        "Berth",
        "North quay",
        "Comment on A1: First seen.",
        "Comment on AB2: Ada: Žofie paid it.",
        "Text box: Fees were raised in May.",
        "Crew",
        "Skipper",
    ]


def test_a_sheet_with_comments_only_is_read() -> None:
    assert texts("a.xls", workbook(Notes=drawn(_COMMENT, 1, "Alone.") + note(4, 2, 1))) == ["Comment on C5: Alone."]


def test_a_panic_of_calamine_costs_a_sheet_not_the_file() -> None:
    data = bytearray(workbook(First=label(0, 0, "Berth"), Broken=label(0, 0, "Lost"), Last=label(0, 0, "Skipper")))
    at = data.index(b"Broken") - 8
    data[at : at + 4] = struct.pack("<I", 0x7FFFFFF0)
    with pytest.raises(workbooks.CalaminePanic):
        workbooks._opened(bytes(data))
    document = read_document("a.xls", bytes(data))
    assert [line.text for line in document.lines() if line.text] == ["First", "Berth", "Last", "Skipper"]
    assert document.partial == "The sheet Broken cannot be read; it was left out."


@pytest.mark.processes
def test_a_circle_of_sectors_is_not_followed_for_ever() -> None:
    data = bytearray(workbook(Crew=label(0, 0, "Skipper")))
    directory = struct.unpack_from("<I", data, 48)[0]
    struct.pack_into("<I", data, len(data) - 512 + 4 * directory, directory)  # follows itself in the table at the end
    with closing(ReaderChild()) as child:
        document = child.read(io.BytesIO(data), "a.xls", len(data), Stop())
    assert [line.text for line in document.lines() if line.text] == ["Crew", "Skipper"]


def test_a_workbook_is_read_whose_last_sector_is_cut_off() -> None:
    assert texts("a.xls", workbook(Crew=label(0, 0, "Skipper"))[:-100]) == ["Crew", "Skipper"]


@pytest.mark.parametrize(
    "size", [0, 4096, 4097, 1022 * 4096, 1023 * 4096, 9_000_000]
)  # one sector of the table lists 1024
def test_a_stream_in_a_file_of_its_own_is_unchanged(size: int) -> None:
    stream = random.Random(size).randbytes(size)
    ole = olefile.OleFileIO(io.BytesIO(ole_file("Workbook", stream)))
    assert ole.openstream(["Workbook"]).read() == stream.ljust(4096, b"\0")


def test_a_stream_of_more_sectors_than_a_header_lists_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        ole_file("Workbook", bytes(109 * 1024 * 4096))


def test_a_panic_while_a_sheet_is_read_keeps_what_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        """As of pyo3, which has no name for it that could be imported."""

    def rows(*_: object) -> object:
        yield 1, ["Berth"]
        raise PanicException("index out of bounds")

    monkeypatch.setattr(workbooks, "_rows", rows)
    document = read_document("a.xls", workbook(First=label(0, 0, "Berth"), Second=label(0, 0, "Other")))
    assert [line.text for line in document.lines() if line.text] == ["First", "Berth", "Second", "Berth"]
    assert document.partial == "The sheet Second is damaged; only a part of it was read."


def test_another_exception_of_that_kind_is_no_panic(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(workbooks, "_rows", rows)
    with pytest.raises(KeyboardInterrupt):
        read_document("a.xls", workbook(First=label(0, 0, "Berth")))


@pytest.mark.parametrize("data", [b"", b"text", bytes(600), ole({"Workbook": b"\x09\x08"}), ole({"Book": bytes(90)})])
def test_what_is_no_workbook_has_no_sheets(data: bytes) -> None:
    assert XlsRecords(data).sheets == ()


def test_damage_ends_in_notes_or_none() -> None:
    choose = random.Random(16)
    whole = workbook(Moorings=MOORINGS, Crew=label(0, 0, "Skipper"))
    notes = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(choose.randrange(1, 6)):
            data[choose.randrange(512, len(data))] = choose.randrange(256)
        records = XlsRecords(bytes(data))
        for sheet in records.sheets:
            notes += sum(isinstance(each, Note) for each in records.notes(sheet))
            assert [kept.name for kept in XlsRecords(records.with_only(sheet)).sheets] == [sheet.name]
    assert notes > 400


def test_numbers_have_the_format_of_their_cell_and_hidden_rows_are_marked() -> None:
    def number(row: int, style: int, value: float) -> bytes:
        return record(0x203, struct.pack("<3Hd", row, 1, style, value))

    code = '0.0,,"M"'
    looks = record(0x41E, struct.pack("<HHB", 164, len(code), 0) + code.encode()) + b"".join(
        record(0xE0, struct.pack("<HH", 0, form) + bytes(16)) for form in (0, 10, 164)
    )
    rows = number(0, 1, 0.075) + number(1, 2, 12_500_000) + number(2, 0, 7)
    names = label(0, 0, "Share") + label(1, 0, "Sales") + label(2, 0, "Berths")
    hidden = record(0x208, struct.pack("<6HI", 2, 0, 2, 255, 0, 0, 0x20))
    merged = (
        record(0xE5, struct.pack("<5H", 1, 4, 5, 0, 0)) + label(4, 0, "North") + label(4, 1, "a") + label(5, 1, "b")
    )
    assert texts("a.xls", workbook(looks, Moorings=hidden + names + rows + merged)) == [
        "Moorings",
        "Share\t7.50%",
        "Sales\t12.5M (12500000)",
        "[hidden: Berths]\t[hidden: 7]",
        "North\ta",
        "North\tb",
    ]
