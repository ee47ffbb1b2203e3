"""A run in a conversation, and what is to be read of it."""

from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from desktop_rag.agent.events import (
    AgentEvent,
)
from desktop_rag.gui.conversation.conversation_view import ConversationView
from tests.gui.conversation.conftest import QUESTION


def run_in(view: ConversationView, events: list[AgentEvent]) -> None:
    """Ask a question and show the events of its run."""
    view.begin_turn(QUESTION)
    for event in events:
        view.append(event)
    QApplication.processEvents()


def button_of(view: ConversationView, text: str) -> QPushButton:
    """Return the only visible button with this text."""
    (button,) = [one for one in view.findChildren(QPushButton) if one.text() == text and one.isVisible()]
    return button


def jump_is_offered(view: ConversationView) -> bool:
    """Return whether the button that leads to the end is shown, with its words or only its arrow."""
    return any(one.accessibleName() == "Jump to latest" and one.isVisible() for one in view.findChildren(QPushButton))


def texts_of(view: ConversationView) -> list[str]:
    """Return the texts of the visible labels."""
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible() and label.text()]
