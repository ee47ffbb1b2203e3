"""A second start beside a window that does not answer, which is another process here."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.window import instance_server, single_instance
from desktop_rag.gui.window.instance_server import HungWindowDialog, leave_to_other_window
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock, address_of
from desktop_rag.index.library import Library

# It listens as a window does, and takes requests once a line comes in: until then it hangs.
_WINDOW = """
import socket, sys
from pathlib import Path
from desktop_rag.gui.window.single_instance import WindowLock, address_of
from desktop_rag.index.library import Library

library = Library(Path(sys.argv[1]))
lock = WindowLock(library)
assert lock.acquire()
with socket.socket(socket.AF_UNIX) as server:
    server.bind(address_of(library))
    server.listen()
    print("shown", flush=True)
    sys.stdin.readline()
    server.settimeout(2)
    requests = 0
    try:
        while True:
            line, _ = server.accept()
            requests += bool(line.recv(1 << 16))
            line.sendall(b"heard")
            line.close()
    except TimeoutError:
        print(requests, flush=True)
"""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(os.name != "posix", reason="the other window listens on a socket of Unix"),
]


@pytest.fixture
def library(own_data_home: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setattr(instance_server, "PATIENCE_SECONDS", 0.2)
    font, palette = qapp.font(), qapp.palette()
    yield Library(own_data_home / "libraries" / "default")
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def hung(library: Library) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", _WINDOW, str(library.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        assert window.stdout.readline() == "shown\n"
        yield window
        window.kill()


def start_again(library: Library, lock: WindowLock, then: Callable[[HungWindowDialog], None]) -> int | None:
    """Start a second time, and do something once the dialog is shown."""

    def look() -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, HungWindowDialog) and widget.isVisible():
                timer.stop()
                then(widget)

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return leave_to_other_window(application, library, InstanceRequest((b"/letters",)), lock)


def test_a_window_that_does_not_answer_can_be_ended_and_the_start_goes_on(
    qtbot: QtBot, library: Library, hung: "subprocess.Popen[str]"
) -> None:
    lock = WindowLock(library)
    assert start_again(library, lock, lambda dialog: dialog.act.click()) is None
    assert hung.wait(60) != 0
    assert not WindowLock(library).acquire()  # the start holds it
    lock.release()


def test_a_window_that_answers_after_all_gets_the_request_once(
    qtbot: QtBot, library: Library, hung: "subprocess.Popen[str]"
) -> None:
    def wake(dialog: HungWindowDialog) -> None:
        assert hung.stdin is not None
        time.sleep(1.2)  # two looks
        hung.stdin.write("\n")
        hung.stdin.flush()

    assert start_again(library, WindowLock(library), wake) == 0
    assert hung.stdout is not None
    assert hung.stdout.readline() == "1\n"


def test_a_start_that_is_given_up_says_what_is_in_the_way(
    qtbot: QtBot, library: Library, hung: "subprocess.Popen[str]", capfd: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []

    def leave(dialog: HungWindowDialog) -> None:
        shown.extend(part.text() for part in dialog.findChildren(QLabel) + dialog.findChildren(QPushButton))
        dialog.reject()

    assert start_again(library, WindowLock(library), leave) == 1
    assert "The library is open in another window, which does not answer. It may be busy." in shown
    assert {"Cancel", "End it and start anew"} <= set(shown)
    assert hung.poll() is None
    assert f"The library in {library.folder} is open in another window" in capfd.readouterr().err


def test_a_process_that_cannot_be_named_is_not_offered_to_be_ended(
    qtbot: QtBot, library: Library, hung: "subprocess.Popen[str]"
) -> None:
    lock = WindowLock(library)
    assert lock.holder() == hung.pid
    file = Path(address_of(library)).with_suffix(".pid")
    file.write_text(str(os.getppid()), encoding="ascii")
    os.utime(file, (1, 1))  # written before that process began: the number was another's then
    assert lock.holder() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="folders for all users are those of Unix")
@pytest.mark.parametrize("taken", ["open", "link", "file"])
def test_a_folder_that_another_user_may_have_made_is_not_used(
    taken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / ("deep" * 20)))  # too long for a socket
    usual, other = tmp_path / f"desktop-rag-{os.getuid()}", tmp_path / "other"
    other.mkdir()
    if taken == "open":
        usual.mkdir(mode=0o755)
    elif taken == "link":
        usual.symlink_to(other)
    else:
        usual.touch()
    single_instance._temporary_place.cache_clear()
    place = Path(address_of(Library(tmp_path / "library"))).parent
    single_instance._temporary_place.cache_clear()
    assert place.parent == tmp_path
    assert place not in (usual, other)
    assert place.stat().st_mode & 0o077 == 0
    assert other.stat().st_mode & 0o077 != 0  # nothing behind a link is changed
