"""Equations and readings that are spelled out by fields, whose results Word does not store."""

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.docx_styles import equation_field
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import pack, relations, texts
from tests.unit.documents.formats.office.test_word95 import PLAIN, stream

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        (r" EQ \f(3,4) ", "3/4"),
        (r"eq \f(a+b;2)", "(a+b)/2"),
        (r"EQ x = \r(3,\f(1,8)) + \r(16)", "x = ³√(1/8) + √16"),
        (r"EQ \i\su(i=1,n,x)", "∑_(i=1)^n x"),
        (r"EQ \b\bc\{(\a\al\co2(1,2,3,4))", "(1, 2, 3, 4)"),
        (r'EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(とうきょう),東京)', "東京"),
        (r"EQ 10\s\up8(9) l of H\s\do4(2)O", "10⁹ l of H₂O"),
        (r"EQ \x(4\,5) \d\fo10()", "4,5"),
        (r"EQ \f(1", "1"),
        (r"EQUATION \f(3,4)", ""),
        (" PAGE ", ""),
    ],
)
def test_what_a_field_shows(instruction: str, shown: str) -> None:
    assert equation_field(instruction) == shown


def test_a_field_may_be_nested_without_end() -> None:
    assert equation_field("EQ " + "\\b(" * 500).startswith("((((")


def test_fields_of_word_and_rich_text() -> None:
    parts = "".join(
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>{inside}'
        for kind, inside in (
            ("begin", r"<w:r><w:instrText> EQ \f(3,4) </w:instrText></w:r>"),
            ("separate", ""),
            ("end", ""),
        )
    )
    body = f'<w:p><w:r><w:t>Pay 2</w:t></w:r>{parts}<w:r><w:t xml:space="preserve"> now</w:t></w:r></w:p>'
    packed = {
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
    }
    assert texts("a.docx", pack(packed)) == ["Pay 2 3/4 now"]
    rich = rb"{\rtf1 Pay 2{\field{\*\fldinst EQ \\f(3,4)}{\fldrslt}} now\par}"
    assert read_document("a.rtf", rich).text == "Pay 2 3/4 now"
    data = stream([(b"Pay 2\x13 EQ \\f(3,4) \x14\x15 now, 5\x13 EQ \\f(1,2)\x15\r", PLAIN)])
    assert texts("a.doc", ole({"WordDocument": data})) == ["Pay 2 3/4 now, 5 1/2"]
