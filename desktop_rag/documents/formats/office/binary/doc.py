"""Reads binary Word documents (.doc, Word 2 to 2003): headings, lists, tables, each note after its paragraph."""

import io
import re
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import olefile

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import InlineText, append_paragraph, comment_label
from desktop_rag.documents.formats.mapi import BROKEN
from desktop_rag.documents.formats.office.binary.word95 import WORD2, WORD97, Word95File
from desktop_rag.documents.formats.office.binary.word97 import (
    NO_FORMAT,
    Formats,
    ParagraphFormat,
    RunLook,
    Word97File,
    WordNote,
)
from desktop_rag.documents.formats.office.equation_fields import add_equation_field
from desktop_rag.documents.formats.office.ole_metadata import read_ole_metadata
from desktop_rag.documents.formats.office.package import NO_TEXT
from desktop_rag.documents.formats.office.sheet_lines import CellGrid, GridRow
from desktop_rag.documents.formats.office.symbol_fonts import symbols_drawn
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

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
    try:
        file: Word97File
        if source.data.startswith(WORD2):
            file = Word95File(source.data)
        else:
            ole = olefile.OleFileIO(io.BytesIO(source.data))
            streams = [ole.openstream(name).read() if ole.exists(name) else b"" for name in _STREAMS]
            (version,) = struct.unpack_from("<H", streams[0], 2)
            file = Word97File(*streams) if version >= WORD97 else Word95File(streams[0])
            read_ole_metadata(ole, builder)
        with source.keep_partial(builder):
            _Reader(file, builder, source).read()
    except BROKEN as error:
        if not len(builder):
            raise DocumentError(DAMAGED, ProblemKind.DAMAGED) from error
        if not builder.partial:
            builder.leave_out("The end of this file is damaged and was left out.", ProblemKind.DAMAGED)
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
        if level:
            title = append_paragraph(self._builder, inline, LineKind.HEADING, level)
            if title and not self._builder.title:
                self._builder.title = title
        elif layout.listed:
            append_paragraph(self._builder, inline, LineKind.ITEM, layout.list_level + 1, "•")
        else:
            append_paragraph(self._builder, inline, LineKind.PARAGRAPH)

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
