"""The next document tab is made while a preview is looked at."""

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.viewer_panel import SpareTab, ViewerPanel


def test_a_tab_is_made_ahead_only_after_a_preview(qtbot: QtBot, panel: ViewerPanel) -> None:
    made: list[DocumentTab] = []

    def make() -> DocumentTab:
        made.append(panel._new_tab())
        return made[-1]

    owner = QObject(panel)
    spare = SpareTab(make, owner)
    first = spare.take(another=True)
    assert made == [first]
    qtbot.waitUntil(lambda: len(made) == 2)
    assert not made[1].isVisible()
    assert spare.take(another=False) is made[1]
    spare.take(another=False)
    assert len(made) == 3
    qtbot.wait(200)
    assert len(made) == 3


def test_a_tab_made_with_other_settings_is_not_used(qtbot: QtBot, panel: ViewerPanel) -> None:
    spare = SpareTab(panel._new_tab, panel)
    spare.take(another=True)
    qtbot.waitUntil(lambda: spare._tab is not None)
    old = spare._tab
    spare.discard()
    assert spare.take(another=False) is not old
