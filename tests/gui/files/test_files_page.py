"""The page of all files: windows on demand, filters, states, commands, and the groups of problems."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from desktop_rag.errors import ProblemKind
from desktop_rag.gui.files.files_control import FilesControl
from desktop_rag.gui.files.files_model import COLUMNS, PAGE
from desktop_rag.gui.files.files_page import FILES, PROBLEM_GROUPS, STATISTICS, FilesPage
from desktop_rag.gui.library.library_model import LibraryModel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.diagnostics import DiagnosticsPage
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.index.file_rows import PROBLEMS, FileColumn, FileQuery, ListedState
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.index.team_status import NOT_ADDED
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from tests.gui.files.browser import ROOT, MemoryBrowser, pictures, row
from tests.gui.files.shown_files import NAME, REASON, SIZE, open_page, shown
from tests.gui.library_values import folder, library


def test_a_hundred_thousand_files_are_loaded_by_the_window_only(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.rows = [row(number) for number in range(100_000)]
    open_page(page, qtbot, 100_000)
    page.grab()
    assert browser.delivered == PAGE
    table = page.list.table
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    page.grab()
    qtbot.waitUntil(lambda: page.list.model.file(99_999) is not None)
    assert page.list.model.index(99_999, NAME).data() == "file 099999.pdf"
    assert browser.delivered <= 4 * PAGE
    assert "MainThread" not in browser.threads


def test_pictures_of_text_say_what_they_wait_for(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.rows = [row(1), pictures(2)]
    open_page(page, qtbot, 2)
    state = page.list.model.index(1, COLUMNS.index(FileColumn.STATE))
    assert state.data() == "Pictures"
    assert "OCR is not installed" in str(state.data(Qt.ItemDataRole.ToolTipRole))
    assert shown(page, REASON)[1].startswith("Pictures: waiting for text recognition (OCR) – OCR is not installed")
    page.list.states.setCurrentIndex(page.list.states.findText("Pictures"))
    qtbot.waitUntil(lambda: shown(page) == ["scan.pdf"])


def test_memory_holds_a_limited_number_of_rows(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.rows = [row(number) for number in range(20_000)]
    open_page(page, qtbot, 20_000)
    model = page.list.model
    for first in range(0, 20_000, PAGE):
        model.add(browser.list_files(FileQuery(), first, PAGE, Stop()))
    assert sum(model.is_loaded(number) for number in range(0, 20_000, PAGE)) == 64
    assert not model.is_loaded(0)


def test_the_header_sorts_and_the_filters_narrow_down(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    page.list.table.sortByColumn(SIZE, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: shown(page)[0] == "empty.txt")
    assert (browser.queries[-1].column, browser.queries[-1].descending) == (FileColumn.SIZE, True)
    page.list.filter.setText("locked too")
    qtbot.waitUntil(lambda: shown(page) == ["locked too.pdf"])
    page.list.clear_filters()
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 6)
    page.list.states.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 5)
    assert browser.queries[-1].states == PROBLEMS
    qtbot.waitUntil(lambda: page.list.kinds.count() == 2)
    page.list.kinds.setCurrentIndex(1)
    qtbot.waitUntil(lambda: browser.queries[-1].kind == "pdf")
    assert page.list._said.text() == "5 files"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"caf\xe9.pdf", "caf\ufffd.pdf"),
        (b"two\nlines.pdf", "two lines.pdf"),
        ("a\u202efdp.exe".encode(), "a\ufffdfdp.exe"),
        (b"<img src=x>.pdf", "<img src=x>.pdf"),
    ],
)
def test_hostile_names_are_shown_as_plain_text_and_copied_unchanged(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot, name: bytes, text: str
) -> None:
    browser.rows = [row(1, name, "It failed \u202e because of\nthis")]
    open_page(page, qtbot, 1)
    index = page.list.model.index(0, NAME)
    assert index.data() == text
    assert page.list.model.index(0, REASON).data() == "It failed \ufffd because of this"
    assert "<img" not in index.data(Qt.ItemDataRole.ToolTipRole)
    page.list.table.selectRow(0)
    page.list.table.copy_requested.emit()
    if name.isascii():
        assert QGuiApplication.clipboard().text() == os.fsdecode(ROOT + b"/" + name)


def test_commands_go_to_the_file_of_the_row(
    control: FilesControl, page: FilesPage, viewer: ViewerRequests, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    table = page.list.table
    table.selectRow(0)
    with qtbot.waitSignal(viewer.target_focus_requested) as opened:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened.args[0].content == 1
    with qtbot.waitSignal(control.folder_requested) as place:
        QTest.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert place.args == [Path("/home/anna/Contracts/file 000001.pdf")]
    with qtbot.waitSignal(control.why_requested) as asked:
        QTest.keyClick(table, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert asked.args == [ROOT + b"/file 000001.pdf"]
    table.selectRow(1)
    with qtbot.waitSignal(control.external_requested) as outside:  # the library has no text of it
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert outside.args == [Path("/home/anna/Contracts/locked.pdf")]


def test_only_files_that_were_opened_are_tried_again(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    page.list.table.selectAll()
    with qtbot.waitSignal(control.retry_requested) as tried:
        QTest.keyClick(page.list.table, Qt.Key.Key_F5)
    assert tried.args == [tuple(ROOT + b"/" + name for name in (b"locked.pdf", b"locked too.pdf", b"empty.txt"))]
    page.list.table.selectRow(3)
    with qtbot.assertNotEmitted(control.retry_requested), qtbot.waitSignal(control.notified):
        QTest.keyClick(page.list.table, Qt.Key.Key_F5)


def test_rows_that_are_not_loaded_are_loaded_before_a_command_acts_on_them(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.rows = [row(number, reason="This file is empty.") for number in range(1000)]
    open_page(page, qtbot, 1000)
    page.list.table.selectAll()
    with qtbot.waitSignal(control.retry_requested) as tried:
        page.list.table.retry_requested.emit()
    assert len(tried.args[0]) == 1000


def test_ignoring_adds_a_rule_that_can_be_taken_back(
    control: FilesControl, page: FilesPage, status: ShownStatus, qtbot: QtBot
) -> None:
    status.update(library(folder(7, ROOT)))
    open_page(page, qtbot)
    page.list.table.selectRow(1)
    with qtbot.waitSignal(control.undoable) as done, qtbot.waitSignal(control.rules_changed) as changed:
        QTest.keyClick(page.list.table, Qt.Key.Key_Delete)
    (number, rules), (sentence, undo) = changed.args, done.args
    assert (number, rules.ignore) == (7, ("/locked.pdf",))
    assert sentence == "1 file ignored"
    (known,) = status.current.folders
    status.update(library(replace(known, rules=rules)))
    with qtbot.waitSignal(control.rules_changed) as back:
        undo()
    assert back.args[1] == known.rules


def test_the_menu_offers_what_fits_the_row(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    page.list.table.selectRow(0)
    page.list.table.open_menu(page.mapToGlobal(QPoint(50, 50)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    offered = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
    menu.close()
    assert offered == {
        "Open": True,
        "Show in folder": True,
        "Why is it found or not?…": True,
        "Try again": False,
        "Ignore": True,
        "New table over these…": True,
        "New report over these…": True,
        "Copy path": True,
    }


def test_problems_are_grouped_with_their_remedy_and_actions_for_all(
    control: FilesControl, page: FilesPage, status: ShownStatus, qtbot: QtBot
) -> None:
    status.update(library(folder(7, ROOT)))
    open_page(page, qtbot)
    page.show_tab(PROBLEM_GROUPS)
    qtbot.waitUntil(lambda: len(page.problems.cards) == 3)
    assert page.tabs.tabText(PROBLEM_GROUPS) == "Problems (5)"
    assert "5 not searchable" in [label.text() for label in page.problems.findChildren(QLabel)]
    cards = {card.kind: card for card in page.problems.cards}
    assert cards[ProblemKind.TYPE].retry.isHidden()  # they were never opened
    with qtbot.waitSignal(control.retry_requested) as tried:
        cards[ProblemKind.PROTECTED].retry.click()
    assert tried.args == [(ROOT + b"/locked.pdf", ROOT + b"/locked too.pdf")]
    with qtbot.waitSignal(control.rules_changed) as changed:
        cards[ProblemKind.TYPE].ignore.click()
    assert changed.args[1].ignore == ("*.[mM][kK][vV]",)
    cards[ProblemKind.PROTECTED].show_files.click()
    qtbot.waitUntil(lambda: shown(page) == ["locked.pdf", "locked too.pdf"])
    assert page.tabs.currentIndex() == FILES


def test_the_number_of_problems_is_broken_down_by_state(page: FilesPage) -> None:
    states = ((ListedState.MEANING, 539), (ListedState.PARTIAL, 41), (ListedState.PROBLEM, 80))
    page.problems.show_groups((), states)
    texts = [label.text() for label in page.problems.findChildren(QLabel)]
    assert "80 not searchable · 41 partly read" in texts


def test_the_library_the_problems_and_the_diagnostics_count_in_the_same_words(page: FilesPage, qtbot: QtBot) -> None:
    one = replace(folder(1, ROOT, found=30, failed=2, skipped=3), pictures=7)
    gone = folder(2, b"/old", found=5, failed=5, state=FolderState.REMOVED)
    said = "5 not searchable · 7 pictures without text"
    model, diagnostics = LibraryModel(), DiagnosticsPage(Settings())
    qtbot.addWidget(diagnostics)
    model.show_folders([one, gone])
    assert model.problems(one) == said
    page.problems.show_groups((), ((ListedState.PICTURES, 7), (ListedState.PROBLEM, 5)))
    assert said in [label.text() for label in page.problems.findChildren(QLabel)]
    diagnostics.show_health(library(one, gone))
    healthy = f"30 files found · 10 searchable by words · 10 by meaning · {said}"
    assert healthy in [label.text() for label in diagnostics.findChildren(QLabel)]


def test_the_problems_of_a_folder_are_listed_by_reason(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    control.show_folder_problems(FolderId(7))
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 5)
    table = page.list.table
    assert table.columnViewportPosition(REASON) + 200 < table.viewport().width()
    asked = browser.queries[-1]
    assert (asked.folder, asked.states, asked.column) == (7, PROBLEMS, FileColumn.REASON)


def test_the_page_is_opened_again_with_all_files(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    page.list.table.sortByColumn(SIZE, Qt.SortOrder.DescendingOrder)
    page.list.filter.setText("locked")
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 2)
    control.show_folder_problems(FolderId(7))
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 5)
    page.hide()
    page.show()
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 6)
    assert page.list.filter.text() == ""
    assert browser.queries[-1].folder is None


def test_statistics_are_shown_and_lead_to_their_files(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    page.show_tab(STATISTICS)
    qtbot.waitUntil(lambda: page.statistics.totals()[0] == "6")
    assert page.statistics.totals() == ("6", "1", "1,201", "3", "20.5 kB")
    page.resize(320, 600)
    captions = [label for label in page.statistics.findChildren(QLabel) if label.text() in ("Searchable", "Words")]
    assert all(label.width() >= label.fontMetrics().horizontalAdvance(label.text()) for label in captions)
    assert page.statistics.disk.accessibleName() == (
        "On your disk: Texts (catalog) 4.0 kB, Word index 2.0 kB, Meaning index 0 bytes, "
        "Conversations 0 bytes, Backups 0 bytes, Together 6.0 kB"
    )
    assert "Words and meaning " in page.statistics.states.accessibleName()
    QTest.mouseClick(page.statistics.states, Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    qtbot.waitUntil(lambda: len(browser.queries[-1].states) == 1)
    assert page.tabs.currentIndex() == FILES
    assert "German 6" in page.statistics.languages.accessibleName()
    page.grab()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (library(), "Your library is empty"),
        (LibraryStatus((), IndexingPhase.IDLE, missing=True), "This library is missing"),
        (LibraryStatus((), IndexingPhase.IDLE, not_added=NOT_ADDED), "Files of a team library are not listed"),
    ],
)
def test_why_there_are_no_rows_is_said(
    control: FilesControl, page: FilesPage, status: ShownStatus, qtbot: QtBot, state: LibraryStatus, words: str
) -> None:
    open_page(page, qtbot)
    status.update(state)
    assert not page.list.table.isVisible()
    assert page.list.placeholder.words().startswith(words)


def test_a_team_library_has_neither_problems_nor_statistics_here(
    control: FilesControl, page: FilesPage, status: ShownStatus, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    status.update(LibraryStatus((), IndexingPhase.IDLE, not_added=NOT_ADDED))
    control.show_tab(STATISTICS)
    assert page.tabs.currentIndex() == FILES
    assert [page.tabs.isTabVisible(tab) for tab in (FILES, PROBLEM_GROUPS, STATISTICS)] == [True, False, False]
    status.update(library())
    control.show_tab(STATISTICS)
    assert page.tabs.currentIndex() == STATISTICS


def test_an_empty_library_offers_to_add_a_folder(
    control: FilesControl, page: FilesPage, status: ShownStatus, qtbot: QtBot
) -> None:
    status.update(library())
    page.show()
    with qtbot.waitSignal(control.add_requested):
        page.list.placeholder.button.click()


def test_a_failure_is_said_and_can_be_tried_again(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.failure = "The disk reported an error."
    page.show()
    qtbot.waitUntil(lambda: "The disk reported an error." in page.list.placeholder.words())
    browser.failure = ""
    page.list.placeholder.button.click()
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 6)
    assert page.list.table.isVisible()


def test_a_filter_without_a_match_can_be_cleared(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    page.list.filter.setText("no such file")
    qtbot.waitUntil(lambda: page.list.placeholder.words().startswith("No file matches"))
    page.list.placeholder.button.click()
    qtbot.waitUntil(page.list.table.isVisible)
    (clear,) = page.list.filter.findChildren(QToolButton)
    qtbot.waitUntil(lambda: page.list.filter.text() == "" and not clear.isVisible())


def test_newer_rows_follow_the_indexer_and_never_change_what_is_selected(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, status: ShownStatus, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    table = page.list.table
    table.selectRow(1)
    browser.rows = [row(90, b"new at the top.pdf"), *browser.rows]
    status.update(library(folder(7, found=11)))
    qtbot.waitUntil(lambda: shown(page)[0] == "new at the top.pdf")
    assert table.selected_ranges() == ((2, 2),)
    current = table.current_file()
    assert current is not None
    assert current.file == 2
    browser.rows = [file for file in browser.rows if file.file != 2]
    status.update(library(folder(7, found=12)))
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 6)
    assert table.selected_ranges() == ()


def test_every_state_has_a_name_an_icon_and_a_sentence(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot
) -> None:
    browser.rows = [replace(row(number), state=state) for number, state in enumerate(ListedState)]
    open_page(page, qtbot, len(ListedState))
    column = COLUMNS.index(FileColumn.STATE)
    names = shown(page, column)
    assert len(set(names)) == len(ListedState)
    for number in range(len(ListedState)):
        assert not page.list.model.index(number, column).data(Qt.ItemDataRole.DecorationRole).isNull()
        assert page.list.model.index(number, NAME).data(Qt.ItemDataRole.AccessibleTextRole).endswith(".")


@pytest.mark.parametrize("modified_ns", [-(2**63), -1, 0, 2**63 - 1])
def test_a_time_of_any_value_is_shown(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, qtbot: QtBot, modified_ns: int
) -> None:
    browser.rows = [replace(row(1), modified_ns=modified_ns, size=2**62)]
    open_page(page, qtbot, 1)
    year = shown(page, COLUMNS.index(FileColumn.MODIFIED))[0].rpartition(" ")[2]
    assert year in ("1677", "1969", "1970", "2262")
    assert shown(page, SIZE)[0].endswith("EB")
    page.grab()


def test_the_menu_of_a_row_is_not_opened_below_the_rows(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    table = page.list.table
    table.selectRow(0)
    below = QPoint(20, table.viewport().height() - 3)
    assert not table.indexAt(below).isValid()
    for reason, opens in ((QContextMenuEvent.Reason.Mouse, False), (QContextMenuEvent.Reason.Keyboard, True)):
        QApplication.sendEvent(table.viewport(), QContextMenuEvent(reason, below, table.viewport().mapToGlobal(below)))
        menus = [each for each in table.findChildren(QMenu) if each.isVisible()]
        assert bool(menus) is opens
        for menu in menus:
            menu.close()
