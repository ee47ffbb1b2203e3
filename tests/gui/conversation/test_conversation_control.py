"""Runs in the pane and the list, with the real agent, store and a scripted endpoint."""

import threading
from dataclasses import replace
from datetime import date, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.agent.budget import Spending
from desktop_rag.agent.events import AnswerDelta, Answered, LimitAsked, RunFailed, RunStopped
from desktop_rag.gui.conversation import conversation_control
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparisonDialog
from desktop_rag.gui.conversation.timeline.fork_dialog import ForkDialog
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.paths import spending_file
from desktop_rag.settings import Limits, MoneyLimits, Settings
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn
from tests.gui.conversation.conversation_table import Table, answers


def test_a_question_is_listed_and_on_disk_before_it_is_answered(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event
) -> None:
    endpoint.script = answers(Turn(text=["Yes", ", monthly."], hold=held))
    table.ask("Is the rent due?")
    (number,) = table.wait_until_listed("Is the rent due?")
    assert [turn.question for turn in table.stored(number).turns] == ["Is the rent due?"]
    held.set()
    table.wait_until_shown(("Is the rent due?", "Yes, monthly."))


def test_the_instructions_are_read_before_a_question(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(endpoint.read_ahead) == 1, timeout=60_000)
    endpoint.script = answers(Turn(text="Yes?"))
    table.ask("Is the rent due?")
    table.wait_until_shown(("Is the rent due?", "Yes?"))
    assert endpoint.requests[0].messages[0] == endpoint.read_ahead[0].messages[0]
    assert len(endpoint.read_ahead) == 1


def test_a_run_continues_in_its_conversation_while_a_new_one_is_begun(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text=["Slow", "ly?"], hold_text=held), Turn(text="Second?"))
    table.ask("First?")
    table.wait_until_shown(("First?", "Slow"))
    table.control.begin_new()
    with qtbot.waitSignal(table.control.finished_elsewhere, timeout=60_000) as elsewhere:
        held.set()
    assert elsewhere.args[0].question == "First?"
    assert table.shown() == []
    table.ask("Second?")
    table.wait_until_shown(("Second?", "Second?"))
    first, second = table.wait_until_listed("First?", "Second?")
    table.control.open(first)
    table.wait_until_shown(("First?", "Slowly?"))
    table.control.open(second)
    table.wait_until_shown(("Second?", "Second?"))


def test_a_reopened_conversation_shows_its_run_in_progress(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="One?"), Turn(text=["Two", " and more."], hold_text=held))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    (number,) = table.wait_until_listed("First?")
    table.ask("And then?")
    table.wait_until_shown(("First?", "One?"), ("And then?", "Two"))
    table.control.begin_new()
    assert table.shown() == []
    table.control.open(number)
    table.wait_until_shown(("First?", "One?"), ("And then?", "Two"))
    held.set()
    table.wait_until_shown(("First?", "One?"), ("And then?", "Two and more."))


def test_a_note_reaches_the_run_in_progress(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Which lease?")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    with qtbot.waitSignal(table.control.feedback_given):
        table.ask("Only this year.")
    assert table.pane.composer.question == ""
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        held.set()
    assert "Only this year." in endpoint.requests[1].last_text
    assert [row.accessibleName() for row in table.pane.view.turns[0].timeline.rows()][-1] == "Only this year."


def test_a_note_that_no_step_reads_is_back_in_the_field(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [*answers(Turn(text=["Half", " of it"], hold_text=held))]
    table.ask("First?")
    table.wait_until_shown(("First?", "Half"))
    table.ask("And who paid?")
    assert table.pane.composer.question == ""
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        held.set()
    assert table.pane.composer.question == "And who paid?"


def test_an_answer_is_stored_while_it_is_written(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_control, "SAVED_EVERY", 0.0)
    endpoint.script = [*answers(Turn(text=["Half", " of it"], hold_text=held))]
    table.ask("First?")
    table.wait_until_shown(("First?", "Half"))
    (number,) = table.wait_until_listed("First?")
    qtbot.waitUntil(
        lambda: any(isinstance(event, AnswerDelta) for event in table.stored(number).turns[0].events), timeout=60_000
    )
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        held.set()


def test_a_run_that_reached_its_limit_goes_on_when_you_allow_it(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    table.settings = replace(table.settings, limits=Limits(steps=1))
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
    again = Turn(calls=[Call("search", '{"queries": ["deposit"], "mode": "keyword"}')])
    endpoint.script = [search, again, Turn(text="Which lease?")]
    table.ask("First?")

    def offers() -> list[QPushButton]:
        return [b for b in table.pane.findChildren(QPushButton) if b.text() == "Allow 5 more steps" and b.isVisible()]

    qtbot.waitUntil(lambda: bool(offers()), timeout=60_000)
    assert len(endpoint.requests) == 1
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        offers()[0].click()
    assert len(endpoint.requests) == 3
    assert "Searching “deposit” by words" in [row.entry.summary for row in table.pane.view.turns[0].timeline.rows()]


def test_a_run_out_of_sight_tells_that_it_asks(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    table.settings = replace(table.settings, limits=Limits(steps=1))
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Which lease?")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    table.control.begin_new()
    with qtbot.waitSignal(table.control.finished_elsewhere, timeout=60_000) as told:
        held.set()
    assert isinstance(told.args[0].events[-1], LimitAsked)


def test_the_room_chosen_for_the_answer_reaches_the_run_in_progress(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Which lease?")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    table.pane.meter.reserve_chosen.emit(1_024)
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        held.set()
    assert [request.body["max_tokens"] for request in endpoint.requests] == [2_048, 1_024]


def test_a_request_that_may_pass_the_limit_on_money_is_asked_about(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    (profile,) = table.settings.profiles
    priced = replace(profile, price_in=1_000.0, price_out=1_000.0)
    table.settings = replace(table.settings, profiles=(priced,), money=MoneyLimits(day=0.01))
    endpoint.script = answers(Turn(text="Which lease?"))
    table.ask("First?")

    def offers() -> list[QPushButton]:
        return [b for b in table.pane.findChildren(QPushButton) if b.text() == "Go on" and b.isVisible()]

    qtbot.waitUntil(lambda: bool(offers()), timeout=60_000)
    assert endpoint.requests == []
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        offers()[0].click()
    assert Spending(spending_file()).load().day > 0
    assert "Money today" in table.pane.meter.accessibleDescription()


@pytest.mark.parametrize(("days", "warns"), [(25, False), (100, True)])
def test_only_old_prices_are_warned_about(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot, days: int, *, warns: bool
) -> None:
    (profile,) = table.settings.profiles
    dated = (date.today() - timedelta(days=days)).isoformat()
    table.settings = replace(table.settings, profiles=(replace(profile, price_in=1.0, priced_on=dated),))
    endpoint.script = answers(Turn(text="Which lease?"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    assert "Money today" in table.pane.meter.accessibleDescription()
    assert table.pane.meter.warns == warns


@pytest.mark.processes
def test_without_a_model_the_next_question_stays_in_the_field_with_a_reason(table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    table.pane.composer.set_question("Second?")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.control.ask("When is the rent due?")
        with qtbot.waitSignal(table.control.refused):
            QTest.keyClick(table.pane.findChildren(QuestionField)[0], Qt.Key.Key_Return)
    assert table.pane.composer.question == "Second?"


def test_two_questions_are_answered_at_once_and_a_third_is_queued(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    def reply(request: SeenRequest) -> Turn:
        if request.messages[-1]["role"] == "user":
            return Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
        asked = next(name for name in ("First", "Second", "Third") if f"{name}?" in str(request.messages))
        return Turn(text=f"{asked}.", hold=held)

    endpoint.script = [reply] * 20
    table.ask("First?")
    table.control.begin_new()
    table.ask("Second?")
    table.control.begin_new()
    table.ask("Third?")
    (turn,) = table.pane.view.turns
    assert turn.timeline.header.accessibleName() == "Queued: begins when another answer is finished"
    first, second, third = table.wait_until_listed("First?", "Second?", "Third?")
    qtbot.waitUntil(lambda: table.marks() == {first: "running", second: "running", third: "queued"}, timeout=60_000)
    table.control.begin_new()
    table.ask("Fourth?")
    fourth = table.wait_until_listed("First?", "Second?", "Third?", "Fourth?")[-1]
    table.pane.composer.stop_requested.emit()
    assert "You stopped this run" in [card.accessibleName()[:20] for card in table.pane.view.turns[0].cards()]
    held.set()
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    qtbot.waitUntil(lambda: set(table.marks().values()) == {"unread"}, timeout=60_000)
    assert fourth not in table.marks()
    table.control.open(third)
    table.wait_until_shown(("Third?", "Third."))
    qtbot.waitUntil(lambda: third not in table.marks(), timeout=60_000)
    table.control.open(first)
    table.wait_until_shown(("First?", "First."))
    table.control.open(second)
    table.wait_until_shown(("Second?", "Second."))


def test_a_paused_run_resumes(table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Which lease?")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    pause = next(b for b in table.pane.composer.findChildren(IconButton) if b.isCheckable())
    pause.click()
    held.set()
    timeline = table.pane.view.turns[0].timeline
    qtbot.waitUntil(lambda: "Paused" in [row.accessibleName() for row in timeline.rows()], timeout=60_000)
    assert len(endpoint.requests) == 1
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        pause.click()
    assert not pause.isVisible()


def test_a_pause_holds_the_answer_that_is_being_written(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text=["Half", " of", " it"], hold_text=held))
    table.ask("First?")
    table.wait_until_shown(("First?", "Half"))
    pause = next(b for b in table.pane.composer.findChildren(IconButton) if b.isCheckable())
    pause.click()
    held.set()
    header = table.pane.view.turns[0].timeline.header
    qtbot.waitUntil(lambda: header.accessibleName().startswith("Paused"), timeout=60_000)
    qtbot.wait(1200)
    assert header.accessibleName().startswith("Paused")
    table.wait_until_shown(("First?", "Half"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        pause.click()
    table.wait_until_shown(("First?", "Half of it"))
    assert not pause.isChecked()


def test_a_rate_limit_is_shown_with_its_seconds_and_stop_ends_the_wait(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = [Turn(status=429, body="{}", headers={"Retry-After": "60"})]
    table.ask("First?")
    qtbot.waitUntil(lambda: bool(table.pane.view.turns), timeout=60_000)
    header = table.pane.view.turns[0].timeline.header
    qtbot.waitUntil(lambda: header.accessibleName().startswith("The model asks to wait: "), timeout=60_000)
    with qtbot.waitSignal(table.control.answered, timeout=5_000) as ended:
        table.pane.composer.stop_requested.emit()
    assert isinstance(ended.args[0], RunStopped)


def test_a_stopped_run_is_continued_where_it_ended(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [*answers(Turn(text=["Half", " of it"], hold_text=held)), Turn(text="All?")]
    table.ask("First?")
    table.wait_until_shown(("First?", "Half"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.composer.stop_requested.emit()
    held.set()
    table.pane.composer.field.clearFocus()
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.requests.action_requested.emit(1, RunAction.CONTINUE)
    assert table.pane.window().focusWidget() is table.pane.composer.field
    table.wait_until_shown(("First?", "All?"))
    assert len(endpoint.requests) == 3  # the search was done again without asking the model
    (number,) = table.wait_until_listed("First?")
    qtbot.waitUntil(
        lambda: any(isinstance(event, Answered) for event in table.stored(number).turns[0].events), timeout=60_000
    )


def test_an_answer_that_broke_off_stays_when_its_continuation_fails(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    cut = Turn(text=["It is paid in euros. Moreover the depo"], cut=True)
    endpoint.script = [*answers(cut), *[Turn(status=400, body='{"error": {"message": "down"}}')] * 9]
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    table.wait_until_listed("First?")
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.pane.requests.action_requested.emit(1, RunAction.CONTINUE)
    assert isinstance(ended.args[0], RunFailed)
    table.wait_until_shown(("First?", "It is paid in euros."))
    table.pane.requests.variant_chosen.emit(1, -1)
    table.wait_until_shown(("First?", "It is paid in euros. Moreover the depo"))


def test_a_question_whose_model_failed_is_answered_by_the_built_in_passages(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(status=401))
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("When is the rent due?")
    assert isinstance(ended.args[0], RunFailed)
    asked = len(endpoint.requests)
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.pane.requests.action_requested.emit(1, RunAction.QUOTE)
    assert isinstance(ended.args[0], Answered)
    assert len(endpoint.requests) == asked


def test_a_question_that_failed_leaves_the_field_once_it_is_continued(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    failing = Turn(status=400, body='{"error": {"message": "down"}}')
    endpoint.script = [*[failing] * 3, *answers(Turn(text="All?"))]
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    composer = table.pane.composer
    qtbot.waitUntil(lambda: composer.question == "First?")
    table.wait_until_listed("First?")
    endpoint.script = answers(Turn(text="All?"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.requests.action_requested.emit(1, RunAction.CONTINUE)
    assert composer.question == ""


def test_a_run_is_forked_into_a_new_conversation(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = [*answers(Turn(text="One?")), *answers(Turn(text="Two?")), Turn(text="Another?")]
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    table.pane.requests.action_requested.emit(2, RunAction.FORK)
    dialog = table.pane.findChildren(ForkDialog)[0]
    words = dialog.findChildren(QPlainTextEdit)[0]
    assert words.toPlainText() == "rent"
    words.setPlainText("deposit\nnotice")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        next(b for b in dialog.findChildren(QPushButton) if b.isDefault()).click()
    table.wait_until_shown(("First?", "One?"), ("Second?", "Another?"))
    assert '"deposit"' in str(endpoint.requests[-1].messages[-2])
    first, second = sorted(set(table.wait_until_listed("First? (2)", "First?")))
    assert {len(table.stored(number).turns) for number in (first, second)} == {2}


def test_a_run_is_replayed_and_compared(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = [*answers(Turn(text="One?")), *answers(Turn(text="Other?"))]
    for _ in range(2):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask("First?")
    table.pane.requests.action_requested.emit(1, RunAction.REPLAY)
    qtbot.waitUntil(lambda: len(table.pane.findChildren(ComparisonDialog)) == 1, timeout=60_000)
    table.pane.requests.action_requested.emit(1, RunAction.COMPARE)
    qtbot.waitUntil(lambda: len(table.pane.findChildren(ComparisonDialog)) == 2, timeout=60_000)
    words = [label.text() for label in table.pane.findChildren(ComparisonDialog)[1].findChildren(QLabel)]
    assert "Both (1):\n• rent" in words
    assert any("Other?" in text for text in words)
    names = [
        label.accessibleDescription() for label in table.pane.findChildren(ComparisonDialog)[1].findChildren(QLabel)
    ]
    assert any(name.startswith("Only here: One?") for name in names)
    assert any(name.startswith("Only here: Other?") for name in names)
    assert len(endpoint.requests) == 4


def test_a_comparison_of_two_questions_shows_both(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="One?"), Turn(text="Two?"))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    table.pane.requests.action_requested.emit(2, RunAction.COMPARE)
    qtbot.waitUntil(lambda: bool(table.pane.findChildren(ComparisonDialog)), timeout=60_000)
    labels = table.pane.findChildren(ComparisonDialog)[0].findChildren(QLabel)
    assert [label.accessibleName() for label in labels if label.accessibleName().startswith("Question")] == [
        "Question: Second?",
        "Question: First?",
    ]


def test_deleting_a_conversation_stops_its_run_and_is_final(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="Which lease?", hold=held))
    table.ask("First?")
    (number,) = table.wait_until_listed("First?")
    with (
        qtbot.assertNotEmitted(table.control.repository.trouble),
        qtbot.waitSignal(table.control.answered, timeout=60_000),
    ):
        table.panel.delete_requested.emit(number)
        table.panel.delete_confirmed.emit(number)
    table.close()
    assert table.stored(number).turns == ()


def test_a_partial_answer_is_stored_when_the_program_ends(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event
) -> None:
    endpoint.script = answers(Turn(text=["The beginning", " of an answer"], hold_text=held))
    table.ask("Tell me everything.")
    table.wait_until_shown(("Tell me everything.", "The beginning"))
    (number,) = table.wait_until_listed("Tell me everything.")
    table.close()
    (turn,) = table.stored(number).turns
    assert turn.question == "Tell me everything."
    assert "The beginning" in str(turn.events)


def test_a_failed_question_is_restored_only_in_its_own_conversation(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [Turn(status=401, body="{}", hold=held), Turn(status=401, body="{}")]
    table.ask("First?")
    table.control.begin_new()
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        held.set()
    assert isinstance(ended.args[0], RunFailed)
    assert table.pane.composer.question == ""
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("Second?")
    assert table.pane.composer.question == "Second?"


def test_a_conversation_that_is_archived_is_left(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="One?"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    (number,) = table.wait_until_listed("First?")
    table.panel.archive_requested.emit(number + 1, True)
    assert table.shown() != []
    table.panel.archive_requested.emit(number, True)
    qtbot.waitUntil(lambda: table.shown() == [])
