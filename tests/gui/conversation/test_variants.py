"""Edited and repeated questions are variants of a turn; a branch is a conversation of its own."""

import threading
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.turn_question import QuestionEditor, QuestionRow, VariantSwitch
from tests.endpoint import ScriptedEndpoint, Turn
from tests.gui.conversation.conversation_table import Table, answers


def ask(table: Table, qtbot: QtBot, question: str) -> None:
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask(question)


def edit(table: Table, place: int, text: str) -> None:
    """Click the pencil of a turn, write another question and press Enter."""
    row = table.pane.view.turns[place - 1].findChildren(QuestionRow)[0]
    row.bubble.edit.click()
    field = row.findChildren(QuestionEditor)[0].field
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def places(table: Table) -> list[str]:
    """Return the ‹ 2/3 › of each turn, empty where it is hidden."""
    switches = [turn.findChildren(VariantSwitch)[0] for turn in table.pane.view.turns]
    return ["" if switch.isHidden() else switch._place.text() for switch in switches]


def has_place(table: Table, place: str) -> bool:
    return places(table) == [place]


def test_an_edited_question_is_a_variant_and_later_turns_stay_with_theirs(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(*(Turn(text=f"{word}?") for word in ("One", "Two", "Three", "Four")))
    ask(table, qtbot, "First?")
    ask(table, qtbot, "Second?")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        edit(table, 1, "Other?")
    table.wait_until_shown(("Other?", "Three?"))
    qtbot.waitUntil(lambda: places(table) == ["2/2"])
    (number,) = table.wait_until_listed("Other?")
    assert "Second?" not in str(endpoint.requests[-1].body["messages"])
    ask(table, qtbot, "Fourth?")
    switch = table.pane.view.turns[0].findChildren(VariantSwitch)[0]
    switch.previous.click()
    table.wait_until_shown(("First?", "One?"), ("Second?", "Two?"))
    qtbot.waitUntil(lambda: places(table) == ["1/2", ""])
    table.restart()
    table.wait_until_shown(("First?", "One?"), ("Second?", "Two?"))
    table.pane.view.turns[0].findChildren(VariantSwitch)[0].next.click()
    table.wait_until_shown(("Other?", "Three?"), ("Fourth?", "Four?"))
    assert [turn.number for turn in table.stored(number).turns] == [3, 4]


def test_an_edited_question_hands_the_focus_to_the_composer(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="One?"), Turn(text="Two?"))
    ask(table, qtbot, "First?")
    field = table.pane.composer.focusProxy()
    window = QWidget()
    qtbot.addWidget(window)
    QPushButton("My library", window)  # the first of the window, which gets the focus otherwise
    table.pane.setParent(window)
    window.show()
    table.pane.show()
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        edit(table, 1, "Other?")
    table.wait_until_shown(("Other?", "Two?"))
    focused = window.focusWidget()
    table.pane.setParent(None)
    assert focused is field


def test_answer_again_adds_variants_one_after_another(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(*(Turn(text=f"{word}?") for word in ("One", "Two", "Three")))
    ask(table, qtbot, "First?")
    for place in ("2/2", "3/3"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.pane.requests.action_requested.emit(1, RunAction.ANSWER_AGAIN)
        qtbot.waitUntil(partial(has_place, table, place))
    table.wait_until_shown(("First?", "Three?"))
    qtbot.waitUntil(lambda: len(table.panel.conversations()) == 1)
    table.pane.requests.variant_chosen.emit(1, -1)
    table.wait_until_shown(("First?", "Two?"))
    table.pane.requests.variant_chosen.emit(1, -1)
    table.wait_until_shown(("First?", "One?"))
    table.pane.requests.variant_chosen.emit(1, -1)  # there is none before
    qtbot.waitUntil(lambda: places(table) == ["1/3"])


def test_nothing_is_asked_again_while_an_answer_is_written(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    held = threading.Event()
    endpoint.script = answers(Turn(text="One?"), Turn(text=["Two", " and."], hold_text=held))
    ask(table, qtbot, "First?")
    table.ask("Second?")
    table.wait_until_shown(("First?", "One?"), ("Second?", "Two"))
    with qtbot.waitSignal(table.control.refused, timeout=60_000):
        edit(table, 1, "Other?")
    editor = table.pane.view.turns[0].findChildren(QuestionEditor)[0]
    QTest.keyClick(editor.field, Qt.Key.Key_Escape)  # leaves the field and does not stop the run
    assert table.control.is_busy()
    assert table.pane.view.turns[0].findChildren(QuestionRow)[0].bubble.isVisible()
    held.set()
    table.wait_until_shown(("First?", "One?"), ("Second?", "Two and."))


def test_a_branch_is_a_new_conversation_up_to_the_turn(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(*(Turn(text=f"{word}?") for word in ("One", "Two", "Three")))
    ask(table, qtbot, "First?")
    ask(table, qtbot, "Second?")
    table.pane.requests.action_requested.emit(1, RunAction.BRANCH)
    table.wait_until_shown(("First?", "One?"))
    ask(table, qtbot, "Third?")
    qtbot.waitUntil(lambda: len(table.panel.conversations()) == 2, timeout=60_000)
    branch, original = (summary.id for summary in table.panel.conversations())
    assert [turn.question for turn in table.stored(branch).turns] == ["First?", "Third?"]
    assert [turn.question for turn in table.stored(original).turns] == ["First?", "Second?"]


def test_a_word_in_a_hidden_variant_opens_that_variant(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="A zeppelin."), Turn(text="A balloon."))
    ask(table, qtbot, "First?")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.requests.action_requested.emit(1, RunAction.ANSWER_AGAIN)
    (number,) = table.wait_until_listed("First?")
    table.control.open(number, 1)
    table.wait_until_shown(("First?", "A zeppelin."))
    qtbot.waitUntil(lambda: places(table) == ["1/2"])
