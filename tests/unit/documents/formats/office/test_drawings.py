import base64
import gzip
import zlib
from urllib.parse import quote

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import pack, read_or_refuse, relations, shown, texts

_SVG = """<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/"><title>Harbour plan</title>
<style>text { fill: red }</style><script>var text = "no";</script><metadata>tool</metadata>
<g><desc>Seen from the north</desc><text x="1" y="2"><tspan x="0" y="3">Quay</tspan><tspan> one</tspan>
<tspan x="0" dy="4">Depth 7 m</tspan></text><text>&secret;Crane</text></g>
<foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Note<br/>below</div></foreignObject></svg>"""
_V = "http://schemas.microsoft.com/office/visio/2012/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DIA = """<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:diagramdata>
<dia:attribute name="paper"><dia:composite type="paper"><dia:attribute name="name"><dia:string>#A4#</dia:string>
</dia:attribute></dia:composite></dia:attribute></dia:diagramdata><dia:layer name="Background"><dia:object>
<dia:attribute name="text"><dia:composite type="text"><dia:attribute name="string"><dia:string>#Pump
room#</dia:string></dia:attribute></dia:composite></dia:attribute></dia:object></dia:layer></dia:diagram>"""
_GRAPH = (
    '<mxGraphModel><root><mxCell id="0"/><mxCell value="&lt;b&gt;Order&lt;/b&gt;&lt;br&gt;received"/>'
    '<object label="Ship it"/></root></mxGraphModel>'
)


def _visio() -> bytes:
    page = (
        f'<PageContents xmlns="{_V}"><Shapes><Shape ID="1"><Text><cp IX="0"/>Start\n<pp IX="0"/>here</Text>'
        '<Shapes><Shape ID="2"><Text>Inner box</Text></Shape></Shapes></Shape></Shapes></PageContents>'
    )
    return pack(
        {
            "visio/pages/pages.xml": f'<Pages xmlns="{_V}" xmlns:r="{_R}"><Page Name="Flow"><Rel r:id="a"/></Page>'
            '<Page Name="Gone"><Rel r:id="b"/></Page></Pages>',
            "visio/pages/_rels/pages.xml.rels": relations(a__page="page1.xml", b__page="page2.xml"),
            "visio/pages/page1.xml": page,
            "visio/comments.xml": f'<Comments xmlns="{_V}"><CommentEntry>Too narrow</CommentEntry></Comments>',
        }
    )


def test_the_words_of_an_svg_are_its_lines_without_scripts_and_entities() -> None:
    document = read_document("plan.svg", _SVG.encode())
    assert [text for _, _, text in shown(document)] == [
        "Harbour plan",
        "Seen from the north",
        "Quay one",
        "Depth 7 m",
        "Crane",
        "Note",
        "below",
    ]
    assert (document.title, document.format) == ("Harbour plan", "drawing")
    assert texts("plan.svgz", gzip.compress(_SVG.encode()))[2] == "Quay one"


def test_a_visio_drawing_has_a_section_for_each_page_and_its_comments() -> None:
    document = read_document("flow.vsdx", _visio())
    assert shown(document) == [
        ("HEADING", 1, "Flow"),
        ("PARAGRAPH", 0, "Start"),
        ("PARAGRAPH", 0, "here"),
        ("PARAGRAPH", 0, "Inner box"),
        ("QUOTE", 1, "Comment: Too narrow"),
    ]
    assert document.structure.section_of(2) == "Flow"


def test_dia_draw_io_and_xournal_are_read_packed_and_plain() -> None:
    assert texts("a.dia", gzip.compress(_DIA.encode())) == ["Pump", "room"]
    packer = zlib.compressobj(wbits=-15)
    packed = base64.b64encode(packer.compress(quote(_GRAPH).encode()) + packer.flush()).decode()
    expected = ["Shop", "Order received", "Ship it"]
    assert texts("a.drawio", f'<mxfile><diagram name="Shop">{packed}</diagram></mxfile>'.encode()) == expected
    assert texts("a.dio", f'<mxfile><diagram name="Shop">{_GRAPH}</diagram></mxfile>'.encode()) == expected
    notes = "<xournal><page><layer><text x='1'>First\nSecond</text></layer></page></xournal>"
    assert texts("a.xopp", gzip.compress(notes.encode())) == ["First", "Second"]


def test_what_is_no_drawing_or_has_no_words_says_so() -> None:
    with pytest.raises(DocumentError, match="contains no text"):
        read_document("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')
    with pytest.raises(DocumentError, match="damaged or not a drawing"):
        read_document("a.svg", b"<html><body>words</body></html>")
    with pytest.raises(DocumentError, match="damaged or not a Visio drawing"):
        read_document("a.vsdx", pack({"word/document.xml": "<a/>"}))


def test_bombs_and_damaged_drawings_end_in_a_text_or_a_reason() -> None:
    bomb = gzip.compress(b"<svg>" + b" " * 60_000_000 + b"</svg>")
    deep = b"<svg>" + b"<g>" * 300 + b"<text>deep</text>"
    for name, data in (("a.svgz", bomb), ("b.svg", deep), ("c.vsdx", _visio()), ("d.svg", _SVG.encode())):
        for cut in (len(data), len(data) // 2, len(data) * 9 // 10):
            read_or_refuse(name, data[:cut])
