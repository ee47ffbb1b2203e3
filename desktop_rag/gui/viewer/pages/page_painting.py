"""Draws a page: paper, rendered image or placeholder, and the marks of citation, matches and selection."""

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.theme.theme_colors import LIGHT
from desktop_rag.gui.viewer.pages.page_caches import PageImageCache
from desktop_rag.gui.viewer.pages.page_geometry import Areas, runs

_BAR = 3.0
_FOUND = QColor("#cfdcfb")
_FOUND_NOW = QColor("#8fadf5")
_SELECTED = QColor("#b3ccff")
_AROUND_QUOTE = 0.4  # of the colour, on cited lines whose quoted words are marked


class PagePainter:
    """The marks on the pages, in points; paper is white in both themes, so marks use the light theme's colours."""

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
        painter.fillRect(place, QColor("#ffffff"))
        ready = self._images.picture(number)
        if ready is not None:
            painter.drawImage(place, ready.image)
        else:
            self._placeholder(painter, number, place)
        painter.save()
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        self._fill(painter, self.matches.get(number, ()), place, scale, _FOUND)
        self._fill(painter, self.current.get(number, ()), place, scale, _FOUND_NOW)
        quoted = self.quoted.get(number, ())
        lines = QColor(LIGHT.mark)
        lines.setAlphaF(_AROUND_QUOTE if self.quoted else 1.0)
        self._fill(painter, self.marks.get(number, ()), place, scale, lines)
        self._fill(painter, quoted, place, scale, QColor(LIGHT.mark))
        self._fill(painter, self.selected.get(number, ()), place, scale, _SELECTED)
        painter.restore()
        self._caret(painter, number, place, scale)
        self._bars(painter, self.marks.get(number, ()), place, scale, QColor(LIGHT.mark_edge))
        self._bars(
            painter, self.bookmarked.get(number, ()), place.translated(-1.5 * _BAR, 0), scale, QColor(LIGHT.accent)
        )
        painter.setPen(QPen(QColor(current_colors().border), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)

    def _placeholder(self, painter: QPainter, number: int, place: QRectF) -> None:
        trouble = self._images.trouble(number)
        text = trouble or QCoreApplication.translate("PageView", "Page {0}").format(number)
        painter.setPen(QColor(LIGHT.danger if trouble else LIGHT.faint))
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

    def _caret(self, painter: QPainter, number: int, place: QRectF, scale: float) -> None:
        if self.caret is not None and self.caret[0] == number:
            shown = _scaled(self.caret[1], place, scale)
            painter.setPen(QPen(QColor(LIGHT.accent), 1.5))
            painter.drawLine(shown.topLeft(), shown.bottomRight())


def _scaled(area: QRectF, place: QRectF, scale: float) -> QRectF:
    return QRectF(
        place.left() + area.left() * scale,
        place.top() + area.top() * scale,
        area.width() * scale,
        area.height() * scale,
    )
