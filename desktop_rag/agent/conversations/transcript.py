"""Conversations as values: questions, each with the events of its run."""

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
    """One question and the events of its run; turns count from 1 in their conversation."""

    number: int
    question: str
    events: tuple[AgentEvent, ...]
    asked_ns: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns before the next question; their events hold everything that a follow-up needs."""

    turns: tuple[Turn, ...] = ()
