"""The printed pages as a document view: maps lines to page positions and back, and selects text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.documents.document import box_of, page_of
from desktop_rag.gui.viewer.document_view import Match, Selected
from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout
from desktop_rag.gui.viewer.pages.page_painting import Areas, areas_of_lines, text_edges
from desktop_rag.gui.viewer.pages.page_view import PageView
from desktop_rag.gui.viewer.pages.render_service import GlyphCache, PrintedFile, RenderService
from desktop_rag.gui.viewer.viewer_events import QuoteFound
from desktop_rag.index.records import DocumentLayout

# The text selection on printed pages, across any number of pages.

Step = Literal["letter", "word", "line", "edge"]


@dataclass(frozen=True, slots=True, order=True)
class Caret:
    """A position between two glyphs."""

    page: int
    index: int


class PageSelection:
    """A selection from `anchor` to `caret`; nothing is selected on pages whose glyphs have not arrived."""

    def __init__(self, glyphs: Callable[[int], GlyphLayout | None]) -> None:
        self._glyphs = glyphs
        self.anchor: Caret | None = None
        self.caret: Caret | None = None

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.caret = None

    def is_empty(self) -> bool:
        """Return whether nothing is selected."""
        return self.anchor == self.caret

    def begin(self, page: int, point: QPointF) -> None:
        """Start a selection at a point of a page."""
        glyphs = self._glyphs(page)
        self.anchor = self.caret = Caret(page, glyphs.caret_at(point)) if glyphs else None

    def extend(self, page: int, point: QPointF) -> None:
        """Extend the selection to a point of a page."""
        glyphs = self._glyphs(page)
        if glyphs is not None:
            self.caret = Caret(page, glyphs.caret_at(point))
            self.anchor = self.anchor or self.caret

    def take_word(self, page: int, point: QPointF) -> None:
        """Select the word at a point."""
        self._take(page, point, GlyphLayout.word_at)

    def take_line(self, page: int, point: QPointF) -> None:
        """Select the line at a point."""
        self._take(page, point, GlyphLayout.line_at)

    def take_page(self, page: int) -> None:
        """Select everything on a page."""
        if (glyphs := self._glyphs(page)) is not None:
            self.anchor, self.caret = Caret(page, 0), Caret(page, glyphs.end)

    def move(self, step: Step, by: int) -> None:
        """Extend the selection by a character, word or line, or to the line's edge, forward (1) or back (-1)."""
        if self.caret is None or (glyphs := self._glyphs(self.caret.page)) is None:
            return
        page, index = self.caret.page, self.caret.index
        match step:
            case "letter":
                index += by
            case "word":
                index = _next_word(glyphs, index, by)
            case "line":
                index = _next_line(glyphs, index, by)
            case "edge":
                number, _ = glyphs.position_of(index)
                index = glyphs.start_of(number) + (len(glyphs.runs[number].text) if by > 0 and glyphs.runs else 0)
        self.caret = self._over_the_edge(page, index, glyphs)

    def text(self) -> str:
        """Return the selected text."""
        return "\n".join(filter(None, (glyphs.text(first, last) for _, glyphs, first, last in self._parts())))

    def lines(self) -> tuple[int, int]:
        """Return the first and last selected catalog line; 0 if there is none."""
        lines = [glyphs.lines(first, last) for _, glyphs, first, last in self._parts()]
        known = [pair for pair in lines if pair[0]]
        return (min(first for first, _ in known), max(last for _, last in known)) if known else (0, 0)

    def areas(self) -> Areas:
        """Return the rectangles of the selection by page."""
        return {page: glyphs.areas(first, last) for page, glyphs, first, last in self._parts()}

    def caret_area(self) -> tuple[int, QRectF] | None:
        """Return the page and rectangle of the caret."""
        if self.caret is None or not (glyphs := self._glyphs(self.caret.page)) or not glyphs.runs:
            return None
        number, index = glyphs.position_of(self.caret.index)
        return self.caret.page, glyphs.runs[number].edge(index)

    def pages(self) -> range:
        """Return the pages of the selection."""
        if self.anchor is None or self.caret is None:
            return range(0)
        first, last = sorted((self.anchor.page, self.caret.page))
        return range(first, last + 1)

    def _parts(self) -> Iterator[tuple[int, GlyphLayout, int, int]]:
        if self.anchor is None or self.caret is None or self.is_empty():
            return
        first, last = sorted((self.anchor, self.caret))
        for page in self.pages():
            if (glyphs := self._glyphs(page)) is not None:
                start = first.index if page == first.page else 0
                yield page, glyphs, start, last.index if page == last.page else glyphs.end

    def _take(self, page: int, point: QPointF, around: Callable[[GlyphLayout, int], tuple[int, int]]) -> None:
        if (glyphs := self._glyphs(page)) is not None:
            first, last = around(glyphs, glyphs.caret_at(point))
            self.anchor, self.caret = Caret(page, first), Caret(page, last)

    def _over_the_edge(self, page: int, index: int, glyphs: GlyphLayout) -> Caret:
        """Move a caret beyond its page to the adjacent page, if its glyphs are known."""
        if index > glyphs.end and self._glyphs(page + 1) is not None:
            return Caret(page + 1, 0)
        if index < 0 and page > 1 and (before := self._glyphs(page - 1)) is not None:
            return Caret(page - 1, before.end)
        return Caret(page, max(0, min(index, glyphs.end)))


def _next_word(glyphs: GlyphLayout, index: int, by: int) -> int:
    number, at = glyphs.position_of(index)
    if not glyphs.runs:
        return index
    text, start = glyphs.runs[number].text, glyphs.start_of(number)
    if by > 0:
        while at < len(text) and not text[at].isspace():
            at += 1
        while at < len(text) and text[at].isspace():
            at += 1
        return start + at if start + at > index else index + 1
    while at > 0 and text[at - 1].isspace():
        at -= 1
    while at > 0 and not text[at - 1].isspace():
        at -= 1
    return start + at if start + at < index else index - 1


def _next_line(glyphs: GlyphLayout, index: int, by: int) -> int:
    number, at = glyphs.position_of(index)
    other = number + by
    if not glyphs.runs or other < 0:
        return -1
    if other >= len(glyphs.runs):
        return glyphs.end + 1
    point = glyphs.runs[number].edge(at).center()
    run = glyphs.runs[other]
    edges = range(len(run.text) + 1)
    if run.upright:
        nearest = min(edges, key=lambda place: abs(run.edge(place).x() - point.x()))
    else:
        nearest = min(edges, key=lambda place: abs(run.edge(place).y() - point.y()))
    return glyphs.start_of(other) + nearest


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
