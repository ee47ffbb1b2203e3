"""A document with its side panel: on the left in a wide window, else above."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.gui import formatting
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.bookmark_dialogs import BookmarkList
from desktop_rag.gui.viewer.document_view import DocumentRequests
from desktop_rag.gui.viewer.pages.render_service import RenderService
from desktop_rag.gui.viewer.side.side_panel import (
    GuideList,
    GuideRead,
    OutlineList,
    OutlineRead,
    RowDelegate,
    RowsModel,
    SidePage,
    SidePanel,
    SideRow,
    read_guide,
    read_outline,
)
from desktop_rag.gui.viewer.side.thumbnails import Thumbnails
from desktop_rag.gui.viewer.tabs.document_body import DocumentBody
from desktop_rag.gui.viewer.viewer_events import DocumentFound, FoundPlace
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import Retriever
from desktop_rag.text.display import one_line

_LINES = 2


class HitList(PanelList):
    """One row per match; the current match is selected."""

    chosen = Signal(int)  # go to this match, from 0

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows = RowsModel()
        super().__init__(self._rows, self.tr("Matches"), parent)
        self._rows.setParent(self)
        self._places: tuple[FoundPlace, ...] = ()
        self.setItemDelegate(RowDelegate(_LINES, self))
        self.setLayoutMode(PanelList.LayoutMode.Batched)  # a thousand rows are measured a few at a time
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_places(self, places: Sequence[FoundPlace], current: int) -> None:
        """Show these matches; the rows are kept if only the current one changes."""
        if places != self._places:
            self._places = tuple(places)
            self._rows.set_rows([_row(place) for place in places])
        if 0 <= current < len(self._places) and current != self.currentIndex().row():
            index = self._rows.index(current)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())


def _row(place: FoundPlace) -> SideRow:
    line = place.marks[0][0]
    where = formatting.place(place.page, line, line, place.section)
    return SideRow(one_line(place.words), where, mark=(place.start, place.end))


_WIDE = 600  # pixels from which the panel is beside the document
_SIDE, _ABOVE = 0.3, 0.38  # initial share of the panel


@dataclass(frozen=True, slots=True)
class _Parts:
    """The panel and its lists."""

    panel: SidePanel
    outline: OutlineList
    guide: GuideList
    thumbnails: Thumbnails
    hits: HitList
    bookmarks: BookmarkList

    def show_hits(self, places: Sequence[FoundPlace], current: int) -> None:
        self.hits.show_places(places, current)
        self.panel.fill(SidePage.FOUND, filled=bool(places))

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        self.bookmarks.show_bookmarks(bookmarks)
        self.panel.fill(SidePage.NOTES, filled=bool(bookmarks))


class DocumentSide(QSplitter):
    """Fills the panel when it is shown, and follows the scroll position."""

    line_chosen = Signal(int)  # go to this line
    page_chosen = Signal(int)  # go to the top of this page
    hit_chosen = Signal(int)  # go to this match, from 0
    toggled = Signal(bool)  # the panel was shown or hidden

    def __init__(
        self,
        body: DocumentBody,
        service: RenderService,
        retriever: Retriever,
        requests: DocumentRequests,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._body = body
        self._service = service
        self._retriever = retriever
        self._requests = requests
        self._layout = DocumentLayout(b"", (), b"")
        self._content: ContentId | None = None
        self._sha256 = ""
        self._outline_of: ContentId | None = None  # whose outline is shown
        self._guide_of: ContentId | None = None  # and whose guide
        self._hits: tuple[Sequence[FoundPlace], int] = ((), -1)
        self._bookmarks: Sequence[Bookmark] = ()
        self._outline_reader = LatestOnlyWorker("outline", self._on_outline_read, self)
        self._guide_reader = LatestOnlyWorker("guide", self._on_guide_read, self)
        self.addWidget(body)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        body.moved.connect(self._follow)
        body.mode_changed.connect(self._on_mode_changed)

    @property
    def panel(self) -> SidePanel:
        """Return the panel, created on first use: most documents never need it."""
        return self._parts.panel

    @property
    def outline(self) -> OutlineList:
        """Return the table of contents."""
        return self._parts.outline

    @property
    def guide(self) -> GuideList:
        """Return what the document mentions."""
        return self._parts.guide

    @property
    def thumbnails(self) -> Thumbnails:
        """Return the thumbnails."""
        return self._parts.thumbnails

    @property
    def hits(self) -> HitList:
        """Return the list of matches."""
        return self._parts.hits

    @property
    def bookmarks(self) -> BookmarkList:
        """Return the list of the document's bookmarks."""
        return self._parts.bookmarks

    def begin(self, found: DocumentFound) -> None:
        """Show the side lists of another document, or of another target in the same one."""
        self._layout = found.layout
        self._content = found.card.content if found.card else None
        self._sha256 = found.card.sha256 if found.card else ""
        if not self._has_panel():
            return
        if self._content != self._outline_of:
            self._outline_of = None
            self.outline.show_entries((), found.layout)
            self.panel.fill(SidePage.OUTLINE, filled=False)
        if self._content != self._guide_of:
            self._guide_of = None
            self.panel.fill(SidePage.GUIDE, filled=False)
        self.thumbnails.open(self._body.file)
        self._fill()

    def show_hits(self, places: Sequence[FoundPlace], current: int) -> None:
        """List the matches."""
        self._hits = places, current
        if self._has_panel():
            self._parts.show_hits(places, current)

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """List the bookmarks of the document."""
        self._bookmarks = bookmarks
        if self._has_panel():
            self._parts.show_bookmarks(bookmarks)

    def show_page(self, page: SidePage) -> None:
        """Show the panel with this page."""
        self.panel.choose(page)
        self.set_shown(shown=True)

    def is_shown(self) -> bool:
        """Return whether the panel is shown."""
        return self._has_panel() and not self.panel.isHidden()

    def set_shown(self, *, shown: bool) -> None:
        """Show or hide the panel."""
        if shown == self.is_shown():
            self._fill()
            return
        self.panel.setVisible(shown)
        self._share_out()
        self._fill()
        self.toggled.emit(shown)

    @cached_property
    def _parts(self) -> "_Parts":
        panel = SidePanel(self)
        panel.hide()
        lists = OutlineList(panel), GuideList(panel), Thumbnails(self._service, panel), HitList(panel)
        parts = _Parts(panel, *lists, BookmarkList(panel))
        panel.add(SidePage.OUTLINE, parts.outline, self.tr("This document has no headings."))
        panel.add(SidePage.GUIDE, parts.guide, self.tr("Terms, names, dates and amounts are looked for…"))
        panel.add(SidePage.PAGES, parts.thumbnails, self.tr("This document has no pages."))
        panel.add(SidePage.FOUND, parts.hits, self.tr("Press Ctrl+F to look for words in this document."))
        nothing = self.tr("Nothing is bookmarked in this document. Ctrl+M keeps the passage you read.")
        panel.add(SidePage.NOTES, parts.bookmarks, nothing)
        panel.fill(SidePage.PAGES, filled=True)
        panel.offer(SidePage.PAGES, offered=self._body.shows_pages)
        panel.choose(SidePage.OUTLINE)
        panel.setMinimumSize(15 * GRID, 12 * GRID)
        self.insertWidget(0, panel)
        self.setStretchFactor(1, 1)
        parts.thumbnails.open(self._body.file, self._body.pages.sizes)
        parts.show_hits(*self._hits)
        parts.show_bookmarks(self._bookmarks)
        self._connect(parts)
        return parts

    def _has_panel(self) -> bool:
        return "_parts" in self.__dict__

    def _connect(self, parts: "_Parts") -> None:
        parts.panel.closed.connect(self._on_closed)
        parts.panel.page_chosen.connect(self._fill)
        parts.outline.line_chosen.connect(self.line_chosen)
        parts.guide.line_chosen.connect(self.line_chosen)
        parts.guide.summary_requested.connect(lambda: self._requests.summary_requested.emit(self._sha256))
        parts.thumbnails.page_chosen.connect(self.page_chosen)
        parts.hits.chosen.connect(self.hit_chosen)
        parts.bookmarks.chosen.connect(self._requests.bookmark_chosen)
        parts.bookmarks.note_requested.connect(self._requests.note_requested)
        parts.bookmarks.delete_requested.connect(self._requests.delete_requested)

    @Slot()
    def _fill(self) -> None:
        """Read the outline or the guide when it is first shown."""
        if not self.is_shown():
            return
        if self.panel.page() is SidePage.OUTLINE and self._content is not None and self._outline_of != self._content:
            self._outline_of = self._content
            self._outline_reader.ask(partial(read_outline, self._content, self._layout, self._retriever))
        if self.panel.page() is SidePage.GUIDE and self._content is not None and self._guide_of != self._content:
            self._guide_of = self._content
            self._guide_reader.ask(partial(read_guide, self._content, self._retriever))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self.is_shown():
            self.outline.follow(self._body.first_visible_line())
            self.thumbnails.follow(self._body.pages.page)

    @Slot()
    def _on_closed(self) -> None:
        self.set_shown(shown=False)
        self._body.focus_document()

    @Slot()
    def _on_mode_changed(self) -> None:
        if self._has_panel():
            self.panel.offer(SidePage.PAGES, offered=self._body.shows_pages)

    @Slot(OutlineRead)
    def _on_outline_read(self, event: OutlineRead) -> None:
        if event.content == self._content:
            self.outline.show_entries(event.entries, self._layout)
            self.panel.fill(SidePage.OUTLINE, filled=bool(event.entries))
            self._follow()

    @Slot(GuideRead)
    def _on_guide_read(self, event: GuideRead) -> None:
        if event.content == self._content:
            self.guide.show_guide(event.guide, self._layout)
            self.panel.fill(SidePage.GUIDE, filled=True)

    def _share_out(self) -> None:
        wide = self.width() >= _WIDE
        whole, share = (self.width(), _SIDE) if wide else (self.height(), _ABOVE)
        self.setSizes([round(whole * share), round(whole * (1 - share))])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the panel beside or above the document by the available width."""
        wide = event.size().width() >= _WIDE
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self.orientation():
            self.setOrientation(orientation)
            self._share_out()
        super().resizeEvent(event)
