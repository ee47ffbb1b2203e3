"""The list of conversations: order, dates, choosing, renaming, deleting, filtering."""

from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.conversation.conversations_model import WHEN_ROLE, ConversationsModel
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.theme.icons import IconButton
from tests.gui.tab_order import tab_stops

NOW = datetime(2026, 3, 12, 15, 30)


def kept(number: int, title: str, when: datetime = NOW) -> ConversationSummary:
    return ConversationSummary(ConversationId(number), title, int(when.timestamp() * 1e9), 1)


@pytest.fixture
def panel(qtbot: QtBot) -> ConversationsPanel:
    panel = ConversationsPanel(now=lambda: NOW)
    qtbot.addWidget(panel)
    panel.resize(300, 400)
    panel.show()
    return panel


def rows(panel: ConversationsPanel) -> QListView:
    view = panel.findChild(QListView)
    assert isinstance(view, QListView)
    return view


def shown(panel: ConversationsPanel, role: int = Qt.ItemDataRole.DisplayRole) -> list[str]:
    model = rows(panel).model()
    return [str(model.index(row, 0).data(role)) for row in range(model.rowCount())]


def test_conversations_are_listed_newest_first_with_relative_dates(panel: ConversationsPanel) -> None:
    panel.show_conversations(
        [
            kept(1, "old", datetime(2025, 12, 24, 9, 0)),
            kept(2, "today", datetime(2026, 3, 12, 9, 5)),
            kept(3, "before", datetime(2026, 3, 11, 23, 59)),
            kept(4, "week", datetime(2026, 3, 8, 12, 0)),
        ]
    )
    assert shown(panel) == ["today", "before", "week", "old"]
    assert shown(panel, WHEN_ROLE) == ["09:05", "Yesterday", "Sunday", "12/24/25"]
    assert shown(panel, Qt.ItemDataRole.AccessibleTextRole)[0] == "today. 09:05"


def test_the_conversations_model_passes_the_model_tester(qtbot: QtBot) -> None:
    model = ConversationsModel(lambda: NOW)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for titles in (["a"], ["a", "b"], ["b", "a"], ["c"], []):
        model.show_conversations([kept(number, title) for number, title in enumerate(titles)])
        assert model.rowCount() == len(titles)


def test_click_and_return_open_a_conversation(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(5, "five"), kept(6, "six", datetime(2026, 1, 1))])
    view = rows(panel)
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        place = view.visualRect(view.model().index(1, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert chosen.args == [6]
    panel.set_current(ConversationId(5))
    view.setFocus()
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == [5]


def test_the_open_conversation_stays_selected_when_the_list_changes(panel: ConversationsPanel) -> None:
    panel.show_conversations([kept(1, "one")])
    panel.set_current(ConversationId(1))
    panel.show_conversations([kept(2, "two"), kept(1, "one", datetime(2026, 1, 1))])
    assert rows(panel).currentIndex().data() == "one"
    panel.set_current(None)
    assert not rows(panel).currentIndex().isValid()


def test_renaming_only_emits_a_request(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one")])
    panel.set_current(ConversationId(1))
    view = rows(panel)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = next(field for field in view.viewport().findChildren(QLineEdit))
    editor.setText("  Lease <b>2024</b> ")
    with qtbot.waitSignal(panel.rename_requested) as asked:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert asked.args == [1, "Lease <b>2024</b>"]
    assert shown(panel) == ["one"]


def test_an_empty_title_is_refused(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one")])
    model = rows(panel).model()
    with qtbot.assertNotEmitted(panel.rename_requested):
        assert not model.setData(model.index(0, 0), "   ")


def test_delete_works_by_key_and_by_button(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one")])
    panel.set_current(ConversationId(1))
    view = rows(panel)
    view.setFocus()
    with qtbot.waitSignal(panel.delete_requested) as by_key:
        QTest.keyClick(view, Qt.Key.Key_Delete)
    rect = view.visualRect(view.model().index(0, 0))
    place = QPoint(rect.right() - 20, rect.center().y())
    opened: list[object] = []
    panel.conversation_chosen.connect(opened.append)
    with qtbot.waitSignal(panel.delete_requested) as by_button:
        QTest.mouseMove(view.viewport(), place)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert by_key.args == by_button.args == [1]
    assert opened == []


def test_the_filter_matches_words_in_any_order(panel: ConversationsPanel) -> None:
    panel.show_conversations([kept(1, "Notice period of the LEASE"), kept(2, "Retention policy")])
    field = next(f for f in panel.findChildren(QLineEdit) if f.accessibleName() == "Filter conversations")
    field.setText("lease notice")
    assert shown(panel) == ["Notice period of the LEASE"]
    field.setText("zebra")
    assert shown(panel) == []
    assert any(label.text() == "No title has these words" for label in panel.findChildren(QLabel) if label.isVisible())
    field.clear()
    assert len(shown(panel)) == 2


def test_a_new_conversation_is_one_click_away(panel: ConversationsPanel, qtbot: QtBot) -> None:
    button = panel.findChild(IconButton)
    assert isinstance(button, IconButton)
    with qtbot.waitSignal(panel.new_requested):
        button.click()


def test_titles_are_plain_text(panel: ConversationsPanel) -> None:
    panel.show_conversations([kept(1, "<img src='file:///x'>\nsecond"), kept(2, "", datetime(2026, 1, 1))])
    assert shown(panel) == ["<img src='file:///x'> second", "New conversation"]
    assert "&lt;img" in shown(panel, Qt.ItemDataRole.ToolTipRole)[0]


def test_tab_order_follows_the_layout(panel: ConversationsPanel) -> None:
    panel.show_conversations([kept(1, "Lease")])
    assert tab_stops(panel) == ["New conversation", "Filter conversations", "Conversations"]
