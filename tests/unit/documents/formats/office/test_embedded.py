"""Files that are set into documents and slides are read, too."""

import struct

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.office.package import Package
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import pack, relations, texts
from tests.unit.documents.formats.office.test_odf import odf_content
from tests.unit.documents.formats.office.test_sheet_cells import text, workbook

SHEET = workbook(
    f'<worksheet><sheetData><row r="1">{text("A1", "Almond")}{text("B1", "77")}</row></sheetData></worksheet>'
)
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def native(name: str, data: bytes) -> bytes:
    """Return the stream of an OLE package of any file."""
    path = b"C:\\\\notes\\\\" + name.encode() + b"\0"
    inside = b"\2\0" + name.encode() + b"\0" + path + b"\0\0\3\0" + struct.pack("<I", len(path)) + path
    inside += struct.pack("<I", len(data)) + data
    return struct.pack("<I", len(inside)) + inside


@pytest.mark.parametrize(
    ("kind", "name", "data", "found"),
    [
        ("package", "book.xlsx", SHEET, "Almond\t77"),
        ("oleObject", "oleObject1.bin", SHEET, "Almond\t77"),
        ("oleObject", "oleObject1.bin", ole({"Package": SHEET}), "Almond\t77"),
        (
            "oleObject",
            "oleObject1.bin",
            ole({"\x01Ole10Native": native("memo.txt", b"Rigging in May.")}),
            "Rigging in May.",
        ),
        ("oleObject", "oleObject1.bin", ole({"Equation Native": b"x" * 40}), ""),
        ("oleObject", "oleObject1.bin", b"damaged", ""),
    ],
)
def test_an_embedded_file_follows_the_document(kind: str, name: str, data: bytes, found: str) -> None:
    parts = {
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/document.xml": f"<w:document {_W}><w:body><w:p><w:r><w:t>Before</w:t></w:r></w:p></w:body></w:document>",
        "word/_rels/document.xml.rels": relations(**{f"r1__{kind}": f"embeddings/{name}"}),
    }
    lines = texts("a.docx", pack(parts, {f"word/embeddings/{name}": data}))
    assert lines[0] == "Before"
    assert lines[-1] == (found or "Before")


def test_each_part_with_relationships_is_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/document.xml": f"<w:document {_W}><w:body><w:p><w:r><w:t>Before</w:t></w:r></w:p></w:body></w:document>",
        "word/_rels/document.xml.rels": relations(styles="styles.xml", r2__package="embeddings/book.xlsx"),
    }
    unpacked: list[str] = []
    read = Package.read

    def noted(self: Package, name: str, *limit: int) -> bytes:
        unpacked.append(name)
        return read(self, name, *limit)

    monkeypatch.setattr(Package, "read", noted)
    assert texts("a.docx", pack(parts, {"word/embeddings/book.xlsx": SHEET}))[-1] == "Almond\t77"
    assert unpacked.count("word/_rels/document.xml.rels") == 1


def test_a_sheet_in_a_text_of_opendocument() -> None:
    frame = '<text:p>Before<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    sheet = '<table:table table:name="S"><table:table-row><table:table-cell><text:p>Almond</text:p></table:table-cell>'
    inside = odf_content(f"{sheet}</table:table-row></table:table>", "spreadsheet")
    data = pack({"content.xml": odf_content(frame), "Object 1/content.xml": inside})
    assert texts("a.odt", data) == ["Before", "S", "Almond"]
    document = read_document("a.odt", data)
    assert document.structure.section_of(document.line_count) == "S!A1:A1"
