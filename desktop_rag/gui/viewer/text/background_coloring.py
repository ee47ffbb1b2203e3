"""Syntax highlighting of the visible lines in the background, with a margin above and below."""

from collections.abc import Generator
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.text.line_highlights import LineHighlights
from desktop_rag.gui.viewer.text.syntax_tokens import color_code, color_prose
from desktop_rag.gui.viewer.viewer_events import LinesTokenized
from desktop_rag.stop import Stop

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
