"""Reads files of Hangul Word Processor: .hwpx (XML in a ZIP package, OWPML) and .hwp (version 5, an OLE file)."""

import io
import struct
from collections.abc import Iterator

import olefile
from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    PROTECTED,
    Package,
    build,
    local_name,
    read_ole_metadata,
)
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_DAMAGED = "This file is damaged or not a file of Hangul Word Processor."
_TOO_OLD = "This file was saved by Hangul Word Processor 3; save it as .hwpx to have it read."
_OLD_MARK, _MARK = b"HWP Document File V3", b"HWP Document File"
_FLAGS, _COMPRESSED, _ENCRYPTED, _FOR_DISTRIBUTION = 36, 1, 2, 4
_PARAGRAPH_TEXT = 67
_LONG = 0xFFF  # in the size of a record: its real size follows
_WIDE_CONTROLS = frozenset((*range(1, 10), 11, 12, *range(14, 24)))  # eight units long
_TAB, _LINE_END = 9, 10


def read_hangul(source: SourceFile, kind: Format) -> Document:
    """Return the text of the file; raises `DocumentError` if it is damaged, protected or too old."""
    builder = DocumentBuilder(Format.WORD)
    if source.data.startswith(file_types.ZIP):
        package = Package(source, "a file of Hangul Word Processor")
        with source.keep_partial(builder):
            _read_package(package, source, builder)
        return build(package, builder)
    if source.data.startswith(_OLD_MARK):
        raise DocumentError(_TOO_OLD)
    if not source.data.startswith(file_types.OLE):
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
    with source.keep_partial(builder, _DAMAGED):
        _read_compound(source, builder)
    return builder.build(NO_TEXT)


def _read_package(package: Package, source: SourceFile, builder: DocumentBuilder) -> None:
    if b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
    head = package.xml("Contents/content.hpf")
    if head is not None:
        builder.title = next((" ".join((title.text or "").split()) for title in head.iter("{*}title")), "")
    sections = [name for name in package.names() if name.startswith("Contents/section") and name.endswith(".xml")]
    for name in sorted(sections, key=lambda name: (len(name), name)):
        root = package.xml(name)
        if root is not None:
            _append_blocks(root, source, builder)


def _append_blocks(parent: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    for child in parent:
        source.budget.check(builder.characters)
        name = local_name(child)
        if name == "p":
            runs = [text for run in child.iterchildren("{*}run") for text in run.iterchildren("{*}t")]
            append_words(builder, "".join(map(_words, runs)), LineKind.PARAGRAPH)
            for run in child.iterchildren("{*}run"):
                _append_blocks(run, source, builder)
        elif name == "tbl":
            builder.add_blank()
            for row in child.iterchildren("{*}tr"):
                cells = [" ".join(_words(text) for text in cell.iter("{*}t")) for cell in row.iterchildren("{*}tc")]
                if any(cells):
                    builder.add_row(cells)
            builder.add_blank()
        elif name != "t":
            _append_blocks(child, source, builder)


def _words(text: "etree._Element") -> str:
    pieces = [text.text or ""]
    for child in text:
        pieces += [" " if local_name(child) in ("tab", "lineBreak", "fwSpace", "nbSpace") else "", child.tail or ""]
    return "".join(pieces)


def _read_compound(source: SourceFile, builder: DocumentBuilder) -> None:
    ole = olefile.OleFileIO(io.BytesIO(source.data))
    header = ole.openstream("FileHeader").read()
    if not header.startswith(_MARK):
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
    flags = int.from_bytes(header[_FLAGS : _FLAGS + 4], "little")
    if flags & _ENCRYPTED:
        raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
    if flags & _FOR_DISTRIBUTION:
        raise DocumentError(
            "This file is locked for distribution; save it as .hwpx without the lock to have it read.",
            ProblemKind.PROTECTED,
        )
    read_ole_metadata(ole, builder)
    sections = [path for path in ole.listdir() if path[0] == "BodyText" and path[-1].startswith("Section")]
    for path in sorted(sections, key=lambda path: (len(path[-1]), path[-1])):
        data = ole.openstream(path).read()
        if flags & _COMPRESSED:
            packed, data = len(data), source.budget.inflated(data)
            source.budget.count_unpacked(len(data), packed)
        for tag, record in _records(data):
            source.budget.check(builder.characters)
            if tag == _PARAGRAPH_TEXT:
                for line in _decoded(record).split("\n"):
                    append_words(builder, line, LineKind.PARAGRAPH)


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, position)
        position += 4
        size = head >> 20
        if size == _LONG:
            size = int.from_bytes(data[position : position + 4], "little")
            position += 4
        yield head & 0x3FF, data[position : position + size]
        position += size


def _decoded(record: bytes) -> str:
    units = memoryview(record[: len(record) & ~1]).cast("H")
    kept: list[int] = []
    position = 0
    while position < len(units):
        unit = units[position]
        position += 8 if unit in _WIDE_CONTROLS else 1
        if unit in (_TAB, _LINE_END) or unit >= ord(" "):
            kept.append(unit)
    return struct.pack(f"<{len(kept)}H", *kept).decode("utf-16-le", "replace")
