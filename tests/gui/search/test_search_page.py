"""The search page without a library: what a slow search says, and the keys of the modes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.file_types import Format
from desktop_rag.errors import QueryError
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.search.query_row import OFFERED, QueryRow, names_of
from desktop_rag.gui.search.result_summary import ResultSummary, SortBox
from desktop_rag.gui.search.search_control import SearchControl
from desktop_rag.gui.search.search_events import FacetsCounted, HitsFound, RecentSearch, SavedSearch, SavedSearches
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.search.search_start import document_rows
from desktop_rag.gui.theme.icons import icon_of
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.open_documents import RecentDocument
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.panel_list import StartButton
from desktop_rag.retrieval.api import Facet, Facets, Hit, Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Theme
from desktop_rag.stop import Stop
from tests.gui.library_values import folder, library
from tests.gui.search.test_results_list import passage
from tests.gui.viewer.memory_retriever import MemoryRetriever


class SlowRetriever(MemoryRetriever):
    """Finds nothing, after `gate` is set; keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[SearchRequest] = []

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        self.requests.append(request)
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


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.BEST])
@pytest.mark.parametrize("before", [True, False], ids=["before the hits", "after them"])
def test_enter_opens_the_first_passage(page: SearchPage, qtbot: QtBot, mode: Mode, *, before: bool) -> None:
    hits = (passage(1, 1), passage(2, 2))
    first = SearchRequest("rent", mode)

    def show(shown: tuple[Hit, ...]) -> None:
        page.show_found(HitsFound(first, SearchResult("rent", mode, 1.0, shown, 1.0)))

    page.show()
    page.row.set_search(RecentSearch("rent", mode))
    page.row.field.setFocus()
    qtbot.waitUntil(page.row.field.hasFocus)
    if not before:
        show(hits)
    with qtbot.waitSignal(page.results.looked_at) as looked:
        QTest.keyClick(page.row.field, Qt.Key.Key_Return)
        show(hits)
        show(hits[::-1])  # re-ranked, before the first one is open
    assert looked.args == [hits[0]]
    assert page.results.hasFocus()
    page.row.field.setFocus()
    with qtbot.assertNotEmitted(page.results.looked_at, wait=300):
        show(hits)  # as after more files are encoded


def test_the_same_query_shows_the_same_list(page: SearchPage, retriever: SlowRetriever, qtbot: QtBot) -> None:
    retriever.gate.set()
    page.show()
    page.row.field.setFocus()
    QTest.keyClicks(page.row.field, "rosew")
    qtbot.waitUntil(lambda: "rosew" in [each.query for each in retriever.requests])
    count = len(retriever.requests)
    QTest.keyClick(page.row.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(retriever.requests) > count)
    assert retriever.requests[count] == retriever.requests[count - 1]


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


@pytest.mark.parametrize(("width", "shown"), [(695, False), (760, True)])
def test_facets_fold_away_in_a_window_of_1000_pixels(qtbot: QtBot, width: int, shown: bool) -> None:
    page = SearchPage()
    qtbot.addWidget(page)
    page.show()
    page.show_found(HitsFound(SearchRequest("rent"), SearchResult("rent", Mode.HYBRID, 1.0, (), 1.0)))
    page.resize(width, 600)
    assert page.facets.isVisible() is shown


@pytest.mark.parametrize("width", [300, 345, 380, 400, 420, 440, 619])
def test_the_order_of_hits_is_whole_beside_a_document(qapp: QApplication, qtbot: QtBot, width: int) -> None:
    """A splitter gives a page less room than its buttons want; the order then stands below them."""
    Look(qapp).use(Theme.LIGHT)
    window = QWidget()
    qtbot.addWidget(window)
    page = SearchPage(window)
    window.show()
    page.show_found(HitsFound(SearchRequest("rent"), SearchResult("rent", Mode.HYBRID, 1.0, (), 1.0)))
    page.resize(width, 600)
    QApplication.processEvents()
    assert page.sort.width() >= page.sort.sizeHint().width()
    assert page._missing.width() >= page._missing.sizeHint().width()
    assert page.rect().contains(QRect(page.sort.mapTo(page, QPoint(0, 0)), page.sort.size()))


def test_a_filter_that_leaves_nothing_is_named_and_removed_by_one_click(page: SearchPage) -> None:
    page.show()
    page.set_search(RecentSearch("rent", Mode.HYBRID, (Filter(FileField.EXT, ".eml"),)))
    request = SearchRequest("rent", filters=page.search().filters)
    page.show_found(HitsFound(request, SearchResult("rent", Mode.HYBRID, 1.0, (), 1.0)))
    page.show_counted(FacetsCounted(request, Facets(0)))
    assert page.status_text() == "Nothing found with the filter Mail (EML)"
    assert page.suggested().isVisible()
    page.suggested().click()
    assert page.search() == RecentSearch("rent", Mode.HYBRID)


def test_why_nothing_is_found_with_a_filter_is_told_and_an_error_shows_no_empty_list(page: SearchPage) -> None:
    page.set_search(RecentSearch("+zeppelin", Mode.HYBRID, (Filter(FileField.EXT, ".eml"),)))
    request = SearchRequest("+zeppelin", filters=page.search().filters)
    note = "No document has “zeppelin”."
    page.show_found(HitsFound(request, SearchResult("+zeppelin", Mode.HYBRID, 1.0, (), 1.0, note)))
    assert page.status_text() == f"Nothing found with the filter Mail (EML)  ·  {note}"
    QTest.keyClicks(page.row.field, " (")
    page.show_error(QueryError("This bracket is never closed.", 10, "+zeppelin"))
    assert page.status_text() == "This bracket is never closed."


def test_a_long_note_is_whole_beside_a_long_suggestion(qapp: QApplication, qtbot: QtBot) -> None:
    Look(qapp).use(Theme.DARK)
    page = SearchPage()
    qtbot.addWidget(page)
    page.resize(1080, 600)
    page.show()
    note = (
        "No document has " + ", ".join(f"“{word}”" for word in ("very", "long", "phrase", "nobody", "somebody")) + "."
    )
    result = SearchResult("a", Mode.HYBRID, 1.0, (), 1.0, note, suggestion="another long phrase of a document " * 2)
    page.show_found(HitsFound(SearchRequest("a"), result))
    QApplication.processEvents()
    (summary,) = page.findChildren(ResultSummary)
    assert summary.heightForWidth(summary.width()) <= 2 * summary.fontMetrics().lineSpacing()
    assert summary.toolTip() == ""  # nothing is cut


def _types(**counts: int) -> Facets:
    dates = tuple(Facet(f"2024-0{n}", 1, Filter(FileField.DATE, f"2024-0{n}")) for n in range(1, 1 + len(counts)))
    return Facets(
        sum(counts.values()),
        types=tuple(Facet(name, count, Filter(FileField.EXT, f".{name}")) for name, count in counts.items()),
        dates=dates,
    )


def test_a_filter_moves_nothing_under_the_pointer(page: SearchPage) -> None:
    """Two clicks at one point tick a filter and take it back."""
    page.resize(900, 600)
    page.show()
    request = SearchRequest("rent")
    hits = HitsFound(request, SearchResult("rent", Mode.HYBRID, 1.0, (), 1.0))

    def found(facets: Facets) -> None:
        page.show_found(hits)
        page.show_counted(FacetsCounted(request, facets))
        QApplication.processEvents()

    lists = page.facets.lists

    def place(text: str) -> QPoint:
        texts = [str(lists.model().index(row, 0).data()) for row in range(lists.model().rowCount())]
        at = next(row for row, each in enumerate(texts) if each.startswith(text))
        return lists.viewport().mapTo(page, lists.visualRect(lists.model().index(at, 0)).center())

    found(_types(eml=3, md=2, odt=1))
    before = place("OpenDocument (ODT)")
    in_list = lists.viewport().mapFrom(page, before)
    QApplication.sendEvent(page.facets, QEnterEvent(before, before, before))
    QTest.mouseClick(lists.viewport(), Qt.MouseButton.LeftButton, pos=in_list)
    assert [each.text for each in page.search().filters] == [".odt"]
    found(_types(odt=1))
    assert page.filters.isVisible()
    assert place("OpenDocument (ODT)") == before
    assert str(lists.model().index(1, 0).data()) == "Mail (EML), 0"
    QTest.mouseClick(lists.viewport(), Qt.MouseButton.LeftButton, pos=in_list)
    assert page.search().filters == ()
    page.set_search(RecentSearch("rent", Mode.HYBRID, (Filter(FileField.EXT, ".odt"),)))
    found(_types(odt=1))
    QApplication.sendEvent(page.facets, QEvent(QEvent.Type.Leave))
    assert [lists.model().index(row, 0).data() for row in range(lists.model().rowCount())] == [
        "Type",
        "OpenDocument (ODT), 1",
    ]


def test_earlier_searches_run_again_and_the_operators_are_one_click_away(page: SearchPage, qtbot: QtBot) -> None:
    page.resize(700, 600)
    page.show()
    page.show_kept(SavedSearches((RecentSearch("roof"),), (SavedSearch("Offers", RecentSearch("offer")),)))
    buttons = {button.row.name: button for button in page.start.findChildren(StartButton) if button.isVisible()}
    assert {"roof", "Offers"} < set(buttons)
    with qtbot.waitSignal(page.asked) as asked:
        buttons["roof"].click()
    assert asked.args[0].query == "roof"
    page.clear()
    page.start.help_requested.emit()
    assert page.help.isVisible()
    QTest.keyClick(page.help, Qt.Key.Key_Escape)
    assert page.start.isVisible()


def test_a_recent_mail_is_called_by_its_subject_beside_the_icon_of_mails(page: SearchPage) -> None:
    mail = RecentDocument("/home/ada/Mail/3.eml", "Mooring fee for 2026")
    (row,) = document_rows([mail], page.start.document_chosen)
    assert (row.name, row.icon, row.detail) == ("Mooring fee for 2026", icon_of(Format.MAIL), "Mail")


def test_an_empty_library_is_offered_a_folder(qtbot: QtBot) -> None:
    page = SearchPage()
    qtbot.addWidget(page)
    page.show()

    def offered() -> list[StartButton]:
        return [button for button in page.start.findChildren(StartButton) if "folder" in button.row.name]

    assert not offered()[0].isVisible()
    page.start.show_status(library())
    with qtbot.waitSignal(page.start.folder_requested):
        offered()[0].click()
    page.start.show_status(library(folder(1)))
    assert not offered()[0].isVisible()
