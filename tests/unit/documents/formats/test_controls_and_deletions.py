"""Check boxes, choices, symbols and struck-out text say what a reader sees."""

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.symbol_fonts import symbol, symbols
from tests.integration.documents.test_raised_figures import packed

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
