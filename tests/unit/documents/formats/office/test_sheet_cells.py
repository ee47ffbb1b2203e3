"""Values as a sheet shows them: number formats, formulas without a value, merged and far cells."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.number_formats import parse_format_code
from desktop_rag.documents.formats.office.sheet_lines import names_columns

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(sheet: str, prefix: str = "", styles: str = "", calculation: str = "") -> bytes:
    """Return a workbook of one sheet; its elements may have a prefix, as some programs write them."""
    name = f":{prefix}" if prefix else ""
    begin = f"{prefix}:" if prefix else ""
    for tag in ("worksheet", "sheetData", "row", "c", "v", "f", "is", "t", "mergeCells", "mergeCell"):
        sheet = sheet.replace(f"<{tag}>", f"<{begin}{tag}>").replace(f"<{tag} ", f"<{begin}{tag} ")
        sheet = sheet.replace(f"</{tag}>", f"</{begin}{tag}>")
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kinds = (("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "styles", "styles.xml"))
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
        'sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r" Type="{_RELATIONS}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets><sheet name="S" sheetId="1" '
        f'r:id="rId1"/></sheets>{calculation}</workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{relations}">'
        + "".join(f'<Relationship Id="{i}" Type="{_RELATIONS}/{kind}" Target="{to}"/>' for i, kind, to in kinds)
        + "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{styles}</styleSheet>',
        "xl/worksheets/sheet1.xml": sheet.replace(f"<{begin}worksheet>", f'<{begin}worksheet xmlns{name}="{_MAIN}">'),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, text in parts.items():
            archive.writestr(path, text)
    return stream.getvalue()


def lines(sheet: str, prefix: str = "", styles: str = "", calculation: str = "") -> list[str]:
    return read_document("a.xlsx", workbook(sheet, prefix, styles, calculation)).text.split("\n")


def text(place: str, words: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{words}</t></is></c>'


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("[<1.2.3]0;0.0", 7, "7"),
        ('0.0,,"M"', 12_500_000, "12.5M (12500000)"),
        ('0.00,," Mio. €"', 1_234_567, "1.23 Mio. € (1234567)"),
        ('"Paid";;"Open"', 1, "Paid"),
        ('"Paid";;"Open"', 0, "Open"),
        ('[=1]"Ja";[=0]"Nein"', 0, "Nein"),
        ("[<=9999999]###-####;(###) ###-####", 5_551_234_567, "(555) 123-4567"),
        ("[<=9999999]###-####;(###) ###-####", 1_234_567, "123-4567"),
        ('General" pcs"', 3, "3 pcs"),
        ("0.00", 10.155, "10.16 (10.155)"),
        ("0.00", 1.005, "1.01 (1.005)"),
        ("0%", 0.285, "29% (28.5%)"),
        ("0%", 1.065, "107% (106.5%)"),
        ("0.0%", 0.075, "7.5%"),
        ("0", 2.5, "3 (2.5)"),
        ("$#,##0", 107_310.5, "$107,311 (107310.5)"),
        ("$#,##0.00", 1_234.5, "$1,234.50"),
        ("#,##0.00;(#,##0.00)", -1_234.5, "(1,234.50)"),
        ("#,##0;-#,##0", -42, "-42"),
        ("0.00", -3.14159, "-3.14 (-3.14159)"),
        ("0.00", 100 / 3, "33.33"),
        ("0", 1 / 3, "0 (0.333333333333333)"),
        ("00000", 42, "00042"),
        ("#,##0", 1_000_000, "1,000,000"),
        ("0.##", 2, "2"),
        ("#", 0, "0"),
        ("# ?/?", 2.5, "2 1/2 (2.5)"),
        ("# ?/?", 0.75, "3/4 (0.75)"),
        ("?/8", 1.5, "12/8 (1.5)"),
        ("# ??/16", 2.999, "3 (2.999)"),
        ('# ?/? "cup"', 0.5, "1/2 cup (0.5)"),
        ("0.00E+00", 12_345_678, "1.23E+07 (12345678)"),
        ("0.0E+0", -0.000995, "-1.0E-3 (-0.000995)"),
        ("##0.0E+0", 45_600, "45.6E+3 (45600)"),
        ('0" km/h"', 90, "90 km/h"),
        ("[$CHF-807] #,##0.00", 1_234.5, "CHF 1,234.50"),
        ("#,##0.00 [$€-407]", 1_234.5, "1,234.50 €"),
        ("0.00;[Red]0.00", -1_500, "1500.00 (-1500)"),
        ("[Blue]0;[Red](0)", -7, "(7)"),
        ("mm:ss", 4_111_111_111_111_111, "4111111111111111"),
    ],
)
def test_a_number_is_shown_as_spreadsheets_show_it(code: str, value: float, shown: str) -> None:
    form = parse_format_code(code)
    assert form is not None
    assert form.format(value) == shown


@given(st.floats(), st.text('0#?.,%;"$@ []<>=-_*E\\', max_size=30))
def test_any_number_is_shown_in_any_format(value: float, code: str) -> None:
    form = parse_format_code(code)
    assert form is None or isinstance(form.format(value), str)


@pytest.mark.parametrize("code", ["General", "yyyy-mm-dd", "d/m/yy", "", "@"])
def test_other_formats_are_left_to_the_value(code: str) -> None:
    assert parse_format_code(code) is None


def test_a_text_has_what_its_format_puts_around_it() -> None:
    form = parse_format_code('"Lot "@')
    assert form is not None
    assert form.format_text("12") == "Lot 12"


def test_times_with_seconds_and_long_numbers_are_not_cut() -> None:
    codes = ("mm:ss", "[mm]:ss", "h:mm")
    formats = "".join(f'<numFmt numFmtId="{170 + at}" formatCode="{code}"/>' for at, code in enumerate(codes))
    kinds = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 170, 171, 172, 45))
    cells = "".join(
        f'<c r="{place}" s="{style}"><v>{value}</v></c>'
        for place, style, value in (
            ("A1", 1, 0.5 / 24),
            ("B1", 2, 1.5 / 24),
            ("C1", 3, 0.5),
            ("D1", 4, 0.5 / 24),
            ("E1", 0, 4111111111111111),
        )
    )
    styles = f"<numFmts>{formats}</numFmts><cellXfs>{kinds}</cellXfs>"
    found = lines(f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>', styles=styles)
    assert "00:30:00\t1:30:00\t12:00\t00:30:00\t4111111111111111" in found


def test_a_formula_without_a_value_says_so() -> None:
    cells = (
        f'{text("A1", "Hull")}<c r="B1"><v>1000</v></c><c r="C1"><f>B1*0.24</f><v></v></c><c r="D1"><f>B1+C1</f></c>'
    )
    found = lines(f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>')
    assert "Hull\t1000\t=B1*0.24 (no stored value)\t=B1+C1 (no stored value)" in found


def test_a_result_of_zero_is_none_where_all_is_calculated_on_opening() -> None:
    cells = '<c r="A1"><f>B2*2</f><v>0</v></c><c r="B1"><f>B2*3</f><v>90</v></c>'
    sheet = f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    assert "0\t90" in lines(sheet)
    assert "=B2*2 (no stored value)\t90" in lines(sheet, calculation='<calcPr fullCalcOnLoad="1"/>')


MERGED = (
    f'<worksheet><sheetData><row r="1">{text("A1", "Region")}{text("B1", "2023")}<c r="C1"/>{text("D1", "Sum")}</row>'
    f'<row r="2"><c r="A2"/>{text("B2", "H1")}{text("C2", "H2")}<c r="D2"/></row>'
    f'<row r="3">{text("A3", "North")}<c r="B3"><v>10</v></c><c r="C3"><v>11</v></c><c r="D3"><v>70</v></c></row>'
    '<row r="4"><c r="A4"/><c r="B4"><v>20</v></c><c r="C4"><v>29</v></c><c r="D4"/></row></sheetData><mergeCells>'
    '<mergeCell ref="A1:A2"/><mergeCell ref="A3:A4"/><mergeCell ref="B1:C1"/><mergeCell ref="D3:D4"/></mergeCells>'
    "</worksheet>"
)


def test_merged_texts_belong_to_all_their_cells_and_numbers_to_one() -> None:
    found = lines(MERGED)
    assert [line for line in found if "\t" in line] == [
        "Region\t2023\t2023\tSum",
        "Region\tH1\tH2",
        "North\t10\t11\t70",
        "North\t20\t29",
    ]


def test_merged_years_belong_to_their_columns() -> None:
    sheet = MERGED.replace(text("B1", "2023"), '<c r="B1"><v>2023</v></c>')
    assert "Region\t2023\t2023\tSum" in lines(sheet)


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (("Item", "Price"), ("Hull", "900"), True),
        (("Region", "2023"), ("North", "10"), True),
        (("Invoice 1", "Paid"), ("Invoice 2", "Open"), False),
        (("Region", "2023"), ("Plan", "2024"), False),
        (("Sum", "Sum"), ("1", "2"), False),
        (("Hull", "900"), ("Mast", "80"), False),
    ],
)
def test_a_row_names_columns_where_that_is_certain(
    first: tuple[str, str], second: tuple[str, str], *, names: bool
) -> None:
    assert names_columns(first, second) == names


def test_cells_with_a_prefix_keep_their_formats() -> None:
    styles = (
        '<numFmts><numFmt numFmtId="200" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="10"/><xf numFmtId="200"/></cellXfs>'
    )
    cells = '<c r="A1" s="1"><v>0.125</v></c><c r="B1" s="2"><v>42</v></c>'
    sheet = f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    assert "12.50%\t00042" in lines(sheet, "x", styles)


@pytest.mark.parametrize("prefix", ["", "x"])
def test_a_far_cell_does_not_take_the_sheet_with_it(prefix: str) -> None:
    rows = "".join(f'<row r="{n}">{text(f"A{n}", f"Boat {n}")}<c r="B{n}"><v>{n}00</v></c></row>' for n in range(1, 4))
    far = f'<row r="100000">{text("GS100000", "stray")}</row>'
    sheet = f"<worksheet><sheetData>{rows}{far}</sheetData></worksheet>"
    document = read_document("a.xlsx", workbook(sheet, prefix))
    assert "Boat 2\t200" in document.text
    assert "far from the others" in document.partial
