import io
import struct
import zipfile
from collections.abc import Mapping

import pymupdf
import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.iwork.iwa import Damaged, unpack_snappy
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.iwork.iwa_files import field, iwa, reference, snappy, storage, varint
from tests.unit.documents.formats.office.packages import read_or_refuse, shown, texts


def _zip(parts: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return buffer.getvalue()


def _style(name: str, parent: int = 0) -> bytes:
    return field(1, field(1, name) + (reference(3, parent) if parent else b""))


def _pages() -> bytes:
    body = storage(10, "Harbour plan\nDepths\nThe marrowfat peas\u2028grow.\ufffc\nLast", 0, [(0, 1), (13, 3), (20, 4)])
    note = storage(11, "At low tide", 2)
    header = storage(12, "page header", 1)
    styles = (1, 2022, _style("Title"), ()), (2, 2022, _style("Heading 2"), ()), (3, 2022, _style("", 2), ())
    return _zip({"Index/Document.iwa": iwa(body, note, header, *styles, (4, 2022, _style("Body"), ()))})


def _cell(kind: int, flags: int, value: bytes) -> bytes:
    return bytes((5, kind)) + bytes(6) + struct.pack("<I", flags) + value


def _decimal(digits: int, exponent: int) -> bytes:
    return (digits | (exponent + 0x1820) << 113).to_bytes(16, "little")


def _numbers() -> bytes:
    cells = [
        _cell(3, 8, struct.pack("<I", 7)),
        _cell(2, 1, _decimal(125, -1)),
        _cell(6, 2, struct.pack("<d", 1.0)),
        _cell(5, 4, struct.pack("<d", 86400.0)),
        _cell(9, 16, struct.pack("<I", 2)),
    ]
    offsets = [0]
    for cell in cells[:-1]:
        offsets.append(offsets[-1] + len(cell))
    row = field(1, 4) + field(6, b"".join(cells)) + field(7, struct.pack("<6h", *offsets, -1))
    tile = 30, 6002, field(5, row), ()
    strings = 31, 6005, field(3, field(1, 7) + field(3, "marrowfat")), ()
    rich = 32, 6005, field(3, field(1, 2) + reference(9, 33)), ()
    payload = 33, 6218, reference(1, 34), [34]
    stored = field(3, field(1, field(1, 0) + reference(2, 30)) + field(2, 256)) + reference(4, 31) + reference(17, 32)
    table = 22, 6001, field(8, "Crops") + field(4, stored), [30, 31, 32]
    sheet = 20, 2, field(1, "Beds") + reference(2, 21) + reference(2, 25), [21, 25]
    document = 1, 1, reference(1, 20), [20]
    objects = (
        document,
        sheet,
        (21, 6000, field(1, reference(11, 27) + field(13, 1)) + reference(2, 22), [22, 27]),
        table,
        tile,
        strings,
        rich,
        payload,
    )
    box = (25, 2011, b"", [26]), storage(26, "A text beside", 3)
    caption = (27, 633, b"", [28]), storage(28, "Caption", 3)
    return _zip(
        {"Index/Document.iwa": iwa(*objects, *box, *caption), "Index/Tables/a.iwa": iwa(storage(34, "rich text", 5))}
    )


def _keynote() -> bytes:
    def slide(number: int, title: str, note: str) -> bytes:
        base = number * 100
        message = reference(5, base + 1) + reference(7, base + 3) + reference(27, base + 5)
        return iwa(
            (base, 5, message, [base + 1, base + 3, base + 5]),
            (base + 1, 7, b"", [base + 2]),
            storage(base + 2, title, 3),
            (base + 3, 2011, b"", [base + 4, 900]),
            storage(base + 4, "Point one\nPoint two", 3),
            (base + 5, 15, b"", [base + 6]),
            storage(base + 6, note, 4),
        )

    show = 2, 2, field(3, reference(2, 51) + reference(2, 50)), [50, 51]
    nodes = (50, 4, reference(2, 100), [100]), (51, 4, reference(2, 200) + field(4, 1), [200])
    master = (900, 6, b"", [901]), storage(901, "Click to add text", 3)
    index = _zip(
        {
            "Document.iwa": iwa(show, *nodes),
            "Slide-1.iwa": slide(1, "Second shown", "Smile"),
            "Slide-2.iwa": slide(2, "First shown", "Breathe"),
            "MasterSlide.iwa": iwa(*master),
        }
    )
    return _zip({"Index.zip": index})


def test_pages_has_headings_by_style_and_notes_without_headers() -> None:
    document = read_document("plan.pages", _pages())
    assert shown(document) == [
        ("HEADING", 1, "Harbour plan"),
        ("HEADING", 2, "Depths"),
        ("PARAGRAPH", 0, "The marrowfat peas grow."),
        ("PARAGRAPH", 0, "Last"),
        ("QUOTE", 1, "At low tide"),
    ]
    assert (document.title, document.format) == ("Harbour plan", "word")


def test_numbers_has_sheets_and_tables_with_every_kind_of_cell() -> None:
    document = read_document("beds.numbers", _numbers())
    assert [text for _, _, text in shown(document)] == [
        "Beds",
        "Beds · Crops",
        "marrowfat\t12.5\tTRUE\t2001-01-02\trich text",
        "A text beside",
    ]
    assert document.structure.section_of(5).startswith("Beds · Crops!A5")
    assert document.format == "sheets"


def test_keynote_has_slides_in_the_order_of_the_show_with_notes() -> None:
    document = read_document("talk.key", _keynote())
    assert shown(document) == [
        ("HEADING", 2, "First shown"),
        ("PARAGRAPH", 0, "Point one"),
        ("PARAGRAPH", 0, "Point two"),
        ("QUOTE", 1, "Notes: Breathe"),
        ("HEADING", 2, "Second shown"),
        ("PARAGRAPH", 0, "Point one"),
        ("PARAGRAPH", 0, "Point two"),
        ("QUOTE", 1, "Notes: Smile"),
    ]
    assert [section.label for section in document.structure.sections] == ["Slide 1 (hidden)", "Slide 2"]


def test_iwork_09_is_read_without_its_masters() -> None:
    old = (
        '<key:presentation xmlns:key="k" xmlns:sf="s" xmlns:sfa="a"><key:master-slides><key:slide><sf:p>Click</sf:p>'
        "</key:slide></key:master-slides><!-- x --><key:slide><sf:p>Shown</sf:p><sf:ct sfa:s='Cell'/></key:slide>"
        "</key:presentation>"
    )
    assert texts("talk.key", _zip({"index.apxl": old.encode()})) == ["Shown", "Cell"]


def test_a_file_without_known_objects_is_read_from_its_preview() -> None:
    with pymupdf.open() as drawn:
        drawn.new_page().insert_text((50, 50), "Seen in the preview")
        preview = drawn.tobytes()
    assert texts("a.pages", _zip({"Index/Document.iwa": iwa(), "preview.pdf": preview})) == ["Seen in the preview"]


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({".iwpv2": b"x"}, "protected by a password"),
        ({"Index/Document.iwa": iwa()}, "contains no text"),
        ({"Index/Document.iwa": b"\1not an object file"}, "This file is damaged"),
    ],
)
def test_what_cannot_be_read_says_why(parts: Mapping[str, bytes], reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read_document("a.pages", _zip(parts))
    with pytest.raises(DocumentError, match="damaged or not a file of Pages"):
        read_document("a.pages", b"-----BEGIN PRIVATE KEY-----")
    with pytest.raises(DocumentError, match="may hold a key, and is not read"):
        read_document("a.key", b"-----BEGIN PRIVATE KEY-----\n" * 2000)


@pytest.mark.parametrize("name", ["a.pages", "a.numbers", "a.docx"])
def test_a_damaged_part_is_no_missing_text(name: str) -> None:
    part = "word/document.xml" if name == "a.docx" else "Index/Document.iwa"
    data = bytearray(_zip({part: b"<damaged>" * 90}))
    data[data.index(part.encode()) + len(part)] ^= 0xFF
    with pytest.raises(DocumentError, match="damaged"):
        read_document(name, bytes(data))


def test_what_a_damaged_part_leaves_is_read_with_a_note() -> None:
    parts = {"Index/Document.iwa": iwa(storage(1, "Harbour plan")), "Index/Other.iwa": b"<damaged>" * 90}
    data = bytearray(_zip(parts))
    data[data.index(b"Other.iwa") + 9] ^= 0xFF
    read = read_document("a.pages", bytes(data))
    assert read.text.strip() == "Harbour plan"
    assert read.partial == "A part of this file is damaged and was left out."


def test_snappy_blocks_of_every_kind_of_copy_are_unpacked() -> None:
    assert unpack_snappy(snappy(b"abcdabcdabcdabcdxyz")) == b"abcdabcdabcdabcdxyz"
    long = bytes((60 << 2, 69)) + b"x" * 70
    assert unpack_snappy(varint(80) + long + bytes((9 << 2 | 2, 1, 0))) == b"x" * 80
    assert unpack_snappy(varint(80) + long + bytes((9 << 2 | 3, 70, 0, 0, 0))) == b"x" * 80
    for lie in (varint(5) + b"\0a", varint(5) + b"\1\xff", varint(9) + b"\0a\2\0\0", b"\xff" * 11):
        with pytest.raises(Damaged):
            unpack_snappy(lie)


def test_loops_lies_and_damage_end_in_a_text_or_a_reason() -> None:
    loop = iwa(*((number, 2011, b"", [number % 50 + 1, 7]) for number in range(1, 51)))
    read_or_refuse("a.numbers", _zip({"Index/a.iwa": loop}))
    bomb = varint(1 << 31) + b"\0a" + bytes((0xFE, 1, 0)) * 50_000
    read_or_refuse("a.pages", _zip({"Index/a.iwa": b"\0" + struct.pack("<I", len(bomb))[:3] + bomb}))
    for name, data in (("a.pages", _pages()), ("a.numbers", _numbers()), ("a.key", _keynote())):
        for at in range(0, len(data), 7):
            read_or_refuse(name, data[:at] + bytes((data[at] ^ 0x55,)) + data[at + 1 :])
        for at in range(0, len(data), 40):
            read_or_refuse(name, data[:at])
