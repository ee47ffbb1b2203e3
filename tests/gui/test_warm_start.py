"""A new library offers what to do next: questions that it answers, its parts, its documents, earlier searches."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Answered
from desktop_rag.app import App
from desktop_rag.gui.conversation.welcome import SuggestionButton
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.search.search_events import RecentSearch
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.gui.widgets.panel_list import StartButton
from tests.gui.test_end_to_end import READY_MILLISECONDS, drop, wait_until_ready

pytestmark = pytest.mark.processes


def test_examples_come_from_the_documents_and_lead_to_answers(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)

    def examples() -> list[SuggestionButton]:
        return [button for button in app.pane.view.findChildren(SuggestionButton) if button.isVisible()]

    qtbot.waitUntil(lambda: len(examples()) == 3, timeout=READY_MILLISECONDS)
    chips = {chip.accessibleName() for chip in app.pane.view.findChildren(Chip) if chip.isVisible()}
    assert any("file" in name for name in chips)
    assert "Letters, 2" in chips
    for place in range(2):
        question = examples()[place].question
        with qtbot.waitSignal(app.conversations.answered, timeout=READY_MILLISECONDS) as caught:
            QTest.mouseClick(examples()[place], Qt.MouseButton.LeftButton)
        (last,) = caught.args
        assert isinstance(last, Answered)
        assert last.found, question
        assert last.citations, question
        app.conversations.begin_new()
        qtbot.waitUntil(lambda: len(examples()) == 3)


def test_parts_and_documents_open_from_the_pages_that_show_them(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    view, page = app.pane.view, app.search_page

    def part() -> list[Chip]:
        return [chip for chip in view.findChildren(Chip) if chip.accessibleName() == "Letters, 2"]

    qtbot.waitUntil(lambda: bool(part()), timeout=READY_MILLISECONDS)
    QTest.mouseClick(part()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.results.results.rowCount() > 0, timeout=READY_MILLISECONDS)
    assert [filter_label(each) for each in page.search().filters] == ["Letters"]
    page.set_search(RecentSearch(""))
    page.clear()
    rows = page.start.findChildren(StartButton)
    newest = next(row for row in rows if row.row.icon != "info" and row.isVisible())
    QTest.mouseClick(newest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: app.viewer.tab_count() == 1, timeout=READY_MILLISECONDS)
    qtbot.waitUntil(lambda: [each.name for each in app.documents_open.recent.documents] == [newest.row.name])
