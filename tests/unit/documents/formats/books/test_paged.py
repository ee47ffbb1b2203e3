import io
import struct
import zipfile

import pymupdf
import pytest

from desktop_rag.documents.document import OutlineEntry
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.paged_files import open_paged
from desktop_rag.errors import DocumentError

_XPS = "http://schemas.microsoft.com/xps/2005/06"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def _xps(*lines: str) -> bytes:
    """Return an XPS document with a page for each line."""
    pages = "".join(f'<PageContent Source="/{number}.fpage"/>' for number in range(len(lines)))
    reference = '<DocumentReference Source="/a.fdoc"/>'
    target = f'<Relationship Id="r" Type="{_XPS}/fixedrepresentation" Target="/seq.fdseq"/>'
    parts: dict[str, str | bytes] = {
        "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">{target}</Relationships>',
        "seq.fdseq": f'<FixedDocumentSequence xmlns="{_XPS}">{reference}</FixedDocumentSequence>',
        "a.fdoc": f'<FixedDocument xmlns="{_XPS}">{pages}</FixedDocument>',
        "f.ttf": pymupdf.Font("helv").buffer,
    }
    for number, line in enumerate(lines):
        glyphs = f'FontUri="/f.ttf" FontRenderingEmSize="20" OriginX="50" OriginY="100" UnicodeString="{line}"'
        parts[f"{number}.fpage"] = (
            f'<FixedPage xmlns="{_XPS}" Width="600" Height="800"><Glyphs {glyphs} Fill="#ff000000"/></FixedPage>'
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return buffer.getvalue()


def _mobi(html: bytes) -> bytes:
    """Return a MOBI book of one uncompressed record."""
    palmdoc = struct.pack(">HHIHHHH", 1, 0, len(html), 1, 4096, 0, 0)
    header = palmdoc + (b"MOBI" + struct.pack(">IIIII", 232, 2, 65001, 1, 6)).ljust(232, b"\xff")
    top = b"Lease".ljust(32, b"\0") + bytes(28) + b"BOOKMOBI" + struct.pack(">IIH", 0, 0, 2)
    first = len(top) + 16 + 2
    records = struct.pack(">IIII", first, 0, first + len(header), 1)
    return top + records + b"\0\0" + header + html


def _cbz(count: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(count):
            with pymupdf.open() as drawn:
                picture = drawn.new_page(width=30 + number, height=40).get_pixmap()
            archive.writestr(f"{number}.png", picture.tobytes("png"))
    return buffer.getvalue()


def test_an_xps_document_is_read_by_page_with_the_boxes_of_its_lines() -> None:
    document = read_document("a.xps", _xps("Rent is due", "Three months"))
    assert [line.text for line in document.lines() if line.text] == ["Rent is due", "Three months"]
    assert [page.number for page in document.pages] == [1, 2]
    assert document.box(1) is not None


def test_a_mobi_book_has_the_pages_of_the_painter_and_an_outline() -> None:
    body = b"".join(b"<h1>Chapter %d</h1>%s" % (n, b"<p>Rent is due each month.</p>" * 60) for n in (1, 2))
    data = _mobi(b"<html><head><title>The lease</title></head><body>%s</body></html>" % body)
    document = read_document("a.mobi", data)
    assert document.title == "The lease"
    assert document.text.count("Rent is due each month.") == 120
    with open_paged("a.mobi", data) as painted:
        assert len(document.pages) == painted.page_count
    titles = [(entry.title, document.line(entry.line).text) for entry in document.structure.outline]
    assert titles[0] == ("Chapter 1", "Chapter 1")
    assert isinstance(document.structure.outline[0], OutlineEntry)


@pytest.mark.parametrize("suffix", ["azw", "azw3", "prc"])
def test_kindle_books_are_read_like_mobi(suffix: str) -> None:
    document = read_document(f"a.{suffix}", _mobi(b"<html><body><p>Rent is due</p></body></html>"))
    assert document.text == "Rent is due"


def test_a_kindle_book_with_copy_protection_or_huffman_codes_says_so() -> None:
    data = _mobi(b"<html><body><p>Rent is due</p></body></html>")
    (start,) = struct.unpack_from(">I", data, 78)
    protected = data[: start + 12] + b"\0\2" + data[start + 14 :]
    with pytest.raises(DocumentError, match="copy-protected by its shop"):
        read_document("a.azw3", protected)
    with pytest.raises(DocumentError, match="convert it to EPUB"):
        read_document("a.azw3", data[:start] + struct.pack(">H", 17480) + data[start + 2 :])


def test_a_comic_has_pages_without_text() -> None:
    document = read_document("a.cbz", _cbz(3))
    assert (document.text, len(document.pages), document.structure.textless) == ("", 3, (1, 2, 3))
    assert document.pages[1].width > document.pages[0].width
    assert document.partial == "3 pages without text (a scan?)"


@pytest.mark.parametrize("name", ["a.xps", "a.mobi", "a.cbz"])
@pytest.mark.parametrize("data", [b"text", b"PK\x03\x04" + bytes(50), b"\x00" * 200])
def test_damaged_files_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(DocumentError):
        read_document(name, data)
