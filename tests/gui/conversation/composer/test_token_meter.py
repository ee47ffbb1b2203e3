from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.budget import Spent
from desktop_rag.agent.events import BUILT_IN_MODEL, Answered, ContextMeasured, LimitReached, RunStarted
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.composer.token_meter import MeterLegend, ReserveSlider, TokenMeter
from desktop_rag.gui.theme.theme import Look
from desktop_rag.settings import MoneyLimits
from tests.gui.conversation.conftest import CONTEXT, USAGE


@pytest.fixture
def meter(qtbot: QtBot) -> TokenMeter:
    meter = TokenMeter()
    qtbot.addWidget(meter)
    meter.resize(420, 28)
    meter.show()
    return meter


def test_figures_are_exact_when_the_endpoint_counted(meter: TokenMeter) -> None:
    meter.show_use(CONTEXT, USAGE)
    assert meter.context_text == "3,412 / 32,768"
    assert meter.usage_text == "7,204 tokens"


def test_estimates_are_marked(meter: TokenMeter) -> None:
    meter.show_use(replace(CONTEXT, estimated=True), replace(USAGE, estimated=True))
    assert meter.context_text == "~3,412 / 32,768"
    assert meter.usage_text == "~7,204 tokens"
    assert "estimated" in meter.accessibleDescription()


def test_the_parts_are_in_the_accessible_description(meter: TokenMeter) -> None:
    meter.show_use(CONTEXT, USAGE)
    words = meter.accessibleDescription()
    for part in ("Instructions: 812", "History: 640", "Evidence: 1,760", "Answer: 200", "This run: 7,204 tokens"):
        assert part in words


def test_it_warns_when_nine_tenths_of_the_context_are_used(meter: TokenMeter) -> None:
    meter.show_use(CONTEXT, USAGE)
    assert not meter.warns
    meter.show_use(replace(CONTEXT, evidence=28_000), USAGE)
    assert meter.warns


def test_the_bar_is_animated(meter: TokenMeter, qtbot: QtBot) -> None:
    meter.show_use(CONTEXT, USAGE)
    qtbot.waitUntil(lambda: meter._parts == [812, 640, 1_760, 200])


def test_the_bar_jumps_where_nothing_is_to_move(meter: TokenMeter, qapp: QApplication) -> None:
    look = Look(qapp)
    look.follow_motion(True)
    meter.show_use(CONTEXT, USAGE)
    assert meter._parts == [812, 640, 1_760, 200]
    look.follow_motion(False)


def test_a_click_shows_the_parts(meter: TokenMeter, qtbot: QtBot) -> None:
    meter.show_use(CONTEXT, USAGE)
    QTest.mouseClick(meter, Qt.MouseButton.LeftButton)
    (legend,) = meter.findChildren(MeterLegend)
    assert legend.isVisible()
    assert "Free 29,356" in legend.accessibleDescription()
    legend.close()


def test_money_of_run_day_and_month_are_shown_with_the_limits(meter: TokenMeter) -> None:
    meter.show_use(CONTEXT, replace(USAGE, money=0.0123))
    meter.show_spent(Spent(0.5, 12.0), MoneyLimits(month=20.0))
    words = meter.accessibleDescription()
    assert meter.usage_text == f"7,204 tokens · {formatting.money(0.0123)}"
    assert f"Money of this run: {formatting.money(0.0123)}" in words
    assert f"Money today: {formatting.money(0.5)}" in words
    assert f"Money this month: {formatting.money(12)} of {formatting.money(20)}" in words
    QTest.mouseClick(meter, Qt.MouseButton.LeftButton)
    (legend,) = meter.findChildren(MeterLegend)
    assert f"Money this month {formatting.money(12)} of {formatting.money(20)}" in legend.accessibleDescription()
    legend.close()
    meter.show_use(CONTEXT, USAGE)
    assert "Money" not in meter.accessibleDescription()


def test_a_run_without_a_model_has_no_figures(meter: TokenMeter) -> None:
    meter.append(RunStarted("?", "full", "qwen3:8b", 1))
    meter.append(ContextMeasured(CONTEXT, USAGE))
    assert meter.context_text
    meter.append(RunStarted("?", "full", BUILT_IN_MODEL, 2))
    meter.append(ContextMeasured(CONTEXT, USAGE))
    meter.append(Answered("", (), CONTEXT, USAGE, 1.0, 1, found=False))
    assert (meter.context_text, meter.usage_text, meter.isEnabled()) == ("", "", False)
    assert "oken" not in meter.toolTip()


def test_without_a_run_it_is_empty(meter: TokenMeter) -> None:
    meter.show_use(CONTEXT, USAGE)
    meter.clear()
    assert (meter.context_text, meter.usage_text, meter.isEnabled()) == ("", "", False)
    assert not meter.grab().isNull()


def test_it_warns_when_an_answer_was_cut_off_or_evidence_dropped(meter: TokenMeter) -> None:
    meter.append(RunStarted("?", "full", "qwen3:8b", 1))
    meter.append(ContextMeasured(replace(CONTEXT, dropped=2), USAGE))
    assert meter.warns
    assert "2 results left the context to make room" in meter.accessibleDescription()
    meter.append(ContextMeasured(CONTEXT, USAGE))
    assert not meter.warns
    meter.append(LimitReached("length", "The output reached its limit."))
    assert meter.warns
    assert "The answer was cut off" in meter.accessibleDescription()
    meter.append(RunStarted("?", "full", "qwen3:8b", 2))
    assert not meter.warns


def test_the_room_kept_for_the_answer_counts_as_used(meter: TokenMeter) -> None:
    meter.show_use(replace(CONTEXT, evidence=25_000, reserve=4_096), USAGE)
    assert "The context is nearly full" in meter.accessibleDescription()
    QTest.mouseClick(meter, Qt.MouseButton.LeftButton)
    (legend,) = meter.findChildren(MeterLegend)
    assert "Kept for the answer 4,096" in legend.accessibleDescription()
    assert "The context is nearly full" in legend.accessibleDescription()
    (slider,) = legend.findChildren(ReserveSlider)
    assert slider.hasFocus()
    legend.close()
