"""Search in the whole open document."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.viewer.document_loading import find_in
from desktop_rag.gui.viewer.document_view import Match
from desktop_rag.gui.viewer.tabs.find_bar import FindBar
from desktop_rag.gui.viewer.viewer_events import FoundPlace, MatchesFound
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Retriever


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
