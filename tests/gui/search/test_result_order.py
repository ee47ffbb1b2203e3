"""The order of the results with real parts: what comes into the place of the first one, and what stays."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.search.results_model import HitRow
from desktop_rag.gui.search.search_control import SearchWorker
from desktop_rag.gui.search.search_events import HitsFound, RecentSearch
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Mode
from tests.gui.search.test_search import MILLISECONDS, app, found, look_for, page

pytestmark = pytest.mark.processes

__all__ = ["app", "page"]  # the fixtures


@pytest.mark.slow
def test_a_better_order_comes_into_the_place_of_the_first_one(app: App, page: SearchPage, qtbot: QtBot) -> None:
    searching = app.search.findChild(SearchWorker)
    assert isinstance(searching, SearchWorker)
    heard: list[HitsFound] = []
    searching.found.connect(heard.append)
    page.set_search(RecentSearch("rosewood bars", Mode.BEST))
    qtbot.waitUntil(lambda: len(heard) == 2, timeout=MILLISECONDS)
    assert [event.result.mode for event in heard] == [Mode.HYBRID, Mode.BEST]
    assert heard[1].continues(heard[0])
    assert found(page)[0] == "notes.md"


@pytest.mark.slow
def test_what_is_looked_at_stays_where_it_is_when_the_order_changes(qtbot: QtBot, page: SearchPage) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    results = page.results
    hits = [row.hit for row in results.results.rows if isinstance(row, HitRow)]
    many = [replace(hits[0], chunk=ChunkId(900 + n), content=ContentId(900 + n)) for n in range(40)]
    results.show_hits((*many, hits[1]))
    results.choose(hits[1])
    before = results.visualRect(results.currentIndex()).top()
    results.verticalScrollBar().setValue(results.verticalScrollBar().maximum())
    top = results.visualRect(results.currentIndex()).top()
    assert before >= top
    results.show_hits((*many[::-1], hits[1]), stay=True)
    row = results.current()
    assert row is not None
    assert row.hit == hits[1]
    assert results.visualRect(results.currentIndex()).top() == top


@pytest.mark.slow
def test_hits_found_without_meaning_are_found_again_when_it_is_complete(
    app: App, page: SearchPage, qtbot: QtBot
) -> None:
    page.set_search(RecentSearch("rosewood bars", Mode.HYBRID))
    qtbot.waitUntil(lambda: page._found is not None, timeout=MILLISECONDS)
    assert page._found is not None
    qtbot.waitUntil(lambda: 0 < app.status.current.sentences_total == app.status.current.sentences_ready)
    app.search._on_found(replace(page._found, result=replace(page._found.result, coverage=0.25)))
    assert "meaning search covers 25 % so far" in page.status_text()
    qtbot.waitUntil(lambda: "so far" not in page.status_text(), timeout=MILLISECONDS)
    assert page._found.result.coverage == 1.0
