"""The cited sources under an answer: an item view, so that screen readers can read what the numbers refer to."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QListView, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop_rag.agent.citations.wording import grade_source
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.sources.computed_sums import ComputedSums
from desktop_rag.gui.conversation.sources.source_delegate import CITATION_ROLE, GRADE_ROLE, NOTE_ROLE, SourceDelegate
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, note_of
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.widgets.snippet_text import shown_quote
from desktop_rag.text.display import one_line

_FIRST = 5  # sources shown at first

Index = QModelIndex | QPersistentModelIndex


class SourcesModel(QAbstractListModel):
    """Citations as rows; the accessible text of a row says everything that the row paints."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Citation, ...] = ()
        self._claims: tuple[Claim, ...] = ()
        self._shown = 0
        self._notes: SourceNotes = {}

    def set_notes(self, notes: SourceNotes) -> None:
        """Set the notes on changed files."""
        self._notes = notes
        if self._shown:
            self.dataChanged.emit(self.index(0), self.index(self._shown - 1))

    def set_citations(self, citations: Sequence[Citation], shown: int, claims: Sequence[Claim] = ()) -> None:
        """Replace the rows; only the first `shown` citations are listed until `show_all`."""
        self.beginResetModel()
        self._claims = tuple(claims)
        self._all = tuple(citations)
        self._shown = min(shown, len(self._all))
        self.endResetModel()

    def show_all(self) -> None:
        """List all citations."""
        if self._shown < len(self._all):
            self.beginInsertRows(QModelIndex(), self._shown, len(self._all) - 1)
            self._shown = len(self._all)
            self.endInsertRows()

    def citation(self, index: Index) -> Citation:
        """Return the citation of a row."""
        return self._all[index.row()]

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of listed citations."""
        return 0 if parent is not None and parent.isValid() else self._shown

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text, the tooltip, the note or the Citation of a row."""
        if not index.isValid() or index.row() >= self._shown:
            return None
        citation = self._all[index.row()]
        name = one_line(formatting.file_name(citation.path, citation.title))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        note = one_line(note_of(citation, self._notes))
        checked = formatting.checked(citation, self._claims)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{citation.number}. {name}, {place}"
            case Qt.ItemDataRole.AccessibleTextRole:
                quote = shown_quote(citation.quote, citation.format)
                since = f" ({note})" if note else ""
                return f"{citation.number}. {name}, {place}{since}. {checked} “{quote}”"
            case Qt.ItemDataRole.ToolTipRole:
                parts = (citation.path, note, place, f"“{shown_quote(citation.quote, citation.format)}”", checked)
                return tool_tip("\n".join(filter(None, parts)))
            case _:
                grade = grade_source(citation, self._claims)
                return {CITATION_ROLE: citation, NOTE_ROLE: note, GRADE_ROLE: grade}.get(role)


class SourcesView(QListView):
    """The list, as high as its rows."""

    def __init__(self, model: SourcesModel, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._sources = model
        set_role(self, "bare")
        self.setModel(model)
        self.setItemDelegate(SourceDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setSpacing(0)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Sources of this answer"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.clicked.connect(self._on_clicked)
        model.modelReset.connect(self.fit_height)
        model.rowsInserted.connect(self.fit_height)
        self.fit_height()

    @Slot()
    def fit_height(self) -> None:
        """Set the height to that of all rows."""
        rows = self._sources.rowCount()
        height = sum(self.sizeHintForRow(row) for row in range(rows))
        self.setFixedHeight(height)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._requests.citation_requested.emit(self._sources.citation(index))

    @Slot(QPoint)
    def _on_menu_requested(self, position: QPoint) -> None:
        index = self.indexAt(position)
        if not index.isValid():
            return
        citation = self._sources.citation(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_ = menu.addAction(self.tr("Open the source"))
        open_.triggered.connect(partial(self._requests.citation_requested.emit, citation))
        menu.addSeparator()
        reference = formatting.reference(citation)
        menu.addAction(self.tr("Copy reference")).triggered.connect(lambda: _copy(reference))
        quote = menu.addAction(self.tr("Copy quote"))
        quote.setEnabled(bool(citation.quote))
        quote.triggered.connect(lambda: _copy(citation.quote))
        menu.popup(self.viewport().mapToGlobal(position))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current row on Enter; leave paging to the conversation."""
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self._requests.citation_requested.emit(self._sources.citation(index))
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the row heights for the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
            self.fit_height()

    def changeEvent(self, event: QEvent) -> None:
        """Update the height for a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the conversation."""
        event.ignore()


class SourcesList(QWidget):
    """The list under a header that counts statements, sources and verbatim quotes, and the sums of computed figures."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = PlainLabel("", "section")
        self._model = SourcesModel(self)
        self._view = SourcesView(self._model, requests, self)
        self._sums = ComputedSums(self)
        self._sums.operand_clicked.connect(requests.citation_requested)
        self._more = QPushButton()
        set_role(self._more, "link")
        self._more.setCursor(Qt.CursorShape.PointingHandCursor)
        self._more.clicked.connect(self._on_more_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._header)
        layout.addWidget(self._sums)
        layout.addWidget(self._view)
        layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    @property
    def view(self) -> QListView:
        """Return the list."""
        return self._view

    @property
    def more(self) -> QPushButton:
        """Return the button that lists all citations."""
        return self._more

    @property
    def sums(self) -> ComputedSums:
        """Return the sums of computed figures."""
        return self._sums

    @property
    def header_text(self) -> str:
        """Return the text above the list."""
        return self._header.text()

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Show notes on cited files that have changed."""
        self._model.set_notes(notes)

    def show_citations(self, citations: Sequence[Citation], claims: Sequence[Claim] = ()) -> None:
        """List `citations` and count the `claims` by standing; hidden without either."""
        shown = len(citations) if len(citations) <= _FIRST + 1 else _FIRST
        self._model.set_citations(citations, shown, claims)
        self._sums.show_sums(claims, citations)
        self._header.setText(" · ".join(filter(None, (formatting.claims(claims), self._count(citations, claims)))))
        hidden = len(citations) - shown
        self._more.setText(formatting.counted(self.tr("Show %Ln more source(s)", "", hidden), hidden))
        self._more.setVisible(shown < len(citations))
        self._view.setVisible(bool(citations))
        self.setVisible(bool(citations or claims))

    def _count(self, citations: Sequence[Citation], claims: Sequence[Claim]) -> str:
        total = len(citations)
        if not total:
            return ""
        sources = formatting.counted(self.tr("%Ln source(s)", "", total), total)
        verbatim = sum(citation.verdict == "verbatim" for citation in citations)
        if not verbatim or claims:
            return sources
        quotes = formatting.counted(self.tr("%Ln quote(s) word for word", "", verbatim), verbatim)
        return f"{sources} · {quotes}"

    @Slot()
    def _on_more_clicked(self) -> None:
        self._model.show_all()
        self._more.hide()
        self._view.setFocus()
        self._view.setCurrentIndex(self._model.index(_FIRST))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
