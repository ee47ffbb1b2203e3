"""Decompression bombs and other small files that exhaust memory or time, or try to read secrets."""

import io
import struct
import tarfile
import zipfile
import zlib

MEGABYTE = 1024 * 1024


def zipped(members: dict[str, bytes], level: int = 9) -> bytes:
    """Return a ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def zeros(megabytes: int) -> bytes:
    """Return a ZIP archive of one text of the given size in megabytes."""
    return zipped({"a.txt": b"a" * MEGABYTE * megabytes})


def nested(levels: int) -> bytes:
    """Return an archive of ten archives of ten archives …, each with a text of 10 MB at the end (like 42.zip)."""
    inner = zeros(10)
    for _ in range(levels):
        inner = zipped({f"{number}.zip": inner for number in range(10)})
    return zipped({"first.txt": b"What comes first is read.", "rest.zip": inner})


def overlapping(entries: int) -> bytes:
    """Return a ZIP archive whose many entries share the same compressed bytes."""
    whole = zeros(20)
    end = whole.rindex(b"PK\x05\x06")
    directory = whole[whole.rindex(b"PK\x01\x02", 0, end) : end]
    many = b"".join(
        directory[:28] + struct.pack("<H", 9) + directory[30:46] + b"%05d.txt" % number for number in range(entries)
    )
    local = whole[: whole.rindex(b"PK\x01\x02", 0, end)]
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, entries, entries, len(many), len(local), 0)
    return local + many + tail


def many_entries(count: int) -> bytes:
    """Return a ZIP archive of the given number of tiny texts."""
    return zipped({f"{number}.txt": b"text" for number in range(count)}, level=1)


def packed_tar(megabytes: int) -> bytes:
    """Return a compressed TAR archive of one text of the given size in megabytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=9) as archive:
        facts = tarfile.TarInfo("a.txt")
        facts.size = MEGABYTE * megabytes
        archive.addfile(facts, io.BytesIO(b"a" * facts.size))
    return out.getvalue()


def docx(body: bytes, doctype: bytes = b"") -> bytes:
    """Return a Word document with this body."""
    namespace = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xml = b'<?xml version="1.0"?>%s<w:document xmlns:w="%s"><w:body>%s</w:body></w:document>'
    return zipped({"word/document.xml": xml % (doctype, namespace, body)})


def long_docx(megabytes: int) -> bytes:
    """Return a Word document that unpacks to the given megabytes of paragraphs."""
    paragraph = b"<w:p><w:r><w:t>The tenant pays the rent each month.</w:t></w:r></w:p>"
    return docx(paragraph * (MEGABYTE * megabytes // len(paragraph)))


def entities(levels: int = 9) -> bytes:
    """Return an XML document type of entities, each ten times the previous one (“billion laughs”)."""
    lines = [b'<!ENTITY e0 "ha">']
    lines += [b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, levels + 1)]
    return b"<!DOCTYPE d [" + b"".join(lines) + b"]>"


def foreign_entity(path: str) -> bytes:
    """Return an XML document type whose entity is a local file."""
    return b'<!DOCTYPE d [<!ENTITY x SYSTEM "file://%s">]>' % path.encode()


def pdf(*objects: bytes) -> bytes:
    """Return a PDF of these objects; the first one is the catalog."""
    return b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1))


def stream_bomb(megabytes: int, first: bytes = b"") -> bytes:
    """Return a PDF whose last page unpacks to the given megabytes of text; `first` is the text of the page before."""
    packer = zlib.compressobj(9)
    piece = b"BT /F 10 Tf 1 1 Td (" + b"A" * 1_000_000 + b") Tj ET\n"
    data = b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents %d 0 R/Resources<</Font<</F 6 0 R>>>>>>"
    said = b"BT /F 10 Tf 10 50 Td (%s) Tj ET" % first
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
        page % 7,
        page % 5,
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(data), data),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(said), said),
    )


def page_bomb(levels: int) -> bytes:
    """Return a small PDF of 10**levels pages: each node of the page tree refers to the next one ten times."""
    nodes = [
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (10 ** (levels - n), b"%d 0 R " % (n + 3) * 10) for n in range(levels)
    ]
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", *nodes, b"<</Type/Page/MediaBox[0 0 9 9]>>")
