"""Filters that the agent read into a question are shown as chips; a click asks again without one."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Routed, RunUsage
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.turn_question import FilterChip, QuestionRow
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Settings
from tests.endpoint import ScriptedEndpoint, Turn
from tests.gui.conversation.conversation_table import Table

PDF, ADA = Filter(FileField.EXT, "pdf"), Filter(FileField.AUTHOR, "Ada Byron")
NOTHING = RunUsage(0, 0, 0, estimated=False)


def routed(*filters: Filter) -> Routed:
    return Routed("quick", "One look.", "rent", filters, "", NOTHING, 0.0)


def test_each_filter_is_a_chip_that_can_be_dropped(qtbot: QtBot, requests: ConversationRequests) -> None:
    view = TurnView(1, "When is the rent due?", requests)
    qtbot.addWidget(view)
    view.show()
    view.begin()
    view.append(routed(PDF, ADA))
    chips = view.findChildren(FilterChip)
    names = [chip.accessibleName() for chip in chips]
    assert names == [f"Only in {words}; ask again without it" for words in ("Type: pdf", "Author: Ada Byron")]
    with qtbot.waitSignal(requests.filter_dropped) as caught:
        QTest.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    assert caught.args == [1, ADA]
    assert any("One look. Only in: pdf, Ada Byron." in row.accessibleName() for row in view.timeline.rows())


def test_a_question_without_filters_has_no_chips(qtbot: QtBot, requests: ConversationRequests) -> None:
    view = TurnView(1, "When is the rent due?", requests)
    qtbot.addWidget(view)
    view.append(routed())
    assert not view.findChildren(FilterChip)


def test_of_a_pasted_book_the_beginning_is_laid_out_and_the_field_has_all(
    qtbot: QtBot, requests: ConversationRequests
) -> None:
    book = "why is it so and " * 6_000
    view = TurnView(1, book, requests)
    qtbot.addWidget(view)
    view.show()
    [row] = view.findChildren(QuestionRow)
    shown = row.bubble.findChildren(Label)[0].text()
    assert len(shown) < 4_100
    assert shown.startswith(book[:4_000])
    assert shown.endswith("… The first 4,000 of 102,000 characters; the pencil shows all.")
    row.edit()
    assert row.findChildren(QPlainTextEdit)[0].toPlainText() == book


@pytest.mark.slow
def test_a_click_asks_again_without_the_filter(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    profile = replace(table.settings.profiles[0], fast_model="small")
    table.settings = Settings((profile,), "local", toolkit="auto")
    decision = '{"route": "quick", "why": "One fact.", "query": "rent", "filters": {"type": "md"}}'
    endpoint.script = [Turn(decision), Turn("Markdown?"), Turn(decision), Turn("Everywhere?")]
    table.ask("When is the rent due?")
    table.wait_until_shown(("When is the rent due?", "Markdown?"))
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    (chip,) = table.pane.view.turns[0].findChildren(FilterChip)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    table.wait_until_shown(("When is the rent due?", "Everywhere?"))
    assert not table.pane.view.turns[0].findChildren(FilterChip)
    assert [request.body["model"] for request in endpoint.requests] == ["small", "scripted", "small", "scripted"]
