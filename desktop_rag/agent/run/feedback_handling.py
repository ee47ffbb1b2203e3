"""Carries out what a person told a run: between two steps, so that nothing half done is disturbed."""

import time
from collections.abc import Generator

from desktop_rag.agent.events import AgentEvent, Remark
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.context import Context
from desktop_rag.agent.run.feedback import BudgetExtension, Feedback, FeedbackNote, PassageFeedback, Wish
from desktop_rag.agent.tools.tool import ToolContext, shorten
from desktop_rag.llm.chat import UserMessage
from desktop_rag.stop import Stop

_TOLD = "The person says while you work: {text}"
_PINNED = "The person marked {name} (“{title}”) as important: keep it in mind and use it if it answers the question."
_DISCARDED = "The person set {name} (“{title}”) aside: do not use it, do not cite it, look elsewhere."
_MORE = "The person wants more like {name} (“{title}”): search for passages similar to it next."

_Done = Generator[AgentEvent, None, frozenset[str]]


def heed(steering: Feedback, budget: RunBudget, context: Context, tools: ToolContext, stop: Stop) -> _Done:
    """Wait while the person lets the run wait, and do what was asked for; raises `Stopped`.

    Returns the calls whose results left the context.
    """
    if steering.paused:
        began = time.monotonic()
        yield Remark(budget.step, "paused", "Paused")
        steering.wait(stop)
        budget.paused += time.monotonic() - began
        yield Remark(budget.step, "resumed", "Going on")
    emptied = frozenset[str]()
    for wish in steering.take():
        emptied |= yield from _carry_out(wish, budget, context, tools)
    return emptied


def _carry_out(wish: Wish, budget: RunBudget, context: Context, tools: ToolContext) -> _Done:
    match wish:
        case FeedbackNote(text):
            context.add(UserMessage(_TOLD.format(text=text), aside=True))
            yield Remark(budget.step, "note", text)
        case BudgetExtension():
            budget.extend()
            yield Remark(budget.step, "extended", "More steps allowed")
        case PassageFeedback():
            return (yield from _judge(wish, budget, context, tools))
    return frozenset()


def _judge(wish: PassageFeedback, budget: RunBudget, context: Context, tools: ToolContext) -> _Done:
    reference = tools.references.get(wish.reference)
    emptied = frozenset[str]()
    if reference is None:
        return emptied
    title = shorten(reference.title)
    match wish.kind:
        case "pin":
            context.pin(reference.name)
            text, said = _PINNED, f"Marked as important: {title}"
        case "discard":
            emptied = context.drop(reference.name)
            tools.reading.drop(reference.content, reference.first_line, reference.last_line)
            tools.discarded.add(reference.name)
            text, said = _DISCARDED, f"Set aside: {title}"
        case "more":
            text, said = _MORE, f"More like: {title}"
    context.add(UserMessage(text.format(name=reference.name, title=title), aside=True))
    yield Remark(budget.step, wish.kind, said)
    return emptied
