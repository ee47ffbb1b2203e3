"""Code and tables of an answer can be copied by button, by key and by menu."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.answer.answer_painting import BlockButton, BlockButtons, frame_rect
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from tests.gui.conversation.conftest import ANSWER, CITATIONS

TABLE = """| Name | Said, "so" | Rent |
|---|---|---:|
| Anna [1](cite:1) | **yes** | 840 € |
| =1+1 | | 1,000 € |
"""


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    return view


def _buttons(view: AnswerView) -> BlockButtons:
    return view._buttons


def _look_of(view: AnswerView, button: BlockButton) -> QImage:
    return view.viewport().grab(button.geometry()).toImage()


def test_each_code_block_and_table_has_a_named_button_in_its_corner(view: AnswerView) -> None:
    view.show_answer(ANSWER, CITATIONS)
    assert [button.accessibleName() for button in _buttons(view).buttons] == ["Copy table as CSV", "Copy code"]
    for button, (table, _) in zip(_buttons(view).buttons, view._writer.framed, strict=True):
        area = frame_rect(view.document(), table)
        assert area.top() <= button.y() < area.center().y()
        assert area.right() - 40 < button.x() < area.right() + 10
        assert view.viewport().rect().contains(button.geometry())


def test_the_button_of_code_copies_it_unchanged(view: AnswerView, qtbot: QtBot) -> None:
    code = 'if a < b:\n\tprint("**x**")\n\n# $5 and $10'
    view.show_answer(f"Look:\n\n```python\n{code}\n```\n")
    QTest.mouseClick(_buttons(view).buttons[0], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == code


def test_the_button_of_a_table_copies_csv_without_citations(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(TABLE, CITATIONS)
    QTest.mouseClick(_buttons(view).buttons[0], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == 'Name,"Said, ""so""",Rent\nAnna,yes,840 €\n=1+1,,"1,000 €"\n'


def test_a_button_is_seen_only_under_the_pointer_or_with_the_focus(view: AnswerView) -> None:
    view.show_answer("Look:\n\n```\nx = 1\n```\n")
    (button,) = _buttons(view).buttons
    QApplication.processEvents()
    view.setFocus()  # a window without a focus gives it to its first button
    hidden = _look_of(view, button)
    QTest.mouseMove(view.viewport(), button.geometry().center() - QPoint(60, 0))
    assert button.wanted
    assert _look_of(view, button) != hidden
    QTest.mouseMove(view.viewport(), QPoint(5, 2))
    assert not button.wanted
    assert _look_of(view, button) == hidden


def test_tab_reaches_the_button_and_space_presses_it(view: AnswerView) -> None:
    view.show_answer("Look:\n\n```\nx = 1\n```\n")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    (button,) = _buttons(view).buttons
    assert view.window().focusWidget() is button
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == "x = 1"


def test_the_menu_copies_the_block_under_the_pointer(view: AnswerView) -> None:
    view.show_answer(TABLE, CITATIONS)
    at = frame_rect(view.document(), view._writer.framed[0][0]).center().toPoint()
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()[0].text() == "Copy table as CSV"
    menu.actions()[0].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text().startswith("Name,")


@pytest.mark.parametrize("size", [3, 40])
def test_buttons_follow_a_streaming_answer(view: AnswerView, size: int) -> None:
    text = f"{TABLE}\nand\n\n```\nx = 1\ny = 2\n```\n\nEnd."
    for start in range(0, len(text), size):
        view.feed(text[start : start + size])
        view.flush()
    view.show_answer(text)
    labels = [button.accessibleName() for button in _buttons(view).buttons]
    assert labels == ["Copy table as CSV", "Copy code"]
    QTest.mouseClick(_buttons(view).buttons[1], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "x = 1\ny = 2"
    view.clear_answer()
    view.show_answer("Nothing to copy.")
    assert not _buttons(view).buttons


def test_a_diagram_is_shown_as_its_text(view: AnswerView) -> None:
    view.show_answer("```mermaid\ngraph TD;\n  A[<b>rent</b>] --> B\n```\n")
    assert view.toPlainText().strip() == "graph TD;\n  A[<b>rent</b>] --> B"
    [button] = _buttons(view).buttons
    button.click()
    assert QGuiApplication.clipboard().text() == "graph TD;\n  A[<b>rent</b>] --> B"
