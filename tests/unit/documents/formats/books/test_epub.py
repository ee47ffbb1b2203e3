import pytest

from desktop_rag.documents.document import OutlineEntry, Section
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import pack, shown

_CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_OPF = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Lease</dc:title><dc:creator>A. Huber</dc:creator>
<dc:creator>B. Roth</dc:creator><dc:language>en</dc:language><dc:date>2024-03-05</dc:date>
<meta property="dcterms:modified">2024-04-01T10:00:00Z</meta></metadata>
<manifest>{items}</manifest><spine toc="ncx">{spine}</spine></package>"""
_NAV = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="landmarks"><ol>
<li><a href="x">x</a></li>
</ol></nav><nav epub:type="toc"><ol><li><a href="text/a%20b.xhtml">Part I</a><ol>
<li><a href="text/a%20b.xhtml#notice">Notice</a></li><li><a href="text/a%20b.xhtml#gone">Lost</a></li></ol></li>
<li><a href="text/c.xhtml">Part II</a></li></ol></nav></body></html>"""
_NCX = """<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part I</text></navLabel>
<content src="text/a%20b.xhtml"/><navPoint><navLabel><text>Notice</text></navLabel>
<content src="text/a%20b.xhtml#notice"/></navPoint></navPoint>
<navPoint><navLabel><text>Part II</text></navLabel><content src="text/c.xhtml"/></navPoint></navMap></ncx>"""
_FIRST = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>
<h1>One</h1><p>Rent is due.</p><h2 id="notice">Notice</h2><p>Three months.</p></body></html>"""


def _epub(**changed: str) -> bytes:
    kinds = {"a b": "xhtml+xml", "c": "xhtml+xml", "nav": "xhtml+xml", "ncx": "x-dtbncx+xml"}
    files = {"a b": "text/a%20b.xhtml", "c": "text/c.xhtml", "nav": "nav.xhtml", "ncx": "toc.ncx"}
    items = "".join(
        f'<item id="{name}" href="{files[name]}" media-type="application/{kinds[name]}"'
        f"{' properties=' + chr(34) + 'nav' + chr(34) if name == 'nav' else ''}/>"
        for name in files
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in ("nav", "a b", "c", "c", "missing"))
    parts = {
        "META-INF/container.xml": _CONTAINER,
        "OPS/book.opf": _OPF.format(items=items, spine=spine),
        "OPS/nav.xhtml": _NAV,
        "OPS/toc.ncx": _NCX,
        "OPS/text/a b.xhtml": _FIRST,
        "OPS/text/c.xhtml": "<html><body><p>The end.</p></body></html>",
    }
    return pack({name: text for name, text in (parts | changed).items() if text})


@pytest.mark.parametrize("contents", ["", _NAV])
def test_chapters_are_sections_and_outline_entries_from_the_contents(contents: str) -> None:
    document = read_document("a.epub", _epub(**{"OPS/nav.xhtml": contents}))
    assert shown(document) == [
        ("HEADING", 1, "One"),
        ("PARAGRAPH", 0, "Rent is due."),
        ("HEADING", 2, "Notice"),
        ("PARAGRAPH", 0, "Three months."),
        ("PARAGRAPH", 0, "The end."),
    ]
    assert document.structure.sections == (Section(1, "Part I"), Section(5, "Part I › Notice"), Section(9, "Part II"))
    assert OutlineEntry(5, 2, "Notice") in document.structure.outline
    assert OutlineEntry(9, 1, "Part II") in document.structure.outline


def test_an_entry_with_a_missing_anchor_points_to_its_file() -> None:
    assert OutlineEntry(1, 2, "Lost") in read_document("a.epub", _epub()).structure.outline


def test_title_authors_dates_and_language_come_from_the_package() -> None:
    document = read_document("a.epub", _epub())
    assert (document.title, document.author, document.language) == ("The Lease", "A. Huber, B. Roth", "en")
    assert (document.created, document.modified) == ("2024-03-05", "2024-04-01T10:00:00")


def test_a_protected_book_is_refused_with_the_reason() -> None:
    references = "".join(
        f'<CipherReference URI="OPS/{file}"/>' for file in ("text/a%20b.xhtml", "text/c.xhtml", "nav.xhtml")
    )
    encryption = f'<encryption xmlns="http://www.w3.org/2001/04/xmlenc#">{references}</encryption>'
    with pytest.raises(DocumentError, match="protected against copying"):
        read_document("a.epub", _epub(**{"META-INF/encryption.xml": encryption}))


def test_a_book_of_pictures_is_refused_with_the_reason() -> None:
    picture = "<html><body><img src='1.jpg'/></body></html>"
    with pytest.raises(DocumentError, match="contains no text, only pictures"):
        read_document("a.epub", _epub(**{"OPS/text/a b.xhtml": picture, "OPS/text/c.xhtml": picture}))


@pytest.mark.parametrize("part", ["META-INF/container.xml", "OPS/book.opf"])
def test_a_book_without_its_package_files_is_refused(part: str) -> None:
    with pytest.raises(DocumentError, match="damaged or not an e-book"):
        read_document("a.epub", _epub(**{part: ""}))


def test_entities_of_the_package_are_not_resolved() -> None:
    attack = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    opf = _OPF.format(items="", spine="").replace("The Lease", "&x;")
    with pytest.raises(DocumentError, match="no text"):
        read_document("a.epub", _epub(**{"OPS/book.opf": attack + opf}))


def test_text_up_to_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 10)
    document = read_document("a.epub", _epub())
    assert document.text.startswith("One")
    assert "The end." not in document.text
    assert "more text than can be read" in document.partial
