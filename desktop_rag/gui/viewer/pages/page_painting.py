"""Draws a page: paper, rendered image or placeholder, and the marks of citation, matches and selection."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_rag.documents.document import box_of, page_of
from desktop_rag.gui.theme.theme import current_colors, pages_are_dark, text_font
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, Colors
from desktop_rag.gui.viewer.pages.render_service import PageImageCache
from desktop_rag.index.records import DocumentLayout

# Geometry of printed pages: their layout one below the other, and the rectangles of lines on them.

GAP = 12.0
SIDE = 16.0
_BESIDE = 14.0  # pixels beside the text where the paper is cut off
_AT_EASE = 1.5  # pixels per point: no larger for the sake of a narrow text
_LINES = 5_000  # that are asked for their edges


class PageGeometry:
    """Pages with sizes in points at a scale in pixels per point, centred in a column; pages count from 1."""

    def __init__(self, sizes: Sequence[tuple[float, float]], scale: float, room: float) -> None:
        self.scale = scale
        self._sizes = tuple(sizes)
        self._widest = max((width for width, _ in self._sizes), default=0.0) * scale
        self._column = max(room, self._widest + 2 * SIDE)
        self._tops = list(accumulate((height * scale + GAP for _, height in self._sizes), initial=GAP))

    @property
    def extent(self) -> QSizeF:
        """Return the total size in pixels."""
        return QSizeF(self._widest + 2 * SIDE, self._tops[-1])

    def page(self, number: int) -> QRectF:
        """Return the rectangle of a page in pixels."""
        width, height = self._sizes[number - 1]
        left = (self._column - width * self.scale) / 2
        return QRectF(left, self._tops[number - 1], width * self.scale, height * self.scale)

    def page_at(self, y: float) -> int:
        """Return the page at `y`, or the one above a gap."""
        return max(1, min(len(self._sizes), bisect_right(self._tops, y)))

    def pages_between(self, top: float, bottom: float) -> range:
        """Return the pages between two heights."""
        return range(self.page_at(top), self.page_at(bottom) + 1)


def fit_width(sizes: Sequence[tuple[float, float]], room: float) -> float:
    """Return the scale at which the widest page fits."""
    widest = max((width for width, _ in sizes), default=1.0)
    return max(0.05, (room - 2 * SIDE) / max(1.0, widest))


def fit_text(sizes: Sequence[tuple[float, float]], text: tuple[float, float] | None, room: float) -> float:
    """Return the scale at which the widest text fits, given as its edges in points, without the paper beside it.

    It is that of the whole page if pages differ in width or have no text, and no larger than is read at ease.
    """
    whole = fit_width(sizes, room)
    if text is None or max(sizes)[0] - min(sizes)[0] > 1:
        return whole
    left, right = text
    return max(whole, min(_AT_EASE, (room - 2 * _BESIDE) / max(1.0, right - left)))


def text_edges(layout: DocumentLayout) -> tuple[float, float] | None:
    """Return the left and right edge of the lines of the first pages, in points; None if no line has a place."""
    boxes = memoryview(layout.boxes).cast("f")[: 4 * _LINES]
    placed = [(left, right) for left, right in zip(boxes[::4], boxes[2::4], strict=True) if right > left]
    return (min(left for left, _ in placed), max(right for _, right in placed)) if placed else None


def fit_page(size: tuple[float, float], room: float, height: float) -> float:
    """Return the scale at which a whole page fits."""
    return max(0.05, min((room - 2 * SIDE) / max(1.0, size[0]), (height - 2 * GAP) / max(1.0, size[1])))


Areas = dict[int, tuple[QRectF, ...]]

_SIDE = 2.0
_ABOVE = 1.0
_GAP = 0.7  # of a line's height; a larger gap separates two marks


def areas_of_lines(layout: DocumentLayout, first: int, last: int) -> Areas:
    """Return the rectangles of the lines from `first` to `last` by page, in points."""
    areas: dict[int, list[QRectF]] = {}
    for line in range(max(1, first), min(last, len(layout.kinds)) + 1):
        box, page = box_of(layout.boxes, line), page_of(layout.pages, line)
        if box is not None and page is not None:
            area = QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
            areas.setdefault(page, []).append(area.adjusted(-_SIDE, -_ABOVE, _SIDE, _ABOVE))
    for found in areas.values():
        _close_gaps(found)
    return {page: tuple(found) for page, found in areas.items()}


def runs(areas: Sequence[QRectF]) -> list[QRectF]:
    """Merge areas that touch from line to line into one rectangle each."""
    outlines: list[QRectF] = []
    for area in areas:
        if outlines and abs(area.top() - outlines[-1].bottom()) <= area.height() and area.top() > outlines[-1].top():
            outlines[-1] = outlines[-1].united(area)
        else:
            outlines.append(QRectF(area))
    return outlines


def _close_gaps(areas: list[QRectF]) -> None:
    """Extend the marks of neighbouring lines until they touch, as a marker pen would."""
    for above, below in pairwise(areas):
        gap = below.top() - above.bottom()
        if 0 < gap < _GAP * above.height() and below.left() < above.right() and above.left() < below.right():
            above.setBottom(below.top())


_BAR = 3.0
_AROUND_QUOTE = 0.4  # of the colour, on cited lines whose quoted words are marked


@dataclass(frozen=True, slots=True)
class MarkColors:
    """The colours on white or on dark paper, and how they mix with the page."""

    colors: Colors
    paper: str
    mark: str
    found: str
    found_now: str
    selected: str
    mixing: QPainter.CompositionMode


ON_WHITE = MarkColors(
    LIGHT, "#ffffff", LIGHT.mark, "#cfdcfb", "#8fadf5", "#b3ccff", QPainter.CompositionMode.CompositionMode_Multiply
)
ON_DARK = MarkColors(
    DARK, DARK.surface, "#3a2a00", "#14244f", "#20459c", "#1b3a78", QPainter.CompositionMode.CompositionMode_Screen
)


class PagePainter:
    """The marks on the pages, in points, in the colours of the theme of the paper."""

    def __init__(self, images: PageImageCache) -> None:
        self._images = images
        self.marks: Areas = {}
        self.quoted: Areas = {}
        self.matches: Areas = {}
        self.current: Areas = {}
        self.selected: Areas = {}
        self.bookmarked: Areas = {}
        self.caret: tuple[int, QRectF] | None = None

    def clear(self) -> None:
        """Remove all marks."""
        self.marks, self.quoted, self.matches, self.current, self.selected, self.bookmarked = {}, {}, {}, {}, {}, {}
        self.caret = None

    def background(self, painter: QPainter, area: QRect) -> None:
        """Draw the background behind the pages."""
        colors = current_colors()
        painter.fillRect(area, QColor(colors.window if colors.dark else colors.border))

    def page(self, painter: QPainter, number: int, place: QRectF, scale: float) -> None:
        """Draw a page in the rectangle `place`."""
        ready = self._images.picture(number)
        ink = ON_DARK if (ready.dark if ready is not None else pages_are_dark()) else ON_WHITE
        painter.fillRect(place, QColor(ink.paper))
        if ready is not None:
            painter.drawImage(place, ready.image)
        else:
            self._placeholder(painter, number, place, ink.colors)
        painter.save()
        painter.setCompositionMode(ink.mixing)
        self._fill(painter, self.matches.get(number, ()), place, scale, QColor(ink.found))
        self._fill(painter, self.current.get(number, ()), place, scale, QColor(ink.found_now))
        quoted = self.quoted.get(number, ())
        lines = QColor(ink.mark)
        lines.setAlphaF(_AROUND_QUOTE if self.quoted else 1.0)
        self._fill(painter, self.marks.get(number, ()), place, scale, lines)
        self._fill(painter, quoted, place, scale, QColor(ink.mark))
        self._fill(painter, self.selected.get(number, ()), place, scale, QColor(ink.selected))
        painter.restore()
        self._caret(painter, number, place, scale, ink.colors)
        self._bars(painter, self.marks.get(number, ()), place, scale, QColor(ink.colors.mark_edge))
        self._bars(
            painter, self.bookmarked.get(number, ()), place.translated(-1.5 * _BAR, 0), scale, QColor(ink.colors.accent)
        )
        painter.setPen(QPen(QColor(current_colors().border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)

    def _placeholder(self, painter: QPainter, number: int, place: QRectF, colors: Colors) -> None:
        trouble = self._images.trouble(number)
        text = trouble or QCoreApplication.translate("PageView", "Page {0}").format(number)
        painter.setPen(QColor(colors.danger if trouble else colors.faint))
        painter.setFont(text_font(1))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(place.adjusted(24, 24, -24, -24), int(flags), text)

    def _fill(self, painter: QPainter, areas: tuple[QRectF, ...], place: QRectF, scale: float, color: QColor) -> None:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # overlapping marks do not get darker
        for area in areas:
            path.addRect(_scaled(area, place, scale))
        painter.fillPath(path, color)

    def _bars(self, painter: QPainter, areas: tuple[QRectF, ...], place: QRectF, scale: float, color: QColor) -> None:
        """Draw a bar beside each run of lines."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for area in runs(areas):
            shown = _scaled(area, place, scale)
            painter.drawRect(QRectF(shown.left() - 2 * _BAR, shown.top(), _BAR, shown.height()))

    def _caret(self, painter: QPainter, number: int, place: QRectF, scale: float, colors: Colors) -> None:
        if self.caret is not None and self.caret[0] == number:
            shown = _scaled(self.caret[1], place, scale)
            painter.setPen(QPen(QColor(colors.accent), 1.5))
            painter.drawLine(shown.topLeft(), shown.bottomRight())


def _scaled(area: QRectF, place: QRectF, scale: float) -> QRectF:
    return QRectF(
        place.left() + area.left() * scale,
        place.top() + area.top() * scale,
        area.width() * scale,
        area.height() * scale,
    )
