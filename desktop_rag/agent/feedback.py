"""User feedback to a running agent: notes, passages to keep or discard, more budget, a pause.

Any thread sends feedback; the run's thread applies it between two steps, so that no step is disturbed half-way. Only a
pause holds a step, too: what the model writes waits until the run is resumed.
"""

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Literal

from desktop_rag.stop import POLL_SECONDS, Nudge, Stop


@dataclass(frozen=True, slots=True)
class FeedbackNote:
    """A message for the model, delivered before its next step."""

    text: str


PassageFeedbackKind = Literal["pin", "discard", "more"]


@dataclass(frozen=True, slots=True)
class PassageFeedback:
    """The user's verdict on a passage that the run has found."""

    reference: str
    kind: PassageFeedbackKind


@dataclass(frozen=True, slots=True)
class BudgetExtension:
    """Permission to exceed every limit by the amounts in `budget.EXTENSION`."""


@dataclass(frozen=True, slots=True)
class AnswerReserve:
    """The tokens of the context to keep for the answer."""

    tokens: int


FeedbackItem = FeedbackNote | PassageFeedback | BudgetExtension | AnswerReserve


class Feedback:
    """The queue of a user's feedback to one run, and its pause switch; every method is thread-safe."""

    def __init__(self, *, asks: bool = False) -> None:
        """`asks`: the user can be asked whether to raise a limit."""
        self.asks = asks
        self.nudge = Nudge()  # repeats a failed request at once
        self._decision: bool | None = None
        self._decided = threading.Event()
        self._items: deque[FeedbackItem] = deque()
        self._running = threading.Event()
        self._running.set()

    def send(self, item: FeedbackItem) -> None:
        """Queue an item; the run applies it before its next step."""
        self._items.append(item)

    def drain(self) -> tuple[FeedbackItem, ...]:
        """Remove and return the queued items, oldest first."""
        drained: list[FeedbackItem] = []
        while self._items:
            drained.append(self._items.popleft())
        return tuple(drained)

    def begin_question(self) -> None:
        """Forget earlier decisions: the user is about to be asked."""
        self._decision = None
        self._decided.clear()

    def decide(self, *, allowed: bool) -> None:
        """Answer the question whether to raise a limit."""
        self._decision = allowed
        self._decided.set()

    def wait_for_decision(self, seconds: float | None, stop: Stop) -> bool:
        """Block until the user has decided, False after `seconds` (None: no end); raises `Stopped`."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._decided.wait(POLL_SECONDS):
            stop.check()
            if until is not None and time.monotonic() >= until:
                return False
        return bool(self._decision)

    def pause(self) -> None:
        """Make the run wait at the next words of the model or before its next step."""
        self._running.clear()

    def resume(self) -> None:
        """Let the run continue."""
        self._running.set()

    @property
    def paused(self) -> bool:
        """Return whether the run has to wait."""
        return not self._running.is_set()

    def wait_until_resumed(self, stop: Stop) -> None:
        """Block while paused; raises `Stopped`."""
        while not self._running.wait(POLL_SECONDS):
            stop.check()
        stop.check()
