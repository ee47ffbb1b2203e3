from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.composer.token_meter import ReserveSlider
from tests.gui.conversation.conftest import CONTEXT

USE = replace(CONTEXT, limit=32_000, reserve=2_048)


@pytest.fixture
def slider(qtbot: QtBot) -> ReserveSlider:
    slider = ReserveSlider()
    qtbot.addWidget(slider)
    slider.resize(328, 26)  # the bar has 320 pixels, 100 tokens each
    slider.show()
    slider.show_use(USE)
    return slider


def test_it_shows_what_is_kept_for_the_answer(slider: ReserveSlider) -> None:
    assert slider.reserve == 2_048
    assert slider.accessibleDescription().startswith("2,048 tokens are kept for the answer")
    assert not slider.grab().isNull()


def test_the_keys_move_the_boundary_once_they_rest(slider: ReserveSlider, qtbot: QtBot) -> None:
    with qtbot.waitSignal(slider.reserve_chosen) as chosen:
        QTest.keyClick(slider, Qt.Key.Key_Left)
        QTest.keyClick(slider, Qt.Key.Key_Left)
    assert chosen.args == [2_048 + 2 * 256]


def test_the_mouse_drags_the_boundary(slider: ReserveSlider, qtbot: QtBot) -> None:
    with qtbot.waitSignal(slider.reserve_chosen) as chosen:
        QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(304, 13))
        slider.show_use(replace(USE, reserve=512))  # news of the run do not move it under your hand
        QTest.mouseMove(slider, QPoint(283, 13))
        QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(283, 13))
    assert chosen.args == [4_096]


def test_the_reserve_stays_within_its_limits(slider: ReserveSlider) -> None:
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert slider.reserve == 8_000
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert slider.reserve == 128


def test_a_run_of_an_earlier_version_has_no_boundary(slider: ReserveSlider) -> None:
    slider.show_use(CONTEXT)
    assert not slider.isEnabled()
