"""Raised and lowered figures and struck-out text by styles, in cells, and in the binary formats."""

import io
import struct
import zipfile
from xml.sax.saxutils import quoteattr

import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.binary.ppt import _with_places
from desktop_rag.documents.formats.office.binary.word97 import Word97File
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office import test_binary_workbooks as xlsb
from tests.unit.documents.formats.office import test_xls_records as xls
from tests.unit.documents.formats.office.packages import pack, relations, texts
from tests.unit.documents.formats.office.test_sheet_cells import text, workbook
from tests.unit.documents.formats.office.test_word95 import PLAIN, page, stream

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "style", "table", "chart", "drawing", "form")
)


def docx(body: str, styles: str) -> bytes:
    return pack(
        {
            "_rels/.rels": relations(officeDocument="word/document.xml"),
            "word/_rels/document.xml.rels": relations(styles="styles.xml"),
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
        }
    )


def odf(body: str, styles: str = "", kind: str = "text") -> bytes:
    content = (
        f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    return pack({"content.xml": content})


def test_styles_of_word_raise_and_strike_out() -> None:
    def run(words: str, look: str = "") -> str:
        return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'

    def style(name: str, look: str, kind: str = "character", base: str = "") -> str:
        parent = f'<w:basedOn w:val="{base}"/>' if base else ""
        return f'<w:style w:type="{kind}" w:styleId="{name}">{parent}<w:rPr>{look}</w:rPr></w:style>'

    styles = (
        style("Mark", '<w:vertAlign w:val="superscript"/>')
        + style("Gone", "<w:strike/>")
        + style("Later", "<w:i/>", base="Gone")
        + style("Off", '<w:dstrike w:val="true"/>', kind="paragraph")
    )
    paragraphs = [
        run("Rent 320") + run("1", '<w:rStyle w:val="Mark"/>') + run(" euros, 10"),
        run("9", '<w:position w:val="8"/><w:sz w:val="14"/>') + run(" litres"),
        run("900", '<w:rStyle w:val="Later"/>') + run(" 950, "),
        run("not", '<w:rStyle w:val="Gone"/><w:strike w:val="0"/>') + run(" gone"),
        '<w:pPr><w:pStyle w:val="Off"/></w:pPr>' + run("All of it"),
    ]
    body = "".join(f"<w:p>{paragraph}</w:p>" for paragraph in paragraphs)
    assert texts("a.docx", docx(body, styles)) == [
        "Rent 320¹ euros, 10",
        "⁹ litres",
        "[deleted: 900] 950,",
        "not gone",
        "[deleted: All of it]",
    ]


def test_styles_of_opendocument_raise_and_strike_out() -> None:
    def style(name: str, look: str, family: str = "text", base: str = "") -> str:
        parent = f' style:parent-style-name="{base}"' if base else ""
        return (
            f'<style:style style:name="{name}" style:family="{family}"{parent}>'
            f"<style:text-properties {look}/></style:style>"
        )

    styles = (
        style("up", 'style:text-position="super 58%"')
        + style("red", 'style:text-underline-style="none"', base="up")
        + style("plain", 'style:text-position="0% 100%"')
        + style("gone", 'style:text-line-through-style="solid"', family="paragraph")
        + style("cell", 'style:text-line-through-type="single"', family="table-cell")
    )
    span = '<text:span text:style-name="{}">{}</text:span>'.format
    body = (
        f"<text:p>Rent 320{span('red', '1')} euros, 10{span('up', span('none', '9'))} l, "
        f"{span('up', span('plain', '5'))}</text:p><text:p text:style-name='gone'>All of it</text:p>"
    )
    assert texts("a.odt", odf(body, styles)) == ["Rent 320¹ euros, 10⁹ l, 5", "[deleted: All of it]"]
    row = (
        "<table:table table:name='S'><table:table-row><table:table-cell><text:p>Old</text:p></table:table-cell>"
        "<table:table-cell table:style-name='cell' office:value-type='float' office:value='900'><text:p>900</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    )
    assert texts("a.ods", odf(row, styles, "spreadsheet")) == ["S", "Old\t[deleted: 900]"]


def test_styles_of_pages_raise_and_lower() -> None:
    page = (
        "<style>.fn{vertical-align:super} p .low{vertical-align: sub !important}</style><main>"
        '<p>Rent 320<span class="fn">1</span> euros, 10<b style="VERTICAL-ALIGN: super">9</b> l of '
        'H<span class="low">2</span>O, <span class="fn"><s>3</s>4</span> left</p></main>'
    )
    assert read_document("a.html", page.encode()).text == "Rent 320¹ euros, 10⁹ l of H₂O, [deleted: ³]⁴ left"


@pytest.mark.parametrize("slash", ["/", "&frasl;"])
def test_raised_and_lowered_figures_at_a_slash_are_a_fraction(slash: str) -> None:
    page = (
        f"<main><p>Add <b>5<sup>1</sup>{slash}<sub>2</sub></b> cups, <sup>3</sup>{slash}<sub>4</sub> l, 7<sup>1</sup>/8"
    )
    assert read_document("a.html", page.encode()).text == "Add 5 1/2 cups, 3/4 l, 7¹/8"


def test_controls_of_opendocument_forms_tell_their_states() -> None:
    form = (
        "<form:checkbox form:id='c' form:label='Insured' form:current-state='checked'/><form:checkbox form:id='d' "
        "form:label='Leased' form:state='unchecked'/><form:radio form:id='r' form:label='Red' form:selected='true' "
        "form:current-selected='false'/><form:listbox form:id='l'><form:option form:label='Steel' "
        "form:selected='true'/><form:option form:label='Bronze' form:current-selected='true'/></form:listbox>"
        "<form:text form:id='t' form:current-value='Ida'/><form:password form:id='p' form:value='hush'/>"
        "<form:textarea form:id='a'><text:p>By noon</text:p></form:textarea>"
    )
    shown = "".join(f"<drawing:control drawing:control='{name}'/>" for name in "cdrltpax")
    body = f"<office:forms><form:form>{form}</form:form></office:forms><text:p>Boat: {shown}</text:p>"
    assert texts("a.odt", odf(body)) == ["Boat: ☒ Insured ☐ Leased ☐ Red Bronze Ida By noon"]


def test_small_letters_of_pages_that_are_moved() -> None:
    page = (
        "<style>.u{font-size:0.58em;position:relative;top:-0.33em;vertical-align:baseline} .d{position:relative;"
        "bottom:-.2em;font-size:70%} .b{position:relative;top:-2px;font-size:1.2em}</style><main><p>Rent 320"
        '<span class="u">1</span> euros, H<i class="d">2</i>O, <b class="b">7</b> left, 10<i style="top: -.5em; '
        'position: relative; font-size: 7pt">9</i> l</p></main>'
    )
    assert read_document("a.html", page.encode()).text == "Rent 320¹ euros, H₂O, 7 left, 10⁹ l"


def test_rich_cells_of_a_workbook() -> None:
    def run(words: str, look: str = "") -> str:
        return f"<r><rPr>{look}<sz val='11'/></rPr><t xml:space='preserve'>{words}</t></r>"

    up, gone = "<vertAlign val='superscript'/>", "<strike/>"
    rich = (
        run("A &amp; B 320") + run("1", up) + run(" euros, H") + run("2", "<vertAlign val='subscript'/>") + run("O, ")
    )
    rich += run("9", gone) + run("00", f"<b/>{gone}") + run(" 950") + run("7", "<strike val='0'/>")
    sheet = (
        f"<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is>{rich}</is></c></row>"
        '<row r="2"><c r="A2" s="1"><v>900</v></c><c r="B2" s="2"><v>0.285</v></c></row></sheetData></worksheet>'
    )
    fonts = "<fonts><font/><font><strike/></font></fonts>"
    styles = f'{fonts}<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="1" numFmtId="9"/></cellXfs>'
    assert texts("a.xlsx", workbook(sheet, styles=styles))[1:] == [
        "A & B 320¹ euros, H₂O, [deleted: 900] 9507",
        "[deleted: 900]\t[deleted: 29% (28.5%)]",
    ]


def test_shared_texts_keep_their_looks_and_others_stay() -> None:
    shared = (
        '<x:sst xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:si><x:t>Fee</x:t></x:si><x:si>'
        '<x:r><x:t>320</x:t></x:r><x:r><x:rPr><x:vertAlign val="superscript"/></x:rPr><x:t>1</x:t></x:r></x:si></x:sst>'
    )
    cells = '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'
    made = workbook(f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>')
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("workbook.xml.rels"):
                data = relations(rId1__worksheet="worksheets/sheet1.xml", s__sharedStrings="sharedStrings.xml").encode()
            new.writestr(name, data)
        new.writestr("xl/sharedStrings.xml", shared)
    assert texts("a.xlsx", stream.getvalue())[1:] == ["Fee\t320¹"]


def test_rich_cells_of_old_workbooks() -> None:
    def font(flags: int = 0, script: int = 0) -> bytes:
        return xls.record(0x31, struct.pack("<5H", 200, flags, 0x7FFF, 400, script) + bytes(4) + b"\0\0")

    fonts = [font(), font(8), font(), font(), font(script=1), font(8)]  # the fifth has number 5, the sixth number 6
    first, second = "Fee 3201", " euros 900"
    runs = struct.pack("<6H", 7, 5, 8, 0, 15, 6)
    head = struct.pack("<HBH", len(first + second), 8, 3)
    listed = struct.pack("<2I", 2, 2) + struct.pack("<HB", 3, 0) + b"Old" + head + first.encode("latin-1")
    parts = [listed, b"\x01" + second.encode("utf-16-le") + runs]  # goes on in letters of two bytes
    looks = b"".join(fonts) + xls.record(0xE0, struct.pack("<2H", 1, 0) + bytes(16))
    looks += xls.record(0xFC, parts[0]) + xls.record(0x3C, parts[1])
    cell = struct.Struct("<3HI")
    sheet = xls.record(0xFD, cell.pack(0, 0, 0, 0)) + xls.record(0xFD, cell.pack(1, 0, 9, 1))
    sheet += xls.record(0x0203, struct.pack("<3Hd", 2, 0, 0, 900))
    assert texts("a.xls", xls.workbook(looks, S=sheet)) == [
        "S",
        "[deleted: Old]",
        "Fee 320¹ euros [deleted: 900]",
        "[deleted: 900]",
    ]


def test_rich_cells_of_workbooks_of_records() -> None:
    def font(flags: int, script: int) -> bytes:
        return xlsb.record(43, struct.pack("<4H", 220, flags, 400, script) + bytes(20))

    styles = font(0, 0) + font(8, 0) + font(0, 1)
    cells = xlsb.record(617, struct.pack("<I", 2)) + xlsb.record(47, struct.pack("<3H", 0, 0, 0) + bytes(10))
    cells += xlsb.record(47, struct.pack("<3H", 0, 0, 1) + bytes(10)) + xlsb.record(618)
    rich = b"\1" + xlsb.wide("Fee 3201") + struct.pack("<I2H", 1, 7, 2)
    sheet = xlsb.row(0, xlsb.record(7, struct.pack("<3I", 0, 0, 0)), xlsb.number(1, 900, 1))
    made = xlsb.workbook(sheet, styles + cells)
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("workbook.bin.rels"):
                data = data.replace(b"</Relationships>", b"") + (
                    relations(s__sharedStrings="sharedStrings.bin").partition(">")[2].encode()
                )
            new.writestr(name, data)
        new.writestr(
            "xl/sharedStrings.bin",
            xlsb.record(159, struct.pack("<2I", 1, 1)) + xlsb.record(19, rich) + xlsb.record(160),
        )
    assert texts("a.xlsb", stream.getvalue())[1:] == ["Fee 320¹\t[deleted: 900]"]


def test_old_formulas_without_any_result_say_so() -> None:
    def formula(row: int, result: bytes) -> bytes:
        return xls.record(0x06, struct.pack("<3H", row, 1, 0) + result + struct.pack("<HIH", 0, 0, 3) + b"\x1e\1\0")

    none = b"\x03" + bytes(5) + b"\xff\xff"
    sheet = xls.label(0, 0, "Net") + formula(0, none) + xls.label(1, 0, "Gross") + formula(1, none)
    assert texts("a.xls", xls.workbook(S=sheet))[1:] == ["Net\t= (no stored value)", "Gross\t= (no stored value)"]
    sheet = xls.label(0, 0, "Net") + formula(0, none) + xls.label(1, 0, "Gross") + formula(1, struct.pack("<d", 8))
    assert texts("a.xls", xls.workbook(S=sheet))[1:] == ["Net", "Gross\t8"]


@pytest.mark.parametrize(
    ("letter", "look", "shown"), [("1", b"\x68\1", "320¹ euros"), ("1", b"\x57\1", "320[deleted: 1] euros")]
)
def test_old_word_files(letter: str, look: bytes, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.unit.documents.formats.office.test_word95._HIDDEN", look)
    data = stream([(b"Rent 320" + letter.encode() + b" euros\r", PLAIN)], hidden=letter.encode())
    assert shown in texts("a.doc", ole({"WordDocument": data}))[0]


def test_styles_and_places_of_old_word_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def style(kind: int, base: int, *properties: bytes) -> bytes:
        name = struct.pack("<H", 1) + "S\0".encode("utf-16-le")
        upx = b"".join(struct.pack("<H", len(each)) + each for each in properties)
        each = struct.pack("<5H", 0xFFE, kind | base << 4, 0, 0, 0) + name + upx
        return struct.pack("<H", len(each)) + each + bytes(len(each) % 2)

    raised, struck = b"\x48\x2a\1", b"\x37\x08\1" + b"\x48\x2a\0"
    listed = [style(1, 0xFFF, b"", b""), style(2, 0xFFF, raised), style(2, 1, struck), style(2, 1)]
    table = struct.pack("<HHH", 4, len(listed), 10) + b"".join(listed)
    file = Word97File.__new__(Word97File)
    monkeypatch.setattr(file, "_pair", lambda index: table if index == 1 else b"")
    looks = [b"\x30\x4a\1\0", b"\x30\x4a\2\0", b"\x45\x48\x08\0", b"\x45\x48\xf8\xff", b"\x45\x48\2\0"]
    entries = [(number, number + 1, bytes([len(look)]) + look) for number, look in enumerate(looks)]
    monkeypatch.setattr(file, "_pages", lambda _: [page(entries, 1)])
    found = file.run_looks()
    assert [found.at(number).kinds for number in range(len(looks))] == [
        (MarkKind.SUPERSCRIPT,),
        (MarkKind.STRIKETHROUGH,),
        (MarkKind.SUPERSCRIPT,),
        (MarkKind.SUBSCRIPT,),
        (),
    ]


def test_a_drop_cap_of_word_belongs_to_its_word() -> None:
    def paragraph(words: str, look: str = "") -> str:
        return f"<w:p><w:pPr>{look}</w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>"

    cap = paragraph("G", '<w:framePr w:dropCap="drop" w:lines="3"/>')
    body = cap + paragraph("enerous terms") + paragraph("Next") + cap
    assert texts("a.docx", docx(body, "")) == ["Generous terms", "Next", "G"]


def test_old_slides() -> None:
    line = struct.pack("<IHI", 13, 0, 0x2A7801) + bytes(14)  # as LibreOffice writes them

    def run(count: int, place: int) -> bytes:
        return struct.pack("<2IHHIh", count, 0xF0000, 1, 44, 0, place)

    looks = line + run(8, 0) + run(1, 30) + run(2, 0) + run(1, -25)
    assert _with_places("Rent 3201 H2", looks) == "Rent 320¹ H₂"
    assert _with_places("Rent 3201 H2", looks[:40]) == "Rent 3201 H2"
    tabs = struct.pack("<IHIHHHH", 3, 0, 0x101800, 0, 0, 1, 5) + bytes(2)
    assert _with_places("m2", tabs + run(1, 0) + run(1, 30)) == "m²"


def test_formulas_that_share_one_say_that_they_have_no_value() -> None:
    first = '<c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f></c>'
    rows = f'<row r="1">{first}</row><row r="2"><c r="A2"><f t="shared" si="0"/></c>{text("B2", "x")}</row>'
    rows += '<row r="3"><c r="C3"><f>SUM(B1:B2)</f></c></row>'
    made = workbook(f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    assert texts("a.xlsx", made)[1:] == [
        "=B1*2 (no stored value)",
        "= (no stored value)\tx",
        "\t\t=SUM(B1:B2) (no stored value)",
    ]


def test_cells_of_opendocument_sheets_tell_their_values() -> None:
    def cell(kind: str, value: str = "", shown: str = "", **more: str) -> str:
        name = {"date": "date-value", "time": "time-value", "string": "string-value", "boolean": "boolean-value"}
        given = f' office:{name.get(kind, "value")}="{value}"' if value else ""
        typed = f' office:value-type="{kind}"' if kind else ""
        extra = "".join(f' table:{key.replace("_", "-")}="{value}"' for key, value in more.items())
        inside = f"<text:p>{shown}</text:p>" if shown else ""
        return f"<table:table-cell{typed}{given}{extra}>{inside}</table:table-cell>"

    cells = [
        cell("float", "12500000", "12.5M"),
        cell("float", "10.155", "10.16"),
        cell("float", "1234.5", "1.234,50 €"),
        cell("float", "33.3333333333333", "33.33"),
        cell("percentage", "0.285", "29%"),
        cell("float", "0.75", "3/4"),
        cell("float", "4321"),
        cell("percentage", "0.125"),
        cell("string", "bare words"),
        cell("boolean", "true"),
        cell("time", "PT36H05M00S"),
        cell("date", "2024-05-06", "6. Mai 24"),
        cell("date", "2024-05-06T13:45:00"),
        cell("", formula="of:=[.B2]*2+[$S.C3]"),
        cell("float", "7", "<text:s/>"),
        cell("float", "1", "Paid"),
    ]
    rows = "".join(f"<table:table-row>{cell('string', shown='x')}{each}</table:table-row>" for each in cells)
    table = f"<table:table table:name='S'>{rows}</table:table>"
    assert [line.partition("\t")[2] for line in texts("a.ods", odf(table, kind="spreadsheet"))[1:]] == [
        "12.5M (12500000)",
        "10.16 (10.155)",
        "1.234,50 €",
        "33.33",
        "29% (28.5%)",
        "3/4 (0.75)",
        "4321",
        "12.5%",
        "bare words",
        "TRUE",
        "36:05",
        "6. Mai 24 (2024-05-06)",
        "2024-05-06 13:45",
        "=B2*2+$S.C3 (no stored value)",
        "[hidden: 7]",
        "Paid",
    ]


def test_merged_cells_and_charts_of_opendocument_sheets() -> None:
    def cell(shown: str, spans: str = "") -> str:
        number = shown.isdecimal()
        typed = f'office:value-type="float" office:value="{shown}"' if number else 'office:value-type="string"'
        return f"<table:table-cell {typed} {spans}><text:p>{shown}</text:p></table:table-cell>"

    wide, high = 'table:number-columns-spanned="2"', 'table:number-rows-spanned="2"'
    covered = "<table:covered-table-cell/>"
    rows = (
        f"{cell('')}{cell('2023', wide)}{covered}{cell('2024', wide)}{covered}",
        f"{cell('Region')}{cell('H1')}{cell('H2')}{cell('H1')}{cell('H2')}",
        f"{cell('North', high)}{''.join(map(cell, ('10', '11', '12', '13')))}",
        f"{covered}{''.join(map(cell, ('20', '21', '22', '23')))}",
    )
    link = (
        '<table:shapes><draw:frame xmlns:draw="{}:drawing:1.0"><draw:object xmlns:xlink="http://www.w3.org/1999/xlink" '
    )
    frame = link.format(_ODF) + 'xlink:href="./Object 1"/></draw:frame></table:shapes>'
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    sheet = odf(f"<table:table table:name='S'>{frame}{body}</table:table>", kind="spreadsheet")
    chart = odf(
        "<chart:chart><chart:title><text:p>Almonds</text:p></chart:title><table:table><table:table-row>"
        f"{cell('')}{cell('Walnut')}</table:table-row></table:table></chart:chart>",
        kind="chart",
    )
    with zipfile.ZipFile(io.BytesIO(chart)) as package:
        content = package.read("content.xml")
    stream = io.BytesIO(sheet)
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("Object 1/content.xml", content)
    assert texts("a.ods", stream.getvalue())[1:] == [
        "\t2023\t2023\t2024\t2024",
        "Region\tH1\tH2\tH1\tH2",
        "North\t10\t11\t12\t13",
        "North\t20\t21\t22\t23",
        "Almonds",
        "\tWalnut",
    ]


def test_looks_and_values_of_other_programs() -> None:
    writer = (
        "<abiword><section><p>Rent 320<c props='text-position:superscript'>1</c> euros, <c props='text-decoration:line-"
        "through'>900</c> 950</p><table><cell props='top-attach:0'><p>10<c props='text-position:superscript'>9</c></p>"
        "</cell></table></section></abiword>"
    )
    assert texts("a.abw", writer.encode()) == ["Rent 320¹ euros, [deleted: 900] 950", "10⁹"]
    w = 'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"'
    runs = "<w:r><w:t>320</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>1</w:t></w:r>"
    runs += "<w:r><w:rPr><w:strike/></w:rPr><w:t>900</w:t></w:r>"
    word = f"<w:wordDocument {w}><w:body><w:p>{runs}</w:p></w:body></w:wordDocument>"
    assert texts("a.doc", f"<?xml version='1.0'?>{word}".encode()) == ["320¹[deleted: 900]"]
    cells = (
        ("40", "0%", "0.285"),
        ("40", "[$-409]yyyy/mm/dd", "45418.5"),
        ("40", '0.0,,"My"', "12500000"),
        ("60", "", "=)"),
        ("", "", "=B1*2"),
        ("40", "", "7"),
    )
    written = ""
    for number, (kind, code, value) in enumerate(cells):
        typed = f" ValueType={quoteattr(kind)}" if kind else ""
        shown = f" ValueFormat={quoteattr(code)}" if code else ""
        written += f'<gnm:Cell Row="0" Col="{number}"{typed}{shown}>{value}</gnm:Cell>'
    sheet = f"<gnm:Sheet><gnm:Name>S</gnm:Name><gnm:Cells>{written}</gnm:Cells></gnm:Sheet>"
    book = f'<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets>{sheet}</gnm:Sheets></gnm:Workbook>'
    assert texts("a.gnumeric", book.encode())[1:] == [
        "29% (28.5%)\t2024-05-06 12:00\t12.5My (12500000)\t=)\t=B1*2 (no stored value)\t7"
    ]
