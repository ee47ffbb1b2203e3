"""Connects questions with the agent and the stored conversations."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    ContextMeasured,
    RunFailed,
    RunStopped,
)
from desktop_rag.agent.store import ConversationStore
from desktop_rag.agent.transcript import Conversation, ConversationId, ConversationSummary, Turn
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.commands import Commands
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.worker import StreamWorker
from desktop_rag.retrieval.hits import Retriever, Scope
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop


@dataclass(slots=True)
class _Run:
    """The question that is being answered, and the conversation it belongs to."""

    earlier: tuple[Turn, ...]
    question: str
    asked_ns: int
    conversation: ConversationId | None
    events: list[AgentEvent] = field(default_factory=list)

    def turn(self) -> Turn:
        return Turn(len(self.earlier) + 1, self.question, tuple(self.events), self.asked_ns)


class ConversationControl(QObject):
    """Asks, shows, keeps and lists; one run at a time."""

    said = Signal(object)  # each AgentEvent of the run, in order
    answered = Signal(object)  # the last event of a run: Answered, RunStopped or RunFailed
    trouble = Signal(str, str)  # a title and a sentence: the conversations could not be kept or read

    def __init__(
        self,
        pane: ConversationPane,
        panel: ConversationsPanel,
        retriever: Retriever,
        store: Path,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._panel = panel
        self._retriever = retriever
        self._settings = settings
        self._credentials = Credentials()
        self._shown: ConversationId | None = None
        self._turns: tuple[Turn, ...] = ()
        self._run: _Run | None = None
        self._agent = StreamWorker("agent", self)
        self._agent.yielded.connect(self._on_event)
        self._agent.failed.connect(self._on_run_broken)
        self._agent.finished.connect(self._on_run_finished)
        self._keeper = _Keeper(store)
        self._commands = Commands("conversations", self)
        self._commands.failed.connect(self._on_failed)
        self._connect()

    def _connect(self) -> None:
        composer, view, panel = self._pane.composer, self._pane.view, self._panel
        composer.question_asked.connect(self.ask)
        composer.stop_requested.connect(self._agent.stop)
        view.retry_requested.connect(self.ask)
        view.example_chosen.connect(self.ask)
        panel.new_requested.connect(self.begin_new)
        panel.conversation_chosen.connect(self._on_chosen)
        panel.rename_requested.connect(self._on_rename)
        panel.delete_requested.connect(self._on_delete)
        panel.delete_confirmed.connect(self._on_delete_confirmed)

    @property
    def credentials(self) -> Credentials:
        """Return the keys; they block, so only background work may ask them."""
        return self._credentials

    def start(self) -> None:
        """List the stored conversations."""
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)
        self._commands.run(lambda _: self._keeper.notice(), self._show_notice)

    def close(self) -> None:
        """Stop the run and write what has to be kept."""
        self._agent.close()
        self._keep_run()
        self._commands.run(lambda _: self._keeper.close())
        self._commands.close()

    def citations_beside(self, citation: Citation) -> tuple[Citation, ...]:
        """Return all citations of the answer that holds `citation`, in order."""
        for turn in reversed(self._turns):
            for event in turn.events:
                if isinstance(event, Answered) and citation in event.citations:
                    return event.citations
        return (citation,)

    @Slot(str)
    def ask(self, question: str) -> None:
        """Begin a run in the conversation that is shown."""
        if self._run is not None:
            return
        self._run = _Run(self._turns, question, time.time_ns(), self._shown)
        settings = self._settings()
        scope = Scope(folders=self._pane.composer.scope())
        conversation = Conversation(self._turns)
        self._pane.composer.set_running(True)
        self._pane.view.begin_turn(question)
        self._agent.start(lambda stop: self._answer(question, conversation, settings, scope, stop))

    def _answer(
        self, question: str, conversation: Conversation, settings: Settings, scope: Scope, stop: Stop
    ) -> Generator[AgentEvent]:
        from desktop_rag.agent.loop import answer
        from desktop_rag.agent.models import chat_model
        from desktop_rag.agent.toolkits import toolkit

        profile = settings.profile()
        model = chat_model(profile, self._credentials.get(profile.name) if profile else "")
        tools = toolkit(settings.toolkit)
        with closing(
            answer(question, conversation, tools, model, self._retriever, settings.limits, scope, stop)
        ) as events:
            yield from events

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation; a run that goes on is kept in its own."""
        self._shown = None
        self._turns = ()
        self._pane.view.clear()
        self._pane.meter.clear()
        self._panel.set_current(None)
        self._pane.composer.setFocus()

    @Slot(object)
    def _on_event(self, event: AgentEvent) -> None:
        run = self._run
        if run is None:
            return
        run.events.append(event)
        self.said.emit(event)
        if not self._is_shown(run):
            return
        if isinstance(event, ContextMeasured | Answered):
            self._pane.meter.show_use(event.context, event.usage)
        self._pane.view.append(event)

    @Slot(object)
    def _on_run_broken(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        self._on_event(RunFailed(title, str(error), "", ()))

    @Slot()
    def _on_run_finished(self) -> None:
        run = self._run
        if run is None:
            return
        self._pane.composer.set_running(False)
        self._keep_run()
        last = run.events[-1] if run.events else None
        if isinstance(last, RunFailed):
            self._pane.composer.restore_question()
        if isinstance(last, Answered | RunStopped | RunFailed):
            self.answered.emit(last)

    def _keep_run(self) -> None:
        """Store the run that has just ended and make it part of the shown conversation."""
        run, self._run = self._run, None
        if run is None:
            return
        turn = run.turn()
        if self._is_shown(run):
            self._turns = (*run.earlier, turn)
        known = run.conversation
        self._commands.run(lambda _: self._keeper.keep(known, turn), lambda id_: self._on_kept(known, id_))

    def _is_shown(self, run: _Run) -> bool:
        return self._shown == run.conversation and self._turns == run.earlier

    def _on_kept(self, before: ConversationId | None, kept: object) -> None:
        if before is None and self._shown is None and self._turns and isinstance(kept, int):
            self._shown = ConversationId(kept)
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)

    @Slot(object)
    def _on_chosen(self, conversation: ConversationId) -> None:
        def show(loaded: object) -> None:
            if isinstance(loaded, Conversation):
                self._shown, self._turns = conversation, loaded.turns
                self._pane.meter.clear()
                self._pane.view.show_turns(loaded.turns)
                self._panel.set_current(conversation)

        if conversation != self._shown:
            self._commands.run(lambda _: self._keeper.load(conversation), show)

    @Slot(object, str)
    def _on_rename(self, conversation: ConversationId, title: str) -> None:
        self._commands.run(lambda _: self._keeper.rename(conversation, title))
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)

    @Slot(object)
    def _on_delete(self, conversation: ConversationId) -> None:
        if conversation == self._shown:
            self.begin_new()

    @Slot(object)
    def _on_delete_confirmed(self, conversation: ConversationId) -> None:
        self._commands.run(lambda _: self._keeper.delete(conversation))

    def _show_summaries(self, summaries: object) -> None:
        if isinstance(summaries, tuple):
            self._panel.show_conversations(summaries)
            self._panel.set_current(self._shown)

    def _show_notice(self, notice: object) -> None:
        if isinstance(notice, str) and notice:
            self.trouble.emit(self.tr("Your conversations were restored"), notice)

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))


class _Keeper:
    """The store, opened by the first command on the commands' own thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: ConversationStore | None = None

    def keep(self, conversation: ConversationId | None, turn: Turn) -> ConversationId:
        store = self._store()
        known = store.begin(turn.question) if conversation is None else conversation
        store.save(known, turn)
        return known

    def load(self, conversation: ConversationId) -> Conversation:
        return self._store().load(conversation)

    def summaries(self) -> tuple[ConversationSummary, ...]:
        return self._store().summaries()

    def notice(self) -> str:
        return self._store().notice

    def rename(self, conversation: ConversationId, title: str) -> None:
        self._store().rename(conversation, title)

    def delete(self, conversation: ConversationId) -> None:
        self._store().delete(conversation)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _store(self) -> ConversationStore:
        if self._opened is None:
            self._opened = ConversationStore(self._path)
        return self._opened
