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
class ChosenScope:
    """What the user chose to search in: folders by name, and documents by SHA-256, found by the query `about`.

    Neither: the whole library. Hashes and names outlast the catalog, its ids do not.
    """

    folders: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    about: str = ""


WHOLE_LIBRARY = ChosenScope()


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns before the next question; their events hold everything that a follow-up needs."""

    turns: tuple[Turn, ...] = ()
    scope: ChosenScope = WHOLE_LIBRARY
