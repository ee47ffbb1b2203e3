"""The commands on the answer in sight: those below each answer, for the keyboard and the palette."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from desktop_rag.gui.command_parts import CommandPart, Rows, new_command
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.turn_view import TurnView


class AnswerCommands(QWidget):
    """Acts on the answer that `view` shows; of several the last one that begins in its upper half."""

    def __init__(self, view: ConversationView) -> None:
        super().__init__(view)
        self.hide()
        self._view = view
        rows = (
            ("copyMarkdown", self.tr("Copy the answer as Markdown"), "M", lambda turn: turn.answer.copy_as_markdown()),
            ("copyText", self.tr("Copy the answer as plain text"), "T", lambda turn: turn.answer.copy_as_plain_text()),
            ("again", self.tr("Answer again"), "A", _requesting(RunAction.ANSWER_AGAIN)),
            ("branch", self.tr("Branch from here"), "B", _requesting(RunAction.BRANCH)),
            ("fork", self.tr("Ask again from a step…"), "F", _requesting(RunAction.FORK)),
            ("replay", self.tr("Search again, without the model"), "S", _requesting(RunAction.REPLAY)),
            ("compare", self.tr("Compare with another run…"), "C", _requesting(RunAction.COMPARE)),
        )
        self._actions = tuple(
            new_command(self, name, text, f"Ctrl+G, {key}", partial(self._run, act)) for name, text, key, act in rows
        )
        view.addActions(self._actions)

    def part(self, fixed: Rows) -> CommandPart:
        """Return the commands, listed with the `fixed` keys of answers."""
        title = self.tr("In an answer and its sources")
        return CommandPart("answer", title, self._actions, fixed, everywhere=True, blocked=self._blocked)

    def _blocked(self) -> str:
        turn = self._view.turn_in_sight()
        if turn is None:
            return self.tr("No answer is shown")
        return "" if turn.is_complete else self.tr("The answer is not complete")

    def _run(self, act: Callable[[TurnView], object]) -> None:
        turn = self._view.turn_in_sight()
        if turn is not None and turn.is_complete:
            act(turn)


def _requesting(action: RunAction) -> Callable[[TurnView], object]:
    return lambda turn: turn.request(action)
