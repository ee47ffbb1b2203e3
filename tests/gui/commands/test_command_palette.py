"""The palette offers every command, says why one is not possible, and runs by keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.command_palette import CommandPalette, PaletteEntry
from desktop_rag.gui.command_parts import plain_text
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.settings import Theme
from tests.gui.library_values import folder, library

TEXT = Qt.ItemDataRole.AccessibleTextRole
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def window(qtbot: QtBot, status: ShownStatus) -> Iterator[MainWindow]:
    window = MainWindow(QPlainTextEdit(), QWidget(), status)
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


class Opened:
    """An open palette with its parts."""

    def __init__(self, window: MainWindow) -> None:
        window.menus.palette.trigger()
        self.dialog = next(each for each in window.findChildren(CommandPalette) if each.isVisible())
        field, rows = self.dialog.findChild(FilterField), self.dialog.findChild(QListView)
        assert isinstance(field, FilterField)
        assert isinstance(rows, QListView)
        self.field, self.list = field, rows

    def said(self) -> list[str]:
        model = self.list.model()
        return [str(model.index(row, 0).data(TEXT)) for row in range(model.rowCount())]

    def current(self) -> str:
        return str(self.list.currentIndex().data(TEXT))


def test_every_command_of_the_menus_is_offered_with_its_keys(window: MainWindow) -> None:
    palette = Opened(window)
    said = palette.said()
    assert "New conversation, File, Ctrl+N" in said
    assert "Why is a file found or not?…, Edit, Ctrl+Shift+I" in said
    assert "Dark, Theme, Ctrl+J, D" in said
    listed = {line.partition(",")[0] for line in said}
    assert {plain_text(action) for part in window.menus.commands() for action in part.actions} <= listed
    palette.dialog.close()


def test_it_is_painted_in_a_turn_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    palette = Opened(window)
    assert not palette.dialog.updatesEnabled()
    qtbot.waitUntil(palette.dialog.updatesEnabled)
    palette.dialog.close()


def test_a_click_beside_it_closes_it(window: MainWindow, qtbot: QtBot) -> None:
    palette = Opened(window)
    assert not palette.dialog.isModal()
    QApplication.sendEvent(palette.dialog, QEvent(QEvent.Type.WindowDeactivate))
    qtbot.waitUntil(lambda: not window.findChildren(CommandPalette))


def test_enter_runs_what_the_typed_letters_find(window: MainWindow, qtbot: QtBot) -> None:
    palette = Opened(window)
    QTest.keyClicks(palette.field, "xylophone")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.dialog.isVisible()  # nothing is called so
    palette.field.clear()
    QTest.keyClicks(palette.field, "dark")
    with qtbot.waitSignal(window.theme_chosen) as chosen:
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert chosen.args == [Theme.DARK]


def test_the_arrows_move_and_are_read_aloud(window: MainWindow) -> None:
    palette = Opened(window)
    QTest.keyClicks(palette.field, "conversation")
    first = palette.current()
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.current() != first
    assert palette.field.accessibleDescription() == palette.current()
    assert palette.field.accessibleName()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.dialog.isVisible()


def test_a_disabled_command_says_why_and_does_not_run(window: MainWindow) -> None:
    palette = Opened(window)
    QTest.keyClicks(palette.field, "undo the last")
    assert palette.current().endswith("not possible now: Nothing that can be undone was changed in the last seconds")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.dialog.isVisible()
    palette.field.setText("check for changes")
    assert "No folder is selected" in palette.current()
    palette.field.setText("rename")
    assert all("not possible now" in line for line in palette.said())
    palette.dialog.close()


def test_a_part_of_the_window_lists_only_what_is_possible_there(window: MainWindow, status: ShownStatus) -> None:
    palette = Opened(window)
    palette.field.setText("selected folder")
    assert palette.said() == []
    palette.field.setText("folder was")
    assert "No folder is selected" in palette.current()
    palette.dialog.close()
    status.update(library(folder(7)))
    palette = Opened(window)
    palette.field.setText("selected folder")
    assert "Check for changes now, On the selected folder, F5" in palette.said()
    palette.dialog.close()


def test_conversations_are_opened_by_title(window: MainWindow, qtbot: QtBot) -> None:
    summary = ConversationSummary(ConversationId(7), "Rent & pets,\nin <b>May</b>", 1, 1)
    window.conversations.show_conversations([summary])
    palette = Opened(window)
    palette.field.setText("pets")
    assert palette.current() == "Rent & pets, in <b>May</b>, Conversation"
    with qtbot.waitSignal(window.conversations.conversation_chosen) as chosen:
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert chosen.args == [ConversationId(7), 0]


def test_the_last_used_commands_stand_first(window: MainWindow, qtbot: QtBot) -> None:
    for text in ("dark", "light"):
        palette = Opened(window)
        palette.field.setText(text)
        with qtbot.waitSignal(window.theme_chosen):
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
    palette = Opened(window)
    assert palette.said()[:2] == ["Light, Theme, Ctrl+J, L", "Dark, Theme, Ctrl+J, D"]
    palette.dialog.close()


def test_a_source_of_the_owner_is_asked_whenever_the_palette_opens(window: MainWindow) -> None:
    names: list[str] = []
    window.palette_control.add_source(lambda: [PaletteEntry("", name, "Document", int) for name in names])
    palette = Opened(window)
    assert not [line for line in palette.said() if line.endswith(", Document")]
    palette.dialog.close()
    names.append("Lease.pdf")
    palette = Opened(window)
    assert "Lease.pdf, Document" in palette.said()
    palette.dialog.close()


def test_its_keys_open_it_also_after_they_were_changed(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for keys, key, held in (({}, Qt.Key.Key_P, both), ({"help.palette": "F7"}, Qt.Key.Key_F7, NONE)):
        window.commands.use(keys)
        QTest.keyClick(window, key, held)
        [dialog] = [each for each in window.findChildren(CommandPalette) if each.isVisible()]
        dialog.close()
        qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_P, both)
    assert not [each for each in window.findChildren(CommandPalette) if each.isVisible()]


def test_an_editing_command_acts_on_the_field_that_had_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    field = window.findChild(QPlainTextEdit)
    assert isinstance(field, QPlainTextEdit)
    field.setPlainText("When is the rent due?")
    field.setFocus()
    palette = Opened(window)
    palette.field.setText("select all")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: field.textCursor().selectedText() == "When is the rent due?")


def test_every_entry_of_the_menu_bar_is_a_command_with_a_name_of_its_own(window: MainWindow) -> None:
    keys = [part.key_of(action) for part in window.commands.parts for action in part.actions]
    assert len(keys) == len(set(keys))
    commands = [action for part in window.commands.parts for action in part.actions]
    for menu in window.menuBar().findChildren(QMenu):
        for action in menu.actions():
            assert action.isSeparator() or isinstance(action.menu(), QMenu) or action in commands, action.text()


def test_what_is_not_possible_stands_below_the_documents_found(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(900, 600)
    entries = [
        PaletteEntry("", f"Find {name}", "Edit", int, blocked=why) for name, why in (("a", "Nothing"), ("b", ""))
    ]
    dialog = CommandPalette(entries, parent)
    rows, field = dialog.findChild(QListView), dialog.findChild(FilterField)
    assert isinstance(rows, QListView)
    assert isinstance(field, FilterField)

    def titles() -> list[str]:
        return [str(rows.model().index(row, 0).data()) for row in range(rows.model().rowCount())]

    field.setText("find")
    assert titles() == ["Find b", "Find a"]
    dialog.show_found("find", [PaletteEntry("", "Find.pdf", "Document", int)])
    assert titles() == ["Find b", "Find.pdf", "Find a"]
    assert rows.currentIndex().data() == "Find b"
    field.setText("find a")
    dialog.show_found("find a", [PaletteEntry("", "Find A.pdf", "Document", int)])
    assert titles() == ["Find A.pdf", "Find a"]
    assert rows.currentIndex().data() == "Find A.pdf"


def test_documents_with_what_is_typed_stand_above_what_only_resembles_it(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(900, 600)
    entries = [PaletteEntry("", "Appearance", "Settings", int), PaletteEntry("", "New paper", "File", int)]
    dialog = CommandPalette(entries, parent)
    dialog.looks_further = True
    field, rows = dialog.findChild(FilterField), dialog.findChild(QListView)
    assert isinstance(field, FilterField)
    assert isinstance(rows, QListView)

    def titles() -> list[str]:
        return [str(rows.model().index(row, 0).data()) for row in range(rows.model().rowCount())]

    field.setText("paper")
    dialog.show_found("paper", [PaletteEntry("", "paper.tex", "Document", int)])
    assert titles() == ["paper.tex", "New paper"]  # its name begins with it
    assert rows.currentIndex().data() == "paper.tex"
    field.setText("pape")
    dialog.show_found("pape", [PaletteEntry("", "A paper.tex", "Document", int)])
    assert titles() == ["New paper", "A paper.tex"]
    assert rows.currentIndex().data() == "New paper"
    field.setText("paper.")
    assert titles() == ["New paper"]
    dialog.show_found("paper.", [PaletteEntry("", "paper.tex", "Document", int)])
    assert titles() == ["paper.tex", "New paper"]
    assert rows.currentIndex().data() == "paper.tex"  # Enter opens it


def test_return_waits_for_documents_that_may_fit_better(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(900, 600)
    chosen: list[str] = []

    def opened(typed: str) -> CommandPalette:
        dialog = CommandPalette([PaletteEntry("", "What does the lease say?", "Conversation", int)], parent)
        dialog.looks_further = True
        dialog.chosen.connect(lambda entry: chosen.append(entry.title))
        field = dialog.findChild(FilterField)
        assert isinstance(field, FilterField)
        field.setText(typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        return dialog

    dialog = opened("lease")
    assert chosen == []
    dialog.show_found("lease", [PaletteEntry("", "lease.pdf", "Document", int)])
    assert chosen == ["lease.pdf"]
    opened("lease").show_found("lease", [])
    assert chosen[1:] == ["What does the lease say?"]
    opened("what does")  # no document comes before it
    assert chosen[2:] == ["What does the lease say?"]
    dialog = opened("say")
    field = dialog.findChild(FilterField)
    assert isinstance(field, FilterField)
    QTest.keyClick(field, Qt.Key.Key_Return)  # again: without waiting
    assert chosen[3:] == ["What does the lease say?"]
    dialog = opened("lease")
    field = dialog.findChild(FilterField)
    assert isinstance(field, FilterField)
    field.setText("lease p")
    dialog.show_found("lease p", [PaletteEntry("", "lease p.pdf", "Document", int)])
    assert len(chosen) == 4  # Return was for another text
