"""The glyphs of one page in reading order, which is the line order of the catalog.

A PDF may draw a page in any order, but the catalog knows its columns: each glyph run is assigned to the line whose
box contains it. Runs in no line follow the run drawn before them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from desktop_rag.documents.document import Box, box_of
from desktop_rag.documents.render.painter_messages import PrintedText
from desktop_rag.index.records import DocumentLayout

_HYPHENS = ("-", "\u2010", "\u00ad")


@dataclass(frozen=True, slots=True)
class GlyphRun:
    """Glyphs on one base line: their boxes in points, and their line in the catalog (0: none)."""

    text: str
    boxes: tuple[QRectF, ...]
    area: QRectF
    line: int

    @property
    def upright(self) -> bool:
        """Return whether the text runs horizontally."""
        if len(self.boxes) < 2:
            return True
        first, last = self.boxes[0].center(), self.boxes[-1].center()
        return abs(last.x() - first.x()) >= abs(last.y() - first.y())

    def edge(self, index: int) -> QRectF:
        """Return the zero-width caret rectangle before glyph `index`, or after the last one."""
        box = self.boxes[min(index, len(self.boxes) - 1)]
        after = index >= len(self.boxes)
        if self.upright:
            forward = self.boxes[-1].center().x() >= self.boxes[0].center().x()
            x = box.right() if after is forward else box.left()
            return QRectF(x, box.top(), 0, box.height())
        down = self.boxes[-1].center().y() >= self.boxes[0].center().y()
        y = box.bottom() if after is down else box.top()
        return QRectF(box.left(), y, box.width(), 0)


class GlyphLayout:
    """Runs in reading order; a caret is an offset over all runs of the page, 0 before the first glyph."""

    def __init__(self, runs: Iterable[GlyphRun]) -> None:
        self.runs = tuple(runs)
        self._starts: list[int] = []
        at = 0
        for run in self.runs:
            self._starts.append(at)
            at += len(run.text) + 1  # the caret after a run's last glyph differs from the one before the next run
        self.end = max(0, at - 1)

    def caret_at(self, point: QPointF) -> int:
        """Return the caret nearest to a point on the page."""
        if not self.runs:
            return 0
        number = min(range(len(self.runs)), key=lambda index: _distance(self.runs[index].area, point))
        run = self.runs[number]
        index = min(range(len(run.boxes) + 1), key=lambda index: _along(run, index, point))
        return self._starts[number] + index

    def position_of(self, caret: int) -> tuple[int, int]:
        """Return the run of a caret and the offset in it."""
        for number in range(len(self.runs) - 1, -1, -1):
            if caret >= self._starts[number]:
                return number, min(caret - self._starts[number], len(self.runs[number].text))
        return 0, 0

    def start_of(self, number: int) -> int:
        """Return the caret before the first glyph of a run."""
        return self._starts[number]

    def word_at(self, caret: int) -> tuple[int, int]:
        """Return the carets around the word at a caret."""
        if not self.runs:
            return 0, 0
        number, index = self.position_of(caret)
        text, start = self.runs[number].text, self._starts[number]
        index = min(index, len(text) - 1)
        first = last = index
        wordly = text[index].isalnum()
        while first > 0 and text[first - 1].isalnum() is wordly and not text[first - 1].isspace():
            first -= 1
        while last < len(text) and text[last].isalnum() is wordly and not text[last].isspace():
            last += 1
        return start + first, start + max(last, index + 1)

    def line_at(self, caret: int) -> tuple[int, int]:
        """Return the carets around the line at a caret."""
        if not self.runs:
            return 0, 0
        number, _ = self.position_of(caret)
        first = last = number
        line = self.runs[number].line
        while line and first > 0 and self.runs[first - 1].line == line:
            first -= 1
        while line and last + 1 < len(self.runs) and self.runs[last + 1].line == line:
            last += 1
        return self._starts[first], self._starts[last] + len(self.runs[last].text)

    def text(self, first: int, last: int) -> str:
        """Return the text between two carets; runs of one line are joined by a space, others by a line end."""
        parts: list[str] = []
        before: GlyphRun | None = None
        for run, start, end in self._between(first, last):
            if before is not None:
                parts.append(" " if run.line and run.line == before.line else "\n")
            parts.append(run.text[start:end].strip() if (start, end) == (0, len(run.text)) else run.text[start:end])
            before = run
        return "".join(parts)

    def areas(self, first: int, last: int) -> tuple[QRectF, ...]:
        """Return the rectangles between two carets, one for each run."""
        return tuple(_united(run.boxes[start:end]) for run, start, end in self._between(first, last))

    def lines(self, first: int, last: int) -> tuple[int, int]:
        """Return the first and last catalog line between two carets; 0 if there is none."""
        lines = [run.line for run, _, _ in self._between(first, last) if run.line]
        return (min(lines), max(lines)) if lines else (0, 0)

    def areas_in_line(self, line: int, start: int, end: int, words: str) -> tuple[QRectF, ...]:
        """Return the rectangles of characters `start` to `end` of a catalog line; empty if they cannot be located.

        White space may differ between file and catalog, so `words` is searched for near `start`.
        """
        numbers = [number for number, run in enumerate(self.runs) if run.line == line]
        if not numbers or not words:
            return ()
        text = " ".join(self.runs[number].text for number in numbers).lower()
        found = [at for at in _occurrences(text, words.lower()) if abs(at - start) <= 8 + (end - start)]
        if not found:
            return self._areas_of_hyphenated(numbers, words.lower())
        begin = self._starts[numbers[0]] + min(found, key=lambda at: abs(at - start))
        return self.areas(begin, begin + len(words))

    def _areas_of_hyphenated(self, numbers: Sequence[int], words: str) -> tuple[QRectF, ...]:
        """Return the rectangles of words that the page breaks at the end of a line; the catalog joins them in one."""
        for number in (numbers[-1], numbers[0] - 1):  # joined at the end of the line, or at the beginning of the next
            if not 0 <= number < len(self.runs) - 1:
                continue
            above, below = self.runs[number].text.rstrip(), self.runs[number + 1].text
            if above[-1:] not in _HYPHENS:
                continue
            stem, rest = above[:-1].lower(), below.lstrip().lower()
            for cut in range(len(words) - 1, 0, -1):
                begun = words[:cut].rstrip("-")
                if begun and stem.endswith(begun) and rest.startswith(words[cut:]):
                    end, start = self._starts[number] + len(above), self._starts[number + 1]
                    indent = len(below) - len(below.lstrip())
                    first = self.areas(end - len(begun) - 1, end)
                    return first + self.areas(start + indent, start + indent + len(words) - cut)
        return ()

    def _between(self, first: int, last: int) -> Iterable[tuple[GlyphRun, int, int]]:
        for run, at in zip(self.runs, self._starts, strict=True):
            start, end = max(0, first - at), min(len(run.text), last - at)
            if start < end:
                yield run, start, end


def arrange_glyphs(runs: Sequence[PrintedText], layout: DocumentLayout, page: int) -> GlyphLayout:
    """Return the glyphs of a page in the order of the catalog's lines."""
    lines = list(boxes_on_page(layout, page))
    made: list[tuple[tuple[int, int, float], GlyphRun]] = []
    before = 0
    for number, printed in enumerate(runs):
        boxes, area = _boxes(printed)
        line = _line_around(area, lines)
        order = (line, 0, area.left()) if line else (before, number + 1, 0.0)
        before = line or before
        made.append((order, GlyphRun(printed.text, boxes, area, line)))
    made.sort(key=lambda pair: pair[0])
    return GlyphLayout(run for _, run in made)


def spread_glyphs(lines: Iterable[tuple[int, str, Box]]) -> GlyphLayout:
    """Return evenly spaced glyph boxes for lines known only by their bounding box, as from OCR."""
    runs = []
    for line, text, box in lines:
        if text:
            step, height = (box.x1 - box.x0) / len(text), box.y1 - box.y0
            boxes = tuple(QRectF(box.x0 + index * step, box.y0, step, height) for index in range(len(text)))
            runs.append(GlyphRun(text, boxes, QRectF(box.x0, box.y0, box.x1 - box.x0, height), line))
    return GlyphLayout(runs)


def boxes_on_page(layout: DocumentLayout, page: int) -> Iterable[tuple[int, Box]]:
    """Yield the lines with a bounding box on a page, each with its box."""
    if not layout.boxes or not 1 <= page <= len(layout.pages):
        return
    first = layout.pages[page - 1].first_line
    after = layout.pages[page].first_line if page < len(layout.pages) else len(layout.kinds) + 1
    for line in range(first, after):
        if (box := box_of(layout.boxes, line)) is not None:
            yield line, box


def _line_around(area: QRectF, boxes: Sequence[tuple[int, Box]]) -> int:
    x, y = area.center().x(), area.center().y()
    around = [(box.y1 - box.y0, line) for line, box in boxes if box.x0 <= x <= box.x1 and box.y0 - 1 <= y <= box.y1 + 1]
    return min(around)[1] if around else 0


def _boxes(printed: PrintedText) -> tuple[tuple[QRectF, ...], QRectF]:
    numbers = memoryview(printed.boxes).cast("f").tolist()
    left, top, right, bottom = (numbers[side::4] for side in range(4))
    boxes = (QRectF(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in zip(left, top, right, bottom, strict=True))
    return tuple(boxes), QRectF(QPointF(min(left), min(top)), QPointF(max(right), max(bottom)))


def _united(boxes: Sequence[QRectF]) -> QRectF:
    area = QRectF(boxes[0]) if boxes else QRectF()
    for box in boxes[1:]:
        area = area.united(box)
    return area


def _distance(area: QRectF, point: QPointF) -> float:
    """Return the distance of a point from a rectangle, vertical weighted four times: lines come before columns."""
    across = max(area.left() - point.x(), 0.0, point.x() - area.right())
    down = max(area.top() - point.y(), 0.0, point.y() - area.bottom())
    return across + 4 * down


def _along(run: GlyphRun, index: int, point: QPointF) -> float:
    edge = run.edge(index)
    return abs(edge.x() - point.x()) if run.upright else abs(edge.y() - point.y())


def _occurrences(text: str, words: str) -> Iterable[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)
