"""A list of bookmarks with location, text and note."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.gui import formatting
from desktop_rag.gui.viewer.side.side_rows import Row, RowDelegate, RowsModel
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.text.display import one_line

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
