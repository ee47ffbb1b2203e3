"""The dialog with all bookmarks and notes of the library: filter, open, edit, delete, export."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer.bookmarks.bookmark_list import BookmarkList
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.gui.widgets.plain_labels import PlainLabel


class BookmarksDialog(QDialog):
    """A modeless dialog: passages open in the window beside it."""

    export_requested = Signal(object)  # export this tuple of Bookmarks

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
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
