"""Reads binary Word documents (.doc, Word 2 to 2003): headings, lists, tables, each note after its paragraph."""

import io
import re
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

import olefile

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import FONT_CHARSETS
from desktop_rag.documents.decoding.encodings import detect_code_page
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import InlineText, append_block, append_paragraph, comment_label
from desktop_rag.documents.formats.office.binary import word97
from desktop_rag.documents.formats.office.binary.word97 import (
    NO_FORMAT,
    Formats,
    ParagraphFormat,
    RunLook,
    Word97File,
    WordNote,
)
from desktop_rag.documents.formats.office.docx_styles import add_equation_field
from desktop_rag.documents.formats.office.package import NO_TEXT, read_ole_metadata
from desktop_rag.documents.formats.office.sheet_lines import CellGrid, GridRow
from desktop_rag.documents.formats.office.symbol_fonts import symbols_drawn
from desktop_rag.documents.formats.source_file import BROKEN, SourceFile

# Word files before Word 97: 6 and 95, with their formats; of Word 2 the text alone.
#
# The header has the same parts at other places, characters have one byte, and property modifiers have codes of one
# byte.

WORD2, WORD6, WORD97 = b"\xdb\xa5", 0x65, 0xC1  # the first bytes of a file of Word 2; the first nFib of the others
_COMPLEX, _WIDE = 0x0004, 0x1000  # flags: the text is in pieces, which have two bytes a character
_PAGES_AT = MappingProxyType({word97.RUNS: 0x18A, 13: 0x18C})  # the first page of formats; their number is 4 bytes on
_LAST_PAIRS = 0x1D2 - 8 * word97.ENDNOTE_REFERENCES  # pairs from that of the endnotes are counted from here
_CODES = MappingProxyType(
    {24: word97.IN_TABLE, 25: word97.ROW_END, 13: word97.LIST, 92: word97.HIDDEN, 65: word97.DELETED}
    | {87: word97.STRUCK, 104: word97.MOVED}
)
_LONGEST = MappingProxyType({2: 2, 20: 4, 69: 2, 70: 4, 72: 2, 73: 3, 80: 2, 93: 2, 95: 3, 96: 2, 97: 2})
_ONE_BYTE = frozenset(
    (*range(4, 12), 13, 14, 24, 25, 29, 37, 44, 50, 51, 65, 66, 67, 71, 75, *range(85, 93), 94, 98, 99, 100, 104)
)
_VARIABLE = frozenset((3, 12, 15, 23, 68, 74, 81, 82, 103))
_FONTS = 15
_RUNS_OF_LETTERS = re.compile(rb"[\x80-\xff]{3,}")


class Word95File(Word97File):
    """The streams of such a file; `main` is the whole file of Word 2."""

    _counts, _first_pair = 52, 88
    _paragraph_entry, _comment_entry = 7, 20

    def __init__(self, main: bytes) -> None:
        """Read the header; raises `DocumentError` if it is encrypted, `BROKEN` if it is damaged."""
        (self._version,) = struct.unpack_from("<H", main, 2)
        super().__init__(main, main, main)
        self._code_page = _code_page(self._bytes(0, self._starts[-1]), list(self._pages_of_fonts()))

    def text(self, first: int, last: int) -> str:
        """Return the bytes from `first` to `last` as Latin-1, or characters of two bytes; see `shown`."""
        if self._flags & _WIDE:
            return super().text(first, last)
        return self._bytes(first, last).decode("latin-1")

    def shown(self, text: str) -> str:
        """Return a part of `text()` in the code page of the file."""
        if self._flags & _WIDE:
            return super().shown(text)
        return text if text.isascii() else text.encode("latin-1").decode(self._code_page, "replace")

    def _bytes(self, first: int, last: int) -> bytes:
        found = bytearray()
        for (start, end), (at, _) in zip(pairwise(self._starts), self._pieces, strict=True):
            begin, until = max(first, start), min(last, end)
            if begin < until:
                found += self._main[at + begin - start : at + until - start].ljust(until - begin, b"\0")
        return bytes(found)

    def _pages_of_fonts(self) -> Iterator[str]:
        """Yield the code page of each font that has another one than Western text."""
        data, at = self._pair(_FONTS), 2
        while at + 4 < len(data):
            if page := FONT_CHARSETS.get(data[at + 4]):
                yield page
            at += data[at] + 1

    def _pair(self, index: int) -> bytes:
        if self._version < WORD6:
            return b""
        base = _LAST_PAIRS if index >= word97.ENDNOTE_REFERENCES else self._first_pair
        offset, size = struct.unpack_from("<2I", self._main, base + 8 * index)
        return self._main[offset : offset + size]

    def _symbol_fonts(self) -> dict[int, str]:
        return {}  # whose table has another form

    def _run_styles(self) -> dict[int, dict[int, bytes]]:
        return {}  # whose table has another form

    def _read_pieces(self) -> tuple[list[int], list[tuple[int, int]]]:
        if self._flags & _COMPLEX and self._pair(word97.PIECES):
            return super()._read_pieces()
        first, end = struct.unpack_from("<2I", self._main, 24)
        length = min(end, len(self._main)) - first
        if length <= 0:
            raise ValueError
        size = 2 if self._flags & _WIDE else 1
        return [0, length // size], [(first, size)]

    def _piece(self, offset: int) -> tuple[int, int]:
        return offset, 2 if self._flags & _WIDE else 1

    def _page_numbers(self, index: int) -> list[int]:
        if self._version < WORD6:
            return []
        data = self._pair(index)
        count = max(0, (len(data) - 4) // 6)
        (first,) = struct.unpack_from("<H", self._main, _PAGES_AT[index])
        (pages,) = struct.unpack_from("<H", self._main, _PAGES_AT[index] + 4)
        if pages > count:  # a fast save left the table for later
            return list(range(first, first + pages))
        return list(struct.unpack_from(f"<{count}H", data, 4 * (count + 1) if count else 0))

    @staticmethod
    def _paragraph_properties(page: bytes, place: int) -> bytes:
        return page[place + 1 : place + 1 + 2 * page[place]] if place else b""

    @staticmethod
    def _properties(data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield property modifiers under their codes of Word 97; those after an unknown one are not read."""
        at = 0
        while at < len(data):
            code = data[at]
            at += 1
            if code in _VARIABLE:
                size, at = data[at] if at < len(data) else 0, at + 1
            else:
                size = 1 if code in _ONE_BYTE else _LONGEST.get(code, 2 if 16 <= code <= 51 else 0)
            if not size:
                return
            if code in _CODES:
                yield _CODES[code], data[at : at + size]
            at += size

    @staticmethod
    def _initials(data: bytes, at: int) -> str:
        return data[at + 1 : at + 1 + min(data[at], 9)].decode("latin-1").strip("\x00 ")


def _code_page(text: bytes, of_fonts: Sequence[str]) -> str:
    """Return the code page of a text by its words, and by its fonts if those say nothing or contradict it."""
    found = detect_code_page(text)
    if not of_fonts or found in of_fonts:
        return found or "cp1252"
    joined = sum(map(len, _RUNS_OF_LETTERS.findall(text)))  # in Western text letters with accents stand alone
    is_of_font = not found or 2 * joined > len(text) - len(text.translate(None, bytes(range(128, 256))))
    return of_fonts[0] if is_of_font else found


DAMAGED = "This file is damaged or not a Word file."
_PARAGRAPH_ENDS = re.compile("[\r\x07\x0c]")
_CELL_END, _LINE_BREAKS = "\x07", "\x0b\x0e"
_FIELD_BEGIN, _FIELD_RESULT = "\x13", "\x14"
_FIELD_MARKS = "\x13\x14\x15"
_HYPHENS = {"\x1e": "-", "\x1f": ""}
_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]{1,2000})"', re.IGNORECASE)


def read_doc(source: SourceFile) -> Document:
    """Return the text of a .doc file; raises `DocumentError` if it is damaged or protected."""
    builder = DocumentBuilder(Format.WORD)
    with source.keep_partial(builder, DAMAGED):
        file: Word97File
        if source.data.startswith(WORD2):
            file = Word95File(source.data)
        else:
            ole = olefile.OleFileIO(io.BytesIO(source.data))
            streams = [ole.openstream(name).read() if ole.exists(name) else b"" for name in _STREAMS]
            (version,) = struct.unpack_from("<H", streams[0], 2)
            file = Word97File(*streams) if version >= WORD97 else Word95File(streams[0])
            read_ole_metadata(ole, builder)
        _Reader(file, builder, source).read()
    return builder.build(NO_TEXT)


_STREAMS = ("WordDocument", "0Table", "1Table")


@dataclass(slots=True)
class _Row:
    """A table row under construction."""

    cells: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # of the current cell

    def end_cell(self) -> None:
        self.cells.append(" ".join(filter(None, self.words)))
        self.words.clear()


@dataclass(slots=True)
class _Field:
    """A field: its code, until its separator; then its result is read."""

    code: str = ""
    link: str = ""
    is_code: bool = True


class _Reader:
    def __init__(self, file: Word97File, builder: DocumentBuilder, source: SourceFile) -> None:
        self._file = file
        self._builder = builder
        self._budget = source.budget
        self._formats: Formats[ParagraphFormat] = file.paragraph_formats()
        self._looks = file.run_looks()
        self._levels = _levels(file)
        self._grid = CellGrid(builder)
        self._row = _Row()
        self._rows = 0  # of the current table
        self._fields: list[_Field] = []  # the open ones, the innermost last
        self._numbers = 0  # of notes so far
        self._known: set[str] = {""}  # headers, footers and text boxes so far

    def read(self) -> None:
        """Append the text, each note after its paragraph, then text boxes, headers and footers."""
        file = self._file
        notes = [
            *((note, "") for note in file.notes("notes")),
            *((note, "") for note in file.notes("endnotes")),
            *((note, comment_label(note.author)) for note in file.notes("comments")),
        ]
        self._part(0, file.lengths["main"], sorted(notes, key=lambda each: each[0].at))
        for part in ("boxes", "headers"):
            self._extra(part)

    def _part(self, first: int, last: int, notes: Sequence[tuple[WordNote, str]] = ()) -> None:
        text, start, waiting = self._file.text(first, last), first, deque(notes)
        for end in _PARAGRAPH_ENDS.finditer(text):
            self._budget.check(self._builder.characters)
            position = first + end.start()
            self._paragraph(text[start - first : end.start()], start, position, end.group())
            start = position + 1
            while waiting and waiting[0][0].at <= position:
                note, label = waiting.popleft()
                self._note(note, label)
        if start < last:
            self._paragraph(text[start - first :], start, last - 1, "\r")
        self._end_table()

    def _paragraph(self, text: str, start: int, end: int, mark: str) -> None:
        layout = self._formats.at(self._file.offset(end))
        inline = InlineText()
        self._inline(text, start, inline)
        if layout.in_table:
            self._cell(inline.text(), layout, ends=mark == _CELL_END)
            return
        self._end_table()
        level = self._levels.get(layout.style, 0) or (layout.outline + 1 if layout.outline < 9 else 0)
        append_block(self._builder, inline, level, "•" if layout.listed and not level else "", layout.list_level)

    def _cell(self, words: str, layout: ParagraphFormat, *, ends: bool) -> None:
        if layout.row_end:
            self._end_row(layout)
            return
        self._row.words.append(words)
        if ends:
            self._row.end_cell()

    def _end_row(self, layout: ParagraphFormat = NO_FORMAT) -> None:
        if any(self._row.words):
            self._row.end_cell()
        if any(self._row.cells):
            if not self._rows:
                self._builder.add_blank()
            row = GridRow(self._row.cells, layout.edges, layout.below, layout.beside, is_header=not self._rows)
            self._grid.add(row)
            self._rows += 1
        self._row = _Row()

    def _end_table(self) -> None:
        self._end_row()
        self._grid.end()
        self._rows = 0

    def _inline(self, text: str, start: int, inline: InlineText) -> None:
        """Add the visible characters of a paragraph: no codes of fields, nothing hidden or deleted."""
        written: list[str] = []
        look = plain = RunLook()
        is_plain = not text or not self._may_look_unlike(start, start + len(text) - 1)

        def flush() -> None:
            link = next((each.link for each in reversed(self._fields) if each.link), "")
            inline.add(self._file.shown("".join(written)), look.kinds, link)
            written.clear()

        for index, char in enumerate(text):
            if char in _FIELD_MARKS:
                flush()
                self._field(char, inline)
            elif self._fields and self._fields[-1].is_code:
                self._fields[-1].code += char
            elif any(each.is_code for each in self._fields):
                continue
            else:
                own = plain if is_plain else self._looks.at(self._file.offset(start + index))
                if own.is_hidden:
                    continue
                if own is not look and own.kinds != look.kinds:
                    flush()
                    look = own
                if char in _LINE_BREAKS:
                    flush()
                    inline.break_line()
                    continue
                if own.symbol or own.font:
                    written.append(own.symbol or symbols_drawn(char, own.font))
                    continue
                written.append(char if char >= " " or char == "\t" else _HYPHENS.get(char, ""))
        flush()
        while self._fields and self._fields[-1].is_code:  # a code ends with its paragraph, even if its mark is lost
            self._fields.pop()

    def _may_look_unlike(self, first: int, last: int) -> bool:
        """Return whether the characters of a range may look unlike others; those in several pieces may."""
        begin, end = self._file.offset(first), self._file.offset(last)
        return not 0 <= end - begin <= 2 * (last - first) or self._looks.are_in(begin, end + 1)

    def _field(self, mark: str, inline: InlineText) -> None:
        if mark == _FIELD_BEGIN:
            self._fields.append(_Field())
        elif self._fields and mark == _FIELD_RESULT:
            self._fields[-1].is_code = False
            found = _LINK.match(self._fields[-1].code)
            self._fields[-1].link = found[1] if found else ""
        elif self._fields:
            add_equation_field(inline, self._fields.pop().code)

    def _note(self, note: WordNote, label: str) -> None:
        """Append a note as a quotation; its own paragraphs are joined."""
        self._budget.check(self._builder.characters)
        inline = InlineText()
        for start, line in _paragraphs(self._file.text(note.first, note.last), note.first):
            self._inline(line, start, inline)
            inline.break_line()
        if not label:
            self._numbers += 1
            label = f"[{self._numbers}]"
        append_paragraph(self._builder, inline, LineKind.QUOTE, 1, label)

    def _extra(self, part: str) -> None:
        """Append text boxes, or headers and footers, each text once."""
        first = self._file.start(part)
        text = self._file.text(first, first + self._file.lengths[part])
        self._fields.clear()
        for start, line in _paragraphs(text, first):
            self._budget.check(self._builder.characters)
            inline = InlineText()
            self._inline(line, start, inline)
            if inline.text() not in self._known:
                self._known.add(append_paragraph(self._builder, inline, LineKind.PARAGRAPH))


def _paragraphs(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield the position of each paragraph, and its text; `first` is the position of the text."""
    for line in _PARAGRAPH_ENDS.split(text):
        yield first, line
        first += len(line) + 1


def _levels(file: Word97File) -> dict[int, int]:
    try:
        return file.heading_levels()
    except BROKEN:
        return {}  # a text without headings is better than none
