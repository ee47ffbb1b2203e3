"""Which words of a document are meant when nobody says: the selected ones, else the cited ones, else the line read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Slot

from desktop_rag.gui.viewer.asking import Asker
from desktop_rag.gui.viewer.events import DocumentFound, TextGathered
from desktop_rag.gui.viewer.opening import gather_text
from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.viewer.view import Selected
from desktop_rag.retrieval.hits import Retriever

_MOST_LINES = 400  # nobody quotes more by pressing a button


@dataclass(frozen=True, slots=True)
class Picked:
    """Some words and the lines in which they stand."""

    words: str
    first_line: int
    last_line: int


Then = Callable[[Picked], None]


class Picker(QObject):
    """Words that are not at hand are read from the catalog first; only the newest wish is fulfilled."""

    def __init__(self, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._gatherer = Asker("gathering", self)
        self._lines = (0, 0)
        self._then: Then | None = None
        self._gatherer.answered.connect(self._on_gathered)

    def pick(self, selected: Selected, target: Target, found: DocumentFound | None, then: Then) -> None:
        """Call `then` with the selected words, or else with the cited ones, if there are any."""
        cited = (found.first_line, found.last_line) if found and found.first_line else None
        if selected.text.strip():
            then(Picked(selected.text, selected.first_line, selected.last_line))
        elif target.quote.strip():
            then(Picked(target.quote, *(cited or (target.first_line, target.last_line))))
        elif cited is not None and found is not None:
            self.pick_lines(found, *cited, then)
        elif target.passage.strip():
            then(Picked(target.passage, target.first_line, target.last_line))

    def pick_lines(self, found: DocumentFound, first: int, last: int, then: Then) -> None:
        """Call `then` with the words of some lines."""
        if found.card is None:
            return
        last = min(last, first + _MOST_LINES - 1)
        self._lines, self._then = (first, last), then
        self._gatherer.ask(partial(gather_text, found.card.content, first, last, self._retriever))

    @Slot(object)
    def _on_gathered(self, event: object) -> None:
        if isinstance(event, TextGathered) and self._then is not None:
            self._then(Picked(event.text, *self._lines))
