"""Virtual scrolling of a clean page: which blocks are visible and where, in a document of any length.

Only visible blocks are laid out. The scroll position is a block and an offset in it; nothing needs the height of all
blocks above, so jumping to the hundred thousandth line is as fast as to the first.
"""

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

from desktop_rag.documents.document import Structure
from desktop_rag.gui.viewer.clean.composing import Block, BlockComposer, BlockShape, Markup
from desktop_rag.gui.viewer.clean.typesetting import BlockLayout, Columns, PageStyle, Typesetter, plan_columns
from desktop_rag.gui.viewer.document_loading import LoadedLines
from desktop_rag.gui.viewer.viewer_events import LinesLoaded

PARTS = 64  # scroll bar steps per line
_MAX_LAID = 600
_EDGE = 8  # lines at the edge of the loaded window; their blocks may change with their neighbours
_ROWS_BEFORE, _ROWS_AFTER = 20, 60  # rows of a table that determine the column widths
_UPPER = 0.22  # where a revealed line is placed, as a share of the height
_LOWEST = 0.4  # up to here the document is shown from its top instead
_ABOVE, _BELOW = 1.0, 2.5  # space above and below the document, in line heights


@dataclass(frozen=True, slots=True)
class VisibleBlock:
    """A visible block and its upper edge in the viewport."""

    laid: BlockLayout
    y: float


class PageFlow:
    """Lays out the blocks around the scroll position."""

    def __init__(self, style: PageStyle) -> None:
        self.lines = LoadedLines()
        self._composer = BlockComposer(b"", Structure(), self.lines, Markup.NONE)
        self._typesetter = Typesetter(style, 100.0)
        self._height = 0.0
        self._line, self._offset = 1, 0.0
        self._laid: OrderedDict[int, BlockLayout] = OrderedDict()
        self._columns: dict[int, Columns] = {}
        self._seen: tuple[VisibleBlock, ...] | None = None

    @property
    def style(self) -> PageStyle:
        """Return the style of the page."""
        return self._typesetter.style

    @property
    def room(self) -> float:
        """Return the width of the text column."""
        return self._typesetter.room

    @property
    def line_count(self) -> int:
        """Return the number of lines of the document."""
        return self._composer.line_count

    def begin(self, kinds: bytes, structure: Structure, markup: Markup) -> None:
        """Switch to another document, at its first line."""
        self.lines = LoadedLines()
        self._composer = BlockComposer(kinds, structure, self.lines, markup)
        self._line, self._offset = 1, -_ABOVE * self.style.em
        self._forget()

    def add(self, read: LinesLoaded) -> None:
        """Add lines and drop the laid out blocks that they may change."""
        first, last = self.lines.first + _EDGE, self.lines.last - _EDGE
        self.lines.add(read, self._line)
        for line, laid in list(self._laid.items()):
            block = laid.block
            inside = first <= block.first and block.last <= last and self.lines.hold(block.first, block.last)
            if not inside or block.shape is BlockShape.ABSENT:
                del self._laid[line]
        self._settle()

    def fit(self, style: PageStyle, room: float, height: float) -> None:
        """Set style and size and keep the first visible line."""
        if (style, room) != (self.style, self.room):
            share = self._offset / max(1.0, self.laid(self._line).height) if self.line_count else 0.0
            self._typesetter = Typesetter(style, room)
            self._forget()
            if self.line_count:
                self._offset = share * self.laid(self._line).height
        self._height = height
        self._settle()

    def laid(self, line: int) -> BlockLayout:
        """Return the block that contains `line`, laid out."""
        first, last = self._composer.extent(line)
        if (known := self._laid.get(first)) is not None:
            self._laid.move_to_end(first)
            return known
        block = self._composer.compose(first, last)
        columns = self._columns_of(first) if block.shape is BlockShape.ROW else None
        laid = self._typesetter.lay_out(block, columns)
        self._laid[first] = laid
        if len(self._laid) > _MAX_LAID:
            self._laid.popitem(last=False)
        return laid

    def block(self, line: int) -> Block:
        """Return the block that contains `line` without laying it out."""
        first, last = self._composer.extent(line)
        known = self._laid.get(first)
        return known.block if known is not None else self._composer.compose(first, last)

    def visible_blocks(self) -> tuple[VisibleBlock, ...]:
        """Return the visible blocks from top to bottom."""
        if self._seen is None:
            found: list[VisibleBlock] = []
            line, y = self._line, -self._offset
            while line <= self.line_count and y < self._height:
                laid = self.laid(line)
                found.append(VisibleBlock(laid, y))
                line, y = laid.block.last + 1, y + laid.height
            self._seen = tuple(found)
        return self._seen

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and the last visible line."""
        seen = self.visible_blocks()
        return (seen[0].laid.block.first, seen[-1].laid.block.last) if seen else (1, 1)

    def move(self, distance: float) -> None:
        """Scroll by `distance` pixels, downward if positive."""
        self._offset += distance
        self._settle()

    def go_to(self, line: int, y: float = 0.0) -> None:
        """Scroll the upper edge of a line to height `y` of the viewport, as far as the document allows."""
        if self.line_count:
            laid = self.laid(max(1, min(line, self.line_count)))
            self._line, self._offset = laid.block.first, top_of_line(laid, line) - y
            self._settle()

    def reveal(self, line: int) -> None:
        """Scroll a line to the upper third; for a line near the beginning show the top of the document."""
        self._line, self._offset = 1, -_ABOVE * self.style.em
        self._settle()
        if line <= 1:
            return
        for one in self.visible_blocks():
            if one.laid.block.first <= line <= one.laid.block.last and one.y + top_of_line(one.laid, line) < (
                _LOWEST * self._height
            ):
                return
        self.go_to(line, _UPPER * self._height)

    def value(self) -> int:
        """Return the position for a scroll bar from 0 to `line_count * PARTS`."""
        if not self.line_count:
            return 0
        block, height = self.laid(self._line).block, max(1.0, self.laid(self._line).height)
        share = max(0.0, min(1.0, self._offset / height))
        return round((block.first - 1 + share * (block.last - block.first + 1)) * PARTS)

    def go_to_value(self, value: int) -> None:
        """Scroll to a scroll bar position."""
        if not self.line_count:
            return
        laid = self.laid(max(1, min(value // PARTS + 1, self.line_count)))
        share = (value / PARTS - (laid.block.first - 1)) / (laid.block.last - laid.block.first + 1)
        self._line, self._offset = laid.block.first, share * laid.height
        self._settle()

    def is_at_end(self) -> bool:
        """Return whether the end of the document is visible."""
        seen = self.visible_blocks()
        if not seen:
            return True
        last = seen[-1]
        return last.laid.block.last >= self.line_count and last.y + last.laid.height <= self._height

    def _forget(self) -> None:
        self._laid.clear()
        self._columns.clear()
        self._seen = None

    def _settle(self) -> None:
        """Express the position by the first visible block, and keep it inside the document."""
        self._seen = None
        if not self.line_count:
            return
        self._line = max(1, min(self._line, self.line_count))
        self._normalise()
        short = self._height - self._below()
        if short > 0:
            self._offset -= short
            self._normalise()
        if self._line == 1:
            self._offset = max(self._offset, -_ABOVE * self.style.em)

    def _normalise(self) -> None:
        while self._offset < 0 and self._line > 1:
            before = self.laid(self._line - 1)
            self._line, self._offset = before.block.first, self._offset + before.height
        while (laid := self.laid(self._line)).height <= self._offset and laid.block.last < self.line_count:
            self._line, self._offset = laid.block.last + 1, self._offset - laid.height

    def _below(self) -> float:
        """Return the height of the document below the upper edge, or the viewport height if that is filled."""
        line, height = self._line, -self._offset
        while line <= self.line_count and height < self._height:
            laid = self.laid(line)
            line, height = laid.block.last + 1, height + laid.height
        return height + _BELOW * self.style.em if line > self.line_count else self._height

    def _columns_of(self, line: int) -> Columns:
        table = self._composer.table_of(line)
        if table not in self._columns:
            numbers = [table, *range(max(table + 1, line - _ROWS_BEFORE), line + _ROWS_AFTER)]
            mine = (number for number in numbers if self._composer.table_of(number) == table)
            blocks = (self._composer.compose(number, number) for number in mine)
            rows = [[strip.text for strip in block.strips] for block in blocks if block.shape is BlockShape.ROW]
            metrics = QFontMetricsF(self.style.font(BlockShape.ROW, 1))
            given = self._composer.alignments(table)
            self._columns[table] = plan_columns(rows, self.room, metrics, self._typesetter.padding(), given)
        return self._columns[table]


def top_of_line(laid: BlockLayout, line: int) -> float:
    """Return the top of a line inside its block."""
    for placed in laid.placed:
        shown = placed.strip.lines_shown(line, line)
        if shown is not None and line > laid.block.first:
            return next((rect.top() for rect in placed.rects(*shown)), laid.top)
    return laid.top
