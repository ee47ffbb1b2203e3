"""Conversations as values: questions, each with the events of its run."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from desktop_rag.agent.events import AgentEvent, Answered, RunFailed, RunStopped
from desktop_rag.retrieval.query.tree import Filter

ConversationId = NewType("ConversationId", int)
NEW = ConversationId(0)  # a conversation that is not stored yet


class RunStatus(StrEnum):
    """What a run does or how it ended; the values are stored."""

    QUEUED = "queued"
    RUNNING = "running"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


def run_state(events: Sequence[AgentEvent]) -> RunStatus:
    """Return how a stored run ended; without a last event it was interrupted."""
    match events[-1] if events else None:
        case Answered():
            return RunStatus.ANSWERED
        case RunStopped():
            return RunStatus.STOPPED
        case RunFailed():
            return RunStatus.FAILED
        case _:
            return RunStatus.INTERRUPTED


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One row of the conversation list, newest first; `title` starts as the first question."""

    id: ConversationId
    title: str
    updated_ns: int
    turns: int
    state: RunStatus = RunStatus.ANSWERED  # of its last run, as stored
    unread: bool = False  # the last run ended out of sight
    draft: bool = False
    pinned: bool = False
    archived: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn that contains the words searched for, and the line of its question or answer with most of them."""

    conversation: ConversationId
    number: int
    line: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and the events of its run; `number` is unique in its conversation, in the order of asking.

    Turns that follow the same one are variants: the question was edited, or answered again.
    """

    number: int
    question: str
    events: Sequence[AgentEvent]
    asked_ns: int
    follows: int = 0  # the number of the turn before, 0 for a first one


@dataclass(frozen=True, slots=True)
class ChosenScope:
    """What the user chose to search in: folders by name, and documents by SHA-256, found by the query `about`.

    `names` are those of documents chosen one by one, in their order. Nothing of it: the whole library. Hashes and names
    outlast the catalog, its ids do not. `attached` are the absolute paths of files and folders that are searched beside
    all this, for this conversation only.
    """

    folders: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    about: str = ""
    filters: tuple[Filter, ...] = ()  # type, date, subfolder
    names: tuple[str, ...] = ()
    attached: tuple[bytes, ...] = ()


WHOLE_LIBRARY = ChosenScope()


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns before the next question; their events hold everything that a follow-up needs."""

    turns: tuple[Turn, ...] = ()
    scope: ChosenScope = WHOLE_LIBRARY
    variants: tuple[tuple[int, ...], ...] = ()  # for each turn, the numbers of its variants with its own
