"""Composes lines into blocks: groups them, strips their mark-up and parses items, rows and fields."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from desktop_rag.documents.document import LineKind, MarkKind, Structure
from desktop_rag.gui.viewer.clean.blocks import Block, BlockShape, Markup, Strip
from desktop_rag.gui.viewer.clean.strips import LINE_BREAK, Part, renamed_strip, write_strip
from desktop_rag.gui.viewer.loaded_lines import LoadedLines

_MAX_JOINED = 200  # lines of one paragraph; a longer one is laid out in parts
_MAX_SCANNED = 5_000
_KIND = bytes(packed & 15 for packed in range(256))
_NO_ROW = bytes(int(kind != LineKind.ROW) for kind in range(256))
_SHAPES = {
    LineKind.PARAGRAPH: BlockShape.PARAGRAPH,
    LineKind.HEADING: BlockShape.HEADING,
    LineKind.ITEM: BlockShape.ITEM,
    LineKind.ROW: BlockShape.ROW,
    LineKind.CODE: BlockShape.CODE,
    LineKind.QUOTE: BlockShape.QUOTE,
    LineKind.FIELD: BlockShape.FIELD,
    LineKind.BLANK: BlockShape.GAP,
}
_MARKER = re.compile(r"\s*([-*+•‣◦▪–—·]|\(?[0-9A-Za-z]{1,9}[.)]|\d+(?:\.\d+)+[.)]?|\[\d+\])(?:\s+|$)")
_BULLETS = "-*+"
_SHOWN_BULLETS = "•◦▪"
_TASK = re.compile(r"\[([ xX])\](?=\s)")
_FIELD = re.compile(r"([^:\t]{1,40}):(?:[ \t]+|$)")
_RULE = re.compile(r" {0,3}([-*_—])(?:[ \t]*\1){2,}[ \t]*$")
_QUOTED = re.compile(r"\s*(?:>[ \t]?)+")
_DELIMITER = re.compile(r"[\s|:-]*-[\s|:-]*$")
_BARS = re.compile(r"\\.|`[^`|]*`|\|")
_AMPERSANDS = re.compile(r"\\.|&")
_COLUMNS = re.compile(r"[ \t]*\\begin\{[a-zX]+\*?\}(?:\[[^\]]*\])?(?:\{[^{}]*\}(?=\{))?\{([lcrX|@{} ]+)\}")
_TITLE = re.compile(r"[ \t]*\\title\b")
_INDENT_OF_FORMULAS = 4
_CELL_PLACE = re.compile(r"![A-Z]+\d+:[A-Z]+\d+$")


class BlockComposer:
    """Composes the blocks of one document."""

    def __init__(self, kinds: bytes, structure: Structure, lines: LoadedLines, markup: Markup) -> None:
        self._packed = kinds
        self._kinds = kinds.translate(_KIND)
        self._others = self._kinds.translate(_NO_ROW)
        self._lines = lines
        self._joined = markup is not Markup.NONE
        self._latex = markup is Markup.LATEX
        self._sections = structure.sections

    @property
    def line_count(self) -> int:
        """Return the number of lines of the document."""
        return len(self._kinds)

    def extent(self, line: int) -> tuple[int, int]:
        """Return the first and the last line of the block that contains `line`."""
        first = line
        while line - first < _MAX_SCANNED and self._continues(first):
            first -= 1
        first += (line - first) // _MAX_JOINED * _MAX_JOINED
        last = line
        while last - first < _MAX_JOINED - 1 and self._continues(last + 1):
            last += 1
        return first, last

    def table_of(self, line: int) -> int:
        """Return the first row of the table that contains `line`; 0 if it is not a row."""
        is_row = self._kind(line) is LineKind.ROW
        return self._others.rfind(1, 0, line - 1) + 2 if is_row else 0

    def compose(self, first: int, last: int) -> Block:
        """Return lines `first` to `last`, as determined by `extent`, as a block."""
        if not self._lines.hold(first, last):
            return Block(BlockShape.ABSENT, first, last)
        kind = LineKind(self._kinds[first - 1])
        shape, level = _SHAPES.get(kind, BlockShape.PARAGRAPH), self._packed[first - 1] >> 4
        caption = self._caption(first)
        if shape is BlockShape.GAP:
            return self._gap(first, last, caption)
        if shape is BlockShape.ROW:
            return self._row(first, level, caption)
        if shape is BlockShape.FIELD and not self._latex:
            return self._field(first, caption)
        return self._text_block(shape, first, last, level, caption)

    def alignments(self, table: int) -> str:
        """Return the alignment of each column of a table as a letter l, c or r, or `-` if unspecified."""
        if self._latex:
            columns = _COLUMNS.match(self._lines.text(table)) if self._lines.hold(table, table) else None
            return "".join(letter for letter in columns[1] if letter in "lcr") if columns else ""
        ruler = table + 1
        if not self._joined or not self._lines.hold(ruler, ruler) or self._kind(ruler) is not LineKind.ROW:
            return ""
        text = self._lines.text(ruler)
        return "".join(map(_alignment, text.strip().strip("|").split("|"))) if _DELIMITER.match(text) else ""

    def _kind(self, line: int) -> LineKind | None:
        return LineKind(self._kinds[line - 1]) if 0 < line <= len(self._kinds) else None

    def _continues(self, line: int) -> bool:
        """Return whether `line` belongs to the block of the line before it."""
        if not 1 < line <= len(self._kinds):
            return False
        kind, before = self._kinds[line - 1], self._kinds[line - 2]
        if kind == LineKind.BLANK:
            return before == LineKind.BLANK
        if not self._joined:
            return False
        if kind == LineKind.PARAGRAPH:
            return before in (LineKind.PARAGRAPH, LineKind.ITEM)
        return kind == LineKind.QUOTE and self._packed[line - 1] == self._packed[line - 2]

    def _caption(self, line: int) -> str:
        """Return the label of the section that begins at `line`, unless the text itself contains it."""
        sections = self._sections
        index = bisect_right(sections, line, key=lambda section: section.first_line) - 1
        if index < 0 or sections[index].first_line != line or _CELL_PLACE.search(sections[index].label):
            return ""
        label = sections[index].label
        contained = any(label.casefold() in text.casefold() for text in self._lines.texts(line, line + 2))
        return "" if contained else label

    def _gap(self, first: int, last: int, caption: str) -> Block:
        inside = self._kind(first - 1) is LineKind.CODE and self._kind(last + 1) is LineKind.CODE
        if inside and not caption and not self._is_hidden(first - 1) and not self._begins_part(last + 1):
            return Block(BlockShape.CODE, first, last, (Strip(LINE_BREAK * (last - first)),), opens=False, closes=False)
        if self._latex and self._is_hidden(first - 1):
            return Block(BlockShape.NOTHING, first, last)
        return Block(BlockShape.GAP, first, last, caption=caption)

    def _begins_part(self, line: int) -> bool:
        index = bisect_left(self._sections, line, key=lambda section: section.first_line)
        return index < len(self._sections) and self._sections[index].first_line == line

    def _row(self, line: int, level: int, caption: str) -> Block:
        text, table = self._lines.text(line), self.table_of(line)
        if self._latex:
            cells = _cells_between_ampersands(text)
        else:
            cells = _cells_between_bars(text) if self._joined else _cells_between_tabs(text)
        if self._joined and line == table + 1 and _DELIMITER.match(text):
            return Block(BlockShape.NOTHING, line, line)
        strips = tuple(self._strip(((line, start, end),)) for start, end in cells)
        if self._latex:
            if not any(strip.text.strip() for strip in strips):
                return Block(BlockShape.NOTHING, line, line)
            edges = self._is_edge_of_table(line, -1), self._is_edge_of_table(line, 1)
            return Block(BlockShape.ROW, line, line, strips, level, "", *edges, caption)
        header = level == 1 or (self._joined and line == table)
        closes = self._kind(line + 1) is not LineKind.ROW
        return Block(BlockShape.ROW, line, line, strips, int(header), "", line == table, closes, caption)

    def _is_edge_of_table(self, line: int, step: int) -> bool:
        """Return whether no row with text is before (or after) this one; rules have none."""
        other = line + step
        while self._kind(other) is LineKind.ROW and abs(other - line) < _MAX_JOINED and self._is_hidden(other):
            other += step
        return self._kind(other) is not LineKind.ROW

    def _field(self, line: int, caption: str) -> Block:
        text = self._lines.text(line)
        name = _FIELD.match(text)
        parts = ((0, name.end(1)), (name.end(), len(text))) if name else ((0, len(text)),)
        strips = tuple(self._strip(((line, start, end),)) for start, end in parts)
        if name and not self._joined and (shown := _field_names().get(name[1])):
            strips = (renamed_strip(self._lines, (line, *parts[0]), shown), *strips[1:])
        if not any(strip.text for strip in strips):
            return Block(BlockShape.NOTHING, line, line)
        return Block(BlockShape.FIELD, line, line, strips, 0, "", *self._edges(line), caption)

    def _text_block(self, shape: BlockShape, first: int, last: int, level: int, caption: str) -> Block:
        text = self._lines.text(first)
        if shape is BlockShape.PARAGRAPH and first == last and _RULE.match(text):
            return Block(BlockShape.RULE, first, last, caption=caption)
        label, begin = "", 0
        if shape is BlockShape.FIELD:
            shape, level = (BlockShape.HEADING, 1) if _TITLE.match(text) else (BlockShape.PARAGRAPH, 0)
        if self._latex:
            label, begin = self._replaced_label(shape, first)
        elif shape is BlockShape.ITEM and (marker := _MARKER.match(text)):
            label, begin = _label(marker[1], level), marker.end()
            if task := _TASK.match(text, begin):
                label, begin = "☐" if task[1] == " " else "☑", task.end()
        if shape is BlockShape.QUOTE and not self._joined and (quoted := _QUOTED.match(text)):
            level, begin = max(level, quoted[0].count(">")), quoted.end()
        parts = ((line, begin if line == first else 0, len(self._lines.text(line))) for line in range(first, last + 1))
        strip = self._strip(parts, flowing=self._joined and shape is not BlockShape.CODE)
        if shape is BlockShape.CODE:
            if not strip.text and self._is_hidden(first):
                return Block(BlockShape.NOTHING, first, last)
            if self._latex and strip.pieces and strip.pieces[0].width:  # a formula
                return Block(BlockShape.PARAGRAPH, first, last, (strip,), _INDENT_OF_FORMULAS, caption=caption)
            return Block(shape, first, last, (strip,), level, "", *self._edges(first), caption)
        if not strip.text and not label and shape is not BlockShape.QUOTE:
            return Block(BlockShape.NOTHING, first, last)
        if self._joined and shape is BlockShape.PARAGRAPH and not (level or self._latex):
            level = (len(text) - len(text.lstrip())) // 2
        return Block(shape, first, last, (strip,), level, label, caption=caption)

    def _replaced_label(self, shape: BlockShape, line: int) -> tuple[str, int]:
        """Return the replacement of the command that begins an item, and the offset of the item's text."""
        marks = self._lines.marks(line)
        if shape is not BlockShape.ITEM or not marks or marks[0].kind is not MarkKind.REPLACED:
            return "", 0
        return marks[0].target, marks[0].end

    def _edges(self, line: int) -> tuple[bool, bool]:
        """Return whether a listing or a group of fields begins and ends at this line."""
        return self._is_edge(line, -1), self._is_edge(line, 1)

    def _is_edge(self, line: int, step: int) -> bool:
        kind, other = self._kind(line), line + step
        while kind is LineKind.CODE and self._kind(other) is LineKind.BLANK and abs(other - line) < _MAX_JOINED:
            other += step
        return self._kind(other) is not kind or self._is_hidden(other) or self._begins_part(max(line, other))

    def _is_hidden(self, line: int) -> bool:
        """Return whether a line has no visible text, like a code fence."""
        if not self._joined or not self._lines.hold(line, line):
            return False
        text = self._lines.text(line)
        return bool(text.strip()) and not self._strip(((line, 0, len(text)),)).text

    def _strip(self, parts: Iterable[Part], *, flowing: bool | None = None) -> Strip:
        return write_strip(self._lines, parts, flowing=self._joined if flowing is None else flowing)


def _field_names() -> dict[str, str]:
    """Return the names of the fields of a mail, which the reader writes in English, in the language of the window."""
    return {
        "From": _tr("From"),
        "To": _tr("To"),
        "Cc": _tr("Cc"),
        "Bcc": _tr("Bcc"),
        "Date": _tr("Date"),
        "Subject": _tr("Subject"),
        "Attachments": _tr("Attachments"),
    }


def _tr(text: str) -> str:
    return QCoreApplication.translate("MailField", text)


def _label(marker: str, level: int) -> str:
    return _SHOWN_BULLETS[min(max(level, 1) // 2, len(_SHOWN_BULLETS) - 1)] if marker in _BULLETS else marker


def _alignment(cell: str) -> str:
    left, right = cell.strip().startswith(":"), cell.strip().endswith(":")
    if left and right:
        return "c"
    return "r" if right else "l" if left else "-"


def _cells_between_tabs(text: str) -> list[tuple[int, int]]:
    cells, start = [], 0
    for cell in text.split("\t"):
        cells.append((start, start + len(cell)))
        start += len(cell) + 1
    return cells


def _cells_between_ampersands(text: str) -> list[tuple[int, int]]:
    signs = [match.start() for match in _AMPERSANDS.finditer(text) if match[0] == "&"]
    return [(start + 1, end) for start, end in pairwise((-1, *signs, len(text)))]


def _cells_between_bars(text: str) -> list[tuple[int, int]]:
    """Return the cells of a row of a Markdown table (GFM, section 4.10)."""
    bars = [match.start() for match in _BARS.finditer(text) if match[0] == "|"]
    cells = [(start + 1, end) for start, end in pairwise((-1, *bars, len(text)))]
    if cells and not text[slice(*cells[0])].strip():
        cells.pop(0)
    if cells and not text[slice(*cells[-1])].strip():
        cells.pop()
    return cells
