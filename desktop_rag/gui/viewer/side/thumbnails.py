"""Thumbnails of all pages, rendered when they become visible."""

from collections import OrderedDict

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.formatting import number
from desktop_rag.gui.theme.theme import current_colors, pages_are_dark, set_role, text_font
from desktop_rag.gui.theme.theme_colors import DARK
from desktop_rag.gui.viewer.pages.render_service import (
    FileOpened,
    PageReady,
    PrintedFile,
    Purpose,
    RenderRequest,
    RenderService,
)
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, line_height

_BOX = QSize(104, 132)  # the largest thumbnail
_AROUND = 10
_KEPT = 160
_PAUSE_MS = 60

Index = QModelIndex | QPersistentModelIndex


class _Pages(QAbstractListModel):
    count = 0

    def set_count(self, count: int) -> None:
        self.beginResetModel()
        self.count = count
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self.count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.tr("Page {0}").format(number(index.row() + 1))
        return None


class Thumbnails(QListView):
    """Requests the visible thumbnails only, with lower priority than the pages being read."""

    page_chosen = Signal(int)  # go to this page

    def __init__(self, service: RenderService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._file: PrintedFile | None = None
        self._sizes: tuple[tuple[float, float], ...] = ()
        self._pictures: OrderedDict[int, QImage] = OrderedDict()
        self._dark = False  # the pictures
        self._pages = _Pages(self)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self.setModel(self._pages)
        self.setItemDelegate(_Delegate(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(self.tr("Pages"))
        set_role(self, "bare")
        self._pause.timeout.connect(self._request_pages)
        self.verticalScrollBar().valueChanged.connect(self._pause.start)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        service.opened.connect(self._on_opened)
        service.painted.connect(self._on_painted)

    def open(self, file: PrintedFile | None, sizes: tuple[tuple[float, float], ...] = ()) -> None:
        """Show the pages of another file, at once if `sizes` are known, else when it is open; None clears."""
        if file != self._file:
            self._file, self._sizes = file, sizes
            self._pictures.clear()
            self._pages.set_count(len(sizes))

    def follow(self, page: int) -> None:
        """Select the current page."""
        if 0 < page <= self._pages.count and not self.hasFocus():
            index = self._pages.index(page - 1)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    @property
    def dark(self) -> bool:
        """Return whether the pages are on dark paper."""
        return self._dark

    def picture(self, page: int) -> QImage | None:
        """Return the thumbnail of a page, or None until it is rendered."""
        return self._pictures.get(page)

    def size_of(self, page: int) -> tuple[float, float]:
        """Return the size of a page in points."""
        return self._sizes[page - 1] if page <= len(self._sizes) else (1.0, 1.0)

    def scale_of(self, page: int) -> float:
        """Return the scale of a thumbnail in pixels per point."""
        width, height = self.size_of(page)
        return min(_BOX.width() / max(1.0, width), _BOX.height() / max(1.0, height))

    @Slot()
    def _request_pages(self) -> None:
        if self._file is None or not self.isVisible() or not self._pages.count:
            return
        if self._dark != (dark := pages_are_dark()):
            self._dark = dark
            self._pictures.clear()
        requests = [
            RenderRequest(page, self.scale_of(page) * self.devicePixelRatioF(), Purpose.THUMBNAIL, dark)
            for page in self._seen()
            if page not in self._pictures
        ]
        self._service.request(self._file, Purpose.THUMBNAIL, requests)

    def _seen(self) -> range:
        """Return the visible pages; all cells have one size."""
        cell, shown = cell_size(), self.viewport().rect()
        in_row = max(1, shown.width() // cell.width())
        top = self.verticalScrollBar().value()
        first = top // cell.height() * in_row
        last = ((top + shown.height()) // cell.height() + 1) * in_row
        return range(first + 1, min(self._pages.count, last) + 1)

    @Slot(FileOpened)
    def _on_opened(self, event: FileOpened) -> None:
        if event.file == self._file:
            self._sizes = event.sizes
            self._pages.set_count(len(event.sizes))
            self._pause.start()

    @Slot(PageReady)
    def _on_painted(self, event: PageReady) -> None:
        if (event.file, event.purpose, event.dark) != (self._file, Purpose.THUMBNAIL, self._dark):
            return
        event.image.setDevicePixelRatio(self.devicePixelRatioF())
        self._pictures[event.number] = event.image
        while len(self._pictures) > _KEPT:
            self._pictures.popitem(last=False)
        self.update(self._pages.index(event.number - 1))

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.page_chosen.emit(index.row() + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request the thumbnails that become visible."""
        super().resizeEvent(event)
        self._pause.start()

    def changeEvent(self, event: QEvent) -> None:
        """Request the thumbnails again if pages are dark now, or no longer."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "_pause"):
            self._pause.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Request the visible thumbnails."""
        super().showEvent(event)
        self._pause.start()


class _Delegate(QStyledItemDelegate):
    def __init__(self, view: Thumbnails) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return cell_size()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = current_colors()
        page = index.row() + 1
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        cell = QRect(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        draw_ground(
            painter,
            cell.adjusted(2, 2, -2, -2),
            hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
            selected=chosen,
            focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
        )
        width, height = self._view.size_of(page)
        scale = self._view.scale_of(page)
        shown = QRectF(0, 0, width * scale, height * scale)
        box = QRect(cell.left() + _AROUND, cell.top() + _AROUND, _BOX.width(), _BOX.height())
        shown.moveCenter(QRectF(box).center())
        painter.fillRect(shown, QColor(DARK.surface if self._view.dark else "#ffffff"))
        if (picture := self._view.picture(page)) is not None:
            painter.drawImage(shown, picture)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colors.accent if chosen else colors.border), 1))
        painter.drawRect(shown)
        words = QRect(cell.left(), box.bottom() + 3, cell.width(), line_height(text_font(-1)))
        ink = colors.text if chosen else colors.muted
        draw_text(painter, words, number(page), text_font(-1), ink, align=Qt.AlignmentFlag.AlignCenter)
        painter.restore()


def cell_size() -> QSize:
    """Return the size of a thumbnail with its page number."""
    return QSize(_BOX.width() + 2 * _AROUND, _BOX.height() + _AROUND + 3 + line_height(text_font(-1)) + 6)
