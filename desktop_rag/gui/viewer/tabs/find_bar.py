"""The find bar of a document."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.formatting import number
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer.document_loading import find_in
from desktop_rag.gui.viewer.document_view import Match
from desktop_rag.gui.viewer.viewer_events import FoundPlace, MatchesFound
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Retriever

_PAUSE_MS = 180


class FindBar(QWidget):
    """A search field, the number of matches, and buttons to step through them."""

    pattern_changed = Signal(str)  # search for this; empty: clear the matches
    step_requested = Signal(int)  # go to the next (1) or the previous (-1) match
    list_toggled = Signal(bool)  # show or hide the list of matches
    closed = Signal()  # the bar was closed
    left = Signal()  # the bar was closed while it had the keyboard focus

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(self)
        self._field.setPlaceholderText(self.tr("Find in this document"))
        self._field.setAccessibleName(self.tr("Find in this document"))
        set_role(self._field, "filter")
        self._field.setAcceptDrops(False)
        self._found = Label(parent=self)
        set_role(self._found, "caption")
        self._previous = icons.IconButton("chevron-up", self.tr("Previous match"), self)
        self._previous.setObjectName("previous_match")
        self._next = icons.IconButton("chevron-down", self.tr("Next match"), self)
        self._next.setObjectName("next_match")
        self._list = icons.IconButton("list", self.tr("List all matches"), self)
        self._list.setCheckable(True)
        self._list.setChecked(True)
        self._close = icons.IconButton("close", self.tr("Close (Esc)"), self)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        in_row(
            (self._field, 1),
            *(self._found, self._previous, self._next, self._list, self._close),
            on=self,
            spacing=4,
            margins=(2 * GRID, 4, GRID, 4),
        )
        self._field.textEdited.connect(self._on_edited)
        self._pause.timeout.connect(self._on_pause)
        self._previous.clicked.connect(self._on_previous)
        self._next.clicked.connect(self._on_next)
        self._list.toggled.connect(self.list_toggled)
        self._close.clicked.connect(self.close_search)
        self.show_count(0, 0, more=False)
        self.hide()

    def open_search(self, text: str = "") -> None:
        """Show the bar with its field focused; search for `text` at once."""
        self.show()
        if text:
            self._field.setText(text)
        self._field.selectAll()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._on_pause()

    @Slot()
    def close_search(self) -> None:
        """Hide the bar and clear the matches."""
        self._pause.stop()
        focused = self.isAncestorOf(QApplication.focusWidget() or self)
        self.hide()
        self.closed.emit()
        if focused:
            self.left.emit()

    def show_count(self, current: int, total: int, *, more: bool) -> None:
        """Show that match `current` of `total` is shown; `more`: there are others beyond the limit."""
        text = ""
        if self._field.text().strip():
            text = self.tr("{0} of {1}").format(number(current), f"{number(total)}{'+' if more else ''}")
            text = text if total else self.tr("Not found")
        self._found.setText(text)
        for button in (self._previous, self._next):
            button.setEnabled(total > 0)

    def show_busy(self) -> None:
        """Show that the search is running; a large document takes seconds."""
        self._found.setText(self.tr("Searching…"))

    def lists(self) -> bool:
        """Return whether the matches are to be listed."""
        return self._list.isChecked()

    def show_listed(self, *, listed: bool) -> None:
        """Set the state of the list button."""
        with QSignalBlocker(self._list):
            self._list.setChecked(listed)

    def pattern(self) -> str:
        """Return the search text."""
        return self._field.text().strip()

    @Slot()
    def _on_edited(self) -> None:
        self._pause.start()

    @Slot()
    def _on_pause(self) -> None:
        self._pause.stop()
        self.pattern_changed.emit(self.pattern())

    @Slot()
    def _on_previous(self) -> None:
        self.step_requested.emit(-1)

    @Slot()
    def _on_next(self) -> None:
        self.step_requested.emit(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next match with Enter, close with Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._pause.isActive():
                self._on_pause()
            else:
                self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_search()
        else:
            super().keyPressEvent(event)


# Search in the whole open document.


class DocumentFinder(QObject):
    """Runs the searches of the find bar in the background and steps through the matches, in document order."""

    found = Signal()  # the matches have changed
    chosen = Signal(tuple)  # go to this Match

    def __init__(
        self, bar: FindBar, retriever: Retriever, first_visible_line: Callable[[], int], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._retriever = retriever
        self._first_visible_line = first_visible_line
        self._content: ContentId | None = None
        self._more = False
        self.places: tuple[FoundPlace, ...] = ()
        self.current = -1
        self.worker = LatestOnlyWorker("finding", self._on_event, self)
        self.worker.failed.connect(self._on_failed)
        bar.pattern_changed.connect(self._on_pattern_changed)
        bar.step_requested.connect(self.step)
        bar.closed.connect(self._on_closed)

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return the marks of each match."""
        return tuple(place.marks for place in self.places)

    def begin(self, content: ContentId | None) -> None:
        """Search in another document from now on."""
        if content == self._content:
            return
        self._content = content
        self._clear()
        if not self._bar.isHidden():
            self._on_pattern_changed(self._bar.pattern())

    @Slot(int)
    def step(self, by: int) -> None:
        """Go `by` matches on, wrapping around."""
        if self.places:
            self.choose((self.current + by) % len(self.places))

    @Slot(int)
    def choose(self, number: int) -> None:
        """Go to match `number`, from 0."""
        self.current = number
        self._show_count()
        self.chosen.emit(self.places[number].marks)

    def _clear(self) -> None:
        self.worker.stop()
        self.places, self.current, self._more = (), -1, False
        self._show_count()
        self.found.emit()

    def _show_count(self) -> None:
        self._bar.show_count(self.current + 1, len(self.places), more=self._more)

    @Slot(str)
    def _on_pattern_changed(self, pattern: str) -> None:
        if pattern and self._content is not None:
            self._bar.show_busy()
            self.worker.ask(partial(find_in, self._content, pattern, self._retriever))
        else:
            self._clear()

    @Slot(MatchesFound)
    def _on_event(self, event: MatchesFound) -> None:
        if event.pattern != self._bar.pattern():
            return
        self.places, self._more = event.places, event.more
        line = self._first_visible_line()
        after = (number for number, place in enumerate(self.places) if place.marks[0][0] >= line)
        self.current = next(after, 0 if self.places else -1)
        self._show_count()
        self.found.emit()
        if self.places:
            self.chosen.emit(self.places[self.current].marks)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self._clear()

    @Slot()
    def _on_closed(self) -> None:
        self._clear()
