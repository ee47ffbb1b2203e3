"""Connects the conversation pane and the conversation list with the agent's runs and the stored conversations."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import (
    NEW,
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    Turn,
)
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    Citation,
    ContextMeasured,
    RunFailed,
    RunStopped,
    ToolReturned,
)
from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.agent.run.feedback import Feedback
from desktop_rag.credentials import Credentials
from desktop_rag.gui.conversation.answer.code_colors import load_languages
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.gui.conversation.conversation_list import ConversationList
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.conversation.drafts import Drafts
from desktop_rag.gui.conversation.run_feedback import RunFeedback
from desktop_rag.gui.conversation.run_worker import RunContext, RunInProgress, RunPool
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, SourceStatusChecker
from desktop_rag.gui.conversation.timeline.run_actions import RunActions
from desktop_rag.retrieval.api import Filter, Retriever
from desktop_rag.settings import Settings
from desktop_rag.text.display import shorten

MOST_RUNS = 2  # in progress at once, each in its own conversation


class ConversationControl(QObject):
    """Runs questions, and shows, stores and lists the conversations of one library.

    A conversation has at most one run in progress; the run continues while another conversation is shown. The libraries
    share one pane and one panel: `start` attaches this control to them, `leave` detaches it.
    """

    event_yielded = Signal(object)  # each AgentEvent of every run, in order
    answered = Signal(object)  # the last event of a run: Answered, RunStopped or RunFailed
    refused = Signal(str)  # why a question cannot be asked now
    feedback_given = Signal(str)  # when feedback to the visible run takes effect
    finished_elsewhere = Signal(RunInProgress)  # its run ended out of sight
    runs_finished = Signal()  # no run is in progress any more, and the last one is stored

    def __init__(
        self,
        pane: ConversationPane,
        panel: ConversationsPanel,
        retriever: Retriever,
        store: Path,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
        credentials: Credentials | None = None,
        library_exists: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._panel = panel
        self._settings = settings
        self.built_in = ExtractiveModelClient()
        self._context = RunContext(retriever, credentials or Credentials(), self.built_in)
        self._attached = False
        self._shown: ConversationId | None = None
        self._loading: ConversationId | None = None  # shown when it is loaded
        self._turns: tuple[Turn, ...] = ()
        self._run: RunInProgress | None = None  # the last run of the visible conversation, unless it was loaded
        self._runs = RunPool(MOST_RUNS, self)
        self._runs.started.connect(self._show_running)
        self._runs.event_yielded.connect(self._on_event)
        self._runs.ended.connect(self._on_ended)
        self.repository = ConversationRepository(store, library_exists, self)
        self._listed = ConversationList(panel, self.repository, self)
        self._drafts = Drafts(pane.composer, self.repository, self._listed.refresh, self)
        self._run_feedback = RunFeedback(pane, self._feedback, self)
        self._run_feedback.given.connect(self.feedback_given)
        self._sources = SourceStatusChecker(retriever, self)
        self._sources.checked.connect(self._on_sources_checked)
        self._actions = RunActions(pane, self._context, settings, self)
        self._actions.run_requested.connect(self._on_run_requested)
        self._actions.refused.connect(self.refused)

    def _connections(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        composer, requests, panel = self._pane.composer, self._pane.requests, self._panel
        return (
            (composer.question_asked, self.ask),
            (composer.question_refused, self._refuse),
            (composer.scope_changed, self._on_scope_changed),
            (composer.stop_requested, self._on_stop),
            (requests.action_requested, self._on_action),
            (requests.question_asked, self.ask),
            (requests.filter_dropped, self._on_filter_dropped),
            (requests.whole_library_requested, self._on_whole_library_requested),
            (panel.new_requested, self.begin_new),
            (panel.conversation_chosen, self.open),
            (panel.delete_requested, self._on_delete),
            (panel.delete_confirmed, self._on_delete_confirmed),
            *self._run_feedback.connections(),
        )

    def start(self) -> None:
        """Attach to the pane and the panel, and list the stored conversations."""
        if not self._attached:
            self._attached = True
            for signal, slot in self._connections():
                signal.connect(slot)
            self._drafts.attach()
            self._listed.attach()
            self._show_running()
        self._list()
        self.repository.run(lambda store, _: (store.drafts(), store.shown()), self._restore)
        self.repository.report_notice()

    def _restore(self, stored: tuple[dict[ConversationId, str], ConversationId]) -> None:
        """Show what was shown last, unless you have begun something else since."""
        drafts, shown = stored
        if self._attached:
            self._drafts.load(drafts)
            idle = self._shown is None and self._loading is None and self._run is None
            if shown != NEW and idle and not self._pane.composer.question:
                self.open(shown)

    def leave(self) -> None:
        """Empty the pane and the panel and detach from them; runs in progress continue and are stored."""
        if not self._attached:
            return
        self._attached = False
        self.begin_new()
        self._drafts.detach()
        for signal, slot in self._connections():
            signal.disconnect(slot)
        self._listed.detach()
        self._show_running()

    def is_busy(self) -> bool:
        """Return whether a run is in progress."""
        return bool(self._runs.active())

    def running_question(self) -> str:
        """Return the shortened question of the oldest run in progress; empty without one."""
        active = self._runs.active()
        return shorten(active[0].question) if active else ""

    def reload(self) -> None:
        """Load the visible conversation and the list again after the store was changed."""
        shown, self._shown = self._shown, None
        self._list()
        if shown is not None:
            self.open(shown)

    def _list(self) -> None:
        self._listed.refresh()
        self.repository.report_cited()

    def close(self) -> None:
        """Stop the runs, store them, and wait for the threads."""
        if self._attached:
            self._drafts.save()
        active = self._runs.active()
        self._runs.close()
        for run in active:
            self._save(run)
        self.built_in.close()
        self._actions.close()
        self._sources.close()
        self.repository.close()

    def citations_of_answer(self, citation: Citation) -> tuple[Citation, ...]:
        """Return all citations of the answer that contains `citation`, in order."""
        for turn in reversed(self._turns):
            for event in turn.events:
                if isinstance(event, Answered) and citation in event.citations:
                    return event.citations
        return (citation,)

    @Slot(str)
    def ask(self, question: str) -> None:
        """Start a run in the visible conversation."""
        self._begin(self._asked(question))

    def _asked(self, question: str) -> RunInProgress:
        before = self._run if self._shown is None else None  # answered, but not stored yet
        return RunInProgress(self._turns, question, time.time_ns(), self._shown, follows=before)

    @Slot(str, object)
    def _on_filter_dropped(self, question: str, filter_: Filter) -> None:
        before = self._run.dropped_filters if self._run and self._run.question == question else ()
        self._begin(replace(self._asked(question), dropped_filters=(*before, filter_)))

    @Slot(str)
    def _on_whole_library_requested(self, question: str) -> None:
        self.choose(WHOLE_LIBRARY)
        self.ask(question)

    def choose(self, scope: ChosenScope) -> None:
        """Search there in the visible conversation from now on."""
        self._pane.composer.show_scope(scope)
        self._on_scope_changed()

    @Slot()
    def _on_scope_changed(self) -> None:
        """Store the scope with its conversation; that of a new one is stored with its first question."""
        shown, scope = self._shown, self._pane.composer.scope()
        if shown is not None:
            self.repository.run(lambda store, _: store.save_scope(shown, scope))
        elif self._run is not None:
            self._run.scope = scope

    def _begin(self, run: RunInProgress) -> None:
        """Start or queue `run` and show it, unless another one of its conversation is in progress."""
        if self._runs.is_active(self._run):
            self._refuse()
            return
        self._run, self._loading = run, None
        settings = self._settings()
        chosen = run.scope = self._pane.composer.scope()
        folders, context = self._pane.composer.folders(), self._context
        self._runs.start(run, lambda stop: context.answer(run, settings, context.scope(folders, chosen, stop), stop))
        self._begin_turn(run)
        self._show_running()
        self._save(run)  # the question is stored even if the program ends before the answer

    def _begin_turn(self, run: RunInProgress) -> None:
        elapsed = (time.time_ns() - run.started_ns) / 1e9 if run.started_ns else 0.0
        steerable = self._takes_feedback()
        self._pane.view.begin_turn(run.question, elapsed, steerable=steerable, queued=not run.started_ns)

    @Slot()
    def _show_running(self) -> None:
        """Show the Stop and steering controls if the visible conversation has a run in progress."""
        running = self._attached and self._runs.is_active(self._run)
        self._listed.show_runs(self._runs.active())
        started = running and self._run is not None and self._run.started_ns > 0
        self._pane.composer.set_running(running, takes_notes=started and self._takes_feedback())

    def _takes_feedback(self) -> bool:
        """Return whether the model can use feedback during a run; the built-in one cannot."""
        return self._settings().profile() is not None

    @Slot()
    def _on_stop(self) -> None:
        self._runs.stop(self._run)

    def _feedback(self) -> Feedback | None:
        return self._run.feedback if self._run and self._runs.is_active(self._run) else None

    @Slot(int, object)
    def _on_action(self, number: int, action: RunAction) -> None:
        turns = (*self._run.earlier, self._run.turn()) if self._run else self._turns
        is_last = number == len(turns)
        if not 0 < number <= len(turns) or (is_last and self._runs.is_active(self._run)):
            return
        turn, earlier = turns[number - 1], turns[: number - 1]
        match action:
            case RunAction.CONTINUE:
                self._actions.continue_run(turn, earlier, self._shown if is_last else None)
            case RunAction.FORK:
                self._actions.fork(turn, earlier)
            case RunAction.REPLAY:
                self._actions.replay(turn, earlier, self._pane.composer.folders(), self._pane.composer.scope())
            case RunAction.COMPARE:
                others = [other for other in turns if other.number != number and other.events]
                self.repository.run(
                    lambda store, _: store.runs_of(turn.question),
                    lambda found: self._actions.compare(turn, others, found, self._shown),
                )
            case _:
                assert_never(action)

    @Slot(object)
    def _on_run_requested(self, run: RunInProgress) -> None:
        """Start a run that continues or forks a stored one, and show its conversation."""
        self._drafts.switch(run.conversation or NEW, self._run, has_turns=True)
        self._shown, self._turns, self._run = run.conversation, run.earlier, None
        self._pane.meter.clear()
        self._pane.view.show_turns(run.earlier)
        self._begin(run)
        self._listed.set_current(run.conversation)

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation; a run in progress continues in its own."""
        self._drafts.switch(NEW, self._run, has_turns=self._has_turns())
        self._shown = self._loading = self._run = None
        self._turns = ()
        self._remember()
        self._pane.view.clear()
        self._pane.meter.clear()
        self._pane.composer.show_scope(WHOLE_LIBRARY)
        self._show_running()
        self._listed.set_current(None)
        self._pane.composer.setFocus()

    @Slot(object, int)
    def open(self, conversation: ConversationId, turn: int = 0) -> None:
        """Show a stored conversation, at one of its turns or else its end, with its run if one is in progress."""
        self._loading = None
        if conversation == self._shown:
            if turn:
                self._pane.view.reveal(turn)
            return
        if run := self._run_in(conversation):
            self._show(run.conversation, run.earlier, run.scope, run)
            return
        self._loading = conversation

        def show(loaded: Conversation) -> None:
            if self._loading == conversation:
                self._loading = None
                self._show(conversation, loaded.turns, loaded.scope)
                if turn:
                    self._pane.view.reveal(turn)

        self.repository.run(lambda store, _: _load(store, conversation), show)

    def _run_in(self, conversation: ConversationId) -> RunInProgress | None:
        return next((run for run in self._runs.active() if run.conversation == conversation), None)

    def _show(
        self,
        conversation: ConversationId | None,
        turns: tuple[Turn, ...],
        scope: ChosenScope,
        run: RunInProgress | None = None,
    ) -> None:
        """Show stored turns and, below them, the run in progress."""
        self._drafts.switch(conversation or NEW, self._run, has_turns=self._has_turns())
        self._pane.composer.show_scope(scope)
        self._shown, self._turns, self._run = conversation, turns, run
        self._remember()
        self._pane.meter.clear()
        self._pane.view.show_turns(turns)
        if run:
            self._begin_turn(run)
            for event in run.events:
                self._pane.view.append(event)
        else:
            self._sources.check(turns)
        for event in run.events if run else turns[-1].events if turns else ():
            self._show_usage(event)
        self._show_running()
        self._listed.set_current(conversation)

    def _show_usage(self, event: AgentEvent) -> None:
        if isinstance(event, ContextMeasured | Answered):
            self._pane.meter.show_use(event.context, event.usage)

    @Slot(object)
    def _on_sources_checked(self, notes: SourceNotes) -> None:
        if self._attached:
            self._pane.view.show_source_notes(notes)

    @Slot()
    def _refuse(self) -> None:
        self.refused.emit(self.tr("Wait for this answer, or press Stop to ask the next question."))

    @Slot(object, object)
    def _on_event(self, run: RunInProgress, event: AgentEvent) -> None:
        self.event_yielded.emit(event)
        if run is self._run:
            self._show_usage(event)
            self._pane.view.append(event)
        if isinstance(event, ToolReturned):  # after a crash the run is continued from here
            self.repository.save(run, lambda: None)

    @Slot(object)
    def _on_ended(self, run: RunInProgress) -> None:
        self._show_running()
        self._save(run)
        last = run.events[-1] if run.events else None
        if run is self._run:
            self._turns = (*run.earlier, run.turn())
            if isinstance(last, RunFailed):
                self._pane.composer.restore_question(run.question)
        elif not run.deleted:
            self._listed.mark_unread(run.conversation)
            self.finished_elsewhere.emit(run)
        if isinstance(last, Answered | RunStopped | RunFailed):
            self.answered.emit(last)

    def _save(self, run: RunInProgress) -> None:
        """Store the run as far as it has come, and update the list."""
        self.repository.save(run, lambda: self._on_saved(run))

    def _on_saved(self, run: RunInProgress) -> None:
        if run is self._run and run.conversation is not None:
            if self._shown is None:
                self._drafts.name(run.conversation)
            self._shown = run.conversation
            self._listed.set_current(run.conversation)
            self._remember()
        self._listed.show_runs(self._runs.active())
        self._list()
        if not self._runs.active():
            self.runs_finished.emit()

    def _has_turns(self) -> bool:
        """Return whether a question was asked in the visible conversation."""
        return bool(self._turns) or self._run is not None

    def _remember(self) -> None:
        """Store which conversation is shown, for the next start."""
        if self._attached:
            shown = self._shown or NEW
            self.repository.run(lambda store, _: store.remember_shown(shown))

    @Slot(object)
    def _on_delete(self, conversation: ConversationId) -> None:
        if conversation == self._shown:
            self.begin_new()

    @Slot(object)
    def _on_delete_confirmed(self, conversation: ConversationId) -> None:
        if run := self._run_in(conversation):
            run.deleted = True
            self._runs.stop(run)
        self._drafts.drop(conversation)
        self.repository.run(lambda store, _: store.delete(conversation))
        self.repository.report_cited()


def _load(store: ConversationStore, conversation: ConversationId) -> Conversation:
    """Read a conversation and load what showing it needs; for a background thread."""
    load_parser()
    loaded = store.load(conversation)
    for turn in loaded.turns:
        for event in turn.events:
            if isinstance(event, AnswerDelta | Answered | RunStopped | RunFailed):
                load_languages(event.text)
    return loaded
