"""The columns of the list of files: as wide as their texts, chosen by the user, fewer where there is no room."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.gui.files.files_control import FilesControl
from desktop_rag.gui.files.files_model import COLUMNS
from desktop_rag.gui.files.files_page import FilesPage
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.index.file_rows import FileColumn
from tests.gui.files.browser import MemoryBrowser, row
from tests.gui.files.shown_files import REASON, SIZE, open_page, shown
from tests.gui.library_values import folder, library


def test_nothing_is_elided_in_the_columns_of_usual_texts(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    table, metrics = page.list.table, page.list.table.fontMetrics()
    for place, column in enumerate(COLUMNS):
        elided = (FileColumn.NAME, FileColumn.REASON, FileColumn.FOLDER)
        if column not in elided and not table.isColumnHidden(place):
            longest = max(metrics.horizontalAdvance(text) for text in shown(page, place))
            assert table.columnWidth(place) >= longest + 16, column


def test_columns_that_come_back_are_as_wide_as_their_titles(
    control: FilesControl, page: FilesPage, qtbot: QtBot
) -> None:
    page.resize(640, 600)
    open_page(page, qtbot)
    table, pages = page.list.table, COLUMNS.index(FileColumn.PAGES)
    qtbot.waitUntil(lambda: table.isColumnHidden(pages))
    page.resize(1600, 600)
    qtbot.waitUntil(lambda: not table.isColumnHidden(pages))
    titles = table.horizontalHeader()
    for place in range(len(COLUMNS)):
        assert table.isColumnHidden(place) or table.columnWidth(place) >= titles.sectionSizeHint(place), place


def test_the_column_of_problems_takes_no_room_before_there_is_one(
    control: FilesControl, page: FilesPage, browser: MemoryBrowser, status: ShownStatus, qtbot: QtBot
) -> None:
    browser.rows = [row(1), row(2)]
    page.resize(740, 600)
    open_page(page, qtbot, 2)
    table = page.list.table
    assert table.isColumnHidden(REASON)
    assert not table.isColumnHidden(SIZE)
    assert not table.isColumnHidden(COLUMNS.index(FileColumn.MODIFIED))
    browser.rows = [row(1), row(2, reason="This file contains no text.")]
    status.update(library(folder(7, found=2, searchable=1, ready=1, skipped=1)))
    qtbot.waitUntil(lambda: not table.isColumnHidden(REASON))


def test_columns_are_chosen_in_the_menu_of_the_header(control: FilesControl, page: FilesPage, qtbot: QtBot) -> None:
    open_page(page, qtbot)
    table = page.list.table
    page.resize(640, 600)
    pages, folder = COLUMNS.index(FileColumn.PAGES), COLUMNS.index(FileColumn.FOLDER)
    qtbot.waitUntil(lambda: table.isColumnHidden(pages))
    table.horizontalHeader().customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = (each for each in table.findChildren(QMenu) if each.isVisible())
    choices = {action.text(): action for action in menu.actions()}
    assert choices["Pages"].isCheckable()
    assert not choices["Pages"].isChecked()
    choices["Pages"].trigger()
    choices["Folder"].trigger() if choices["Folder"].isChecked() else None
    page.resize(500, 600)
    QApplication.processEvents()
    assert not table.isColumnHidden(pages)  # though there is no room
    assert table.isColumnHidden(folder)
    menu.close()


def test_chosen_columns_outlast_a_restart_and_hiding_one_brings_no_other(
    control: FilesControl, page: FilesPage, qtbot: QtBot
) -> None:
    open_page(page, qtbot)
    table = page.list.table
    page.resize(900, 600)
    words = COLUMNS.index(FileColumn.WORDS)
    qtbot.waitUntil(lambda: table.isColumnHidden(words))
    before = {place for place in range(len(COLUMNS)) if not table.isColumnHidden(place)}
    table.horizontalHeader().customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = (each for each in table.findChildren(QMenu) if each.isVisible())
    next(action for action in menu.actions() if action.text() == "Folder").trigger()
    menu.close()
    before.discard(COLUMNS.index(FileColumn.FOLDER))
    assert {place for place in range(len(COLUMNS)) if not table.isColumnHidden(place)} == before
    again = FilesPage()
    qtbot.addWidget(again)
    again.resize(1400, 600)
    again.show()
    restarted = again.list.table
    assert restarted.isColumnHidden(COLUMNS.index(FileColumn.FOLDER))
    assert restarted.isColumnHidden(words)
    assert not restarted.isColumnHidden(SIZE)


def test_names_give_way_to_the_title_of_reasons_in_large_type(
    control: FilesControl, page: FilesPage, qtbot: QtBot
) -> None:
    page.setFont(text_font(4))
    page.list.table.horizontalHeader().setFont(text_font(4))
    open_page(page, qtbot)
    page.resize(330, 600)
    qtbot.waitUntil(lambda: page.list.table.horizontalScrollBar().maximum() == 0)


@pytest.mark.parametrize("width", [1400, 900, 640, 480, 330])
def test_the_columns_fit_the_width_and_the_less_important_ones_give_way(
    control: FilesControl, page: FilesPage, qtbot: QtBot, width: int
) -> None:
    open_page(page, qtbot)
    table = page.list.table
    page.resize(width, 600)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    shown_columns = [column for place, column in enumerate(COLUMNS) if not table.isColumnHidden(place)]
    assert {FileColumn.NAME, FileColumn.REASON} <= set(shown_columns)
    if width == 1400:
        assert shown_columns == list(COLUMNS)
    if width < 640:
        assert FileColumn.PAGES not in shown_columns
    if width == 900:  # reasons and folders are legible before words and pages are counted
        assert FileColumn.WORDS not in shown_columns
        assert min(table.columnWidth(COLUMNS.index(each)) for each in (FileColumn.REASON, FileColumn.FOLDER)) >= 130
    table.make_room_for_problems(wanted=True)
    assert table.columnWidth(COLUMNS.index(FileColumn.REASON)) >= min(250, table.viewport().width() // 2)
    assert table.isColumnHidden(COLUMNS.index(FileColumn.PAGES))
    page.resize(1400, 600)
    qtbot.waitUntil(lambda: not table.isColumnHidden(COLUMNS.index(FileColumn.FOLDER)))
    assert table.isColumnHidden(COLUMNS.index(FileColumn.PAGES))
    table.make_room_for_problems(wanted=False)
    assert not any(table.isColumnHidden(place) for place in range(len(COLUMNS)))
