"""The dialogs with all bookmarks of the library, and for the note on a passage."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QStackedWidget, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage, BookmarkStore, as_markdown
from desktop_rag.errors import BookmarkError, DesktopRagError
from desktop_rag.gui import formatting
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.os_services import write_file
from desktop_rag.gui.theme.theme import GRID, set_role, text_font
from desktop_rag.gui.viewer.side.side_panel import RowDelegate, RowsModel, SideRow
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, in_column, in_row
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

    def _row(self, bookmark: Bookmark) -> SideRow:
        passage = bookmark.passage
        place = formatting.place(passage.page, passage.first_line, passage.last_line)
        if self._titled:
            place = f"{one_line(passage.title or formatting.file_name(passage.path, ''))} · {place}"
        return SideRow(one_line(" ".join(passage.quote.split())), place, note=" ".join(bookmark.note.split()))

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
        buttons = in_row(self._export, STRETCH, spacing=None)
        close = close_button(self, self.tr("Close"))
        for button in (self._export, close):
            button.setAutoDefault(False)  # Enter opens the current bookmark
        close.setDefault(False)
        buttons.addWidget(close)
        in_column(self._filter, (self._stack, 1), GRID, buttons, on=self, margins=2 * GRID)
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
        in_column(
            PlainLabel("\n".join(words), "muted", self),
            (self._field, 1),
            GRID,
            in_row(STRETCH, cancel, save),
            on=self,
            margins=DIALOG,
        )
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


# Reads and writes the bookmarks of one library in the background.


class BookmarkControl(QObject):
    """Opens the bookmark file on first use, and never creates it if the library is missing."""

    changed = Signal(tuple)  # all Bookmarks, after every change
    notified = Signal(str)  # a sentence for the status
    saved = Signal(str, Path)  # that a file was written, as a sentence, and the file
    removed = Signal(Bookmark)  # `restore` undoes it
    trouble = Signal(str, str)  # a title and a sentence

    def __init__(self, path: Path, is_available: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._is_available = is_available
        self._opened: BookmarkStore | None = None
        self._commands = CommandQueue("bookmarks", self)
        self._commands.failed.connect(self._on_failed)

    def load(self) -> None:
        """Emit the current bookmarks; no file is created for a library without any."""
        self._commands.run(lambda _: self._all(), self.changed.emit)

    @Slot(BookmarkedPassage, str)
    def add(self, passage: BookmarkedPassage, note: str) -> None:
        """Add a bookmark."""
        message = self.tr("Bookmarked with your note") if note else self.tr("Bookmarked")
        self._change(lambda store: store.add(passage, note), message)

    @Slot(Bookmark, str)
    def write_note(self, bookmark: Bookmark, note: str) -> None:
        """Change the note of a bookmark."""
        self._change(lambda store: store.write_note(bookmark.id, note))

    @Slot(Bookmark)
    def delete(self, bookmark: Bookmark) -> None:
        """Delete a bookmark; `restore` undoes it."""
        self._change(lambda store: store.delete(bookmark.id))
        self.removed.emit(bookmark)

    def restore(self, bookmark: Bookmark) -> None:
        """Restore a deleted bookmark."""
        self._change(lambda store: store.restore(bookmark))

    @Slot(tuple, Path)
    def export(self, bookmarks: tuple[Bookmark, ...], path: Path) -> None:
        """Write bookmarks to a Markdown file."""

        def write(_: object) -> None:
            write_file(path, as_markdown(bookmarks).encode())

        message = self.tr("Bookmarks and notes saved to {0}").format(one_line(path.name))
        self._commands.run(write, lambda _: self.saved.emit(message, path))

    def close(self) -> None:
        """Finish the queued commands and close the file."""
        self._commands.run(lambda _: self._close())
        self._commands.close()

    def _change(self, change: Callable[[BookmarkStore], object], message: str = "") -> None:
        def work(_: object) -> tuple[Bookmark, ...]:
            change(self._store())
            return self._all()

        def then(bookmarks: tuple[Bookmark, ...]) -> None:
            self.changed.emit(bookmarks)
            if message:
                self.notified.emit(message)

        self._commands.run(work, then)

    def _all(self) -> tuple[Bookmark, ...]:
        if self._opened is None and not self._path.exists():
            return ()
        return self._store().all()

    def _store(self) -> BookmarkStore:
        if self._opened is None:
            if not self._is_available():
                raise BookmarkError("They are stored with the library, which is not available. Connect its disk.")
            self._opened = BookmarkStore(self._path)
            if self._opened.notice:
                self.trouble.emit(BookmarkError.title, self._opened.notice)
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))
