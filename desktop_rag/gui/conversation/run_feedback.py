"""Passes what you tell a run in progress on to it: notes, passages to keep or ignore, more steps, pause."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.events import Source
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
from desktop_rag.gui.conversation.run_pool import RunInProgress


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
