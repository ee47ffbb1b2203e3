"""A long table is written in parts that look like one table, however its text arrives."""

import csv
import io
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.answer import parsing
from desktop_rag.gui.conversation.answer.answer_painting import frame_rect
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownTable, Unit, parse
from desktop_rag.gui.conversation.answer.parsing import PART_ROWS, in_parts
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests


def _table(rows: int) -> str:
    body = "".join(f"| house {n} | {900 + n} | in **May** [1](cite:1) |\n" for n in range(1, rows + 1))
    return "| house | euros | due |\n|---|---:|---|\n" + body


def _new_view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    return _new_view(qtbot, requests)


def _stream(view: AnswerView, text: str, size: int) -> None:
    for start in range(0, len(text), size):
        view.feed(text[start : start + size])
        view.flush()


def _finish(view: AnswerView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.is_rendering)


@pytest.mark.parametrize("rows", [PART_ROWS, PART_ROWS + 1, 3 * PART_ROWS, 3 * PART_ROWS + 5])
@pytest.mark.parametrize("size", [pytest.param(7, marks=pytest.mark.slow), 61, 5_000])
@pytest.mark.parametrize("after", ["", "\nAnd so on.\n", "\n- a point\n- two\n\n| a |\n|---|\n| b |\n"])
def test_a_streamed_table_equals_a_complete_one(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests, rows: int, size: int, after: str
) -> None:
    text = f"The rents:\n\n{_table(rows)}{after}"
    _stream(view, text, size)
    view.show_answer(text)
    whole = _new_view(qtbot, requests)
    whole.show_answer(text)
    _finish(view, qtbot)
    _finish(whole, qtbot)
    assert view.toPlainText() == whole.toPlainText()
    assert view.toPlainText().count("house") == rows + 1
    assert [(len(tables), block) for tables, block in view._writer.framed] == [
        (len(tables), block) for tables, block in whole._writer.framed
    ]
    assert view._writer.pills == whole._writer.pills
    assert len(view._writer.framed[0][0]) == -(-rows // PART_ROWS)


def test_only_the_last_part_of_a_long_table_is_parsed(
    view: AnswerView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []

    def seen(text: str) -> tuple[Unit, ...]:
        parsed.append(text.count("\n"))
        return parse(text)

    monkeypatch.setattr(parsing, "parse", seen)
    touched: list[int] = []
    _stream(view, _table(200), 61)
    _finish(view, qtbot)
    view.document().contentsChange.connect(lambda position, _removed, _added: touched.append(position))
    _stream(view, _table(3).splitlines(keepends=True)[-1], 5)
    assert max(parsed) <= 2 * PART_ROWS + 4
    assert min(touched) > 0.9 * view.document().characterCount()


def test_all_parts_have_one_frame_and_the_same_columns(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(_table(50))
    _finish(view, qtbot)
    QApplication.processEvents()
    [(tables, block)] = view._writer.framed
    assert isinstance(block, MarkdownTable)
    assert len(block.rows) == 51
    areas = [frame_rect(view.document(), [table]) for table in tables]
    assert {(round(area.left()), round(area.width())) for area in areas} == {
        (round(areas[0].left()), round(areas[0].width()))
    }
    for above, below in pairwise(areas):
        assert abs(below.top() - above.bottom()) < 3


def test_the_button_copies_the_whole_table(view: AnswerView, qtbot: QtBot) -> None:
    _stream(view, _table(40), 50)
    _finish(view, qtbot)
    (button,) = view._buttons.buttons
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert rows[0] == ["house", "euros", "due"]
    assert [row[0] for row in rows[1:]] == [f"house {n}" for n in range(1, 41)]


def test_a_table_in_a_list_stays_whole() -> None:
    indented = "".join(f"  {line}\n" for line in _table(60).splitlines())
    units = parse(f"- so:\n\n{indented}")
    assert in_parts(units) == units
