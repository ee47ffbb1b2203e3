"""Windows without a library."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.widgets.drop_zone import DropZone
from desktop_rag.gui.widgets.toast import Toast
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


@pytest.fixture
def window(make_window: MakeWindow) -> Iterator[MainWindow]:
    window = make_window()
    yield window
    window.close()


def part(window: MainWindow, kind: type[Toast] | type[DropZone]) -> QWidget:
    found = window.findChild(kind)
    assert isinstance(found, QWidget)
    return found
