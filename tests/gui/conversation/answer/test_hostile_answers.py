"""The work of a turn of the event loop is bounded for any answer; all turns together render the same document."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from benchmarks.libraries.hostile_answers import HOSTILE
from desktop_rag.agent.events import Claim
from desktop_rag.gui.conversation.answer import parsing
from desktop_rag.gui.conversation.answer.answer_painting import NEW_BUTTONS
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownTable, Unit, parse, plain_text
from desktop_rag.gui.conversation.answer.parsing import LONGEST, TURN
from desktop_rag.gui.conversation.answer.rendering import CELLS, AnswerRendering
from desktop_rag.gui.conversation.answer.rich_text import RichTextWriter
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from tests.slow_cases import slow_but

SIZE = 10_000


@dataclass
class Work:
    """What was done in one turn."""

    parsed: int = 0  # characters
    written: int = 0  # characters of the document
    cells: int = 0
    blocks: int = 0


class Turns:
    """Counts the work of each call of `AnswerRendering.advance`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.all: list[Work] = []
        self._advance, self._write = AnswerRendering.advance, RichTextWriter.write
        monkeypatch.setattr(AnswerRendering, "advance", lambda *args, **options: self._turn(*args, **options))
        monkeypatch.setattr(RichTextWriter, "write", lambda writer, blocks: self._written(writer, blocks))
        monkeypatch.setattr(parsing, "parse", self._parse)

    def _turn(self, one: AnswerRendering, source: str, *, growing: bool) -> bool:
        self.all.append(work := Work())

        def changed(_position: int, _removed: int, added: int) -> None:
            work.written += added

        one.document.contentsChange.connect(changed)
        try:
            return self._advance(one, source, growing=growing)
        finally:
            one.document.contentsChange.disconnect(changed)

    def _written(self, writer: RichTextWriter, blocks: Sequence[Block]) -> None:
        self.all[-1].blocks += len(blocks)
        self.all[-1].cells += sum(len(b.rows) * len(b.rows[0]) for b in blocks if isinstance(b, MarkdownTable))
        self._write(writer, blocks)

    def _parse(self, text: str) -> tuple[Unit, ...]:
        self.all[-1].parsed += len(text)
        return parse(text)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Turns:
    return Turns(monkeypatch)


def _view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.setUpdatesEnabled(False)  # it is not clipped by a conversation here
    view.show()
    return view


def _finish(view: AnswerView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.is_rendering, timeout=60_000)


def _claims(text: str) -> tuple[Claim, ...]:
    starts = range(0, len(text), max(100, len(text) // 40))
    return tuple(Claim(start, start + 40, "silent" if n % 5 == 0 else "unchecked") for n, start in enumerate(starts))


@pytest.mark.parametrize("kind", slow_but(list(HOSTILE)[::3], HOSTILE))
def test_the_work_of_a_turn_is_bounded(kind: str, qtbot: QtBot, requests: ConversationRequests, turns: Turns) -> None:
    text = HOSTILE[kind](SIZE)
    streamed = _view(qtbot, requests)
    for start in range(0, len(text), 1_500):
        streamed.feed(text[start : start + 1_500])
        streamed.flush()
    streamed.show_answer(text, (), _claims(text))
    _finish(streamed, qtbot)
    stored = _view(qtbot, requests)
    stored.show_answer(text, (), _claims(text))
    _finish(stored, qtbot)
    assert max(work.parsed for work in turns.all) <= 2 * (LONGEST + 3_000)  # twice where a block is cut
    assert max(work.written for work in turns.all) <= LONGEST + TURN
    assert max(work.cells for work in turns.all) <= 2 * CELLS
    assert max(work.blocks for work in turns.all) <= CELLS


@pytest.mark.parametrize("size", [pytest.param(97, marks=pytest.mark.slow), 1_500])
@pytest.mark.parametrize("kind", slow_but(list(HOSTILE)[::3], HOSTILE))
def test_a_streamed_answer_ends_as_one_that_is_rendered_at_once(
    kind: str, size: int, qtbot: QtBot, requests: ConversationRequests
) -> None:
    text = HOSTILE[kind](SIZE // (4 if size < 100 else 1))
    streamed, stored = _view(qtbot, requests), _view(qtbot, requests)
    for start in range(0, len(text), size):
        streamed.feed(text[start : start + size])
        streamed.flush()
    streamed.show_answer(text)
    stored.show_answer(text)
    for view in (streamed, stored):
        _finish(view, qtbot)
    assert streamed.toPlainText() == stored.toPlainText()
    assert streamed.toHtml() == stored.toHtml()
    assert streamed._writer.pills == stored._writer.pills
    assert streamed.height() == stored.height()


def test_the_rest_of_a_list_that_is_cut_stays_in_its_list(qtbot: QtBot, requests: ConversationRequests) -> None:
    view = _view(qtbot, requests)
    view.show_answer(HOSTILE["nested list"](2 * LONGEST))
    _finish(view, qtbot)
    levels = {"w": 2, "x": 3}
    block = view.document().firstBlock().next()
    while block.isValid():
        assert block.textList() is not None
        assert block.textList().format().indent() == levels[block.text()[0]]
        block = block.next()


def test_a_table_that_is_too_wide_is_shown_as_its_source(qtbot: QtBot, requests: ConversationRequests) -> None:
    view, text = _view(qtbot, requests), HOSTILE["60 columns"](2 * LONGEST)
    view.show_answer(f"See:\n\n{text}\nDone.")
    _finish(view, qtbot)
    [(_, shown)] = view._writer.framed
    assert plain_text([shown]).strip() == text.strip()
    assert view.toPlainText().endswith("Done.")


def test_the_buttons_of_many_blocks_are_made_turn_by_turn(qtbot: QtBot, requests: ConversationRequests) -> None:
    view, counts = _view(qtbot, requests), [0]
    view.show_answer(HOSTILE["blocks of code"](4_000))
    while view.is_rendering:
        counts.append(len(view._buttons.buttons))
        view.flush()
    assert max(after - before for before, after in pairwise(counts)) <= NEW_BUTTONS
    assert len(view._buttons.buttons) == len(view._writer.framed) > NEW_BUTTONS


@pytest.mark.parametrize("kind", ["10,000 rows", "50,000 lines of code", "points", "paragraphs"])
def test_a_copy_is_of_the_whole_answer_and_waits_until_it_is_rendered(
    kind: str, qtbot: QtBot, requests: ConversationRequests, turns: Turns
) -> None:
    view, text, clipboard = _view(qtbot, requests), HOSTILE[kind](SIZE), QGuiApplication.clipboard()
    clipboard.setText("before")
    view.show_answer(text)
    parsed = sum(work.parsed for work in turns.all)
    view.copy_as_plain_text()
    assert clipboard.text() == "before"
    assert sum(work.parsed for work in turns.all) == parsed
    _finish(view, qtbot)
    whole = plain_text([block for unit in parse(text) for block in unit.blocks])
    assert clipboard.text().strip() == whole.strip()


def test_a_later_copy_as_markdown_takes_the_place_of_one_that_waits(
    qtbot: QtBot, requests: ConversationRequests
) -> None:
    view, text = _view(qtbot, requests), HOSTILE["points"](SIZE)
    view.show_answer(text)
    view.copy_as_plain_text()
    view.copy_as_markdown()
    _finish(view, qtbot)
    assert QGuiApplication.clipboard().text().strip() == text.strip()


def test_of_several_long_answers_one_is_rendered_in_a_turn(
    qtbot: QtBot, requests: ConversationRequests, turns: Turns
) -> None:
    views = [_view(qtbot, requests) for _ in range(4)]
    for view in views:
        view.show_answer(HOSTILE["points"](SIZE))
    while any(view.is_rendering for view in views):
        before = len(turns.all)
        QApplication.processEvents()
        assert len(turns.all) - before <= 1
