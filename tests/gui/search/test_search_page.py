"""The search page without a library: what a slow search says, and the keys of the modes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.search.mode_box import OFFERED, names_of
from desktop_rag.gui.search.query_row import QueryRow
from desktop_rag.gui.search.saved_searches import RecentSearch
from desktop_rag.gui.search.search_control import SearchControl
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.search.sort_box import SortBox
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.retrieval.api import Facets, Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from tests.gui.viewer.memory_retriever import MemoryRetriever


class SlowRetriever(MemoryRetriever):
    """Finds nothing, after `gate` is set."""

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        self.gate.wait(60)
        return SearchResult(request.query, request.mode, 1.0, (), 1.0)

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        return Facets(0)


@pytest.fixture
def page(qtbot: QtBot) -> SearchPage:
    page = SearchPage()
    qtbot.addWidget(page)
    return page


@pytest.fixture
def retriever(page: SearchPage, tmp_path: Path) -> Iterator[SlowRetriever]:
    retriever = SlowRetriever()
    control = SearchControl(page, retriever, tmp_path, ViewerRequests(), ShownStatus())  # type: ignore[arg-type]
    yield retriever
    retriever.gate.set()
    control.close()


def test_a_slow_search_says_that_it_searches(page: SearchPage, retriever: SlowRetriever, qtbot: QtBot) -> None:
    for query, said in (("rent", "Searching… The first search after a start takes longer."), ("lease", "Searching…")):
        retriever.gate.clear()
        page.set_search(RecentSearch(query, Mode.KEYWORD))
        qtbot.waitUntil(lambda said=said: page.status_text() == said)  # type: ignore[misc]
        retriever.gate.set()
        qtbot.waitUntil(lambda: page.status_text() == "Nothing found")


def test_the_keys_of_the_modes_choose_what_they_name(page: SearchPage) -> None:
    modes = {
        action.text(): action for part in page.commands() for action in part.actions if "Search for" in action.text()
    }
    for mode in OFFERED:
        modes.pop(f"Search for: {names_of(mode)[0]}").trigger()
        assert page.search().mode is mode
    assert not modes


def test_a_query_can_be_read_in_a_narrow_column(qtbot: QtBot) -> None:
    row = QueryRow()
    qtbot.addWidget(row)
    row.show()
    for width, below in ((330, True), (700, False), (330, True)):
        row.set_narrow(narrow=width < 500)
        row.resize(width, row.sizeHint().height())
        QApplication.processEvents()
        assert row.field.width() > 250
        assert (row.help.y() > row.field.geometry().bottom()) is below


def test_the_order_of_hits_is_never_cut(qtbot: QtBot) -> None:
    box = SortBox()
    qtbot.addWidget(box)
    assert box.minimumSizeHint().width() == box.sizeHint().width()
