import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError

_SAVED = """From: <Saved by Blink>
Subject: =?utf-8?Q?Mietvertr=C3=A4ge?=
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="----x"

------x
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.org/law/lease.html

<html><head><meta charset=3D"utf-8"><title>Mietvertr=C3=A4ge</title></head><body><h1>K=C3=BCndigung</h1><p>See=
 <a href=3D"notice.html">notice</a>.</p></body></html>
------x
Content-Type: text/css

p { color: red }
------x
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

<p>A frame: Größe</p>
------x--
"""


def test_a_saved_page_is_read_with_its_frames_and_absolute_links() -> None:
    document = read_document("page.mhtml", _SAVED.encode("latin-1"))
    assert document.title == "Mietverträge"
    assert document.text.split("\n\n") == ["Kündigung", "See notice.", "A frame: Größe"]
    links = [mark for mark in document.structure.each_mark() if mark.kind is MarkKind.LINK]
    assert [mark.target for mark in links] == ["https://example.org/law/notice.html"]


def test_a_page_with_the_wrong_suffix_is_read() -> None:
    assert read_document("page.mht", b"<p>text</p>").text == "text"


def test_a_file_without_pages_is_refused_with_the_reason() -> None:
    with pytest.raises(DocumentError, match="not a saved web page"):
        read_document("page.mht", b"Content-Type: text/css\n\np {}")
