"""The cited sources under an answer: an item view, so that screen readers can read what the numbers refer to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QListView, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop_rag.agent.citations.marks import REFUSED
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.sources.citation_menu import (
    add_bibliography_actions,
    add_citation_actions,
    add_file_actions,
)
from desktop_rag.gui.conversation.sources.source_delegate import SourceDelegate
from desktop_rag.gui.conversation.sources.source_groups import UncitedFiles
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.sources.sources_model import (
    GRADE_ROLE,
    CitationRow,
    CitedFileRow,
    Index,
    SourceGroupRow,
    SourcesModel,
    UncitedRow,
)
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import set_role, text_font
from desktop_rag.gui.viewer.target import target_of_source
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten

# The sums of an answer's computed figures, under the answer: each operand is a link that opens its line.

_SUMS = 6  # shown
_LONGEST = 200  # characters of a sum


class OperandLink(Chip):
    """A number of a sum that opens its line."""

    def __init__(self, text: str, citation: Citation, parent: QWidget | None = None) -> None:
        super().__init__(text, f"[{citation.number}]", parent=parent)
        self.citation = citation
        self.setFont(text_font(-1))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        name = one_line(formatting.document_name(citation.path, citation.title))
        self.setAccessibleName(f"{text}: {name}, {place}")
        self.setToolTip(tool_tip(formatting.citation_tip(citation)))


class ComputedSums(QWidget):
    """One row for each computed figure."""

    operand_clicked = Signal(object)  # the Citation whose line writes the operand

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self.hide()

    @property
    def operands(self) -> tuple[OperandLink, ...]:
        """Return the links, in the order of the sums."""
        return tuple(self.findChildren(OperandLink))

    def show_sums(self, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        """Show the sums of the claims that nothing speaks against; hidden without any."""
        while row := self._rows.takeAt(0):
            if widget := row.widget():
                widget.setParent(None)
                widget.deleteLater()
        by_number = {citation.number: citation for citation in citations}
        computed = {c.computed: c for c in claims if c.mark in ("computed", "read") and c.computed}
        for claim in list(computed.values())[:_SUMS]:
            line = FlowRow(self)
            parts = ((self.tr("Computed here:"), None), *_parts(claim, by_number))
            line.set_items([self._part(text, citation) for text, citation in parts])
            self._rows.addWidget(line)
        self.setVisible(bool(computed))

    def _part(self, text: str, citation: Citation | None) -> QWidget:
        if citation is None:
            label = PlainLabel(text, "caption", self)
            label.setWordWrap(False)
            return label
        link = OperandLink(text, citation, self)
        link.clicked.connect(self._on_clicked)
        return link

    @Slot()
    def _on_clicked(self) -> None:
        link = self.sender()
        if isinstance(link, OperandLink):
            self.operand_clicked.emit(link.citation)


def _parts(claim: Claim, citations: Mapping[int, Citation]) -> Iterator[tuple[str, Citation | None]]:
    """Yield the pieces of a sum; an operand comes with the citation whose lines write it."""
    places = {operand.text: citations[operand.citation] for operand in claim.operands if operand.citation in citations}
    computed = shorten(one_line(claim.computed), _LONGEST)
    if not places:
        yield computed, None
        return
    operand = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    written = re.compile(rf"(?<![\w.,])({operand})(?![\d]|[.,]\d)")
    for piece in written.split(computed):
        if piece.strip():
            yield piece.strip(), places.get(piece)


_FIRST = 5  # sources shown at first


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
        self.setDragEnabled(True)
        self.setDragDropMode(QListView.DragDropMode.DragOnly)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Sources of this answer"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.clicked.connect(self._on_clicked)
        model.modelReset.connect(self.fit_height)
        self.fit_height()

    @Slot()
    def fit_height(self) -> None:
        """Set the height to that of all rows."""
        rows = self._sources.rowCount()
        height = sum(self.sizeHintForRow(row) for row in range(rows))
        self.setFixedHeight(height)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._open(index)

    def _open(self, index: QModelIndex) -> None:
        match self._sources.row(index):
            case CitationRow(citation):
                self._requests.citation_requested.emit(citation, self._sources.citations)
            case CitedFileRow(file):
                self._requests.citation_requested.emit(file.citations[0], self._sources.citations)
            case UncitedRow(file):
                self._requests.target_requested.emit(target_of_source(file.source))
            case SourceGroupRow(kind):
                self._sources.toggle(kind)
                self.setCurrentIndex(self._sources.place_of(kind))

    def _show_card(self, index: QModelIndex, citation: Citation) -> None:
        rect = self.visualRect(index)
        place = QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())
        checked, note = self._sources.checked(citation), self._sources.note(citation)
        refused = index.data(GRADE_ROLE) in REFUSED
        request = CardRequest(
            citation, checked, note, place, by_key=True, refused=refused, answer=self._sources.citations
        )
        self._requests.card_requested.emit(request)

    @Slot(QPoint)
    def _on_menu_requested(self, position: QPoint) -> None:
        index = self.indexAt(position)
        row = self._sources.row(index) if index.isValid() else None
        if row is None or isinstance(row, SourceGroupRow):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(row, CitationRow):
            show = partial(self._show_card, QModelIndex(index), row.citation)
            add_citation_actions(menu, row.citation, self._sources.citations, self._requests, show)
        else:
            menu.addAction(self.tr("Open the source")).triggered.connect(partial(self._open, QModelIndex(index)))
            source = row.file.citations[0] if isinstance(row, CitedFileRow) else row.file.source
            add_file_actions(menu, source.path, self._requests)
            if isinstance(row, CitedFileRow):
                menu.addSeparator()
                add_bibliography_actions(menu, row.file.citations[0], self._requests)
        menu.popup(self.viewport().mapToGlobal(position))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current row on Enter, show its card on Space; leave paging to the conversation."""
        index = self.currentIndex()
        row = self._sources.row(index) if index.isValid() else None
        if event.key() == Qt.Key.Key_Space and isinstance(row, CitationRow):
            self._show_card(index, row.citation)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and row is not None:
            self._open(index)
        elif event.key() == Qt.Key.Key_Escape:
            self._requests.card_dismissed.emit()
            event.ignore()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Close the card of another row."""
        super().currentChanged(current, previous)
        self._requests.card_dismissed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the card that the keyboard has opened."""
        super().focusOutEvent(event)
        self._requests.card_dismissed.emit()

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
    """The list under a header that counts statements by their mark, and the sums of computed figures."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = PlainLabel("", "section")
        self._model = SourcesModel(self)
        self._view = SourcesView(self._model, requests, self)
        self._sums = ComputedSums(self)
        self._sums.operand_clicked.connect(
            lambda citation: requests.citation_requested.emit(citation, self._model.citations)
        )
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

    def show_citations(
        self,
        citations: Sequence[Citation],
        claims: Sequence[Claim] = (),
        uncited: UncitedFiles | None = None,
        *,
        comparing: bool = False,
        quoting: bool = False,
    ) -> None:
        """List `citations` and the `uncited` documents, and count the `claims` by mark; hidden without any.

        While the model is `comparing` them with the cited lines, the header says so; an answer that is `quoting` has
        passages, not statements.
        """
        shown = len(citations) if len(citations) <= _FIRST + 1 else _FIRST
        self._model.set_citations(citations, shown, claims, uncited)
        self._sums.show_sums(claims, citations)
        counted = formatting.claims(claims)
        if comparing:
            counted = self.tr("Comparing with the cited lines…")
        elif quoting and claims and all(claim.mark == "quoted" for claim in claims):
            counted = formatting.counted(self.tr("%Ln passage(s) quoted", "", len(claims)), len(claims))
        self._header.setText(" · ".join(filter(None, (counted, self._count(citations, claims)))))
        hidden = len(citations) - shown
        self._more.setText(formatting.counted(self.tr("Show %Ln more source(s)", "", hidden), hidden))
        self._more.setVisible(shown < len(citations))
        self._view.setVisible(self._model.rowCount() > 0)
        self._header.setVisible(bool(self._header.text()))
        self.setVisible(bool(citations or claims or self._model.rowCount()))

    def _count(self, citations: Sequence[Citation], claims: Sequence[Claim]) -> str:
        total = len({citation.content for citation in citations})  # passages of one document are one source
        if not total:
            return ""
        if claims:
            return formatting.counted(self.tr("%Ln document(s)", "", total), total)
        return formatting.counted(self.tr("%Ln source(s)", "", total), total)

    @Slot()
    def _on_more_clicked(self) -> None:
        first = self._model.show_all()
        self._more.hide()
        self._view.setFocus()
        self._view.setCurrentIndex(first)
