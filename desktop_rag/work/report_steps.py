"""The steps of a section as they are stored: what was done, without the passages that were read and the thoughts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from desktop_rag.agent.conversations.conversation_store import EVENTS, merge_deltas
from desktop_rag.agent.events import (
    AgentEvent,
    ContextMeasured,
    LimitReached,
    Remark,
    RunStarted,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.processes.wire import Wire
from desktop_rag.work.report import Section

_KEPT = (RunStarted, StepStarted, ToolCalled, ToolReturned, Remark, ContextMeasured, LimitReached)


def kept_steps(events: Iterable[AgentEvent]) -> tuple[bytes, ...]:
    """Return the encoded steps of a run."""
    wire = Wire(*EVENTS)
    kept = merge_deltas([_bare(event) for event in events if isinstance(event, _KEPT)])
    return tuple(map(wire.encode, kept))


def steps_of(section: Section) -> Iterator[AgentEvent]:
    """Yield the steps of a section, and how it ended if it is written; those of a later version are left out."""
    wire = Wire(*EVENTS)
    for data in section.steps:
        try:
            event = wire.decode(data)
        except ValueError:
            continue
        if isinstance(event, EVENTS):
            yield event
    if section.answered is not None:
        yield section.answered


def by_model(section: Section) -> bool:
    """Return whether a language model wrote a section."""
    started = next((event for event in steps_of(section) if isinstance(event, RunStarted)), None)
    return started is not None and started.uses_model


def _bare(event: AgentEvent) -> AgentEvent:
    match event:
        case ToolCalled():
            return replace(event, arguments="")
        case ToolReturned():
            return replace(event, sources=(), whole=())
        case RunStarted():
            return replace(event, question="")
    return event
