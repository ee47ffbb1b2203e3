"""Reads the text layer of DjVu books, page by page; pictures of pages are left alone."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.books.bzz import BzzDamaged, unpack_bzz
from desktop_rag.documents.formats.source_file import MAX_ENTRIES, ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_SIGNATURE = b"AT&TFORM"
_FORM, _BUNDLE, _PAGE = b"FORM", b"DJVM", b"DJVU"
_NO_TEXT = "This DjVu book has no text layer; recognise its text with another program, or convert it to PDF."
_LINE_ENDS = re.compile(r"[\n\x0b\x1d\x1f]")  # of lines, columns, regions and paragraphs
_POINTS = 72
_MAX_PAGES = 20_000


@dataclass(frozen=True, slots=True)
class _Chunk:
    name: bytes
    first: int
    last: int


def read_djvu(source: SourceFile, kind: Format) -> Document:
    """Return the text of the pages; raises `DocumentError` if none has text or the file is no DjVu."""
    data = source.data
    if not data.startswith(_SIGNATURE):
        raise DocumentError("This file is damaged or not a DjVu book.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    broken = 0
    with source.keep_partial(builder):
        for number, page in enumerate(_pages(data), start=1):
            if number > _MAX_PAGES:
                raise ReadLimitReached(f"Only the first {_MAX_PAGES:,} pages of this book were read.")
            source.budget.check(builder.characters)
            text = b""
            width = height = 0.0
            for chunk in _chunks(data, page.first + 4, page.last):
                content = data[chunk.first : chunk.last]
                if chunk.name == b"INFO" and len(content) >= 8:
                    width, height = _size(content)
                elif chunk.name in (b"TXTa", b"TXTz"):
                    try:
                        text = content if chunk.name == b"TXTa" else unpack_bzz(content, source.budget)
                    except BzzDamaged:
                        broken += 1
            builder.begin_page(width, height)
            _append_text(text, builder, source.budget)
    if broken and not builder.partial:
        pages = "1 page" if broken == 1 else f"{broken:,} pages"
        builder.leave_out(f"The text of {pages} of this book is damaged and was left out.", ProblemKind.DAMAGED)
    return builder.build(_NO_TEXT, ProblemKind.OTHER)


def _append_text(text: bytes, builder: DocumentBuilder, budget: ReadBudget) -> None:
    """Append the lines of a page: three bytes of length, the text, then where its words are."""
    size = int.from_bytes(text[:3], "big")
    for line in _LINE_ENDS.split(text[3 : 3 + size].decode("utf-8", "replace")):
        budget.check(builder.characters)
        words = " ".join(clean(line).split())
        if words:
            builder.add(Line(words))
        elif builder.characters:
            builder.add_blank()


def _pages(data: bytes) -> Iterator[_Chunk]:
    """Yield the pages of a book of one file; of an index without its pages there are none."""
    whole = _Chunk(_FORM, 12, len(data))
    if data[12:16] == _PAGE:
        yield whole
    elif data[12:16] == _BUNDLE:
        for chunk in _chunks(data, 16, len(data)):
            if chunk.name == _FORM and data[chunk.first : chunk.first + 4] == _PAGE:
                yield chunk


def _chunks(data: bytes, position: int, end: int) -> Iterator[_Chunk]:
    for _ in range(MAX_ENTRIES * 2):
        if position + 8 > end:
            return
        name, size = struct.unpack_from(">4sI", data, position)
        first = position + 8
        yield _Chunk(name, first, min(first + size, end))
        position = first + size + (size & 1)


def _size(info: bytes) -> tuple[float, float]:
    """Return width and height in points."""
    width, height = struct.unpack_from(">HH", info)
    (resolution,) = struct.unpack_from("<H", info, 6)
    dots = resolution if 25 <= resolution <= 6000 else 300
    return width * _POINTS / dots, height * _POINTS / dots
