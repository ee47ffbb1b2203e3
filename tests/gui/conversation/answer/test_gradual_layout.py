"""A long answer is laid out for another width in turns of the event loop; the old layout stays in sight until then."""

from itertools import pairwise
from math import ceil

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from benchmarks.libraries.hostile_answers import HOSTILE
from desktop_rag.gui.conversation.answer import inert_browser
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests

SIZES = {"rows without cells": 8_000, "10,000 rows": 10_000, "50,000 lines of code": 8_000, "one paragraph": 36_000}
LAID_OUT = 3_000  # lines and cells in a turn


def _shown(text: str, qtbot: QtBot, requests: ConversationRequests, width: int = 700) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(width, 400)
    view.setUpdatesEnabled(False)  # it is not clipped by a conversation here
    view.show()
    view.show_answer(text)
    _finish(view, qtbot)
    return view


def _finish(view: AnswerView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.is_rendering, timeout=60_000)


def _laid_out(view: AnswerView, count: int = 0) -> int:
    """Return how many lines and cells are laid out from the beginning on, at least `count`."""
    block = view.document().findBlockByNumber(count)
    while block.isValid() and (block.layout().lineCount() or not block.isVisible()):
        count, block = count + 1, block.next()
    return count


def _places(view: AnswerView) -> list[QPointF | QPoint]:
    layout, document = view.document().documentLayout(), view.document()
    numbers = range(0, document.blockCount(), 97)
    blocks = [layout.blockBoundingRect(document.findBlockByNumber(number)).topLeft() for number in numbers]
    return [*blocks, *(button.pos() for button in view._buttons.buttons)]


def _differs(one: QImage, other: QImage) -> int:
    """Return how many of every seventh pixel differ by more than the edges of letters may."""
    every = [(x, y) for x in range(0, one.width(), 7) for y in range(one.height())]
    return sum(abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness()) > 60 for x, y in every)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SIZES)
def test_another_width_is_laid_out_in_bounded_turns(
    kind: str, qtbot: QtBot, requests: ConversationRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inert_browser, "_TURN_SECONDS", 0.0)
    text = HOSTILE[kind](SIZES[kind])
    view = _shown(text, qtbot, requests)
    height, counts = view.height(), [0]
    view.resize(460, view.height())
    assert view.gradual_layout.is_active
    assert view.height() == height
    while view.gradual_layout.is_active:
        view.flush()
        counts.append(_laid_out(view, counts[-1]))
    assert max(after - before for before, after in pairwise(counts)) <= LAID_OUT
    assert counts[-1] == view.document().blockCount()
    _finish(view, qtbot)
    in_turns = _places(view)
    view.document().setPageSize(view.document().pageSize())  # Qt lays out all of it, at once
    view._buttons.place(view.document(), view._writer)
    assert in_turns == _places(view)
    assert view.height() == ceil(view.document().size().height())


def test_what_comes_while_it_is_laid_out_is_shown_afterwards(qtbot: QtBot, requests: ConversationRequests) -> None:
    view = _shown("", qtbot, requests)
    text = HOSTILE["10,000 rows"](10_000)
    view.feed(text)
    _finish(view, qtbot)
    view.resize(460, view.height())
    view.feed("\n\nThe end.")
    assert view.gradual_layout.is_active
    _finish(view, qtbot)
    view.show_answer(view.markdown)
    _finish(view, qtbot)
    assert view.toPlainText().endswith("The end.")
    assert view.document().pageSize().width() == view.viewport().width() == 460


def test_another_answer_takes_the_place_of_one_that_is_laid_out(qtbot: QtBot, requests: ConversationRequests) -> None:
    view = _shown(HOSTILE["10,000 rows"](10_000), qtbot, requests)
    view.resize(460, view.height())
    view.show_answer("Short.")
    _finish(view, qtbot)
    assert not view.gradual_layout.is_active
    assert view.height() < 100
    assert view.document().pageSize().width() == 460


@pytest.mark.slow
def test_the_old_layout_stays_in_sight_and_takes_no_clicks(
    qtbot: QtBot, requests: ConversationRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inert_browser, "_TURN_SECONDS", 0.0)
    view = _shown(HOSTILE["10,000 rows"](20_000), qtbot, requests)
    view.setUpdatesEnabled(True)
    area = view.viewport().rect().adjusted(0, 0, -300, 300 - view.height())
    before = view.viewport().grab(area).toImage()
    view.resize(460, view.height())
    view.flush()
    assert view.gradual_layout.is_active
    assert _differs(view.viewport().grab(area).toImage(), before) == 0
    end, left = QPointF(20, view.height() - 20), Qt.MouseButton.LeftButton
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease):
        event = QMouseEvent(kind, end, view.mapToGlobal(end), left, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(view.viewport(), event)
    assert _laid_out(view) < view.document().blockCount()
    _finish(view, qtbot)
    assert _differs(view.viewport().grab(area).toImage(), before) > 0
