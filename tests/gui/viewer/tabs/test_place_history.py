"""Back and forth between the places a person has been to."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.tabs.place_history import PlaceHistory, ViewedPlace
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.target import target_of_citation
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.shelf import Book, Shelf


def test_who_goes_elsewhere_after_going_back_has_nothing_to_go_forth_to(lease: Book) -> None:
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


def test_back_leads_to_the_document_and_the_citation_before(
    panel: ViewerPanel, shelf: Shelf, lease: Book, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    other = shelf.put_text(tmp_path / "other.md", "# Other\n\nSomething else stands here.\n")
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


def test_a_closed_document_is_opened_again_on_the_way_back(
    panel: ViewerPanel, shelf: Shelf, lease: Book, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    other = shelf.put_text(tmp_path / "other.md", "# Other\n\nSomething else stands here.\n")
    opened(cite(lease, "It is raised once a year,"))
    opened(cite(other, "Something else stands"))
    panel.close_tab(0)
    panel.navigate(-1)
    qtbot.waitUntil(lambda: panel.highlighted_text() == "The rent is 840 euros. It is raised once a year,")
    assert panel.tab_count() == 2


def test_the_keys_and_the_mouse_go_back_to_the_line_that_was_read(
    panel: ViewerPanel, lease: Book, opened: Opened, qtbot: QtBot
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
