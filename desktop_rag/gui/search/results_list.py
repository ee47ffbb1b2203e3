"""The list of what was found: looking at a row shows it in the document, Enter goes there."""

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop_rag.gui.panel_list import PanelList
from desktop_rag.gui.search.results_delegate import ResultsDelegate
from desktop_rag.gui.search.results_model import DocumentRow, ResultsModel, Row, quotation

_PREVIEW_MS = 140  # a row passed by faster is not opened


class ResultsList(PanelList):
    """Hits grouped by document."""

    looked_at = Signal(object)  # the Hit under the cursor: show it beside
    opened = Signal(object)  # the Hit to go to
    left_upwards = Signal()  # the cursor left the list at its top
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        self._results = ResultsModel()
        super().__init__(self._results, self.tr("Found passages"), parent)
        self._results.setParent(self)
        self.setItemDelegate(ResultsDelegate(self))
        self.setTabKeyNavigation(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(False)
        self._preview = QTimer(self, interval=_PREVIEW_MS, singleShot=True)
        self._preview.timeout.connect(self._on_preview)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_opened)
        self._open = self.add_command(self.tr("Open"), "Return", self._on_open)
        self._copy = self.add_command(self.tr("Copy quote with reference"), "", self.copy_reference)
        self._copy_path = self.add_command(self.tr("Copy path"), "Ctrl+Shift+C", self.copy_path)
        self.set_menu((self._open, None, self._copy, self._copy_path))

    @property
    def results(self) -> ResultsModel:
        """Return the rows."""
        return self._results

    def current(self) -> Row | None:
        """Return the row under the cursor."""
        return self._results.row(self.currentIndex())

    def begin(self) -> None:
        """Take the keyboard, at the first passage if none was chosen."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.currentIndex().isValid() and self._results.rowCount():
            self.setCurrentIndex(self._results.index(min(1, self._results.rowCount() - 1)))

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) passage, over the names of documents."""
        rows = self._results.rows
        place = self.currentIndex().row() + by if self.currentIndex().isValid() else (0 if by > 0 else len(rows) - 1)
        while 0 <= place < len(rows) and isinstance(rows[place], DocumentRow):
            place += by
        if 0 <= place < len(rows):
            self.setCurrentIndex(self._results.index(place))
            self.scrollTo(self.currentIndex())

    @Slot()
    def copy_reference(self) -> None:
        """Put the passage under the cursor and its source on the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(quotation(row.hit))

    @Slot()
    def copy_path(self) -> None:
        """Put the path of the document under the cursor on the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(str(row.hit.path))

    @Slot(QModelIndex)
    def _on_current_changed(self, index: QModelIndex) -> None:
        if index.isValid() and self.hasFocus():
            self._preview.start()

    @Slot()
    def _on_preview(self) -> None:
        if (row := self.current()) is not None:
            self.looked_at.emit(row.hit)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._preview.stop()
        self._on_preview()

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        self._on_open()

    @Slot()
    def _on_open(self) -> None:
        if (row := self.current()) is not None:
            self._preview.stop()
            self.opened.emit(row.hit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open, copy, leave, or move."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_open()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_reference()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each row its height at the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
