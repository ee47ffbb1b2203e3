"""Composes lines into blocks: groups them, strips their mark-up and parses items, rows and fields."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import accumulate, pairwise

from PySide6.QtCore import QCoreApplication

from desktop_rag.documents.document import InlineMark, LineKind, MarkKind, Structure
from desktop_rag.gui.viewer.document_loading import LoadedLines
from desktop_rag.text.readable_math import formulas, readable_math

# The blocks of a clean page (paragraphs, headings, items, rows …), each with its source lines.


class Markup(StrEnum):
    """How lines make paragraphs and cells; in Markdown and LaTeX, line ends in a paragraph are spaces."""

    NONE = "none"  # a line is a paragraph; cells are between tabs
    MARKDOWN = "markdown"  # cells are between bars
    LATEX = "latex"  # cells are between ampersands


class BlockShape(IntEnum):
    """How a block is laid out."""

    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    ROW = 3
    CODE = 4
    QUOTE = 5
    FIELD = 6
    GAP = 7
    RULE = 8
    NOTHING = 9  # lines without visible text: a code fence, a table delimiter row
    ABSENT = 10  # lines that are not loaded yet


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """Maps `length` characters from `start` of line `line` to offset `shown` of a strip.

    `width` is the length of their replacement, such as a formula; 0 without one.
    """

    shown: int
    line: int
    start: int
    length: int
    width: int = 0

    def first(self, start: int) -> int:
        """Map the beginning of a range to an offset in the strip."""
        return self.shown + (0 if self.width else max(0, start - self.start))

    def last(self, end: int) -> int:
        """Map the end of a range to an offset in the strip."""
        return self.shown + (self.width or min(self.length, end - self.start))


@dataclass(frozen=True, slots=True)
class Strip:
    """Text that flows together: a paragraph or a cell. Offsets in `marks` refer to `text`."""

    text: str
    pieces: tuple[BlockPiece, ...] = ()
    marks: tuple[InlineMark, ...] = ()

    def shown(self, line: int, start: int, end: int) -> tuple[int, int] | None:
        """Map characters `start` to `end` of a line to offsets in the strip; None if they are hidden."""
        found = [
            (piece.first(start), piece.last(end))
            for piece in self.pieces
            if piece.line == line and start < piece.start + piece.length and end > piece.start
        ]
        return (found[0][0], found[-1][1]) if found else None

    def lines_shown(self, first: int, last: int) -> tuple[int, int] | None:
        """Map whole lines to offsets in the strip; None if they are hidden."""
        found = [piece for piece in self.pieces if first <= piece.line <= last]
        return (found[0].shown, found[-1].last(found[-1].start + found[-1].length)) if found else None

    def line_at(self, offset: int) -> int:
        """Return the source line of the character at `offset`; 0 in an empty strip."""
        line = 0
        for piece in self.pieces:
            if line and piece.shown > offset:
                break
            line = piece.line
        return line


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `first` to `last` as one unit of layout.

    `label` is the bullet or number of an item. `opens` and `closes`: no block of the same kind is directly
    before or after it, so a listing or a table has its edge here. `caption` names the section that begins here.
    """

    shape: BlockShape
    first: int
    last: int
    strips: tuple[Strip, ...] = ()
    level: int = 0
    label: str = ""
    opens: bool = True
    closes: bool = True
    caption: str = ""

    def text(self) -> str:
        """Return the text for the clipboard."""
        words = "\t".join(strip.text for strip in self.strips)
        return f"{self.label} {words}" if self.label else words


# Builds strips from lines: leaves out mark-up, maps inline marks to the visible text, makes formulas readable.

LINE_BREAK = "\u2028"

Part = tuple[int, int, int]  # line, first character, the character after the last
Drawn = tuple[int, int, str]  # first character, the character after the last, what is shown instead

_NOT_SHOWN = (MarkKind.MARKUP, MarkKind.REPLACED)
_CONTINUED = "\n"  # stands for the rest of a formula that began in a line before


class StripWriter:
    """Builds one strip line by line; `flowing`: a line end and the white space around it become one space.

    Formulas are then shown as text that can be read.
    """

    def __init__(self, lines: LoadedLines, *, flowing: bool) -> None:
        self._lines = lines
        self._flowing = flowing
        self._words: list[str] = []
        self._length = 0
        self._pieces: list[BlockPiece] = []
        self._marks: list[InlineMark] = []
        self._formula: BlockPiece | None = None  # the last one that goes on in the next line

    def write(self, part: Part, spanning: Sequence[Drawn] = ()) -> None:
        """Append the visible text of a part of a line; `spanning` are its parts of formulas over several lines."""
        line, start, end = part
        text, marks = self._lines.text(line), self._lines.marks(line)
        hidden = [(mark.start, mark.end) for mark in marks if mark.kind is MarkKind.MARKUP]
        drawn = list(spanning)
        replaced = ((mark.start, mark.end, mark.target) for mark in marks if mark.kind is MarkKind.REPLACED)
        for each in (*replaced, *(_formulas(text, marks) if self._flowing else ())):
            if not any(_overlap(each, other) for other in drawn):
                drawn.append(each)
        drawn.sort()
        hidden = [each for each in hidden if not any(first <= each[0] and each[1] <= last for first, last, _ in drawn)]
        seen = _trimmed(text, _without(start, end, hidden)) if self._flowing else list(_without(start, end, hidden))
        if seen and self._pieces and not (drawn and drawn[0][0] == seen[0][0] and drawn[0][2] == _CONTINUED):
            self._add(LINE_BREAK if _breaks(self._lines.text(self._pieces[-1].line)) else " ")
        before = len(self._pieces)
        for begin, stop, instead in _with_formulas(seen, drawn):
            if instead == _CONTINUED:  # what is searched for in any of its lines marks all of the formula
                if self._formula is not None:
                    self._pieces.append(replace(self._formula, line=line, start=begin, length=stop - begin))
                continue
            self._pieces.append(BlockPiece(self._length, line, begin, stop - begin, len(instead)))
            self._add(instead or text[begin:stop])
            if (begin, stop, instead) in spanning:
                self._formula = self._pieces[-1]
        shown = (_shown(mark, self._pieces[before:]) for mark in marks if mark.kind not in _NOT_SHOWN)
        for mark in shown:
            if mark.start < mark.end:
                self._mark(mark)

    def strip(self) -> Strip:
        """Return the strip."""
        return Strip("".join(self._words), tuple(self._pieces), tuple(self._marks))

    def _mark(self, mark: InlineMark) -> None:
        """Add a mark, merging it with its first half if it was split at a line end."""
        for index in range(len(self._marks) - 1, max(-1, len(self._marks) - 8), -1):
            before = self._marks[index]
            if (before.end + 1, before.kind, before.target) == (mark.start, mark.kind, mark.target):
                self._marks[index] = InlineMark(before.start, mark.end, mark.kind, mark.target)
                return
        self._marks.append(mark)

    def _add(self, words: str) -> None:
        self._words.append(words)
        self._length += len(words)


def write_strip(lines: LoadedLines, parts: Iterable[Part], *, flowing: bool) -> Strip:
    """Return the visible text of these parts of lines as one strip."""
    writer, parts = StripWriter(lines, flowing=flowing), list(parts)
    spanning = _spanning(lines, parts) if flowing and len(parts) > 1 else {}
    for part in parts:
        writer.write(part, spanning.get(part[0], ()))
    return writer.strip()


def renamed_strip(lines: LoadedLines, part: Part, shown: str) -> Strip:
    """Return a strip that shows something else for a part of a line, which it stays the address of."""
    writer = StripWriter(lines, flowing=False)
    writer.write(part, ((*part[1:], shown),))
    return writer.strip()


def _spanning(lines: LoadedLines, parts: Sequence[Part]) -> dict[int, list[Drawn]]:
    """Return the parts of displayed formulas over several lines, by line; the first one has all that is shown."""
    texts = [lines.text(line)[:end] for line, _, end in parts]
    whole, found = "\n".join(texts), dict[int, list[Drawn]]()
    if "$$" not in whole and "\\[" not in whole:
        return found
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    for begin, stop, tex in formulas(whole):
        first, last = bisect_right(starts, begin) - 1, bisect_right(starts, stop - 1) - 1
        shown, at = readable_math(tex), begin - starts[first]
        code = any(m.kind is MarkKind.CODE and m.start <= at < m.end for m in lines.marks(parts[first][0]))
        if first == last or code or not shown or not whole.startswith(("$$", "\\["), begin):
            continue
        for number in range(first, last + 1):
            text = texts[number]
            start = at if number == first else len(text) - len(text.lstrip())
            end = stop - starts[number] if number == last else len(text.rstrip())
            if start < end:
                part = start, end, shown if number == first else _CONTINUED
                found.setdefault(parts[number][0], []).append(part)
    return found


def _overlap(one: Drawn, other: Drawn) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _shown(mark: InlineMark, pieces: Sequence[BlockPiece]) -> InlineMark:
    """Map a mark to offsets in the strip; an empty mark if all of it is hidden."""
    seen = [piece for piece in pieces if piece.start < mark.end and piece.start + piece.length > mark.start]
    if not seen:
        return InlineMark(0, 0, mark.kind, mark.target)
    return InlineMark(seen[0].first(mark.start), seen[-1].last(mark.end), mark.kind, mark.target)


def _formulas(text: str, marks: Sequence[InlineMark]) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the readable text of the formulas of a line, except those in code."""
    code = [(mark.start, mark.end) for mark in marks if mark.kind is MarkKind.CODE]
    for start, end, tex in formulas(text) if "$" in text or "\\" in text else ():
        if (shown := readable_math(tex)) and not any(first < end and start < last for first, last in code):
            yield start, end, shown


def _with_formulas(
    ranges: Iterable[tuple[int, int]], drawn: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
    """Split ranges at the formulas in them; yield each part with its replacement, "" outside formulas."""
    for start, end in ranges:
        for first, last, shown in drawn:
            if start <= first and last <= end:
                if start < first:
                    yield start, first, ""
                yield first, last, shown
                start = last
        if start < end:
            yield start, end, ""


def _without(start: int, end: int, hidden: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of `start` to `end` outside the hidden ones."""
    for first, last in sorted(hidden):
        if first >= end:
            break
        if first > start:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _trimmed(text: str, ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Strip white space at the beginning and end of the ranges."""
    kept = list(ranges)
    while kept:
        start, end = kept[0]
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if start < end:
            kept[0] = (start, end)
            break
        kept.pop(0)
    while kept:
        start, end = kept[-1]
        end = start + len(text[start:end].rstrip())
        if start < end:
            kept[-1] = (start, end)
            break
        kept.pop()
    return kept


def _breaks(text: str) -> bool:
    """Return whether a Markdown line ends with a hard line break (CommonMark, section 6.7)."""
    return text.endswith(("  ", "\\"))


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
