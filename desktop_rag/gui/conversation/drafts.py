"""The text not sent yet: each conversation has its own, kept while you switch and stored while you type."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import NEW, ConversationId
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.run_pool import RunInProgress

SAVE_MS = 400  # after the last key


class Drafts(QObject):
    """Moves drafts between the question field and the store."""

    def __init__(
        self,
        composer: Composer,
        repository: ConversationRepository,
        changed: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        """Call `changed` after a draft got a conversation of its own, or lost it."""
        super().__init__(parent)
        self._composer = composer
        self._repository = repository
        self._changed = changed
        self._kept: dict[ConversationId, str] = {}
        self._of = NEW  # the conversation whose draft is in the field
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_MS)
        self._timer.timeout.connect(self.save)

    def attach(self) -> None:
        """Follow the question field."""
        self._composer.edited.connect(self._timer.start)

    def detach(self) -> None:
        """Leave the question field to another library, empty."""
        self._composer.edited.disconnect(self._timer.start)
        self._timer.stop()

    def load(self, kept: dict[ConversationId, str]) -> None:
        """Take the stored drafts over, and show the one of the visible conversation."""
        self._kept = kept | self._kept
        if not self._composer.question:
            self._show()

    def switch(self, to: ConversationId, asked: RunInProgress | None, *, has_turns: bool) -> None:
        """Save the draft in the field and show that of `to`.

        `asked` is the run of the conversation that is left, `has_turns` whether that has any. The draft of a new
        conversation without a question gets a conversation of its own, so that the next new one begins empty.
        """
        self.save()
        before, text = self._of, self._composer.question
        if before == NEW and text.strip():
            self._put(NEW, "")
            self._begin(text, asked)
        elif before not in (NEW, to) and not text.strip() and not has_turns:
            self._repository.run(lambda store, _: store.discard(before), lambda _: self._changed())
        self._of = to
        self._show()

    def name(self, conversation: ConversationId) -> None:
        """Note that the new conversation in the window is stored now."""
        if self._of == NEW:
            self._put(NEW, "")
            self._of = conversation
            self.save()

    def drop(self, conversation: ConversationId) -> None:
        """Forget the draft of a deleted conversation."""
        self._kept.pop(conversation, None)

    def add(self, conversation: ConversationId, text: str) -> None:
        """Add text to the draft of a conversation that is not shown."""
        self._put(conversation, "\n\n".join(filter(None, (self._kept.get(conversation, ""), text))))

    @Slot()
    def save(self) -> None:
        """Store the draft in the field now."""
        self._timer.stop()
        self._put(self._of, self._composer.question)

    def _put(self, conversation: ConversationId, text: str) -> None:
        if self._kept.get(conversation, "") != text:
            self._kept[conversation] = text
            self._repository.run(lambda store, _: store.save_draft(conversation, text))

    def _begin(self, text: str, asked: RunInProgress | None) -> None:
        def begin(store: ConversationStore) -> ConversationId:
            stored = asked.conversation if asked else None  # the question was written before
            conversation = store.begin(text) if stored is None else stored
            store.save_draft(conversation, text)
            return conversation

        def begun(conversation: ConversationId) -> None:
            self._kept[conversation] = text
            self._changed()

        self._repository.run(lambda store, _: begin(store), begun)

    def _show(self) -> None:
        self._composer.set_question(self._kept.get(self._of, ""))
        self._timer.stop()
