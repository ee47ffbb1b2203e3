"""Conversations in the pane and the list: sources, scope, drafts, restart, search; with a scripted endpoint."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope, ConversationId
from desktop_rag.agent.conversations.transcript import Turn as StoredTurn
from desktop_rag.agent.events import Answered
from desktop_rag.gui.conversation import shown_conversation
from desktop_rag.gui.conversation.answer.notice_card import CoverageCard
from desktop_rag.gui.conversation.composer.scope_row import DocumentsChip
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparisonDialog
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn
from tests.gui.conversation.conftest import ANSWER, answered, working_events
from tests.gui.conversation.conversation_table import Table, answers
from tests.integration.retrieval.conftest import LEASE


def test_an_opened_conversation_shows_what_its_last_answer_used(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="Which lease?", usage=(4_321, 10)))
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("First?")
    assert isinstance(ended.args[0], Answered)
    (number,) = table.wait_until_listed("First?")
    table.control.begin_new()
    assert table.pane.meter.context_text == ""
    table.control.open(number)
    qtbot.waitUntil(lambda: "4,441" in table.pane.meter.usage_text, timeout=60_000)


def test_of_thousands_of_turns_only_the_last_are_built_and_decoded(
    table: Table, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = (*working_events(), answered())

    def fill(store: ConversationStore) -> ConversationId:
        with store._writing():
            number = store.begin("Question 1")
            for place in range(1, 1_001):
                store.save(number, StoredTurn(place, f"Question {place}", events, place, place - 1))
        return number

    with qtbot.waitCallback(timeout=60_000) as filled:
        table.control._shown._repository.run(lambda store, _: fill(store), filled)
    (number,) = filled.args
    built: list[str] = []
    decoded: list[str] = []
    view, prepare = table.pane.view, shown_conversation._prepare
    add = ConversationView._add_stored

    def added(shown: ConversationView, turn: StoredTurn, position: int) -> None:
        built.append(turn.question)
        add(shown, turn, position)

    monkeypatch.setattr(ConversationView, "_add_stored", added)

    def prepared(turns: Sequence[StoredTurn], stop: Stop) -> None:
        if not view.turns:
            decoded.extend(turn.question for turn in turns)
        prepare(turns, stop)

    monkeypatch.setattr(shown_conversation, "_prepare", prepared)
    table.control.open(number)
    qtbot.waitUntil(lambda: bool(view.turns), timeout=60_000)
    assert built[0] == "Question 1000"
    assert decoded == [f"Question {place}" for place in range(991, 1_001)]
    qtbot.waitUntil(lambda: not view._build.isActive(), timeout=60_000)
    assert 1 < len(built) <= 10
    view.reveal(1)
    assert view.turns[0].question == "Question 1"
    assert view.turns[0].answer.markdown == ANSWER


def test_an_opened_conversation_says_which_cited_file_has_changed(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    line = "The tenant pays the rent on the first day of each month."
    endpoint.script = answers(Turn(text=f'On the first. [turn1search1 L3 "{line}"]'))
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("When is the rent due?")
    (number,) = table.wait_until_listed("When is the rent due?")
    path = Path(ended.args[0].citations[0].path)
    table.control.begin_new()
    path.write_text(LEASE.replace("first day", "last day"), encoding="utf-8")
    folder = table.library.catalog.folders.all()[0].id
    table.library.put(folder, str(path.relative_to(table.library.files / "home")), path)
    table.control.open(number)

    def note_is_shown() -> bool:
        turns = table.pane.view.turns
        model = turns[0].sources.view.model() if turns else None
        text = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) if model and model.rowCount() else ""
        return "(changed since this answer)" in text

    qtbot.waitUntil(note_is_shown, timeout=60_000)


def test_a_scope_belongs_to_its_conversation(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    composer = table.pane.composer
    lease = table.library.catalog.contents.by_id([table.library.content("lease.md")]).popitem()[1].sha256.hex()
    chosen = ChosenScope(documents=(lease,), about="rent")
    endpoint.script = answers(Turn("It is due."), Turn("Other."))
    table.control.choose(chosen)
    table.ask("When is it due?")
    (first,) = table.wait_until_listed("When is it due?")
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    assert table.stored(first).scope == chosen
    table.control.begin_new()
    assert composer.scope_row.scope() == WHOLE_LIBRARY
    table.ask("And what else?")
    table.wait_until_listed("And what else?", "When is it due?")
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    table.control.open(first)
    qtbot.waitUntil(lambda: composer.scope_row.scope() == chosen, timeout=60_000)
    composer.findChildren(DocumentsChip)[-1].click()
    assert composer.scope_row.scope() == WHOLE_LIBRARY
    qtbot.waitUntil(lambda: table.stored(first).scope == WHOLE_LIBRARY, timeout=60_000)


@pytest.mark.processes
@pytest.mark.parametrize("gone", [False, True])
def test_not_found_names_the_scope_and_offers_the_whole_library(gone: bool, table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    table.library.add({"boat.md": "# Boat\n\nThe mast of the boat is made of spruce.\n"}, root="water")
    lease = table.library.catalog.contents.by_id([table.library.content("lease.md")]).popitem()[1].sha256.hex()
    table.control.choose(ChosenScope(documents=("ab" * 32 if gone else lease,), about="rent"))
    table.ask("Of which wood is the mast made?")
    qtbot.waitUntil(lambda: bool(table.pane.findChildren(CoverageCard) or gone), timeout=60_000)
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    if gone:
        assert "spruce" not in table.pane.view.turns[-1].answer.markdown
        return
    (card,) = table.pane.findChildren(CoverageCard)
    assert "No answer found in the 1 document chosen" in [label.text() for label in card.findChildren(QLabel)]
    next(button for button in card.findChildren(QPushButton) if button.text() == "Search all documents").click()
    assert table.pane.composer.scope_row.scope() == WHOLE_LIBRARY
    qtbot.waitUntil(lambda: "spruce" in table.pane.view.turns[-1].answer.markdown, timeout=60_000)


def test_each_conversation_keeps_its_own_draft(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [*answers(Turn(text="One?")), Turn(text="Two?", hold=held)]
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    (first,) = table.wait_until_listed("First?")
    composer = table.pane.composer
    composer.set_question("about the first")
    table.control.begin_new()
    assert composer.question == ""
    table.ask("Second?")
    _, second = table.wait_until_listed("First?", "Second?")
    composer.set_question("a note for the second")
    table.control.open(first)
    qtbot.waitUntil(lambda: composer.question == "about the first", timeout=60_000)
    table.control.open(second)
    assert composer.question == "a note for the second"
    table.control.begin_new()
    composer.set_question("never asked")
    table.control.begin_new()
    assert composer.question == ""
    (unasked,) = table.wait_until_listed("never asked", "First?", "Second?")[:1]
    qtbot.waitUntil(lambda: table.marks().get(unasked) == "draft", timeout=60_000)
    table.control.open(unasked)
    qtbot.waitUntil(lambda: composer.question == "never asked", timeout=60_000)
    composer.set_question("")
    table.control.begin_new()
    table.wait_until_listed("First?", "Second?")


def test_conversation_and_drafts_are_back_after_a_restart(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot, tmp_path: Path
) -> None:
    endpoint.script = answers(Turn(text="One?"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    table.wait_until_listed("First?")
    table.pane.composer.set_question("and then")
    table.restart()
    table.wait_until_shown(("First?", "One?"))
    qtbot.waitUntil(lambda: table.pane.composer.question == "and then", timeout=60_000)
    table.control.begin_new()
    table.pane.composer.set_question("something new")
    table.restart()
    qtbot.waitUntil(lambda: table.pane.composer.question == "something new", timeout=60_000)
    assert table.shown() == []


def test_the_turn_at_the_top_is_there_again_after_a_restart(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    long = "\n\n".join(f"Paragraph {word}." for word in ("one", "two", "three", "four")) * 8
    endpoint.script = answers(*(Turn(text=long) for _ in range(3)))
    for question in ("First?", "Second?", "Third?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    view = table.pane.view
    with qtbot.waitSignal(view.rested, timeout=60_000, check_params_cb=lambda place: place == 2):
        view.reveal(2)
    table.restart()
    qtbot.waitUntil(lambda: any(turn.question == "Second?" for turn in view.turns), timeout=60_000)
    second = next(turn for turn in view.turns if turn.question == "Second?")
    bar = view._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: abs(second.y() - bar.value()) < 40 and bar.value() < bar.maximum(), timeout=60_000)


def test_a_conversation_opens_where_it_was_left_or_at_its_last_question(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    long = "\n\n".join(f"Paragraph {word}." for word in ("one", "two", "three", "four")) * 8
    endpoint.script = answers(*(Turn(text=long) for _ in range(3)))
    for question in ("First?", "Second?", "Third?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    (number,) = table.wait_until_listed("First?")
    view = table.pane.view
    bar = view._scroll.verticalScrollBar()

    def is_at(question: str) -> bool:
        turn = next((turn for turn in view.turns if turn.question == question), None)
        return turn is not None and abs(turn.y() - bar.value()) < 40

    view.jump_to_latest()
    qtbot.wait(800)  # it rests at the end
    table.control._shown.begin_new()
    table.control._shown.open(number)
    qtbot.waitUntil(lambda: is_at("Third?"), timeout=60_000)
    with qtbot.waitSignal(view.rested, timeout=60_000, check_params_cb=lambda place: place == 2):
        view.reveal(2)
    table.control._shown.begin_new()
    table.control._shown.open(number)
    qtbot.waitUntil(lambda: is_at("Second?"), timeout=60_000)


def test_words_of_an_answer_open_its_turn(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="The zephyr blows."), Turn(text="Two?"))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    (number,) = table.wait_until_listed("First?")
    table.control.begin_new()
    field = table.panel.findChildren(QLineEdit)[0]
    field.setText("zeph")
    qtbot.waitUntil(lambda: table.panel.title_of(number) == "First?", timeout=60_000)
    with qtbot.waitSignal(table.panel.conversation_chosen) as chosen:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == [number, 1]
    table.wait_until_shown(("First?", "The zephyr blows."), ("Second?", "Two?"))


def test_a_question_asked_before_its_conversation_is_stored_belongs_to_it(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="One?"), Turn(text="Two?"))
    slow_disk = threading.Event()
    table.control.repository.run(lambda store, stop: slow_disk.wait(20))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    slow_disk.set()
    (number,) = table.wait_until_listed("First?")
    qtbot.waitUntil(lambda: len(table.stored(number).turns) == 2, timeout=60_000)


def test_without_another_run_no_comparison_opens(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="One?"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    with qtbot.waitSignal(table.control.refused, timeout=60_000) as refused:
        table.pane.requests.action_requested.emit(1, RunAction.COMPARE)
    assert refused.args[0].startswith("There is no other run to compare with.")
    assert table.pane.findChildren(ComparisonDialog) == []
