import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import ole_with_password, pack, relations, shown, texts

_NAMES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_CHART = f"""<c:chartSpace {_NAMES}><c:chart><c:plotArea><c:barChart><c:ser>
<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Rent</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>900</c:v></c:pt></c:numCache></c:numRef></c:val>
</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"""


def _p(text: str, properties: str = "<a:pPr/>") -> str:
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def _shape(text: str, placeholder: str = "") -> str:
    place = f'<p:nvPr><p:ph type="{placeholder}"/></p:nvPr>' if placeholder else ""
    return f"<p:sp><p:nvSpPr>{place}</p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"


def _slide(shapes: str, attributes: str = "") -> str:
    return f"<p:sld {_NAMES} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"


def _pptx(*slides: str, **parts: str) -> bytes:
    ids = "".join(f'<p:sldId r:id="s{number}"/>' for number in range(len(slides)))
    named = {f"s{number}__slide": f"slides/{number}.xml" for number in range(len(slides))}
    related = relations(notesSlide="notes.xml", comments="comments.xml", c__chart="chart.xml")
    return pack(
        {
            "_rels/.rels": relations(officeDocument="ppt/presentation.xml"),
            "ppt/presentation.xml": f"<p:presentation {_NAMES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(**named),
            "ppt/slides/_rels/0.xml.rels": related,
            **{f"ppt/slides/{number}.xml": slide for number, slide in enumerate(slides)},
            **{f"ppt/slides/{name}.xml": text for name, text in parts.items()},
        }
    )


def test_each_slide_is_a_section_that_begins_with_its_title() -> None:
    document = read_document(
        "a.pptx",
        _pptx(
            _slide(_shape(_p("Point"), "body") + _shape(_p("Welcome"), "ctrTitle") + _shape(_p("7"), "sldNum")),
            _slide(_shape(_p("Spare")), 'show="0"'),
        ),
    )
    assert shown(document) == [("HEADING", 2, "Welcome"), ("ITEM", 1, "• Point"), ("PARAGRAPH", 0, "Spare")]
    assert document.title == "Welcome"
    labels = [document.structure.section_of(number) for number in range(1, document.line_count + 1)]
    assert labels[0] == "Slide 1"
    assert labels[-1] == "Slide 2 (hidden)"


def test_paragraphs_carry_the_bullets_and_numbers_of_the_slide() -> None:
    numbered = '<a:pPr lvl="1"><a:buAutoNum type="alphaLcParenR" startAt="2"/></a:pPr>'
    body = _p("dot") + _p("b", numbered) + _p("c", numbered) + _p("none", "<a:pPr><a:buNone/></a:pPr>")
    assert shown(read_document("a.pptx", _pptx(_slide(_shape(body, "body"))))) == [
        ("ITEM", 1, "• dot"),
        ("ITEM", 2, "b) b"),
        ("ITEM", 2, "c) c"),
        ("PARAGRAPH", 0, "none"),
    ]


def test_tables_and_charts_are_rows() -> None:
    cells = "".join(f"<a:tc><a:txBody>{_p(text)}</a:txBody></a:tc>" for text in ("Name", "Rent"))
    frame = (
        f'<p:graphicFrame><a:graphic><a:tbl><a:tblPr firstRow="1"/><a:tr>{cells}</a:tr></a:tbl></a:graphic>'
        '</p:graphicFrame><p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>'
    )
    assert shown(read_document("a.pptx", _pptx(_slide(frame), chart=_CHART))) == [
        ("ROW", 1, "Name\tRent"),
        ("ROW", 1, "\tRent"),
        ("ROW", 0, "May\t900"),
    ]


def test_multi_level_category_names_are_joined() -> None:
    def level(names: dict[int, str]) -> str:
        points = "".join(f'<c:pt idx="{index}"><c:v>{name}</c:v></c:pt>' for index, name in names.items())
        return f"<c:lvl>{points}</c:lvl>"

    levels = level({0: "Bonn", 1: "Ulm", 2: "Nice"}) + level({0: "Germany", 2: "France"})
    chart = _CHART.replace('<c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt></c:strCache></c:strRef>', levels)
    document = read_document(
        "a.pptx", _pptx(_slide('<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>'), chart=chart)
    )
    rows = [text for kind, _, text in shown(document) if kind == "ROW"]
    assert [row.strip() for row in rows] == ["Rent", "Germany Bonn\t900", "Germany Ulm", "France Nice"]


def test_groups_notes_and_comments_are_read() -> None:
    notes = f"<p:notes {_NAMES}><p:cSld><p:spTree>{_shape(_p('Smile'), 'body')}</p:spTree></p:cSld></p:notes>"
    comments = f"<p:cmLst {_NAMES}><p:cm><p:text>Shorter</p:text></p:cm></p:cmLst>"
    data = _pptx(_slide(f"<p:grpSp>{_shape(_p('Grouped'))}</p:grpSp>"), notes=notes, comments=comments)
    assert texts("a.pptx", data) == ["Grouped", "Notes: Smile", "Comment: Shorter"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (ole_with_password(), "This file is protected by a password."),
        (b"PK", "This file is damaged or not a presentation."),
        (_pptx(_slide("")), "This file contains no text."),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document("a.pptx", data)
    assert str(refused.value) == reason


def test_an_equation_on_a_slide_is_one_line() -> None:
    math = (
        '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>a+b</m:t>'
        "</m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
    )
    drawn = f'<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main">{math}</a14:m>'
    assert texts("a.pptx", _pptx(_slide(_shape(f"<a:p><a:r><a:t>Mean:</a:t></a:r>{drawn}</a:p>")))) == ["Mean:(a+b)/2"]


def test_merged_cells_of_a_table_belong_to_their_rows_and_columns() -> None:
    def cell(text: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody>{_p(text) if text else ''}</a:txBody></a:tc>"

    rows = (
        cell("Region") + cell("2023", 'gridSpan="2"') + cell("", 'hMerge="1"'),
        cell("North", 'rowSpan="2"') + cell("a") + cell("b"),
        cell("", 'vMerge="1"') + cell("c") + cell("d"),
    )
    table = f"<a:tbl><a:tblPr firstRow='1'/>{''.join(f'<a:tr>{row}</a:tr>' for row in rows)}</a:tbl>"
    data = _pptx(
        _slide(f"<p:graphicFrame><a:graphic><a:graphicData>{table}</a:graphicData></a:graphic></p:graphicFrame>")
    )
    assert shown(read_document("a.pptx", data)) == [
        ("ROW", 0, "Region\t2023\t2023"),
        ("ROW", 0, "North\ta\tb"),
        ("ROW", 0, "North\tc\td"),
    ]


def test_fonts_of_symbols_show_symbols() -> None:
    def run(words: str, tag: str = "", font: str = "Wingdings") -> str:
        look = f"<a:rPr><a:{tag} typeface='{font}'/></a:rPr>" if tag else ""
        return f"<a:r>{look}<a:t>{words}</a:t></a:r>"

    runs = run("þ", "sym") + run(" done ", "sym") + run("\uf0a8", "latin") + run(" not, voilà ", "sym")
    runs += run("m", "latin", "Symbol") + run("\uf0b3", "sym", "Symbol") + run("m 7")
    assert texts("a.pptx", _pptx(_slide(_shape(f"<a:p>{runs}</a:p>")))) == ["☑ done ☐ not, voilà μ≥m 7"]
