"""The centre of the window: the conversation, the question field and the token meter."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rag.gui.command_parts import CommandPart, shown_keys
from desktop_rag.gui.conversation.answer_commands import AnswerCommands
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.composer.token_meter import TokenMeter
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests

READING_WIDTH = 860  # pixels: longer lines are hard to read


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
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignRight)
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 4, 16, 10)
        foot.setSpacing(4)
        foot.addWidget(self.composer)
        foot.addLayout(below)
        middle = QWidget(self)
        middle.setLayout(foot)
        middle.setMaximumWidth(READING_WIDTH)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(middle, 100)
        centred.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addLayout(centred)
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
