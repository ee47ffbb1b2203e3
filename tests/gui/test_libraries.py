"""Several libraries in one window, one window for each, and what is forgotten or moved, with real parts."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.library.library_dialogs import ForgetDialog, NameDialog
from desktop_rag.gui.library.library_panel import MissingLibrary
from desktop_rag.gui.library.team_control import TeamLibraryDialog
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.single_instance import WindowLock
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderState
from desktop_rag.settings import Profile
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn
from tests.gui.opened_app import opened
from tests.gui.test_end_to_end import ask, drop, part, wait_until_ready
from tests.team_server import team_server

pytestmark = pytest.mark.processes

MILLISECONDS = 60_000
MARK = "xylophone"


@pytest.fixture
def home(own_data_home: Path) -> Path:
    return own_data_home


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, home: Path) -> Iterator[App]:
    with opened(App(qapp, Libraries(home).usual().library), qtbot) as app:
        yield app


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Instruments"
    folder.mkdir()
    (folder / "notes.txt").write_text("The xylophone has forty bars of rosewood.\nIt was tuned in May.\n")
    (folder / "drums.txt").write_text("The drums are made of maple.\n")
    return folder


def libraries_of(app: App) -> list[str]:
    return [action.text() for action in app.window.library.switch.menu.actions() if action.isCheckable()]


def choose(app: App, text: str) -> None:
    """Pick an entry of the menu of libraries."""
    (action,) = (action for action in app.window.library.switch.menu.actions() if action.text() == text)
    action.trigger()


def titles(app: App) -> list[str]:
    """Return the conversations in the list."""
    model = part(app.window.conversations, QListView).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def press(dialog: QWidget, text: str) -> None:
    (button,) = (button for button in dialog.findChildren(QPushButton) if button.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def create(app: App, qtbot: QtBot, name: str) -> None:
    """Make a library by the menu and wait until it is shown."""
    choose(app, "New library…")
    dialog = part(app.window, NameDialog)
    QTest.keyClicks(part(dialog, QLineEdit), name)
    press(dialog, "Create")
    qtbot.waitUntil(lambda: app.sessions.current.known.name == name, timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: name in libraries_of(app), timeout=MILLISECONDS)


def notes(app: App) -> str:
    toast = part(app.window, Toast)
    return toast.accessibleName() if toast.isVisible() else ""


def wait_for_note(app: App, qtbot: QtBot, words: str) -> None:
    qtbot.waitUntil(lambda: words in notes(app), timeout=MILLISECONDS)


def is_empty(status: LibraryStatus) -> bool:
    return status is not UNKNOWN and status.folders == () and status.phase is IndexingPhase.IDLE


_SEARCH = """
import contextlib, sys
from pathlib import Path
for file in Path(sys.argv[1]).rglob("*"):
    with contextlib.suppress(OSError):
        if sys.argv[2].encode() in file.read_bytes().lower():
            print(file.name)
"""


def holding_mark(folder: Path) -> list[str]:
    """Return the names of the files that hold `MARK`.

    They are read in another process: closing a file of SQLite here would drop the locks of this process's connections,
    and the next process to open the database would truncate the memory that they share (SIGBUS).
    """
    return subprocess.check_output([sys.executable, "-IS", "-c", _SEARCH, folder, MARK], text=True).split()


@pytest.mark.slow
def test_each_library_has_its_own_folders_and_conversations(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, "How many bars has the xylophone?")
    qtbot.waitUntil(lambda: titles(app) != [], timeout=MILLISECONDS)
    create(app, qtbot, "Work")
    qtbot.waitUntil(lambda: is_empty(app.status.current), timeout=MILLISECONDS)
    assert app.window.windowTitle().startswith("Work")
    assert app.pane.view.turns == ()
    assert titles(app) == []
    assert ask(app, qtbot, "How many bars has the xylophone?").citations == ()
    choose(app, "My library")
    wait_until_ready(app, qtbot)
    assert app.window.windowTitle().startswith("My library")
    assert ask(app, qtbot, "How many bars has the xylophone?").citations


@pytest.mark.slow
def test_a_team_library_is_added_and_opened_beside_the_own_one(app: App, qtbot: QtBot) -> None:
    with team_server() as server:
        choose(app, "Add team library…")
        dialog = part(app.window, TeamLibraryDialog)
        for name, text in (("Name", "Office"), ("Address", server.url)):
            (field,) = (found for found in dialog.findChildren(QLineEdit) if found.accessibleName() == name)
            QTest.keyClicks(field, text)
        press(dialog, "Add")
        qtbot.waitUntil(lambda: app.sessions.current.known.name == "Office", timeout=MILLISECONDS)
        qtbot.waitUntil(lambda: bool(app.status.current.not_added), timeout=MILLISECONDS)
        assert [folder.path for folder in app.status.current.folders] == [server.url.encode()]
        assert not app.window.menus.add_folder.isEnabled()
        (attach,) = (each for each in part(app.window, Composer).actions() if each.objectName() == "attach")
        qtbot.waitUntil(lambda: not attach.isEnabled(), timeout=MILLISECONDS)
        choose(app, "My library")
        qtbot.waitUntil(lambda: is_empty(app.status.current), timeout=MILLISECONDS)
        assert app.window.menus.add_folder.isEnabled()
        qtbot.waitUntil(attach.isEnabled, timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_document_of_the_library_before_is_closed(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    (citation, *_) = ask(app, qtbot, "How many bars has the xylophone?").citations
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    assert app.viewer.tab_count() == 1
    create(app, qtbot, "Work")
    assert app.viewer.tab_count() == 0
    assert not app.viewer.isVisible()


def test_a_run_goes_on_in_the_library_that_was_left(app: App, qtbot: QtBot, documents: Path) -> None:
    may_answer = threading.Event()
    drop(app, documents)
    wait_until_ready(app, qtbot)  # in an empty library no model is asked, and the run would be over at once

    def later(_: SeenRequest) -> Turn:
        assert may_answer.wait(60)
        return Turn(text="It is late.")

    with ScriptedEndpoint([later] * 4) as endpoint:  # asked again for the source of its statement
        app.settings.use(app.settings.settings.with_profile(Profile("slow", endpoint.base_url, "scripted")))
        app.pane.composer.profile_chosen.emit("slow")
        app.pane.composer.question_asked.emit("Is it late?")
        create(app, qtbot, "Work")
        assert app.sessions.busy()
        may_answer.set()
        wait_for_note(app, qtbot, "“Is it late?”: no answer found in your library")
        part(app.window, Toast).act()
        qtbot.waitUntil(lambda: app.sessions.current.known.name == "My library", timeout=MILLISECONDS)
        qtbot.waitUntil(
            lambda: [turn.question for turn in app.pane.view.turns] == ["Is it late?"], timeout=MILLISECONDS
        )
    qtbot.waitUntil(lambda: app.sessions.busy() == (), timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_run_that_failed_out_of_sight_says_so(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    may_fail = threading.Event()
    with ScriptedEndpoint([Turn(status=401, body="{}", hold=may_fail)]) as endpoint:
        app.settings.use(app.settings.settings.with_profile(Profile("strict", endpoint.base_url, "scripted")))
        app.pane.composer.profile_chosen.emit("strict")
        app.pane.composer.question_asked.emit("Is it late?")
        app.conversations.begin_new()
        may_fail.set()
        wait_for_note(app, qtbot, "“Is it late?” failed: The model asks for a key")


def test_a_library_is_renamed_removed_opened_and_deleted(app: App, qtbot: QtBot, home: Path) -> None:
    create(app, qtbot, "Work")
    choose(app, "Rename…")
    dialog = part(app.window, NameDialog)
    part(dialog, QLineEdit).setText("Office")
    press(dialog, "Rename")
    qtbot.waitUntil(lambda: libraries_of(app) == ["My library", "Office"], timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: app.window.windowTitle().startswith("Office"), timeout=MILLISECONDS)
    choose(app, "Remove from this list…")
    press(part(app.window, QuestionDialog), "Remove")
    qtbot.waitUntil(lambda: libraries_of(app) == ["My library"], timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: app.sessions.current.known.name == "My library", timeout=MILLISECONDS)
    folder = home / "libraries" / "work"
    assert Library(folder).exists()
    app.libraries.open_library(folder)
    qtbot.waitUntil(lambda: app.sessions.current.known.folder == folder, timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: libraries_of(app) == ["My library", "work"], timeout=MILLISECONDS)
    choose(app, "Delete…")
    press(next(iter(app.window.findChildren(QuestionDialog)[-1:])), "Delete")
    wait_for_note(app, qtbot, "“work” was deleted")
    qtbot.waitUntil(lambda: not folder.exists(), timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_library_whose_disk_is_away_says_so_and_is_found_again(
    app: App, qtbot: QtBot, documents: Path, tmp_path: Path
) -> None:
    disk, library = tmp_path / "disk", tmp_path / "disk" / "library"
    app.libraries.create_library("Disk", library)
    qtbot.waitUntil(lambda: app.sessions.current.known.name == "Disk", timeout=MILLISECONDS)
    drop(app, documents)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, "How many bars has the xylophone?")
    choose(app, "My library")
    qtbot.waitUntil(lambda: not (library / "indexer.json").exists(), timeout=MILLISECONDS)
    disk.rename(tmp_path / "unplugged")
    app.libraries.refresh()
    qtbot.waitUntil(lambda: "Disk (not connected)" in libraries_of(app), timeout=MILLISECONDS)
    choose(app, "Disk (not connected)")
    missing = part(app.window, MissingLibrary)
    qtbot.waitUntil(missing.isVisible, timeout=MILLISECONDS)
    assert not disk.exists()
    # It is opened by itself once it is connected …
    (tmp_path / "unplugged").rename(disk)
    qtbot.waitUntil(lambda: not missing.isVisible(), timeout=MILLISECONDS)
    wait_until_ready(app, qtbot)
    qtbot.waitUntil(lambda: titles(app) != [], timeout=MILLISECONDS)
    choose(app, "My library")
    qtbot.waitUntil(lambda: not (library / "indexer.json").exists(), timeout=MILLISECONDS)
    # … and elsewhere when it is told where.
    disk.rename(tmp_path / "mounted")
    app.libraries.refresh()
    qtbot.waitUntil(lambda: "Disk (not connected)" in libraries_of(app), timeout=MILLISECONDS)
    choose(app, "Disk (not connected)")
    app.libraries.find_library(tmp_path / "mounted" / "library")
    qtbot.waitUntil(lambda: app.sessions.current.known.folder == tmp_path / "mounted" / "library", timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: libraries_of(app) == ["My library", "Disk"], timeout=MILLISECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("quotes", [True, False])
def test_a_folder_is_forgotten_with_or_without_its_quotes(
    app: App, qtbot: QtBot, home: Path, documents: Path, *, quotes: bool
) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    (citation, *_) = ask(app, qtbot, "How many bars of rosewood are there?").citations
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    qtbot.waitUntil(lambda: "rosewood" in app.viewer.highlighted_text(), timeout=MILLISECONDS)
    app.window.library.select(app.status.current.folders[0].folder)
    qtbot.waitUntil(lambda: len(holding_mark(home)) > 1, timeout=MILLISECONDS)
    app.window.library.forget_requested.emit(app.status.current.folders[0])
    qtbot.waitUntil(lambda: app.window.findChild(ForgetDialog) is not None, timeout=MILLISECONDS)
    dialog = part(app.window, ForgetDialog)
    assert "1 stored answer uses it" in " ".join(label.text() for label in dialog.findChildren(type(dialog.words(""))))
    part(dialog, QCheckBox).setChecked(quotes)
    press(dialog, "Forget")
    wait_for_note(app, qtbot, "Nothing of “Instruments” is left in the library")
    qtbot.waitUntil(lambda: app.viewer.tab_count() == 0, timeout=MILLISECONDS)
    if quotes:
        assert holding_mark(home) == []
        qtbot.waitUntil(
            lambda: any("forgotten since" in turn.answer.markdown for turn in app.pane.view.turns),
            timeout=MILLISECONDS,  # the conversation is read again in the background
        )
    else:
        assert {name.partition(".")[0] for name in holding_mark(home)} == {"conversations"}
    assert (documents / "notes.txt").is_file()


@pytest.mark.slow
def test_what_a_command_forgets_is_not_shown_any_more(app: App, qtbot: QtBot, home: Path, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    assert ask(app, qtbot, "How many bars of rosewood are there?").citations
    qtbot.waitUntil(lambda: any(name.startswith("conversations") for name in holding_mark(home)), timeout=MILLISECONDS)
    assert ended(qtbot, start_program("forget", documents, "--quotes")) == 0
    qtbot.waitUntil(
        lambda: any("forgotten since" in turn.answer.markdown for turn in app.pane.view.turns), timeout=MILLISECONDS
    )


@pytest.mark.slow
def test_a_moved_folder_is_shown_where_it_lies_now(app: App, qtbot: QtBot, documents: Path, tmp_path: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    moved = Path(shutil.move(documents, tmp_path / "Music"))
    app.window.library.rescan_requested.emit(None)
    qtbot.waitUntil(lambda: app.status.current.folders[0].state is FolderState.OFFLINE, timeout=MILLISECONDS)
    app.window.folder_relocated.emit(os.fsencode(documents), os.fsencode(moved))
    wait_for_note(app, qtbot, "Found “Music” again; 2 of 2 files")
    qtbot.waitUntil(lambda: app.status.current.folders[0].path == os.fsencode(moved), timeout=MILLISECONDS)
    wait_until_ready(app, qtbot)


@pytest.mark.slow
def test_an_answer_stays_readable_when_its_file_is_gone(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    (citation, *_) = ask(app, qtbot, "How many bars of rosewood are there?").citations
    (documents / "notes.txt").unlink()
    qtbot.waitUntil(lambda: app.status.current.folders[0].found == 1, timeout=MILLISECONDS)
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    qtbot.waitUntil(lambda: "rosewood" in app.viewer.highlighted_text(), timeout=MILLISECONDS)
    tab = app.viewer.current_tab()
    assert tab is not None
    assert "no longer in your library" in tab.banner.message()
    assert ask(app, qtbot, "How many bars of rosewood are there, again?").citations == ()


# A second start


def start_program(*arguments: str | Path) -> "subprocess.Popen[str]":
    """Start the program as a person would a second time."""
    command = [sys.executable, "-m", "desktop_rag", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def ended(qtbot: QtBot, process: "subprocess.Popen[str]") -> int:
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=MILLISECONDS)
    process.communicate()
    return process.returncode


@pytest.fixture
def locked(qapp: QApplication, qtbot: QtBot, home: Path) -> Iterator[App]:
    """The window as the program opens it: with the lock of its library."""
    library = Libraries(home).usual().library
    lock = WindowLock(library)
    assert lock.acquire()
    with opened(App(qapp, library, lock), qtbot) as app:
        yield app


def test_a_second_start_hands_its_folders_to_the_first_window(locked: App, qtbot: QtBot, documents: Path) -> None:
    locked.window.showMinimized()
    second = start_program(documents)
    assert ended(qtbot, second) == 0
    qtbot.waitUntil(lambda: not locked.window.isMinimized(), timeout=MILLISECONDS)
    wait_until_ready(locked, qtbot)
    assert [folder.path for folder in locked.status.current.folders] == [os.fsencode(documents)]


@pytest.mark.slow
def test_another_library_gets_a_window_of_its_own(locked: App, qtbot: QtBot, tmp_path: Path) -> None:
    second = start_program("--library", tmp_path / "another")
    qtbot.waitUntil(lambda: (tmp_path / "another" / "indexer.json").exists(), timeout=MILLISECONDS)
    assert second.poll() is None
    locked.libraries.refresh()
    qtbot.waitUntil(lambda: "another" in libraries_of(locked), timeout=MILLISECONDS)
    choose(locked, "another")
    wait_for_note(locked, qtbot, "“another” is open in another window")
    assert locked.sessions.current.known.name == "My library"
    psutil.Process(second.pid).terminate()
    second.communicate()


@pytest.mark.slow
def test_after_a_killed_window_the_next_one_opens_also_where_no_log_can_be_written(qtbot: QtBot, home: Path) -> None:
    home.mkdir()
    (home / "logs").write_text("in the way")
    first = start_program()
    address = Libraries(home).usual().library.address
    qtbot.waitUntil(address.exists, timeout=MILLISECONDS)
    first.kill()
    first.communicate()
    lock = WindowLock(Libraries(home).usual().library)
    qtbot.waitUntil(lock.acquire, timeout=MILLISECONDS)
    lock.release()


def test_a_start_waits_for_a_window_that_is_closing(qtbot: QtBot, home: Path, documents: Path) -> None:
    """A closing window listens no more but holds its lock; the start then shows the library and adds its folders."""
    library = Libraries(home).usual().library
    closing = WindowLock(library)
    assert closing.acquire()
    second = start_program(documents)
    qtbot.waitUntil((home / "logs" / "window.log").exists, timeout=MILLISECONDS)  # its line before the lock
    qtbot.wait(1000)
    closing.release()
    qtbot.waitUntil(lambda: second.poll() is not None or bool(holding_mark(library.folder)), timeout=MILLISECONDS)
    assert second.poll() is None, "the start ended without a window"
    psutil.Process(second.pid).terminate()
    second.communicate()
