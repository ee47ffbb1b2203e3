"""Lets one of several long answers go on in a turn of the event loop."""

from functools import cache
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot
from shiboken6 import isValid

_PAUSE_MS = 8


class Renders(Protocol):
    """What can wait in the queue."""

    def flush(self) -> None:
        """Render the next part."""


class AnswerQueue(QObject):
    """The answers that are complete, but not yet rendered to their end."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Renders] = []
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(_PAUSE_MS)
        self._turn.timeout.connect(self._on_turn)

    def add(self, answer: Renders) -> None:
        """Let `answer` render its next part when its turn comes."""
        self.remove(answer)
        self._waiting.append(answer)
        if not self._turn.isActive():
            self._turn.start()

    def remove(self, answer: Renders) -> None:
        """Forget `answer`."""
        self._waiting = [each for each in self._waiting if each is not answer]

    def holds(self, answer: Renders) -> bool:
        """Return whether `answer` waits."""
        return any(each is answer for each in self._waiting)

    @Slot()
    def _on_turn(self) -> None:
        while self._waiting:
            answer = self._waiting.pop(0)
            if isValid(answer):
                answer.flush()
                break
        if self._waiting:
            self._turn.start()


@cache
def answer_queue() -> AnswerQueue:
    """Return the queue of this program; for the GUI thread alone."""
    return AnswerQueue()
