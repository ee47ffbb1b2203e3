"""Access to the stored conversations: opened on first use, by the background thread that may wait for the disk."""

from collections.abc import Callable
from pathlib import Path

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.errors import ConversationError
from desktop_rag.gui.conversation.run_worker import RunInProgress


class ConversationRepository:
    """Opens the conversation store lazily, and never creates it where the library is missing; every method blocks."""

    def __init__(self, path: Path, library_exists: Callable[[], bool]) -> None:
        self._path = path
        self._library_exists = library_exists
        self._opened: ConversationStore | None = None

    def store(self) -> ConversationStore:
        """Return the open store; raises `ConversationError` if the library is missing."""
        if self._opened is None:
            if not self._library_exists():
                raise ConversationError("They are stored with the library, which is missing. Connect its disk.")
            self._opened = ConversationStore(self._path)
        return self._opened

    def save(self, run: RunInProgress, turn: Turn) -> None:
        """Write `turn`, a snapshot of `run`, over earlier ones; a run without a conversation gets a new one."""
        if run.deleted:
            return
        if run.conversation is None:
            first = run.earlier[0].question if run.earlier else run.question
            run.conversation = self.store().begin(first)
            for before in run.earlier:  # a forked run takes the earlier turns of its conversation along
                self.store().save(run.conversation, before)
        self.store().save(run.conversation, turn)

    def close(self) -> None:
        """Close the store if it is open."""
        if self._opened is not None:
            self._opened.close()
