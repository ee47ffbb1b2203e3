"""Typesetting of blocks: positions of their lines and heights."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from desktop_rag.documents.document import InlineMark, MarkKind
from desktop_rag.gui.theme.theme import mono_font, text_font
from desktop_rag.gui.theme.theme_colors import Colors, TokenKind, shades
from desktop_rag.gui.viewer.clean.composing import Block, BlockShape, Strip
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt, to_qt
from desktop_rag.text.display import has_italics

# Fonts, colours and distances of a clean page in both themes.

_HEADINGS = (1.7, 1.4, 1.2, 1.08)  # factor on the text size, by level
_LINE_SPACING = 1.32
_WIDEST = 46.0  # of the text column, in line heights


@dataclass(frozen=True, slots=True)
class PageStyle:
    """The style of a page; distances are multiples of `em`, the height of a line."""

    colors: Colors
    points: float
    em: float

    @property
    def widest(self) -> float:
        """Return the maximum readable width of a text column."""
        return _WIDEST * self.em

    @property
    def indent(self) -> float:
        """Return the indentation of one level."""
        return 1.5 * self.em

    def font(self, shape: BlockShape, level: int = 0) -> QFont:
        """Return the font of a block."""
        if shape is BlockShape.CODE:
            return _sized(mono_font(), self.points * 0.94)
        font = _sized(text_font(), self.points)
        if shape is BlockShape.HEADING:
            font.setPointSizeF(self.points * _HEADINGS[min(max(level, 1), len(_HEADINGS)) - 1])
            font.setWeight(QFont.Weight.DemiBold if level > 1 else QFont.Weight.Bold)
        if shape is BlockShape.ROW:
            font.setPointSizeF(max(7.0, self.points * 0.96))
            if level:
                font.setWeight(QFont.Weight.DemiBold)
        return font

    def caption_font(self) -> QFont:
        """Return the font of section captions and field names."""
        font = _sized(text_font(), max(7.0, self.points * 0.88))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def color(self, shape: BlockShape) -> QColor:
        """Return the text colour of a block."""
        return QColor(self.colors.muted if shape is BlockShape.QUOTE else self.colors.text)

    def spacing(self, shape: BlockShape) -> float:
        """Return the line spacing as a factor on the font's line height."""
        return (
            1.2 if shape in (BlockShape.CODE, BlockShape.HEADING, BlockShape.ROW, BlockShape.FIELD) else _LINE_SPACING
        )

    def formats(self, text: str, marks: Iterable[InlineMark], font: QFont) -> list[QTextLayout.FormatRange]:
        """Return the format ranges of the inline marks of `text`."""
        return [
            format_range(text, mark.start, mark.end, self._look(mark, text[mark.start : mark.end], font))
            for mark in marks
        ]

    def _look(self, mark: InlineMark, text: str, font: QFont) -> QTextCharFormat:
        look = QTextCharFormat()
        match mark.kind:
            case MarkKind.STRONG:
                look.setFontWeight(QFont.Weight.Bold)
            case MarkKind.EMPHASIS:
                look.setFontItalic(has_italics(text))
            case MarkKind.CODE:
                look.setFontFamilies([mono_font().family()])
                look.setFontPointSize(font.pointSizeF() * 0.94)
                look.setForeground(QColor(shades(self.colors)[TokenKind.BUILTIN]))
                look.setBackground(QColor(self.colors.code))
            case MarkKind.LINK:
                look.setForeground(QColor(self.colors.link))
                look.setFontUnderline(True)
            case MarkKind.STRIKETHROUGH:
                look.setFontStrikeOut(True)
            case MarkKind.SUPERSCRIPT:
                look.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
            case MarkKind.SUBSCRIPT:
                look.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
            case MarkKind.MARKUP | MarkKind.REPLACED:
                pass
        return look


def page_style(colors: Colors, zoom: float) -> PageStyle:
    """Return the page style in these colours, with text `zoom` points larger than the application's."""
    font = text_font(zoom + 0.5)
    return PageStyle(colors, font.pointSizeF(), QFontMetricsF(font).height())


def _sized(font: QFont, points: float) -> QFont:
    font.setPointSizeF(points)
    return font


# Widths and alignments of table columns.

_MAX_COLUMNS = 60
_NUMBER = re.compile(r"[-+−(]?[€$£¥]?\s?\d[\d.,'\s\u00a0]*\s?(?:%|€|\$|£|¥|[A-Za-z]{1,3})?\)?$")
_LONGEST = 60.0  # maximum width of a cell, in line heights

Alignment = Qt.AlignmentFlag
_BY_LETTER = {"l": Alignment.AlignLeft, "c": Alignment.AlignHCenter, "r": Alignment.AlignRight}


@dataclass(frozen=True, slots=True)
class Columns:
    """Width and alignment of each column; cells beyond the last column take its width."""

    widths: tuple[float, ...]
    alignments: tuple[Alignment, ...]

    def width(self, index: int) -> float:
        """Return the width of column `index`, from 0."""
        return self.widths[min(index, len(self.widths) - 1)] if self.widths else 0.0

    def alignment(self, index: int) -> Alignment:
        """Return the alignment of a column."""
        return self.alignments[index] if index < len(self.alignments) else Alignment.AlignLeft


def plan_columns(
    rows: Sequence[Sequence[str]], room: float, metrics: QFontMetricsF, padding: float, given: str = ""
) -> Columns:
    """Return columns wide enough for every cell if they fit `room`, else with the space shared fairly.

    `given` holds the alignments given by the document (see `BlockComposer.alignments`); else numbers align right.
    """
    columns = list(zip_longest(*(row[:_MAX_COLUMNS] for row in rows), fillvalue=""))
    wide = [min(_LONGEST * metrics.height(), _widest(cells, metrics)) + padding for cells in columns]
    least = [min(want, _longest_word(cells, metrics) + padding) for want, cells in zip(wide, columns, strict=True)]
    alignments = tuple(_alignment_of(cells, given[index : index + 1]) for index, cells in enumerate(columns))
    return Columns(tuple(_fitted(wide, least, room)), alignments)


def _fitted(wide: list[float], least: list[float], room: float) -> list[float]:
    """Shrink wide columns until all fit `room`, but none below its minimum; narrow columns keep their width."""
    widths = list(wide)
    open_columns = set(range(len(wide)))
    while open_columns and sum(widths) > room:
        share = (room - sum(widths[index] for index in range(len(wide)) if index not in open_columns)) / len(
            open_columns
        )
        settled = {index for index in open_columns if wide[index] <= share or least[index] >= share}
        if not settled:
            for index in open_columns:
                widths[index] = share
            break
        for index in settled:
            widths[index] = wide[index] if wide[index] <= share else least[index]
        open_columns -= settled
    return widths


def _widest(cells: Sequence[str], metrics: QFontMetricsF) -> float:
    longest = sorted(cells, key=len)[-3:]  # length predicts width well enough
    return ceil(max((metrics.horizontalAdvance(cell[:500]) for cell in longest), default=0.0)) + 1.0


def _longest_word(cells: Sequence[str], metrics: QFontMetricsF) -> float:
    words = (word for cell in cells for word in cell[:500].split())
    return min(12 * metrics.height(), ceil(metrics.horizontalAdvance(max(words, key=len, default=""))) + 1.0)


def _alignment_of(cells: Sequence[str], given: str) -> Alignment:
    if given in _BY_LETTER:
        return _BY_LETTER[given]
    body = [cell.strip() for cell in cells[1:] if cell.strip()] or [cell.strip() for cell in cells if cell.strip()]
    numbers = sum(1 for cell in body if _NUMBER.match(cell))
    return Alignment.AlignRight if body and 2 * numbers > len(body) else Alignment.AlignLeft


CAPTION_HEIGHT = 2.2  # in line heights, as are the other lengths here
_NAMES_WIDTH = 7.0  # of field names
_AROUND = {  # above and below the text of a block
    BlockShape.PARAGRAPH: (0.1, 0.1),
    BlockShape.HEADING: (0.55, 0.2),
    BlockShape.ITEM: (0.1, 0.1),
    BlockShape.ROW: (0.28, 0.28),
    BlockShape.QUOTE: (0.12, 0.12),
    BlockShape.FIELD: (0.1, 0.1),
    BlockShape.CODE: (0.0, 0.0),
}
_EDGE = {BlockShape.CODE: 0.55, BlockShape.FIELD: 0.5}  # extra space at the edge of a listing or a group of fields
_BARE = {BlockShape.GAP: 0.55, BlockShape.RULE: 1.4, BlockShape.NOTHING: 0.02, BlockShape.ABSENT: 1.3}
AFTER_LABEL = 0.45  # between a label and its text
_MAX_SHADED = 0.12  # above the text
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")  # Hebrew, Arabic and their relatives
_NESTED = 0.75  # share of the indentation added by each further level
_LEFT = {BlockShape.CODE: 0.75, BlockShape.FIELD: 0.75}


@dataclass(slots=True)
class PlacedStrip:
    """A laid out strip; `x` and `y` are its position in its block."""

    strip: Strip
    layout: QTextLayout
    x: float
    y: float
    width: float
    height: float

    def rects(self, start: int, end: int) -> Iterator[QRectF]:
        """Yield the rectangles of characters `start` to `end` inside the block, one per line."""
        start, end = to_qt(self.strip.text, start), to_qt(self.strip.text, end)
        for number in range(self.layout.lineCount()):
            line = self.layout.lineAt(number)
            first, last = line.textStart(), line.textStart() + line.textLength()
            if start < last and end > first:
                x0, x1 = self._extent(line, max(start, first), min(end, last))
                yield QRectF(x0, line.y(), x1 - x0, line.height()).translated(self.x, self.y)

    def _extent(self, line: QTextLine, start: int, end: int) -> tuple[float, float]:
        """Return the left and right edge of characters at Qt's offsets; of mixed directions, each has its own."""
        text = self.strip.text
        first, last = from_qt(text, line.textStart()), from_qt(text, line.textStart() + line.textLength())
        if not _RIGHT_TO_LEFT.search(text, first, last):
            edges = [_x(line, start), _x(line, end)]
        else:
            edges = [_x(line, offset, edge) for offset in range(start, end) for edge in QTextLine.Edge]
        return min(edges), max(edges)

    def offset_at(self, point: QPointF) -> int:
        """Return the offset of the character nearest to a point of the block."""
        offset, y = 0, point.y() - self.y
        for number in range(self.layout.lineCount()):
            line = self.layout.lineAt(number)
            if number and y < line.y():
                break
            found = line.xToCursor(point.x() - self.x)
            last = line.textStart() + line.textLength()
            ends_here = number + 1 < self.layout.lineCount() and found >= last > line.textStart()
            offset = last - 1 if ends_here else found
        return from_qt(self.strip.text, offset)


@dataclass(slots=True)
class BlockLayout:
    """A laid out block: its text is between `top` and `bottom`, the next block begins at `height`.

    `edge` is its top below the caption, `shade` the vertical range shaded when it is cited.
    """

    block: Block
    height: float
    edge: float
    shade: tuple[float, float]
    top: float
    bottom: float
    left: float
    width: float
    placed: tuple[PlacedStrip, ...] = ()

    def strip_at(self, point: QPointF) -> int:
        """Return the index of the strip nearest to a point of the block; -1 if there is none."""
        index = -1
        for number, placed in enumerate(self.placed):
            if index < 0 or point.x() >= placed.x - 4:
                index = number
        return index


class Typesetter:
    """Lays out blocks in a text column `room` pixels wide."""

    def __init__(self, style: PageStyle, room: float) -> None:
        self.style = style
        self.room = room

    def padding(self) -> float:
        """Return the horizontal padding of a cell."""
        return 1.1 * self.style.em

    def lay_out(self, block: Block, columns: Columns | None = None) -> BlockLayout:
        """Lay out a block; a row needs the columns of its table."""
        em = self.style.em
        caption = CAPTION_HEIGHT * em if block.caption else 0.0
        if block.shape in _BARE:
            count = block.last - block.first + 1 if block.shape is BlockShape.ABSENT else 1
            height = float(ceil(caption + _BARE[block.shape] * em * count))
            return BlockLayout(block, height, caption, (caption, height), caption, height, 0.0, self.room)
        above, below = (part * em for part in _AROUND[block.shape])
        edge = _EDGE.get(block.shape, 0.0) * em
        top = caption + above + (edge if block.opens else 0.0)
        left = self._left(block)
        if block.shape is BlockShape.ROW and columns is not None:
            placed = self._cells(block, columns, top)
        elif block.shape is BlockShape.FIELD and len(block.strips) == 2:
            placed = self._field(block, top, left)
        else:
            placed = tuple(
                self._place(
                    strip, self.style.font(block.shape, block.level), block, left, top, self._right(block) - left
                )
                for strip in block.strips
            )
        bottom = max((one.y + one.height for one in placed), default=top)
        width = sum(columns.widths) if columns else max((one.x + one.width for one in placed), default=left) - left
        height = float(
            ceil(bottom + below + (edge if block.closes else 0.0))
        )  # whole pixels, or adjacent areas would not touch
        shade = (top - min(above, _MAX_SHADED * em), height - (edge if block.closes else 0.0))
        if block.shape is BlockShape.ROW:
            shade = (caption, height)
        return BlockLayout(block, height, caption, shade, top, bottom, left, width, placed)

    def _left(self, block: Block) -> float:
        em = self.style.em
        if block.shape is BlockShape.QUOTE:
            return max(1, block.level) * 0.9 * self.style.em
        if block.shape is BlockShape.ITEM:
            beside = QFontMetricsF(self.style.font(BlockShape.ITEM)).horizontalAdvance(block.label) + AFTER_LABEL * em
            return max(beside, (1 + _NESTED * (max(1, block.level) - 1)) * self.style.indent)
        if block.shape is BlockShape.PARAGRAPH:
            return (1 + _NESTED * (min(block.level, 12) - 1)) * self.style.indent if block.level else 0.0
        return _LEFT.get(block.shape, 0.0) * self.style.em

    def _right(self, block: Block) -> float:
        return max(self.room - _LEFT.get(block.shape, 0.0) * self.style.em, self._left(block) + 4 * self.style.em)

    def _cells(self, block: Block, columns: Columns, top: float) -> tuple[PlacedStrip, ...]:
        placed: list[PlacedStrip] = []
        font, x, inset = self.style.font(BlockShape.ROW, block.level), 0.0, self.padding() / 2
        for index, strip in enumerate(block.strips):
            width = columns.width(index)
            alignment = columns.alignment(index)
            placed.append(self._place(strip, font, block, x + inset, top, width - 2 * inset, alignment))
            x += width
        return tuple(placed)

    def _field(self, block: Block, top: float, left: float) -> tuple[PlacedStrip, ...]:
        names = min(_NAMES_WIDTH * self.style.em, self.room / 3)
        name, value = block.strips
        right = self._right(block)
        placed = (
            self._place(name, self.style.caption_font(), block, left, top, names),
            self._place(value, self.style.font(BlockShape.FIELD), block, left + names, top, right - left - names),
        )
        first, second = (one.layout.lineAt(0) for one in placed)
        placed[0].y += (second.y() + second.ascent()) - (first.y() + first.ascent())  # on the same base line
        return placed

    def _place(
        self,
        strip: Strip,
        font: QFont,
        block: Block,
        x: float,
        y: float,
        width: float,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> PlacedStrip:
        layout = QTextLayout(strip.text, font)
        option = QTextOption(alignment)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))
        layout.setTextOption(option)
        layout.setFormats(self.style.formats(strip.text, strip.marks, font))
        layout.setCacheEnabled(True)
        height = 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1.0, width))
            room = line.height() * self.style.spacing(block.shape)
            line.setPosition(QPointF(0.0, height + (room - line.height()) / 2))
            height += room
        layout.endLayout()
        return PlacedStrip(strip, layout, x, y, width, height)


def _x(line: QTextLine, offset: int, edge: QTextLine.Edge = QTextLine.Edge.Leading) -> float:
    found = line.cursorToX(offset, edge)  # PySide may return (x, cursor position)
    place = found[0] if isinstance(found, tuple) else found
    return float(place) if isinstance(place, int | float) else 0.0
