"""Conversations as values: what was asked, and the run that answered it, event by event."""

from dataclasses import dataclass
from typing import NewType

from desktop_rag.agent.events import AgentEvent

ConversationId = NewType("ConversationId", int)


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One row of the conversation list, newest first; `title` starts as the first question."""

    id: ConversationId
    title: str
    updated_ns: int
    turns: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and everything its run said; turns count from 1 in their conversation."""

    number: int
    question: str
    events: tuple[AgentEvent, ...]
    asked_ns: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said before the next question; everything a follow-up needs is in the turns' events."""

    turns: tuple[Turn, ...] = ()
