"""The bookmarks of a library in the viewer: made at a passage, marked in the documents, listed, and gone to."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage
from desktop_rag.gui.viewer.bookmarks.bookmarks_dialog import BookmarksDialog
from desktop_rag.gui.viewer.bookmarks.note_dialog import NoteDialog
from desktop_rag.gui.viewer.side.side_panel import SidePage
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab


class Bookmarking(QObject):
    """Reports what the person wants; whoever keeps the bookmarks answers with `show_bookmarks`."""

    chosen = Signal(object)  # show the passage of this Bookmark
    added = Signal(object, str)  # keep this Passage with this note, which may be empty
    note_changed = Signal(object, str)  # the Bookmark has this note now
    deleted = Signal(object)  # this Bookmark can go
    export_requested = Signal(object, object)  # write these bookmarks, a tuple, to this Path

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._dialog: BookmarksDialog | None = None

    def show_bookmarks(self, bookmarks: Sequence[Bookmark], tabs: Sequence[DocumentTab]) -> None:
        """Take the bookmarks as they are now."""
        self._bookmarks = tuple(bookmarks)
        for tab in tabs:
            self.fit(tab)
        if self._dialog is not None:
            self._dialog.show_bookmarks(self._bookmarks)

    def adopt(self, tab: DocumentTab) -> None:
        """Listen to a new tab."""
        tab.side.bookmark_chosen.connect(self.chosen)
        tab.side.note_wanted.connect(self.edit)
        tab.side.delete_wanted.connect(self.deleted)
        tab.bookmark_wanted.connect(self._on_bookmark_wanted)

    def fit(self, tab: DocumentTab) -> None:
        """Show a tab the bookmarks of its document."""
        tab.show_bookmarks([bookmark for bookmark in self._bookmarks if tab.holds(bookmark.passage)])

    def bookmark(self, tab: DocumentTab, *, with_note: bool) -> None:
        """Keep the passage that is selected, cited or read, perhaps with a note to be written now."""
        tab.picker.pick_passage(self._annotate if with_note else partial(self._keep, tab))

    def open_list(self) -> None:
        """List all bookmarks of the library."""
        if self._dialog is None:
            self._dialog = dialog = BookmarksDialog(self._window)
            dialog.list.chosen.connect(self.chosen)
            dialog.list.note_wanted.connect(self.edit)
            dialog.list.delete_wanted.connect(self.deleted)
            dialog.export_wanted.connect(self._on_export_wanted)
            dialog.destroyed.connect(self._on_dialog_gone)
            dialog.show_bookmarks(self._bookmarks)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    @Slot(object)
    def edit(self, bookmark: Bookmark) -> None:
        """Let the person change a note."""
        dialog = NoteDialog(bookmark.passage.quote, bookmark.note, self._window)
        dialog.written.connect(partial(self.note_changed.emit, bookmark))
        dialog.open()

    def _keep(self, tab: DocumentTab, passage: BookmarkedPassage) -> None:
        self.added.emit(passage, "")
        if tab.side.is_shown():
            tab.side.show_page(SidePage.NOTES)

    def _annotate(self, passage: BookmarkedPassage) -> None:
        known = next((each for each in self._bookmarks if each.passage == passage), None)
        dialog = NoteDialog(passage.quote, known.note if known else "", self._window)
        dialog.written.connect(partial(self.added.emit, passage))
        dialog.open()

    @Slot(bool)
    def _on_bookmark_wanted(self, with_note: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        tab = self.sender()
        if isinstance(tab, DocumentTab):
            self.bookmark(tab, with_note=with_note)

    @Slot(object)
    def _on_export_wanted(self, bookmarks: tuple[Bookmark, ...]) -> None:
        dialog = QFileDialog(self._dialog or self._window, self.tr("Export bookmarks and notes"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.setNameFilter(self.tr("Markdown (*.md)"))
        dialog.selectFile(self.tr("Bookmarks and notes") + ".md")
        dialog.fileSelected.connect(lambda name: self.export_requested.emit(bookmarks, Path(name)))
        dialog.open()

    @Slot()
    def _on_dialog_gone(self) -> None:
        self._dialog = None
