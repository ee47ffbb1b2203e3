"""Windows without a library."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.window.main_window import MainWindow

MakeWindow = Callable[[], MainWindow]


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def make_window(status: ShownStatus, qtbot: QtBot) -> MakeWindow:
    def make() -> MainWindow:
        window = MainWindow(QPlainTextEdit(), QWidget(), status)
        qtbot.addWidget(window)
        window.show()
        return window

    return make
