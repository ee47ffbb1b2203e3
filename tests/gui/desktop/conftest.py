"""A window as the program opens it, and a folder to drop on it."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.window.single_instance import WindowLock
from desktop_rag.index.libraries import Libraries
from tests.gui.opened_app import opened

LEASE = "".join(f"Clause {number}: nothing of note.\n" for number in range(1, 200)) + "The rent is 940 euros.\n"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Flat & garden"
    folder.mkdir()
    (folder / "lease+1.txt").write_text(LEASE)
    return folder


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, own_data_home: Path) -> Iterator[App]:
    """The window as the program opens it: with the lock of its library."""
    library = Libraries(own_data_home).usual().library
    lock = WindowLock(library)
    assert lock.acquire()
    with opened(App(qapp, library, lock), qtbot) as app:
        yield app


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address of a session bus without any service."""
    if sys.platform != "linux" or shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon")
    command = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    yield address
    process.terminate()
    process.wait(60)
    process.stdout.close()
