"""A dialog opens within the screen, whatever size and place it was given."""

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog


@pytest.mark.parametrize(
    "asked", [QRect(-300, -200, 500, 300), QRect(5_000, 4_000, 500, 300), QRect(0, 0, 9_000, 7_000)]
)
def test_a_dialog_opens_within_the_screen(asked: QRect, qtbot: QtBot) -> None:
    dialog = BoundedDialog()
    qtbot.addWidget(dialog)
    dialog.setGeometry(asked)
    dialog.show()
    room = dialog.screen().availableGeometry()
    qtbot.waitUntil(lambda: room.contains(dialog.frameGeometry()))
