import pytest

from desktop_rag.documents.file_signatures import OLE
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import ole_with_password, pack, texts

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
    ],
)
def test_the_content_of_a_file_overrules_its_name(name: str, data: bytes, expected: str) -> None:
    assert texts(name, data) == [expected]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.doc", OLE + bytes(504), "This file is damaged or not a Word file."),
        ("a.pps", OLE + bytes(504), "This file is damaged or not a PowerPoint file."),
        ("a.doc", ole_with_password(), "This file is protected by a password."),
        ("a.ppt", b"anything", "This file is damaged or not a PowerPoint file."),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_a_hint(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document(name, data)
    assert str(refused.value) == reason
