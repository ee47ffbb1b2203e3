"""The keys of a table work in the whole window, beside those of the open conversation."""

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.window.main_window import MainWindow, Pages
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.work.table import TableHead, TableId
from tests.unit.work.tables import a_table


def test_f2_corrects_a_cell_while_a_conversation_is_open(qtbot: QtBot) -> None:
    page = TablePage()
    pages = Pages(QPlainTextEdit(), page)
    window = MainWindow(pages, QWidget(), ShownStatus())
    qtbot.addWidget(window)
    created = int(datetime(2026, 3, 12).timestamp() * 1e9)
    window.conversations.show_conversations([ConversationSummary(ConversationId(5), "About the lease", created, 1)])
    window.conversations.set_current(ConversationId(5))
    window.show()
    window.activateWindow()
    table = a_table()
    page.show_tables([TableHead(TableId(1), table.name, 5, 20, 9, 1)], table.id)
    page.show_table(table)
    pages.setCurrentWidget(page)
    page.view.setFocus()
    page.view.setCurrentIndex(page.model.index(0, 2))
    qtbot.waitUntil(page.view.hasFocus)
    with qtbot.waitSignal(page.correct_requested) as asked:
        QTest.keyClick(page.view, Qt.Key.Key_F2)
    assert asked.args == [(1, 2)]
    window.close()
