"""A complete answer stays in sight: the list of its sources does not push it out."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent
from desktop_rag.gui.conversation import conversation_view
from desktop_rag.gui.conversation.conversation_pane import AnswerCommands
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from tests.gui.conversation.conftest import ANSWER, answer_deltas, answered, working_events
from tests.gui.conversation.shown_events import jump_is_offered


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> ConversationView:
    view = ConversationView(requests)
    qtbot.addWidget(view)
    view.resize(800, 300)
    view.show()
    qtbot.waitExposed(view)
    return view


def _run(view: ConversationView, events: Sequence[AgentEvent]) -> None:
    view.begin_turn("When?")
    for event in events:
        view.append(event)
    QApplication.processEvents()


def _bar(view: ConversationView) -> tuple[int, int]:
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    return bar.value(), bar.maximum()


@pytest.mark.parametrize("earlier", [0, 2])
def test_a_quick_answer_is_shown_from_its_question_on(view: ConversationView, qtbot: QtBot, earlier: int) -> None:
    for _ in range(earlier + 1):
        _run(view, [*working_events(), *answer_deltas(), answered(ANSWER * 3)])
    turn = view.turns[-1]
    qtbot.waitUntil(lambda: _bar(view)[1] > 500 and turn.height() > 300)
    qtbot.waitUntil(lambda: 0 <= turn.mapTo(view, QPoint(0, 0)).y() < 60)
    assert not any(
        one.accessibleName() == "Jump to latest" and one.isVisible() for one in view.findChildren(QPushButton)
    )


def test_the_way_to_the_end_is_offered_where_something_later_is_out_of_sight(
    view: ConversationView, qtbot: QtBot
) -> None:
    _run(view, [*working_events(), *answer_deltas(), answered(ANSWER * 3)])
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    qtbot.waitUntil(lambda: _bar(view)[1] > 500)
    bar.setValue(bar.maximum())
    bar.setValue(40)  # the rest of the only answer is below: nothing is later than it
    assert not jump_is_offered(view)
    _run(view, working_events())
    bar.setValue(40)
    qtbot.waitUntil(lambda: jump_is_offered(view))
    (jump,) = (one for one in view.findChildren(QPushButton) if one.accessibleName() == "Jump to latest")
    for width, text in ((800, ""), (1300, "Jump to latest"), (800, "")):  # beside the text
        view.resize(width, 300)
        QApplication.processEvents()
        bar.setValue(40)
        left = view.turns[0].mapTo(view, QPoint(0, 0)).x()
        assert jump.text() == text
        assert jump.x() > left + view.turns[0].width() - 16


def test_the_commands_of_an_answer_act_on_the_one_in_sight(
    view: ConversationView, requests: ConversationRequests, qtbot: QtBot
) -> None:
    commands = AnswerCommands(view)
    part = commands.part(())
    compare = next(action for action in part.actions if "Compare" in action.text())
    compare.trigger()
    assert part.blocked() == "No answer is shown"
    for _ in range(2):
        _run(view, [*working_events(), *answer_deltas(), answered(ANSWER * 3)])
    _run(view, working_events())
    assert part.blocked() == "The answer is not complete"
    qtbot.waitUntil(lambda: view.turns[1].y() > 500)
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(view.turns[1].y())
    assert part.blocked() == ""
    with qtbot.waitSignal(requests.action_requested) as requested:
        compare.trigger()
    assert requested.args == [2, RunAction.COMPARE]


def test_a_slow_answer_stays_where_it_is_read(
    view: ConversationView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_view, "_SECONDS_TO_READ", 0.0)
    _run(view, [*working_events(), *answer_deltas()])
    view.turns[0].answer.flush()
    qtbot.waitUntil(lambda: _bar(view)[1] > 300 and _bar(view)[0] == _bar(view)[1])
    read = view.turns[0].answer
    before = read.mapTo(view, QPoint(0, 0)).y()
    most = _bar(view)[1]
    view.append(answered(ANSWER * 3))
    qtbot.waitUntil(lambda: _bar(view)[1] != most)
    qtbot.wait(100)
    assert abs(read.mapTo(view, QPoint(0, 0)).y() - before) <= 60


def test_a_conversation_opened_after_an_answer_is_shown_from_its_end(view: ConversationView, qtbot: QtBot) -> None:
    _run(view, [*working_events(), *answer_deltas(), answered(ANSWER * 3)])
    qtbot.waitUntil(lambda: _bar(view)[1] > 500)
    stored = (*working_events(), answered(ANSWER * 3))
    view.show_turns([Turn(number, f"Question {number}", stored, number) for number in range(1, 9)])
    qtbot.waitUntil(lambda: not view._build.isActive() and _bar(view)[1] > 1_500)
    qtbot.waitUntil(lambda: _bar(view)[0] == _bar(view)[1])
