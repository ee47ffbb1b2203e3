"""Connects the conversation pane and the conversation list with the agent's runs and the stored conversations."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import assert_never

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.budget import Spending
from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope, ConversationId, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    LimitAsked,
    RunFailed,
    RunStopped,
    ToolReturned,
)
from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.agent.feedback import Feedback
from desktop_rag.credentials import Credentials
from desktop_rag.gui import formatting
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.conversation.composer.attachment_control import AttachmentControl, ScopeControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversations_panel import ConversationList, ConversationsPanel
from desktop_rag.gui.conversation.export.export_control import ExportControl, NotesControl
from desktop_rag.gui.conversation.run_actions import RunActions, RunFeedback
from desktop_rag.gui.conversation.run_pool import RunContext, RunInProgress, RunPool, few_new_files
from desktop_rag.gui.conversation.shown_conversation import ShownConversation
from desktop_rag.gui.conversation.sources.source_status import SourceStatusChecker
from desktop_rag.gui.privacy.host_dialog import HostConfirmation
from desktop_rag.index.indexer_api import Hold
from desktop_rag.paths import spending_file
from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import Settings
from desktop_rag.text.display import shorten

MOST_RUNS = 2  # in progress at once, each in its own conversation

SAVED_EVERY = 5.0  # seconds of an answer that is being written


class ConversationControl(QObject):
    """Runs questions, and shows, stores and lists the conversations of one library.

    A conversation has at most one run in progress; the run continues while another conversation is shown. The libraries
    share one pane and one panel: `start` attaches this control to them, `leave` detaches it.
    """

    event_yielded = Signal(object)  # each AgentEvent of every run, in order
    answered = Signal(object)  # the last event of a run: Answered, RunStopped or RunFailed
    refused = Signal(str)  # why a question cannot be asked now
    add_requested = Signal(object)  # a tuple of paths as bytes, for the library
    notes_chosen = Signal(Path)  # the folder to which notes are saved from now on
    host_confirmed = Signal(str)  # a host that the user allows sending to
    notified = Signal(str)  # what was done, as a sentence
    undoable = Signal(str, object)  # what was done, as a sentence, and a function that undoes it
    saved = Signal(str, Path)  # that a file was written, as a sentence, and the file
    feedback_given = Signal(str)  # when feedback to the visible run takes effect
    finished_elsewhere = Signal(RunInProgress)  # it ended, or asks about a limit, out of sight
    run_noticed = Signal(RunInProgress)  # it ended, or asks about a limit, in sight or not
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
        self._context = RunContext(
            retriever,
            credentials or Credentials(),
            self.built_in,
            Spending(spending_file()),
            lambda: few_new_files(pane.composer.status.current),
            lambda: pane.composer.status.current.hold is not Hold.NONE,
        )
        self._attached = False
        self._warm_up: StreamWorker[None] = StreamWorker("warm-up", lambda _: None, self)
        self._runs = RunPool(MOST_RUNS, self)
        self._runs.started.connect(self._show_running)
        self._runs.event_yielded.connect(self._on_event)
        self._runs.ended.connect(self._on_ended)
        self.repository = ConversationRepository(store, library_exists, self)
        self._listed = ConversationList(panel, self.repository, self)
        self.sources = SourceStatusChecker(retriever, self)
        self._shown = ShownConversation(
            pane,
            self.repository,
            self._listed,
            self._runs,
            self.sources,
            self._takes_feedback,
            lambda: settings().follow_ups,
            self,
        )
        self._shown.changed.connect(self._show_running)
        self._shown.refused.connect(self.refused)
        self._scope = ScopeControl(pane.composer, retriever, self)
        self._attachments = AttachmentControl(pane.composer, retriever, self._shown, self)
        self._attachments.add_requested.connect(self.add_requested)
        self._attachments.undoable.connect(self.undoable)
        self._scope.files_dropped.connect(self._shown.attach_files)
        self._scope.folder_dropped.connect(self._attachments.ask_about)
        self._export = ExportControl(self.repository, retriever, panel.title_of, pane, self)
        self._export.notified.connect(self.notified)
        self._export.saved.connect(self.saved)
        self._notes = NotesControl(self.repository, retriever, settings, pane, self)
        self._notes.saved.connect(self.saved)
        self._notes.folder_chosen.connect(self._on_notes_chosen)
        self._run_feedback = RunFeedback(pane, self._feedback, self)
        self._run_feedback.given.connect(self.feedback_given)
        self._actions = RunActions(pane, self._context, settings, self)
        self._host = HostConfirmation(pane, self)
        self._host.confirmed.connect(self.host_confirmed)
        self._actions.run_requested.connect(self._on_run_requested)
        self._actions.refused.connect(self.refused)

    def _connections(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        composer, requests, panel = self._pane.composer, self._pane.requests, self._panel
        return (
            (composer.question_asked, self.ask),
            (composer.question_refused, self._refuse),
            (composer.scope_changed, self._shown.store_scope),
            (composer.stop_requested, self._on_stop),
            (requests.action_requested, self._on_action),
            (requests.fork_requested, self._on_fork),
            (requests.question_asked, self.ask),
            (requests.follow_up_chosen, self._on_follow_up),
            (requests.edited, self._on_edited),
            (requests.variant_chosen, self._on_variant_chosen),
            (requests.filter_dropped, self._on_filter_dropped),
            (requests.whole_library_requested, self._on_whole_library_requested),
            (panel.new_requested, self._shown.begin_new),
            (panel.conversation_chosen, self._shown.open),
            (panel.export_requested, self._export.export),
            (requests.viewer.bibliography_requested, self._export.copy_work),
            (requests.viewer.note_requested, self._notes.save_quotation),
            (panel.print_requested, self._export.print),
            (panel.archive_requested, self._on_archived),
            (panel.delete_requested, self._on_delete),
            (panel.delete_confirmed, self._on_delete_confirmed),
            *self._run_feedback.connections(),
        )

    @Slot(object, bool)
    def _on_archived(self, conversation: ConversationId, archived: bool) -> None:  # noqa: FBT001 - a slot
        """Leave a conversation that is put away."""
        if archived and conversation == self._shown.id:
            self._shown.begin_new()

    def start(self) -> None:
        """Attach to the pane and the panel, and list the stored conversations."""
        if not self._attached:
            self._attached = True
            for signal, slot in self._connections():
                signal.connect(slot)
            self._listed.attach()
            self._shown.attach()
            self._scope.attach()
            self._attachments.attach()
            self.repository.run(lambda _store, _stop: self._context.spending.load(), lambda _: self._show_spent())
            self._show_running()
            settings = self._settings()
            self._warm_up.start(lambda stop: self._context.warm_up(settings, stop))
        self._list()
        self.repository.report_notice()

    def leave(self) -> None:
        """Empty the pane and the panel and detach from them; runs in progress continue and are stored."""
        if not self._attached:
            return
        self._attached = False
        self._shown.detach()
        self._scope.detach()
        self._attachments.detach()
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
        self._list()
        self._shown.reload()

    def _list(self) -> None:
        self._listed.refresh()
        self.repository.report_cited()
        self.repository.report_attached()

    def close(self) -> None:
        """Stop the runs, store them, and wait for the threads."""
        self._shown.save_draft()
        active = self._runs.active()
        self._warm_up.close()
        self._runs.close()
        for run in active:
            self._save(run)
        self.built_in.close()
        self._actions.close()
        self.sources.close()
        self._scope.close()
        self._attachments.close()
        self.repository.close()

    def open(self, conversation: ConversationId, turn: int = 0) -> None:
        """Show a stored conversation, at one of its turns or else its end."""
        self._shown.open(conversation, turn)

    def begin_new(self) -> None:
        """Show an empty conversation; a run in progress continues in its own."""
        self._shown.begin_new()

    def choose(self, scope: ChosenScope) -> None:
        """Search there in the visible conversation from now on."""
        self._shown.choose(scope)

    @Slot(object)
    def limit_to(self, paths: tuple[bytes, ...]) -> None:
        """Search only in files and folders of the library, and in what was chosen before."""
        self._scope.limit_to(tuple(Path(os.fsdecode(path)) for path in paths))

    @Slot(str)
    def ask(self, question: str) -> None:
        """Start a run in the visible conversation."""
        self._begin(self._shown.asked(question))

    @Slot(str, bool)
    def _on_follow_up(self, question: str, at_once: bool) -> None:  # noqa: FBT001 - a slot
        if at_once:
            self.ask(question)
        else:
            self._pane.composer.set_question(question)
            self._pane.composer.setFocus()

    @Slot(int, object)
    def _on_filter_dropped(self, place: int, filter_: Filter) -> None:
        last = self._shown.run
        before = last.dropped_filters if last and place == len(last.earlier) + 1 else ()
        if run := self._asked_again(place):
            self._begin_variant(replace(run, dropped_filters=(*before, filter_)))

    @Slot(int)
    def _on_whole_library_requested(self, place: int) -> None:
        if run := self._asked_again(place):
            self.choose(WHOLE_LIBRARY)
            self._begin_variant(run)

    @Slot(int, str)
    def _on_edited(self, place: int, question: str) -> None:
        if run := self._asked_again(place):
            self._begin_variant(replace(run, question=question))
            self._pane.composer.setFocus()  # the field that had it is gone

    @Slot(int, int)
    def _on_variant_chosen(self, place: int, step: int) -> None:
        if self._shown.is_running():
            self._refuse()
        else:
            self._shown.choose_variant(place, step)

    def _asked_again(self, place: int) -> RunInProgress | None:
        """Return a run that is a variant of turn `place`, or None and say why it cannot be asked now."""
        turns = self._shown.all_turns()
        if self._shown.is_running():
            self._refuse()
        elif 0 < place <= len(turns):
            return self._shown.variant(place, turns[place - 1].question)
        return None

    def _begin_variant(self, run: RunInProgress) -> None:
        self._shown.show_before(run)
        self._begin(run)

    def _begin(self, run: RunInProgress) -> None:
        """Start or queue `run` and show it, unless another one of its conversation is in progress."""
        if self._shown.is_running():
            self._refuse()
            return
        settings, context = self._settings(), self._context
        if run.quotes:
            settings = replace(settings, active_profile="")
        back = partial(self._pane.composer.set_question, run.question)
        if self._host.asks(settings, partial(self._begin, run), back):
            return
        run.scope = self._pane.composer.scope_row.scope()
        folders = self._pane.composer.scope_row.folders()
        self._warm_up.stop()
        self._runs.start(run, lambda stop: context.answer(run, settings, folders, stop))
        self._shown.begin(run)
        self._show_running()
        self._save(run)  # the question is stored even if the program ends before the answer

    @Slot()
    def _show_running(self) -> None:
        """Show the Stop and steering controls if the visible conversation has a run in progress."""
        run = self._shown.run
        running = self._attached and self._shown.is_running()
        self._listed.show_runs(self._runs.active())
        started = running and run is not None and run.started_ns > 0
        self._pane.composer.set_running(running, takes_notes=started and self._takes_feedback())

    def _takes_feedback(self) -> bool:
        """Return whether the model can use feedback during a run; the built-in one cannot."""
        return self._settings().profile() is not None

    @Slot()
    def _on_stop(self) -> None:
        self._runs.stop(self._shown.run)

    def _feedback(self) -> Feedback | None:
        return self._shown.run.feedback if self._shown.run and self._shown.is_running() else None

    @Slot(int, int)
    def _on_fork(self, number: int, step: int) -> None:
        self._on_action(number, RunAction.FORK, step)

    @Slot(int, object)
    def _on_action(self, number: int, action: RunAction, step: int = 0) -> None:
        turns = self._shown.all_turns()
        is_last = number == len(turns)
        if not 0 < number <= len(turns) or (is_last and self._shown.is_running()):
            return
        turn, earlier = turns[number - 1], turns[: number - 1]
        match action:
            case RunAction.CONTINUE:
                run = self._shown.variant(number, turn.question)
                has_text = any(
                    isinstance(event, AnswerDelta | Answered | RunStopped | RunFailed) and event.text.strip()
                    for event in turn.events
                )
                run.number = turn.number if is_last and not has_text else 0  # a text stays, as a variant
                self._actions.continue_run(turn, run)
                self._pane.composer.setFocus()  # the button that had it is gone
            case RunAction.ANSWER_AGAIN:
                if run_again := self._asked_again(number):
                    self._begin_variant(run_again)
                    self._pane.composer.setFocus()  # the button that had it is gone
            case RunAction.NOTE:
                self._notes.save_turn(turn)
            case RunAction.QUOTE:
                if quoting := self._asked_again(number):
                    self._begin_variant(replace(quoting, quotes=True))
                    self._pane.composer.setFocus()
            case RunAction.BRANCH:
                self._shown.branch(number)
            case RunAction.FORK:
                self._actions.fork(turn, earlier, step)
            case RunAction.REPLAY:
                self._actions.replay(
                    turn, earlier, self._pane.composer.scope_row.folders(), self._pane.composer.scope_row.scope()
                )
            case RunAction.COMPARE:
                shown = self._shown.id
                self.repository.run(
                    lambda store, _: store.runs_of(turn.question, shown, turn.number),
                    lambda found: self._compare(number, found),
                )
            case _:
                assert_never(action)

    @Slot(Path)
    def _on_notes_chosen(self, folder: Path) -> None:
        self.notes_chosen.emit(folder)
        self.add_requested.emit((os.fsencode(folder),))  # notes are found as all documents are

    def _compare(self, number: int, found: tuple[tuple[ConversationId, Turn], ...]) -> None:
        turns = self._shown.all_turns()  # by now the last one is stored and has its number
        others = [turn for place, turn in enumerate(turns, 1) if place != number and turn.events]
        if number <= len(turns):
            self._actions.compare(turns[number - 1], others, found, self._shown.id)

    @Slot(object)
    def _on_run_requested(self, run: RunInProgress) -> None:
        """Start a run that continues or forks a stored one, and show its conversation."""
        if self._shown.is_running() and run.conversation is not None:
            self._refuse()
        else:
            self._begin_variant(run)

    @Slot()
    def _refuse(self) -> None:
        self.refused.emit(self.tr("Wait for this answer, or press Stop to ask the next question."))

    def _show_spent(self) -> None:
        settings = self._settings()
        profile = settings.profile()
        dated = formatting.price_age(profile) if formatting.prices_are_old(profile) else ""
        self._pane.meter.show_spent(self._context.spending.spent(), settings.money, dated)

    @Slot(object, object)
    def _on_event(self, run: RunInProgress, event: AgentEvent) -> None:
        self.event_yielded.emit(event)
        if run is self._shown.run:
            self._shown.append(event)
            self._show_spent()
        elif isinstance(event, LimitAsked):
            self.finished_elsewhere.emit(run)
        if isinstance(event, LimitAsked):
            self.run_noticed.emit(run)
        now = time.monotonic()
        if isinstance(event, ToolReturned) or now - run.saved > SAVED_EVERY:  # after a crash it is continued from here
            run.saved = now
            self.repository.save(run, lambda: None)

    @Slot(object)
    def _on_ended(self, run: RunInProgress) -> None:
        self._show_running()
        self._save(run)
        last = run.events[-1] if run.events else None
        if run is self._shown.run:
            self._shown.end(run)
        elif not run.deleted:
            self._listed.mark_unread(run.conversation)
            self.finished_elsewhere.emit(run)
        if note := self._run_feedback.take_unread(run):
            self._shown.give_back(run, note)
        if isinstance(last, Answered | RunStopped | RunFailed):
            self.answered.emit(last)
        if not run.deleted:
            self.run_noticed.emit(run)

    def _save(self, run: RunInProgress) -> None:
        """Store the run as far as it has come, and update the list."""
        self.repository.save(run, lambda: self._on_saved(run))

    def _on_saved(self, run: RunInProgress) -> None:
        self._shown.note_saved(run)
        self._listed.show_runs(self._runs.active())
        self._list()
        if not self._runs.active():
            self.runs_finished.emit()

    @Slot(object)
    def _on_delete(self, conversation: ConversationId) -> None:
        if conversation == self._shown.id:
            self.begin_new()

    @Slot(object)
    def _on_delete_confirmed(self, conversation: ConversationId) -> None:
        if run := self._shown.run_in(conversation):
            run.deleted = True
            self._runs.stop(run)
        self._shown.drop(conversation)
        self.repository.run(lambda store, _: store.delete(conversation))
        self.repository.report_cited()
        self.repository.report_attached()
