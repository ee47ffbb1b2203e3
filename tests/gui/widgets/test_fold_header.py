"""Assistive tools read whether the header of a section is expanded, and press it."""

import gc

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAccessible, QAccessibleActionInterface
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.painted_button import FoldHeader


class Header(FoldHeader):
    """A header that paints nothing."""

    def paintEvent(self, _event: QEvent) -> None:
        """Paint nothing."""


def test_a_header_is_an_expandable_button(qtbot: QtBot) -> None:
    header = Header("Shows the steps", "Hides the steps")
    qtbot.addWidget(header)
    header.setAccessibleName("5 steps")
    header.show()
    gc.collect()  # Qt keeps what it reads for longer than Python does
    read = QAccessible.queryAccessibleInterface(header)
    state = read.state()
    assert read.role() is QAccessible.Role.Button
    assert read.text(QAccessible.Text.Name) == "5 steps"
    assert (state.expandable, state.expanded, state.collapsed, state.focusable) == (1, 0, 1, 1)
    with qtbot.waitSignal(header.folded) as folded:
        read.actionInterface().doAction(QAccessibleActionInterface.pressAction())
    assert folded.args == [True]
    state = QAccessible.queryAccessibleInterface(header).state()
    assert (state.expandable, state.expanded, state.collapsed) == (1, 1, 0)
    assert read.text(QAccessible.Text.Description) == "Hides the steps"


def test_what_was_read_is_freed_with_its_header(qtbot: QtBot) -> None:
    for kept in (True, False):
        header = Header("", "")
        read = QAccessible.queryAccessibleInterface(header)
        assert read.state().expandable
        if not kept:
            del read
        header.deleteLater()
        QApplication.sendPostedEvents(header, QEvent.Type.DeferredDelete)
        del header
        gc.collect()
    assert not [each for each in gc.get_objects() if type(each) is Header]
