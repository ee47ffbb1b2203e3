"""A document and what stands beside it: left of it where there is room, else above it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_rag.gui.theme import GRID
from desktop_rag.gui.viewer.asking import Asker
from desktop_rag.gui.viewer.document_body import DocumentBody
from desktop_rag.gui.viewer.events import DocumentFound, FoundPlace
from desktop_rag.gui.viewer.hit_list import HitList
from desktop_rag.gui.viewer.outline import OutlineGathered, OutlineList, gather_outline
from desktop_rag.gui.viewer.page_desk import PageDesk
from desktop_rag.gui.viewer.side_panel import SidePage, SidePanel
from desktop_rag.gui.viewer.thumbnails import Thumbnails
from desktop_rag.index.records import ContentId, Layout
from desktop_rag.retrieval.hits import Retriever

_WIDE = 600  # pixels from which panel and document stand beside each other
_SIDE, _ABOVE = 0.3, 0.38  # the panel's share at first


class DocumentSide(QSplitter):
    """Fills the panel when it is seen, and follows what is read."""

    line_chosen = Signal(int)  # go to this line
    page_chosen = Signal(int)  # go to the top of this page
    hit_chosen = Signal(int)  # go to this found place, from 0
    toggled = Signal(bool)  # the panel is shown, or hidden

    def __init__(self, body: DocumentBody, desk: PageDesk, retriever: Retriever, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._body = body
        self._retriever = retriever
        self._layout = Layout(b"", (), b"")
        self._content: ContentId | None = None
        self._gathered: ContentId | None = None  # whose outline is shown
        self.panel = SidePanel(self)
        self.outline = OutlineList(self.panel)
        self.thumbnails = Thumbnails(desk, self.panel)
        self.hits = HitList(self.panel)
        self._gatherer = Asker("outline", self)
        self._arrange()
        self._connect()

    def begin(self, found: DocumentFound) -> None:
        """Stand beside another document, or another place in it."""
        self._layout = found.layout
        self._content = found.card.content if found.card else None
        if self._content != self._gathered:
            self._gathered = None
            self.outline.show_entries((), found.layout)
            self.panel.fill(SidePage.OUTLINE, filled=False)
        self.thumbnails.open(self._body.file)
        self._fill()

    def show_hits(self, places: Sequence[FoundPlace], current: int) -> None:
        """List what was found."""
        self.hits.show_places(places, current)
        self.panel.fill(SidePage.FOUND, filled=bool(places))

    def show_page(self, page: SidePage) -> None:
        """Show the panel at a page."""
        self.panel.choose(page)
        self.set_shown(shown=True)

    def is_shown(self) -> bool:
        """Return whether the panel is shown."""
        return not self.panel.isHidden()

    def set_shown(self, *, shown: bool) -> None:
        """Show or hide the panel."""
        if shown == self.is_shown():
            self._fill()
            return
        self.panel.setVisible(shown)
        self._share_out()
        self._fill()
        self.toggled.emit(shown)

    def add_page(self, page: SidePage, widget: QWidget, nothing: str) -> None:
        """Let the panel show one more thing."""
        self.panel.add(page, widget, nothing)

    def _arrange(self) -> None:
        self.panel.add(SidePage.OUTLINE, self.outline, self.tr("This document has no headings."))
        self.panel.add(SidePage.PAGES, self.thumbnails, self.tr("This document has no pages."))
        self.panel.add(SidePage.FOUND, self.hits, self.tr("Press Ctrl+F to look for words in this document."))
        self.panel.fill(SidePage.PAGES, filled=True)
        self.panel.choose(SidePage.OUTLINE)
        self.addWidget(self.panel)
        self.addWidget(self._body)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.setStretchFactor(1, 1)
        self.panel.setMinimumSize(15 * GRID, 12 * GRID)
        self.panel.hide()

    def _connect(self) -> None:
        self.panel.closed.connect(self._on_closed)
        self.panel.page_chosen.connect(self._fill)
        self.outline.line_chosen.connect(self.line_chosen)
        self.thumbnails.page_chosen.connect(self.page_chosen)
        self.hits.chosen.connect(self.hit_chosen)
        self._gatherer.answered.connect(self._on_gathered)
        self._body.moved.connect(self._follow)
        self._body.mode_changed.connect(self._on_mode_changed)

    @Slot()
    def _fill(self) -> None:
        """Gather the outline when it is looked at first."""
        if not self.is_shown():
            return
        if self.panel.page() is SidePage.OUTLINE and self._content is not None and self._gathered != self._content:
            self._gathered = self._content
            self._gatherer.ask(partial(gather_outline, self._content, self._layout, self._retriever))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self.is_shown():
            self.outline.follow(self._body.seen_line())
            self.thumbnails.follow(self._body.pages.page)

    @Slot()
    def _on_closed(self) -> None:
        self.set_shown(shown=False)
        self._body.focus_document()

    @Slot()
    def _on_mode_changed(self) -> None:
        self.panel.offer(SidePage.PAGES, offered=self._body.shows_pages)

    @Slot(object)
    def _on_gathered(self, event: object) -> None:
        if isinstance(event, OutlineGathered) and event.content == self._content:
            self.outline.show_entries(event.entries, self._layout)
            self.panel.fill(SidePage.OUTLINE, filled=bool(event.entries))
            self._follow()

    def _share_out(self) -> None:
        wide = self.width() >= _WIDE
        whole, share = (self.width(), _SIDE) if wide else (self.height(), _ABOVE)
        self.setSizes([round(whole * share), round(whole * (1 - share))])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the panel beside the document or above it."""
        wide = event.size().width() >= _WIDE
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self.orientation():
            self.setOrientation(orientation)
            self._share_out()
        super().resizeEvent(event)
