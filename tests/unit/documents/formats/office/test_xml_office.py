import gzip
import struct
import zlib

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import pack, read_or_refuse, shown, texts

_OO = " ".join(
    f'xmlns:{name}="http://openoffice.org/2000/{full}"'
    for name, full in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
        ("style", "style"),
        ("meta", "meta"),
    )
)
_ABIWORD = """<abiword xmlns="http://www.abisource.com/awml.dtd"><metadata><m key="dc.title">Lease</m></metadata>
<section><p style="Heading 1"><c props="font-weight:bold">Rent</c></p><p style="Normal">Due<c> monthly</c><foot><p>Or
weekly</p></foot> in advance</p><table><cell props="left-attach:0; top-attach:0"><p>Month</p></cell>
<cell props="left-attach:1; top-attach:0"><p>Sum</p></cell><cell props="left-attach:0; top-attach:1"><p>May</p></cell>
</table></section><section type="footer"><p>page</p></section></abiword>"""
_GNUMERIC = """<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>Beds</gnm:Name>
<gnm:Cells><gnm:Cell Row="0" Col="0" ValueType="60">bed</gnm:Cell><gnm:Cell Row="0" Col="1">crop</gnm:Cell>
<gnm:Cell Row="1" Col="1">leek</gnm:Cell><gnm:Cell Row="1" Col="0">4</gnm:Cell>
<gnm:Cell Row="999999999" Col="0">far</gnm:Cell></gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>"""
_LYX = r"""#LyX 2.3 created this file
\lyxformat 544
\begin_document
\begin_header
\title_page hidden
\end_header
\begin_body

\begin_layout Title
Harbour survey
\end_layout
\begin_layout Standard
Depth is
\begin_inset Formula $d=7$
\end_inset

 metres
\begin_inset Foot
status open
\begin_layout Plain Layout
at low tide
\end_layout
\end_inset
\end_layout
\end_body
\end_document
"""


def _openoffice(kind: str, body: str) -> bytes:
    dates = f'<office:document-meta {_OO} xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Plan</dc:title>'
    return pack(
        {
            "content.xml": '<!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" '
            f'"office.dtd"><office:document-content {_OO} office:class="{kind}"><office:body>{body}</office:body>'
            "</office:document-content>",
            "meta.xml": f"{dates}</office:document-meta>",
        }
    )


def test_openoffice_1_texts_have_headings_lists_notes_and_comments() -> None:
    body = (
        '<text:h text:level="2">Rent</text:h><text:p>Due<text:tab-stop/>monthly<text:footnote><text:footnote-citation>1'
        "</text:footnote-citation><text:footnote-body><text:p>In advance</text:p></text:footnote-body></text:footnote>"
        "</text:p><text:unordered-list><text:list-item><text:p>May</text:p></text:list-item></text:unordered-list>"
        '<text:p>Sum<office:annotation office:author="Ada"><text:p>Check</text:p></office:annotation></text:p>'
    )
    document = read_document("a.sxw", _openoffice("text", body))
    assert shown(document) == [
        ("HEADING", 2, "Rent"),
        ("PARAGRAPH", 0, "Due\tmonthly[1]"),
        ("QUOTE", 1, "[1] In advance"),
        ("ITEM", 1, "• May"),
        ("PARAGRAPH", 0, "Sum"),
        ("QUOTE", 1, "Comment by Ada: Check"),
    ]
    assert (document.title, document.format) == ("Plan", "word")


def test_openoffice_1_sheets_and_slides_are_read() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = "".join(f"<table:table-row>{cell.format(a)}{cell.format(b)}</table:table-row>" for a, b in ("xy", "12"))
    sheet = read_document("a.sxc", _openoffice("spreadsheet", f'<table:table table:name="S">{rows}</table:table>'))
    assert [text for _, _, text in shown(sheet)] == ["S", "x\ty", "1\t2"]
    assert (sheet.structure.section_of(sheet.line_count), sheet.format) == ("S!A2:B2", "sheets")
    box = '<draw:text-box presentation:class="{}"><text:p>{}</text:p></draw:text-box>'
    page = box.format("outline", "Quay") + box.format("title", "Plan")
    notes = f"<presentation:notes>{box.format('notes', 'Speak up')}</presentation:notes>"
    slides = read_document("a.sxi", _openoffice("presentation", f"<draw:page>{page}{notes}</draw:page>"))
    assert shown(slides) == [("HEADING", 2, "Plan"), ("PARAGRAPH", 0, "Quay"), ("QUOTE", 1, "Notes: Speak up")]
    assert slides.format == "slides"


def test_abiword_has_headings_notes_and_tables_without_footers() -> None:
    expected = [
        ("HEADING", 1, "Rent"),
        ("PARAGRAPH", 0, "Due monthly in advance"),
        ("QUOTE", 1, "Note: Or weekly"),
        ("ROW", 0, "Month\tSum"),
        ("ROW", 0, "May"),
    ]
    for name, data in (("a.abw", _ABIWORD.encode()), ("a.zabw", gzip.compress(_ABIWORD.encode()))):
        document = read_document(name, data)
        assert (shown(document), document.title) == (expected, "Lease")


def test_gnumeric_sheets_have_rows_and_cells_out_of_bounds_are_left_out() -> None:
    document = read_document("a.gnumeric", gzip.compress(_GNUMERIC.encode()))
    assert [text for _, _, text in shown(document)] == ["Beds", "bed\tcrop", "4\tleek"]
    assert document.format == "sheets"


def test_lyx_kword_and_scribus_are_read() -> None:
    assert texts("a.lyx", _LYX.encode()) == ["Harbour survey", "Depth is metres", "at low tide"]
    kword = (
        '<DOC><FRAMESETS><PARAGRAPH><TEXT>Rent</TEXT><LAYOUT><NAME value="Head 1"/></LAYOUT></PARAGRAPH>'
        "<PARAGRAPH><TEXT>Due monthly</TEXT></PARAGRAPH></FRAMESETS></DOC>"
    )
    document = read_document("a.kwd", pack({"maindoc.xml": kword}))
    assert shown(document) == [("HEADING", 1, "Rent"), ("PARAGRAPH", 0, "Due monthly")]
    scribus = (
        '<SCRIBUSUTF8NEW><DOCUMENT TITLE="Leaflet"><PAGEOBJECT><ITEXT CH="Open "/><ITEXT CH="daily"/><para/>'
        '<ITEXT CH="Free"/></PAGEOBJECT></DOCUMENT></SCRIBUSUTF8NEW>'
    )
    assert texts("a.sla", scribus.encode()) == ["Open daily", "Free"]


def _hwp(text: str, flags: int = 1) -> bytes:
    units = struct.pack("<8H", 2, *[0x6365, 0x7364, 0, 0, 0, 0], 2) + text.encode("utf-16-le") + struct.pack("<H", 13)
    record = struct.pack("<I", 66 | 8 << 20) + bytes(8) + struct.pack("<I", 67 | len(units) << 20) + units
    packer = zlib.compressobj(wbits=-15)
    section = packer.compress(record) + packer.flush() if flags & 1 else record
    header = b"HWP Document File".ljust(32, b"\0") + bytes(4) + struct.pack("<I", flags)
    return ole({"FileHeader": header.ljust(256, b"\0"), "BodyText": {"Section0": section}})


def _hwpx() -> bytes:
    space = (
        'xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph" xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section"'
    )

    def paragraph(text: str) -> str:
        return f"<hp:p><hp:run><hp:t>{text}</hp:t></hp:run></hp:p>"

    cell = f"<hp:tc><hp:subList>{paragraph('오월')}</hp:subList></hp:tc>"
    table = f"<hp:p><hp:run><hp:tbl><hp:tr>{cell}{cell}</hp:tr></hp:tbl></hp:run></hp:p>"
    return pack({"Contents/section0.xml": f"<hs:sec {space}>{paragraph('임대<hp:tab/>계약')}{table}</hs:sec>"})


def test_hangul_files_of_both_kinds_are_read() -> None:
    assert texts("a.hwp", _hwp("임대 계약 marrowfat")) == ["임대 계약 marrowfat"]
    assert texts("a.hwp", _hwp("plain", flags=0)) == ["plain"]
    assert [text for _, _, text in shown(read_document("a.hwpx", _hwpx()))] == ["임대 계약", "오월\t오월"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (_hwp("x", flags=2), "protected by a password"),
        (_hwp("x", flags=4), "locked for distribution"),
        (b"HWP Document File V3.00 \x1a", "Hangul Word Processor 3; save it as .hwpx"),
        (b"anything else", "damaged or not"),
    ],
)
def test_a_hangul_file_that_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read_document("a.hwp", data)


def test_truncated_and_mutated_files_end_in_a_text_or_a_reason() -> None:
    files = {
        "a.sxw": _openoffice("text", "<text:p>x</text:p>"),
        "a.abw": _ABIWORD.encode(),
        "a.gnumeric": gzip.compress(_GNUMERIC.encode()),
        "a.lyx": _LYX.encode(),
        "a.hwp": _hwp("words"),
        "a.hwpx": _hwpx(),
    }
    for name, data in files.items():
        for number in range(1, 20):
            read_or_refuse(name, data[: len(data) * number // 20])
            at = len(data) * number // 20
            read_or_refuse(name, data[:at] + bytes((data[at] ^ 0x5A, 0xFF)) + data[at + 2 :])


def test_cells_of_an_old_gnumeric_are_read() -> None:
    cell = '<gmr:Cell Col="0" Row="0" Style="0">\n  <gmr:Content>Company</gmr:Content>\n</gmr:Cell>'
    sheet = f"<gmr:Sheet><gmr:Name>Bill</gmr:Name><gmr:Cells>{cell}</gmr:Cells></gmr:Sheet>"
    book = f'<gmr:Workbook xmlns:gmr="http://www.gnome.org/gnumeric/v2">{sheet}</gmr:Workbook>'
    assert [text for _, _, text in shown(read_document("a.gnumeric", book.encode()))] == ["Bill", "Company"]


def test_workbook_of_excel_2003_has_its_cells_in_their_columns() -> None:
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    rows = (
        '<Row><Cell><Data ss:Type="String">Berth</Data></Cell><Cell><Data ss:Type="String">Fee</Data></Cell></Row>'
        '<Row ss:Index="4"><Cell ss:Index="2"><Data ss:Type="Number">40</Data>'
        "<Comment><Data>since <B>May</B></Data></Comment></Cell></Row>"
        '<Row ss:Index="99999999999"><Cell><Data>lost</Data></Cell></Row>'
    )
    table = f'<Worksheet ss:Name="Dues"><Table>{rows}</Table></Worksheet>'
    book = f'<?xml version="1.0"?><Workbook xmlns="{space}" xmlns:ss="{space}">{table}</Workbook>'
    document = read_document("dues.xls", book.encode())
    assert [line.text for line in document.lines() if line.text] == ["Dues", "Berth\tFee", "\t40 since May"]
    assert document.format == "sheets"
    assert document.structure.sections[-1].label == "Dues!A4:B4"


def test_headings_of_the_xml_of_word_are_kept() -> None:
    space = 'xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage" xmlns:w="w"'
    body = (
        '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Berths</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>North</w:t><w:tab/><w:t>quay</w:t></w:r></w:p>"
    )
    package = f'<?xml version="1.0"?><pkg:package {space}><pkg:part><w:body>{body}</w:body></pkg:part></pkg:package>'
    assert shown(read_document("a.doc", package.encode())) == [("HEADING", 2, "Berths"), ("PARAGRAPH", 0, "North quay")]
