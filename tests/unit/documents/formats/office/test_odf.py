import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import pack, shown, texts

_NAMES = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("draw", "drawing"),
            ("presentation", "presentation"),
            ("style", "style"),
            ("fo", "xsl-fo-compatible"),
            ("svg", "svg-compatible"),
            ("meta", "meta"),
        )
    )
    + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_STYLES = """<style:style style:name="B" style:family="text">
<style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/>
</text:list-style><text:outline-style>
<text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/></text:outline-style>"""


def odf_content(body: str, kind: str = "text") -> str:
    return (
        f"<office:document-content {_NAMES}><office:automatic-styles>{_STYLES}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )


def _odf(body: str, kind: str = "text", **parts: str) -> bytes:
    return pack({"content.xml": odf_content(body, kind), **{f"{name}.xml": text for name, text in parts.items()}})


def _p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def test_a_formula_stands_where_it_is_shown() -> None:
    frame = '<draw:frame><draw:object xlink:href="./{}"/></draw:frame>'
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>E</mi><mo>=</mo><mi>m</mi>{}</semantics></math>'
    body = _p(f"Energy: {frame.format('Object 1')}, or {frame.format('Object 2')}") + _p(frame.format("Chart"))
    parts = {
        "content.xml": odf_content(body),
        "Object 1/content.xml": math.format('<annotation encoding="StarMath 5.0">E = m cdot c^2</annotation>'),
        "Object 2/content.xml": math.format(""),
        "Chart/content.xml": odf_content("<table:table/>", "chart"),
    }
    assert texts("a.odt", pack(parts)) == ["Energy: E=m, or E=m"]
    slide = "<draw:page>" + frame.format("Object 2") + "</draw:page>"
    assert texts("a.odp", pack({**parts, "content.xml": odf_content(slide, "presentation")})) == ["E=m"]
    flat = odf_content(_p(f"Half: <draw:frame><draw:object>{math.format('')}</draw:object></draw:frame>"))
    assert texts("a.fodt", flat.encode()) == ["Half: E=m"]


def test_headings_have_their_level_and_number_and_the_title_is_one() -> None:
    body = _p("My Title", "P1") + "".join(
        f'<text:h text:outline-level="{level}">{text}</text:h>' for level, text in ((1, "A"), (2, "B"), (1, "C"))
    )
    document = read_document("a.odt", _odf(body))
    assert shown(document) == [
        ("HEADING", 1, "My Title"),
        ("HEADING", 1, "I. A"),
        ("HEADING", 2, "B"),
        ("HEADING", 1, "II. C"),
    ]
    assert (document.title, document.format) == ("My Title", "word")


def test_lists_are_numbered_and_continued() -> None:
    def item(text: str, inner: str = "") -> str:
        return f"<text:list-item>{_p(text)}{inner}</text:list-item>"

    inner = f"<text:list>{item('x')}{item('y')}</text:list>"
    body = (
        f'<text:list text:style-name="L">{item("one", inner)}{item("two")}</text:list>{_p("between")}'
        f'<text:list text:style-name="L" text:continue-numbering="true">{item("three")}</text:list>'
        f"<text:list>{item('dot')}</text:list>"
    )
    assert shown(read_document("a.odt", _odf(body))) == [
        ("ITEM", 1, "1. one"),
        ("ITEM", 2, "1.a) x"),
        ("ITEM", 2, "1.b) y"),
        ("ITEM", 1, "2. two"),
        ("PARAGRAPH", 0, "between"),
        ("ITEM", 1, "3. three"),
        ("ITEM", 1, "• dot"),
    ]


def test_white_space_links_and_emphasis_are_as_displayed() -> None:
    body = _p(
        'a\n  b<text:s text:c="2"/>c <text:span text:style-name="B">bold</text:span>, '
        '<text:a xlink:href="x:y">go</text:a>'
    )
    document = read_document("a.odt", _odf(body))
    assert document.text == "a b  c bold, go"
    assert [(document.text[m.start : m.end], m.kind, m.target) for m in document.structure.each_mark()] == [
        ("bold", MarkKind.STRONG, ""),
        ("go", MarkKind.LINK, "x:y"),
    ]


def test_notes_comments_and_boxes_follow_their_paragraph_and_deleted_text_is_left_out() -> None:
    note = (
        '<text:note text:note-class="{0}"><text:note-citation>{1}</text:note-citation>'
        "<text:note-body>{2}</text:note-body></text:note>"
    )
    body = (
        f"<text:tracked-changes>{_p('deleted')}</text:tracked-changes>"
        + _p(
            f"Rent.{note.format('footnote', 1, _p('Monthly.'))}{note.format('endnote', 'i', _p('End.'))}"
            f"<office:annotation><dc:creator>Ben</dc:creator>{_p('Sure?')}</office:annotation>"
            f"<draw:frame><draw:text-box>{_p('Boxed')}</draw:text-box></draw:frame>"
        )
        + _p("Next")
    )
    assert texts("a.odt", _odf(body)) == [
        "Rent.[1][i]",
        "Boxed",
        "[1] Monthly.",
        "Comment by Ben: Sure?",
        "Next",
        "[i] End.",
    ]


def test_tables_are_rows_with_their_header() -> None:
    def row(*cells: str) -> str:
        inner = "".join(f"<table:table-cell>{_p(cell)}</table:table-cell>" for cell in cells)
        return f"<table:table-row>{inner}</table:table-row>"

    body = (
        f"<table:table><table:table-header-rows>{row('Name', 'Rent')}</table:table-header-rows>"
        f"{row('Anna', '900')}</table:table>"
    )
    assert shown(read_document("a.odt", _odf(body))) == [("ROW", 1, "Name\tRent"), ("ROW", 0, "Anna\t900")]


def test_a_spreadsheet_has_sections_for_cells_and_displayed_values() -> None:
    body = f"""<table:table table:name="Budget"><table:table-row table:number-rows-repeated="3"/>
    <table:table-row><table:table-cell table:number-columns-repeated="2"/>
    <table:table-cell office:value="0.5">{_p("50 %")}<office:annotation>{_p("Half")}</office:annotation>
    </table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>"""
    document = read_document("a.ods", _odf(body, "spreadsheet"))
    assert document.format == "sheets"
    assert [text for _, _, text in shown(document)] == ["Budget", "\t\t50 %", "Comment on C4: Half"]
    assert document.structure.section_of(3) == "Budget!A4:C4"


def test_slides_are_sections_with_title_and_notes() -> None:
    body = f"""<draw:page><draw:frame><draw:text-box>{_p("Body")}</draw:text-box></draw:frame>
    <draw:frame presentation:class="title"><draw:text-box>{_p("Title")}</draw:text-box></draw:frame>
    <presentation:notes><draw:frame><draw:text-box>{_p("Smile")}</draw:text-box></draw:frame></presentation:notes>
    </draw:page>"""
    document = read_document("a.odp", _odf(body, "presentation"))
    assert [text for _, _, text in shown(document)] == ["Title", "Body", "Notes: Smile"]
    assert document.structure.section_of(1) == "Slide 1"


def test_a_flat_file_is_read_with_its_properties() -> None:
    flat = f"""<?xml version="1.0"?><office:document {_NAMES}><office:meta><dc:title>Lease</dc:title>
    <meta:creation-date>2024-03-01T10:00:00.123</meta:creation-date></office:meta>
    <office:body><office:text>{_p("Flat")}</office:text></office:body></office:document>"""
    document = read_document("a.fodt", flat.encode())
    assert (document.text, document.title, document.created) == ("Flat", "Lease", "2024-03-01T10:00:00")


def test_an_endlessly_repeated_row_is_not_expanded() -> None:
    body = f"""<table:table table:name="T"><table:table-row>
    <table:table-cell>{_p("first")}</table:table-cell></table:table-row>
    <table:table-row table:number-rows-repeated="1000000"><table:table-cell>{_p("x")}</table:table-cell>
    </table:table-row></table:table>"""
    document = read_document("a.ods", _odf(body, "spreadsheet"))
    assert document.text == "T\n\nfirst"
    assert "repeats a row" in document.partial


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            pack({"content.xml": "x", "META-INF/manifest.xml": "<a><encryption-data/></a>"}),
            "This file is protected by a password.",
        ),
        (b"PK\x03\x04", "This file is damaged or not an OpenDocument file."),
        (b"<html><body>no</body></html>", "This file is damaged or not an OpenDocument file."),
        (_odf(""), "This file contains no text."),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document("a.odt", data)
    assert str(refused.value) == reason


def test_slides_have_their_titles_and_hidden_ones_are_marked() -> None:
    def slide(inside: str, style: str = "") -> str:
        return f'<draw:page draw:style-name="{style}">{inside}</draw:page>'

    title = '<draw:frame presentation:class="title"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
    picture = '<draw:frame presentation:class="graphic"><draw:image/></draw:frame>'
    gone = (
        '<style:style style:name="off" style:family="drawing-page"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>'
    )
    body = slide(title.format("Plan")) + slide(title.format("Map") + picture) + slide(title.format("Spare"), "off")
    document = read_document(
        "a.odp", _odf(body, "presentation", styles=f"<office:styles {_NAMES}>{gone}</office:styles>")
    )
    assert shown(document) == [("HEADING", 2, "Plan"), ("HEADING", 2, "Map"), ("HEADING", 2, "Spare")]
    sections = [section.label for section in document.structure.sections]
    assert sections == ["Slide 1", "Slide 2", "Slide 3 (hidden)"]


def test_merged_cells_belong_to_their_rows_and_columns() -> None:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def cell(text: str, columns: int = 1, rows: int = 1) -> str:
        spans = f'table:number-columns-spanned="{columns}" table:number-rows-spanned="{rows}"'
        return f"<table:table-cell {spans}>{_p(text)}</table:table-cell>"

    covered = "<table:covered-table-cell/>"
    body = (
        row(cell("Region"), cell("2023", columns=2), covered)
        + row(cell("North", rows=2), cell("a"), cell("b"))
        + row(covered, cell("c"), cell("9", rows=2))
        + row(cell("South"), cell("d"), covered)
    )
    assert texts("a.odt", _odf(f"<table:table>{body}</table:table>")) == [
        "Region\t2023\t2023",
        "North\ta\tb",
        "North\tc\t9",
        "South\td\t",
    ]
