from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    Coverage,
    Remark,
    RunFailed,
    RunStarted,
    StepStarted,
)
from desktop_rag.agent.prompts import KNOWS_NOTHING, NEEDS_MODEL
from desktop_rag.agent.question import ExampleQuestion
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.timeline.timeline import StepSlider
from desktop_rag.gui.conversation.welcome import SuggestionButton, Welcome
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from tests.gui.conversation.conftest import ANSWER, CITATIONS, QUESTION, answer_deltas, answered, working_events
from tests.gui.conversation.shown_events import button_of, run_in, texts_of
from tests.gui.library_values import folder, library
from tests.gui.tab_order import tab_stops


def _bar(view: ConversationView) -> tuple[int, int]:
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    return bar.value(), bar.maximum()


def _examples(*questions: str) -> tuple[ExampleQuestion, ...]:
    return tuple(map(ExampleQuestion, questions))


def test_without_folders_it_offers_to_add_one(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.set_welcome(Welcome())
    assert "Start with a folder" in texts_of(view)
    with qtbot.waitSignal(requests.folder_requested):
        button_of(view, "Add a folder…").click()


def test_with_documents_it_offers_three_questions(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.set_welcome(
        Welcome(has_documents=True, has_model=True, examples=_examples("One?", "Two & three?", "Three?", "Four?"))
    )
    assert "Ask your documents" in texts_of(view)
    examples = view.findChildren(SuggestionButton)
    assert [example.accessibleName() for example in examples] == ["One?", "Two & three?", "Three?"]
    with qtbot.waitSignal(requests.question_asked) as caught:
        QTest.keyClick(examples[1], Qt.Key.Key_Space)
    assert caught.args == ["Two & three?"]


def test_the_welcome_says_when_the_first_documents_are_being_read(view: ConversationView) -> None:
    view.set_welcome(Welcome(is_reading=True))
    assert "Reading your documents" in texts_of(view)
    assert not any(one.text() == "Add a folder…" and one.isVisible() for one in view.findChildren(QPushButton))


def test_an_unchanged_welcome_keeps_its_buttons_during_a_click(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.set_welcome(Welcome(has_documents=True, examples=_examples("One?")))
    (question,) = view.findChildren(SuggestionButton)
    QTest.mousePress(question, Qt.MouseButton.LeftButton)
    view.set_welcome(Welcome(has_documents=True, examples=_examples("One?")))
    with qtbot.waitSignal(requests.question_asked) as chosen:
        QTest.mouseRelease(question, Qt.MouseButton.LeftButton)
    assert chosen.args == ["One?"]


def test_without_an_endpoint_it_offers_to_connect_a_model(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.set_welcome(Welcome(has_documents=True, has_model=False))
    with qtbot.waitSignal(requests.settings_requested):
        button_of(view, "Connect a model").click()
    view.set_welcome(Welcome(has_documents=True, has_model=True))
    assert not any("No model" in text for text in texts_of(view))


def test_a_run_ends_with_answer_sources_and_steps(view: ConversationView, finished_run: list[AgentEvent]) -> None:
    run_in(view, finished_run)
    (turn,) = view.turns
    assert turn.answer.markdown == ANSWER
    assert turn.sources._header.text() == "4 sources"
    assert turn.timeline.header.accessibleName().startswith("Answered in 12 s")
    assert turn.cards() == ()


def test_the_question_of_a_started_run_is_not_shown_twice(view: ConversationView) -> None:
    run_in(view, [RunStarted(QUESTION, "full", "m", 1)])
    assert len(view.turns) == 1


def test_opening_a_source_requests_its_citation(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent], requests: ConversationRequests
) -> None:
    run_in(view, finished_run)
    (turn,) = view.turns
    with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
        turn.sources.view.setCurrentIndex(turn.sources.view.model().index(0, 0))
        QTest.keyClick(turn.sources.view, Qt.Key.Key_Return)
    assert caught.args == [CITATIONS[0], tuple(CITATIONS)]


def test_a_restarted_answer_drops_its_preamble(view: ConversationView) -> None:
    run_in(view, [AnswerDelta("I will search."), AnswerRestarted(1), AnswerDelta("Rent")])
    (turn,) = view.turns
    turn.answer.flush()
    assert turn.answer.toPlainText() == "Rent"


def test_a_failure_keeps_the_partial_answer_and_offers_retry_and_settings(
    view: ConversationView, qtbot: QtBot, failed_run: list[AgentEvent], requests: ConversationRequests
) -> None:
    run_in(view, failed_run)
    (turn,) = view.turns
    (card,) = turn.cards()
    assert card.accessibleName().startswith("The model cannot be reached. http://localhost:11434/v1 does not answer.")
    assert turn.answer.toPlainText() == "The landlord may"
    with qtbot.waitSignal(requests.action_requested) as caught:
        button_of(view, "Try again").click()
    assert caught.args == [1, RunAction.ANSWER_AGAIN]
    with qtbot.waitSignal(requests.action_requested) as caught:
        button_of(view, "Answer with the built-in passages").click()
    assert caught.args == [1, RunAction.QUOTE]
    with qtbot.waitSignal(requests.settings_requested):
        button_of(view, "Open settings").click()


def test_a_stopped_run_says_that_its_text_is_kept(view: ConversationView, stopped_run: list[AgentEvent]) -> None:
    run_in(view, stopped_run)
    (card,) = view.turns[0].cards()
    assert card.accessibleName() == "You stopped this run. What was written so far is kept."


def test_a_reached_limit_is_shown_above_the_answer(view: ConversationView, limited_run: list[AgentEvent]) -> None:
    run_in(view, limited_run)
    (turn,) = view.turns
    (card,) = turn.cards()
    QApplication.processEvents()
    assert card.accessibleName().startswith("A limit ended the search. 15 steps")
    assert card.y() < turn.answer.y()


def test_a_not_found_answer_offers_to_add_a_folder(
    view: ConversationView, qtbot: QtBot, not_found_run: list[AgentEvent], requests: ConversationRequests
) -> None:
    run_in(view, not_found_run)
    (card,) = view.turns[0].cards()
    assert card.accessibleName().startswith("No answer found in your library")
    with qtbot.waitSignal(requests.folder_requested):
        button_of(view, "Add a folder…").click()


def test_what_needs_a_model_offers_to_connect_one(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    run_in(view, [answered(f"{NEEDS_MODEL}\n\n#### lease.txt", (), found=False)])
    (card,) = view.turns[0].cards()
    assert card.accessibleName().startswith("A language model can do this")
    with qtbot.waitSignal(requests.settings_requested):
        button_of(view, "Connect a model…").click()


def test_a_greeting_was_not_searched_for(view: ConversationView) -> None:
    ended = answered(KNOWS_NOTHING, (), found=False)
    assert isinstance(ended, Answered)
    run_in(view, [replace(ended, coverage=Coverage((), (), 23, ()))])
    [turn] = view.turns
    assert not turn.cards()
    assert turn.timeline.header.accessibleName().startswith("Answered in")


def test_untrusted_text_is_never_rendered_as_mark_up(view: ConversationView) -> None:
    view.begin_turn("<b>bold</b>?")
    view.append(RunFailed("<i>title</i>", "<img src='/etc/passwd'>", "", ()))
    labels = [label for label in view.turns[0].findChildren(QLabel) if label.text()]
    assert {"<b>bold</b>?", "<i>title</i>", "<img src='/etc/passwd'>"} <= {label.text() for label in labels}
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)


def test_the_view_follows_new_text(view: ConversationView, qtbot: QtBot) -> None:
    run_in(view, working_events())
    for _ in range(6):
        for event in answer_deltas():
            view.append(event)
        view.turns[0].answer.flush()
    qtbot.waitUntil(lambda: _bar(view)[1] > 500 and _bar(view)[0] == _bar(view)[1])


def test_the_view_does_not_move_while_scrolled_up(view: ConversationView, qtbot: QtBot) -> None:
    run_in(view, [*working_events(), *answer_deltas()])
    view.turns[0].answer.flush()
    qtbot.waitUntil(lambda: _bar(view)[1] > 300)
    view.findChildren(QScrollArea)[0].verticalScrollBar().setValue(40)
    view.append(answered(ANSWER * 3))
    qtbot.waitUntil(lambda: _bar(view)[1] > 1_000)
    assert _bar(view)[0] == 40
    next(b for b in view.findChildren(QPushButton) if b.accessibleName() == "Jump to latest").click()
    assert _bar(view)[0] == _bar(view)[1]
    assert not any(
        one.accessibleName() == "Jump to latest" and one.isVisible() for one in view.findChildren(QPushButton)
    )


def test_steps_expand_below_the_clicked_header(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    view.show_turns([Turn(1, QUESTION, (*working_events(), answered("Once a year.", ())), 0)])
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    header = view.turns[0].timeline.header
    qtbot.waitUntil(lambda: header.isVisible() and bar.maximum() == 0)
    view.resize(view.width(), 260)
    before = header.mapTo(view, header.rect().topLeft())
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert header.mapTo(view, header.rect().topLeft()) == before


def test_a_stored_conversation_is_shown_from_its_end(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent], failed_run: list[AgentEvent]
) -> None:
    runs = [finished_run, failed_run] * 4
    view.show_turns([Turn(n, f"Question {n}", tuple(run), n) for n, run in enumerate(runs, 1)])
    assert [turn.question for turn in view.turns] == ["Question 8"]
    qtbot.waitUntil(lambda: _bar(view)[1] > 1_000 and _bar(view)[0] == _bar(view)[1])
    while view.turns[0].question != "Question 1":
        qtbot.waitUntil(lambda: not view._build.isActive())
        view._scroll.verticalScrollBar().setValue(0)
    assert [turn.question for turn in view.turns] == [f"Question {n}" for n in range(1, 9)]
    assert view.turns[0].answer.markdown == ANSWER


def _long(view: ConversationView, run: list[AgentEvent], turns: int = 5_000) -> None:
    events = tuple(run)
    view.show_turns([Turn(n, f"Question {n}", events, n) for n in range(1, turns + 1)])


def _settle(view: ConversationView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view._build.isActive())
    for _ in range(4):
        QApplication.processEvents()


def _in_sight(view: ConversationView) -> list[str]:
    shown = view._scroll.viewport().rect()
    place = view._scroll.viewport()
    return [
        turn.question for turn in view.turns if shown.intersects(turn.rect().translated(turn.mapTo(place, QPoint())))
    ]


def test_of_a_long_conversation_only_turns_near_the_viewport_are_built(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    _long(view, finished_run)
    _settle(view, qtbot)
    assert _in_sight(view)[-1] == "Question 5000"
    assert len(view.turns) < 20
    bar = view._scroll.verticalScrollBar()
    for _ in range(60):  # as with the wheel, or dragging the bar
        bar.setValue(bar.value() - view.height())
        _settle(view, qtbot)
    assert len(view.turns) < 60
    above = _in_sight(view)[0]
    assert 4_900 < int(above.split()[1]) < 4_990
    for _ in range(200):
        bar.setValue(bar.value() + view.height())
        _settle(view, qtbot)
        if _in_sight(view)[-1] == "Question 5000":
            break
    assert view.turns[-1].question == "Question 5000"
    numbers = [int(turn.question.split()[1]) for turn in view.turns]
    assert numbers == list(range(numbers[0], 5_001))


def test_scrolling_by_a_page_does_not_skip_text(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    _long(view, finished_run)
    _settle(view, qtbot)
    bar = view._scroll.verticalScrollBar()
    for _ in range(25):
        before = _in_sight(view)[0]
        bar.setValue(bar.value() - view.height() // 2)
        _settle(view, qtbot)
        assert int(before.split()[1]) - int(_in_sight(view)[0].split()[1]) in (0, 1)


def test_a_turn_far_away_is_revealed_and_the_end_is_one_click_away(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    _long(view, finished_run)
    view.reveal(77)
    _settle(view, qtbot)
    assert _in_sight(view)[0] == "Question 77"
    assert len(view.turns) < 40
    view.jump_to_latest()
    _settle(view, qtbot)
    assert _in_sight(view)[-1] == "Question 5000"


def test_a_question_asked_in_the_middle_of_a_long_conversation_stands_at_its_end(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    _long(view, finished_run, 300)
    view.reveal(20)
    _settle(view, qtbot)
    view.begin_turn("And now?")
    for event in finished_run:
        view.append(event)
    _settle(view, qtbot)
    assert [turn.question for turn in view.turns][-2:] == ["Question 300", "And now?"]
    view.reveal(250)  # a turn that may have no widget while the last one cannot be removed
    _settle(view, qtbot)
    assert _in_sight(view)[0] == "Question 250"
    assert view.turns[-1].question == "And now?"


def test_a_stored_run_without_an_end_is_shown_as_interrupted(view: ConversationView) -> None:
    view.show_turns([Turn(1, QUESTION, (*working_events(), AnswerDelta("The landlord")), 1)])
    (turn,) = view.turns
    assert turn.answer.toPlainText() == "The landlord"
    assert turn.cards()[0].accessibleName().startswith("Interrupted")


def test_clearing_shows_the_welcome_again(view: ConversationView, finished_run: list[AgentEvent]) -> None:
    view.set_welcome(Welcome(has_documents=True, has_model=True))
    run_in(view, finished_run)
    view.clear()
    assert view.turns == ()
    assert "Ask your documents" in texts_of(view)


def test_in_a_narrow_column_the_steps_have_their_whole_height(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent]
) -> None:
    view.resize(380, 600)
    run_in(view, finished_run)
    (turn,) = view.turns
    turn.timeline.header.click()
    qtbot.waitUntil(lambda: turn.timeline.findChild(StepSlider) is not None)
    for _ in range(4):
        QApplication.processEvents()
    assert turn.minimumSizeHint().width() <= turn.width()
    assert turn.height() == turn.heightForWidth(turn.width())


@pytest.mark.parametrize("width", [360, 420, 800, 1400])
def test_nothing_is_wider_than_the_window(view: ConversationView, finished_run: list[AgentEvent], width: int) -> None:
    view.resize(width, 600)
    run_in(view, finished_run)
    view.turns[0].timeline.header.click()
    QApplication.processEvents()
    (turn,) = view.turns
    assert turn.width() <= width - 40
    for button in turn.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.mapTo(turn, button.rect().topRight()).x() <= turn.width()


def test_every_button_has_a_name(view: ConversationView, finished_run: list[AgentEvent]) -> None:
    run_in(view, finished_run)
    view.turns[0].timeline.header.click()
    for button in view.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName() or button.text()


def test_tab_goes_down_the_conversation_to_the_question_field(qtbot: QtBot, finished_run: list[AgentEvent]) -> None:
    status = ShownStatus()
    pane = ConversationPane(ViewerRequests(), status)
    qtbot.addWidget(pane)
    status.update(library(folder(1, b"/home/anna/Flat"), folder(2, b"/home/anna/Work")))
    pane.composer.set_question("Next?")
    pane.view.show_turns([Turn(n, QUESTION, tuple(finished_run), n) for n in (1, 2)])
    pane.resize(800, 600)
    pane.show()
    blocks = ["Copy table as CSV", "Copy code"]
    answer = ["Answer", *blocks, "Sources of this answer", "Copy the answer", "Answer again"]
    column, pencil, header, *turn = tab_stops(pane.view)[:9]
    assert (column, pencil) == ("Conversation", "Edit the question and ask again")
    assert header.startswith("Answered in")
    assert turn == answer
    asking = tab_stops(pane)[tab_stops(pane).index("Question") :]
    choices = ["Attach files to this conversation", "Model: Built-in (no model)", "Method: Thorough"]
    assert asking[:7] == ["Question", *choices, "Flat", "Work", "Send"]


def test_new_steps_above_do_not_move_the_text_being_read(view: ConversationView, qtbot: QtBot) -> None:
    long = "\n\n".join(f"Paragraph {n} of the answer." for n in range(60))
    run_in(view, [*working_events(), AnswerDelta(long)])
    (turn,) = view.turns
    turn.answer.flush()
    qtbot.waitUntil(lambda: _bar(view)[1] > 1_000)
    scroll = view.findChildren(QScrollArea)[0]
    scroll.verticalScrollBar().setValue(turn.y() + turn.answer.y() + 200)
    assert not turn.answer.visibleRegion().isEmpty()
    before = turn.answer.mapTo(scroll.viewport(), QPoint(0, 0)).y()
    for number in range(4, 10):
        view.append(StepStarted(number, 15))
        view.append(Remark(number, "check", "One statement without support or source: asked again."))
        QApplication.processEvents()
    assert len(turn.timeline.rows()) == 10
    assert turn.answer.mapTo(scroll.viewport(), QPoint(0, 0)).y() == before
