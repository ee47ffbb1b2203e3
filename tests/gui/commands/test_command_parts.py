"""Changed keys are used, kept apart from unknown ones, and conflicts are found."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.command_parts import CommandPart, Commands, new_command, plain_text, without_mnemonic


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[Commands]:
    widget = QWidget()
    qtbot.addWidget(widget)
    everywhere = (new_command(widget, "find", "&Find", "Ctrl+F"), new_command(widget, "quit", "Quit", "Ctrl+Q"))
    here = (new_command(widget, "find", "Find", "Ctrl+F"), new_command(widget, "mark", "Mark && note", ""))
    there = (new_command(widget, "open", "Open\tReturn", "Ctrl+E"),)
    parts = (CommandPart("menu", "Menu", everywhere, everywhere=True), CommandPart("page", "Page", here))
    yield Commands((*parts, CommandPart("list", "List", there, fixed=(("Next", "Down"),))), widget)
    widget.close()


def test_changed_keys_are_used_until_they_are_reset(made: Commands) -> None:
    quitting = made.parts[0].actions[1]
    made.use({"menu.quit": "Ctrl+Shift+Q", "gone.command": "Ctrl+1", "page.mark": "F7"})
    assert quitting.shortcut() == QKeySequence("Ctrl+Shift+Q")
    assert made.parts[1].actions[1].shortcut() == QKeySequence("F7")
    made.use({"menu.quit": ""})
    assert quitting.shortcut().isEmpty()
    made.use({})
    assert quitting.shortcut() == QKeySequence("Ctrl+Q")


def test_keys_that_make_no_sense_mean_none(made: Commands) -> None:
    made.use({"menu.quit": "Kontrolle+Ü+Ü"})
    assert made.parts[0].actions[1].shortcut().toString() in ("", "Kontrolle+Ü+Ü")


def test_conflicts_are_found_where_both_commands_could_hear_the_keys(made: Commands) -> None:

    def conflicts(chosen: dict[str, str], key: str) -> list[str]:
        return [plain_text(action) for action in made.conflicts(chosen, key)]

    assert conflicts({}, "menu.find") == []  # the same command in two places
    assert conflicts({"page.mark": "Ctrl+Q"}, "page.mark") == ["Quit"]
    assert conflicts({"page.mark": "Ctrl+Q"}, "menu.quit") == ["Mark & note"]
    assert conflicts({"page.mark": "Ctrl+E"}, "page.mark") == []  # another part of the window
    assert conflicts({"page.mark": "Ctrl+F"}, "page.mark") == ["Find", "Find"]
    assert conflicts({"menu.quit": ""}, "menu.quit") == []


def test_the_listing_has_every_command_with_keys_and_the_fixed_ones(made: Commands) -> None:
    assert made.listing() == (
        ("Menu", (("Find", "Ctrl+F"), ("Quit", "Ctrl+Q"))),
        ("Page", (("Find", "Ctrl+F"),)),
        ("List", (("Open", "Ctrl+E"), ("Next", "Down"))),
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("&File", "File"),
        ("文件(&F)", "文件"),
        ("Beenden", "Beenden"),
        ("Mark && note", "Mark & note"),
        ("f(x)", "f(x)"),
    ],
)
def test_a_text_without_its_mnemonic(text: str, shown: str) -> None:
    assert without_mnemonic(text) == shown
