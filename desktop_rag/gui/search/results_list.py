"""The list of hits: the current row is shown in the document pane, Enter opens it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCursor, QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop_rag.gui.search.result_rows import DocumentRow, FileRow, FoldRow, FoundRow, HitRow, MoreRow, Row
from desktop_rag.gui.search.results_delegate import ResultsDelegate
from desktop_rag.gui.search.results_model import ResultsModel, quotation
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.retrieval.api import Hit, NamedFile
from desktop_rag.text.desktop_links import link_to

_HELD = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
_PREVIEW_MS = 140  # debounce in milliseconds: rows passed faster are not opened


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A row that keeps its position on the screen while the list around it changes."""

    row: Row
    top: int


class ResultsList(PanelList):
    """Hits grouped by document."""

    looked_at = Signal(object)  # the current Hit: show it in the document pane
    opened = Signal(object)  # the Hit to open
    file_opened = Signal(Path)  # a file to open with its own program
    folder_opened = Signal(Path)  # a file to show in the file manager
    related_requested = Signal(object)  # the Hit whose related passages to show
    why_requested = Signal(object)  # the Hit to explain
    more_requested = Signal()  # load more hits
    rest_requested = Signal(object)  # find all passages of the document with this ContentId
    left_upwards = Signal()  # the cursor left the list at its top
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        self._results = ResultsModel()
        super().__init__(self._results, self.tr("Found passages"), parent)
        self._results.setParent(self)
        self._results.rest_requested.connect(self.rest_requested)
        self.setItemDelegate(ResultsDelegate(self))
        self.setTabKeyNavigation(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(False)
        self._preview = QTimer(self, interval=_PREVIEW_MS, singleShot=True)
        self._preview.timeout.connect(self._on_preview)
        self._pressing = False  # inside a press or a drag of the mouse: only its click shows anything
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_opened)
        self._add_commands()

    def _add_commands(self) -> None:
        open_ = self.add_command(self.tr("Open"), "Return", self._on_open)
        related = self.add_command(self.tr("Related passages"), "Ctrl+R", self._on_related)
        why = self.add_command(self.tr("Why is this found?"), "Ctrl+I", self._on_why)
        unfold = self.add_command(self.tr("Show all passages of the document"), "Right", self.unfold)
        fold = self.add_command(self.tr("Show its best passages only"), "Left", self.fold)
        copy = self.add_command(self.tr("Copy quote with reference"), "Ctrl+C", self.copy_reference)
        copy_path = self.add_command(self.tr("Copy path"), "Shift+Alt+C", self.copy_path)
        copy_link = self.add_command(self.tr("Copy link"), "Ctrl+U", self.copy_link)
        outside = self.add_command(self.tr("Open in default application"), "Alt+Return", self._on_open_outside)
        folder = self.add_command(self.tr("Show in folder"), "Ctrl+Shift+Return", self._on_show_in_folder)
        self.set_menu(
            (open_, related, why, None, unfold, fold, None, outside, folder, None, copy, copy_link, copy_path)
        )

    @property
    def results(self) -> ResultsModel:
        """Return the rows."""
        return self._results

    def show_hits(
        self,
        hits: Sequence[Hit],
        similar: Sequence[Hit] = (),
        named: Sequence[NamedFile] = (),
        *,
        more: bool = False,
        stay: bool = False,
        per_document: int = 0,
    ) -> None:
        """Show hits, similar ones and files; with `stay` the current row stays current and keeps its position."""
        current, anchor, waits = self._current_row(), self._anchor() if stay else None, self._preview.isActive()
        self._results.show_hits(hits, similar, named, more=more, stay=stay, per_document=per_document)
        if not stay:
            self.scrollToTop()
            return
        place = self._place_of(current) if current is not None else -1
        if isinstance(current, MoreRow) and anchor is not None:
            place = self._results.place_of(anchor.row) + 1  # the "show more" row
            place += isinstance(self._results.row(self._results.index(place)), FoldRow)
        if place >= 0:
            self.setAutoScroll(False)
            self.setCurrentIndex(self._results.index(place))
            self.setAutoScroll(True)
            self._preview.start() if waits else self._preview.stop()  # else it is already shown
        if anchor is not None and (place := self._results.place_of(anchor.row)) >= 0:
            self.doItemsLayout()
            moved = self.visualRect(self._results.index(place)).top() - anchor.top
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved)

    def _place_of(self, row: Row) -> int:
        """Return the new row of `row`, unfolding the document of a passage that is no longer among its best."""
        return self._results.reveal(row.hit) if isinstance(row, HitRow) else self._results.place_of(row)

    def current(self) -> FoundRow | None:
        """Return the current document or passage."""
        row = self._current_row()
        return row if isinstance(row, DocumentRow | HitRow) else None

    def _current_row(self) -> Row | None:
        return self._results.row(self.currentIndex())

    def _anchor(self) -> _Anchor | None:
        """Return the row under the pointer, else the current row if visible, else the topmost one.

        After "show more" it is the last row, below which the list continues.
        """
        seen = self.viewport().rect()
        pointer = self.viewport().mapFromGlobal(QCursor.pos())
        index = self.indexAt(pointer) if seen.contains(pointer) else QModelIndex()
        if isinstance(self._current_row(), MoreRow):
            index = self._results.index(self.currentIndex().row() - 1)
        if not index.isValid() and seen.intersects(self.visualRect(self.currentIndex())):
            index = self.currentIndex()
        if not index.isValid():
            index = self.indexAt(QPoint(seen.width() // 2, 2))
        row = self._results.row(index)
        return _Anchor(row, self.visualRect(index).top()) if row is not None else None

    def take_focus(self) -> None:
        """Take the focus, on the first passage if none is current."""
        if not self.currentIndex().isValid() and self._results.rowCount():
            self.setCurrentIndex(self._results.index(min(1, self._results.rowCount() - 1)))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._preview.start()

    def choose(self, hit: Hit) -> None:
        """Make a passage current if it is in the list."""
        if (place := self._results.reveal(hit)) >= 0:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentIndex(self._results.index(place))

    def step(self, by: int) -> None:
        """Move to the next (1) or previous (-1) passage that is shown, skipping document rows."""
        rows = self._results.rows
        place = self.currentIndex().row() + by if self.currentIndex().isValid() else (0 if by > 0 else len(rows) - 1)
        while 0 <= place < len(rows) and not isinstance(rows[place], HitRow):
            place += by
        if 0 <= place < len(rows):
            self.setCurrentIndex(self._results.index(place))
            self.scrollTo(self.currentIndex())
            self._preview.start()

    @Slot()
    def unfold(self) -> None:
        """Show all passages of the current document."""
        self._set_open(open_=True)

    @Slot()
    def fold(self) -> None:
        """Show only the best passages of the current document."""
        self._set_open(open_=False)

    def _set_open(self, *, open_: bool) -> None:
        """Show or hide further passages; the cursor goes to the first of them, or to the row that shows them again."""
        row = self._current_row()
        if isinstance(row, DocumentRow | HitRow | FoldRow):
            content = row.content if isinstance(row, FoldRow) else row.hit.content
            place = self._results.set_open(content, open_=open_)
            if place >= 0 and (isinstance(row, FoldRow) or self._current_row() is not row):
                self.setCurrentIndex(self._results.index(place))
                self.scrollTo(self.currentIndex())

    @Slot()
    def copy_reference(self) -> None:
        """Copy the current passage with its source to the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(quotation(row.hit))

    @Slot()
    def copy_link(self) -> None:
        """Copy a link to the current passage to the clipboard."""
        if (row := self.current()) is not None:
            hit, span = row.hit, row.hit.snippet.span
            QGuiApplication.clipboard().setText(link_to(str(hit.path), span.first_line, span.last_line, hit.sha256))

    @Slot()
    def copy_path(self) -> None:
        """Copy the path of the current document to the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(str(row.hit.path))

    def _current_path(self) -> Path | None:
        row = self._current_row()
        if isinstance(row, FileRow):
            return row.file.path
        return row.hit.path if isinstance(row, DocumentRow | HitRow) else None

    @Slot()
    def _on_open_outside(self) -> None:
        if path := self._current_path():
            self.file_opened.emit(path)

    @Slot()
    def _on_show_in_folder(self) -> None:
        if path := self._current_path():
            self.folder_opened.emit(path)

    @Slot()
    def _on_related(self) -> None:
        if (row := self.current()) is not None:
            self.related_requested.emit(row.hit)

    @Slot()
    def _on_why(self) -> None:
        if (row := self.current()) is not None:
            self.why_requested.emit(row.hit)

    @Slot(QModelIndex)
    def _on_current_changed(self, index: QModelIndex) -> None:
        if index.isValid() and self.hasFocus() and not self._pressing:
            self._preview.start()

    @Slot()
    def _on_preview(self) -> None:
        if (row := self.current()) is not None:
            self.looked_at.emit(row.hit)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._preview.stop()
        row = self._results.row(index)
        if isinstance(row, MoreRow):
            self.more_requested.emit()
        elif isinstance(row, FoldRow):
            self._set_open(open_=not row.open)
        else:
            self._on_preview()

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        if not isinstance(self._results.row(index), MoreRow | FoldRow):  # the click has already shown more
            self._on_open()

    @Slot()
    def _on_open(self) -> None:
        row = self._current_row()
        if isinstance(row, MoreRow):
            self.more_requested.emit()
        elif isinstance(row, FoldRow):
            self._set_open(open_=not row.open)
        elif isinstance(row, FileRow):
            self.file_opened.emit(row.file.path)
        elif (found := self.current()) is not None:
            self._preview.stop()
            self.opened.emit(found.hit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open, leave, or move."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _HELD:
            self._on_open()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_reference()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Make the pressed row current without showing it: a menu or a drag may follow."""
        self._pressing = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove)
        if event.type() == QEvent.Type.MouseButtonPress:
            self._preview.stop()
        handled = super().viewportEvent(event)
        self._pressing = False
        return handled

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel the pending preview when the list is hidden, as when the window closes."""
        self._preview.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Recompute the row heights for the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
