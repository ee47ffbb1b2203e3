"""Connects questions with the agent and the stored conversations."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId, ConversationSummary, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    Citation,
    ContextMeasured,
    RunFailed,
    RunStopped,
    Source,
)
from desktop_rag.agent.run.feedback import BudgetExtension, FeedbackNote, PassageFeedback, PassageFeedbackKind
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.command_queue import CommandQueue
from desktop_rag.gui.conversation.answer.code_colors import load_languages
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository, RunInProgress
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.conversation.run_worker import RunContext, RunWorker
from desktop_rag.gui.conversation.sources.source_watch import Notes, SourceWatch
from desktop_rag.gui.conversation.timeline.run_actions import RunActions
from desktop_rag.retrieval.api import Filter, Retriever, Scope
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop

T = TypeVar("T")

MOST_RUNS = 2  # at once, each in its own conversation


class ConversationControl(QObject):
    """Asks, shows, keeps and lists; one run a conversation, which goes on when something else is shown.

    Pane and panel can be left to the conversations of another library and taken back.
    """

    said = Signal(object)  # each AgentEvent of the run, in order
    answered = Signal(object)  # the last event of a run: Answered, RunStopped or RunFailed
    trouble = Signal(str, str)  # a title and a sentence: the conversations could not be kept or read
    refused = Signal(str)  # why a question cannot be asked now
    heard = Signal(str)  # that a wish of the person reached the run
    finished_elsewhere = Signal(str, object)  # a question whose run ended out of sight, and its ConversationId
    cited_changed = Signal(object)  # a tuple of the contents (SHA-256) that stored answers cite now
    rested = Signal()  # the run has ended and is kept

    def __init__(
        self,
        pane: ConversationPane,
        panel: ConversationsPanel,
        retriever: Retriever,
        store: Path,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
        credentials: Credentials | None = None,
        is_there: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._panel = panel
        self._settings = settings
        self._ground = RunContext(retriever, credentials or Credentials())
        self._attached = False
        self._cited: tuple[bytes, ...] | None = None
        self._told = ""  # what could not be done, until something is kept again
        self._shown: ConversationId | None = None
        self._wanted: ConversationId | None = None  # it is being read and will be shown
        self._turns: tuple[Turn, ...] = ()
        self._seen: RunInProgress | None = None  # the last run of the conversation that is shown
        self._desks = tuple(RunWorker(f"agent {number}", self) for number in range(1, MOST_RUNS + 1))
        for desk in self._desks:
            desk.said.connect(self._on_event)
            desk.ended.connect(self._on_ended)
        self._keeper = ConversationRepository(store, is_there)
        self._commands = CommandQueue("conversations", self)
        self._commands.failed.connect(self._on_failed)
        self._sources = SourceWatch(retriever, self)
        self._sources.checked.connect(self._on_sources_checked)
        self._acts = RunActions(pane, self._ground, settings, self)
        self._acts.run_wanted.connect(self._on_run_wanted)

    def _wires(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        composer, requests, panel = self._pane.composer, self._pane.requests, self._panel
        return (
            (composer.question_asked, self.ask),
            (composer.held_back, self._refuse),
            (composer.stop_requested, self._on_stop),
            (composer.note_written, self._on_note),
            (composer.pause_toggled, self._on_pause),
            (composer.more_requested, self._on_more),
            (requests.source_judged, self._on_judged),
            (requests.action_requested, self._on_act),
            (requests.question_asked, self.ask),
            (requests.filter_dropped, self._on_filter_dropped),
            (panel.new_requested, self.begin_new),
            (panel.conversation_chosen, self.open),
            (panel.rename_requested, self._on_rename),
            (panel.delete_requested, self._on_delete),
            (panel.delete_confirmed, self._on_delete_confirmed),
        )

    @property
    def credentials(self) -> Credentials:
        """Return the keys; they block, so only background work may ask them."""
        return self._ground.credentials

    def start(self) -> None:
        """Take the pane and the panel, and list the stored conversations."""
        if not self._attached:
            self._attached = True
            for signal, slot in self._wires():
                signal.connect(slot)
            self._show_running()
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)
        self._commands.run(lambda _: self._keeper.notice(), self._show_notice)
        self._commands.run(lambda _: self._keeper.cited(), self._tell_cited)

    def leave(self) -> None:
        """Give the pane and the panel back, empty; a run that goes on is kept."""
        if not self._attached:
            return
        self.begin_new()
        self._attached = False
        for signal, slot in self._wires():
            signal.disconnect(slot)
        self._pane.composer.set_documents((), "")
        self._panel.show_conversations(())
        self._show_running()

    def is_busy(self) -> bool:
        """Return whether a question is being answered."""
        return bool(self._active())

    def running(self) -> str:
        """Return the question that is being answered, in short; empty without one."""
        active = self._active()
        return _short(active[0].question) if active else ""

    def _active(self) -> list[RunInProgress]:
        return [desk.run for desk in self._desks if desk.run is not None]

    def _desk_of(self, run: RunInProgress | None) -> RunWorker | None:
        return next((desk for desk in self._desks if run is not None and desk.run is run), None)

    def with_store(self, work: Callable[[ConversationStore, Stop], T], then: Callable[[T], None]) -> None:
        """Do `work` in the background with the stored conversations, then call `then` with its result."""
        self._commands.run(lambda stop: work(self._keeper.store(), stop), then)

    def show_again(self) -> None:
        """Read again what is shown, which has changed in the store."""
        shown, self._shown = self._shown, None
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)
        self._commands.run(lambda _: self._keeper.cited(), self._tell_cited)
        if shown is not None:
            self.open(shown)

    def close(self) -> None:
        """Stop the run and write what has to be kept."""
        active = self._active()
        for desk in self._desks:
            desk.close()
        for run in active:
            self._keep(run)
        self._acts.close()
        self._sources.close()
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
        self._begin(RunInProgress(self._turns, question, time.time_ns(), self._shown))

    @Slot(str, object)
    def _on_filter_dropped(self, question: str, filter_: Filter) -> None:
        before = self._seen.unwanted if self._seen and self._seen.question == question else ()
        run = RunInProgress(self._turns, question, time.time_ns(), self._shown)
        self._begin(replace(run, unwanted=(*before, filter_)))

    def _begin(self, run: RunInProgress) -> bool:
        """Begin `run` and show it; return False, and say why, if it must wait."""
        desk = next((desk for desk in self._desks if desk.run is None), None)
        if desk is None or self._desk_of(self._seen):
            self._refuse()
            return False
        self._seen, self._wanted = run, None
        settings = self._settings()
        scope = Scope(self._pane.composer.scope(), self._pane.composer.documents())
        self._pane.view.begin_turn(run.question, steered=self._steers())
        desk.start(run, lambda stop: self._ground.answer(run, settings, scope, stop))
        self._show_running()
        self._keep(run)  # a question is not lost, whatever happens to its answer
        return True

    def _show_running(self) -> None:
        """Show Stop and what steers a run where one goes on in what is shown."""
        running = self._attached and self._desk_of(self._seen) is not None
        self._pane.composer.set_running(running, takes_notes=running and self._steers())

    def _steers(self) -> bool:
        """Return whether the model reads what a person tells a run; the built-in one does not."""
        return self._settings().profile() is not None

    @Slot()
    def _on_stop(self) -> None:
        if desk := self._desk_of(self._seen):
            desk.stop()

    @Slot(str)
    def _on_note(self, text: str) -> None:
        if self._desk_of(self._seen) and self._seen:
            self._seen.feedback.send(FeedbackNote(text))
            self.heard.emit(self.tr("The run reads this before its next step."))

    @Slot(bool)
    def _on_pause(self, paused: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by place
        if self._seen and self._desk_of(self._seen):
            (self._seen.feedback.pause if paused else self._seen.feedback.resume)()

    @Slot()
    def _on_more(self) -> None:
        if self._seen and self._desk_of(self._seen):
            self._seen.feedback.send(BudgetExtension())
            self.heard.emit(self.tr("The run may take more steps."))

    @Slot(object, str)
    def _on_judged(self, source: Source, kind: PassageFeedbackKind) -> None:
        if self._seen and self._desk_of(self._seen):
            self._seen.feedback.send(PassageFeedback(source.reference, kind))
            self.heard.emit(self.tr("The run heeds this before its next step."))

    @Slot(int, object)
    def _on_act(self, number: int, act: RunAction) -> None:
        turns = (*self._seen.earlier, self._seen.turn()) if self._seen else self._turns
        if not 0 < number <= len(turns) or (number == len(turns) and self._desk_of(self._seen)):
            return
        turn, earlier = turns[number - 1], turns[: number - 1]
        if act is RunAction.COMPARE:
            others = [other for other in turns if other.number != number and other.events]
            self._commands.run(
                lambda _: self._keeper.runs_of(turn.question),
                lambda found: self._acts.compare(turn, others, found, self._shown),
            )
        else:
            self._acts.act(act, turn, earlier, self._shown if number == len(turns) else None)

    @Slot(object)
    def _on_run_wanted(self, run: RunInProgress) -> None:
        """Begin a run that goes on with, or branches off from, a stored one."""
        if all(desk.run is not None for desk in self._desks):
            self._refuse()
            return
        self._shown, self._turns, self._seen = run.conversation, run.earlier, None
        self._pane.meter.clear()
        self._pane.view.show_turns(run.earlier)
        self._begin(run)
        self._panel.set_current(run.conversation)

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation; a run that goes on is kept in its own."""
        self._shown = self._wanted = self._seen = None
        self._turns = ()
        self._pane.view.clear()
        self._pane.meter.clear()
        self._show_running()
        self._panel.set_current(None)
        self._pane.composer.setFocus()

    @Slot(object)
    def open(self, conversation: ConversationId) -> None:
        """Show a stored conversation, or the one in which a run goes on."""
        self._wanted = None
        if conversation == self._shown:
            return
        if run := self._run_in(conversation):
            self._show_run(run)
            return
        self._wanted = conversation

        def show(loaded: Conversation) -> None:
            if self._wanted == conversation:
                self._wanted = None
                self._show(conversation, loaded.turns)

        self._commands.run(lambda _: self._load(conversation), show)

    def _run_in(self, conversation: ConversationId) -> RunInProgress | None:
        return next((run for run in self._active() if run.conversation == conversation), None)

    def _load(self, conversation: ConversationId) -> Conversation:
        """Read a conversation and load what showing it needs; runs in the background."""
        load_parser()
        loaded = self._keeper.load(conversation)
        for turn in loaded.turns:
            for event in turn.events:
                if isinstance(event, AnswerDelta | Answered | RunStopped | RunFailed):
                    load_languages(event.text)
        return loaded

    def _show(self, conversation: ConversationId, turns: tuple[Turn, ...]) -> None:
        self._shown, self._turns, self._seen = conversation, turns, None
        self._pane.meter.clear()
        self._pane.view.show_turns(turns)
        self._sources.look(turns)
        for event in turns[-1].events if turns else ():
            self._measure(event)
        self._show_running()
        self._panel.set_current(conversation)

    def _show_run(self, run: RunInProgress) -> None:
        self._shown, self._turns, self._seen = run.conversation, run.earlier, run
        self._pane.meter.clear()
        self._pane.view.show_turns(run.earlier)
        self._pane.view.begin_turn(run.question, (time.time_ns() - run.asked_ns) / 1e9, steered=self._steers())
        for event in run.events:
            self._pane.view.append(event)
            self._measure(event)
        self._show_running()
        self._panel.set_current(run.conversation)

    def _measure(self, event: AgentEvent) -> None:
        if isinstance(event, ContextMeasured | Answered):
            self._pane.meter.show_use(event.context, event.usage)

    @Slot(object)
    def _on_sources_checked(self, notes: Notes) -> None:
        if self._attached:
            self._pane.view.show_source_notes(notes)

    @Slot()
    def _refuse(self) -> None:
        active = self._active()
        if not active:
            return
        words = self.tr("Wait for this answer, or press Stop to ask the next question.")
        if not self._desk_of(self._seen):
            words = self.tr("“{0}” and another question are still being answered. Wait for one of them, or stop it.")
        self.refused.emit(words.format(_short(active[0].question)))

    @Slot(object, object)
    def _on_event(self, run: RunInProgress, event: AgentEvent) -> None:
        self.said.emit(event)
        if run is self._seen:
            self._measure(event)
            self._pane.view.append(event)

    @Slot(object)
    def _on_ended(self, run: RunInProgress) -> None:
        self._show_running()
        self._keep(run)
        last = run.events[-1] if run.events else None
        if run is self._seen:
            self._turns = (*run.earlier, run.turn())
            if isinstance(last, RunFailed):
                self._pane.composer.restore_question()
        elif run.wanted:
            self.finished_elsewhere.emit(_short(run.question), run.conversation)
        if isinstance(last, Answered | RunStopped | RunFailed):
            self.answered.emit(last)

    def _keep(self, run: RunInProgress) -> None:
        """Store a run as far as it has come, and list its conversation."""
        turn = run.turn()
        self._commands.run(lambda _: self._keeper.keep(run, turn), lambda _: self._on_kept(run))

    def _on_kept(self, run: RunInProgress) -> None:
        self._told = ""
        if run is self._seen:
            self._shown = run.conversation
        self._commands.run(lambda _: self._keeper.summaries(), self._show_summaries)
        self._commands.run(lambda _: self._keeper.cited(), self._tell_cited)
        if not self._active():
            self.rested.emit()

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
        run = self._run_in(conversation)
        if desk := self._desk_of(run):
            if run:
                run.wanted = False
            desk.stop()
        self._commands.run(lambda _: self._keeper.delete(conversation))
        self._commands.run(lambda _: self._keeper.cited(), self._tell_cited)

    def _tell_cited(self, cited: tuple[bytes, ...]) -> None:
        if cited != self._cited:
            self._cited = cited
            self.cited_changed.emit(cited)

    def _show_summaries(self, summaries: tuple[ConversationSummary, ...]) -> None:
        if self._attached:
            self._panel.show_conversations(summaries)
            self._panel.set_current(self._shown)

    def _show_notice(self, notice: str) -> None:
        if notice:
            self.trouble.emit(self.tr("Your conversations"), notice)

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        if str(error) != self._told:  # a folder that cannot be written is the same for each question
            self._told = str(error)
            self.trouble.emit(error.title, str(error))


def _short(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= 60 else words[:59].rstrip() + "…"
