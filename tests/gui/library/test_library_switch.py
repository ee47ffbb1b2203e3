"""The menu of libraries and the dialogs behind it, by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.library_dialogs import ForgetDialog, NameDialog
from desktop_rag.gui.library.library_switch import LibrarySwitch
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.index.libraries import KnownLibrary
from tests.gui.tab_order import tab_stops

HOME = KnownLibrary("My library", Path("/home/anna/library"))
WORK = KnownLibrary("R&D <b>", Path("/media/disk/work"))


@pytest.fixture
def switch(qtbot: QtBot) -> Iterator[LibrarySwitch]:
    switch = LibrarySwitch()
    qtbot.addWidget(switch)
    switch.show_libraries(((HOME, False), (WORK, True)), HOME)
    switch.show()
    yield switch
    switch.menu.close()


def button(dialog: QWidget, text: str) -> QPushButton:
    return next(found for found in dialog.findChildren(QPushButton) if found.text() == text)


def test_the_keyboard_opens_the_menu_at_the_library_that_is_shown(switch: LibrarySwitch, qtbot: QtBot) -> None:
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert switch.menu.isVisible()
    assert switch.menu.activeAction().text() == "My library"
    QTest.keyClick(switch.menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(switch.library_chosen) as chosen:
        QTest.keyClick(switch.menu, Qt.Key.Key_Return)
    assert chosen.args == [WORK]


def test_the_menu_says_what_is_shown_and_what_is_missing(switch: LibrarySwitch) -> None:
    places = [action for action in switch.menu.actions() if action.isCheckable()]
    assert [(place.text(), place.isChecked()) for place in places] == [
        ("My library", True),
        ("R&&D <b> (not connected)", False),
    ]
    assert switch.accessibleName() == "Library “My library”: switch to another one"


def test_the_only_library_can_be_neither_removed_nor_deleted(switch: LibrarySwitch) -> None:
    switch.show_libraries(((HOME, False),), HOME)
    enabled = {action.text(): action.isEnabled() for action in switch.menu.actions() if action.text()}
    assert enabled["Rename…"]
    assert not enabled["Remove from this list…"]
    assert not enabled["Delete…"]


def test_a_name_is_needed(qtbot: QtBot) -> None:
    dialog = NameDialog("New library", "Create", place=True)
    qtbot.addWidget(dialog)
    dialog.show()
    (field,) = dialog.findChildren(QLineEdit)
    assert not button(dialog, "Create").isEnabled()
    assert tab_stops(dialog)[:2] == ["Name of the library", ""]  # and then the buttons, by their words
    QTest.keyClicks(field, " Work ")
    dialog.choose_place("/media/disk/work")
    with qtbot.waitSignal(dialog.named) as named:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert named.args == ["Work", Path("/media/disk/work")]


def test_enter_does_not_delete(qtbot: QtBot) -> None:
    dialog = QuestionDialog("Delete “Work”?", "Its index and its conversations are deleted.", "Delete")
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Return)


@pytest.mark.parametrize("quotes", [True, False])
def test_forgetting_asks_about_the_quotes(qtbot: QtBot, *, quotes: bool) -> None:
    dialog = ForgetDialog("Contracts", "12 documents", "3 stored answers use it.")
    qtbot.addWidget(dialog)
    dialog.show()
    (box,) = dialog.findChildren(QCheckBox)
    assert not box.isChecked()
    if quotes:
        QTest.keyClick(box, Qt.Key.Key_Space)
    with qtbot.waitSignal(dialog.confirmed) as confirmed:
        QTest.mouseClick(button(dialog, "Forget"), Qt.MouseButton.LeftButton)
    assert confirmed.args == [quotes]
