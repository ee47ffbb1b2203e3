"""Every command of the window has keys of its own, and two keys in succession call one, too."""

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.command_parts import keys_text, plain_text
from desktop_rag.settings import Theme

pytestmark = pytest.mark.processes


def test_every_command_has_keys_that_call_no_other_one(app: App) -> None:
    commands = app.window.commands
    every = [(part, action) for part in commands.parts for action in part.actions]
    assert len(every) > 80
    assert [f"{part.title}: {plain_text(action)}" for part, action in every if not keys_text(action)] == []
    assert [action.text() for part, action in every if commands.conflicts({}, part.key_of(action))] == []


def test_no_keys_are_the_first_of_two(app: App) -> None:
    every = (action.shortcut() for part in app.window.commands.parts for action in part.actions)
    keys = {shortcut for shortcut in every if not shortcut.isEmpty()}
    partly = QKeySequence.SequenceMatch.PartialMatch
    assert [one.toString() for one in keys for other in keys if one.matches(other) == partly] == []


def test_a_theme_is_chosen_by_keys(app: App, qtbot: QtBot) -> None:
    qtbot.waitExposed(app.window)
    with qtbot.waitSignal(app.window.theme_chosen) as chosen:
        QTest.keySequence(app.window, QKeySequence("Ctrl+J, D"))
    assert chosen.args == [Theme.DARK]


@pytest.mark.parametrize(("keys", "tab"), [("Ctrl+Shift+X", "Problems"), ("Ctrl+Shift+S", "Statistics")])
def test_the_tabs_of_the_page_of_all_files_are_opened_by_keys(app: App, qtbot: QtBot, keys: str, tab: str) -> None:
    qtbot.waitExposed(app.window)
    QTest.keySequence(app.window, QKeySequence(keys))
    tabs = app.files_page.tabs
    assert tabs.isVisible()
    assert tabs.tabText(tabs.currentIndex()) == tab
    assert tabs.hasFocus()
    entries = [entry.title for entry in app.window.palette_control.entries()]
    assert f"{tab} of the library" in entries
    QTest.keySequence(app.window, QKeySequence("Ctrl+Shift+L"))
    assert tabs.tabText(tabs.currentIndex()) == "Files"
    assert app.files_page.list.filter.hasFocus()
