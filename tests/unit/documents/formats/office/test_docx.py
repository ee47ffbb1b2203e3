import io
import zipfile

import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import ole_with_password, pack, relations, shown, texts

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
_STYLES = f"""<w:styles {_W}>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="T1"><w:name w:val="Titre 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Our chapters"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="Outlined"><w:name w:val="Part"/>
<w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
</w:styles>"""
_NUMBERING = f"""<w:numbering {_W}><w:abstractNum w:abstractNumId="5">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum><w:abstractNum w:abstractNumId="6">
<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="5"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="6"/></w:num></w:numbering>"""


def _docx(body: str, **parts: str) -> bytes:
    kinds = {
        name: f"{name}.xml" for name in parts if name in ("styles", "numbering", "footnotes", "comments", "header")
    }
    return pack(
        {
            "_rels/.rels": relations(officeDocument="word/document.xml"),
            "word/document.xml": f"<w:document {_W} {_R} {_MC}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations(
                link__hyperlink="https://example.org/a", c__chart="chart.xml", d__diagramData="diagram.xml", **kinds
            ),
            **{f"word/{name}.xml": text for name, text in parts.items()},
        }
    )


def _p(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def _listed(text: str, number: int, depth: int = 0) -> str:
    return _p(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>')


def _styled(text: str, style: str) -> str:
    return _p(text, f'<w:pStyle w:val="{style}"/>')


def test_headings_come_from_styles_whatever_their_language_and_from_outline_levels() -> None:
    body = "".join(
        (
            _styled("Translated", "berschrift2"),
            _styled("French", "T1"),
            _styled("Inherited", "Own"),
            _styled("Of a style", "Outlined"),
            _p("Of itself", '<w:outlineLvl w:val="0"/>'),
            _p("Text", '<w:outlineLvl w:val="9"/>'),
        )
    )
    assert shown(read_document("a.docx", _docx(body, styles=_STYLES))) == [
        ("HEADING", 2, "Translated"),
        ("HEADING", 1, "French"),
        ("HEADING", 2, "Inherited"),
        ("HEADING", 3, "Of a style"),
        ("HEADING", 1, "Of itself"),
        ("PARAGRAPH", 0, "Text"),
    ]


def test_lists_carry_the_numbers_that_word_shows() -> None:
    body = "".join(
        (
            _listed("one", 1),
            _listed("inner", 1, 1),
            _listed("two", 1),
            _listed("again", 1, 1),
            _listed("anew", 2),
            _listed("dot", 3),
        )
    )
    assert shown(read_document("a.docx", _docx(body, numbering=_NUMBERING))) == [
        ("ITEM", 1, "1. one"),
        ("ITEM", 2, "1.a) inner"),
        ("ITEM", 1, "2. two"),
        ("ITEM", 2, "2.a) again"),
        ("ITEM", 1, "7. anew"),
        ("ITEM", 1, "• dot"),
    ]


def test_a_table_is_rows_with_its_header_and_merged_cells_belong_to_their_rows() -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{_p(text)}</w:tc>"

    body = f"""<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>
    <w:tr>{cell("Name")}{cell("Rent")}{cell("Due")}</w:tr>
    <w:tr>{cell("Anna", '<w:vMerge w:val="restart"/>')}{cell("to be agreed", '<w:gridSpan w:val="2"/>')}</w:tr>
    <w:tr>{cell("hidden", "<w:vMerge/>")}{cell("900")}{cell("May")}</w:tr></w:tbl>"""
    assert shown(read_document("a.docx", _docx(body))) == [
        ("ROW", 1, "Name\tRent\tDue"),
        ("ROW", 0, "Anna\tto be agreed\tto be agreed"),
        ("ROW", 0, "Anna\t900\tMay"),
    ]


def test_a_table_of_one_cell_is_text() -> None:
    body = f"<w:tbl><w:tr><w:tc>{_p('Framed')}{_p('twice')}</w:tc></w:tr></w:tbl>"
    assert shown(read_document("a.docx", _docx(body))) == [("PARAGRAPH", 0, "Framed"), ("PARAGRAPH", 0, "twice")]


def test_notes_and_comments_follow_the_paragraph_they_belong_to() -> None:
    body = (
        '<w:p><w:r><w:t>Rent is due.</w:t></w:r><w:r><w:footnoteReference w:id="4"/></w:r>'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>' + _p("Next.")
    )
    footnotes = f'<w:footnotes {_W}><w:footnote w:id="4">{_p("Monthly.")}</w:footnote></w:footnotes>'
    comments = f'<w:comments {_W}><w:comment w:id="0" w:author="Ben">{_p("Really?")}</w:comment></w:comments>'
    assert shown(read_document("a.docx", _docx(body, footnotes=footnotes, comments=comments))) == [
        ("PARAGRAPH", 0, "Rent is due.[1]"),
        ("QUOTE", 1, "[1] Monthly."),
        ("QUOTE", 1, "Comment by Ben: Really?"),
        ("PARAGRAPH", 0, "Next."),
    ]


def test_a_text_box_with_a_fallback_is_read_once() -> None:
    box = f"<w:pict><w:txbxContent>{_p('In the box')}</w:txbxContent></w:pict>"
    body = (
        "<w:p><w:r><w:t>Outside</w:t></w:r><w:r><mc:AlternateContent>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert texts("a.docx", _docx(body)) == ["Outside", "In the box"]


def test_charts_and_diagrams_follow_their_paragraph() -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006"
    body = (
        f'<w:p><w:r><w:t>Look:</w:t><w:drawing><c:chart xmlns:c="{drawing}/chart" r:id="c"/></w:drawing></w:r></w:p>'
        f'<w:p><w:r><w:drawing><d:relIds xmlns:d="{drawing}/diagram" r:dm="d"/></w:drawing></w:r></w:p>'
        f'<w:p><w:r><w:drawing><c:chart xmlns:c="{drawing}/chart" r:id="gone"/></w:drawing></w:r></w:p>'
    )
    chart = (
        f'<c:chartSpace xmlns:c="{drawing}/chart"><c:chart><c:ser><c:tx><c:v>Rent</c:v></c:tx>'
        '<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>950</c:v></c:pt></c:numCache></c:numRef></c:val>'
        "</c:ser></c:chart></c:chartSpace>"
    )
    sign = "<a:p><a:r><a:t>Sign</a:t></a:r></a:p>"
    diagram = f'<d:dataModel xmlns:d="{drawing}/diagram" xmlns:a="{drawing}/main">{sign}</d:dataModel>'
    assert texts("a.docx", _docx(body, chart=chart, diagram=diagram)) == ["Look:", "\tRent", "\t950", "• Sign"]


def test_deleted_text_is_left_out_and_inserted_text_and_controls_are_read() -> None:
    body = (
        "<w:p><w:del><w:r><w:t>old</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
        f"<w:sdt><w:sdtPr/><w:sdtContent>{_p('controlled')}</w:sdtContent></w:sdt>"
    )
    assert texts("a.docx", _docx(body)) == ["new", "controlled"]


def test_links_and_emphasis_are_marked_where_they_stand() -> None:
    body = (
        '<w:p><w:r><w:t xml:space="preserve"> See </w:t></w:r><w:hyperlink r:id="link"><w:r><w:rPr><w:b/></w:rPr>'
        '<w:t>here</w:t></w:r></w:hyperlink><w:r><w:rPr><w:i w:val="0"/></w:rPr><w:t>.</w:t></w:r></w:p>'
    )
    document = read_document("a.docx", _docx(body))
    marks = [(document.text[mark.start : mark.end], mark.kind, mark.target) for mark in document.structure.each_mark()]
    assert document.text == "See here."
    assert marks == [("here", MarkKind.STRONG, ""), ("here", MarkKind.LINK, "https://example.org/a")]


def test_headers_are_appended_once_at_the_end() -> None:
    header = f"<w:hdr {_W}>{_p('Letterhead')}</w:hdr>"
    assert texts("a.docx", _docx(_p("Body"), header=header)) == ["Body", "Letterhead"]


def test_the_strict_dialect_is_read_too() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    text = f'<w:document xmlns:w="{strict}"><w:body>{_p("Strict")}</w:body></w:document>'
    assert texts("a.docx", pack({"word/document.xml": text})) == ["Strict"]


def test_entities_are_not_resolved() -> None:
    text = (
        '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/hostname">]>'
        f"<w:document {_W}><w:body>{_p('kept &b;&x;')}</w:body></w:document>"
    )
    assert texts("a.docx", pack({"word/document.xml": text})) == ["kept"]


def test_a_decompression_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_UNPACKED", 10_000)
    with pytest.raises(DocumentError, match="unpacks to far more"):
        read_document("a.docx", _docx(_p("x" * 20_000)))


def test_very_deeply_nested_tables_keep_the_text_before_them() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * 3000 + _p("deep") + "</w:tc></w:tr></w:tbl>" * 3000
    assert "First" in texts("a.docx", _docx(_p("First") + deep))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (ole_with_password(), "This file is protected by a password."),
        (b"PK\x03\x04 cut off", "This file is damaged or not a Word document."),
        (pack({"word/other.xml": "<a/>"}), "This file is damaged or not a Word document."),
        (_docx(""), "This file contains no text."),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document("a.docx", data)
    assert str(refused.value) == reason


def test_any_damage_yields_text_or_a_reason() -> None:
    whole = bytearray(_docx(_p("Rent is due monthly.") * 50, styles=_STYLES, numbering=_NUMBERING))
    for position in range(0, len(whole), 7):
        damaged = bytes(whole[:position]) + bytes((whole[position] ^ 0xFF,)) + bytes(whole[position + 1 :])
        try:
            read_document("a.docx", damaged)
        except DocumentError as error:
            assert str(error).endswith(".")  # noqa: PT017 - many files of a loop, each either way


def test_a_package_with_a_password_of_zip_is_refused() -> None:
    data = bytearray(_docx(_p("secret")))
    for info in zipfile.ZipFile(io.BytesIO(bytes(data))).infolist():
        data[info.header_offset + 6] |= 1
    for start in range(len(data) - 4):
        if data[start : start + 4] == b"PK\x01\x02":
            data[start + 8] |= 1
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.docx", bytes(data))


def test_legal_numbers_are_decimal_and_a_page_inside_is_read_at_its_place() -> None:
    numbering = (
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/>'
        '<w:lvlText w:val="Article %1."/></w:lvl><w:lvl w:ilvl="1"><w:isLgl/><w:lvlText w:val="Section %1.%2"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )

    def item(text: str, depth: int) -> str:
        place = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="1"/></w:numPr>'
        return f"<w:p><w:pPr>{place}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    body = item("Fees", 0) + item("Late payment", 1)
    assert texts("a.docx", _docx(body, numbering=numbering)) == ["Article I. Fees", "Section 1.1 Late payment"]


@pytest.mark.parametrize(
    ("form", "number", "shown"),
    [
        ("chineseCountingThousand", 1, "一"),
        ("chineseCountingThousand", 12, "十二"),
        ("chineseCounting", 20, "二十"),
        ("taiwaneseCounting", 102, "一百零二"),
        ("chineseCountingThousand", 1_010, "一千零一十"),
        ("japaneseCounting", 111, "百十一"),
        ("japaneseCounting", 20_000, "20000"),
        ("russianUpper", 2, "Б"),
        ("russianLower", 30, "аа"),
        ("decimalEnclosedCircle", 3, "③"),
        ("none", 3, ""),
    ],
)
def test_numbers_of_lists_in_other_scripts(form: str, number: int, shown: str) -> None:
    assert format_number(number, form) == shown


def test_a_list_whose_numbers_are_words_keeps_them() -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{form}"/><w:lvlText w:val="{words}"/></w:lvl>'
        for at, (form, words) in enumerate((("chineseCounting", "第%1条"), ("none", "Note:"), ("none", "%3.")))
    )
    numbering = (
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    run = "<w:r><w:t>x</w:t></w:r>"
    body = "".join(
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="1"/></w:numPr></w:pPr>{run}</w:p>'
        for depth in range(3)
    )
    assert texts("a.docx", _docx(body, numbering=numbering)) == ["第一条 x", "Note: x", "x"]


def test_prompts_of_fields_that_are_not_filled_in_are_no_text() -> None:
    def field(properties: str, inside: str) -> str:
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"

    prompt = field("<w:showingPlcHdr/>", "<w:r><w:t>Click to enter text.</w:t></w:r>")
    filled = field('<w:showingPlcHdr w:val="0"/>', "<w:r><w:t>Ida</w:t></w:r>")
    body = f"<w:p><w:r><w:t>Name: </w:t></w:r>{filled}{prompt}</w:p>" + field(
        "<w:showingPlcHdr/>", _p("Choose a date.")
    )
    assert texts("a.docx", _docx(body)) == ["Name: Ida"]
