"""Check boxes, choices, symbols and struck-out text say what a reader sees."""

import io
import zipfile
from collections.abc import Sequence

import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.inline_text import InlineText
from desktop_rag.documents.formats.office.symbol_fonts import symbol, symbols
from tests.integration.documents.test_raised_figures import packed
from tests.unit.documents.formats.office.packages import pack, relations
from tests.unit.documents.formats.test_looks_of_letters import odf

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def page(inside: str) -> str:
    return read_document("a.html", f"<main>{inside}</main>".encode()).text


def docx(inside: str) -> str:
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    body = f"<w:document {_W}><w:body><w:p>{inside}</w:p></w:body></w:document>"
    parts = {"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": body}
    return read_document("a.docx", packed(parts)).text


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Symbol", 0xF0B0, "°"),
        ("Symbol", 0x6D, "μ"),
        ("Symbol", 0xF0B3, "≥"),
        ("Symbol", 0xF0A3, "≤"),
        ("Symbol", 0xF0B1, "±"),
        ("Wingdings", 0xF0FE, "☑"),
        ("Wingdings", 0xF0A8, "☐"),
        ("Wingdings", 0xF001, "•"),
        ("Arial", 0x41, "A"),
    ],
)
def test_the_character_of_a_symbol(font: str, code: int, shown: str) -> None:
    assert symbol(code, font) == shown


def test_letters_of_a_symbol_font_are_symbols() -> None:
    assert symbols("b", "Symbol") == "β"
    run = '<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>b</w:t></w:r><w:r><w:t>-carotene</w:t></w:r>'
    assert docx(run) == "β-carotene"
    fonts = rb"{\fonttbl{\f0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}"
    rich = rb"{\rtf1" + fonts + rb"\f0 {\f1 b}-carotene {\f2\'fe} yes}"
    assert read_document("a.rtf", rich).text == "β-carotene ☑ yes"


def test_a_form_of_word_tells_its_states() -> None:
    def field(form: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{form}</w:ffData></w:fldChar></w:r>'

    boxes = field("<w:checkBox><w:checked/></w:checkBox>"), field('<w:checkBox><w:default w:val="0"/></w:checkBox>')
    choice = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Copper"/><w:listEntry w:val="Bronze"/></w:ddList>'
    words = "<w:r><w:t>yes</w:t></w:r>", "<w:r><w:t>no</w:t></w:r>"
    assert docx(f"{boxes[0]}{words[0]}{boxes[1]}{words[1]}{field(choice)}") == "☒yes☐noBronze"


def test_a_form_of_a_page_tells_its_states() -> None:
    boxes = '<input type="checkbox" checked> Insured <input type="radio"> Leased'
    menu = (
        "<select><option>Larch</option><option selected>Alder</option></select><select><option>Oak<option>Elm</select>"
    )
    assert page(f'<p>{boxes} {menu} <input value="12 m"><input type="hidden" value="secret"></p>') == (
        "☑ Insured ☐ Leased Alder Oak 12 m"
    )


@pytest.mark.parametrize("tag", ["del", "s", "strike"])
def test_struck_out_text_of_a_page_is_marked(tag: str) -> None:
    assert (
        page(f"<p>It costs <{tag}>1,200 <b>crowns</b></{tag}> 1,450.</p>") == "It costs [deleted: 1,200 crowns] 1,450."
    )


@pytest.mark.parametrize(
    "inside",
    [
        '<span style="text-decoration: line-through">900</span> 950',
        '<b class="gone">900</b> 950',
        '<i class="gone"><u>90</u>0</i> 950',
        '<style>p .old { text-decoration-line: LINE-THROUGH }</style><u class="old">900</u> 950',
    ],
)
def test_text_that_a_style_strikes_out_is_marked(inside: str) -> None:
    sheet = "<style>.gone{color:red;text-decoration:line-through red}</style>"
    assert page(f"{sheet}<p>It costs {inside}.</p><p>Not this.</p>").split("\n\n") == [
        "It costs [deleted: 900] 950.",
        "Not this.",
    ]


def test_paragraphs_of_a_struck_out_part_are_marked() -> None:
    part = '<div style="text-decoration:line-through"><p>One.</p><p>Two.</p></div><p>Three.</p>'
    assert page(part) == "[deleted: One.]\n\n[deleted: Two.]\n\nThree."


def test_struck_out_text_of_word_and_rich_text_is_marked() -> None:
    run = '<w:r><w:rPr><w:strike/></w:rPr><w:t>900</w:t></w:r><w:r><w:t xml:space="preserve"> 950</w:t></w:r>'
    assert docx(run) == "[deleted: 900] 950"
    assert read_document("a.rtf", rb"{\rtf1 It costs {\strike 900} 950.}").text == "It costs [deleted: 900] 950."


def test_lists_are_numbered_as_their_styles_say() -> None:
    sheet = "<style>ol.law{list-style:upper-roman outside}</style>"
    lists = '<ol class="law"><li>Rent<li>Term</ol><ol style="list-style-type: lower-alpha" start="3"><li>Keys</ol>'
    assert page(f"{sheet}{lists}").split("\n") == ["I. Rent", "II. Term", "", "c. Keys"]


def test_symbols_forms_and_prompts_of_opendocument() -> None:
    spaces = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" '
    spaces += 'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0" '
    spaces += 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    faces = "<style:font-face style:name='W1' svg:font-family=\"'Wingdings'\"/>"
    faces = f"<office:font-face-decls>{faces}</office:font-face-decls>"
    style = "<style:style style:name='{}' style:family='text' {}>{}</style:style>".format
    styles = style("w", "", "<style:text-properties style:font-name='W1'/>")
    styles += style("red", "style:parent-style-name='s'", "") + style(
        "s", "", "<style:text-properties style:font-name='Symbol'/>"
    )
    kind = "vnd.oasis.opendocument.field.FORM"
    entry = "<field:param field:name='Dropdown_ListEntry' field:value='{}'/>".format
    body = (
        "<text:p><text:span text:style-name='w'>\uf0fe</text:span> Insured, <text:span text:style-name='red'>\uf0b3"
        "</text:span> 9 \uf0b3</text:p><text:p>"
        f"<field:fieldmark field:type='{kind}CHECKBOX'><field:param field:name='Checkbox_Checked' field:value='true'/>"
        f"</field:fieldmark> yes <field:fieldmark field:type='{kind}CHECKBOX'/> no "
        f"<field:fieldmark-start field:type='{kind}DROPDOWN'>{entry('Iron')}{entry('Bronze')}"
        "<field:param field:name='Dropdown_Selected' field:value='1'/></field:fieldmark-start></text:p>"
        "<text:p>Name: <loext:content-control loext:showing-place-holder='true'>Click here</loext:content-control>"
        "<text:placeholder>&lt;who&gt;</text:placeholder>.</text:p>"
    )
    content = odf(body, styles)
    names = f"<office:document-content {spaces} "
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        xml = package.read("content.xml").decode().replace("<office:document-content ", names)
    data = packed({"content.xml": xml.replace("<office:automatic-styles>", f"{faces}<office:automatic-styles>")})
    text = read_document("a.odt", data).text
    assert text == "☑ Insured, ≥ 9 \uf0b3\n\n☒ yes ☐ no Bronze\n\nName: ."


def test_symbols_and_forms_of_rich_text() -> None:
    form = r"{\field{\*\fldinst FORM {\*\formfield{%s}}}{\fldrslt %s}}"
    rich = (
        r"{\rtf1{\fonttbl{\f0 Arial;}{\f1\fcharset2 Wingdings;}{\f2 Symbol;}}"
        + form % (r"\fftype1\ffres1\ffdefres0{\*\ffname a}", "")
        + " yes "
        + form % (r"\fftype1\ffres25\ffdefres0", "")
        + " no "
        + form % (r"\fftype2\ffres1{\*\ffl Iron}{\*\ffl Bronze}", "")
        + " "
        + form % (r"\fftype0{\*\ffdeftext x}", "Ada")
        + r", {\f1\'fe} {\f1\u-3928?} {\f2\u-3917\'b3} 9}"
    )
    assert read_document("a.rtf", rich.encode()).text == "☒ yes ☐ no Bronze Ada, ☑ ☐ ≥ 9"


def test_merged_cells_of_rich_text() -> None:
    rows = (
        r"\trowd\cellx1000\clmgf\cellx2000\clmrg\cellx3000 Region\cell 2023\cell\cell\row"
        r"\trowd\clvmgf\cellx1000\cellx2000\cellx3000 North\cell 10\cell 11\cell\row"
        r"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\cell 20\cell 21\cell\row"
        r"\trowd\trleft1000\cellx3020 Both\cell\row"
    )
    text = read_document("a.rtf", (r"{\rtf1 Before\par\intbl " + rows + r"\pard After\par}").encode()).text
    table = ["Region\t2023\t2023", "North\t10\t11", "North\t20\t21", "\tBoth\tBoth"]
    assert text.split("\n") == ["Before", "", *table, "", "After"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("c.html", b"<p>Paprika caf&eacute;</p>"),
        ("c.dat", "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>Paprika café</p></body></html>".encode()),
        ("c.txt", "Paprika café".encode()),
        ("c.rtf", rb"{\rtf1 Paprika caf\'e9}"),
        ("c.mht", b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>Paprika caf&eacute;</p>"),
        ("c.docx", b""),
    ],
)
def test_a_part_of_another_format_stands_at_its_place(name: str, data: bytes) -> None:
    def word(inside: str, **targets: str) -> bytes:
        body = f"<w:document {_W}><w:body>{inside}</w:body></w:document>"
        parts = {"_rels/.rels": relations(officeDocument="word/document.xml"), "word/document.xml": body}
        return pack(parts | {"word/_rels/document.xml.rels": relations(**targets)}, {f"word/{name}": data})

    line = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>".format
    data = data or word(line("Paprika café"))
    r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    whole = word(f'{line("Before.")}<w:altChunk {r} r:id="c"/>{line("After.")}', c__aFChunk=name)
    assert [each for each in read_document("a.docx", whole).text.split("\n") if each] == [
        "Before.",
        "Paprika café",
        "After.",
    ]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], False),
        ([(" \n", ())], False),
        ([(" ", (MarkKind.SUPERSCRIPT,))], False),
        ([("2", (MarkKind.SUPERSCRIPT,))], True),
        ([("", (MarkKind.STRIKETHROUGH,)), ("old", (MarkKind.STRIKETHROUGH,))], True),
    ],
)
def test_a_paragraph_knows_whether_it_has_lines(
    pieces: Sequence[tuple[str, Sequence[MarkKind]]], expected: bool
) -> None:
    inline = InlineText()
    for text, kinds in pieces:
        inline.add(text, kinds)
    assert inline.has_text() is expected
    assert bool(inline.lines()) is expected
