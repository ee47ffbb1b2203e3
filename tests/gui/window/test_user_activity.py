"""What the person does in the window is noticed, but not every key of it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_rag.gui.window.desktop_application import UserActivity


def test_typing_is_noticed_once_in_a_while_and_still_arrives(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    handle = line.windowHandle()
    activity = UserActivity(line)
    handle.installEventFilter(activity)
    noticed: list[int] = []
    activity.noticed.connect(lambda: noticed.append(1))
    for key in (Qt.Key.Key_A, Qt.Key.Key_B, Qt.Key.Key_C):
        QTest.keyClick(handle, key)
    assert line.text() == "abc"
    assert len(noticed) == 1
    activity._quiet.timeout.emit()
    activity._quiet.stop()
    QTest.keyClick(handle, Qt.Key.Key_D)
    assert len(noticed) == 2


def test_the_caret_rests_until_the_next_key(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    activity = UserActivity(line)
    line.windowHandle().installEventFilter(activity)
    usual = QApplication.cursorFlashTime()
    assert usual > 0
    activity._still.timeout.emit()
    assert QApplication.cursorFlashTime() == 0
    QTest.keyClick(line.windowHandle(), Qt.Key.Key_A)
    assert QApplication.cursorFlashTime() == usual
    assert activity._still.isActive()
