import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme.theme import Look, resume_updates
from desktop_rag.settings import Theme


class Painted(QWidget):
    """A window that counts its paint events."""

    def __init__(self) -> None:
        super().__init__()
        self.paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        self.paints += 1


@pytest.fixture
def window(qtbot: QtBot) -> Painted:
    window = Painted()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.paints > 0)
    return window


def test_a_request_that_came_while_updates_were_disabled_is_not_lost(
    window: Painted, qapp: QApplication, qtbot: QtBot
) -> None:
    before = window.paints
    window.update()
    window.setUpdatesEnabled(False)
    qapp.processEvents()
    assert window.paints == before
    resume_updates(window)
    qtbot.waitUntil(lambda: window.paints > before)


def test_a_window_that_was_to_be_painted_is_painted_after_a_change_of_theme(
    window: Painted, qapp: QApplication, qtbot: QtBot
) -> None:
    look = Look(qapp)
    look.use(Theme.LIGHT)
    qtbot.waitUntil(lambda: not look._steps)
    qapp.processEvents()
    before = window.paints
    window.update()  # as the menu does that was above it
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    qtbot.waitUntil(lambda: window.paints > before)
