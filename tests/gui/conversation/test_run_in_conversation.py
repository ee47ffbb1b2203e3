"""What a run asks in its conversation, how it was at an earlier step, and where it was cut off."""

import time
from dataclasses import replace

from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    AnswerRestarted,
    LimitAsked,
    LimitReached,
    Remark,
    RetryAnnounced,
    RunFailed,
    StepStarted,
)
from desktop_rag.errors import PromptTruncated
from desktop_rag.gui.conversation.answer.notice_card import NoticeCard
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.timeline.timeline import StepSlider
from tests.gui.conversation.conftest import ANSWER, QUESTION, answered, working_events
from tests.gui.conversation.shown_events import button_of, run_in, texts_of


def test_an_earlier_step_shows_what_was_read_and_written_by_then(
    view: ConversationView, qtbot: QtBot, finished_run: list[AgentEvent], requests: ConversationRequests
) -> None:
    run_in(view, finished_run)
    (turn,) = view.turns
    turn.timeline.header.click()
    (slider,) = turn.findChildren(StepSlider)
    slider._slider.setValue(1)
    assert "After this step: 8 passages read, 8 documents. Nothing was written yet." in texts_of(view)
    assert not turn.answer.isVisible()
    assert not turn.sources.isVisible()
    with qtbot.waitSignal(requests.fork_requested) as forked:
        slider.fork_requested.emit(1)
    assert forked.args == [1, 1]
    slider._slider.setValue(3)
    assert turn.answer.isVisible()
    assert turn.answer.markdown == ANSWER
    assert turn.sources.isVisible()
    assert not any("After this step" in text for text in texts_of(view))


def test_an_answer_that_was_repaired_is_shown_as_it_was_before(view: ConversationView) -> None:
    first = [*working_events(), AnswerDelta("Four months."), StepStarted(4, 15), AnswerRestarted(4)]
    run_in(view, [*first, AnswerDelta("Three months."), replace(answered("Three months.", ()), steps=4)])
    (turn,) = view.turns
    turn.timeline.header.click()
    (slider,) = turn.findChildren(StepSlider)
    slider._slider.setValue(3)
    assert turn.answer.toPlainText() == "Four months."
    slider._slider.setValue(4)
    assert turn.answer.toPlainText() == "Three months."


def test_a_new_turn_and_an_answer_are_painted_in_an_event_of_their_own(view: ConversationView, qtbot: QtBot) -> None:
    def is_painted_later() -> bool:
        viewport = view.findChildren(QScrollArea)[0].viewport()
        later = not viewport.updatesEnabled()
        qtbot.waitUntil(viewport.updatesEnabled)
        return later

    view.begin_turn(QUESTION)
    assert is_painted_later()
    for event in working_events():
        view.append(event)
    view.append(answered(ANSWER, ()))
    assert is_painted_later()


ASKED = LimitAsked(2, "steps", "The limit of 15 steps is reached.", 5, time.time_ns() + 60_000_000_000)


def test_a_reached_limit_offers_to_go_on_while_the_run_waits(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    run_in(view, [*working_events(), ASKED])
    (turn,) = view.turns
    assert "The limit of 15 steps is reached." in texts_of(view)
    assert turn.timeline.header.accessibleName().startswith("Waiting for your decision")
    with qtbot.waitSignal(requests.limit_decided) as decided:
        button_of(view, "Allow 5 more steps").click()
    assert decided.args == [True]
    assert "Search further?" not in texts_of(view)


def test_the_offer_goes_with_the_next_event(
    view: ConversationView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    run_in(view, [*working_events(), ASKED])
    with qtbot.waitSignal(requests.limit_decided) as decided:
        button_of(view, "Answer now").click()
    assert decided.args == [False]
    run_in(view, [*working_events(), ASKED, Remark(3, "extended", "Allowed to go on: 5 more steps")])
    assert "Search further?" not in texts_of(view)


def test_a_long_wait_can_be_ended_at_once(view: ConversationView, qtbot: QtBot, requests: ConversationRequests) -> None:
    until = time.time_ns() + 60_000_000_000
    run_in(view, [*working_events(), RetryAnnounced(2, 60.0, "The model limits your requests", True, until)])
    assert "The model limits your requests" in texts_of(view)
    with qtbot.waitSignal(requests.retry_requested):
        button_of(view, "Retry now").click()
    assert "The request is repeated by itself" not in texts_of(view)


def test_a_short_wait_or_one_that_is_over_asks_nothing(view: ConversationView) -> None:
    for seconds in (1, -60):
        until = time.time_ns() + seconds * 1_000_000_000
        run_in(view, [*working_events(), RetryAnnounced(2, 60.0, "The model limits your requests", True, until)])
        assert "The request is repeated by itself" not in texts_of(view)


def test_a_stored_run_asks_nothing(view: ConversationView) -> None:
    view.show_turns([Turn(1, QUESTION, (*working_events(), ASKED), 0)])
    QApplication.processEvents()
    assert "Search further?" not in texts_of(view)
    assert "Interrupted" in texts_of(view)


def test_a_request_that_was_cut_off_is_told(view: ConversationView, requests: ConversationRequests) -> None:
    asked: list[bool] = []
    requests.settings_requested.connect(lambda: asked.append(True))
    run_in(view, [*working_events(), LimitReached("truncated", "host read 4,090 of about 6,000 tokens."), answered()])
    assert len(view.turns[0].cards()) == 1
    assert all(words in " ".join(texts_of(view)) for words in ("cut off the beginning", "read 4,090"))
    button_of(view, "Open settings").click()
    assert asked


def test_a_run_that_fails_because_it_was_cut_off_says_so_once(view: ConversationView) -> None:
    cut = LimitReached("truncated", "host read 4,090 of about 6,000 tokens.")
    run_in(view, [*working_events(), cut, RunFailed(PromptTruncated.title, cut.message, "", ())])
    (card,) = view.turns[0].cards()
    assert card.accessibleName() == f"{PromptTruncated.title}. {cut.message}"
    assert not any(other.isVisibleTo(view) for other in view.findChildren(NoticeCard) if other is not card)


def test_a_cut_off_answer_can_be_asked_again_with_more_room(
    view: ConversationView, requests: ConversationRequests
) -> None:
    context = replace(answered().context, reserve=2_048)
    run_in(view, [*working_events(), LimitReached("length", "Its limit."), replace(answered(), context=context)])
    assert "The answer was cut off" in texts_of(view)
    asked: list[object] = []
    requests.reserve_requested.connect(asked.append)
    requests.action_requested.connect(lambda turn, action: asked.append((turn, action)))
    button_of(view, "Ask again with twice the room").click()
    assert asked == [4_096, (1, RunAction.ANSWER_AGAIN)]


def test_an_answer_without_a_search_that_broke_off_can_be_continued(view: ConversationView) -> None:
    run_in(view, [RunFailed("The connection broke", "Ask again.", "I can help. With many thi", ())])
    assert button_of(view, "Continue from here").isVisibleTo(view)
