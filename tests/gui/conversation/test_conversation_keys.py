"""Keys on the open conversation work where its questions are, as its menu says; the File menu has them, too."""

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.conversation.conversations_panel import TagsDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.window.main_window import MainWindow


@pytest.fixture
def field() -> QPlainTextEdit:
    return QPlainTextEdit()


@pytest.fixture
def window(field: QPlainTextEdit, qtbot: QtBot) -> MainWindow:
    window = MainWindow(field, QWidget(), ShownStatus())
    qtbot.addWidget(window)
    created = int(datetime(2026, 3, 12).timestamp() * 1e9)
    window.conversations.show_conversations([ConversationSummary(ConversationId(5), "About the lease", created, 1)])
    window.show()
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return window


def test_f2_in_the_question_renames_the_open_conversation(
    window: MainWindow, field: QPlainTextEdit, qtbot: QtBot
) -> None:
    window.conversations.set_current(ConversationId(5))
    QTest.keyClick(field, Qt.Key.Key_F2)
    rows = window.conversations.findChild(PanelList)
    assert isinstance(rows, PanelList)
    qtbot.waitUntil(lambda: rows.findChild(QLineEdit) is not None)
    editor = rows.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "Lease")
    with qtbot.waitSignal(window.conversations.rename_requested) as renamed:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == [5, "Lease"]
    assert not field.toPlainText()


def test_ctrl_t_in_the_question_gives_tags(window: MainWindow, field: QPlainTextEdit, qtbot: QtBot) -> None:
    window.conversations.set_current(ConversationId(5))
    QTest.keyClick(field, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: any(isinstance(each, TagsDialog) for each in QApplication.topLevelWidgets()))
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, TagsDialog):
            assert dialog.isVisible()
            dialog.close()


def test_the_file_menu_exports_and_prints_what_is_open(window: MainWindow, qtbot: QtBot) -> None:
    menu = window.menuBar().actions()[0].menu()
    assert isinstance(menu, QMenu)
    found = {action.text(): action for action in menu.actions()}
    assert not found["Export…"].isEnabled()
    window.conversations.set_current(ConversationId(5))
    with qtbot.waitSignal(window.conversations.export_requested):
        found["Export…"].trigger()
    with qtbot.waitSignal(window.conversations.print_requested):
        found["Print…"].trigger()
