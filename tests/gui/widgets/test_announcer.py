from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.toast import Announcer


def test_it_says_the_first_text_at_once_and_then_only_the_latest(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    said: list[str] = []
    announcer = Announcer(widget, lambda _, text: said.append(text))
    announcer.setInterval(20)
    for text in ("Searching", "Reading lease.pdf", "Thinking"):
        announcer.show(text)
    assert said == ["Searching"]
    qtbot.waitUntil(lambda: said == ["Searching", "Thinking"])
    announcer.show("Thinking")
    qtbot.waitUntil(lambda: not announcer.isActive())
    assert said == ["Searching", "Thinking"]


def test_the_event_reaches_qt(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    Announcer(widget).show("Answered in 12 s")
