"""A note takes the place of the status bar: nothing moves under the pointer while it comes and goes."""

from functools import partial

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


def test_what_was_done_in_a_row_is_undone_in_a_row(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    toast, done = Toast(owner), list[str]()
    for name in "abc":
        toast.offer(name, partial(done.append, f"undo {name}"), partial(done.append, f"final {name}"))
    toast.act()
    toast.act()
    assert done == ["undo c", "undo b"]
    toast.finish()
    assert done == ["undo c", "undo b", "final a"]
    toast.act()
    assert len(done) == 3
