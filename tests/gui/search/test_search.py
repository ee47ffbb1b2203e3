"""The search page with real parts: type, narrow down, look, open, ask, keep."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY
from desktop_rag.app import App
from desktop_rag.errors import TeamUnreachable
from desktop_rag.gui.search.facet_list import FACET_ROLE, FacetRow
from desktop_rag.gui.search.query_row import OFFERED
from desktop_rag.gui.search.result_summary import ResultSummary
from desktop_rag.gui.search.results_model import DocumentRow, FoldRow, HitRow, MoreRow, Row
from desktop_rag.gui.search.search_control import LIMIT
from desktop_rag.gui.search.search_events import RecentSearch, load
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.index.libraries import Libraries
from desktop_rag.retrieval.api import Mode
from desktop_rag.stop import Stop
from tests.gui.opened_app import opened
from tests.gui.tab_order import tab_stops
from tests.gui.test_end_to_end import ask, wait_until_ready

pytestmark = pytest.mark.processes

MILLISECONDS = 60_000


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, own_data_home: Path, documents: Path) -> Iterator[App]:
    with opened(App(qapp, Libraries(own_data_home).usual().library), qtbot) as app:
        wait_until_ready(app, qtbot)
        app.window.menus.search.trigger()
        yield app


@pytest.fixture
def page(app: App) -> SearchPage:
    return app.search_page


@pytest.mark.slow
def test_ctrl_f_without_a_document_searches_the_library(app: App, page: SearchPage, qtbot: QtBot) -> None:
    app.window.menus.ask.trigger()
    qtbot.waitUntil(lambda: not page.isVisible())
    app.window.menus.find.trigger()
    qtbot.waitUntil(page.isVisible)


def found(page: SearchPage) -> list[str]:
    return [row.hit.path.name for row in page.results.results.rows if isinstance(row, DocumentRow)]


def look_for(page: SearchPage, qtbot: QtBot, query: str, *names: str, mode: Mode = Mode.KEYWORD) -> None:
    page.set_search(RecentSearch(query, mode))
    qtbot.waitUntil(lambda: sorted(found(page)) == sorted(names), timeout=MILLISECONDS)


def wait_until_searchable(app: App, qtbot: QtBot, files: int) -> None:
    def searchable() -> bool:
        folders = app.status.current.folders
        return bool(folders) and sum(folder.searchable for folder in folders) >= files

    qtbot.waitUntil(searchable, timeout=3 * MILLISECONDS)


def facets(page: SearchPage) -> dict[str, FacetRow]:
    model = page.facets.lists.model()
    rows = (model.index(row, 0).data(FACET_ROLE) for row in range(model.rowCount()))
    return {row.text: row for row in rows if isinstance(row, FacetRow)}


def facet_index(page: SearchPage, text: str) -> QModelIndex:
    model = page.facets.lists.model()
    return next(
        index
        for row in range(model.rowCount())
        if isinstance(value := (index := model.index(row, 0)).data(FACET_ROLE), FacetRow) and value.text == text
    )


def test_hits_come_while_a_word_is_being_typed(page: SearchPage, qtbot: QtBot) -> None:
    assert page.row.field.hasFocus()
    QTest.keyClicks(page.row.field, "rosew")
    qtbot.waitUntil(lambda: set(found(page)[:2]) == {"drums.txt", "notes.md"}, timeout=MILLISECONDS)
    marked = [row for row in page.results.results.rows if isinstance(row, HitRow) and row.marks]
    assert any(row.snippet[slice(*row.marks[0])].lower() == "rosewood" for row in marked)
    QTest.keyClick(page.row.field, Qt.Key.Key_Escape)
    assert found(page) == []
    assert page.start.isVisible()


def test_the_keyboard_alone_leads_to_the_line_in_the_document(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    QTest.keyClick(page.row.field, Qt.Key.Key_Down)
    assert page.results.hasFocus()
    qtbot.waitUntil(lambda: "maple" in app.viewer.highlighted_text(), timeout=MILLISECONDS)
    assert page.results.hasFocus()  # what is looked at does not take the keyboard
    QTest.keyClick(page.results, Qt.Key.Key_Return)
    assert not page.results.hasFocus()
    app.window.menus.search.trigger()
    assert page.row.field.selectedText() == "maple"
    QTest.keyClick(page.row.field, Qt.Key.Key_Escape)
    QTest.keyClick(page.row.field, Qt.Key.Key_Escape)
    assert app.pane.isVisible()


@pytest.mark.slow
def test_enter_keeps_the_hits_that_were_read_while_typing(app: App, page: SearchPage, qtbot: QtBot) -> None:
    asked = QSignalSpy(page.asked)
    QTest.keyClicks(page.row.field, "rosew")
    qtbot.waitUntil(lambda: set(found(page)[:2]) == {"drums.txt", "notes.md"}, timeout=MILLISECONDS)
    before, typed = page.results.results.rows, asked.count()
    QTest.keyClick(page.row.field, Qt.Key.Key_Return)
    assert page.results.hasFocus()
    assert (page.results.results.rows, asked.count()) == (before, typed)
    qtbot.waitUntil(lambda: "rosewood" in app.viewer.highlighted_text().lower(), timeout=MILLISECONDS)


def test_found_documents_are_narrowed_down_by_what_they_share(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    qtbot.waitUntil(lambda: "Text (TXT)" in facets(page), timeout=MILLISECONDS)
    folder = facets(page)["wood"].facet
    assert folder is not None
    assert folder.count == 1
    page.facets.lists.setCurrentIndex(facet_index(page, "Text (TXT)"))
    QTest.keyClick(page.facets.lists, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: facets(page)["Text (TXT)"].chosen and "Markdown (MD)" in facets(page), timeout=MILLISECONDS)
    (chip,) = page.filters.chips()
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(found(page)) == 2, timeout=MILLISECONDS)
    assert page.filters.chips() == ()


@pytest.mark.slow
def test_a_query_that_says_nothing_offers_one_that_does(page: SearchPage, qtbot: QtBot) -> None:
    page.set_search(RecentSearch("maple AND (drums", Mode.KEYWORD))
    qtbot.waitUntil(lambda: "never closed" in page.status_text(), timeout=MILLISECONDS)
    assert page.suggested().text() == "Try: maple AND (drums)"
    page.suggested().click()
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)


def test_a_misspelled_word_is_asked_about(page: SearchPage, qtbot: QtBot) -> None:
    page.set_search(RecentSearch("xylophnoe", Mode.KEYWORD))
    qtbot.waitUntil(lambda: page.suggested().text() == "Did you mean: xylophone", timeout=MILLISECONDS)
    page.suggested().click()
    qtbot.waitUntil(lambda: sorted(found(page)) == ["drums.txt", "notes.md"], timeout=MILLISECONDS)


@pytest.mark.slow
def test_an_example_is_one_click_away(page: SearchPage, qtbot: QtBot) -> None:
    example = page.help.examples()[0]
    QTest.mouseClick(example, Qt.MouseButton.LeftButton)
    assert page.search().query == example.example
    qtbot.waitUntil(lambda: page.status_text() == "Nothing found" or found(page) != [], timeout=MILLISECONDS)


@pytest.mark.slow
def test_escape_leaves_the_help_for_the_results(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "silver", "flutes.txt")
    summary, keys = page.findChild(ResultSummary), page.row.field
    assert summary is not None
    QTest.keyClick(keys, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(page.help.isVisible)
    assert not summary.isVisible()
    assert not page._ask.isVisible()
    QTest.keyClick(page.help.examples()[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(page.results.isVisible)
    assert summary.isVisible()
    assert page._ask.isVisible()
    assert page.search().query == "silver"


@pytest.mark.slow
def test_a_question_is_asked_about_what_was_found(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "silver", "flutes.txt")
    page._ask.click()
    assert app.pane.isVisible()
    (document,) = app.pane.composer.scope_row.scope().documents
    answer = ask(app, qtbot, "Which instruments are made of rosewood or silver?")
    assert {citation.sha256 for citation in answer.citations} == {document}
    app.window.conversations.new_requested.emit()
    assert app.pane.composer.scope_row.scope() == WHOLE_LIBRARY


@pytest.mark.slow
def test_searches_are_remembered_and_kept_by_name(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.take_focus()
    QTest.keyClick(page.results, Qt.Key.Key_Return)
    page.row.save_requested.emit("Trees")
    library = app.sessions.current.known.folder
    qtbot.waitUntil(lambda: bool(load(library).saved), timeout=MILLISECONDS)
    assert [search.query for search in load(library).recent] == ["maple"]
    page.clear()
    menu = page.row.kept_menu()
    next(action for action in menu.actions() if action.text() == "Trees").trigger()
    menu.deleteLater()
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)
    page.row.drop_requested.emit("Trees")
    qtbot.waitUntil(lambda: not load(library).saved, timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_passage_is_copied_and_dragged_with_its_source(page: SearchPage, qtbot: QtBot, documents: Path) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.take_focus()
    QTest.keyClick(page.results, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert "made of maple" in copied
    assert "drums.txt" in copied
    dragged = page.results.results.mimeData([page.results.currentIndex()])
    assert [url.toLocalFile() for url in dragged.urls()] == [str(documents / "wood" / "drums.txt")]


def test_every_mode_finds(page: SearchPage, qtbot: QtBot) -> None:
    for mode in Mode:
        page.set_search(RecentSearch("silver flutes" if mode is not Mode.EXACT else "silver", mode))
        qtbot.waitUntil(lambda: found(page)[:1] == ["flutes.txt"], timeout=MILLISECONDS)
        page.clear()
        assert found(page) == []


@pytest.mark.slow
def test_the_lists_give_way_in_a_narrow_window(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    page.facets.setVisible(True)
    app.window.resize(900, 560)
    app.window.open_document_pane()
    qtbot.waitUntil(lambda: not page.facets.isVisible(), timeout=MILLISECONDS)
    rows = page.results.results.rows
    assert all(page.results.visualRect(page.results.results.index(row)).height() > 0 for row in range(len(rows)))
    summary = page.findChild(ResultSummary)
    assert summary is not None
    qtbot.waitUntil(lambda: summary.y() > page.sort.geometry().bottom(), timeout=MILLISECONDS)  # a line of its own
    assert summary.width() > 0.9 * page.results.width()
    app.window.resize(1900, 560)
    qtbot.waitUntil(lambda: summary.y() < page.sort.geometry().bottom(), timeout=MILLISECONDS)


@pytest.mark.slow
def test_what_cannot_be_understood_is_underlined_and_hits_stay_while_typing(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    QTest.keyClick(page.row.field, Qt.Key.Key_End)
    QTest.keyClicks(page.row.field, " AND (drums")
    qtbot.waitUntil(lambda: page.row.field.trouble() == "(drums", timeout=MILLISECONDS)
    assert "never closed" in page.row.field.accessibleDescription()
    assert found(page) == ["drums.txt"]
    assert "below is what “maple” found" in page.status_text()
    assert not page._ask.isVisible()  # about hits of another query
    QTest.keyClick(page.row.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.search().query == "maple AND (drums)"
    qtbot.waitUntil(
        lambda: page.row.field.trouble() is None and "1 passage" in page.status_text(), timeout=MILLISECONDS
    )


@pytest.mark.slow
def test_nothing_of_the_earlier_search_stays_beside_an_error(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    qtbot.waitUntil(lambda: bool(facets(page)), timeout=MILLISECONDS)
    page.show_error(TeamUnreachable("The team's server does not answer."))
    assert page.status_text() == "The team's server does not answer."
    assert found(page) == []
    assert facets(page) == {}


@pytest.mark.slow
def test_a_long_list_goes_on_without_jumping(app: App, page: SearchPage, qtbot: QtBot, documents: Path) -> None:
    text = "The viola, number {0}, hangs in room {0}.\n"
    for number in range(LIMIT + 7):
        (documents / f"viola {number:03}.txt").write_text(text.format(number), encoding="utf-8")
    app.library.client.rescan(None, Stop())
    wait_until_searchable(app, qtbot, LIMIT + 10)
    page.set_search(RecentSearch("viola", Mode.KEYWORD))
    qtbot.waitUntil(lambda: len(found(page)) == LIMIT, timeout=MILLISECONDS)
    rows = page.results.results.rows
    assert rows[-1] == MoreRow()
    counted = f"The best {LIMIT} passages in {LIMIT} of {LIMIT + 7} documents"
    qtbot.waitUntil(lambda: page.status_text() == counted, timeout=MILLISECONDS)
    page.results.setCurrentIndex(page.results.results.index(len(rows) - 1))
    top = page.results.verticalScrollBar().value()
    QTest.keyClick(page.results, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(found(page)) == LIMIT + 7, timeout=MILLISECONDS)
    assert abs(page.results.verticalScrollBar().value() - top) <= 1
    now = page.results.current()
    assert now is not None
    assert now.hit not in [row.hit for row in rows if isinstance(row, HitRow)]  # the first of the new ones
    assert MoreRow() not in page.results.results.rows
    complete = f"{LIMIT + 7} passages in {LIMIT + 7} documents"
    qtbot.waitUntil(lambda: page.status_text() == complete, timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_document_that_is_unfolded_shows_all_its_passages(
    app: App, page: SearchPage, qtbot: QtBot, documents: Path
) -> None:
    chapter = "# Chapter {0}\n\n" + "The viola of room {0} is heard in the evening, and in the morning, too. " * 60
    long = "\n\n".join(chapter.format(number) for number in range(20))
    (documents / "violas.md").write_text(long, encoding="utf-8")
    for number in range(20):
        (documents / f"viola {number}.txt").write_text(f"The viola, number {number}.\n", encoding="utf-8")
    app.library.client.rescan(None, Stop())
    wait_until_searchable(app, qtbot, 24)
    results = page.results.results
    page.set_search(RecentSearch("viola room", Mode.KEYWORD))
    qtbot.waitUntil(lambda: len(found(page)) == 21, timeout=MILLISECONDS)
    [fold] = [row for row in results.rows if isinstance(row, FoldRow)]
    assert fold.capped
    assert results.has_more()
    assert page.status_text().startswith("The best ")
    results.set_open(fold.content, open_=True)
    qtbot.waitUntil(lambda: sum(len(row.marks) for row in _places(results.rows)) >= 20 * 60, timeout=MILLISECONDS)
    page.set_search(RecentSearch("viola", Mode.KEYWORD))
    qtbot.waitUntil(lambda: page.status_text()[:1].isdigit(), timeout=MILLISECONDS)
    [fold] = [row for row in results.rows if isinstance(row, FoldRow)]
    assert not fold.capped
    results.set_open(fold.content, open_=True)
    assert not results.has_more()
    assert f"{len(_places(results.rows)) + 20:,} passages in 21 " in page.status_text()


def _places(rows: Sequence[Row]) -> list[HitRow]:
    return [row for row in rows if isinstance(row, HitRow) and row.hit.path.name == "violas.md"]


@pytest.mark.slow
def test_copies_are_shown_once_with_where_else_they_lie(
    app: App, page: SearchPage, qtbot: QtBot, documents: Path
) -> None:
    (documents / "wood" / "copy of notes.md").write_bytes((documents / "notes.md").read_bytes())
    app.library.client.rescan(None, Stop())
    wait_until_searchable(app, qtbot, 4)
    look_for(page, qtbot, "tuned", "notes.md")
    qtbot.waitUntil(lambda: " in 1 document" in page.status_text(), timeout=MILLISECONDS)
    (document,) = (row for row in page.results.results.rows if isinstance(row, DocumentRow))
    assert document.also == 1
    spoken = page.results.results.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "also in 1 other file" in spoken
    assert "copy of notes.md" in page.results.results.index(0).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.slow
def test_related_passages_are_shown_and_left_again(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.take_focus()
    QTest.keyClick(page.results, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.status_text().startswith("Related to “drums.txt”"), timeout=MILLISECONDS)
    assert "notes.md" in found(page)
    assert "drums.txt" not in found(page)
    QTest.keyClick(page.results, Qt.Key.Key_Escape)
    assert found(page) == ["drums.txt"]
    assert isinstance(page.results.current(), HitRow)


def test_it_is_said_why_a_hit_is_found_and_shown_in_its_document(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.take_focus()
    QTest.keyClick(page.results, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    dialog = app.why.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: "Found: place 1 of the list." in dialog.remarks.sentences(), timeout=MILLISECONDS)
    assert "By words: place 1 of 1 passages." in dialog.remarks.sentences()
    dialog.show_in_document.click()
    qtbot.waitUntil(lambda: "maple" in app.viewer.highlighted_text(), timeout=MILLISECONDS)
    assert app.why.dialog is None


@pytest.mark.slow
def test_it_is_said_why_another_file_is_missing(app: App, page: SearchPage, qtbot: QtBot, documents: Path) -> None:
    page.set_search(RecentSearch("zither", Mode.KEYWORD))
    qtbot.waitUntil(lambda: page.status_text() == "Nothing found", timeout=MILLISECONDS)
    page._missing.click()
    dialog = app.why.dialog
    assert dialog is not None
    assert dialog.query.text() == "zither"
    QTest.keyClicks(dialog.path, str(documents / "notes.md"))
    missing = "“zither” does not occur in it, nor anywhere else in the library."
    qtbot.waitUntil(lambda: missing in dialog.remarks.sentences(), timeout=MILLISECONDS)
    dialog.query.selectAll()
    QTest.keyClicks(dialog.query, "(xylophone")
    qtbot.waitUntil(lambda: "never closed" in " ".join(dialog.remarks.sentences()), timeout=MILLISECONDS)
    dialog.path.setText("")
    QTest.keyClicks(dialog.path, str(documents.parent / "elsewhere.txt"))
    dialog.query.clear()
    nowhere = "It lies in no folder of the library."
    qtbot.waitUntil(lambda: nowhere in " ".join(dialog.remarks.sentences()), timeout=MILLISECONDS)
    dialog.reject()
    app.window.library.why_requested.emit(os.fsencode(documents))
    opened = app.why.dialog
    assert opened is not None
    qtbot.waitUntil(lambda: opened.remarks.sentences() == ("It is a folder of the library.",), timeout=MILLISECONDS)
    opened.reject()


@pytest.mark.slow
def test_the_keyboard_reaches_every_part(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    qtbot.waitUntil(lambda: "Text (TXT)" in facets(page), timeout=MILLISECONDS)
    page.facets.setVisible(True)
    visited = []
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_F6)
        visited.append(QApplication.focusWidget())
    assert visited == [page.facets.lists, page.results, page.row.field]
    QTest.keyClick(page.row.field, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert page.results.hasFocus()
    QTest.keyClick(page.results, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: "osewood" in app.viewer.highlighted_text(), timeout=MILLISECONDS)
    QTest.keyClick(page.results, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert page.search().mode is OFFERED[1]


def test_a_screen_reader_hears_a_name_for_everything(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    page.facets.setVisible(True)
    stops = [stop for stop in tab_stops(page) if stop]  # a button with words on it is called by them
    wanted = ["Search your documents", "How to search", "Narrow down by", "Found passages"]
    assert [stop for stop in stops if stop in wanted] == wanted
    for widget in page.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert name or widget.focusProxy(), widget
    heard = QAccessible.queryAccessibleInterface(page.results)
    assert heard.childCount() == len(page.results.results.rows)
    texts = [heard.child(row).text(QAccessible.Text.Name) for row in range(heard.childCount())]
    assert all(texts), texts
    assert any("line" in text and "osewood" in text for text in texts)
    for hit in (row for row, text in enumerate(texts) if ": " in text):
        assert "Rank" in page.results.results.index(hit).data(Qt.ItemDataRole.AccessibleDescriptionRole)
