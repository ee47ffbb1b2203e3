"""The stored conversations, read and written on one background thread."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import NEW, ConversationId, Turn
from desktop_rag.errors import ConversationError, DesktopRagError
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.stop import Stop

T = TypeVar("T")


class ConversationRepository(QObject):
    """Opens the conversation store on first use, and never creates it where the library is missing."""

    cited_changed = Signal(object)  # a tuple of the contents (SHA-256) that stored answers cite now
    attached_changed = Signal(object)  # a tuple of the paths (bytes) that conversations have attached now
    trouble = Signal(str, str)  # a title and a sentence: conversations could not be stored or read, or were restored

    def __init__(self, path: Path, library_exists: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._library_exists = library_exists
        self._opened: ConversationStore | None = None
        self._cited: tuple[bytes, ...] | None = None
        self._paths: tuple[bytes, ...] | None = None
        self._last_error = ""  # reported once, until something is stored again
        self._commands = CommandQueue("conversations", self)
        self._commands.failed.connect(self._on_failed)

    def run(self, work: Callable[[ConversationStore, Stop], T], then: Callable[[T], None] = lambda _: None) -> None:
        """Run `work` on the store in the background, then call `then` with its result on the GUI thread."""
        self._commands.run(lambda stop: work(self._store(), stop), then)

    def save(self, run: RunInProgress, then: Callable[[], None]) -> None:
        """Write the turn of `run` as far as it has come, then call `then`; a new conversation gets its id."""
        turn = run.turn()

        def saved(_: None) -> None:
            self._last_error = ""
            then()

        self._commands.run(lambda _: self._write(run, turn), saved)

    def report_cited(self) -> None:
        """Emit `cited_changed` if stored answers cite other contents than when it was emitted last."""
        self.run(lambda store, _: store.cited(), self._on_cited)

    def report_attached(self) -> None:
        """Emit `attached_changed` if conversations have attached other paths than when it was emitted last."""
        self.run(lambda store, _: store.attached(), self._on_attached)

    def report_notice(self) -> None:
        """Emit `trouble` if the store had to be restored from a backup."""
        self.run(lambda store, _: store.notice, self._on_notice)

    def close(self) -> None:
        """Finish writing, close the store and wait for the thread."""
        self._commands.run(lambda _: self._opened.close() if self._opened is not None else None)
        self._commands.close()

    def _store(self) -> ConversationStore:
        if self._opened is None:
            if not self._library_exists():
                raise ConversationError("They are stored with the library, which is missing. Connect its disk.")
            self._opened = ConversationStore(self._path)
        return self._opened

    def _write(self, run: RunInProgress, turn: Turn) -> None:
        if run.deleted:
            return
        store = self._store()
        if run.follows is not None:
            self._resolve(run, run.follows)
        if run.conversation is None:
            run.conversation = store.begin(run.earlier[0].question if run.earlier else run.question, copied=run.forked)
            store.save_all(run.conversation, run.earlier)  # a forked run takes them along
            store.save_scope(run.conversation, run.scope)
        if not run.number:
            run.number = store.next_number(run.conversation)
        follows = run.earlier[-1].number if run.earlier else 0
        store.save(run.conversation, replace(turn, number=run.number, follows=follows))

    def _resolve(self, run: RunInProgress, before: RunInProgress) -> None:
        """Take over what has become known of the run before since it was stored."""
        run.conversation, run.follows = before.conversation, None
        if len(run.earlier) > len(before.earlier):
            last = replace(run.earlier[-1], number=before.number)
            run.earlier = (*run.earlier[:-1], last)

    def _on_cited(self, cited: tuple[bytes, ...]) -> None:
        if cited != self._cited:
            self._cited = cited
            self.cited_changed.emit(cited)

    def _on_attached(self, paths: tuple[bytes, ...]) -> None:
        if paths != self._paths:
            self._paths = paths
            self.attached_changed.emit(paths)

    def _on_notice(self, notice: str) -> None:
        if notice:
            self.trouble.emit(self.tr("Your conversations"), notice)

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        if str(error) != self._last_error:  # an unwritable folder fails for each question in the same way
            self._last_error = str(error)
            self.trouble.emit(error.title, str(error))


# The text not sent yet: each conversation has its own, kept while you switch and stored while you type.

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
