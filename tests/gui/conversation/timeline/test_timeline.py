import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import (
    BUILT_IN_MODEL,
    AgentEvent,
    AnswerDelta,
    ModelProgress,
    Remark,
    RetryAnnounced,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_chips import SourceChip
from desktop_rag.gui.conversation.timeline.timeline import StepSlider, Timeline, TimelineHeader
from desktop_rag.gui.conversation.timeline.timeline_rows import CallGroup, StoryRows
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.viewer_events import target_of_source
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.gui.widgets.plain_labels import ElidedLabel
from desktop_rag.gui.widgets.toast import Announcer
from tests.gui.conversation.conftest import QUESTION, USAGE, answered, source, working_events


@pytest.fixture
def timeline(qtbot: QtBot, requests: ConversationRequests) -> Timeline:
    timeline = Timeline(requests)
    qtbot.addWidget(timeline)
    timeline.resize(700, 600)
    timeline.show()
    return timeline


def _append(timeline: Timeline, events: list[AgentEvent]) -> str:
    for event in events:
        timeline.append(event)
    QApplication.processEvents()
    return timeline.header.accessibleName()


def _chips(timeline: Timeline) -> list[SourceChip]:
    return [chip for row in timeline.rows() for chip in row.findChildren(SourceChip) if chip.isVisible()]


def test_the_header_names_the_current_activity(timeline: Timeline) -> None:
    timeline.begin()
    assert _append(timeline, working_events()[:2]) == "Thinking"
    assert _append(timeline, working_events()[2:5]) == "Searching “rent increase”"


def test_the_header_shows_duration_steps_and_documents(timeline: Timeline) -> None:
    timeline.begin()
    assert _append(timeline, [*working_events(), answered()]) == "Answered in 12 s · 3 steps · 8 documents"
    nothing = Timeline(ConversationRequests(ViewerRequests()))
    assert _append(nothing, [*working_events(), answered("", (), found=False)]).startswith("Searched for 12 s")


def test_the_outcome_is_never_cut_for_the_figures_beside_it(timeline: Timeline) -> None:
    timeline.begin()
    _append(timeline, [*working_events(), answered()])
    header = timeline.header
    assert isinstance(header, TimelineHeader)
    whole = header.fontMetrics().horizontalAdvance("· 3 steps · 8 documents")
    assert header.figures_within(whole) == "· 3 steps · 8 documents"
    assert header.figures_within(whole - 1) == "· 3 steps"
    assert header.figures_within(20) == ""


def _texts(timeline: Timeline) -> list[str]:
    return [label.text() for label in timeline.findChildren(QLabel) if label.isVisibleTo(timeline)]


def test_method_model_and_tokens_stand_below_the_steps(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    assert "Thorough · qwen3:8b · 7,204 tokens · 3 requests" in _texts(timeline)


def test_prices_add_the_money(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), replace(answered(), usage=replace(USAGE, money=0.0123))])
    timeline.header.click()
    assert f"Thorough · qwen3:8b · 7,204 tokens · 3 requests · {formatting.money(0.0123)}" in _texts(timeline)


def test_without_a_model_no_tokens_are_shown(timeline: Timeline) -> None:
    begun = RunStarted(QUESTION, "full", BUILT_IN_MODEL, 1)
    _append(timeline, [begun, *working_events()[1:], answered()])
    timeline.header.click()
    assert f"Thorough · {BUILT_IN_MODEL}" in _texts(timeline)
    _step(timeline, 2)
    everything = [*_texts(timeline), *(widget.toolTip() for widget in timeline.findChildren(QWidget))]
    assert not any("token" in text for text in everything)


def _step(timeline: Timeline, step: int) -> StepSlider:
    slider = timeline.findChild(StepSlider)
    assert isinstance(slider, StepSlider)
    slider._slider.setValue(step)
    QApplication.processEvents()
    return slider


def test_the_slider_goes_back_through_the_steps(timeline: Timeline, qtbot: QtBot) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    with qtbot.waitSignal(timeline.step_shown) as shown:
        slider = _step(timeline, 1)
    assert shown.args == [1]
    assert slider.text == "Step 1 of 3 · 2,190 tokens"
    assert [row.entry.step for row in timeline.rows()] == [1, 1, 1]
    with qtbot.waitSignal(timeline.fork_requested) as forked:
        next(b for b in slider.findChildren(QPushButton) if b.isVisible()).click()
    assert forked.args == [1]
    QTest.keyClick(slider._slider, Qt.Key.Key_Right)
    assert slider.text == "Step 2 of 3"
    with qtbot.waitSignal(timeline.step_shown) as shown:
        QTest.keyClick(slider._slider, Qt.Key.Key_End)
    assert shown.args == [0]
    assert [row.entry.step for row in timeline.rows()] == [1, 1, 1, 2]


@pytest.mark.usefixtures("letters")
def test_the_step_shown_is_never_elided(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    label = _step(timeline, 1).findChildren(ElidedLabel)[0]
    said = set()
    for width in range(700, 259, -20):
        timeline.resize(width, 600)
        QApplication.processEvents()
        said.add(label.text())
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())
    assert said == {"Step 1 of 3 · 2,190 tokens", "Step 1 of 3"}
    assert label.toolTip()


def test_collapsing_the_steps_shows_the_end_again(timeline: Timeline, qtbot: QtBot) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    _step(timeline, 1)
    with qtbot.waitSignal(timeline.step_shown) as shown:
        timeline.header.click()
    assert shown.args == [0]


def test_a_run_of_one_step_has_no_slider(timeline: Timeline) -> None:
    _append(timeline, [*working_events()[:8], replace(answered(), steps=1)])
    timeline.header.click()
    assert timeline.findChild(StepSlider) is None


def _group(timeline: Timeline) -> CallGroup:
    rows = timeline.findChild(StoryRows)
    assert isinstance(rows, StoryRows)
    (group,) = rows.groups
    return group


@pytest.mark.parametrize(("width", "columns"), [(700, 2), (420, 1)])
def test_calls_of_one_turn_stand_side_by_side_where_there_is_room(
    timeline: Timeline, qtbot: QtBot, width: int, columns: int
) -> None:
    timeline.resize(width, 600)
    timeline.begin()
    _append(timeline, working_events())
    group = _group(timeline)
    qtbot.waitUntil(lambda: group.columns == columns and group.width() > 300)
    assert [group.isAncestorOf(row) for row in timeline.rows()] == [False, True, True, False]
    one, other = timeline.rows()[1:3]
    qtbot.waitUntil(
        lambda: (one.y() == other.y()) is (columns == 2) and not one.geometry().intersects(other.geometry())
    )


def test_a_group_says_how_many_of_its_calls_are_done(timeline: Timeline) -> None:
    timeline.begin()
    *called, first, second = working_events()[:8]
    _append(timeline, called)
    header = _group(timeline).header
    assert header.accessibleName() == "2 actions at once, 0 of 2 done"
    _append(timeline, [first])
    assert header.accessibleName() == "2 actions at once, 1 of 2 done"
    _append(timeline, [second])
    assert header.accessibleName() == "2 actions at once, 0.5 s"


def test_a_group_is_folded_by_its_header(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    group = _group(timeline)
    assert all(row.isVisible() for row in timeline.rows())
    QTest.keyClick(group.header, Qt.Key.Key_Space)
    assert [row.isVisible() for row in timeline.rows()] == [True, False, False, True]


def test_a_header_is_announced_as_a_button_that_shows_or_hides(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), answered()])
    timeline.header.click()
    for header, below in ((timeline.header, "the steps of this run"), (_group(timeline).header, "these actions")):
        spoken = QAccessible.queryAccessibleInterface(header)
        assert spoken.role() == QAccessible.Role.Button
        assert spoken.text(QAccessible.Text.Description) == f"Hides {below}"
        header.click()
        assert spoken.text(QAccessible.Text.Description) == f"Shows {below}"
        header.click()


def test_going_back_to_before_a_group_removes_it(timeline: Timeline, qtbot: QtBot) -> None:
    events: list[AgentEvent] = [StepStarted(1, 9), ToolCalled(1, "a", "search", "{}", "Searching a")]
    events.append(ToolReturned(1, "a", "search", "1 passage", (source(1),), 0.1, 50, failed=False))
    for call in ("c", "d"):
        events.append(StepStarted(2, 9))
        events.append(ToolCalled(2, call, "search", "{}", f"Searching {call}"))
        events.append(ToolReturned(2, call, "search", "1 passage", (source(1),), 0.1, 50, failed=False))
    _append(timeline, [*events, replace(answered(), steps=2)])
    timeline.header.click()
    group = _group(timeline)
    _step(timeline, 1)
    assert [row.entry.step for row in timeline.rows()] == [1]
    assert not group.isVisible()
    _step(timeline, 2)
    assert [row.entry.step for row in timeline.rows()] == [1, 2, 2]
    assert all(_group(timeline).isAncestorOf(row) for row in timeline.rows()[1:])


def test_two_hundred_steps_are_built_while_the_window_stays_responsive(timeline: Timeline, qtbot: QtBot) -> None:
    for step in range(1, 201):
        timeline.append(StepStarted(step, 200))
        timeline.append(ToolCalled(step, "c", "search", "{}", f"Searching {step}"))
        timeline.append(ToolReturned(step, "c", "search", "1 passage", (source(step),), 0.1, 50, False))
    timeline.append(replace(answered(), steps=200))
    timeline.set_expanded(expanded=True)
    assert len(timeline.rows()) == 4
    qtbot.waitUntil(lambda: len(timeline.rows()) == 20)
    assert [row.entry.step for row in timeline.rows()] == list(range(181, 201))
    (earlier,) = [button for button in timeline.findChildren(QPushButton) if button.text() == "180 earlier rows"]
    earlier.click()
    qtbot.waitUntil(lambda: len(timeline.rows()) == 40)
    assert [row.entry.step for row in timeline.rows()] == list(range(161, 201))
    _step(timeline, 10)
    qtbot.waitUntil(lambda: [row.entry.step for row in timeline.rows()] == list(range(1, 11)))
    assert not earlier.isVisible()
    _step(timeline, 200)
    qtbot.waitUntil(lambda: len(timeline.rows()) == 40)


def test_the_header_shows_a_pause_until_the_run_resumes(timeline: Timeline) -> None:
    timeline.begin(90)
    assert _append(timeline, [*working_events()[:2], Remark(1, "paused", "Paused")]) == "Paused"
    assert _append(timeline, [Remark(1, "resumed", "Going on")]).startswith("Thinking · 1 min")


def test_the_header_says_that_the_model_has_not_sent_a_word_yet(
    timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline.begin()
    started, thought = working_events()[:2], Thought(1, "Let me see.")
    assert _append(timeline, list(started)).startswith("Thinking")
    monkeypatch.setattr("desktop_rag.gui.conversation.timeline.timeline.SILENT_SECONDS", 0.0)
    assert _append(timeline, [StepStarted(2, 4)]).startswith("Waiting for the model's first words")
    assert _append(timeline, [thought]).startswith("Thinking")


def test_a_wait_counts_down_and_ends_with_the_next_event(timeline: Timeline) -> None:
    timeline.begin()
    until = time.time_ns() + 12_000_000_000
    wait = RetryAnnounced(1, 12.0, "The model limits your requests", True, until)
    assert _append(timeline, [*working_events()[:2], wait]) == "The model asks to wait: 12 s"
    assert timeline.rows()[-1].accessibleName() == "The model limits your requests. Next attempt within 12 s"
    past = RetryAnnounced(1, 0.3, "The model reports a failure", False, time.time_ns() - 1)
    assert _append(timeline, [past]) == "Trying again"
    soon = RetryAnnounced(1, 1.0, "The model reports a failure", False, time.time_ns() + 900_000_000)
    assert _append(timeline, [soon]) == "The model reports a failure. Trying again in 1 s"
    assert _append(timeline, [Thought(1, "So.")]) == "Thinking"


def test_the_header_shows_a_stopped_run(timeline: Timeline) -> None:
    timeline.begin()
    header = _append(timeline, [*working_events(), RunStopped("", (), 4.2)])
    assert header.startswith("Stopped after 4 s")


def test_the_header_shows_a_failed_run(timeline: Timeline, failed_run: list[AgentEvent]) -> None:
    timeline.begin()
    assert _append(timeline, failed_run).startswith("Failed")


def test_steps_are_expanded_during_the_run_and_collapsed_afterwards(timeline: Timeline) -> None:
    timeline.begin()
    assert timeline.expanded
    _append(timeline, [*working_events(), answered()])
    assert not timeline.expanded


def test_steps_expanded_by_the_user_stay_expanded(timeline: Timeline) -> None:
    timeline.begin()
    timeline.header.click()
    timeline.header.click()
    _append(timeline, [*working_events(), answered()])
    assert timeline.expanded


def test_a_stored_run_builds_its_steps_when_expanded(timeline: Timeline) -> None:
    _append(timeline, [*working_events(), answered()])
    assert timeline.rows() == []
    timeline.header.click()
    assert len(timeline.rows()) == 4


def test_every_step_shows_its_activity_and_result(timeline: Timeline) -> None:
    timeline.begin()
    _append(timeline, working_events())
    assert [row.accessibleName() for row in timeline.rows()] == [
        "The lease and the letters about it should say. I search for the notice period first.",
        "Searching “rent increase”, 8 passages in 3 files",
        "Searching “notice period”, Nothing found",
        "Reading lease.pdf, lines 1–40, 40 of 312 lines",
    ]


def test_the_first_sources_are_chips_and_the_rest_follow_on_request(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.begin()
    _append(timeline, working_events())
    assert len(_chips(timeline)) == 4 + 1
    (more,) = [chip for chip in timeline.findChildren(Chip) if chip.accessibleName() == "Show 4 more sources"]
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert len(_chips(timeline)) == 8 + 1


def test_a_chip_can_be_pressed_with_the_keyboard(
    timeline: Timeline, qtbot: QtBot, requests: ConversationRequests
) -> None:
    timeline.begin()
    _append(timeline, working_events())
    chip = _chips(timeline)[0]
    assert chip.accessibleName() == "lease.pdf, page 3 · lines 11–15"
    with qtbot.waitSignal(requests.viewer.target_requested) as caught:
        QTest.keyClick(chip, Qt.Key.Key_Space)
    assert caught.args == [target_of_source(chip.source)]


def test_an_interrupted_run_is_shown_as_stopped(timeline: Timeline) -> None:
    _append(timeline, working_events())
    timeline.interrupt()
    assert timeline.header.accessibleName().startswith("Stopped")


def test_all_buttons_are_in_the_tab_order_and_have_a_name(timeline: Timeline) -> None:
    timeline.begin()
    _append(timeline, working_events())
    for button in timeline.findChildren(QAbstractButton):
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def _menu(timeline: Timeline, qtbot: QtBot) -> list[QAction]:
    chip = _chips(timeline)[0]
    chip.customContextMenuRequested.emit(QPoint(5, 5))
    qtbot.waitUntil(lambda: bool(chip.findChildren(QMenu)))
    menu = chip.findChildren(QMenu)[-1]
    menu.hide()
    return [action for action in menu.actions() if action.text()]


def test_sources_of_a_steerable_run_offer_feedback(
    timeline: Timeline, qtbot: QtBot, requests: ConversationRequests
) -> None:
    timeline.begin(steerable=True)
    _append(timeline, working_events())
    acts = _menu(timeline, qtbot)
    assert [act.text().partition(":")[0] for act in acts] == ["Open", "Important", "More like this", "Discard"]
    with qtbot.waitSignal(requests.source_feedback) as feedback:
        acts[3].trigger()
    assert feedback.args[1] == "discard"
    _append(timeline, [answered()])
    timeline.set_expanded(expanded=True)
    assert [act.text() for act in _menu(timeline, qtbot)] == ["Open"]


def test_a_screen_reader_hears_the_acts_of_a_live_run_only(timeline: Timeline, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Announcer, "show", lambda _, text: said.append(text))
    timeline.begin()
    _append(timeline, [*working_events(), answered()])
    assert list(dict.fromkeys(said)) == [
        *("Thinking", "Searching “rent increase”", "Searching “notice period”", "Reading lease.pdf, lines 1–40"),
        "Answered in 12 s",
    ]
    said.clear()
    stored = Timeline(ConversationRequests(ViewerRequests()))
    _append(stored, [*working_events(), answered()])
    assert said == []


def test_the_ring_stands_still_where_nothing_is_to_move(timeline: Timeline, qapp: QApplication) -> None:
    look = Look(qapp)
    [header] = timeline.findChildren(TimelineHeader)
    for still in (True, False):
        look.follow_motion(still)
        timeline.append(RunStarted(QUESTION, "full", BUILT_IN_MODEL, 1))
        assert header._spin.isActive() is not still


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (ModelProgress(1, "loading", 42, 98), "Loading the model: 42 %"),
        (ModelProgress(1, "loading", 0, 0), "Waiting: the model is writing another answer"),
        (
            ModelProgress(1, "reading", 640, 2_190),
            "question and what was found: 29 % of 2,190 tokens",
        ),
        (ModelProgress(1, "reading", 640, 2_190, 12.4), "of 2,190 tokens, about 12 s left"),
        (ModelProgress(1, "reading", 7, 2), "question and what was found: 100 % of 2 tokens"),
    ],
)
def test_what_the_model_does_before_the_first_word_is_shown(
    progress: ModelProgress, text: str, timeline: Timeline
) -> None:
    timeline.begin()
    assert text in _append(timeline, [StepStarted(1, 9), progress])
    assert text not in (now := _append(timeline, [ModelProgress(1, "writing", 0, 0)])), "it may write a call"
    assert "Thinking" in now
    assert "Writing the answer" in _append(timeline, [AnswerDelta("On the first.")])
