"""The document itself: its text or its printed pages, whichever is chosen and can be had."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.documents.document import page_of
from desktop_rag.gui.theme import text_font
from desktop_rag.gui.viewer.events import DocumentFound
from desktop_rag.gui.viewer.page_desk import PageDesk
from desktop_rag.gui.viewer.page_view import Fit
from desktop_rag.gui.viewer.page_wishes import PrintedFile
from desktop_rag.gui.viewer.printed_pages import PrintedPages
from desktop_rag.gui.viewer.text_pane import TextPane
from desktop_rag.gui.viewer.view import DocumentView, Match
from desktop_rag.index.records import Layout

_POINT = 96 / 72  # pixels a point at 100 %
_LEAST_ZOOM, _MOST_ZOOM = -4, 20


class DocumentBody(QStackedWidget):
    """Text and pages side by side in time: what is shown in one is shown in the other at the same place."""

    mode_changed = Signal()  # pages instead of text, or can be chosen now, or not any more
    percent_changed = Signal(int)  # how large it is shown
    pages_refused = Signal(str)  # the printed pages cannot be shown: why
    moved = Signal()  # another place is looked at
    zoom_chosen = Signal(int)  # texts are to be shown this many points larger than usual

    def __init__(self, desk: PageDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = TextPane(self)
        self.pages = PrintedPages(desk, self)
        self._layout = Layout(b"", (), b"")
        self._file: PrintedFile | None = None
        self._cited = (0, -1)
        self._zoom = 0
        self.addWidget(self.text)
        self.addWidget(self.pages)
        self.text.editor.zoom_requested.connect(self.zoom)
        self.text.editor.view_changed.connect(self.moved)
        self.pages.page_changed.connect(self._on_page_changed)
        self.pages.zoom_changed.connect(self._tell_percent)
        self.pages.refused.connect(self._on_refused)

    @property
    def view(self) -> DocumentView:
        """Return the way in which the document is shown now."""
        return self.pages if self.shows_pages else self.text

    @property
    def shows_pages(self) -> bool:
        """Return whether the printed pages are shown now."""
        return self.currentWidget() is self.pages

    @property
    def has_pages(self) -> bool:
        """Return whether the printed pages can be shown."""
        return self._file is not None

    @property
    def file(self) -> PrintedFile | None:
        """Return the file whose pages can be shown."""
        return self._file

    def begin(self, found: DocumentFound, file: PrintedFile | None, *, again: bool) -> None:
        """Show a found document; `again`: the one that is open already, at another place."""
        self._layout = found.layout
        self._cited = (found.first_line, found.last_line)
        if again:
            self.text.go_on(found)
        else:
            self.text.begin(found)
        self.text.show_citation(found.first_line, found.last_line)
        if file is not None and file != self._file:
            self.pages.open_file(file, found.layout)
        if file is not None and (file != self._file or not again):
            self.setCurrentWidget(self.pages)
        if file is None:
            self.setCurrentWidget(self.text)
        self._file = file
        self.pages.show_citation(found.first_line, found.last_line)
        if not found.first_line:
            self.pages.reveal(found.target.first_line)
        self.mode_changed.emit()
        self._tell_percent()

    def choose(self, *, pages: bool) -> None:
        """Show pages or text, at the place that was looked at in the other."""
        pages = pages and self.has_pages
        if pages == self.shows_pages:
            return
        line = self._cited[0] if self.sees(self._cited[0]) else self.seen_line()
        self.setCurrentWidget(self.pages if pages else self.text)
        self.view.reveal(line)
        self.mode_changed.emit()
        self._tell_percent()
        self.focus_document()

    @Slot()
    def focus_document(self) -> None:
        """Let the keyboard scroll what is shown."""
        (self.pages if self.shows_pages else self.text).setFocus()

    @Slot()
    def select_all(self) -> None:
        """Select the whole text, or the page that is read."""
        if self.shows_pages:
            self.pages.selectAll()
        else:
            self.text.editor.selectAll()

    def seen_line(self) -> int:
        """Return the first line that is looked at."""
        return self.view.seen_line()

    def sees(self, line: int) -> bool:
        """Return whether a line is looked at, or at least its page."""
        if line < 1:
            return False
        if self.shows_pages:
            return page_of(self._layout.pages, line) == self.pages.page
        first, last = self.text.editor.seen()
        return first <= line <= last

    def show_matches(self, pattern: str, matches: Sequence[Match], current: int) -> None:
        """Mark what was searched for in every view: another may be chosen."""
        self.pages.set_pattern(pattern)
        for view in (self.text, self.pages):
            view.show_matches(matches, current)

    def go_to_match(self, match: Match) -> None:
        """Bring a match into sight."""
        self.view.go_to_match(match)

    def go_to_line(self, line: int) -> None:
        """Bring a line into sight and let the keyboard scroll from there."""
        self.view.reveal(line)
        self.focus_document()

    def go_to_page(self, number: int) -> None:
        """Show a page from its top."""
        self.pages.reveal_place(number)
        self.pages.setFocus()

    @Slot(int)
    def zoom(self, steps: int) -> None:
        """Show text or pages larger (1) or smaller (-1)."""
        if self.shows_pages:
            self.pages.zoom(steps)
        else:
            self.zoom_chosen.emit(max(_LEAST_ZOOM, min(_MOST_ZOOM, self._zoom + steps)))

    @Slot(int)
    def zoom_to(self, percent: int) -> None:
        """Show text or pages at this size; 0 is the usual one."""
        if self.shows_pages:
            if percent:
                self.pages.set_scale(percent / 100 * _POINT)
            else:
                self.pages.set_fit(Fit.WIDTH)
        else:
            points = text_font().pointSizeF() * (percent / 100 - 1) if percent else 0
            self.zoom_chosen.emit(max(_LEAST_ZOOM, min(_MOST_ZOOM, round(points))))

    def set_text_zoom(self, points: int) -> None:
        """Show the text this many points larger than usual."""
        self._zoom = points
        self.text.set_zoom(points)
        self._tell_percent()

    @Slot()
    def _tell_percent(self) -> None:
        usual = text_font().pointSizeF()
        share = self.pages.scale / _POINT if self.shows_pages else (usual + self._zoom) / usual
        self.percent_changed.emit(round(share * 100))

    @Slot(int, int)
    def _on_page_changed(self, _page: int, _count: int) -> None:
        self.moved.emit()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        self._file = None
        self.setCurrentWidget(self.text)
        self.mode_changed.emit()
        self._tell_percent()
        self.pages_refused.emit(reason)
