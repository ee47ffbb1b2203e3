"""The table widget of a sheet: cell painting, keyboard, wheel and mouse."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_rag.gui.viewer.table.sheet_model import Index, SheetModel


class _CellPainting(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell's background colour, which a style sheet would suppress."""
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(shade, QColor):
            painter.fillRect(option.rect, shade)
        super().paint(painter, option, index)


class SheetTable(QTableView):
    """A table view that reports scrolling, copying and zooming as signals."""

    scrolled = Signal()  # the visible rows have changed
    moved_by_hand = Signal()  # the user has scrolled
    copy_requested = Signal()  # Ctrl+C
    select_all_requested = Signal()  # Ctrl+A
    zoom_requested = Signal(int)  # Ctrl and the wheel: in (1) or out (-1)
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key

    def __init__(self, model: SheetModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_CellPainting(self))
        self.setAccessibleName(self.tr("Table"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setAcceptDrops(False)
        self.horizontalHeader().setSectionsClickable(False)  # a column may have millions of cells
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            header.setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)
        self.verticalScrollBar().actionTriggered.connect(self.moved_by_hand)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a cell; the back and forward buttons are ignored, the panel handles them."""
        if event.button() in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            event.ignore()
        else:
            super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_requested.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        self.moved_by_hand.emit()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy or select all cells; other keys move the current cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all_requested.emit()
            return
        self.moved_by_hand.emit()
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward the request: the tab knows the actions."""
        self.menu_requested.emit(event)
