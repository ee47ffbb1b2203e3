"""Bookmarks in the viewer: adding them, marking them in documents, and listing them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage
from desktop_rag.gui.viewer.bookmarks.bookmark_dialogs import BookmarksDialog, NoteDialog
from desktop_rag.gui.viewer.document_requests import DocumentRequests
from desktop_rag.gui.viewer.side.side_panel import SidePage
from desktop_rag.gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab


class Bookmarking(QObject):
    """Emits the user's changes; the controller answers with `show_bookmarks`."""

    added = Signal(BookmarkedPassage, str)  # a passage and its note, which may be empty
    note_changed = Signal(Bookmark, str)
    export_requested = Signal(tuple, Path)  # write these Bookmarks to a file

    def __init__(self, requests: DocumentRequests, window: QWidget) -> None:
        super().__init__(window)
        self._requests = requests
        self._window = window
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._dialog: BookmarksDialog | None = None
        requests.note_requested.connect(self.edit)

    def show_bookmarks(self, bookmarks: Sequence[Bookmark], tabs: "Sequence[DocumentTab]") -> None:
        """Show the current bookmarks in all tabs and in the dialog."""
        self._bookmarks = tuple(bookmarks)
        for tab in tabs:
            self.update_tab(tab)
        if self._dialog is not None:
            self._dialog.show_bookmarks(self._bookmarks)

    def connect_tab(self, tab: "DocumentTab") -> None:
        """Connect a new tab."""
        tab.bookmark_requested.connect(self._on_bookmark_requested)

    def update_tab(self, tab: "DocumentTab") -> None:
        """Show the bookmarks of its document in a tab."""
        tab.show_bookmarks([bookmark for bookmark in self._bookmarks if tab.holds(bookmark.passage)])

    def bookmark(self, tab: "DocumentTab", *, with_note: bool) -> None:
        """Bookmark the selected, cited or visible passage; `with_note`: ask for a note first."""
        tab.picker.pick_passage(self._annotate if with_note else partial(self._keep, tab))

    def open_list(self) -> None:
        """Show the dialog with all bookmarks of the library."""
        if self._dialog is None:
            self._dialog = dialog = BookmarksDialog(self._window)
            dialog.list.chosen.connect(self._requests.bookmark_chosen)
            dialog.list.note_requested.connect(self._requests.note_requested)
            dialog.list.delete_requested.connect(self._requests.delete_requested)
            dialog.export_requested.connect(self._on_export_requested)
            dialog.destroyed.connect(self._on_dialog_gone)
            dialog.show_bookmarks(self._bookmarks)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    @Slot(Bookmark)
    def edit(self, bookmark: Bookmark) -> None:
        """Open the dialog to edit a note."""
        dialog = NoteDialog(bookmark.passage.quote, bookmark.note, self._window)
        dialog.written.connect(partial(self.note_changed.emit, bookmark))
        dialog.open()

    def _keep(self, tab: "DocumentTab", passage: BookmarkedPassage) -> None:
        self.added.emit(passage, "")
        if tab.side.is_shown():
            tab.side.show_page(SidePage.NOTES)

    def _annotate(self, passage: BookmarkedPassage) -> None:
        known = next((each for each in self._bookmarks if each.passage == passage), None)
        dialog = NoteDialog(passage.quote, known.note if known else "", self._window)
        dialog.written.connect(partial(self.added.emit, passage))
        dialog.open()

    @Slot(bool)
    def _on_bookmark_requested(self, with_note: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.bookmark(cast("DocumentTab", self.sender()), with_note=with_note)

    @Slot(tuple)
    def _on_export_requested(self, bookmarks: tuple[Bookmark, ...]) -> None:
        dialog = FileDialog(self._dialog or self._window, self.tr("Export bookmarks and notes"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.setNameFilter(self.tr("Markdown (*.md)"))
        dialog.selectFile(self.tr("Bookmarks and notes") + ".md")
        dialog.fileSelected.connect(lambda name: self.export_requested.emit(bookmarks, Path(name)))
        dialog.open()

    @Slot()
    def _on_dialog_gone(self) -> None:
        self._dialog = None
