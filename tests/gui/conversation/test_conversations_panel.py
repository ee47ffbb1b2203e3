"""The list of conversations: order, dates, marks, choosing, renaming, deleting, searching."""

from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary, FoundTurn, RunStatus
from desktop_rag.gui.conversation.conversations_model import (
    CONVERSATION_ROLE,
    GROUP_ROLE,
    LINE_ROLE,
    MARK_ROLE,
    WHEN_ROLE,
    ConversationsModel,
)
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel, TagsDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.window.main_window import MainWindow
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
    return [str(index.data(role)) for index in indexes(panel) if index.data(CONVERSATION_ROLE)]


def headings(panel: ConversationsPanel) -> list[str]:
    return [str(index.data()) for index in indexes(panel) if index.data(GROUP_ROLE)]


def indexes(panel: ConversationsPanel) -> list[QModelIndex]:
    model = rows(panel).model()
    return [model.index(row, 0) for row in range(model.rowCount())]


def click(panel: ConversationsPanel, title: str) -> None:
    view = rows(panel)
    place = view.visualRect(next(index for index in indexes(panel) if index.data() == title)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def field_of(panel: ConversationsPanel) -> QLineEdit:
    return next(f for f in panel.findChildren(QLineEdit) if f.accessibleName() == "Search conversations")


def test_conversations_are_listed_newest_first_with_relative_dates(panel: ConversationsPanel) -> None:
    panel.show_conversations(
        [
            kept(1, "old", datetime(2025, 12, 24, 9, 0)),
            kept(2, "today", datetime(2026, 3, 12, 9, 5)),
            kept(3, "before", datetime(2026, 3, 11, 23, 59)),
            kept(4, "week", datetime(2026, 3, 9, 12, 0)),
            kept(5, "month", datetime(2026, 3, 2, 12, 0)),
            kept(6, "winter", datetime(2026, 1, 9, 12, 0)),
            replace(kept(7, "kept", datetime(2025, 1, 1)), pinned=True),
            replace(kept(8, "done", datetime(2026, 3, 12)), archived=True),
        ]
    )
    assert headings(panel) == [
        "Pinned",
        "Today",
        "Yesterday",
        "This week",
        "Earlier in March",
        "January",
        "December 2025",
        "Archived (1)",
    ]
    assert shown(panel) == ["kept", "today", "before", "week", "month", "winter", "old"]
    assert shown(panel, WHEN_ROLE)[:4] == ["1 Jan 2025", "09:05", "23:59", "Mon"]
    assert shown(panel, Qt.ItemDataRole.AccessibleTextRole)[1] == "today. 09:05"
    click(panel, "Archived (1)")
    assert shown(panel)[-1] == "done"


def test_the_conversations_model_passes_the_model_tester(qtbot: QtBot) -> None:
    model = ConversationsModel(lambda: NOW)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for titles in (["a"], ["a", "b"], ["b", "a"], ["c"], []):
        model.show_conversations([kept(number, title) for number, title in enumerate(titles)])
        assert model.rowCount() == (len(titles) + 1 if titles else 0)


def test_click_and_return_open_a_conversation(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(5, "five"), kept(6, "six", datetime(2026, 1, 1))])
    view = rows(panel)
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        click(panel, "six")
    assert chosen.args == [6, 0]
    panel.set_current(ConversationId(5))
    view.setFocus()
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == [5, 0]


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
        assert not model.setData(model.index(1, 0), "   ")


def test_delete_works_by_key_and_by_button(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one")])
    panel.set_current(ConversationId(1))
    view = rows(panel)
    view.setFocus()
    with qtbot.waitSignal(panel.delete_requested) as by_key:
        QTest.keyClick(view, Qt.Key.Key_Delete)
    rect = view.visualRect(view.model().index(1, 0))
    place = QPoint(rect.right() - 20, rect.center().y())
    opened: list[object] = []
    panel.conversation_chosen.connect(lambda *chosen: opened.append(chosen))
    with qtbot.waitSignal(panel.delete_requested) as by_button:
        QTest.mouseMove(view.viewport(), place)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert by_key.args == by_button.args == [1]
    assert opened == []


def test_a_right_click_leaves_the_open_conversation_selected(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one"), kept(2, "two")])
    panel.set_current(ConversationId(1))
    view = rows(panel)
    other = next(index for index in indexes(panel) if index.data() == "two")
    place = view.visualRect(other).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    assert view.currentIndex().data() == "two"  # its commands are in the menu
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()
    qtbot.waitUntil(lambda: view.currentIndex().data() == "one")


def test_the_filter_matches_words_in_any_order(panel: ConversationsPanel) -> None:
    panel.show_conversations([kept(1, "Notice period of the LEASE"), kept(2, "Retention policy")])
    field = field_of(panel)
    field.setText("lease notice")
    assert shown(panel) == ["Notice period of the LEASE"]
    field.setText("zebra")
    assert shown(panel) == []
    assert any(
        label.text() == "No conversation has these words" for label in panel.findChildren(QLabel) if label.isVisible()
    )
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
    assert tab_stops(panel) == ["New conversation", "Search conversations", "Conversations"]


def test_every_state_has_a_mark_with_a_name(panel: ConversationsPanel) -> None:
    panel.show_conversations(
        [
            kept(1, "one"),
            replace(kept(2, "two"), state=RunStatus.FAILED, unread=True),
            replace(kept(3, "three"), state=RunStatus.INTERRUPTED, draft=True),
            replace(kept(4, "four"), unread=True),
            replace(kept(5, "five"), draft=True),
            replace(kept(6, "six"), state=RunStatus.INTERRUPTED),
            replace(kept(7, "seven"), state=RunStatus.INTERRUPTED),
        ]
    )
    panel.show_running({ConversationId(6): RunStatus.RUNNING, ConversationId(7): RunStatus.QUEUED})
    marks = dict(zip(shown(panel), shown(panel, MARK_ROLE), strict=True))
    assert marks == {
        "one": "None",
        "two": "failed",
        "three": "interrupted",
        "four": "unread",
        "five": "draft",
        "six": "running",
        "seven": "queued",
    }
    names = sorted(text.rpartition(". ")[2] for text in shown(panel, Qt.ItemDataRole.AccessibleTextRole))
    assert names == ["15:30", "Being answered", "Draft", "Failed", "Interrupted", "New answer", "Queued"]
    panel.show_running({})
    assert shown(panel, MARK_ROLE).count("interrupted") == 3


def test_words_in_questions_and_answers_are_found_with_their_line(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "Lease"), kept(2, "Boat", datetime(2026, 1, 1))])
    field = field_of(panel)
    with qtbot.waitSignal(panel.search_requested) as searched:
        field.setText("cellar")
    assert searched.args == ["cellar"]
    assert shown(panel) == []
    panel.show_found("cell", [FoundTurn(ConversationId(1), 1, "of another search")])
    assert shown(panel) == []
    panel.show_found("cellar", [FoundTurn(ConversationId(2), 3, "The cellar is dry.")])
    assert shown(panel) == ["Boat"]
    assert shown(panel, LINE_ROLE) == ["The cellar is dry."]
    assert shown(panel, Qt.ItemDataRole.AccessibleTextRole) == ["Boat. 1 Jan 2026. The cellar is dry."]
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        click(panel, "Boat")
    assert chosen.args == [2, 3]
    with qtbot.waitSignal(panel.conversation_chosen) as chosen:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == [2, 3]
    field.clear()
    assert shown(panel) == ["Lease", "Boat"]


def test_pin_and_archive_are_commands_that_undo_themselves(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([kept(1, "one"), replace(kept(2, "two"), pinned=True)])
    view = rows(panel)
    view.setFocus()
    commands = {action.text(): action for action in view.actions()}
    panel.set_current(ConversationId(1))
    for text, signal in (("Pin", panel.pin_requested), ("Archive", panel.archive_requested)):
        with qtbot.waitSignal(signal) as asked:
            commands[text].trigger()
        assert asked.args == [1, True]
    panel.set_current(ConversationId(2))
    assert commands["Pin"].text() == "Unpin"
    with qtbot.waitSignal(panel.pin_requested) as asked:
        commands["Pin"].trigger()
    assert asked.args == [2, False]


def test_every_mark_is_painted(panel: ConversationsPanel, qtbot: QtBot) -> None:
    def picture(summary: ConversationSummary, running: RunStatus | None = None) -> bytes:
        panel.show_conversations([summary])
        panel.show_running({summary.id: running} if running else {})
        image = rows(panel).grab().toImage()
        return bytes(image.constBits())

    plain = kept(1, "one")
    pictures = [
        picture(plain),
        picture(plain, RunStatus.RUNNING),
        picture(plain, RunStatus.QUEUED),
        picture(replace(plain, state=RunStatus.FAILED)),
        picture(replace(plain, state=RunStatus.INTERRUPTED)),
        picture(replace(plain, unread=True)),
        picture(replace(plain, draft=True)),
    ]
    assert len(set(pictures)) == len(pictures)


def test_the_number_of_a_copy_is_painted_where_its_title_is_elided(panel: ConversationsPanel, qtbot: QtBot) -> None:
    pictures = []
    for number in ("", " (2)", " (3)"):
        panel.show_conversations([kept(1, "When does the lease of the flat in the old town end, why? " * 2 + number)])
        pictures.append(bytes(rows(panel).grab().toImage().constBits()))
    assert len(set(pictures)) == 3


def test_tags_are_searched_by_their_beginning(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.show_conversations([replace(kept(1, "rent"), tags=("Taxes", "2024")), kept(2, "taxes")])
    field_of(panel).setText("tag:tax")
    assert shown(panel) == ["rent"]
    field_of(panel).setText("tag:tax tag:2025")
    assert shown(panel) == []
    field_of(panel).setText("TAG:taxes nothing-like-this")
    assert shown(panel) == []
    field_of(panel).setText("")
    assert shown(panel) == ["rent", "taxes"]


def test_tags_stand_below_the_title(panel: ConversationsPanel) -> None:
    panel.show_conversations([replace(kept(1, "Rent"), tags=("flat", "taxes 2024")), kept(2, "Boat")])
    assert shown(panel, LINE_ROLE) == ["#flat #taxes 2024", ""]
    heights = [rows(panel).visualRect(index).height() for index in indexes(panel) if index.data(CONVERSATION_ROLE)]
    assert heights[0] > heights[1]


def test_the_dialog_gives_each_tag_once(panel: ConversationsPanel, qtbot: QtBot) -> None:
    dialog = TagsDialog("Rent", ("taxes",), ("home", "taxes"))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.field.clear()
    QTest.keyClicks(dialog.field, "home, taxes  home 2024")
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.act.click()
    assert chosen.args == [("home", "taxes", "2024")]


@pytest.mark.parametrize(("sidebar", "archived"), [(True, False), (True, True), (False, False)])
def test_the_shown_conversation_is_exported_by_keys_from_anywhere(
    qtbot: QtBot, *, sidebar: bool, archived: bool
) -> None:
    window = MainWindow(QPlainTextEdit(), QWidget(), ShownStatus())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.conversations.show_conversations([replace(kept(1, "The lease"), archived=archived)])
    window.conversations.set_current(ConversationId(1))
    window.menus.show_sidebar.setChecked(sidebar)
    question = window.findChildren(QPlainTextEdit)[0]
    question.setFocus()
    qtbot.waitUntil(question.hasFocus)
    for signal, keys in (
        (window.conversations.export_requested, "Ctrl+Shift+E"),
        (window.conversations.print_requested, "Ctrl+P"),
    ):
        with qtbot.waitSignal(signal) as asked:
            QTest.keySequence(question, QKeySequence(keys))
        assert asked.args == [ConversationId(1)]
    window.close()
