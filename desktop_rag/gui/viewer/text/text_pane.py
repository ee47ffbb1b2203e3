"""The text view: a window of loaded lines in a document of any length, with a scroll bar for all of it."""

from collections.abc import Generator, Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPlainTextEdit, QScrollBar, QWidget

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.theme.theme import mono_font, text_font
from desktop_rag.gui.viewer.document_loading import window_size
from desktop_rag.gui.viewer.document_view import Match, Selected
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.text.line_highlights import LineHighlights, color_code, color_prose
from desktop_rag.gui.viewer.viewer_events import TABLES, DocumentFound, LinesLoaded, LinesTokenized, Mark
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.stop import Stop

# Syntax highlighting of the visible lines in the background, with a margin above and below.

_MARGIN = 120  # lines above and below the visible ones
_CONTEXT = 100  # lines of context before those: a string or comment may be open
_PAUSE_MS = 25

_CODE = (Format.CODE, Format.DATA)
_PLAIN = (Format.TABLE, Format.LOG)


class BackgroundColoring(QObject):
    """Follows the editor and colours lines as they become visible."""

    def __init__(self, editor: LineEditor, highlights: LineHighlights, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._highlights = highlights
        self._format = ""
        self._name = ""
        self._kinds = b""
        self._requested: tuple[int, int] | None = None
        self.worker = LatestOnlyWorker("coloring", self._on_event, self)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._color_visible)
        editor.view_changed.connect(self._on_view_changed)
        self.worker.finished.connect(self._on_finished)

    def begin(self, format_name: str, path: str, kinds: bytes) -> None:
        """Switch to another document."""
        self.worker.stop()
        self._format, self._name, self._kinds = format_name, PurePath(path).name, kinds
        self._requested = None
        self._pause.start()

    @Slot()
    def _on_view_changed(self) -> None:
        if not self._pause.isActive():
            self._pause.start()

    @Slot()
    def _color_visible(self) -> None:
        if self.worker.is_busy() or not self._format or self._format in _PLAIN:
            return
        first, last = self._editor.visible_lines()
        first, last = max(self._editor.first_line, first), min(self._editor.last_line, last)
        if not any(self._highlights.lacks_tokens(line) for line in range(first, last + 1)):
            return
        first, last = max(self._editor.first_line, first - _MARGIN), min(self._editor.last_line, last + _MARGIN)
        start = max(self._editor.first_line, first - _CONTEXT)
        lines = self._editor.text_of(start, last).split("\n")
        self._requested = (first, last)
        self.worker.ask(partial(_color, self._format, self._name, self._kinds, tuple(lines), start, first - start))

    @Slot(LinesTokenized)
    def _on_event(self, event: LinesTokenized) -> None:
        if self._requested is not None:
            self._highlights.set_tokens(event)

    @Slot()
    def _on_finished(self) -> None:
        if self._requested is not None:
            first, last = self._requested
            self._requested = None
            self._highlights.fill_missing(first, last)  # "no tokens" is a result too
        self._pause.start()


def _color(
    format_name: str, name: str, kinds: bytes, lines: tuple[str, ...], start: int, skipped: int, stop: Stop
) -> Generator[LinesTokenized]:
    if format_name in _CODE:
        yield from color_code(name, lines, start + skipped, skipped, stop)
    else:
        yield color_prose(lines[skipped:], start + skipped, kinds)


_NEAR = 300  # lines from the end of the loaded window at which more are requested
_MAX_LINES = 12_000
_MAX_CHARACTERS = 3_000_000
_BAR_PAUSE_MS = 60
_AS_CODE = (Format.CODE, Format.DATA, Format.LOG, *TABLES)


class TextPane(QWidget):
    """Shows the lines it receives and requests missing ones."""

    lines_requested = Signal(int, int)  # lines to read: first, count

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = LineEditor(self)
        self.highlights = LineHighlights(self.editor)
        self.coloring = BackgroundColoring(self.editor, self.highlights, self)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        self.bar.setAccessibleName(self.tr("Position in the document"))
        self.bar.hide()
        self._total = 0
        self._whole = False
        self._goal = 0  # a line to be revealed once it is loaded
        self._match: Mark | None = None  # to be selected once it is loaded
        self._reading = False
        self._zoom = 0
        self._prose = True
        self._bar_pause = QTimer(self, interval=_BAR_PAUSE_MS, singleShot=True)
        in_row(self.editor, self.bar, on=self, spacing=0)
        self.setFocusProxy(self.editor)
        self.editor.view_changed.connect(self._on_view_changed)
        self.bar.valueChanged.connect(self._on_bar_moved)
        self._bar_pause.timeout.connect(self._go_to_bar)

    def begin(self, found: DocumentFound) -> None:
        """Show another document; its lines arrive with `add_lines`."""
        card = found.card
        self._reading = True
        self._goal = found.first_line or found.target.first_line
        self._total = card.lines if card else 0
        self._whole = card is None  # only the stored passage is left
        self.highlights.clear()
        self.editor.set_lines(1, ())
        self._prose = card is None or card.format not in _AS_CODE
        self.set_wrap(wrap=self._prose)
        self._apply_font()
        kind = card.format if card else Format.TEXT
        self.coloring.begin(kind, str((card and card.path) or found.target.path), found.layout.kinds)

    def retarget(self, found: DocumentFound) -> None:
        """Show another target in the open document."""
        self._reading = True
        self._goal = found.first_line or found.target.first_line

    def show_citation(self, first: int, last: int) -> None:
        """Highlight these lines (none if `first` is 0) and scroll to them."""
        self.editor.set_cited(first, last if first else -1)
        self.highlights.set_quote(())
        if first:
            self.reveal(first)

    def show_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quote, and scroll to it if there are many cited lines."""
        self.highlights.set_quote(marks)
        first, last = self.editor.cited
        if marks and last - first > 8:
            self.reveal(marks[0][0])

    def add_lines(self, read: LinesLoaded) -> None:
        """Extend the loaded lines by adjacent ones, or replace them."""
        editor = self.editor
        self._total = read.total
        editor.set_total(read.first + len(read.lines) - 1 if len(read.lines) == read.total else read.total)
        if read.lines:
            self._add(read)
        self.highlights.lines_changed()
        self._fit_bars()
        self._show_goal()
        self.highlights.refresh()

    def _add(self, read: LinesLoaded) -> None:
        editor = self.editor
        after = read.first + len(read.lines)
        if editor.last_line < editor.first_line or read.first > editor.last_line + 1 or after < editor.first_line:
            editor.set_lines(read.first, read.lines)
            return
        if after > editor.last_line + 1:
            editor.append_lines(read.lines[editor.last_line + 1 - read.first :])
            self._trim(above=True)
        if read.first < editor.first_line:
            editor.prepend_lines(read.lines[: editor.first_line - read.first])
            self._trim(above=False)

    def _show_goal(self) -> None:
        if self._goal and self.editor.holds(self._goal):
            goal, self._goal = self._goal, 0
            if self._match and self._match[0] == goal:
                self.editor.select(*self._match)
            self._match = None
            self.editor.reveal(goal)

    def read_finished(self) -> None:
        """Note that the read job has finished, and request lines that are still missing."""
        self._reading = False
        self._request_goal()
        self._request_missing()

    def reveal(self, line: int) -> None:
        """Scroll to `line`, loading it first if necessary."""
        line = max(1, min(line, self._total or line))
        if self.editor.holds(line):
            self.editor.reveal(line)
            return
        self._goal = line
        self._request_goal()

    def first_visible_line(self) -> int:
        """Return the first visible line."""
        return self.editor.visible_lines()[0]

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and last line that are at least partly visible."""
        return self.editor.visible_lines()

    def show_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the bookmarked passages, each given as (first, last) line."""
        self.editor.set_bookmarked(bookmarked)

    def scroll_to(self, line: int) -> None:
        """Scroll so that `line` is the first visible one, or reveal it once it is loaded."""
        if self.editor.holds(line):
            self.editor.scroll_to(line)
        else:
            self.reveal(line)

    def highlighted_text(self) -> str:
        """Return the text of the highlighted lines that are loaded."""
        first, last = self.editor.cited
        return self.editor.text_of(first, last) if first else ""

    def select_all(self) -> None:
        """Select everything that is loaded."""
        self.editor.selectAll()

    def selected(self) -> Selected:
        """Return the selection."""
        return Selected(*self.editor.selection())

    def copy(self) -> None:
        """Copy the selection to the clipboard."""
        self.editor.copy()

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark the matches."""
        self.highlights.set_matches(matches, current)

    def go_to_match(self, match: Match) -> None:
        """Select a match and scroll to it."""
        self._match = match[0]
        self._goal = match[0][0]
        if self.editor.holds(self._goal):
            self._show_goal()
        else:
            self._request_goal()

    def set_wrap(self, *, wrap: bool) -> None:
        """Turn line wrapping on or off."""
        modes = QPlainTextEdit.LineWrapMode
        first = self.editor.visible_lines()[0]
        self.editor.setLineWrapMode(modes.WidgetWidth if wrap else modes.NoWrap)
        if self.editor.holds(first):
            self.editor.reveal(self.editor.cited[0] if self.editor.holds(self.editor.cited[0]) else first)

    def wraps(self) -> bool:
        """Return whether long lines are wrapped."""
        return self.editor.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth

    def set_zoom(self, steps: int) -> None:
        """Enlarge the text by this many points."""
        self._zoom = steps
        self._apply_font()

    @Slot()
    def _apply_font(self) -> None:
        font = QFont(text_font(self._zoom) if self._prose else mono_font(self._zoom))
        self.editor.setFont(font)
        self.editor.setTabStopDistance(self.editor.fontMetrics().horizontalAdvance(" ") * (8 if self._prose else 4))
        self.highlights.restyle()

    def _trim(self, *, above: bool) -> None:
        editor = self.editor
        count = editor.last_line - editor.first_line + 1
        if count <= _MAX_LINES and editor.document().characterCount() <= _MAX_CHARACTERS:
            return
        drop = count // 3
        seen = editor.visible_lines()
        if above and seen[0] > editor.first_line + drop:
            editor.drop_above(drop)
        elif not above and seen[1] < editor.last_line - drop:
            editor.drop_below(drop)

    def _fit_bars(self) -> None:
        """Use the editor's own scroll bar once everything is loaded."""
        whole = self._whole or self.editor.last_line - self.editor.first_line + 1 >= self._total
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if whole else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.editor.setVerticalScrollBarPolicy(policy)
        self.bar.setVisible(not whole)
        self._follow()

    def _follow(self) -> None:
        if self.bar.isHidden() or self.bar.isSliderDown() or self._bar_pause.isActive():
            return
        first, last = self.editor.visible_lines()
        with QSignalBlocker(self.bar):
            page = max(1, last - first)
            self.bar.setRange(1, max(1, self._total - page + 1))
            self.bar.setPageStep(page)
            self.bar.setValue(first)

    def _request_missing(self) -> None:
        editor = self.editor
        if self._reading or self._goal or self._whole or editor.last_line < editor.first_line:
            return
        first, last = editor.visible_lines()
        count = window_size(editor.text_of(first, last + 50).split("\n"))
        if last > editor.last_line - min(_NEAR, count) and editor.last_line < self._total:
            self._request_lines(editor.last_line + 1, count)
        elif first < editor.first_line + min(_NEAR, count) and editor.first_line > 1:
            start = max(1, editor.first_line - count)
            self._request_lines(start, editor.first_line - start)

    def _request_lines(self, first: int, count: int) -> None:
        self._reading = True
        self.lines_requested.emit(first, count)

    def _request_goal(self) -> None:
        """Request the lines around the goal, unless a read job is running: it may be among its lines."""
        if self._reading or not self._goal or self.editor.holds(self._goal) or self._goal > self._total:
            return
        seen = self.editor.text_of(self.editor.first_line, self.editor.first_line + 100).split("\n")
        count = min(300, window_size(seen))
        self._request_lines(max(1, self._goal - count // 3), count)

    @Slot()
    def _on_view_changed(self) -> None:
        self._follow()
        self._request_missing()

    @Slot()
    def _on_bar_moved(self) -> None:
        self._bar_pause.start()

    @Slot()
    def _go_to_bar(self) -> None:
        line = self.bar.value()
        if self.editor.holds(line):
            self.editor.scroll_to(line)
        else:
            self.reveal(line)

    def changeEvent(self, event: QEvent) -> None:
        """Apply the colours of the new theme, and the font, which a new style sheet resets."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.highlights.restyle()
        elif event.type() == QEvent.Type.StyleChange:
            QTimer.singleShot(0, self, self._apply_font)
