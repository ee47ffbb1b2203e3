"""The steps of a run, the questions it asks and the token meter in pictures: readable, whole, on the screen."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.budget import Spent
from desktop_rag.agent.events import AgentEvent, ContextMeasured, LimitAsked, LimitReached, RetryAnnounced
from desktop_rag.gui.conversation.composer.token_meter import MeterLegend
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.timeline.timeline import StepSlider
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.settings import MoneyLimits, Theme
from tests.gui.conversation.conftest import CONTEXT, QUESTION, USAGE, answered, working_events
from tests.gui.picture_checks import LEAST_CONTRAST, PictureCheck, contrast
from tests.gui.pseudo_language import PseudoLanguage
from tests.slow_cases import slow_but

PRICED = replace(USAGE, money=0.0123)
USE = replace(CONTEXT, evidence=26_000, reserve=4_096, dropped=2)
SOON = time.time_ns() + 60_000_000_000


@pytest.fixture(
    params=slow_but([(Theme.LIGHT, False)], [(Theme.LIGHT, False), (Theme.DARK, False), (Theme.LIGHT, True)]),
    ids=["light", "dark", "pseudo"],
)
def pane(request: pytest.FixtureRequest, qapp: object, qtbot: QtBot) -> Iterator[ConversationPane]:
    assert isinstance(qapp, QApplication)
    look, (theme, foreign), language = Look(qapp), request.param, PseudoLanguage()
    look.use(theme)
    if foreign:
        qapp.installTranslator(language)
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    pane = ConversationPane(ViewerRequests(), ShownStatus())
    qtbot.addWidget(pane)
    pane.resize(620, 700)
    pane.show()
    yield pane
    pane.close()
    qapp.removeTranslator(language)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.fixture
def check(tmp_path: Path) -> PictureCheck:
    return PictureCheck(tmp_path / "pictures")


def _run(pane: ConversationPane, *last: AgentEvent) -> None:
    pane.view.begin_turn(QUESTION)
    for event in (*working_events(), *last):
        pane.meter.append(event)
        pane.view.append(event)


@pytest.mark.parametrize(
    "asked",
    [
        LimitAsked(3, "total tokens", "The limit of 1,000,000 tokens is reached.", 40_000, SOON),
        LimitAsked(3, "seconds", "The limit of 300 seconds is reached.", 120, SOON),
        LimitAsked(3, "money", "The next request may cost 0.0412; 0.0100 is left of your limit.", 0, 0),
    ],
    ids=lambda asked: asked.limit,
)
def test_a_run_that_asks_about_a_limit(pane: ConversationPane, check: PictureCheck, asked: LimitAsked) -> None:
    _run(pane, asked)
    check.check(pane, f"asks {asked.limit}")
    check.report()


def test_a_run_that_waits_for_the_endpoint(pane: ConversationPane, check: PictureCheck) -> None:
    _run(pane, RetryAnnounced(3, 45.0, "The model limits your requests", True, SOON))
    check.check(pane, "waits")
    check.report()


def test_an_earlier_step_of_a_run_that_was_cut_off(pane: ConversationPane, check: PictureCheck) -> None:
    _run(pane, LimitReached("length", "Its limit."), replace(answered(), usage=PRICED))
    check.check(pane, "cut off")
    (turn,) = pane.view.turns
    turn.timeline.header.click()
    check.check(pane, "steps")
    (slider,) = turn.findChildren(StepSlider)
    slider._slider.setValue(1)
    check.check(pane, "step 1")
    check.report()


def test_the_legend_of_the_meter(pane: ConversationPane, check: PictureCheck) -> None:
    _run(pane, ContextMeasured(USE, PRICED))
    pane.meter.show_spent(Spent(0.31, 4.2), MoneyLimits(month=10.0))
    pane.meter.click()
    (legend,) = pane.findChildren(MeterLegend)
    check.check(legend, "legend")
    picture = legend.grab().toImage()
    picture.setDevicePixelRatio(1.0)
    for top in range(50, legend.height() - 30, 21):  # a row of the table each
        assert contrast(picture, QRect(30, top, legend.width() - 60, 21)) >= LEAST_CONTRAST, top
    legend.close()
    check.report()
