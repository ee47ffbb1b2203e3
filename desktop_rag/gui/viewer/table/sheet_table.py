"""The table widget of a sheet: painting of coloured cells, keys, wheel and mouse."""

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
        """Draw the colour of what is cited or found, which a style sheet would leave out."""
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(shade, QColor):
            painter.fillRect(option.rect, shade)
        super().paint(painter, option, index)


class SheetTable(QTableView):
    """Scrolls, chooses and copies; what the cells hold is the business of the model."""

    scrolled = Signal()  # other rows are seen
    moved_by_hand = Signal()  # the person has scrolled
    copy_wanted = Signal()  # Ctrl+C
    all_wanted = Signal()  # Ctrl+A
    zoom_requested = Signal(int)  # Ctrl and the wheel: one step larger (1) or smaller (-1)
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
        """Choose a cell; the buttons for back and forth are for whoever knows the way."""
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
        """Copy the cells; every other key moves among them."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.all_wanted.emit()
            return
        self.moved_by_hand.emit()
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to whoever knows what can be done here."""
        self.menu_requested.emit(event)
