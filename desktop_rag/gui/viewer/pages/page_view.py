"""A scrollable view of the printed pages of a document."""

import math
from enum import Enum

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop_rag.gui.theme.theme import pages_are_dark
from desktop_rag.gui.viewer.document_view import zooms
from desktop_rag.gui.viewer.pages.page_painting import GAP, Areas, PageGeometry, PagePainter, fit_page, fit_text
from desktop_rag.gui.viewer.pages.render_service import PageImageCache, PrintedFile, RenderService

_UPPER = 0.22  # where revealed lines are placed, as a share of the height
_LOWEST = 0.45  # up to here the page is shown from its top instead
_MAX_PIXELS = 10_000_000  # of one page; a larger page is scaled up when drawn
_SMALLEST, _LARGEST = 0.1, 8.0
_STEP = 1.2
_PAUSE_MS = 20


class Fit(Enum):
    """How the scale of the pages is determined."""

    WIDTH = "width"  # of the text
    PAGE = "page"
    FREE = "free"


class PageView(QAbstractScrollArea):
    """Draws pages rendered elsewhere; only visible pages and their neighbours are requested."""

    opened = Signal()  # the file can be rendered
    refused = Signal(str)  # why the file cannot be rendered
    page_changed = Signal(int, int)  # the current page and the number of pages
    zoom_changed = Signal(float)  # pixels per point
    copy_requested = Signal()  # Ctrl+C, or Copy in the menu of the window
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key
    pages_settled = Signal()  # the visible pages have changed and scrolling has paused

    def __init__(self, service: RenderService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images = PageImageCache(service, self)
        self._page_painter = PagePainter(self._images)
        self._sizes: tuple[tuple[float, float], ...] = ()
        self._geometry = PageGeometry((), 1.0, 1.0)
        self._fit = Fit.WIDTH
        self._text: tuple[float, float] | None = None  # its left and right edge on each page, in points
        self._scale = 1.0
        self._goal: tuple[int, float] | None = None
        self._page = 0
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Pages of the document"))
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.setSingleStep(40)
            bar.actionTriggered.connect(self._on_moved_by_hand)
            bar.valueChanged.connect(self._on_scrolled)
        self._pause.timeout.connect(self._request_pages)
        self._images.opened.connect(self._on_opened)
        self._images.refused.connect(self.refused)
        self._images.arrived.connect(self.viewport().update)

    @property
    def page_count(self) -> int:
        """Return the number of pages; 0 until the file is open."""
        return len(self._sizes)

    @property
    def sizes(self) -> tuple[tuple[float, float], ...]:
        """Return the sizes of the pages in points; empty until the file is open."""
        return self._sizes

    @property
    def page(self) -> int:
        """Return the current page; 0 until the file is open."""
        return self._page

    @property
    def scale(self) -> float:
        """Return the scale in pixels per point."""
        return self._scale

    @property
    def fit(self) -> Fit:
        """Return how the scale is determined."""
        return self._fit

    def open(self, file: PrintedFile, text: tuple[float, float] | None = None) -> None:
        """Show another file, whose text has these edges; `opened` or `refused` follows."""
        self._sizes, self._page, self._text = (), 0, text
        self._page_painter.clear()
        self._lay_out()
        self._images.open(file)

    def set_marks(self, areas: Areas) -> None:
        """Mark the cited lines; rectangles are in points."""
        self._page_painter.marks = areas
        self.viewport().update()

    def set_quoted(self, areas: Areas) -> None:
        """Mark the quoted words."""
        self._page_painter.quoted = areas
        self.viewport().update()

    def set_matches(self, areas: Areas, current: Areas) -> None:
        """Mark the matches."""
        self._page_painter.matches, self._page_painter.current = areas, current
        self.viewport().update()

    def set_selection(self, areas: Areas, caret: tuple[int, QRectF] | None) -> None:
        """Mark the selection and its caret."""
        self._page_painter.selected, self._page_painter.caret = areas, caret
        self.viewport().update()

    def set_bookmarked(self, areas: Areas) -> None:
        """Mark the bookmarked passages."""
        self._page_painter.bookmarked = areas
        self.viewport().update()

    def marked_on(self, page: int) -> tuple[QRectF, ...]:
        """Return the rectangles of the cited lines on a page, in points."""
        return self._page_painter.marks.get(page, ())

    def size_of(self, page: int) -> tuple[float, float]:
        """Return the size of a page in points."""
        return self._sizes[page - 1]

    def position_at(self, point: QPointF) -> tuple[int, QPointF] | None:
        """Return the page nearest to a viewport position, and the position on it in points."""
        if not self._sizes:
            return None
        shown = point + self._offset()
        number = self._geometry.page_at(shown.y())
        return number, (shown - self._geometry.page(number).topLeft()) / self._scale

    def top_of_sight(self, page: int) -> float:
        """Return the height on a page, in points, at the upper edge of the viewport."""
        return -self.shown(page, QRectF()).top() / self._scale

    def scroll_to_position(self, page: int, y: float) -> None:
        """Scroll a height of a page, in points, to the upper edge of the viewport."""
        self._goal = None
        self.verticalScrollBar().setValue(round(self._geometry.page(page).top() + y * self._scale))

    def ensure_visible(self, page: int, area: QRectF) -> None:
        """Scroll as little as needed to show a rectangle of a page."""
        shown = self.shown(page, area)
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + min(0.0, shown.top() - GAP)))
        bar.setValue(round(bar.value() + max(0.0, shown.bottom() + GAP - self.viewport().height())))

    def release_goal(self) -> None:
        """Stop keeping the revealed position visible: the user acts in the view."""
        self._goal = None

    def visible_pages(self) -> range:
        """Return the pages that are at least partly visible."""
        if not self._sizes:
            return range(0)
        top = float(self.verticalScrollBar().value())
        return self._geometry.pages_between(top, top + self.viewport().height())

    def shown(self, page: int, area: QRectF) -> QRectF:
        """Convert a rectangle of a page to viewport coordinates."""
        return self._on_page(page, area).translated(-self._offset())

    def is_painted(self, number: int) -> bool:
        """Return whether a page is rendered at the current scale."""
        ready = self._images.picture(number)
        fresh = ready is not None and ready.dark == pages_are_dark()
        return ready is not None and fresh and abs(ready.scale - self._pixel_scale(number)) < 0.01

    def reveal_position(self, page: int, y: float = 0.0) -> None:
        """Scroll a height of a page, in points, to the upper third and keep it there until the user scrolls."""
        self._goal = (page, y)
        self._scroll_to_goal()

    def set_fit(self, fit: Fit) -> None:
        """Fit the scale to the viewport."""
        self._fit = fit
        self._lay_out()

    def set_scale(self, scale: float) -> None:
        """Set the scale in pixels per point."""
        self._fit, self._scale = Fit.FREE, max(_SMALLEST, min(_LARGEST, scale))
        self._lay_out()

    def zoom(self, steps: int) -> None:
        """Zoom in (1) or out (-1)."""
        self.set_scale(self._scale * _STEP**steps)

    def _lay_out(self) -> None:
        """Lay out the pages again and keep the position."""
        page, share = self._position()
        middle = self._middle()
        room, height = float(self.viewport().width()), float(self.viewport().height())
        if self._fit is Fit.WIDTH:
            self._scale = min(_LARGEST, fit_text(self._sizes, self._text, room)) if self._sizes else 1.0
        elif self._fit is Fit.PAGE and self._sizes:
            self._scale = min(_LARGEST, fit_page(self._sizes[page - 1], room, height))
        self._geometry = PageGeometry(self._sizes, self._scale, room)
        extent = self._geometry.extent
        for bar, length, shown in (
            (self.verticalScrollBar(), extent.height() if self._sizes else 0.0, height),
            (self.horizontalScrollBar(), extent.width(), room),
        ):
            bar.setRange(0, max(0, round(length - shown)))
            bar.setPageStep(round(shown * 0.9))
        aside = round(middle * extent.width() - room / 2)
        if self._fit is Fit.WIDTH and self._text is not None and self._sizes:
            middle_of_text = self._geometry.page(page).left() + sum(self._text) / 2 * self._scale
            aside = round(middle_of_text - room / 2)
        self.horizontalScrollBar().setValue(aside)
        self.zoom_changed.emit(self._scale)
        if self._sizes and self._goal is None:
            area = self._geometry.page(page)
            self.verticalScrollBar().setValue(round(area.top() + share * area.height()))
        self._scroll_to_goal()
        self.viewport().update()
        self._pause.start()

    def _position(self) -> tuple[int, float]:
        if not self._sizes or self._geometry.scale <= 0 or not self._page:
            return 1, 0.0
        top = float(self.verticalScrollBar().value())
        page = self._geometry.page_at(top)
        area = self._geometry.page(page)
        return page, (top - area.top()) / max(1.0, area.height())

    def _middle(self) -> float:
        """Return the horizontal position of the viewport's centre, from 0 to 1."""
        width = self._geometry.extent.width()
        room = self.viewport().width()
        return (self.horizontalScrollBar().value() + room / 2) / width if width > room else 0.5

    def _scroll_to_goal(self) -> None:
        if self._goal is None or not self._sizes:
            return
        page, y = self._goal
        area = self._geometry.page(max(1, min(page, self.page_count)))
        height = self.viewport().height()
        near_top = y * self._scale < height * _LOWEST  # then the top of the page can stay visible
        down = -GAP / 2 if near_top else y * self._scale - height * _UPPER
        self.verticalScrollBar().setValue(round(area.top() + down))
        self._report_page()

    def _report_page(self) -> None:
        middle = self.verticalScrollBar().value() + self.viewport().height() * 0.4
        page = self._geometry.page_at(middle) if self._sizes else 0
        if self._goal is not None and page:
            page = self._goal[0]
        if page and page != self._page:
            self._page = page
            self.page_changed.emit(page, self.page_count)

    def _offset(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _on_page(self, number: int, area: QRectF) -> QRectF:
        place = self._geometry.page(number)
        scale = self._scale
        return QRectF(
            place.left() + area.left() * scale,
            place.top() + area.top() * scale,
            area.width() * scale,
            area.height() * scale,
        )

    def _pixel_scale(self, number: int) -> float:
        width, height = self._sizes[number - 1]
        most = math.sqrt(_MAX_PIXELS / max(1.0, width * height))
        return min(self._scale * self.devicePixelRatioF(), most)

    @Slot()
    def copy(self) -> None:
        """Request a copy of the citation."""
        self.copy_requested.emit()

    @Slot()
    def _request_pages(self) -> None:
        """Request the visible pages, then the one below, then the one above."""
        if not self._sizes or not self.isVisible():
            return
        seen = self.visible_pages()
        near = [page for page in (seen[-1] + 1, seen[0] - 1) if 1 <= page <= self.page_count]
        self._images.request([*seen, *near], self._pixel_scale(seen[0]))
        self.pages_settled.emit()

    @Slot(tuple)
    def _on_opened(self, sizes: tuple[tuple[float, float], ...]) -> None:
        self._sizes = sizes
        self._lay_out()
        self.opened.emit()
        self._report_page()

    @Slot()
    def _on_scrolled(self) -> None:
        self._report_page()
        self._pause.start()
        self.viewport().update()

    @Slot()
    def _on_moved_by_hand(self) -> None:
        self._goal = None

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Redraw everything: page images are cached."""
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible pages."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._page_painter.background(painter, self.viewport().rect())
        if self._sizes:
            painter.translate(-self._offset())
            for number in self.visible_pages():
                self._page_painter.page(painter, number, self._geometry.page(number), self._scale)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages to the new size."""
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        """Request the visible pages."""
        super().showEvent(event)
        self._pause.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if zooms(event, self.zoom):
            return
        self._goal = None
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll; Home and End go to the first and last page."""
        self._goal = None
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Home:
                bar.setValue(bar.minimum())
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case Qt.Key.Key_Space:
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                bar.setValue(bar.value() + (-bar.pageStep() if back else bar.pageStep()))
            case _ if event.matches(QKeySequence.StandardKey.Copy):
                self.copy()
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward the request: the tab knows the actions."""
        self.menu_requested.emit(event)

    def event(self, event: QEvent) -> bool:
        """Render again for another pixel ratio."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._pause.start()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Redraw in the colours of the new theme; pages may be dark now."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "_pause"):
            self._pause.start()
            self.viewport().update()
