"""The document in the chosen view mode: printed pages, a clean page, a table, or numbered lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.agent.conversations.bookmarks import BookmarkedPassage
from desktop_rag.documents.document import page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.gui.viewer.clean.rendered_view import RenderedView
from desktop_rag.gui.viewer.document_loading import read_text
from desktop_rag.gui.viewer.document_view import DocumentView, Match, WrittenView
from desktop_rag.gui.viewer.pages.page_view import Fit
from desktop_rag.gui.viewer.pages.printed_pages import PrintedPages
from desktop_rag.gui.viewer.pages.render_service import PrintedFile, RenderService
from desktop_rag.gui.viewer.table.sheet_view import SheetView
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.text.text_pane import TextPane
from desktop_rag.gui.viewer.viewer_events import DocumentFound, QuoteFound, Target, TextRead, ViewMode, modes_of
from desktop_rag.index.records import DocumentLayout
from desktop_rag.retrieval.api import Retriever
from desktop_rag.text.desktop_links import link_to

_POINT = 96 / 72  # pixels a point at 100 %
_LEAST_ZOOM, _MAX_ZOOM = -4, 20


View = TypeVar("View", TextPane, RenderedView, SheetView)


class DocumentBody(QStackedWidget):
    """All views of one document, kept at the same position when the mode changes.

    Lines are passed to one view only: the one that is shown, or would be if there were no pages.
    """

    mode_changed = Signal()  # another view mode is shown, or others are offered
    lines_requested = Signal(int, int)  # lines to read: first, count
    link_followed = Signal(str)  # a link to another document was clicked
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key
    percent_changed = Signal(int)  # the zoom
    pages_refused = Signal(str)  # why the printed pages cannot be shown
    moved = Signal()  # the visible part has changed
    zoom_chosen = Signal(int)  # points by which all texts are to be enlarged

    def __init__(self, service: RenderService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: dict[ViewMode, WrittenView] = {}  # the views created so far
        self._widgets: dict[ViewMode, QWidget] = {}
        self._modes: tuple[ViewMode, ...] = (ViewMode.TEXT,)
        self._mode = ViewMode.TEXT
        self._layout = DocumentLayout(b"", (), b"")
        self._file: PrintedFile | None = None
        self.marked: tuple[tuple[int, int], ...] = ()  # offsets of the quoted words in the content
        self._cited = (0, -1)
        self._bookmarked: tuple[tuple[int, int], ...] = ()
        self._zoom = 0
        self.pages = PrintedPages(service, self)
        self.addWidget(self.text)
        self._widgets[ViewMode.PRINTED] = self.pages
        self.addWidget(self.pages)
        self.pages.menu_requested.connect(self.menu_requested)
        self.pages.page_changed.connect(self._on_page_changed)
        self.pages.zoom_changed.connect(self._report_percent)
        self.pages.refused.connect(self._on_refused)

    @cached_property
    def text(self) -> TextPane:
        """Return the view of numbered lines, created on first use."""
        view = TextPane(self)
        self._connect(view.editor)
        return self._register(ViewMode.TEXT, view)

    @cached_property
    def rendered(self) -> RenderedView:
        """Return the view of a clean page, created on first use."""
        view = RenderedView(self)
        self._connect(view)
        view.link_followed.connect(self.link_followed)
        return self._register(ViewMode.CLEAN, view)

    @cached_property
    def sheet(self) -> SheetView:
        """Return the view of a table, created on first use."""
        view = SheetView(self)
        self._connect(view)
        return self._register(ViewMode.TABLE, view)

    def has_something_to_copy(self) -> bool:
        """Return whether text or a cell is selected."""
        return bool(self.view.selected().text) or (self.view is self.sheet and self.sheet.has_cell())

    @property
    def view(self) -> DocumentView:
        """Return the current view."""
        return self.pages if self.shows_pages else self.written

    @property
    def written(self) -> WrittenView:
        """Return the view that receives the lines."""
        return self._view_of(self._mode)

    @property
    def mode(self) -> ViewMode:
        """Return the current view mode."""
        return ViewMode.PRINTED if self.shows_pages else self._mode

    @property
    def modes(self) -> tuple[ViewMode, ...]:
        """Return the view modes on offer."""
        return self._modes

    @property
    def shows_pages(self) -> bool:
        """Return whether the printed pages are shown."""
        return self.currentWidget() is self.pages

    @property
    def has_pages(self) -> bool:
        """Return whether the printed pages can be shown."""
        return self._file is not None

    @property
    def file(self) -> PrintedFile | None:
        """Return the file whose pages can be shown, or None."""
        return self._file

    def begin(self, found: DocumentFound, file: PrintedFile | None, *, same_document: bool) -> None:
        """Show a found document; `same_document`: it is already open and only the target is another."""
        self._layout = found.layout
        self._cited = (found.first_line, found.last_line)
        self.marked = ()
        same_document = same_document and modes_of(found, printed=file is not None) == self._modes
        self._modes = modes_of(found, printed=file is not None)
        if not same_document:
            self._mode = next(mode for mode in self._modes if mode is not ViewMode.PRINTED)
        for view in self._offered_views():
            if same_document:
                view.retarget(found)
            else:
                view.begin(found)
            view.show_citation(found.first_line, found.last_line)
        if file is not None and file != self._file:
            self.pages.open_file(file, found.layout)
        if file is not None and (file != self._file or not same_document):
            self.setCurrentWidget(self.pages)
        if file is None:
            self._show(self._mode)
        self._file = file
        self.pages.show_citation(found.first_line, found.last_line)
        if not found.first_line:
            self.pages.reveal(found.target.first_line)
        self.mode_changed.emit()
        self._report_percent()

    def choose(self, mode: ViewMode) -> None:
        """Change the view mode and keep the position."""
        if mode not in self._modes or mode is self.mode:
            return
        line = self._cited[0] if self.shows_line(self._cited[0]) else self.first_visible_line()
        self._show(mode)
        self.view.reveal(line)
        if mode is not ViewMode.PRINTED:
            self.written.read_finished()  # the lines read so far went to another view
        self.mode_changed.emit()
        self._report_percent()
        self.focus_document()

    @Slot()
    def focus_document(self) -> None:
        """Move the keyboard focus to the current view."""
        self._widgets[self.mode].setFocus()

    @Slot()
    def select_all(self) -> None:
        """Select the whole text, or the current page."""
        if self.shows_pages:
            self.pages.selectAll()
        else:
            self.written.select_all()

    def first_visible_line(self) -> int:
        """Return the first visible line."""
        return self.view.first_visible_line()

    def shows_line(self, line: int) -> bool:
        """Return whether a line, or at least its page, is visible."""
        if line < 1:
            return False
        if self.shows_pages:
            return page_of(self._layout.pages, line) == self.pages.page
        first, last = self.written.visible_lines()
        return first <= line <= last

    def show_matches(self, pattern: str, matches: Sequence[Match], current: int) -> None:
        """Mark the matches in every view, so that they are there when the mode changes."""
        self.pages.set_pattern(pattern)
        views: list[DocumentView] = [*self._offered_views(), self.pages]
        for view in views:
            view.show_matches(matches, current)

    def show_quote(self, quote: QuoteFound) -> None:
        """Mark the quote."""
        self.marked = quote.offsets
        for view in self._offered_views():
            view.show_quote(quote.marks)
        self.pages.show_quote(quote)

    def show_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the bookmarked passages, each given as (first, last) line."""
        self._bookmarked = bookmarked
        for view in self._views.values():
            view.show_bookmarked(bookmarked)
        self.pages.show_bookmarked(bookmarked)

    def go_to_match(self, match: Match) -> None:
        """Scroll to a match."""
        self.view.go_to_match(match)

    def go_to_line(self, line: int) -> None:
        """Scroll to a line and focus the view."""
        self.view.reveal(line)
        self.focus_document()

    def return_to(self, line: int) -> None:
        """Scroll so that a line is the first visible one again, and focus the view."""
        if self.shows_pages:
            self.pages.return_to(line)
        else:
            self.written.scroll_to(line)
        self.focus_document()

    def go_to_page(self, number: int) -> None:
        """Scroll to the top of a page."""
        self.pages.reveal_position(number)
        self.pages.setFocus()

    @Slot(int)
    def zoom(self, steps: int) -> None:
        """Zoom in (1) or out (-1)."""
        if self.shows_pages:
            self.pages.zoom(steps)
        else:
            self.zoom_chosen.emit(max(_LEAST_ZOOM, min(_MAX_ZOOM, self._zoom + steps)))

    @Slot(int)
    def zoom_to(self, percent: int) -> None:
        """Set the zoom in percent; 0 is the default."""
        if self.shows_pages:
            if percent:
                self.pages.set_scale(percent / 100 * _POINT)
            else:
                self.pages.set_fit(Fit.WIDTH)
        else:
            points = text_font().pointSizeF() * (percent / 100 - 1) if percent else 0
            self.zoom_chosen.emit(max(_LEAST_ZOOM, min(_MAX_ZOOM, round(points))))

    def set_text_zoom(self, points: int) -> None:
        """Enlarge the text of all views by this many points."""
        self._zoom = points
        for view in self._views.values():
            view.set_zoom(points)
        self._report_percent()

    def changeEvent(self, event: QEvent) -> None:
        """Give the views the new font size of the window."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange and hasattr(self, "_views"):
            self.set_text_zoom(self._zoom)

    def _offered_views(self) -> list[WrittenView]:
        return [self._view_of(mode) for mode in self._modes if mode is not ViewMode.PRINTED]

    def _view_of(self, mode: ViewMode) -> WrittenView:
        match mode:
            case ViewMode.CLEAN:
                return self.rendered
            case ViewMode.TABLE:
                return self.sheet
            case _:
                return self.text

    def _connect(self, source: LineEditor | RenderedView | SheetView) -> None:
        source.zoom_requested.connect(self.zoom)
        source.view_changed.connect(self.moved)
        source.menu_requested.connect(self.menu_requested)

    def _register(self, mode: ViewMode, view: View) -> View:
        """Set up and register a new view."""
        view.lines_requested.connect(self._on_lines_requested)
        view.set_zoom(self._zoom)
        view.show_bookmarked(self._bookmarked)
        self._views[mode] = view
        self._widgets[mode] = view
        self.addWidget(view)
        return view

    def _show(self, mode: ViewMode) -> None:
        if mode is not ViewMode.PRINTED:
            self._mode = mode
        self.setCurrentWidget(self._widgets[mode])

    @Slot(int, int)
    def _on_lines_requested(self, first: int, count: int) -> None:
        if self.sender() is self._widgets[self._mode]:
            self.lines_requested.emit(first, count)

    @Slot()
    def _report_percent(self) -> None:
        usual = text_font().pointSizeF()
        share = self.pages.scale / _POINT if self.shows_pages else (usual + self._zoom) / usual
        self.percent_changed.emit(round(share * 100))

    @Slot(int, int)
    def _on_page_changed(self, _page: int, _count: int) -> None:
        self.moved.emit()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        self._file = None
        self._modes = tuple(mode for mode in self._modes if mode is not ViewMode.PRINTED)
        self._show(self._mode)
        self.mode_changed.emit()
        self._report_percent()
        self.pages_refused.emit(reason)


# The words that copying and bookmarking apply to: the selection, else the citation, else the visible line.

_MAX_LINES = 400  # more is not quoted by pressing a button
_LONGEST_BOOKMARK = 5_000  # characters; its first words suffice to locate it again


@dataclass(frozen=True, slots=True)
class PickedWords:
    """Words of a document and their lines."""

    words: str
    first_line: int
    last_line: int


class TargetPicker(QObject):
    """Reads words that are not loaded from the catalog first; a new request replaces an older one."""

    copied = Signal(str)  # the quote with its reference, or the link, that was copied

    def __init__(self, body: DocumentBody, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._body = body
        self._retriever = retriever
        self._target: Target | None = None
        self._found: DocumentFound | None = None
        self._reader = LatestOnlyWorker("gathering", self._on_text_read, self)
        self._lines = (0, 0)
        self._then: Callable[[PickedWords], None] | None = None

    def begin(self, target: Target, found: DocumentFound | None) -> None:
        """Use another target, and its document once it is resolved."""
        self._target, self._found = target, found

    def cited_lines(self) -> tuple[int, int]:
        """Return the cited lines in the current text, or else in the cited one; 0 without any."""
        if self._found is not None and self._found.first_line:
            return self._found.first_line, self._found.last_line
        return (self._target.first_line, self._target.last_line) if self._target else (0, 0)

    def page_of(self, line: int) -> int | None:
        """Return the page of a line; None if it is unknown."""
        pages = self._found.layout.pages if self._found else ()
        return page_of(pages, line) if pages else (self._target.page if self._target else None)

    def path(self) -> str:
        """Return the path of the document now, or else when it was cited."""
        card = self._found.card if self._found else None
        return str(card.path) if card and card.path else (self._target.path if self._target else "")

    @Slot()
    def copy_link(self) -> None:
        """Copy a link to the selected, else the visible cited, else the first visible lines."""
        path, card, selected = self.path(), self._found.card if self._found else None, self._body.view.selected()
        if not path:
            return
        if selected.text.strip():
            first, last = selected.first_line, selected.last_line
        elif self._body.shows_line(self.cited_lines()[0]):
            first, last = self.cited_lines()
        else:
            first = last = self._body.first_visible_line()
        sha256 = card.sha256 if card else (self._target.sha256 if self._target else "")
        link = link_to(path, first, last, sha256)
        QGuiApplication.clipboard().setText(link)
        self.copied.emit(link)

    def copy(self, *, markdown: bool) -> None:
        """Copy the selected or else the cited words with their source."""
        self._pick(partial(self._copy, markdown=markdown))

    def pick_passage(self, then: Callable[[BookmarkedPassage], None]) -> None:
        """Call `then` with the selected passage, else the cited one if it is visible, else the first visible line."""
        if self._found is None or self._found.card is None:
            return
        pass_on = partial(self._pass_on, then)
        if self._body.view.selected().text.strip() or self._body.shows_line(self.cited_lines()[0]):
            self._pick(pass_on)
        else:
            line = self._body.first_visible_line()
            self._read(line, line, pass_on)

    def _pick(self, then: Callable[[PickedWords], None]) -> None:
        target, found, selected = self._target, self._found, self._body.view.selected()
        if selected.text.strip():
            then(PickedWords(selected.text, selected.first_line, selected.last_line))
        elif target is not None and target.quote.strip():
            then(PickedWords(target.quote, *self.cited_lines()))
        elif found is not None and found.card is not None and found.first_line:
            self._read(found.first_line, found.last_line, then)
        elif target is not None and target.passage.strip():
            then(PickedWords(target.passage, target.first_line, target.last_line))

    def _read(self, first: int, last: int, then: Callable[[PickedWords], None]) -> None:
        if self._found is None or self._found.card is None:
            return
        last = min(last, first + _MAX_LINES - 1)
        self._lines, self._then = (first, last), then
        self._reader.ask(partial(read_text, self._found.card.content, first, last, self._retriever))

    def _copy(self, picked: PickedWords, *, markdown: bool) -> None:
        card, first, last = self._found.card if self._found else None, picked.first_line, picked.last_line
        title = card.title if card else (self._target.title if self._target else "")
        place = (picked.words, title, self.path(), self.page_of(first) if first else None, first, last)
        sha256 = card.sha256 if card else ""
        text = formatting.markdown_quotation(*place, sha256) if markdown else formatting.quotation(*place)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    def _pass_on(self, then: Callable[[BookmarkedPassage], None], picked: PickedWords) -> None:
        card, first, last = self._found.card if self._found else None, picked.first_line, picked.last_line
        words = picked.words.strip()[:_LONGEST_BOOKMARK]
        if card is not None and first and words:
            then(BookmarkedPassage(card.sha256, self.path(), card.title, self.page_of(first), first, last, words))

    @Slot(TextRead)
    def _on_text_read(self, event: TextRead) -> None:
        if self._then is not None:
            self._then(PickedWords(event.text, *self._lines))
