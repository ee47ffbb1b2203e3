"""The tools above a document: in a narrow row the less important ones give way, and none is cut off."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.tabs.tool_row import ToolRow
from desktop_rag.gui.viewer.viewer_events import ViewMode


@pytest.mark.parametrize("width", [400, 454, 500, 700])
def test_what_is_shown_has_its_room(qtbot: QtBot, width: int) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(width, 36)
    row = ToolRow(host)
    row.setGeometry(0, 0, width, 36)
    host.show()
    row.show_modes((ViewMode.PRINTED, ViewMode.TEXT), ViewMode.PRINTED, "pdf")
    row.page.show_page(1, 290)
    row.citations.show_place(1, 18)
    parts = [part for part in row.findChildren(QWidget) if part.parent() is row]

    def fits() -> bool:
        shown = [part for part in parts if part.isVisible()]
        return all(part.geometry().right() < width and part.width() >= part.sizeHint().width() for part in shown)

    qtbot.waitUntil(fits, timeout=5_000)
    assert row.citations.isVisible()
    assert row.zoom.isVisible(), "its buttons are there at every width"
    assert row.history.isVisible() or width < 700
