"""Reads reStructuredText: sections by their adornment, lists, literal blocks, tables, directives."""

import re

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import MetadataField, SourceLines


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w:.+-]+?)::(?:[ \t]|$)")
_TARGET = re.compile(r"\.\.[ \t]+(?:_|\|)|__[ \t]")
_NOTE = re.compile(r"\.\.[ \t]+\[[^\]]+\][ \t]")  # a footnote or citation
_COMMENT = re.compile(r"\.\.(?:[ \t]|$)")
_FIELD = re.compile(r":(?![\s:])((?:[^:`\\\n]|\\.){1,60}):(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"(?:[-*+•‣⁃]|\(?(?:\d{1,5}|[A-Za-z]|[ivxlcIVXLC]{1,6}|#)[.)])(?:[ \t]+|$)")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+[ \t]*$")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+[ \t]*$")
_MARKUP = re.compile(
    r"(?::[\w:.+-]+:)?`{1,2}([^`<]*?)\s*(?:<[^>]*>)?`{1,2}_{0,2}|(?<!\w)[*|]{1,2}(\S[^*|]*?)[*|]{1,2}(?!\w)"
)
_LITERAL = _words(
    "code code-block sourcecode literalinclude parsed-literal prompt doctest testcode testoutput math graphviz digraph "
    "raw highlight productionlist mermaid uml plantuml ipython jupyter-execute program-output index toctree"
)
_METADATA: dict[str, MetadataField] = {
    "author": "author",
    "authors": "author",
    "date": "created",
    "title": "title",
}
_TABLES = frozenset(("list-table", "csv-table"))


def read_rst(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a reStructuredText file with their kinds."""
    lines = SourceLines(source, kind)
    _Reader(lines).read()
    return lines.document()


class _Reader:
    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines
        self._levels: dict[tuple[str, bool], int] = {}  # heading levels: adornments in the order of first use
        self._block: tuple[int, LineKind] | None = None  # indentation and kind: lines indented more have this kind
        self._literal_at = -1  # the indentation of a paragraph that ended in `::`
        self._listing = False

    def read(self) -> None:
        next_number = 0
        for number in self._lines.numbers():
            if number >= next_number:
                next_number = max(number + 1, self._line(number))

    def _line(self, number: int) -> int:
        """Set the kind of a line, or of a whole block; return the number of the next line."""
        lines, line = self._lines, self._lines[number]
        text = line.strip()
        if not text:
            return number + 1
        indent = len(line) - len(line.lstrip())
        if self._inside_block(number, indent):
            return number + 1
        if indent == 0:
            self._listing = self._listing and bool(_ITEM.match(text))
            if next_number := self._heading(number):
                return next_number
        if text.startswith(("..", "__ ")) and (next_number := self._explicit(number, text, indent)):
            return next_number
        if _SIMPLE_BORDER.match(text):
            return self._simple_table(number)
        if _GRID_BORDER.match(text):
            return self._grid_table(number)
        if text.startswith(">>> "):
            return self._session(number)
        lines.set(number, *self._kind(number, text, indent))
        if text.endswith("::"):
            self._literal_at = indent
        return number + 1

    def _inside_block(self, number: int, indent: int) -> bool:
        if self._literal_at >= 0 and self._lines.is_blank(number - 1):
            if indent > self._literal_at:
                self._block = (self._literal_at, LineKind.CODE)
            self._literal_at = -1
        if self._block and indent <= self._block[0]:
            self._block = None
        if self._block:
            self._lines.set(number, self._block[1])
        return self._block is not None

    def _heading(self, number: int) -> int:
        """Mark a heading, with or without overline; return the number of the line after it, or 0 if it is none."""
        lines = self._lines
        over = _ADORNMENT.match(lines[number])
        if over:
            title, under = lines[number + 1], lines[number + 2].rstrip()
            if len(lines[number].rstrip()) < 3 or not title.strip() or under != lines[number].rstrip():
                return 0
            at, next_number = number + 1, number + 3
        else:
            title, under = lines[number], lines[number + 1].rstrip()
            if not _ADORNMENT.match(under) or len(under) < min(len(title.rstrip()), 3):
                return 0
            if lines.kind(number - 1) in (LineKind.PARAGRAPH, LineKind.ITEM):
                return 0
            at, next_number = number, number + 2
        level = self._levels.setdefault((under[0], bool(over)), len(self._levels) + 1)
        lines.heading(at, level, _plain(title))
        self._block, self._literal_at = None, -1
        return next_number

    def _explicit(self, number: int, text: str, indent: int) -> int:
        lines = self._lines
        if directive := _DIRECTIVE.match(text):
            lines.set(number, LineKind.FIELD)
            name = directive[1].rpartition(":")[2]
            if name in _LITERAL:
                self._block = (indent, LineKind.CODE)
            elif name in _TABLES:
                self._block = (indent, LineKind.ROW)
            else:
                self._listing = True  # its content is indented but not a quote
            return self._options(number + 1, indent)
        if _NOTE.match(text):
            lines.set(number, LineKind.ITEM, 1)
            self._listing = True
            return number + 1
        if _TARGET.match(text):
            lines.set(number, LineKind.FIELD)
            return number + 1
        if not _COMMENT.match(text):
            return 0
        lines.set(number, LineKind.FIELD)
        self._block = (indent, LineKind.FIELD)
        return number + 1

    def _options(self, number: int, indent: int) -> int:
        while _FIELD.match(text := self._lines[number].strip()) and not self._lines[number].startswith(text):
            self._lines.set(number, LineKind.FIELD)
            number += 1
        return number

    def _simple_table(self, number: int) -> int:
        """Mark the rows between borders; with three borders, the rows between the first two are the header."""
        borders = [number]
        end = number + 1
        while end < len(self._lines) and len(borders) < 3:
            if _SIMPLE_BORDER.match(self._lines[end].strip()):
                borders.append(end)
            elif self._lines.is_blank(end) and self._lines.is_blank(end + 1) and len(borders) > 1:
                break
            elif self._lines.is_blank(end) and len(borders) == 2 and borders[1] == end - 1:
                break  # a table without a header ends at its second border
            end += 1
        if len(borders) == 1:
            self._lines.set(number, LineKind.PARAGRAPH)
            return number + 1
        end = borders[-1] + 1
        for row in range(number, end):
            self._lines.set(row, LineKind.ROW, int(len(borders) == 3 and borders[0] < row < borders[1]))
        return end

    def _grid_table(self, number: int) -> int:
        end = number
        while self._lines[end].strip().startswith(("+", "|")):
            self._lines.set(end, LineKind.ROW)
            if self._lines[end].strip().startswith("+="):
                for row in range(number + 1, end):
                    self._lines.set(row, LineKind.ROW, 1)
            end += 1
        return end

    def _session(self, number: int) -> int:
        """Mark an interactive Python session, up to a blank line."""
        while not self._lines.is_blank(number):
            self._lines.set(number, LineKind.CODE)
            number += 1
        return number

    def _kind(self, number: int, text: str, indent: int) -> tuple[LineKind, int]:
        lines = self._lines
        starts = lines.kind(number - 1) is not LineKind.PARAGRAPH
        if starts and (field := _FIELD.match(text)):
            lines.set_metadata(_METADATA.get(field[1].lower()), (field[2] or "").strip())
            return LineKind.FIELD, 0
        if (starts or self._listing) and _ITEM.match(text):
            self._listing = True
            return LineKind.ITEM, 1 + indent // 2
        before = lines.kind(number - 1)
        if indent and not self._listing and before in (LineKind.BLANK, LineKind.QUOTE):
            return LineKind.QUOTE, 1
        return LineKind.PARAGRAPH, 0


def _plain(title: str) -> str:
    return _MARKUP.sub(lambda mark: mark[1] or mark[2] or "", title).strip()
