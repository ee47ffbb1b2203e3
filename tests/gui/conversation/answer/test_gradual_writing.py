"""A long streamed answer is written again beside what is shown, in several turns of the event loop."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Claim
from desktop_rag.gui.conversation.answer import answer_painting
from desktop_rag.gui.conversation.answer.answer_painting import pill_rect
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.rendering import GradualWriting
from desktop_rag.gui.conversation.answer.rich_text import Pill
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.theme.theme import Look, current_colors
from desktop_rag.settings import Theme

HEADER = "| house | tenant | due |\n|---|---|---|\n"
ROWS = tuple(f"| Mill Lane {row} | family {row} | in **May {row}** [1](cite:1) |\n" for row in range(1, 121))
TABLE = HEADER + "".join(ROWS)
CLAIMS = tuple(
    Claim(start, start + len(row) - 1, "otherwise" if "Lane 7 " in row else "unchecked", (1,))
    for start, row in zip((TABLE.index(row) for row in ROWS), ROWS, strict=True)
)


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = _view(qtbot, requests)
    for start in range(0, len(TABLE), 700):
        view.feed(TABLE[start : start + 700])
        view.flush()
    return view


def _view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    return view


def _finish(view: AnswerView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.is_rendering)


def test_the_statements_are_marked_turn_by_turn(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed, turns = view.toHtml(), list[str]()
    write = GradualWriting._on_turn

    def turn(writing: GradualWriting) -> None:
        turns.append(view.toHtml())
        write(writing)

    monkeypatch.setattr(GradualWriting, "_on_turn", turn)
    view.show_answer(TABLE, (), CLAIMS)
    _finish(view, qtbot)
    assert len(turns) > len(ROWS) // 20
    assert set(turns) == {streamed}  # which was in sight until the end
    whole = _view(qtbot, requests)
    whole.show_answer(TABLE, (), CLAIMS)
    _finish(whole, qtbot)
    assert view.toHtml() == whole.toHtml()
    assert view._writer.pills == whole._writer.pills
    assert view.height() == whole.height()


def test_an_answer_cleared_meanwhile_stays_empty(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(TABLE, (), CLAIMS)
    view.clear_answer()
    _finish(view, qtbot)
    assert view.toPlainText() == ""


def test_another_theme_meanwhile_shows_the_marked_answer(view: AnswerView, qtbot: QtBot, qapp: QApplication) -> None:
    look = Look(qapp)
    view.show_answer(TABLE, (), CLAIMS)
    look.use(Theme.DARK)
    try:
        view.viewport().repaint()
        _finish(view, qtbot)
        view.viewport().repaint()
        _finish(view, qtbot)
        assert view.toPlainText().count("family") == len(ROWS)
        assert len(view._writer.pills) == len(ROWS)
        [marked] = [pill for pill in view._writer.pills if pill.grade == "otherwise"]
        assert view._writer.background(marked) == current_colors().danger_soft
    finally:
        with qtbot.waitSignal(look.changed):  # in steps, while the view is shown
            look.use(Theme.LIGHT)


def test_a_formula_is_as_high_as_in_an_answer_written_at_once(qtbot: QtBot, requests: ConversationRequests) -> None:
    text = r"$$\frac{\frac{a}{b}}{\frac{c}{d}}$$" + "\n\n" + TABLE
    view, whole = _view(qtbot, requests), _view(qtbot, requests)
    view.feed(text)
    view.flush()
    view.show_answer(text, (), CLAIMS)
    _finish(view, qtbot)
    whole.show_answer(text, (), CLAIMS)
    _finish(whole, qtbot)
    assert view.height() == whole.height()


def test_only_the_numbers_in_sight_are_painted(view: AnswerView, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[Pill] = set()

    def asking(document: QTextDocument, pill: Pill, font: QFont) -> QRectF:
        asked.add(pill)
        return pill_rect(document, pill, font)

    monkeypatch.setattr(answer_painting, "pill_rect", asking)
    visible = QRectF(0, 1000, 600, 200)
    painter = QPainter(image := QImage(600, 200, QImage.Format.Format_RGB32))
    answer_painting.paint_background(painter, view.document(), view._writer, visible, 0)
    painter.end()
    assert not image.isNull()
    writer = view._writer
    seen = {pill for pill in writer.pills if pill_rect(view.document(), pill, writer.font).intersects(visible)}
    assert len(seen) > 4
    assert seen <= asked
    assert len(asked) <= len(seen) + 2


def test_a_very_long_answer_is_not_laid_out_twice_in_one_turn(qtbot: QtBot, requests: ConversationRequests) -> None:
    view, text = _view(qtbot, requests), TABLE * 3
    view.feed(text)
    view.flush()
    view.show_answer(text, (), CLAIMS)
    assert not view.findChildren(GradualWriting)
    assert view.is_rendering
    _finish(view, qtbot)
    assert view.toPlainText().count("family") == 3 * len(ROWS)
