"""Connects the list of conversations with the store: names, order, marks, search."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, SignalInstance, Slot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary, FoundTurn, RunStatus
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.conversations_model import tags_in
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.conversation.run_pool import RunInProgress


class ConversationList(QObject):
    """Shows the stored conversations in the panel, and carries out what the user does to them there."""

    def __init__(
        self, panel: ConversationsPanel, repository: ConversationRepository, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._repository = repository
        self._attached = False
        self._shown: ConversationId | None = None
        self._unread: set[ConversationId] = set()

    def attach(self) -> None:
        """Take over the panel."""
        self._attached = True
        for signal, slot in self._connections():
            signal.connect(slot)

    def detach(self) -> None:
        """Leave the panel, emptied, to another library."""
        self._attached = False
        for signal, slot in self._connections():
            signal.disconnect(slot)
        self._panel.show_conversations((), loading=True)
        self._panel.show_running({})

    def refresh(self) -> None:
        """List the stored conversations as they are now."""
        self._repository.run(lambda store, _: store.summaries(), self._on_listed)

    def show_runs(self, runs: Iterable[RunInProgress]) -> None:
        """Mark the conversations of runs that are in progress or queued."""
        if self._attached:
            states = {run.conversation: RunStatus.RUNNING if run.started_ns else RunStatus.QUEUED for run in runs}
            self._panel.show_running({number: state for number, state in states.items() if number is not None})

    def set_current(self, conversation: ConversationId | None) -> None:
        """Select the conversation that is shown; it counts as read."""
        self._shown = conversation
        if self._attached:
            self._panel.set_current(conversation)
        if conversation is not None and conversation in self._unread:
            self._unread.discard(conversation)
            self._repository.run(lambda store, _: store.mark_unread(conversation, unread=False))
            self.refresh()

    def mark_unread(self, conversation: ConversationId | None) -> None:
        """Mark a conversation whose run ended out of sight."""
        if conversation is not None:
            self._unread.add(conversation)
            self._repository.run(lambda store, _: store.mark_unread(conversation, unread=True))
            self.refresh()

    def _connections(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        panel = self._panel
        return (
            (panel.rename_requested, self._on_rename),
            (panel.pin_requested, self._on_pin),
            (panel.archive_requested, self._on_archive),
            (panel.tags_requested, self._on_tags),
            (panel.search_requested, self._on_search),
        )

    def _on_listed(self, summaries: tuple[ConversationSummary, ...]) -> None:
        self._unread = {summary.id for summary in summaries if summary.unread}
        if self._attached:
            self._panel.show_conversations(summaries)
            self._panel.set_current(self._shown)

    @Slot(object, str)
    def _on_rename(self, conversation: ConversationId, title: str) -> None:
        self._repository.run(lambda store, _: store.rename(conversation, title))
        self.refresh()

    @Slot(object, bool)
    def _on_pin(self, conversation: ConversationId, pinned: bool) -> None:  # noqa: FBT001 - a slot
        self._repository.run(lambda store, _: store.pin(conversation, pinned=pinned))
        self.refresh()

    @Slot(object, bool)
    def _on_archive(self, conversation: ConversationId, archived: bool) -> None:  # noqa: FBT001 - a slot
        self._repository.run(lambda store, _: store.archive(conversation, archived=archived))
        self.refresh()

    @Slot(object, tuple)
    def _on_tags(self, conversation: ConversationId, tags: tuple[str, ...]) -> None:
        self._repository.run(lambda store, _: store.tag(conversation, tags))
        self.refresh()

    @Slot(str)
    def _on_search(self, query: str) -> None:
        def show(found: tuple[FoundTurn, ...]) -> None:
            if self._attached:
                self._panel.show_found(query, found)

        self._repository.run(lambda store, _: store.search(tags_in(query)[0]), show)
