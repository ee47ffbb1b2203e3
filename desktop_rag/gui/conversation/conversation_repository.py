"""The stored conversations as the window uses them: opened late, by the one thread that may wait for the disk."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId, ConversationSummary, Turn
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.run.feedback import Feedback
from desktop_rag.errors import ConversationError
from desktop_rag.llm.chat import AssistantMessage
from desktop_rag.retrieval.api import Filter


@dataclass(slots=True, eq=False)
class RunInProgress:
    """A question that is being answered, and the conversation it belongs to."""

    earlier: tuple[Turn, ...]
    question: str
    asked_ns: int
    conversation: ConversationId | None  # the keeper sets it for a new conversation
    events: list[AgentEvent] = field(default_factory=list)
    wanted: bool = True  # False once its conversation is deleted
    feedback: Feedback = field(default_factory=Feedback)
    recorded: tuple[AssistantMessage, ...] = ()  # what a model has said already in a run that this one goes on with
    toolkit: str = ""  # of that run; empty: the one in the settings
    unwanted: tuple[Filter, ...] = ()  # conditions on files that must not be read into the question again
    extended: bool = False  # it may do more than the settings allow

    def turn(self) -> Turn:
        """Return the turn as far as it has come."""
        return Turn(len(self.earlier) + 1, self.question, tuple(self.events), self.asked_ns)


class ConversationRepository:
    """Every method blocks; the store is opened by the first of them, but never made where its library is missing."""

    def __init__(self, path: Path, is_there: Callable[[], bool]) -> None:
        self._path = path
        self._is_there = is_there
        self._opened: ConversationStore | None = None

    def keep(self, run: RunInProgress, turn: Turn) -> None:
        """Write `turn` of `run`, in place of what was written of it before; a new conversation gets its number."""
        if not run.wanted:
            return
        if run.conversation is None:
            first = run.earlier[0].question if run.earlier else run.question
            run.conversation = self.store().begin(first)
            for before in run.earlier:  # a run that branched off takes what was said before it along
                self.store().save(run.conversation, before)
        self.store().save(run.conversation, turn)

    def load(self, conversation: ConversationId) -> Conversation:
        """Return all turns of a conversation."""
        return self.store().load(conversation)

    def runs_of(self, question: str) -> tuple[tuple[ConversationId, Turn], ...]:
        """Return all runs of one question, the newest first."""
        return self.store().runs_of(question)

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations."""
        return self.store().summaries()

    def notice(self) -> str:
        """Return what happened if the file had to be restored."""
        return self.store().notice

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a conversation another title."""
        self.store().rename(conversation, title)

    def delete(self, conversation: ConversationId) -> None:
        """Erase a conversation."""
        self.store().delete(conversation)

    def cited(self) -> tuple[bytes, ...]:
        """Return what stored answers cite, by SHA-256."""
        return self.store().cited()

    def close(self) -> None:
        """Close the file."""
        if self._opened is not None:
            self._opened.close()

    def store(self) -> ConversationStore:
        """Return the store itself."""
        if self._opened is None:
            if not self._is_there():
                raise ConversationError("They lie with the library, which is not there. Connect its disk.")
            self._opened = ConversationStore(self._path)
        return self._opened
