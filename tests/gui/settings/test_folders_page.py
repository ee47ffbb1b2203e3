"""Folders are added, removed and put back from the settings, by the commands of the library panel."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.gui.settings.folders_page import FolderRequests, FoldersPage
from desktop_rag.gui.widgets.file_dialog import FileDialog
from tests.gui.library_values import folder

HOUSE, BOAT = folder(7, b"/srv/House"), folder(9, b"/srv/Boat")


@pytest.fixture
def requests() -> FolderRequests:
    return FolderRequests()


@pytest.fixture
def page(qtbot: QtBot, requests: FolderRequests) -> FoldersPage:
    page = FoldersPage((HOUSE, BOAT), None, requests)
    qtbot.addWidget(page)
    page.show()
    return page


def button(page: FoldersPage, text: str) -> QPushButton:
    return next(each for each in page.findChildren(QPushButton) if each.text() == text)


def listed(page: FoldersPage) -> QListWidget:
    return page.findChildren(QListWidget)[0]


def test_the_commands_are_about_the_first_folder_until_another_is_chosen(page: FoldersPage) -> None:
    assert listed(page).currentRow() == 0
    assert button(page, "Remove folder").isEnabled()
    assert button(page, "Rules…").isEnabled()


def test_the_commands_need_a_current_folder(page: FoldersPage, requests: FolderRequests, qtbot: QtBot) -> None:
    listed(page).setCurrentRow(-1)
    assert not button(page, "Remove folder").isEnabled()
    assert not button(page, "Rules…").isEnabled()
    with qtbot.waitSignal(requests.add_requested):
        button(page, "Add folder…").click()
    listed(page).setCurrentRow(0)
    for text, signal in (("Rules…", requests.rules_requested), ("Remove folder", requests.remove_requested)):
        with qtbot.waitSignal(signal) as asked:
            button(page, text).click()
        assert asked.args == [9]
    listed(page).setCurrentRow(1)
    with qtbot.waitSignal(requests.rules_requested):
        QTest.keyClick(listed(page), Qt.Key.Key_Return)


def test_a_removed_folder_can_be_put_back(page: FoldersPage, requests: FolderRequests, qtbot: QtBot) -> None:
    listed(page).setCurrentRow(0)
    button(page, "Remove folder").click()
    page.show_folders((HOUSE, BOAT))  # a status of before
    page.show_folders((HOUSE,))
    assert [listed(page).item(row).text() for row in range(2)] == ["/srv/Boat (removed)", "/srv/House"]
    assert not button(page, "Rules…").isEnabled()
    with qtbot.waitSignal(requests.restore_requested) as asked:
        button(page, "Put back").click()
    assert asked.args == [9]
    page.show_folders((BOAT,))
    assert listed(page).currentRow() == 0
    assert button(page, "Remove folder").isEnabled()


@pytest.mark.processes
def test_a_folder_is_removed_and_put_back_in_the_real_library(app: App, qtbot: QtBot, sample: Path) -> None:
    qtbot.waitUntil(lambda: app.status.current is not UNKNOWN)
    app.window.library.folders_dropped.emit((os.fsencode(sample),))
    qtbot.waitUntil(lambda: bool(app.status.current.folders))
    app.settings.open_dialog("Folders")
    qtbot.waitUntil(lambda: bool(app.window.findChildren(FoldersPage)))
    page = app.window.findChildren(FoldersPage)[0]
    qtbot.waitUntil(page.isVisible)
    listed(page).setCurrentRow(0)
    button(page, "Remove folder").click()
    qtbot.waitUntil(lambda: not app.status.current.folders)
    assert button_texts(page) == ["Add folder…", "Put back", "Rules…"]
    button(page, "Put back").click()
    qtbot.waitUntil(lambda: bool(app.status.current.folders))
    assert button_texts(page) == ["Add folder…", "Remove folder", "Rules…"]
    button(page, "Add folder…").click()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in app.window.findChildren(FileDialog)))


def button_texts(page: FoldersPage) -> list[str]:
    return [each.text() for each in page.findChildren(QPushButton)]
