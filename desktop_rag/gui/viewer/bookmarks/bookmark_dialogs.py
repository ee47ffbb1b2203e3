"""The dialogs with all bookmarks of the library, and for the note on a passage."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.gui import formatting
from desktop_rag.gui.theme.theme import GRID, set_role, text_font
from desktop_rag.gui.viewer.side.side_rows import Row, RowDelegate, RowsModel
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.plain_labels import PlainLabel, elided_lines
from desktop_rag.text.display import one_line

# A list of bookmarks with location, text and note.

_LINES = 3


class BookmarkList(PanelList):
    """Enter opens, F2 edits the note, Delete deletes; `titled`: rows name their document too."""

    chosen = Signal(Bookmark)  # show its passage
    note_requested = Signal(Bookmark)  # edit its note
    delete_requested = Signal(Bookmark)

    def __init__(self, parent: QWidget | None = None, *, titled: bool = False) -> None:
        self._rows = RowsModel()
        super().__init__(self._rows, self.tr("Bookmarks and notes"), parent)
        self._rows.setParent(self)
        self._titled = titled
        self._bookmarks: tuple[Bookmark, ...] = ()
        self.setItemDelegate(RowDelegate(_LINES, self))
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        self.set_menu(
            (
                self.add_command(self.tr("Show this passage"), "", self._on_chosen),
                self.add_command(self.tr("Edit the note…"), "F2", self._on_note_requested),
                None,
                self.add_command(self.tr("Delete the bookmark"), "Del", self._on_delete_requested),
            )
        )

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show these bookmarks and keep the current one."""
        before = self.current()
        self._bookmarks = tuple(bookmarks)
        self._rows.set_rows([self._row(bookmark) for bookmark in bookmarks])
        if before is not None:
            self.show_current(before)

    def bookmarks(self) -> tuple[Bookmark, ...]:
        """Return the listed bookmarks."""
        return self._bookmarks

    def current(self) -> Bookmark | None:
        """Return the current bookmark."""
        row = self.currentIndex().row()
        return self._bookmarks[row] if 0 <= row < len(self._bookmarks) else None

    def show_current(self, bookmark: Bookmark) -> None:
        """Make a bookmark, identified by its id, the current one."""
        for number, known in enumerate(self._bookmarks):
            if known.id == bookmark.id:
                index = self._rows.index(number)
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                self.scrollTo(index)

    def _row(self, bookmark: Bookmark) -> Row:
        passage = bookmark.passage
        place = formatting.place(passage.page, passage.first_line, passage.last_line)
        if self._titled:
            place = f"{one_line(passage.title or formatting.file_name(passage.path, ''))} · {place}"
        return Row(one_line(" ".join(passage.quote.split())), place, note=" ".join(bookmark.note.split()))

    @Slot()
    def _on_chosen(self) -> None:
        if (bookmark := self.current()) is not None:
            self.chosen.emit(bookmark)

    @Slot()
    def _on_note_requested(self) -> None:
        if (bookmark := self.current()) is not None:
            self.note_requested.emit(bookmark)

    @Slot()
    def _on_delete_requested(self) -> None:
        if (bookmark := self.current()) is not None:
            self.delete_requested.emit(bookmark)


_NOTE_WIDTH = 460
_QUOTE_LINES = 4


class BookmarksDialog(BoundedDialog):
    """A modeless dialog: passages open in the window beside it."""

    export_requested = Signal(tuple)  # export these Bookmarks

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Bookmarks and notes"))
        self.resize(520, 620)
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._filter = FilterField(self.tr("Find a bookmark or note"), self)
        self.list = BookmarkList(self, titled=True)
        set_role(self.list, "box")
        self._nothing = PlainLabel("", "muted", self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._nothing)
        self._export = QPushButton(self.tr("Export as Markdown…"), self)
        buttons = QHBoxLayout()
        buttons.addWidget(self._export)
        buttons.addStretch(1)
        close = close_button(self, self.tr("Close"))
        for button in (self._export, close):
            button.setAutoDefault(False)  # Enter opens the current bookmark
        close.setDefault(False)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._filter)
        layout.addWidget(self._stack, 1)
        layout.addSpacing(GRID)
        layout.addLayout(buttons)
        self._filter.textChanged.connect(self._fill)
        self._export.clicked.connect(self._on_export_clicked)
        self.show_bookmarks(())

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show the current bookmarks."""
        self._bookmarks = tuple(bookmarks)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        words = self._filter.text().casefold().split()
        shown = [bookmark for bookmark in self._bookmarks if _holds(bookmark, words)]
        self.list.show_bookmarks(shown)
        self._stack.setCurrentIndex(0 if shown else 1)
        self._export.setEnabled(bool(shown))
        none = self.tr("Nothing is bookmarked yet.\nOpen a document and press Ctrl+M at a passage.")
        self._nothing.setText(self.tr("No bookmark contains these words.") if self._bookmarks else none)

    @Slot()
    def _on_export_clicked(self) -> None:
        self.export_requested.emit(self.list.bookmarks())


def _holds(bookmark: Bookmark, words: Sequence[str]) -> bool:
    passage = bookmark.passage
    text = "\n".join((passage.title, passage.path, passage.quote, bookmark.note)).casefold()
    return all(word in text for word in words)


class NoteDialog(BoundedDialog):
    """Shows the passage and edits its note; Ctrl+Enter saves."""

    written = Signal(str)  # the note to save

    def __init__(self, quote: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Note"))
        self.setFixedWidth(_NOTE_WIDTH)
        room = _NOTE_WIDTH - 6 * GRID
        words = elided_lines(one_line(" ".join(quote.split())), QFontMetrics(text_font()), room, _QUOTE_LINES)
        self._field = QPlainTextEdit(note, self)
        self._field.setPlaceholderText(self.tr("What do you want to remember?"))
        self._field.setAccessibleName(self.tr("Note"))
        self._field.setTabChangesFocus(True)
        self._field.setMinimumHeight(15 * GRID)
        set_role(self._field, "field")
        cancel = QPushButton(self.tr("Cancel"), self)
        save = QPushButton(self.tr("Save"), self)
        save.setDefault(True)
        set_role(save, "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(PlainLabel("\n".join(words), "muted", self))
        layout.addWidget(self._field, 1)
        layout.addSpacing(GRID)
        layout.addLayout(buttons)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self.accept)
        self.accepted.connect(self._on_accepted)
        self._field.setFocus()

    @Slot()
    def _on_accepted(self) -> None:
        self.written.emit(self._field.toPlainText().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Ctrl+Enter; Enter alone starts a new line."""
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if ctrl and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)
