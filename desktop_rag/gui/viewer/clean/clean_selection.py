"""Text selection and hit testing on a clean page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextLayout

from desktop_rag.gui.viewer.clean.blocks import Block
from desktop_rag.gui.viewer.clean.page_flow import PageFlow, VisibleBlock
from desktop_rag.gui.viewer.document_view import Selected
from desktop_rag.gui.widgets.text_offsets import from_qt, to_qt

_MAX_BLOCKS = 2_000  # copied at once


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A position between two characters: first line of the block, strip index, offset in its text."""

    line: int
    strip: int
    offset: int


@dataclass(frozen=True, slots=True)
class LinkSpot:
    """A visible link: its position and its target."""

    line: int
    strip: int
    start: int
    end: int
    target: str


class CleanSelection:
    """The selection on a page, from the anchor to the pointer."""

    def __init__(self, flow: PageFlow) -> None:
        self._flow = flow
        self._anchor: Spot | None = None
        self._caret: Spot | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is selected."""
        return self._anchor is None or self._anchor == self._caret

    def clear(self) -> None:
        """Clear the selection."""
        self._anchor = self._caret = None

    def begin(self, spot: Spot) -> None:
        """Start a selection."""
        self._anchor = self._caret = spot

    def extend(self, spot: Spot) -> None:
        """Extend the selection to `spot`."""
        self._anchor, self._caret = self._anchor or spot, spot

    def select_word(self, spot: Spot) -> None:
        """Select the word at a spot."""
        layout = self._layout(spot)
        if layout is not None:
            words = QTextLayout.CursorMode.SkipWords
            text = layout.text()
            start = layout.previousCursorPosition(to_qt(text, min(spot.offset + 1, len(text))), words)
            end = from_qt(text, layout.nextCursorPosition(start, words))
            start = from_qt(text, start)
            kept = text[start:end].rstrip()
            self._anchor = Spot(spot.line, spot.strip, start)
            self._caret = Spot(spot.line, spot.strip, start + max(1, len(kept)))

    def select_all(self) -> None:
        """Select everything that is loaded."""
        lines = self._flow.lines
        if lines.last >= lines.first:
            last = self._flow.laid(lines.last)
            self._anchor = Spot(self._flow.laid(lines.first).block.first, 0, 0)
            strip = max(0, len(last.placed) - 1)
            self._caret = Spot(last.block.first, strip, len(last.placed[strip].strip.text) if last.placed else 0)

    def part_of(self, block: Block, strip: int) -> tuple[int, int] | None:
        """Return the selected range of a strip, or None."""
        if self._anchor is None or self._caret is None or self.is_empty:
            return None
        first, last = sorted((self._anchor, self._caret))
        line, length = block.first, len(block.strips[strip].text)
        if (line, strip) < (first.line, first.strip) or (line, strip) > (last.line, last.strip):
            return None
        start = first.offset if (line, strip) == (first.line, first.strip) else 0
        end = last.offset if (line, strip) == (last.line, last.strip) else length
        return (start, end) if start < end else None

    def selected(self) -> Selected:
        """Return the selected text and its lines."""
        if self._anchor is None or self._caret is None or self.is_empty:
            return Selected()
        first, last = sorted((self._anchor, self._caret))
        rows = list(self._rows(first, last))
        words = "\n".join("\t".join(text for text, _, _ in row) for row in rows).replace("\u2028", "\n")
        lines = [line for row in rows for _, begin, end in row for line in (begin, end) if line]
        return Selected(words.strip("\n"), min(lines, default=first.line), max(lines, default=last.line))

    def _rows(self, first: Spot, last: Spot) -> Iterator[list[tuple[str, int, int]]]:
        """Yield the selected text of each block as (text, first line, last line) of each strip."""
        line = first.line
        for _ in range(_MAX_BLOCKS):
            block = self._flow.block(line)
            row = []
            for index, strip in enumerate(block.strips):
                if part := self.part_of(block, index):
                    row.append((strip.text[slice(*part)], strip.line_at(part[0]), strip.line_at(part[1] - 1)))
            if block.label and row and (first.line < line or not first.offset):
                row[0] = (f"{block.label} {row[0][0]}", *row[0][1:])
            if row or (not block.strips and first.line < line < last.line):
                yield row
            line = block.last + 1
            if line > min(last.line, self._flow.line_count):
                return

    def _layout(self, spot: Spot) -> QTextLayout | None:
        placed = self._flow.laid(spot.line).placed
        return placed[spot.strip].layout if 0 <= spot.strip < len(placed) else None


def spot_at(seen: Sequence[VisibleBlock], point: QPointF) -> Spot | None:
    """Return the spot nearest to a point relative to the left edge of the text column."""
    words = [one for one in seen if one.laid.placed]
    if not words:
        return None
    one = next((one for one in words if point.y() < one.y + one.laid.height), words[-1])
    inside = point - QPointF(0.0, one.y)
    index = one.laid.strip_at(inside)
    return Spot(one.laid.block.first, index, one.laid.placed[index].offset_at(inside))


def link_at(seen: Sequence[VisibleBlock], point: QPointF) -> LinkSpot | None:
    """Return the link at a point, or None."""
    for link in links_of(seen):
        for one in seen:
            if one.laid.block.first == link.line:
                rects = one.laid.placed[link.strip].rects(link.start, link.end)
                if any(rect.translated(0.0, one.y).contains(point) for rect in rects):
                    return link
    return None


def links_of(seen: Sequence[VisibleBlock]) -> list[LinkSpot]:
    """Return the visible links in text order."""
    return [
        LinkSpot(one.laid.block.first, index, mark.start, mark.end, mark.target)
        for one in seen
        for index, placed in enumerate(one.laid.placed)
        for mark in placed.strip.marks
        if mark.target
    ]
