import pytest

from desktop_rag.documents.file_types import OLE, UNREAD_WORD
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import ole_with_password, pack, texts
from tests.unit.documents.formats.office.test_word95 import PLAIN, stream
from tests.unit.documents.formats.office.test_xls_records import label, workbook

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_BODY = "<w:body><w:p><w:r><w:t>New</w:t></w:r></w:p></w:body>"
_DOCX = pack({"word/document.xml": f'<w:document xmlns:w="{_W}">{_BODY}</w:document>'})


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.doc", _DOCX, "New"),
        ("a.doc", b"{\\rtf1 Rich}", "Rich"),
        ("a.docx", b"{\\rtf1 Rich}", "Rich"),
        ("a.xls", b"{\\rtf1 Rich}", "Rich"),
        ("a.dot", b'digraph { label="Rich" }\n', 'digraph { label="Rich" }'),
        ("a.doc", "Größe".encode("latin-1"), "Größe"),
        ("a.ppt", "\ufeffRich".encode("utf-16-le"), "Rich"),
        ("a.xls", b"Rich;poor\n", "Rich\tpoor"),
        (
            "a.doc",
            b'<?xml version="1.0"?><w:wordDocument xmlns:w="w"><w:p><w:t>Rich</w:t></w:p></w:wordDocument>',
            "Rich",
        ),
        ("a.doc", ole({"PowerPoint Document": b"", "Text_Content": b"Rich\r\r"}), "Rich"),
        ("a.ppt", ole({"WordDocument": stream([(b"Rich\r", PLAIN)])}), "Rich"),
        ("a.doc", workbook(Fees=label(0, 0, "Rich")), "Fees\nRich"),
    ],
)
def test_the_content_of_a_file_overrules_its_name(name: str, data: bytes, expected: str) -> None:
    assert texts(name, data) == expected.split("\n")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.doc", OLE + bytes(504), "This file is damaged or not a Word file."),
        ("a.pps", OLE + bytes(504), "This file is damaged or not a PowerPoint file."),
        ("a.doc", ole_with_password(), "This file is protected by a password."),
        ("a.doc", b"\xfe\x37\x00\x23" + bytes(99), UNREAD_WORD),
        ("a.ppt", bytes(99), "This file is damaged or not a PowerPoint file."),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_a_hint(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document(name, data)
    assert str(refused.value) == reason
