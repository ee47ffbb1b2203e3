"""The strip of open documents: its arrows cover the tab that is shown in part."""

from pathlib import PurePath
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.tab_strip import TabStrip
from desktop_rag.settings import Theme


def _document(path: str) -> DocumentTab:
    return cast("DocumentTab", SimpleNamespace(name=PurePath(path).name, path=lambda: path))


def test_documents_of_one_name_are_told_apart_by_their_folders(qtbot: QtBot) -> None:
    strip = TabStrip()
    qtbot.addWidget(strip)
    for path in ("/projects/roof/Notes.md", "/projects/boat/Notes.md", "/projects/boat/Costs.md"):
        strip.add(_document(path))
    assert [strip.tabText(index) for index in range(3)] == ["roof/Notes.md", "boat/Notes.md", "Costs.md"]
    strip.removeTab(0)
    assert [strip.tabText(index) for index in range(2)] == ["Notes.md", "Costs.md"]


@pytest.mark.parametrize("width", range(246, 290, 6))
def test_no_cross_shines_through_the_arrows(qapp: QApplication, qtbot: QtBot, width: int) -> None:
    Look(qapp).use(Theme.DARK)
    strip = TabStrip()
    qtbot.addWidget(strip)
    for name in ("rotated harbour.pdf", "sales_big.csv"):
        strip.add(_document(f"/{name}"))
    strip.setCurrentIndex(0)
    strip.resize(width, strip.sizeHint().height())
    strip.show()
    QApplication.processEvents()
    arrows = [
        each for each in strip.findChildren(QToolButton) if each.isVisible() and each.objectName().startswith("Scroll")
    ]
    assert arrows
    before = [strip.grab(each.geometry()).toImage() for each in arrows]
    for index in range(strip.count()):
        button = strip.tabButton(index, QTabBar.ButtonPosition.RightSide)
        assert button is not None
        button.hide()
    assert [strip.grab(each.geometry()).toImage() for each in arrows] == before
    Look(qapp).use(Theme.LIGHT)
