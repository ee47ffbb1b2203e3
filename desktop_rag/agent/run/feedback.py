"""What a person says to a run while it works: notes, evidence to hold on to or drop, more budget, a pause.

The window's thread speaks, the run's thread listens between its steps.
"""

import threading
from collections import deque
from dataclasses import dataclass
from typing import Literal

from desktop_rag.stop import LOOK_SECONDS, Stop


@dataclass(frozen=True, slots=True)
class FeedbackNote:
    """Something the model should know or do from its next step on."""

    text: str


JudgementKind = Literal["pin", "discard", "more"]


@dataclass(frozen=True, slots=True)
class PassageFeedback:
    """What the person thinks of a passage the run has found."""

    reference: str
    kind: JudgementKind


@dataclass(frozen=True, slots=True)
class BudgetExtension:
    """Leave to work on: a third more of every limit, at least some steps."""


Wish = FeedbackNote | PassageFeedback | BudgetExtension


class Feedback:
    """Wishes of a person for one run; every method may be called from any thread."""

    def __init__(self) -> None:
        self._wishes: deque[Wish] = deque()
        self._go = threading.Event()
        self._go.set()

    def tell(self, wish: Wish) -> None:
        """Leave a wish; the run heeds it before its next step."""
        self._wishes.append(wish)

    def take(self) -> tuple[Wish, ...]:
        """Return the wishes left since last time."""
        taken: list[Wish] = []
        while self._wishes:
            taken.append(self._wishes.popleft())
        return tuple(taken)

    def pause(self) -> None:
        """Let the run wait before its next step."""
        self._go.clear()

    def resume(self) -> None:
        """Let the run go on."""
        self._go.set()

    @property
    def paused(self) -> bool:
        """Return whether the run is to wait."""
        return not self._go.is_set()

    def wait(self, stop: Stop) -> None:
        """Return when the run may go on; raises `Stopped`."""
        while not self._go.wait(LOOK_SECONDS):
            stop.check()
        stop.check()
