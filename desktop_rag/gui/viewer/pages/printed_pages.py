"""The printed pages as a document view: maps lines to page positions and back, and selects text."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.documents.document import box_of, page_of
from desktop_rag.gui.viewer.document_view import Match, Selected
from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout
from desktop_rag.gui.viewer.pages.page_caches import GlyphCache
from desktop_rag.gui.viewer.pages.page_geometry import Areas, areas_of_lines, text_edges
from desktop_rag.gui.viewer.pages.page_selection import PageSelection, Step
from desktop_rag.gui.viewer.pages.page_view import PageView
from desktop_rag.gui.viewer.pages.render_requests import PrintedFile
from desktop_rag.gui.viewer.pages.render_service import RenderService
from desktop_rag.gui.viewer.viewer_events import QuoteFound
from desktop_rag.index.records import DocumentLayout

_NOTHING = DocumentLayout(b"", (), b"")
_SCROLL_MS = 50
_STEPS: dict[Qt.Key, tuple[Step, int]] = {
    Qt.Key.Key_Left: ("letter", -1),
    Qt.Key.Key_Right: ("letter", 1),
    Qt.Key.Key_Up: ("line", -1),
    Qt.Key.Key_Down: ("line", 1),
    Qt.Key.Key_Home: ("edge", -1),
    Qt.Key.Key_End: ("edge", 1),
}


class PrintedPages(PageView):
    """A page view that knows the position of each line, with text selection."""

    text_requested = Signal(int, int)  # lines (first, last) whose text is needed: their page is scanned

    def __init__(self, service: RenderService, parent: QWidget | None = None) -> None:
        super().__init__(service, parent)
        self._layout = _NOTHING
        self._matches: tuple[Sequence[Match], int] = ((), -1)
        self._pattern = ""
        self._quote = QuoteFound((), ())
        self._glyph_cache = GlyphCache(service, self)
        self._selection = PageSelection(self._glyph_cache.glyphs)
        self._dragging = False
        self._drag_scroll = QTimer(self, interval=_SCROLL_MS)
        self._drag_scroll.timeout.connect(self._on_drag_scroll)
        self._glyph_cache.arrived.connect(self._on_glyphs_arrived)
        self._glyph_cache.text_requested.connect(self.text_requested)
        self.pages_settled.connect(self._on_pages_settled)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def open_file(self, file: PrintedFile, layout: DocumentLayout) -> None:
        """Show another file; `opened` or `refused` follows."""
        self._layout = layout
        self._glyph_cache.open(file, layout)
        self._selection.clear()
        self.open(file, text_edges(layout))

    def show_citation(self, first: int, last: int) -> None:
        """Mark these lines and scroll to them; `first` 0 removes the marks."""
        areas = areas_of_lines(self._layout, first, last) if first else {}
        self.set_marks(areas)
        self.show_quote(QuoteFound((), ()))
        if areas:
            page = min(areas)
            self.reveal_position(page, areas[page][0].top())
        elif first:
            self.reveal(first)

    def show_quote(self, quote: QuoteFound) -> None:
        """Mark the quoted words; of a page whose glyphs are not known, the cited lines only."""
        self._quote = quote
        self._mark_quote()

    def show_bookmarked(self, bookmarked: Sequence[tuple[int, int]]) -> None:
        """Draw a bar beside the bookmarked passages, each given as (first, last) line."""
        areas: dict[int, list[QRectF]] = {}
        for first, last in bookmarked:
            for page, found in areas_of_lines(self._layout, first, last).items():
                areas.setdefault(page, []).extend(found)
        self.set_bookmarked(_frozen(areas))

    def set_pattern(self, pattern: str) -> None:
        """Set the search text of the next matches: it locates them where white space on the page differs."""
        self._pattern = " ".join(pattern.split())

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark the matches on the visible pages."""
        self._matches = matches, current
        self._mark_matches()

    def go_to_match(self, match: Match) -> None:
        """Scroll to a match."""
        self.reveal(match[0][0])

    def reveal(self, line: int) -> None:
        """Scroll to a line, or at least to its page."""
        for page, found in areas_of_lines(self._layout, line, line).items():
            self.reveal_position(page, found[0].top())
            return
        self.reveal_position(page_of(self._layout.pages, line) or 1)

    def first_visible_line(self) -> int:
        """Return the first visible line of the current page."""
        lines = self._lines_of(self.page)
        if not lines:
            return 1
        top = self.top_of_sight(self.page)
        boxes = ((line, box_of(self._layout.boxes, line)) for line in lines)
        return next((line for line, box in boxes if box is not None and box.y0 + box.y1 > 2 * top), lines[0])

    def return_to(self, line: int) -> None:
        """Scroll so that a line is the first visible one again."""
        areas = areas_of_lines(self._layout, line, line)
        if self.page_count and areas:
            page = min(areas)
            self.scroll_to_position(min(page, self.page_count), areas[page][0].top() - 2)
        else:
            self.reveal(line)

    def _lines_of(self, page: int) -> range:
        pages = self._layout.pages
        if not 0 < page <= len(pages):
            return range(0)
        after = pages[page].first_line if page < len(pages) else len(self._layout.kinds) + 1
        return range(pages[page - 1].first_line, after)

    def selected(self) -> Selected:
        """Return the selection."""
        return Selected(self._selection.text(), *self._selection.lines())

    def glyphs_of(self, page: int) -> GlyphLayout | None:
        """Return the glyphs of a page; None until they have arrived."""
        return self._glyph_cache.glyphs(page)

    def take_words(self, first: int, lines: Sequence[str]) -> None:
        """Set the text of lines from `first` on, for a scanned page."""
        self._glyph_cache.take_words(first, lines)

    @Slot()
    def copy(self) -> None:
        """Copy the selection, or else the citation."""
        if words := self._selection.text():
            QGuiApplication.clipboard().setText(words)
        else:
            super().copy()

    @Slot()
    def selectAll(self) -> None:  # the name that the Edit menu calls
        """Select everything on the current page."""
        self._selection.take_page(self.page)
        self._show_selection()

    def _mark_quote(self) -> None:
        areas: dict[int, list[QRectF]] = {}
        for (line, start, end), words in zip(self._quote.marks, self._quote.words, strict=True):
            for page, found in self._areas_of_words(line, start, end, words, whole=False).items():
                areas.setdefault(page, []).extend(found)
        self.set_quoted(_frozen(areas))

    def _mark_matches(self) -> None:
        """Mark the matches near the visible pages only: marking thousands would be slow."""
        matches, current = self._matches
        if not matches or not self._layout.boxes:
            self.set_matches({}, {})
            return
        first, last = self._lines_at_hand()
        near = [index for index, match in enumerate(matches) if first <= match[0][0] <= last]
        areas: dict[int, list[QRectF]] = {}
        now: dict[int, list[QRectF]] = {}
        for index in near:
            at = 0  # in the pattern, of which each line of a match has a part
            for line, start, end in matches[index]:
                words = self._pattern[at : at + end - start].strip() if len(matches[index]) > 1 else self._pattern
                at += end - start
                for page, found in self._areas_of_words(line, start, end, words).items():
                    (now if index == current else areas).setdefault(page, []).extend(found)
        self.set_matches(_frozen(areas), _frozen(now))

    def _lines_at_hand(self) -> tuple[int, int]:
        seen, pages = self.visible_pages(), self._layout.pages
        if not seen or not pages:
            return 1, 0
        first = pages[max(0, min(seen[0] - 2, len(pages) - 1))].first_line
        return first, pages[seen[-1] + 1].first_line if seen[-1] + 1 < len(pages) else len(self._layout.kinds)

    def _areas_of_words(self, line: int, start: int, end: int, words: str, *, whole: bool = True) -> Areas:
        """Return the place of words in a line; if it is not known, the `whole` line or nothing."""
        areas = areas_of_lines(self._layout, line, line)
        for page in areas:
            glyphs = self._glyph_cache.glyphs(page)
            if glyphs and (exact := glyphs.areas_in_line(line, start, end, words)):
                return {page: exact}
        return areas if whole else {}

    def _show_selection(self) -> None:
        caret = self._selection.caret_area() if self.hasFocus() or self._dragging else None
        self.set_selection(self._selection.areas(), caret)
        self._glyph_cache.request(self._selection.pages())

    def _begin_by_key(self) -> None:
        """Put the caret on the first cited line of the page, or on its first line."""
        page = self.page
        if self._selection.caret is None and page:
            marked = self.marked_on(page)
            beside = QPointF(marked[0].left(), marked[0].center().y()) if marked else QPointF(0, 0)
            self._selection.begin(page, beside)

    @Slot()
    def _on_pages_settled(self) -> None:
        self._glyph_cache.request([*self.visible_pages(), *self._selection.pages()])
        self._mark_matches()
        self._mark_quote()

    @Slot(int)
    def _on_glyphs_arrived(self, _: int) -> None:
        self._mark_matches()
        self._mark_quote()
        if not self._selection.is_empty():
            self._show_selection()

    @Slot()
    def _on_drag_scroll(self) -> None:
        """Scroll while the mouse is dragged above or below the viewport."""
        y = self.viewport().mapFromGlobal(self.cursor().pos()).y()
        beyond = y if y < 0 else max(0, y - self.viewport().height())
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(-80, min(80, beyond)))
            self._extend_to(QPointF(self.viewport().mapFromGlobal(self.cursor().pos())))

    def _extend_to(self, point: QPointF) -> None:
        if (place := self.position_at(point)) is not None:
            self._selection.extend(*place)
            self._show_selection()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a selection; with Shift extend it."""
        place = self.position_at(event.position())
        if event.button() is not Qt.MouseButton.LeftButton or place is None:
            super().mousePressEvent(event)
            return
        self.release_goal()
        self._dragging = True
        self._drag_scroll.start()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._selection.extend(*place)
        else:
            self._selection.begin(*place)
        self._show_selection()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection to the mouse."""
        if self._dragging:
            self._extend_to(event.position())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging."""
        self._dragging = False
        self._drag_scroll.stop()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the word; a second double click selects the line."""
        if (place := self.position_at(event.position())) is not None:
            before = self._selection.caret, self._selection.anchor
            self._selection.take_word(*place)
            if before == (self._selection.caret, self._selection.anchor):
                self._selection.take_line(*place)
            self._show_selection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with Shift and the arrows, by words with Ctrl; other keys scroll."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.take_page(self.page)
        elif event.key() == Qt.Key.Key_Escape and not self._selection.is_empty():
            self._selection.clear()
        elif shift and (step := _STEPS.get(Qt.Key(event.key()))) is not None:
            self._begin_by_key()
            wordwise = step[0] == "letter" and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._selection.move("word" if wordwise else step[0], step[1])
            self._keep_caret_in_sight()
        else:
            super().keyPressEvent(event)
            return
        self.release_goal()
        self._show_selection()

    def _keep_caret_in_sight(self) -> None:
        if (caret := self._selection.caret_area()) is not None:
            self.ensure_visible(*caret)


def _frozen(areas: dict[int, list[QRectF]]) -> Areas:
    return {page: tuple(found) for page, found in areas.items()}
