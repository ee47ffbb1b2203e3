"""The window is painted before anything else is done at the start."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.window.desktop_application import show_painted
from desktop_rag.index.library import Library
from tests.gui.opened_app import opened


class _Painted(QObject):
    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_a_window_is_painted_when_it_has_been_shown(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    painted = _Painted(window)
    show_painted(window)
    assert painted.count > 0


def test_the_library_is_opened_behind_a_painted_window(qapp: QApplication, qtbot: QtBot, home: Path) -> None:
    app = App(qapp, Library(home / "library"))
    painted = _Painted(app.window)
    before: list[int] = []
    app.sessions.shown.connect(lambda _: before.append(painted.count))
    with opened(app, qtbot):
        assert before
        assert before[0] > 0
