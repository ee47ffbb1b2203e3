"""Draws a page: paper, rendered image or placeholder, and the marks of citation, matches and selection."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_rag.gui.theme.theme import current_colors, pages_are_dark, text_font
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, Colors
from desktop_rag.gui.viewer.pages.page_caches import PageImageCache
from desktop_rag.gui.viewer.pages.page_geometry import Areas, runs

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
