"""What you can do with a finished run: continue it, fork it, replay it, compare it with another.

The agent's modules and the dialogs are imported when the user asks for them, not while the window starts.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.conversations.transcript import ChosenScope, ConversationId, Turn
from desktop_rag.agent.events import RunStarted, Source
from desktop_rag.agent.feedback import (
    AnswerReserve,
    BudgetExtension,
    Feedback,
    FeedbackItem,
    FeedbackNote,
    PassageFeedback,
    PassageFeedbackKind,
)
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.run_pool import RunContext, RunInProgress, RunPool
from desktop_rag.index.records import FolderId
from desktop_rag.settings import Settings


class RunActions(QObject):
    """Creates new runs from stored ones, and shows two runs side by side."""

    run_requested = Signal(RunInProgress)  # start this run and show it
    refused = Signal(str)  # why nothing can be compared

    def __init__(
        self, pane: ConversationPane, context: RunContext, settings: Callable[[], Settings], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._context = context
        self._settings = settings
        self._original: Turn | None = None  # the run being replayed
        self._replayer = RunPool(1, self, "replay")
        self._replayer.ended.connect(self._on_replayed)

    def close(self) -> None:
        """Stop a replay and wait for its thread."""
        self._replayer.close()

    def continue_run(self, turn: Turn, run: RunInProgress) -> None:
        """Continue `turn` where it ended, as `run`."""
        from desktop_rag.agent.run.replay import begun_answer, recorded, resume_step

        run.recorded, run.begun = recorded(turn, before_step=resume_step(turn)), begun_answer(turn)
        run.extended, run.toolkit = True, _toolkit_of(turn)
        self.run_requested.emit(run)

    def fork(self, turn: Turn, earlier: tuple[Turn, ...], step: int = 0) -> None:
        """Let the user choose a step of `turn` from which to ask again, in a new conversation; `step` is proposed."""
        from desktop_rag.agent.run.replay import recorded
        from desktop_rag.gui.conversation.timeline.fork_dialog import ForkDialog

        dialog = ForkDialog(turn, self._pane, step)

        def begin(step: int, edited: Mapping[str, str]) -> None:
            messages = recorded(turn, before_step=step, edited=edited)
            now = time.time_ns()
            run = RunInProgress(earlier, turn.question, now, None, recorded=messages, forked=True)
            self.run_requested.emit(run)

        dialog.chosen.connect(begin)
        dialog.show()

    def replay(self, turn: Turn, earlier: tuple[Turn, ...], folders: tuple[FolderId, ...], chosen: ChosenScope) -> None:
        """Repeat the searches of `turn` in its scope today, then compare; ignored while another replay runs."""
        from desktop_rag.agent.run.replay import recorded

        if self._replayer.active():
            return
        self._original = turn
        messages, toolkit = recorded(turn), _toolkit_of(turn)
        run = RunInProgress(earlier, turn.question, turn.asked_ns, None, recorded=messages, toolkit=toolkit)
        run.scope = chosen
        settings, context = self._settings(), self._context
        self._replayer.start(
            run, lambda stop: context.replay(run, settings, context.scope(folders, chosen, stop), stop)
        )

    def compare(
        self,
        turn: Turn,
        others: Sequence[Turn],
        stored: Sequence[tuple[ConversationId, Turn]],
        shown: ConversationId | None,
    ) -> None:
        """Compare `turn` with the `stored` runs of its question and, after these, `others` of its conversation."""
        from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparableRun, ComparisonDialog

        same_question = [
            run for conversation, run in stored if (conversation, run.number) != (shown, turn.number) and run.events
        ]
        numbers = {run.number for conversation, run in stored if conversation == shown}
        rest = [other for other in others if other.number not in numbers]
        candidates = [ComparableRun(run) for run in (*same_question, *rest)]
        if candidates:
            ComparisonDialog(turn, candidates, self._pane).show()
        else:
            self.refused.emit(self.tr("There is no other run to compare with. Ask the question again first."))

    @Slot(object)
    def _on_replayed(self, run: RunInProgress) -> None:
        from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparableRun, ComparisonDialog

        if self._original is not None and run.events:
            ComparisonDialog(self._original, [ComparableRun(run.turn(), now=True)], self._pane).show()


def _toolkit_of(turn: Turn) -> str:
    return next((event.toolkit for event in turn.events if isinstance(event, RunStarted)), "")


# Passes what you tell a run in progress on to it: notes, passages to keep or ignore, more steps, pause.


class RunFeedback(QObject):
    """Connects the pane's controls with the feedback of the visible run."""

    given = Signal(str)  # when it takes effect

    def __init__(
        self, pane: ConversationPane, current: Callable[[], Feedback | None], parent: QObject | None = None
    ) -> None:
        """Take the feedback of the visible run from `current`, None if it is not in progress."""
        super().__init__(parent)
        self._pane = pane
        self._current = current

    def connections(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        """Return the signals of the pane and what to connect them to."""
        composer = self._pane.composer
        return (
            (composer.note_written, self._on_note),
            (composer.pause_toggled, self._on_pause),
            (composer.more_steps_requested, self._on_more_steps),
            (self._pane.requests.source_feedback, self._on_source_feedback),
            (self._pane.meter.reserve_chosen, self._on_reserve),
            (self._pane.requests.limit_decided, self._on_limit_decided),
            (self._pane.requests.retry_requested, self._on_retry),
        )

    def take_unread(self, run: RunInProgress) -> str:
        """Return the notes that a run which has ended did not read."""
        notes = [item.text for item in run.feedback.drain() if isinstance(item, FeedbackNote)]
        if notes and not run.deleted:
            self.given.emit(self.tr("The run ended before the model read your note. It is in the question field."))
        return "" if run.deleted else "\n\n".join(notes)

    def _give(self, item: FeedbackItem, confirmation: str) -> None:
        if feedback := self._current():
            feedback.send(item)
            self.given.emit(confirmation)

    @Slot(str)
    def _on_note(self, text: str) -> None:
        self._give(FeedbackNote(text), self.tr("The model reads this before its next step."))

    @Slot()
    def _on_more_steps(self) -> None:
        self._give(BudgetExtension(), self.tr("The run may take more steps."))

    @Slot(object, str)
    def _on_source_feedback(self, source: Source, kind: PassageFeedbackKind) -> None:
        takes_effect = self.tr("This takes effect before the next step.")
        self._give(PassageFeedback(source.reference, kind), takes_effect)

    @Slot(int)
    def _on_reserve(self, tokens: int) -> None:
        if feedback := self._current():
            feedback.send(AnswerReserve(tokens))

    @Slot()
    def _on_retry(self) -> None:
        if feedback := self._current():
            feedback.nudge.give()

    @Slot(bool)
    def _on_limit_decided(self, allowed: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        if feedback := self._current():
            feedback.decide(allowed=allowed)

    @Slot(bool)
    def _on_pause(self, paused: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        if feedback := self._current():
            (feedback.pause if paused else feedback.resume)()
            if paused:
                self.given.emit(self.tr("Pauses at the next word of the model, or before its next step."))
