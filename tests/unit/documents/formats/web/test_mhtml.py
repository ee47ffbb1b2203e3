import plistlib

import pytest

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse

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


def _webarchive(html: str, *frames: object) -> dict[str, object]:
    page = {
        "WebResourceData": html.encode("utf-16"),
        "WebResourceTextEncodingName": "utf-16",
        "WebResourceURL": "https://example.org/law/lease.html",
    }
    return {"WebMainResource": page, "WebSubframeArchives": list(frames)}


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_a_page_saved_by_safari_is_read_with_its_frames(form: plistlib.PlistFormat) -> None:
    html = '<html><body><h1>Kündigung</h1><p>See <a href="notice.html">notice</a>.</p></body></html>'
    data = plistlib.dumps(_webarchive(html, _webarchive("<p>A frame</p>"), "no frame"), fmt=form)
    document = read_document("page.webarchive", data)
    assert document.text.split("\n\n") == ["Kündigung", "See notice.", "A frame"]
    links = [mark for mark in document.structure.each_mark() if mark.kind is MarkKind.LINK]
    assert [mark.target for mark in links] == ["https://example.org/law/notice.html"]


def test_damaged_pages_of_safari_end_in_a_text_or_a_reason() -> None:
    data = plistlib.dumps(_webarchive("<p>text</p>"), fmt=plistlib.FMT_BINARY)
    for at in range(len(data)):
        for broken in (data[:at], data[:at] + bytes((data[at] ^ 0x11,)) + data[at + 1 :]):
            read_or_refuse("a.webarchive", broken)
    with pytest.raises(DocumentError, match="not a saved web page"):
        read_document("a.webarchive", plistlib.dumps({"WebMainResource": []}))
