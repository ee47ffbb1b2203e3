"""Answers of any length and shape are rendered in parts, one a turn of the event loop, and nothing gets lost."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import Code, _parts
from desktop_rag.gui.conversation.answer.parsing import LONGEST
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests

AT_ONCE = 4_000  # characters of source a turn
SIZE = 16_000
SHAPES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda n: f"word{n} and more\n\n",
    "one paragraph": lambda n: f"word{n} and more ",
    "one line without spaces": lambda n: f"word_{n:x}",
    "citations": lambda n: f"word{n} [{n % 9 + 1}](cite:{n % 9 + 1}). ",
    "open emphasis": lambda n: f"*word{n} **more ",
    "brackets": lambda n: f"[word{n}( ",
    "points": lambda n: f"- word{n} **bold**\n",
    "quotes": lambda n: f"> word{n}\n",
    "headings": lambda n: f"# word{n}\n\n",
    "formulas": lambda n: f"$word_{{{n}}}$ ",
}


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


def _made(piece: Callable[[int], str], size: int = SIZE) -> str:
    text, number = "", 0
    while len(text) < size:
        text, number = text + piece(number), number + 1
    return text


def _turns(view: AnswerView) -> list[int]:
    """Render the rest as the timer would; return how many characters each turn added."""
    added: list[int] = []
    while view.is_rendering:
        before = view.document().characterCount()
        view.flush()
        added.append(view.document().characterCount() - before)
    return added


def _numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"word_?\{?(\d+)", text)]


@pytest.mark.parametrize("streamed", [False, True], ids=["at once", "streamed"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_huge_event_is_rendered_in_parts_and_whole(view: AnswerView, shape: str, streamed: bool) -> None:
    text = _made(SHAPES[shape])
    for start in range(0, len(text), 3_000 if streamed else len(text)):
        view.feed(text[start : start + 3_000] if streamed else text)
        if streamed:
            view.flush()
    added = _turns(view)
    assert streamed or len(added) >= SIZE // AT_ONCE
    assert max(added, default=0) <= 1.5 * AT_ONCE
    view.show_answer(text)
    assert max(_turns(view), default=0) <= 1.5 * AT_ONCE
    shown = view.toPlainText()
    if shape == "one line without spaces":
        assert "".join(shown.split()) == text
    else:
        assert _numbers(shown) == _numbers(text)


@pytest.mark.parametrize("shape", ["one paragraph", "citations", "open emphasis", "one line without spaces"])
def test_no_block_of_the_document_is_of_any_length(view: AnswerView, shape: str) -> None:
    view.feed(_made(SHAPES[shape], 3 * LONGEST))
    _turns(view)
    lengths, block = [], view.document().begin()
    while block.isValid():
        lengths.append(block.length())
        block = block.next()
    assert max(lengths) <= LONGEST + 3 * AT_ONCE


@pytest.mark.parametrize("size", [700, 30_000])
def test_long_code_has_one_frame_and_one_button_that_copies_all(view: AnswerView, size: int) -> None:
    code = _made(lambda n: f"word{n} = {n}\n", 30_000).rstrip()
    text = f"See:\n\n```python\n{code}\n```\n\nThat is all."
    for start in range(0, len(text), size):
        view.feed(text[start : start + size])
        view.flush()
    _turns(view)
    view.show_answer(text)
    _turns(view)
    [(tables, block)] = view._writer.framed
    assert isinstance(block, Code)
    assert (len(tables) > 1, block.text, block.language) == (True, code, "python")
    [button] = view._buttons.buttons
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == code
    assert view.toPlainText().rstrip().endswith("That is all.")


def test_an_answer_that_is_rendered_again_keeps_its_height(view: AnswerView) -> None:
    text = _made(SHAPES["paragraphs"])
    view.show_answer(text)
    _turns(view)
    height = view.height()
    view.show_answer(f"{text} The end.")
    assert view.is_rendering
    assert view.height() >= height
    _turns(view)
    assert view.height() >= height


@given(st.text(st.sampled_from("ab *`[]().$\n!"), max_size=3_000))
def test_parts_of_a_paragraph_are_short_and_together_the_paragraph(text: str) -> None:
    for long in (text, text * 7):
        parts = list(_parts(long))
        assert "".join(parts) == long
        assert max(map(len, parts)) <= 4_000
