"""The library panel shows statuses truly and reports what the person wants."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.library.library_dialogs import ScansDialog
from desktop_rag.gui.library.library_footer import LibraryFooter, TimeLeft, WorkMenu
from desktop_rag.gui.library.library_model import LibraryModel
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.index.file_rows import FolderContents
from desktop_rag.index.indexer_api import (
    IndexingPhase,
    LibraryStatus,
)
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.index.team_status import NOT_ADDED
from desktop_rag.text.display import one_line, shown_path
from tests.gui.files.browser import row
from tests.gui.library_values import folder, library
from tests.gui.tab_order import tab_stops


def rows(panel: LibraryPanel) -> QListView:
    return panel.findChild(QListView)  # type: ignore[return-value]  # the panel's only list


def texts(model: LibraryModel, role: int) -> list[str]:
    return [str(model.index(row).data(role)) for row in range(model.rowCount())]


def test_the_model_obeys_qt_while_folders_come_go_and_change_places(qtbot: QtBot) -> None:
    model = LibraryModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    a, b, c = folder(1, b"/a"), folder(2, b"/b"), folder(3, b"/c")
    for shown in ([a], [a, b, c], [c, a], [b, c, a], [a, b, c], [], [b]):
        model.show_folders(shown)
        assert texts(model, Qt.ItemDataRole.DisplayRole) == [s.path.decode()[1:] for s in shown]


def test_a_new_status_keeps_the_chosen_row(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(library(folder(1), folder(2, b"/b")))
    panel.select(FolderId(2))
    status.update(library(folder(2, b"/b", found=11)))
    assert rows(panel).currentIndex().data() == "b"


def test_a_removed_folder_is_not_shown(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(library(folder(1, state=FolderState.REMOVED), folder(2, b"/b")))
    assert rows(panel).model().rowCount() == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (folder(1), "10 files"),
        (folder(1, found=1, searchable=1, ready=1), "1 file"),
        (folder(1, found=0, searchable=0, ready=0), "No files found"),
        (folder(1, found=0, searchable=0, ready=0, scanning=True), "Looking for files…. Checking"),
        (folder(1, found=12, failed=2), "10 of 12 files. 2 not searchable"),
        (folder(1, found=11, skipped=1), "10 of 11 files. 1 not searchable"),
        (folder(1, found=11, failed=1), "10 of 11 files. 1 not searchable"),
        (folder(1, found=1, searchable=0, ready=0, failed=1), "No file was read. 1 not searchable"),
        (folder(1, found=1500, searchable=1200, ready=7), "Words: 1,200 of 1,500 files, meaning: 7"),
        (
            folder(1, found=20, searchable=12, ready=7, failed=1, skipped=4),
            "Words: 12 of 20 files, meaning: 7. 5 not searchable",
        ),
        (folder(1, state=FolderState.PAUSED), "10 files. Paused"),
        (folder(1, state=FolderState.OFFLINE), "10 files. Offline. Not here now; its text can still be searched"),
        (folder(1, note="Polled every minute"), "10 files. Polled every minute"),
    ],
)
def test_a_screen_reader_hears_all_a_row_shows(status: object, said: str) -> None:
    model = LibraryModel()
    model.show_folders([status])  # type: ignore[list-item]  # parametrised values are objects to mypy
    assert texts(model, Qt.ItemDataRole.AccessibleTextRole) == [f"Contracts. {said}"]


def test_a_finished_row_gives_back_the_room_of_its_bar(panel: LibraryPanel, status: ShownStatus) -> None:
    def height() -> int:
        index = rows(panel).model().index(0, 0)
        return rows(panel).visualRect(index).height()

    status.update(library(folder(1, ready=3)))
    busy = height()
    status.update(library(folder(1)))
    QGuiApplication.processEvents()
    assert height() < busy


@pytest.mark.parametrize("width", [150, 300, 900])
def test_rows_paint_at_any_width(panel: LibraryPanel, width: int, status: ShownStatus) -> None:
    long = b"/x/" + b"very long name " * 20
    status.update(
        library(
            folder(1, long, ready=3, failed=2, scanning=True, note="note " * 50),
            folder(2, b"/\xff\xfe not text", state=FolderState.PAUSED),
            folder(3, b"/", state=FolderState.OFFLINE, found=0, searchable=0, ready=0),
        )
    )
    panel.resize(QSize(width, 500))
    assert not panel.grab().isNull()


@pytest.mark.parametrize(
    ("key", "modifier", "signal"),
    [
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, "pause_requested"),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier, "rescan_requested"),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "remove_requested"),
        (Qt.Key.Key_P, Qt.KeyboardModifier.AltModifier, "problems_requested"),
    ],
)
def test_the_keyboard_reaches_every_action(
    panel: LibraryPanel, qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier, signal: str, status: ShownStatus
) -> None:
    status.update(library(folder(7, failed=1, found=11)))
    panel.select(FolderId(7))
    rows(panel).setFocus()
    with qtbot.waitSignal(getattr(panel, signal)) as asked:
        QTest.keyClick(rows(panel), key, modifier)
    assert asked.args == [7]


def test_a_folder_is_opened_in_the_file_manager(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7, path=b"/home/anna/Contracts")))
    panel.select(FolderId(7))
    rows(panel).setFocus()
    with qtbot.waitSignal(panel.opened_outside) as asked:
        QTest.keyClick(rows(panel), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.args == [Path("/home/anna/Contracts")]


def test_commands_act_on_the_only_folder_and_else_need_a_choice(
    panel: LibraryPanel, qtbot: QtBot, status: ShownStatus
) -> None:
    commands = panel.commands()
    (rescan,) = (action for action in commands.actions if action.text() == "Check for changes now")
    assert commands.blocked() == "No folder is selected"
    status.update(library(folder(7)))
    assert not commands.blocked()
    with qtbot.waitSignal(panel.rescan_requested) as asked:
        rescan.trigger()
    assert asked.args == [7]
    status.update(library(folder(7), folder(8, b"/home/anna/Boat")))
    assert commands.blocked() == "No folder is selected"
    assert not rescan.isEnabled()


def test_space_resumes_a_paused_folder(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7, state=FolderState.PAUSED)))
    panel.select(FolderId(7))
    rows(panel).setFocus()
    with qtbot.waitSignal(panel.resume_requested) as asked:
        QTest.keyClick(rows(panel), Qt.Key.Key_Space)
    assert asked.args == [7]


def test_the_problems_of_a_folder_get_their_own_line_where_there_is_no_room(
    panel: LibraryPanel, qtbot: QtBot, status: ShownStatus
) -> None:
    status.update(library(folder(7, failed=300_000, skipped=100_000, found=400_010)))
    view = rows(panel)

    def height(width: int) -> int:
        panel.setFixedWidth(width)
        qtbot.waitUntil(lambda: width - 40 < view.viewport().width() <= width)  # with or without a scroll bar
        return view.sizeHintForRow(0)

    assert height(600) < height(190)
    with qtbot.waitSignal(panel.problems_requested):
        click_at_right(panel, view.viewport().width() - 60, height(190) - 18)


def click_at_right(panel: LibraryPanel, from_right: int, from_top: int) -> None:
    view = rows(panel)
    row: QModelIndex = view.model().index(0, 0)
    rect = view.visualRect(row)
    point = QPoint(rect.right() - from_right, rect.top() + from_top)
    QTest.mouseMove(view.viewport(), point)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)


def test_the_small_buttons_of_a_row_can_be_clicked(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7, failed=3, found=13)))
    with qtbot.waitSignal(panel.pause_requested) as paused:
        click_at_right(panel, 48, 18)
    with qtbot.waitSignal(panel.problems_requested) as problems:
        click_at_right(panel, 20, 54)
    click_at_right(panel, 22, 18)
    assert paused.args == problems.args == [7]
    menus = [menu for menu in panel.findChildren(QMenu) if menu.isVisible()]
    assert [action.text() for action in menus[0].actions() if action.text()] == [
        "Show its files",
        "Show problems",
        "Rules…",
        "Why is a file found or not?…",
        "Pause",
        "Check for changes now",
        "Open in the file manager",
        "Copy path",
        "Folder was moved…",
        "Remove from library (can be undone)",
        "Forget: erase its text for good…",
    ]


def test_an_empty_library_shows_the_next_step(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library())
    add, sample = (b for b in panel.findChildren(QPushButton) if b.isVisible())
    with qtbot.waitSignal(panel.add_folder_requested):
        add.click()
    with qtbot.waitSignal(panel.sample_requested):
        sample.click()
    status.update(library(folder(1)))
    assert not add.isVisible()


def test_the_footer_tells_file_pace_and_time(qtbot: QtBot) -> None:
    status = ShownStatus()
    parent = QWidget()
    qtbot.addWidget(parent)
    footer = LibraryFooter(status, WorkMenu(parent))
    qtbot.addWidget(footer)
    status.update(
        LibraryStatus((folder(1),), IndexingPhase.READING, b"/a/lease.pdf", files_per_second=3.2, eta_seconds=185.0)
    )
    assert footer.status_text() == "Reading lease.pdf · about 3 minutes"
    status.update(LibraryStatus((folder(1),), IndexingPhase.IDLE))
    status.update(
        LibraryStatus((), IndexingPhase.ENCODING, sentences_ready=1200, sentences_total=5000, eta_seconds=5.0)
    )
    assert footer.status_text() == "Words can be found, meaning follows · Meaning 24 %, a few seconds"
    status.update(LibraryStatus((folder(1),), IndexingPhase.ENCODING, waiting_files=8))  # large files are still read
    assert footer.status_text() == "The words of 8 files cannot be found yet"
    status.update(LibraryStatus((), IndexingPhase.LINKING, links_left=1234, eta_seconds=9.0))
    assert footer.status_text() == "Finding what belongs together · 1,234 passages left, a few seconds"
    status.update(LibraryStatus((folder(1),), IndexingPhase.IDLE))
    status.update(LibraryStatus((), IndexingPhase.SCANNING, eta_seconds=9000.0))
    assert footer.status_text() == "Looking for changes · about 3 hours"
    status.update(LibraryStatus((folder(1),), IndexingPhase.IDLE, eta_seconds=40.0))
    assert footer.status_text() == "Up to date"
    status.update(LibraryStatus((folder(1),), IndexingPhase.IDLE, not_added=NOT_ADDED))  # of a team, not known here
    assert footer.status_text() == ""
    status.update(LibraryStatus((), IndexingPhase.IDLE))
    assert footer.status_text() == ""


def test_all_indexing_can_be_paused_and_resumed(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(1), phase=IndexingPhase.READING))
    button = next(b for b in panel.findChildren(IconButton) if b.accessibleName() == "Pause or schedule reading")
    button.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, WorkMenu)
    with qtbot.waitSignal(panel.pause_requested) as asked:
        menu.actions()[0].trigger()
    menu.close()
    assert asked.args == [None]
    status.update(library(folder(1), phase=IndexingPhase.PAUSED))
    assert button.accessibleName() == "Resume reading"
    with qtbot.waitSignal(panel.resume_requested):
        button.click()


def test_paused_folders_are_shown_as_paused_while_the_last_piece_of_work_ends(
    panel: LibraryPanel, status: ShownStatus
) -> None:
    paused, removed = folder(1, state=FolderState.PAUSED), folder(2, b"/b", state=FolderState.REMOVED)
    status.update(LibraryStatus((paused, removed), IndexingPhase.ENCODING, sentences_total=10, eta_seconds=400.0))
    assert panel.status_text() == "Reading is paused"
    assert [b for b in panel.findChildren(IconButton) if b.accessibleName() == "Resume reading" and b.isVisible()]


def test_an_offline_folder_says_since_when_and_that_it_stays_searchable(
    panel: LibraryPanel, status: ShownStatus
) -> None:
    away = replace(folder(1, state=FolderState.OFFLINE), offline_since=86_400.0 * 365)
    status.update(library(away, folder(2, b"/b", note="Checked every minute. It is on a network (nfs).")))
    told = texts(panel._model, Qt.ItemDataRole.AccessibleTextRole)
    assert "Not here since " in told[0]
    assert "its text can still be searched" in told[0]
    assert "71" in told[0] or "70" in told[0]  # the date is part of it
    assert "Checked every minute" in told[1]


def test_a_long_note_has_lines_enough(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(library(folder(1), folder(2, b"/b", note="Checked every minute. " + "It is far away. " * 6)))
    view = rows(panel)
    short, long = (view.visualRect(view.model().index(row, 0)).height() for row in range(2))
    assert long > short + 2 * QFontMetrics(text_font(-1)).height()


def test_a_sentence_in_the_footer_wraps_instead_of_being_cut(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(replace(library(folder(1)), unread_pages=194))
    QGuiApplication.processEvents()
    said = next(w for w in panel.findChildren(QLabel) if w.text() == "194 pages without text – scans or pictures")
    assert said.height() >= said.heightForWidth(said.width())
    assert panel.width() == 300


def test_the_time_left_does_not_jump_with_every_estimate() -> None:
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    shown = []
    for estimate in (480, 2640, 5340, 500, 460, 2000, 450, 440) * 4:
        shown.append(left.words(float(estimate)))
        now[0] += 1.0
    assert shown[0] == "about 10 minutes"
    assert len(set(shown)) <= 3
    now[0] += 600
    assert left.words(1700.0) == "about half an hour"
    left.reset()
    assert left.words(4.0) == "a few seconds"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "a few seconds"),
        (65, "about a minute"),
        (200, "about 3 minutes"),
        (3000, "about 45 minutes"),
        (7000, "about 2 hours"),
        (1e7, "about a day or more"),
    ],
)
def test_the_time_left_is_said_in_round_words(seconds: float, said: str) -> None:
    assert TimeLeft().words(seconds) == said


def test_trouble_is_said_in_an_empty_library_too(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(library(trouble="The disk is full."))
    assert panel.status_text() == "The disk is full."
    said = [w for w in panel.findChildren(LibraryFooter) if w.isVisible()]
    assert said
    status.update(library())
    assert not said[0].isVisible()


def test_foreign_words_cannot_break_out_of_their_place() -> None:
    assert one_line("a\nb\u202ec\ud800") == "a b\ufffdc\ufffd"
    assert one_line("Mu\u0308ller 👩\u200d🔬") == "Mu\u0308ller 👩\u200d🔬"
    assert tool_tip('<img src="/etc/x">\nb') == '<qt>&lt;img src="/etc/x"&gt;<br>b</qt>'
    assert shown_path(b"/x/\xff") == "/x/\ufffd"


def test_tab_follows_the_eye(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(library(folder(1), phase=IndexingPhase.READING))
    panel.show()
    assert tab_stops(panel) == [
        "Library “Library”: switch to another one",
        "Search",
        "Files of the library (Ctrl+Shift+L)",
        "Add folder…",
        "Folders",
        "Pause or schedule reading",
    ]


def test_in_a_low_window_the_button_says_what_to_fix(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(replace(library(folder(1)), unread_pages=20))
    button = next(each for each in panel.findChildren(QPushButton) if each.text() == "How to fix it…")
    panel.resize(300, 400)
    QApplication.processEvents()
    assert button.text() == "20 pages without text…"
    panel.resize(300, 700)
    QApplication.processEvents()
    assert button.text() == "How to fix it…"


def test_pages_that_nothing_can_read_are_told_with_what_to_do(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(replace(library(folder(1)), unread_pages=12))
    asking = next(button for button in panel.findChildren(QPushButton) if button.text() == "How to fix it…")
    assert not asking.isHidden()
    assert "12 pages without text – scans or pictures" in panel.findChildren(LibraryFooter)[0].status_text()
    asking.click()
    (dialog,) = panel.findChildren(ScansDialog)
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Tesseract" in said
    assert "pip" not in said
    command = next(iter(dialog.findChildren(QLineEdit)), None)
    if command is not None:  # a package manager is known here
        next(each for each in dialog.findChildren(QPushButton) if each.text() == "Copy").click()
        assert QGuiApplication.clipboard().text() == command.text()


def test_a_double_click_lists_the_files_of_a_folder_with_and_without_problems(
    panel: LibraryPanel, qtbot: QtBot, status: ShownStatus
) -> None:
    for failed in (0, 3):
        status.update(library(folder(7, failed=failed, found=13)))
        view = rows(panel)
        place = view.visualRect(view.model().index(0, 0)).topLeft() + QPoint(60, 12)
        with qtbot.waitSignal(panel.folder_files_requested) as asked:
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
            QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert asked.args == [7, b""]


def test_a_click_unfolds_a_folder_and_opens_a_file(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7), folder(8, b"/b")))
    view = rows(panel)
    QAbstractItemModelTester(view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)

    def click(row: int) -> None:
        place = view.visualRect(view.model().index(row, 0)).topLeft() + QPoint(80, 10)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def shown() -> list[str]:
        return [str(view.model().index(row, 0).data()) for row in range(view.model().rowCount())]

    with qtbot.waitSignal(panel.contents_asked) as asked:
        click(0)
    assert asked.args == [7, b""]
    locked = row(2, b"locked.pdf", "This file is protected by a password.")
    panel.show_contents(FolderId(7), b"", FolderContents(((b"Bills", 3),), (row(1, b"a.pdf"), locked), 4))
    assert shown() == ["Contracts", "Bills", "a.pdf", "locked.pdf", "4 more…", "b"]
    with qtbot.waitSignal(panel.contents_asked) as asked:
        click(1)
    assert asked.args == [7, b"Bills"]
    panel.show_contents(FolderId(7), b"Bills", FolderContents(files=(row(3, b"Bills/1.pdf"),)))
    assert shown()[1:4] == ["Bills", "1.pdf", "a.pdf"]
    panel.show_contents(FolderId(7), b"", FolderContents(((b"Archive", 1), (b"Bills", 3)), (row(1, b"a.pdf"),)))
    assert shown() == ["Contracts", "Archive", "Bills", "1.pdf", "a.pdf", "b"]
    status.update(library(folder(8, b"/b"), folder(7)))
    assert shown() == ["b", "Contracts", "Archive", "Bills", "1.pdf", "a.pdf"]
    with qtbot.waitSignal(panel.file_requested) as asked:
        click(5)
    assert asked.args == [row(1, b"a.pdf"), False]
    QTest.keyClick(view, Qt.Key.Key_Delete)  # takes away folders of the library only
    with qtbot.waitSignal(panel.folder_files_requested) as asked:
        view.setCurrentIndex(view.model().index(3, 0))
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked.args == [7, b"Bills"]
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert shown() == ["b", "Contracts", "Archive", "Bills", "a.pdf"]
    panel.grab()
    click(1)
    assert shown() == ["b", "Contracts"]
    panel.show_contents(FolderId(7), b"", FolderContents(files=(row(1),)))  # late
    assert shown() == ["b", "Contracts"]


def test_unfolded_folders_follow_the_indexer(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    status.update(library(folder(7)))
    rows(panel).setCurrentIndex(rows(panel).model().index(0, 0))
    QTest.keyClick(rows(panel), Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.contents_asked) as asked:
        status.update(library(folder(7, found=11, searchable=11)))
    assert asked.args == [7, b""]


def test_pages_that_an_engine_reads_are_counted_down(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(replace(library(folder(1), phase=IndexingPhase.RECOGNISING), unread_pages=1, engine="Tesseract 5"))
    assert panel.findChildren(LibraryFooter)[0].status_text() == "Reading text in pictures · 1 page left"


def test_in_a_low_window_the_folders_have_the_room(panel: LibraryPanel, status: ShownStatus) -> None:
    status.update(replace(library(folder(1)), unread_pages=12))
    footer, window = panel.findChildren(LibraryFooter)[0], panel.window()
    window.resize(300, 900)
    QApplication.processEvents()
    high = footer.height()
    window.resize(300, 380)
    QApplication.processEvents()
    assert footer.height() < high - 20
    assert "12 pages without text" in footer.status_text()
    window.resize(300, 900)
    QApplication.processEvents()
    assert footer.height() == high
