"""Values that other programs read wrongly: what a reader sees is what the text says."""

import io
import struct
import zipfile

import pymupdf
import pytest

from desktop_rag.documents.format_registry import read_document
from tests.unit.documents.formats.office import test_xls_records as xls
from tests.unit.documents.formats.office.packages import pack, relations, texts
from tests.unit.documents.formats.office.test_sheet_cells import text, workbook

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (("The deposit is 320", "1", " euros."), "The deposit is 320¹ euros."),
        (("The fee is $5,000", "3", " a year."), "The fee is $5,000³ a year."),
        (("It holds 4.1 x 10", "9", " litres."), "It holds 4.1 x 10⁹ litres."),
        (("It opened in 1998", "12", "."), "It opened in 1998¹²."),
    ],
)
def test_marks_and_exponents_of_a_pdf(pieces: tuple[str, ...], shown: str) -> None:
    page = (document := pymupdf.open()).new_page()
    x = 72.0
    for number, piece in enumerate(pieces):
        size = 7 if number == 1 else 12
        page.insert_text((x, 100 - 4 * (number == 1)), piece, fontsize=size)
        x += pymupdf.get_text_length(piece, fontsize=size)
    assert read_document("a.pdf", document.tobytes()).text == shown


def test_a_page_with_marks_deletions_and_a_form() -> None:
    page = (
        "<main><p>10<sup>6</sup> units at 4,310<sup><a href='#n'>2</a></sup> euros; 2<sup>8</sup> = 256</p>"
        "<p>It costs <del>1,200</del> <ins>1,450</ins> crowns, notice <s>two</s> three months.</p><form>"
        "<input type=checkbox checked>Insured <input type=checkbox>Leased <select><option>Oak<option selected>Alder"
        "</select></form></main>"
    )
    assert [line for line in read_document("a.html", page.encode()).text.split("\n") if line] == [
        "10⁶ units at 4,310² euros; 2⁸ = 256",
        "It costs [deleted: 1,200] 1,450 crowns, notice [deleted: two] three months.",
        "☑ Insured ☐ Leased Alder",
    ]


def test_symbols_of_word_and_rich_text() -> None:
    signs = (
        ("Wingdings", "F0FE", " Insured "),
        ("Wingdings", "F0A8", " Leased 5 "),
        ("Symbol", "F0B0", "C, 3 "),
        ("Symbol", "F06D", "g, "),
        ("Symbol", "F0B3", " 12 m, "),
        ("Symbol", "F0A3", " 4 %"),
    )
    runs = "".join(
        f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r><w:r><w:t xml:space="preserve">{after}</w:t></w:r>'
        for font, code, after in signs
    )
    body = f"<w:document {_W}><w:body><w:p>{runs}</w:p></w:body></w:document>"
    parts = {"_rels/.rels": relations(officeDocument="word/document.xml"), "word/document.xml": body}
    assert texts("a.docx", pack(parts)) == ["☑ Insured ☐ Leased 5 °C, 3 μg, ≥ 12 m, ≤ 4 %"]
    fonts = rb"{\fonttbl{\f0 Arial;}{\f3\fcharset2 Symbol;}}"
    rich = rb"{\rtf1%b10\super 6\nosupersub  units, {\f3 b}-carotene, {\f3\'b3} 12}" % fonts
    assert read_document("a.rtf", rich).text == "10⁶ units, β-carotene, ≥ 12"


def test_the_chart_of_a_sheet_is_read() -> None:
    sheet = f"<worksheet><sheetData><row r='1'>{text('A1', 'Nuts')}</row></sheetData></worksheet>"
    words = f'<a:p xmlns:a="{_DRAWING}"><a:r><a:t>Harvest of almonds</a:t></a:r></a:p>'
    title = f"<c:title><c:tx><c:rich>{words}</c:rich></c:tx></c:title>"
    value = "<c:val><c:numLit><c:pt idx='0'><c:v>7</c:v></c:pt></c:numLit></c:val>"
    series = f"<c:plotArea><c:ser><c:tx><c:v>walnut</c:v></c:tx>{value}</c:ser></c:plotArea>"
    chart = f'<c:chartSpace xmlns:c="{_CHART}"><c:chart>{title}{series}</c:chart></c:chartSpace>'
    stream = io.BytesIO(workbook(sheet))
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("xl/worksheets/_rels/sheet1.xml.rels", relations(drawing="../drawings/d.xml"))
        package.writestr("xl/drawings/d.xml", "<d/>")
        package.writestr("xl/drawings/_rels/d.xml.rels", relations(chart="../charts/c.xml"))
        package.writestr("xl/charts/c.xml", chart)
    assert texts("a.xlsx", stream.getvalue()) == ["S", "Nuts", "Harvest of almonds", "\twalnut", "\t7"]


def test_formats_and_hidden_rows_of_an_old_workbook() -> None:
    codes = ("0.0%", "$#,##0.00", '0.0,,"M"', "00000", "0.00", '"Yes";;"No"')
    values = (0.075, 1_234.5, 12_500_000, 1_234, 2.675, 1)
    looks = b"".join(
        xls.record(0x041E, struct.pack("<HHB", 164 + number, len(code), 0) + code.encode())
        for number, code in enumerate(codes)
    )
    looks += b"".join(xls.record(0xE0, struct.pack("<2H", 0, 164 + number) + bytes(16)) for number in range(len(codes)))
    sheet = xls.record(0x0208, struct.pack("<6HI", len(codes), 0, 1, 300, 0, 0, 0x20))
    sheet += b"".join(xls.record(0x0203, struct.pack("<3Hd", row, 0, row, value)) for row, value in enumerate(values))
    sheet += xls.record(0x0203, struct.pack("<3Hd", len(codes), 0, 0, 0.5))
    assert texts("a.xls", xls.workbook(looks, S=sheet))[1:] == [
        "7.5%",
        "$1,234.50",
        "12.5M (12500000)",
        "01234",
        "2.68 (2.675)",
        "Yes",
        "[hidden: 50.0%]",
    ]
