"""What a person can do with a run that is over: go on with it, branch off, do it again, compare it with another."""

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.conversations.transcript import ConversationId, Turn
from desktop_rag.agent.events import RunStarted
from desktop_rag.agent.run.replay import recorded, resume_step
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_repository import RunInProgress
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.run_worker import RunContext, RunWorker
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparableRun, ComparisonDialog
from desktop_rag.gui.conversation.timeline.fork_dialog import ForkDialog
from desktop_rag.retrieval.api import Scope
from desktop_rag.settings import Settings


class RunActions(QObject):
    """Makes new runs of stored ones, and shows two runs side by side."""

    run_wanted = Signal(object)  # a Run to begin and show

    def __init__(
        self, pane: ConversationPane, ground: RunContext, settings: Callable[[], Settings], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._ground = ground
        self._settings = settings
        self._then: Turn | None = None  # the run that is done again now
        self._again = RunWorker("replay", self)
        self._again.ended.connect(self._on_done_again)

    def close(self) -> None:
        """End what goes on."""
        self._again.close()

    def act(self, act: RunAction, turn: Turn, earlier: tuple[Turn, ...], conversation: ConversationId | None) -> None:
        """Do what a person asks of `turn`, which lies in `conversation` if it can be gone on with there."""
        match act:
            case RunAction.CONTINUE:
                said = recorded(turn, before_step=resume_step(turn))
                run = RunInProgress(earlier, turn.question, time.time_ns(), conversation, recorded=said, extended=True)
                run.toolkit = _toolkit_of(turn)
                self.run_wanted.emit(run)
            case RunAction.FORK:
                self._fork(turn, earlier)
            case RunAction.REPLAY:
                self._do_again(turn, earlier)
            case RunAction.COMPARE:
                pass  # the conversations have to be read first: `compare`

    def compare(
        self,
        turn: Turn,
        others: Sequence[Turn],
        stored: Sequence[tuple[ConversationId, Turn]],
        shown: ConversationId | None,
    ) -> None:
        """Show `turn` beside another run: the runs of its question anywhere, then those of its conversation."""
        found = [
            run for conversation, run in stored if (conversation, run.number) != (shown, turn.number) and run.events
        ]
        numbers = {run.number for conversation, run in stored if conversation == shown}
        candidates = [
            ComparableRun(run) for run in (*found, *(other for other in others if other.number not in numbers))
        ]
        self._open(ComparisonDialog(turn, candidates, self._pane))

    def _fork(self, turn: Turn, earlier: tuple[Turn, ...]) -> None:
        dialog = ForkDialog(turn, self._pane)

        def begin(chosen: int, edited: Mapping[str, str]) -> None:
            said = recorded(turn, before_step=chosen, edited=edited)
            self.run_wanted.emit(RunInProgress(earlier, turn.question, time.time_ns(), None, recorded=said))

        dialog.chosen.connect(begin)
        self._open(dialog)

    def _do_again(self, turn: Turn, earlier: tuple[Turn, ...]) -> None:
        if self._again.run is not None:
            return
        self._then = turn
        run = RunInProgress(
            earlier, turn.question, turn.asked_ns, None, recorded=recorded(turn), toolkit=_toolkit_of(turn)
        )
        settings, scope = self._settings(), Scope()
        self._again.start(run, lambda stop: self._ground.do_again(run, settings, scope, stop))

    @Slot(object)
    def _on_done_again(self, run: RunInProgress) -> None:
        if self._then is not None and run.events:
            now = ComparableRun(run.turn(), now=True)
            self._open(ComparisonDialog(self._then, [now], self._pane))

    def _open(self, dialog: QWidget) -> None:
        dialog.show()


def _toolkit_of(turn: Turn) -> str:
    return next((event.toolkit for event in turn.events if isinstance(event, RunStarted)), "")
