"""The page lists every command, records keys, names conflicts, and resets."""

from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QKeySequenceEdit,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.page_titles import page_titles
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.shortcuts_page import ShortcutsPage
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.settings import Settings

W = TypeVar("W", bound=QWidget)


class Page:
    """A page over the commands of a window."""

    def __init__(self, window: MainWindow, settings: Settings, qtbot: QtBot) -> None:
        self.dialog = SettingsDialog(settings, commands=window.commands)
        qtbot.addWidget(self.dialog)
        self.dialog.show_page("Shortcuts")
        self.dialog.show()
        self.tree = part(self.dialog, QTreeWidget)
        self.field = part(part(self.dialog, ShortcutsPage), QKeySequenceEdit)

    def row(self, text: str) -> QTreeWidgetItem:
        flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
        return self.tree.findItems(text, flags)[0]

    def record(self, text: str, keys: str) -> None:
        self.tree.setCurrentItem(self.row(text))
        self.field.setKeySequence(QKeySequence(keys))

    def said(self) -> str:
        return " ".join(label.text() for label in part(self.dialog, ShortcutsPage).findChildren(QLabel))

    def press(self, text: str) -> None:
        next(button for button in self.dialog.findChildren(QPushButton) if button.text() == text).click()


def part(widget: QWidget, kind: type[W]) -> W:
    found = widget.findChild(kind)
    assert isinstance(found, kind)
    return found


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow(QPlainTextEdit(), QWidget(), ShownStatus())
    qtbot.addWidget(window)
    return window


def test_recorded_keys_are_stored_and_used(window: MainWindow, qtbot: QtBot) -> None:
    page = Page(window, Settings(), qtbot)
    page.record("New conversation", "Ctrl+Alt+N")
    page.record("Dark", "Ctrl+Alt+D")
    assert page.row("Dark").text(1) == "Ctrl+Alt+D"
    with qtbot.waitSignal(page.dialog.settings_changed) as changed:
        page.press("Save")
    settings = changed.args[0]
    assert isinstance(settings, Settings)
    assert settings.shortcuts == {"file.new_conversation": "Ctrl+Alt+N", "theme.dark": "Ctrl+Alt+D"}
    window.commands.use(settings.shortcuts)
    assert window.menus.new_conversation.shortcut() == QKeySequence("Ctrl+Alt+N")


def test_a_conflict_names_the_other_command(window: MainWindow, qtbot: QtBot) -> None:
    page = Page(window, Settings(), qtbot)
    page.record("New conversation", "Ctrl+K")
    assert "These keys also belong to: Search." in page.said()
    page.press("Reset")
    assert "also belong" not in page.said()
    assert page.row("New conversation").text(1) == "Ctrl+N"


def test_keys_are_removed_and_reset(window: MainWindow, qtbot: QtBot) -> None:
    page = Page(window, Settings(shortcuts={"file.quit": "F8", "of.another.version": "F7"}), qtbot)
    assert page.row("Quit").text(1) == "F8"
    page.tree.setCurrentItem(page.row("Search"))
    page.press("No keys")
    assert page.dialog.settings().shortcuts == {"file.quit": "F8", "edit.search": "", "of.another.version": "F7"}
    page.press("Reset all")
    assert page.dialog.settings().shortcuts == {}


def test_the_filter_hides_what_does_not_fit(window: MainWindow, qtbot: QtBot) -> None:
    page = Page(window, Settings(), qtbot)
    part(part(page.dialog, ShortcutsPage), FilterField).setText("ctrl+shift+p")
    assert not page.row("Find a command…").isHidden()
    assert page.row("Quit").isHidden()
    head = page.row("Quit").parent()
    assert head is not None
    assert head.isHidden()


def test_every_page_is_opened_by_its_title(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings())
    qtbot.addWidget(dialog)
    for title in page_titles():
        dialog.show_page(title)
    dialog.show_page("No such page")


def test_two_keys_in_succession_stay_when_their_row_is_chosen_and_can_be_recorded(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = Page(window, Settings(), qtbot)
    page.tree.setCurrentItem(page.row("Dark"))
    assert page.row("Dark").text(1) == "Ctrl+J, D"
    QTest.keySequence(page.field, QKeySequence("Ctrl+J, K"))
    qtbot.waitUntil(lambda: page.row("Dark").text(1) == "Ctrl+J, K")
