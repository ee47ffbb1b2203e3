"""The window holds its parts, takes drops everywhere, and remembers its shape."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.command_parts import keys_text
from desktop_rag.gui.conversation.composer.scope_row import FolderChip
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.bounded_dialog import keep_on_screen
from desktop_rag.gui.widgets.drop_zone import DropZone, dropped_paths
from desktop_rag.gui.window.help_dialogs import AboutDialog, GuideDialog, ShortcutsDialog
from desktop_rag.gui.window.main_window import MainWindow, Pages
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import FolderId
from desktop_rag.settings import Theme
from tests.gui.library_values import folder, library
from tests.gui.viewer.memory_retriever import MemoryRetriever
from tests.gui.window.conftest import MakeWindow, part


def drag(target: QWidget, *urls: str) -> tuple[bool, bool]:
    """Drag `urls` over `target` and let go as a file manager would; return what was accepted."""
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    point = target.rect().center()
    enter = QDragEnterEvent(point, copy, data, left, none)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False, False
    drop = QDropEvent(QPointF(point), copy, data, left, none)
    QApplication.sendEvent(target, drop)
    return True, drop.isAccepted()


def test_the_window_is_never_larger_than_its_screen(make_window: MakeWindow, own_data_home: Path) -> None:
    first = make_window()
    room = first.screen().availableGeometry()
    assert room.contains(first.frameGeometry())
    first.resize(3000, 2000)
    first.move(2500, 1500)
    first.close()
    assert room.contains(make_window().frameGeometry())


def test_a_small_sharp_screen_gets_a_smaller_window(window: MainWindow) -> None:
    screen = next(each for each in QApplication.screens() if each.name() == "small and sharp")
    small = screen.availableGeometry()
    window.move(small.center())
    window.setScreen(screen)
    keep_on_screen(window)
    assert small.contains(window.frameGeometry())


def test_a_maximised_window_may_be_as_small_as_its_screen(window: MainWindow) -> None:
    screen = next(each for each in QApplication.screens() if each.name() == "small and sharp")
    window.setScreen(screen)
    window.setMinimumSize(5000, 4000)
    window.showMaximized()
    keep_on_screen(window)
    room = window.screen().availableGeometry()
    assert (window.minimumWidth(), window.minimumHeight()) <= (room.width(), room.height())
    assert window.isMaximized()


def test_the_sidebar_gives_way_to_the_document_on_a_narrow_screen(window: MainWindow) -> None:
    window.setMinimumSize(600, 400)
    window.resize(700, 500)
    window.open_document_pane()
    assert not window.menus.show_sidebar.isChecked()
    window.close_document_pane()
    assert window.menus.show_sidebar.isChecked()


def test_at_1280_the_sidebar_folds_so_that_answer_and_document_have_room(window: MainWindow) -> None:
    window.resize(1280, 740)
    sidebar, document = window.menus.show_sidebar, window.menus.show_document
    columns = next(each for each in window.findChildren(QSplitter) if each.count() == 3)
    document.trigger()
    assert not sidebar.isChecked()
    assert columns.sizes()[1] >= 680
    assert columns.sizes()[2] >= 500
    document.trigger()
    assert sidebar.isChecked()
    document.trigger()
    sidebar.trigger()  # who wants all three columns has them, also the next time
    for _ in range(2):
        assert sidebar.isChecked()
        assert document.isChecked()
        document.trigger()
        document.trigger()


def test_the_folders_have_the_height_they_need_until_the_line_is_moved(
    window: MainWindow, status: ShownStatus, make_window: MakeWindow
) -> None:
    def heights() -> list[int]:
        split = next(each for each in window.findChildren(QSplitter) if each.orientation() is Qt.Orientation.Vertical)
        return split.sizes()

    window.resize(1280, 740)
    QApplication.processEvents()
    status.update(library(folder(1)))
    few = heights()[0]
    status.update(library(*(folder(number, f"/home/anna/{number}".encode()) for number in range(1, 7))))
    assert heights()[0] > few + 60
    split = next(each for each in window.findChildren(QSplitter) if each.orientation() is Qt.Orientation.Vertical)
    split.moveSplitter(300, 1)
    status.update(library(folder(1)))
    assert abs(heights()[0] - 300) < 3
    window.close()
    window = make_window()
    window.resize(1280, 740)
    status.update(library(folder(1)))
    QApplication.processEvents()
    assert abs(heights()[0] - 300) < 12
    window.close()


def test_sidebar_and_document_give_way_to_each_other_on_a_narrow_screen(window: MainWindow) -> None:
    window.setMinimumSize(600, 300)
    window.resize(683, 384)
    window.show()
    window.open_document_pane()
    sidebar, document = window.menus.show_sidebar, window.menus.show_document
    columns = next(each for each in window.findChildren(QSplitter) if each.count() == 3)
    for shown in (True, False, True, False):
        sidebar.trigger()
        assert (sidebar.isChecked(), document.isChecked()) == (shown, not shown)
        QApplication.processEvents()
        places = [each.geometry() for each in map(columns.widget, range(3)) if each is not None and each.isVisible()]
        assert all(left.right() < right.left() for left, right in pairwise(places))
        assert places[-1].right() < columns.width()
    document.trigger()
    assert sidebar.isChecked()  # as it was before the document was opened
    document.trigger()
    assert document.isChecked()
    assert not sidebar.isChecked()


def test_the_list_of_shortcuts_scrolls_on_a_small_screen(window: MainWindow) -> None:
    rows = tuple((f"Action {n}", f"Ctrl+{n}") for n in range(80))
    sheet = ShortcutsDialog((("All", rows), ("More", rows)), window)
    sheet.show()
    assert sheet.screen().availableGeometry().contains(sheet.frameGeometry())
    area = sheet.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert area.horizontalScrollBar().maximum() == 0
    sheet.close()


def test_a_folder_can_be_dropped_on_the_window(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.library.folders_dropped) as dropped:
        assert drag(window, tmp_path.as_uri(), tmp_path.as_uri()) == (True, True)
    assert dropped.args == [(bytes(tmp_path),)]
    assert not part(window, DropZone).isVisible()


def test_the_overlay_shows_while_files_hover_and_goes_with_them(window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl(tmp_path.as_uri())])
    zone = part(window, DropZone)
    QApplication.sendEvent(
        window,
        QDragEnterEvent(
            QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        ),
    )
    assert zone.isVisible()
    assert zone.geometry() == window.rect()
    assert not window.grab().isNull()
    QApplication.sendEvent(zone, QEvent(QEvent.Type.DragLeave))
    zone.hide()


def test_a_text_field_lets_files_pass_to_the_window(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    field = window.findChild(QPlainTextEdit)
    assert isinstance(field, QPlainTextEdit)
    with qtbot.waitSignal(window.library.folders_dropped):
        drag(field.viewport(), tmp_path.as_uri())
        drag(window, tmp_path.as_uri())
    assert field.toPlainText() == ""


def test_links_are_not_taken(window: MainWindow) -> None:
    assert drag(window, "https://example.org/a.pdf") == (False, False)


@pytest.mark.skipif("os.name != 'posix'")
def test_a_name_that_is_no_text_keeps_its_bytes() -> None:
    data = QMimeData()
    data.setUrls([QUrl("file:///a/%FF%20b/"), QUrl("file://host/share"), QUrl("http://x/")])
    assert dropped_paths(data) == (b"/a/\xff b",)


def test_the_document_pane_opens_and_closes(window: MainWindow, qtbot: QtBot) -> None:
    columns = next(each for each in window.findChildren(QSplitter) if each.orientation() is Qt.Orientation.Horizontal)
    assert columns.sizes()[2] == 0
    window.open_document_pane()
    assert columns.sizes()[2] >= 320
    window.menus.show_document.trigger()
    qtbot.waitUntil(lambda: columns.sizes()[2] == 0)


def test_a_closed_document_hands_the_focus_to_the_page_beside_it(qtbot: QtBot) -> None:
    viewer, pane = ViewerPanel(MemoryRetriever()), ConversationPane(ViewerRequests(), ShownStatus())
    window = MainWindow(Pages(pane), viewer, ShownStatus())
    qtbot.addWidget(window)
    window.show()
    window.open_document_pane()
    read = QLineEdit(viewer)
    read.show()
    read.setFocus()
    assert window.focusWidget() is read
    window.menus.show_document.trigger()
    assert window.focusWidget() is pane.composer.focusProxy()
    window.close()
    viewer.shutdown()


def test_three_columns_fit_the_smallest_window(qtbot: QtBot) -> None:
    viewer = ViewerPanel(MemoryRetriever())
    window = MainWindow(ConversationPane(ViewerRequests(), ShownStatus()), viewer, ShownStatus())
    qtbot.addWidget(window)
    window.resize(window.minimumSize())
    window.show()
    window.open_document_pane()
    window.menus.show_sidebar.trigger()
    columns = next(each for each in window.findChildren(QSplitter) if each.orientation() is Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: columns.width() == 900)
    places = [column.geometry() for number in range(3) if (column := columns.widget(number))]
    assert all(left.right() < right.left() for left, right in pairwise(places))
    assert places[2].right() < 900
    window.close()
    viewer.shutdown()


def test_closing_says_so_once(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.closing):
        window.menus.quit.trigger()


@pytest.mark.parametrize(
    ("action", "emitter"),
    [
        ("settings", lambda window: window.settings_requested),
        ("ask", lambda window: window.question_requested),
        ("find", lambda window: window.find_requested),
        ("new_conversation", lambda window: window.conversations.new_requested),
    ],
)
def test_menus_report(window: MainWindow, qtbot: QtBot, action: str, emitter: Callable[[MainWindow], object]) -> None:
    chosen = getattr(window.menus, action)
    assert isinstance(chosen, QAction)
    with qtbot.waitSignal(emitter(window)):
        chosen.trigger()


def test_the_theme_menu_reports_and_shows_the_theme(window: MainWindow, qtbot: QtBot) -> None:
    window.show_theme(Theme.LIGHT)
    with qtbot.waitSignal(window.theme_chosen) as chosen:
        window.menus.themes[Theme.DARK].trigger()
    assert chosen.args == [Theme.DARK]


def test_no_two_commands_share_a_shortcut(window: MainWindow) -> None:
    keys = [keys for part in window.menus.commands() for action in part.actions if (keys := keys_text(action))]
    assert len(keys) == len(set(keys)) > 8


def test_editing_reaches_the_focused_field(window: MainWindow) -> None:
    field = window.findChild(QPlainTextEdit)
    assert isinstance(field, QPlainTextEdit)
    field.setPlainText("copied")
    field.setFocus()
    for text in ("Select all", "Copy"):
        next(a for a in window.findChildren(QAction) if a.text().startswith(text)).trigger()
    assert QApplication.clipboard().text() == "copied"


@pytest.mark.parametrize(
    ("action", "kind"), [("guide", GuideDialog), ("shortcuts", ShortcutsDialog), ("about", AboutDialog)]
)
def test_help_opens(window: MainWindow, action: str, kind: type[QDialog]) -> None:
    chosen = getattr(window.menus, action)
    assert isinstance(chosen, QAction)
    chosen.trigger()
    dialog = window.findChild(kind)
    assert isinstance(dialog, QDialog)
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_list_of_shortcuts_shows_all_keys_on_a_narrow_screen(window: MainWindow, qtbot: QtBot) -> None:
    rows = (("Do what this long sentence says, as carefully as possible", "Ctrl+Shift+Alt+PgDown"),) * 5
    sheet = ShortcutsDialog((("File", rows), ("Edit", rows)), window)
    sheet.show()
    qtbot.waitExposed(sheet)
    (area,) = sheet.findChildren(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0


def test_the_list_of_shortcuts_is_filtered(window: MainWindow) -> None:
    sheet = ShortcutsDialog((("File", (("Quit", "Ctrl+Q"), ("New", "Ctrl+N"))), ("Edit", (("Find", "F3"),))), window)
    sheet.show()
    field = sheet.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText("ctrl q")
    shown = {label.text() for label in sheet.findChildren(QLabel) if label.isVisible()}
    assert shown == {"File", "Quit", "Ctrl+Q"}
    field.clear()
    assert all(label.isVisible() for label in sheet.findChildren(QLabel))
    sheet.close()


def test_f1_lists_the_keys_of_every_part(make_window: MakeWindow) -> None:
    window = make_window()
    window.menus.shortcuts.trigger()
    (dialog,) = window.findChildren(ShortcutsDialog)
    said = {label.text() for label in dialog.findChildren(QLabel)}
    assert {"File", "On the selected folder", "On the selected conversation", "Ctrl+N", "Rename", "F2"} <= said
    assert dialog.height() <= 800
    dialog.close()


def test_the_status_line_tells_progress_when_the_library_is_hidden(window: MainWindow, status: ShownStatus) -> None:
    status.update(library(folder(1, ready=4), phase=IndexingPhase.SCANNING))
    window.show_model("Built-in model")
    assert status_line(window) == {"Words: 10 of 10 files", "", "Built-in model"}
    window.menus.show_sidebar.trigger()
    assert status_line(window) == {"Words: 10 of 10 files", "Looking for changes", "Built-in model"}


def status_line(window: MainWindow) -> set[str]:
    bar = window.statusBar()
    labels = {label.accessibleName() for label in bar.findChildren(QLabel)}
    return labels | {button.text() for button in bar.findChildren(QPushButton) if not button.isHidden()}


@pytest.mark.parametrize(("found", "said"), [(1, "1 file"), (3, "1 of 3 files can be searched")])
def test_the_status_line_counts_files(window: MainWindow, status: ShownStatus, found: int, said: str) -> None:
    for ready, phase in ((0, IndexingPhase.ENCODING), (1, IndexingPhase.IDLE))[found == 1 :]:  # as their page does
        shown = folder(1, found=found, searchable=1, ready=ready, failed=found - 1)
        status.update(library(shown, phase=phase))
        assert said in status_line(window)


def test_the_total_does_not_shrink_while_files_turn_out_unreadable(window: MainWindow, status: ShownStatus) -> None:
    for failed in (0, 2, 5):
        shown = folder(1, found=20, searchable=10, ready=0, failed=failed)
        status.update(library(shown, phase=IndexingPhase.READING))
        assert "Words: 10 of 20 files" in status_line(window)


def test_the_number_of_files_in_the_status_line_lists_them(
    window: MainWindow, status: ShownStatus, qtbot: QtBot
) -> None:
    status.update(library(folder(1, found=1, searchable=1, ready=1)))
    (count,) = (button for button in window.statusBar().findChildren(QPushButton) if button.text() == "1 file")
    with qtbot.waitSignal(window.files_requested):
        count.click()


def test_the_model_in_the_status_line_opens_the_settings(window: MainWindow, qtbot: QtBot) -> None:
    window.show_model("llama")
    names = {button.accessibleName(): button for button in window.statusBar().findChildren(QPushButton)}
    button = names["Model in use: llama"]
    with qtbot.waitSignal(window.models_requested):
        button.click()


def test_every_control_has_a_name(window: MainWindow, status: ShownStatus) -> None:
    status.update(library(folder(1), phase=IndexingPhase.READING))
    for control in (button for button in window.findChildren(QAbstractButton) if button.isVisible()):
        assert control.text() or control.accessibleName(), control


def test_nothing_of_the_library_that_was_left_stays_in_the_window(status: ShownStatus, qtbot: QtBot) -> None:
    pane = ConversationPane(ViewerRequests(), status)
    window = MainWindow(pane, QWidget(), status)
    qtbot.addWidget(window)
    window.show()

    def texts() -> str:
        labels: list[QLabel | QPushButton] = [*window.findChildren(QLabel), *window.findChildren(QPushButton)]
        return " ".join(label.accessibleName() or label.text() for label in labels if label.isVisible())

    status.update(library(folder(1), folder(2, b"/home/anna/Boat"), phase=IndexingPhase.READING))
    pane.composer.findChildren(FolderChip)[1].click()
    assert pane.composer.scope_row.folders() == (FolderId(2),)
    assert "Words: 20 of 20 files" in texts()
    status.reset()
    assert status.current is UNKNOWN
    assert pane.composer.scope_row.folders() == ()
    assert window.library.name_of(FolderId(1)) == ""
    assert "Words:" not in texts()
    assert "is empty" not in texts()  # that is not known yet
    assert not any(b.isVisible() for b in window.findChildren(QPushButton) if b.text() == "Try the sample library")
    status.update(library())
    assert "Your library is empty" in texts()
    assert any(b.isVisible() for b in window.findChildren(QPushButton) if b.text() == "Try the sample library")
    window.close()
