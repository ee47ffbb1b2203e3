"""The application of a test: started, and gone after it."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App


@contextmanager
def opened(app: App, qtbot: QtBot) -> Iterator[App]:
    """Start an application; close and delete it after the block."""
    qtbot.addWidget(app.window)
    app.start()
    yield app
    app.window.close()
    app.close()
    app.deleteLater()  # with its look, which would follow the system's theme through the tests that come after
    QApplication.sendPostedEvents(app, QEvent.Type.DeferredDelete)
