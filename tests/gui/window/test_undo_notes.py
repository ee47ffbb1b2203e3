"""Deletions are undone from a note; notes cover nothing and wait for each other."""

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.index.records import FolderId
from tests.gui.library_values import folder, library
from tests.gui.window.conftest import part


def test_a_removed_folder_can_be_brought_back(window: MainWindow, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7)))
    window.library.remove_requested.emit(FolderId(7))
    toast = part(window, Toast)
    assert toast.accessibleName() == "Removed “Contracts” from the library"
    with qtbot.waitSignal(window.library.restore_requested) as asked:
        next(b for b in toast.findChildren(QAbstractButton) if b.text() == "Undo").click()
    assert asked.args == [7]
    assert not toast.isVisible()


def kept(number: int) -> ConversationSummary:
    return ConversationSummary(ConversationId(number), f"Lease {number}", 0, 1)


def test_a_deleted_conversation_can_be_brought_back_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.conversations
    panel.show_conversations([kept(3)])
    panel.delete_requested.emit(ConversationId(3))
    assert panel.title_of(ConversationId(3)) == ""
    with qtbot.assertNotEmitted(panel.delete_confirmed):
        window.menus.undo_removal.trigger()
    assert panel.title_of(ConversationId(3)) == "Lease 3"
    assert not window.menus.undo_removal.isEnabled()


def test_undo_of_a_deletion_is_no_key_of_a_text_field(window: MainWindow, qtbot: QtBot) -> None:
    """Else the field that has the focus once the open conversation is gone would take it."""
    field = QPlainTextEdit(window)
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    assert window.menus.undo_removal.shortcut() == QKeySequence("Ctrl+Alt+Z")
    press = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, held)
    press.ignore()
    QApplication.sendEvent(field, press)
    assert not press.isAccepted()


def test_archiving_is_undone_by_its_command(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.conversations
    panel.show_conversations([kept(3)])
    panel.archive_requested.emit(ConversationId(3), True)
    with qtbot.waitSignal(panel.archive_requested) as undone:
        window.menus.undo_removal.trigger()
    assert undone.args == [ConversationId(3), False]


def test_a_late_click_on_a_note_does_not_press_the_model(window: MainWindow, qtbot: QtBot) -> None:
    window.show()
    window.show_model("Ollama")
    window.show_toast("Removed")
    through = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    model = next(button for button in window.statusBar().findChildren(QPushButton) if button.text() == "Ollama")
    window.findChildren(Toast)[0].finish()
    assert model.testAttribute(through)
    qtbot.waitUntil(lambda: not model.testAttribute(through))


def test_a_note_waits_until_an_undo_is_no_longer_offered(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.conversations
    panel.show_conversations([kept(3)])
    panel.delete_requested.emit(ConversationId(3))
    with qtbot.assertNotEmitted(panel.delete_confirmed):
        window.show_toast("The disk is full")
        assert part(window, Toast).accessibleName() == "Deleted “Lease 3”"
        window.menus.undo_removal.trigger()
    assert part(window, Toast).accessibleName() == "The disk is full"


def test_a_long_note_is_shown_in_full(window: MainWindow) -> None:
    window.show()
    window.show_toast("The conversations could not be written because the disk is full. " * 4)
    toast = part(window, Toast)
    label = next(label for label in toast.findChildren(QLabel))
    QApplication.processEvents()
    assert label.height() >= label.heightForWidth(label.width())
    assert window.rect().contains(QRect(toast.mapTo(window, QPoint(0, 0)), toast.size()))


def test_a_note_covers_nothing(window: MainWindow) -> None:
    text = "The conversations could not be written because the disk is full. " * 4
    window.show_toast(text, "Show", window.bring_to_front)
    QApplication.processEvents()
    toast = part(window, Toast)
    place = QRect(toast.mapTo(window, QPoint(0, 0)), toast.size())
    others = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and not widget.isAncestorOf(toast)
        and not toast.isAncestorOf(widget)
        and widget is not toast
    ]
    assert len(others) > 10
    assert [w for w in others if place.intersects(QRect(w.mapTo(window, QPoint(0, 0)), w.size()))] == []


def test_a_deletion_is_final_when_the_note_goes_or_the_window_closes(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.conversations
    panel.show_conversations([kept(3), kept(4), kept(5)])
    erased: list[object] = []
    panel.delete_confirmed.connect(erased.append)
    panel.delete_requested.emit(ConversationId(3))
    panel.show_conversations([kept(3), kept(4), kept(5)])
    assert panel.title_of(ConversationId(3)) == ""
    panel.delete_requested.emit(ConversationId(4))
    assert erased == []  # both can be undone
    next(
        b for b in part(window, Toast).findChildren(QAbstractButton) if b.accessibleName() == "Close this note"
    ).click()
    assert erased == [3, 4]
    panel.delete_requested.emit(ConversationId(5))
    window.close()
    assert erased == [3, 4, 5]


def test_a_note_without_an_action_has_no_button(window: MainWindow) -> None:
    window.show_toast("Copied <b>all</b>")
    toast = part(window, Toast)
    assert [b.accessibleName() for b in toast.findChildren(QAbstractButton) if b.isVisible()] == ["Close this note"]
