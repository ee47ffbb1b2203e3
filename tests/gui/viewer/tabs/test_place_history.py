"""The back and forward history of the viewer."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import PlaceHistory, ViewedPlace, target_of_citation
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


def test_a_new_place_clears_the_forward_history(lease: MemoryFile) -> None:
    first, second, third = (ViewedPlace(target_of_citation(cite(lease, "rent is")), line) for line in (1, 2, 3))
    history = PlaceHistory()
    history.push(first)
    history.push(second)
    assert history.back(third) == second
    assert history.back(second) == first
    assert history.forward(first) == second
    history.push(second)
    assert not history.can_go_forward()
    assert history.can_go_back()


def test_back_returns_to_the_previous_document_and_citation(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    other = retriever.add_text(tmp_path / "other.md", "# Other\n\nSomething else stands here.\n")
    first, second = cite(lease, "It is raised once a year,"), cite(other, "Something else stands")
    opened(first)
    opened(second)
    panel.navigate(-1)
    tab = panel.current_tab()
    assert tab is not None
    assert tab.name == "lease.md"
    qtbot.waitUntil(lambda: panel.highlighted_text() == "The rent is 840 euros. It is raised once a year,")
    panel.navigate(1)
    qtbot.waitUntil(lambda: panel.highlighted_text() == "Something else stands here.")


def test_back_reopens_a_closed_document(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    other = retriever.add_text(tmp_path / "other.md", "# Other\n\nSomething else stands here.\n")
    opened(cite(lease, "It is raised once a year,"))
    opened(cite(other, "Something else stands"))
    panel.close_tab(0)
    panel.navigate(-1)
    qtbot.waitUntil(lambda: panel.highlighted_text() == "The rent is 840 euros. It is raised once a year,")
    assert panel.tab_count() == 2


def test_keys_and_mouse_buttons_go_back_to_the_visible_line(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    here, there = lease.lines.index("## 2. Section") + 1, lease.lines.index("## 29. Section") + 1
    tab.body.go_to_line(here)
    qtbot.waitUntil(lambda: tab.body.shows_line(here))
    tab.go_to_line(there)
    qtbot.waitUntil(lambda: tab.body.shows_line(there))
    editor = tab.body.text.editor
    QTest.keyClick(editor, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: tab.body.shows_line(here))
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.ForwardButton)
    qtbot.waitUntil(lambda: tab.body.shows_line(there))
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.BackButton)
    qtbot.waitUntil(lambda: tab.body.shows_line(here))
