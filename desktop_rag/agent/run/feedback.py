"""User feedback to a running agent: notes, passages to keep or discard, more budget, a pause.

Any thread sends feedback; the run's thread applies it between two steps, so that no step is disturbed half-way. Only a
pause holds a step, too: what the model writes waits until the run is resumed.
"""

import threading
import time
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from desktop_rag.agent.events import AgentEvent, Remark
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.context import MessageContext
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.llm.chat import UserMessage
from desktop_rag.stop import POLL_SECONDS, Nudge, Stop
from desktop_rag.text.display import shorten

_NOTE = "The user says while you work: {text}"
_PINNED = "The user marked {name} (“{title}”) as important: keep it in mind and use it if it answers the question."
_DISCARDED = "The user discarded {name} (“{title}”): do not use it, do not cite it, look elsewhere."
_MORE = "The user wants more like {name} (“{title}”): search for passages similar to it next."

_EmptiedCalls = Generator[AgentEvent, None, frozenset[str]]


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


def wait_while_paused(feedback: Feedback | None, budget: RunBudget, stop: Stop) -> Generator[AgentEvent, None, float]:
    """Wait while the run is paused, if it takes feedback; return for how many seconds. Raises `Stopped`."""
    if feedback is None or not feedback.paused:
        return 0.0
    started = time.monotonic()
    yield Remark(budget.step, "paused", "Paused")
    feedback.wait_until_resumed(stop)
    seconds = time.monotonic() - started
    budget.paused += seconds
    yield Remark(budget.step, "resumed", "Resumed")
    return seconds


def apply_feedback(
    feedback: Feedback, budget: RunBudget, context: MessageContext, tools: ToolContext, stop: Stop
) -> _EmptiedCalls:
    """Wait while the run is paused, then apply the queued items; return the calls whose results left the context.

    Raises `Stopped`.
    """
    yield from wait_while_paused(feedback, budget, stop)
    emptied = frozenset[str]()
    for item in feedback.drain():
        emptied |= yield from _apply(item, budget, context, tools)
    return emptied


def _apply(item: FeedbackItem, budget: RunBudget, context: MessageContext, tools: ToolContext) -> _EmptiedCalls:
    match item:
        case FeedbackNote(text):
            context.add(UserMessage(_NOTE.format(text=text), aside=True))
            yield Remark(budget.step, "note", text)
        case BudgetExtension():
            budget.extend()
            yield Remark(budget.step, "extended", "More steps allowed")
        case AnswerReserve(tokens):
            context.keep_for_answer(tokens)
        case PassageFeedback():
            return (yield from _apply_to_passage(item, budget, context, tools))
    return frozenset()


def _apply_to_passage(
    item: PassageFeedback, budget: RunBudget, context: MessageContext, tools: ToolContext
) -> _EmptiedCalls:
    reference = tools.references.get(item.reference)
    emptied = frozenset[str]()
    if reference is None:
        return emptied
    title = shorten(reference.title)
    match item.kind:
        case "pin":
            context.pin(reference.name)
            text, remark = _PINNED, f"Marked as important: {title}"
        case "discard":
            emptied = context.drop(reference.name)
            tools.lines_read.drop(reference.content, reference.first_line, reference.last_line)
            tools.discarded.add(reference.name)
            text, remark = _DISCARDED, f"Discarded: {title}"
        case "more":
            text, remark = _MORE, f"More like: {title}"
    context.add(UserMessage(text.format(name=reference.name, title=title), aside=True))
    yield Remark(budget.step, item.kind, remark)
    return emptied
