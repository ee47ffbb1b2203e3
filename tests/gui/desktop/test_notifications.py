"""Notices on the desktop: when there is one, what it says, and what a click does."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import AgentEvent, RunFailed, RunStopped
from desktop_rag.app import App
from desktop_rag.gui.control import desktop_control
from desktop_rag.gui.control.desktop_control import NoticeControl
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.desktop.notifications import Notifications
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.settings import DesktopOptions
from tests.gui.conversation.conftest import answered
from tests.gui.library_values import folder, library
from tests.gui.test_end_to_end import ask, drop, wait_until_ready

pytestmark = pytest.mark.processes

NOW = 1_000_000.0
QUESTION = "How high is <b>the rent</b>?"


class Daemon:
    """A notification service on a bus of its own."""

    def __init__(self, address: str) -> None:
        script = Path(__file__).with_name("notification_daemon.py")
        command = [sys.executable, str(script), address]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.read() == ["ready"]

    def read(self) -> list[object]:
        """Return the next call."""
        assert self._process.stdout is not None
        line: list[object] = json.loads(self._process.stdout.readline())
        return line

    def click(self) -> None:
        """Click on the last notification."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"c")
        self._process.stdin.flush()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture
def daemon(bus: str) -> Iterator[Daemon]:
    daemon = Daemon(bus)
    yield daemon
    daemon.close()


class Notices:
    """The control with a switch for whether the program is in use, and a clock."""

    def __init__(self) -> None:
        self.options = DesktopOptions()
        self.active = False
        self.now = NOW
        self.control = NoticeControl(lambda: self.options, None, lambda: self.active, lambda: self.now)
        self.shown: list[tuple[str, str]] = []

    def run(self, event: AgentEvent, seconds: float = 42.0) -> None:
        """Report a run that ended with `event` after so many seconds."""
        run = RunInProgress((), QUESTION, 0, None, events=[event], started_ns=int((self.now - seconds) * 1e9))
        self.control.note_run(QObject(), run)

    def status(self, status: LibraryStatus, after: float = 0.0) -> None:
        self.now += after
        self.control.note_status(status)


@pytest.fixture
def notices(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notices]:
    notices = Notices()
    monkeypatch.setattr(Notifications, "show", lambda _, title, text, act: notices.shown.append((title, text)))
    yield notices
    notices.control.close()


def test_a_long_run_is_told_of_without_its_question(notices: Notices) -> None:
    notices.run(answered())
    assert notices.shown == [("Your answer is ready", "After 42 s")]
    notices.run(RunFailed("The model cannot be reached", "…", "", ()))
    assert notices.shown[1:] == [("A question could not be answered", "The model cannot be reached")]
    notices.options = replace(notices.options, notify_question=True)
    notices.run(answered())
    assert notices.shown[2:] == [("Your answer is ready", QUESTION)]


def test_nothing_is_told_that_is_no_news(notices: Notices) -> None:
    notices.run(answered(), seconds=3)
    notices.run(RunStopped("", (), 60.0))
    notices.active = True
    notices.run(answered())
    notices.active, notices.options = False, DesktopOptions(notify=False)
    notices.run(answered())
    assert notices.shown == []


def test_a_new_library_is_told_of_once_its_words_can_be_found(notices: Notices) -> None:
    notices.status(library(folder(1, found=0, searchable=0, ready=0, scanning=True)))
    notices.status(library(folder(1, found=1200, searchable=700, ready=0)), after=60)
    assert notices.shown == []
    notices.status(library(folder(1, found=1200, searchable=1200, ready=10)), after=60)
    notices.status(library(folder(1, found=1200, searchable=1200, ready=20)), after=60)
    assert notices.shown == [("The words of your documents can be searched", "1,200 files")]


def test_files_that_cannot_be_searched_are_not_counted_as_all(notices: Notices) -> None:
    notices.status(library(folder(1, found=0, searchable=0, ready=0, scanning=True)))
    notices.status(library(folder(1, found=1200, searchable=1100, failed=100, ready=10)), after=60)
    assert [text for _, text in notices.shown] == ["1,100 of 1,200 files; the library lists the others"]


def test_a_small_or_a_known_library_is_not_told_of(notices: Notices) -> None:
    notices.status(library(folder(1, found=10, searchable=0, ready=0)))
    notices.status(library(folder(1, found=10, searchable=10, ready=0)), after=2)
    notices.status(UNKNOWN)
    notices.status(library(folder(2, found=900, searchable=300, ready=0)), after=60)
    notices.status(library(folder(2, found=900, searchable=900, ready=0)), after=60)
    notices.status(library(folder(2), folder(3, found=9, searchable=0, ready=0)), after=60)
    notices.status(library(folder(2)), after=60)
    assert notices.shown == []


def test_a_click_on_a_notification_comes_back(qtbot: QtBot, daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    clicked: list[str] = []
    notifications = Notifications()
    notifications.show("One", QUESTION, lambda: clicked.append("one"))
    notifications.show("Two", "", lambda: clicked.append("two"))
    assert daemon.read() == ["Notify", "One", "How high is &lt;b&gt;the rent&lt;/b&gt;?", ["default", ""]]
    assert daemon.read()[:2] == ["Notify", "Two"]
    daemon.click()
    qtbot.waitUntil(lambda: clicked == ["two"])
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-1"
    notifications.withdraw()
    assert daemon.read() == ["CloseNotification", 1]
    notifications.close()


def test_what_is_shown_is_withdrawn_when_the_user_is_back(qtbot: QtBot, daemon: Daemon) -> None:
    control = NoticeControl(DesktopOptions, None, lambda: False)
    run = RunInProgress((), QUESTION, 0, None, events=[answered()], started_ns=int((time.time() - 60) * 1e9))
    control.note_run(QObject(), run)
    assert daemon.read()[:2] == ["Notify", "Your answer is ready"]
    control.note_state(Qt.ApplicationState.ApplicationInactive)
    control.note_state(Qt.ApplicationState.ApplicationActive)
    assert daemon.read() == ["CloseNotification", 1]
    control.close()


def test_without_a_service_or_a_bus_nothing_breaks(qtbot: QtBot, bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    monkeypatch.setattr(Notifications, "_show_by_icon", lambda _, notification: refused.append(notification.title))
    for address in (bus, "unix:path=/nowhere", "nonsense", ""):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        refused.clear()
        notifications = Notifications()
        notifications.show("One", "", lambda: None)
        notifications.show("Two", "", lambda: None)
        qtbot.waitUntil(lambda: refused == ["One", "Two"])
        notifications.close()


def test_a_bus_that_ends_is_no_reason_to_say_nothing(
    qtbot: QtBot, daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(Notifications, "_show_by_icon", lambda _, notification: refused.append(notification.title))
    notifications = Notifications()
    notifications.show("One", "", lambda: None)
    assert daemon.read()[:2] == ["Notify", "One"]
    [bus] = (each for each in psutil.Process().children() if each.name() == "dbus-daemon")
    bus.terminate()
    bus.wait(60)
    notifications.show("Two", "", lambda: None)
    qtbot.waitUntil(lambda: refused == ["Two"])
    notifications.close()


@pytest.mark.slow
def test_an_answer_is_told_of_and_its_conversation_shown(
    app: App, qtbot: QtBot, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, Callable[[], None]]] = []
    monkeypatch.setattr(Notifications, "show", lambda _, title, text, act: shown.append((title, act)))
    monkeypatch.setattr(desktop_control, "LONG_SECONDS", 0.0)
    monkeypatch.setattr(app.desktop.notices, "_is_active", lambda: False)
    drop(app, documents)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, "How high is the rent?")
    qtbot.waitUntil(lambda: "Your answer is ready" in [title for title, _ in shown])
    app.window.menus.files.trigger()
    app.window.showMinimized()
    [act] = [act for title, act in shown if title == "Your answer is ready"]
    qtbot.waitUntil(lambda: bool(app.window.conversations.conversations()))
    app.conversations.begin_new()
    act()
    assert not app.window.isMinimized()
    assert app.pane.isVisible()
    qtbot.waitUntil(lambda: len(app.pane.view.turns) == 1)
