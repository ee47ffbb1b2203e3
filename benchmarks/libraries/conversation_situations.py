"""The situations of the window's benchmark with stored conversations: switch, a very long one, export."""

import time
from collections.abc import Callable, Generator

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFileDialog, QScrollArea, QWidget

from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.app import App
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel

LONG, ASKED = ConversationId(1), ConversationId(2)  # the one written before the start, and the one of the questions
NEW_SECONDS, READ_SECONDS = 0.25, 0.8
_TIMES = 4
_SCREENS = 30  # to scroll up

Script = Generator[None]
Rest = Callable[[float], Script]


class Painted(QObject):
    """Whether a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.seen = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's name
        """Note a paint event."""
        self.seen = self.seen or event.type() is QEvent.Type.Paint
        return super().eventFilter(watched, event)


def switching(app: App, rest: Rest, conversation: ConversationId) -> Generator[None, None, list[float]]:
    """Open a conversation from an empty one; return the milliseconds until its last answer was painted, each time."""
    times: list[float] = []
    for _ in range(_TIMES):
        app.conversations.begin_new()
        yield from rest(NEW_SECONDS)
        started = time.perf_counter()
        app.conversations.open(conversation)
        while not app.pane.view.turns:
            yield
        painted = Painted(app.pane.view.turns[-1].answer.viewport())
        while not painted.seen:
            yield
        times.append((time.perf_counter() - started) * 1e3)
        yield from rest(READ_SECONDS)
    return times


def reading_up(app: App, rest: Rest) -> Script:
    """Scroll up in the conversation shown, a screen at a time."""
    area = app.pane.view.findChild(QScrollArea)
    assert area is not None
    bar = area.verticalScrollBar()
    for _ in range(_SCREENS):
        bar.setValue(bar.value() - bar.pageStep())
        yield from rest(NEW_SECONDS / 4)


def exporting(app: App, rest: Rest) -> Script:
    """Open the dialog that asks for the file, and close it."""
    panel = app.window.findChild(ConversationsPanel)
    assert panel is not None
    panel.export_requested.emit(ASKED)
    yield from rest(READ_SECONDS)
    for dialog in app.window.findChildren(QFileDialog):
        dialog.reject()
