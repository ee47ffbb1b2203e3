"""The centre of the window: the conversation, the question field and the token meter."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.command_parts import CommandPart, Rows, new_command, shown_keys
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.composer.token_meter import TokenMeter
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row

READING_WIDTH = 860  # pixels: longer lines are hard to read


class AnswerCommands(QWidget):
    """Acts on the answer that `view` shows; of several the last one that begins in its upper half."""

    def __init__(self, view: ConversationView) -> None:
        super().__init__(view)
        self.hide()
        self._view = view
        rows = (
            ("copyMarkdown", self.tr("Copy the answer as Markdown"), "M", lambda turn: turn.answer.copy_as_markdown()),
            ("copyText", self.tr("Copy the answer as plain text"), "T", lambda turn: turn.answer.copy_as_plain_text()),
            ("note", self.tr("Save to notes"), "N", _requesting(RunAction.NOTE)),
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


class ConversationPane(QWidget):
    """Lays out view, composer and meter, and creates `requests`; its owner connects them."""

    def __init__(self, viewer: ViewerRequests, status: ShownStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.requests = ConversationRequests(viewer, self)
        self.view = ConversationView(self.requests, self)
        self._answer_commands = AnswerCommands(self.view)
        self.composer = Composer(status, self)
        self.meter = TokenMeter(self)
        self.requests.reserve_requested.connect(self.meter.reserve_chosen)
        self.composer.setMaximumWidth(READING_WIDTH)
        foot = in_column(
            self.composer,
            in_row(STRETCH, (self.meter, Qt.AlignmentFlag.AlignRight), spacing=None),
            spacing=4,
            margins=(16, 4, 16, 10),
        )
        middle = QWidget(self)
        middle.setLayout(foot)
        middle.setMaximumWidth(READING_WIDTH)
        in_column((self.view, 1), in_row(STRETCH, (middle, 100), STRETCH, spacing=None), on=self, spacing=0)
        self.setFocusProxy(self.composer)

    def commands(self) -> tuple[CommandPart, ...]:
        """Return the commands of the question field and of the answers."""
        key = Qt.Key
        rows = (
            (self.tr("Next citation"), key.Key_Tab),
            (self.tr("Card of a citation; again: keep it open"), key.Key_Space),
            (self.tr("Open the citation"), key.Key_Return),
            (self.tr("Close the card"), key.Key_Escape),
        )
        fixed = tuple((text, shown_keys(keys)) for text, keys in rows)
        return self.composer.commands(), self._answer_commands.part(fixed)
