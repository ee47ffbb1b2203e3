"""What the search page shows before anything is searched: earlier searches and documents."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from desktop_rag.documents.file_types import format_of
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.search.saved_searches import RecentSearch, SavedSearches
from desktop_rag.gui.theme.file_icons import icon_of
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.recent_documents import RecentDocument
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.widgets.start_rows import StartButton, StartRow, StartRows
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.records import FolderState
from desktop_rag.text.display import one_line

_SEARCHES, _DOCUMENTS = 6, 6
_WIDEST = 640  # pixels


def document_rows(documents: Sequence[RecentDocument], opened: SignalInstance) -> list[StartRow]:
    """Return documents as rows, each with its folder, that `opened` reports."""
    return [
        StartRow(
            icon_of(format_of(PurePath(each.path).name) or ""),
            each.name,
            partial(opened.emit, each),
            PurePath(each.path).parent.name,
            each.path,
        )
        for each in documents
    ]


class SearchStart(QScrollArea):
    """Saved and recent searches, documents opened last, and the way to the operators."""

    search_chosen = Signal(object)  # a RecentSearch to run again
    document_chosen = Signal(object)  # a RecentDocument to open
    help_requested = Signal()
    folder_requested = Signal()  # choose a folder to add: there is nothing to search yet
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Recent searches and documents"))
        self._add = StartButton(
            StartRow("folder-add", self.tr("Add a folder to search in it"), self.folder_requested.emit)
        )
        self._add.hide()
        self._saved = StartRows(self.tr("Saved searches"))
        self._recent = StartRows(self.tr("Recent searches"))
        self._documents = StartRows(self.tr("Recent documents"))
        self._newest = StartRows(self.tr("Newest documents"))
        help_text = self.tr("Be exact: phrases, AND, OR, NOT, names, dates …")
        operators = StartButton(StartRow("info", help_text, self.help_requested.emit))
        column = QVBoxLayout()
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(PlainLabel(self.tr("Type words or a question. Results appear as you type."), "muted"))
        column.addWidget(self._add)
        for rows in self._rows():
            column.addWidget(rows)
        column.addWidget(operators)
        column.addStretch(1)
        inside = QWidget(self)
        inside.setLayout(column)
        inside.setMaximumWidth(_WIDEST)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)

    @Slot(LibraryStatus)
    def show_status(self, status: LibraryStatus) -> None:
        """Offer to add a folder to an empty library."""
        has_folder = any(folder.state is not FolderState.REMOVED for folder in status.folders)
        self._add.setVisible(not (has_folder or status is UNKNOWN or status.missing or status.not_added))

    def show_kept(self, searches: SavedSearches) -> None:
        """Show the saved and the recent searches."""
        saved = ((one.name, one.search) for one in searches.saved)
        self._saved.show_rows([self._row("bookmark", name, search) for name, search in saved][:_SEARCHES])
        recent = [self._row("clock", search.query, search) for search in searches.recent[:_SEARCHES]]
        self._recent.show_rows(recent)

    def show_documents(self, opened: Sequence[RecentDocument], newest: Sequence[RecentDocument]) -> None:
        """Show the documents that were opened last and the newest ones of the library."""
        self._documents.show_rows(document_rows(opened[:_DOCUMENTS], self.document_chosen))
        known = {document.path for document in opened[:_DOCUMENTS]}
        others = [document for document in newest if document.path not in known]
        self._newest.show_rows(document_rows(others, self.document_chosen))

    def take_focus(self) -> None:
        """Take the focus, on the first row."""
        first = next((each for rows in self._rows() for each in rows.buttons), self)
        first = first if self._add.isHidden() else self._add
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _rows(self) -> tuple[StartRows, ...]:
        return self._saved, self._recent, self._documents, self._newest

    def _row(self, icon: str, name: str, search: RecentSearch) -> StartRow:
        filters = ", ".join(map(filter_label, search.filters))
        return StartRow(icon, one_line(name), partial(self.search_chosen.emit, search), filters)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)
