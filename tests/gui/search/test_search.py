"""The search page with real parts: type, narrow down, look, open, ask, keep."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.search.facet_list import FACET_ROLE, FacetRow
from desktop_rag.gui.search.kept_searches import Search, load
from desktop_rag.gui.search.results_model import DocumentRow, HitRow
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.index.libraries import Libraries
from desktop_rag.retrieval.hits import Mode
from tests.gui.test_end_to_end import ask, drop, wait_until_ready

MILLISECONDS = 20_000


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Instruments"
    (folder / "wood").mkdir(parents=True)
    (folder / "notes.md").write_text("# Notes\n\nThe xylophone has forty bars of rosewood.\nIt was tuned in May.\n")
    (folder / "wood" / "drums.txt").write_text("The drums are made of maple.\nRosewood is for the xylophone only.\n")
    (folder / "wood" / "flutes.txt").write_text("The flutes are made of silver.\n")
    return folder


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, own_data_home: Path, documents: Path) -> Iterator[App]:
    app = App(qapp, Libraries(own_data_home).usual().library)
    qtbot.addWidget(app.window)
    app.start()
    drop(app, documents)
    wait_until_ready(app, qtbot)
    app.window.menus.search.trigger()
    yield app
    app.window.close()
    app.close()
    app.deleteLater()
    QApplication.sendPostedEvents(app, QEvent.Type.DeferredDelete)


@pytest.fixture
def page(app: App) -> SearchPage:
    return app.search_page


def found(page: SearchPage) -> list[str]:
    return [row.hit.path.name for row in page.results.results.rows if isinstance(row, DocumentRow)]


def look_for(page: SearchPage, qtbot: QtBot, query: str, *names: str, mode: Mode = Mode.KEYWORD) -> None:
    page.set_search(Search(query, mode))
    qtbot.waitUntil(lambda: sorted(found(page)) == sorted(names), timeout=MILLISECONDS)


def facets(page: SearchPage) -> dict[str, FacetRow]:
    model = page.facets.model()
    rows = (model.index(row, 0).data(FACET_ROLE) for row in range(model.rowCount()))
    return {row.text: row for row in rows if isinstance(row, FacetRow)}


def facet_index(page: SearchPage, text: str) -> QModelIndex:
    model = page.facets.model()
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
    assert page.help.isVisible()


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


def test_found_documents_are_narrowed_down_by_what_they_share(page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    qtbot.waitUntil(lambda: "TXT" in facets(page), timeout=MILLISECONDS)
    folder = facets(page)["wood"].facet
    assert folder is not None
    assert folder.count == 1
    page.facets.setCurrentIndex(facet_index(page, "TXT"))
    QTest.keyClick(page.facets, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: facets(page)["TXT"].chosen and "MD" in facets(page), timeout=MILLISECONDS)
    (chip,) = page.chips()
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(found(page)) == 2, timeout=MILLISECONDS)
    assert page.chips() == ()


def test_a_query_that_says_nothing_offers_one_that_does(page: SearchPage, qtbot: QtBot) -> None:
    page.set_search(Search("maple AND (drums", Mode.KEYWORD))
    qtbot.waitUntil(lambda: "never closed" in page.said(), timeout=MILLISECONDS)
    assert page.suggested().text() == "Try: maple AND (drums)"
    page.suggested().click()
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)


def test_a_misspelled_word_is_asked_about(page: SearchPage, qtbot: QtBot) -> None:
    page.set_search(Search("xylophnoe", Mode.KEYWORD))
    qtbot.waitUntil(lambda: page.suggested().text() == "Did you mean: xylophone", timeout=MILLISECONDS)
    page.suggested().click()
    qtbot.waitUntil(lambda: sorted(found(page)) == ["drums.txt", "notes.md"], timeout=MILLISECONDS)


def test_an_example_is_one_click_away(page: SearchPage, qtbot: QtBot) -> None:
    example = page.help.examples()[0]
    QTest.mouseClick(example, Qt.MouseButton.LeftButton)
    assert page.search().query == example.example
    qtbot.waitUntil(lambda: page.said() == "Nothing found" or found(page) != [], timeout=MILLISECONDS)


def test_a_question_is_asked_about_what_was_found(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "silver", "flutes.txt")
    page.ask_button().click()
    assert app.pane.isVisible()
    (content,) = app.pane.composer.documents()
    answer = ask(app, qtbot, "Which instruments are made of rosewood or silver?")
    assert {citation.content for citation in answer.citations} == {content}
    app.window.conversations.new_requested.emit()
    app.pane.composer.set_documents((), "")
    assert app.pane.composer.documents() == ()


def test_searches_are_remembered_and_kept_by_name(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.begin()
    QTest.keyClick(page.results, Qt.Key.Key_Return)
    page.save_requested.emit("Trees")
    library = app.sessions.current.known.folder
    qtbot.waitUntil(lambda: bool(load(library).saved), timeout=MILLISECONDS)
    assert [search.query for search in load(library).recent] == ["maple"]
    page.clear()
    menu = page.row.kept_menu()
    next(action for action in menu.actions() if action.text() == "Trees").trigger()
    menu.deleteLater()
    qtbot.waitUntil(lambda: found(page) == ["drums.txt"], timeout=MILLISECONDS)
    page.drop_requested.emit("Trees")
    qtbot.waitUntil(lambda: not load(library).saved, timeout=MILLISECONDS)


def test_a_passage_is_copied_and_dragged_with_its_source(page: SearchPage, qtbot: QtBot, documents: Path) -> None:
    look_for(page, qtbot, "maple", "drums.txt")
    page.results.begin()
    QTest.keyClick(page.results, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert "made of maple" in copied
    assert "drums.txt" in copied
    dragged = page.results.results.mimeData([page.results.currentIndex()])
    assert [url.toLocalFile() for url in dragged.urls()] == [str(documents / "wood" / "drums.txt")]


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_finds(page: SearchPage, qtbot: QtBot, mode: Mode) -> None:
    page.set_search(Search("silver flutes" if mode is not Mode.EXACT else "silver", mode))
    qtbot.waitUntil(lambda: found(page)[:1] == ["flutes.txt"], timeout=MILLISECONDS)


def test_the_lists_give_way_in_a_narrow_window(app: App, page: SearchPage, qtbot: QtBot) -> None:
    look_for(page, qtbot, "rosewood", "notes.md", "drums.txt")
    page.facets.setVisible(True)
    app.window.resize(900, 560)
    app.window.open_document_pane()
    qtbot.waitUntil(lambda: not page.facets.isVisible(), timeout=MILLISECONDS)
    rows = page.results.results.rows
    assert all(page.results.visualRect(page.results.results.index(row)).height() > 0 for row in range(len(rows)))
