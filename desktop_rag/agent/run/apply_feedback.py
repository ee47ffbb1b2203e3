"""Applies the user's feedback to a run: to its messages, its budget and what it has read."""

from collections.abc import Generator

from desktop_rag.agent.budget import RunBudget
from desktop_rag.agent.events import AgentEvent, Remark
from desktop_rag.agent.feedback import (
    AnswerReserve,
    BudgetExtension,
    Feedback,
    FeedbackItem,
    FeedbackNote,
    PassageFeedback,
)
from desktop_rag.agent.run.context import MessageContext
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.llm.chat import UserMessage
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

_NOTE = "The user says while you work: {text}"
_PINNED = "The user marked {name} (“{title}”) as important: keep it in mind and use it if it answers the question."
_DISCARDED = "The user discarded {name} (“{title}”): do not use it, do not cite it, look elsewhere."
_MORE = "The user wants more like {name} (“{title}”): search for passages similar to it next."

_EmptiedCalls = Generator[AgentEvent, None, frozenset[str]]


def wait_while_paused(feedback: Feedback | None, budget: RunBudget, stop: Stop) -> Generator[AgentEvent]:
    """Wait while the run is paused, if it takes feedback. Raises `Stopped`."""
    if feedback is None or not feedback.paused:
        return
    budget.pause()
    yield Remark(budget.step, "paused", "Paused")
    feedback.wait_until_resumed(stop)
    budget.resume()
    yield Remark(budget.step, "resumed", "Resumed")


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
