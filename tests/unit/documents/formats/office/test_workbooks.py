import io
import zipfile
from datetime import date, datetime, time, timedelta

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.hidden.hidden_cells import hidden_cells
from desktop_rag.documents.formats.office.number_formats import Value, format_value, parse_format_code
from desktop_rag.documents.formats.office.sheet_lines import column_name
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import ole_with_password, pack, relations, shown, texts

_X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_STYLES = f"""<styleSheet {_X}><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>"""


def _text(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _number(place: str, number: float, style: int = 0) -> str:
    return f'<c r="{place}" s="{style}"><v>{number}</v></c>'


def _xlsx(*sheets: str, **parts: str) -> bytes:
    named = {f"s{number}__worksheet": f"worksheets/{number}.xml" for number in range(len(sheets))}
    listed = "".join(
        f'<sheet name="Part {number}" sheetId="{number + 1}" r:id="s{number}"/>' for number in range(len(sheets))
    )
    return pack(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(officeDocument="xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {_X} {_R}><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(styles="styles.xml", **named),
            "xl/styles.xml": _STYLES,
            "xl/worksheets/_rels/0.xml.rels": relations(comments="../comments.xml", drawing="../drawing.xml"),
            **{
                f"xl/worksheets/{number}.xml": f"<worksheet {_X}><sheetData>{rows}</sheetData></worksheet>"
                for number, rows in enumerate(sheets)
            },
            **{f"xl/{name}.xml": text for name, text in parts.items()},
        }
    )


def _row(number: int, cells: str) -> str:
    return f'<row r="{number}">{cells}</row>'


def test_rows_know_their_cells_and_the_first_one_names_the_columns() -> None:
    document = read_document(
        "a.xlsx",
        _xlsx(
            _row(5, _text("B5", "Name") + _text("C5", "Rent"))
            + _row(6, _text("B6", "Anna") + _number("C6", 900))
            + _row(9, _text("D9", "apart")),
            _row(1, _text("A1", "other")),
        ),
    )
    assert shown(document) == [
        ("HEADING", 2, "Part 0"),
        ("ROW", 1, "Name\tRent"),
        ("ROW", 0, "Anna\t900"),
        ("ROW", 0, "\t\tapart"),
        ("HEADING", 2, "Part 1"),
        ("ROW", 0, "other"),
    ]
    assert [document.structure.section_of(line) for line in (1, 3, 4, 6, 8)] == [
        "Part 0",
        "Part 0!B5:C5",
        "Part 0!B6:C6",
        "Part 0!B9:D9",
        "Part 1",
    ]


def test_numbers_are_shown_in_the_format_of_their_cell() -> None:
    cells = _number("A1", 45352, 1) + _number("B1", 0.5, 2) + _number("C1", -1234.5, 3) + _number("D1", 1.5)
    assert texts("a.xlsx", _xlsx(_row(1, cells)))[1:] == ["2024-03-01\t50%\t-1,234.50 €\t1.5"]


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        ("00000", 815, "00815"),
        ('"No. "0', 7, "No. 7"),
        ("0.0#", 2.5, "2.5"),
        ("#,##0;[Red]-#,##0", -1234, "-1,234"),
        ("$#,##0.00_)", 5, "$5.00"),
        ("0.00E+00", 12345, "1.23E+04 (12345)"),
        ("# ?/?", 0.5, "1/2 (0.5)"),
        ("General", 0.1 + 0.2, "0.3"),
    ],
)
def test_format_codes_are_understood_or_left_alone(code: str, value: float, expected: str) -> None:
    assert format_value(value, parse_format_code(code)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, 14, 5), "2024-03-01 14:05"),
        (date(2024, 3, 1), "2024-03-01"),
        (time(7, 30, 5), "07:30:05"),
        (timedelta(hours=30, minutes=2), "30:02"),
        (timedelta(hours=-28, minutes=-48), "-28:48"),
        (True, "TRUE"),
        (12.0, "12"),
    ],
)
def test_dates_and_booleans_have_a_fixed_format(value: Value, expected: str) -> None:
    assert format_value(value) == expected


def test_columns_have_letters() -> None:
    assert [column_name(index) for index in (0, 25, 26, 701, 702, 16383)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]


def test_comments_follow_the_sheet_and_name_their_cell() -> None:
    comments = (
        f'<comments {_X}><commentList><comment ref="B2"><text><r><t>Sure?</t></r></text></comment></commentList>'
        "</comments>"
    )
    assert texts("a.xlsx", _xlsx(_row(1, _text("A1", "x")), comments=comments))[-1] == "Comment on B2: Sure?"


def test_text_boxes_follow_the_sheet() -> None:
    x = "http://schemas.openxmlformats.org/drawingml/2006"
    drawing = (
        f'<d:wsDr xmlns:d="{x}/spreadsheetDrawing" xmlns:a="{x}/main"><d:twoCellAnchor><d:sp><d:txBody>'
        "<a:p><a:r><a:t>Fees were </a:t></a:r><a:r><a:t>raised.</a:t></a:r></a:p>"
        "<a:p><a:r><a:t>In May.</a:t></a:r></a:p>"
        "</d:txBody></d:sp></d:twoCellAnchor></d:wsDr>"
    )
    assert (
        texts("a.xlsx", _xlsx(_row(1, _text("A1", "x")), drawing=drawing))[-1] == "Text box: Fees were raised. In May."
    )


def test_printed_headers_follow_the_sheet_without_their_codes() -> None:
    margins = '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Harbour &amp;&amp; Sons&amp;R&amp;D</oddHeader>'
    data = _xlsx(
        _row(1, _text("A1", "x"))
        + f"</sheetData>{margins}<oddFooter>&amp;P / &amp;N</oddFooter></headerFooter><sheetData>"
    )
    assert texts("a.xlsx", data) == ["Part 0", "x", "Harbour & Sons"]


def test_a_section_of_a_long_sheet_covers_several_rows() -> None:
    rows = "".join(_row(number, _number(f"A{number}", number)) for number in range(1, 6001))
    document = read_document("a.xlsx", _xlsx(rows))
    assert len(document.structure.sections) == 1501
    assert document.structure.sections[-1].label == "Part 0!A5997:A6000"


def test_a_sparse_sheet_is_not_allocated_as_a_rectangle() -> None:
    rows = _row(1, _text("A1", "near")) + _row(1048576, _text("XFD1048576", "far"))
    document = read_document("a.xlsx", _xlsx(rows, _row(1, _text("A1", "kept"))))
    assert texts("a.xlsx", _xlsx(rows, _row(1, _text("A1", "kept")))) == ["Part 1", "kept"]
    assert "are too far apart" in document.partial


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (ole_with_password(), "This file is protected by a password."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
            + bytes(504)
            + b"\x09\x08\x10\x00\x00\x06"
            + bytes(14)
            + b"\x2f\x00\x06",
            "This file is protected by a password.",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"\x09\x08\x08\x00\x00\x05" + bytes(6) + b"\x2f\x00\x04",
            "This file is protected by a password.",
        ),
        (b"PK\x03\x04", "This file is damaged or not a workbook."),
        (_xlsx(""), "This file contains no text."),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document("a.xlsx", data)
    assert str(refused.value) == reason


@pytest.mark.parametrize("relation", ["rId9", ""])
def test_a_sheet_without_a_part_costs_itself_not_the_file(relation: str) -> None:
    listed = f'<sheet name="Module" sheetId="9" r:id="{relation}"/></sheets>'
    data = _xlsx(_row(1, _text("A1", "kept")))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace("</sheets>", listed)
    document = read_document("a.xlsx", pack(parts))
    assert [line.text for line in document.lines() if line.text] == ["Part 0", "kept"]
    assert document.partial == "The sheet Module cannot be read; it was left out."


def test_a_workbook_that_declares_entities_is_refused() -> None:
    data = _xlsx(_row(1, _text("A1", "x")), extra='<!DOCTYPE a [<!ENTITY b "c">]><a/>')
    with pytest.raises(DocumentError, match="declares XML entities"):
        read_document("a.xlsx", data)


def test_cells_that_are_hidden_are_found_in_a_long_sheet() -> None:
    """lxml reads ahead of its events: what is cleared before its end corrupts the memory of the process."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = "".join(f'\n<c r="{name}{{0}}" s="1"><f>A{{0}}+1</f><v>{{0}}</v></c>\n' for name in "ABCDEFGHIJKL")
    rows = "".join(f'<row r="{number}" ht="12">{cells.format(number)}</row>\n' for number in range(1, 3_001))
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode()
    for _ in range(3):
        assert len(hidden_cells(sheet, frozenset("1")).cells) == 36_000
