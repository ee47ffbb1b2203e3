"""A note takes the place of the status bar: nothing moves under the pointer while it comes and goes."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.settings import Theme


@pytest.mark.parametrize("percent", [100, 150])
def test_a_note_of_one_line_moves_nothing(qapp: QApplication, qtbot: QtBot, percent: int) -> None:
    look = Look(qapp)
    field = QPlainTextEdit()
    window = MainWindow(field, QWidget(), ShownStatus())
    qtbot.addWidget(window)
    window.show_model("scripted · Local")
    window.resize(1280, 720)
    look.use(Theme.LIGHT, percent)  # as the program does, after the window is made
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    before: QRect = field.geometry()
    toast = window.findChild(Toast)
    assert isinstance(toast, Toast)
    window.show_toast("“What is the deadline?” has its answer", "Show", window.bring_to_front)
    QApplication.processEvents()
    assert toast.isVisible()
    assert not window.statusBar().isVisible()
    assert field.geometry() == before
    toast.finish()
    QApplication.processEvents()
    assert window.statusBar().isVisible()
    assert field.geometry() == before
    look.use(Theme.LIGHT)
