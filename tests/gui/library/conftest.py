"""The panel of a library without one."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def panel(status: ShownStatus, qtbot: QtBot) -> Iterator[LibraryPanel]:
    panel = LibraryPanel(status)
    qtbot.addWidget(panel)
    panel.resize(300, 600)
    panel.show()
    yield panel
    for menu in panel.findChildren(QMenu):
        menu.close()
