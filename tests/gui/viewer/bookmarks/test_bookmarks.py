"""Bookmarks and notes in the viewer, with the real store in the background."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkStore
from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.gui.viewer.bookmark_dialogs import BookmarkControl, BookmarksDialog, NoteDialog
from desktop_rag.gui.viewer.side.side_panel import SidePage
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


class BookmarkHarness:
    """A bookmark control connected to a panel, with the last bookmarks and errors it emitted."""

    def __init__(self, panel: ViewerPanel, path: Path) -> None:
        self.path = path
        self.control = BookmarkControl(path, lambda: True)
        self.bookmarks: tuple[Bookmark, ...] = ()
        self.trouble: list[str] = []
        marks = panel.bookmarking
        marks.added.connect(self.control.add)
        marks.note_changed.connect(self.control.write_note)
        panel.requests.delete_requested.connect(self.control.delete)
        marks.export_requested.connect(self.control.export)
        self.control.changed.connect(partial(self._take, panel))
        self.control.trouble.connect(lambda _, sentence: self.trouble.append(sentence))

    def _take(self, panel: ViewerPanel, bookmarks: tuple[Bookmark, ...]) -> None:
        self.bookmarks = bookmarks
        panel.show_bookmarks(bookmarks)


@pytest.fixture
def harness(panel: ViewerPanel, tmp_path: Path) -> Iterator[BookmarkHarness]:
    harness = BookmarkHarness(panel, tmp_path / "library" / "bookmarks.sqlite")
    yield harness
    harness.control.close()


def press(panel: ViewerPanel, key: Qt.Key, *, shift: bool = False) -> None:
    extra = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(panel, key, Qt.KeyboardModifier.ControlModifier | extra)


def focus(widget: QWidget, qtbot: QtBot) -> None:
    """Move the keyboard focus to a widget: shortcuts of a list require it."""
    widget.window().activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def dialog(kind: type[NoteDialog]) -> NoteDialog:
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible())


def test_the_cited_passage_is_bookmarked_and_marked(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    citation = cite(lease, "It is raised once a year,")
    tab = opened(citation)
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    passage = harness.bookmarks[0].passage
    assert passage.quote == "It is raised once a year,"
    assert (passage.sha256, passage.first_line) == (lease.sha256, citation.first_line)
    assert tab.body.text.editor.is_bookmarked(citation.first_line)
    assert tab.side.bookmarks.bookmarks() == harness.bookmarks


def test_the_selection_takes_precedence_over_the_citation(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.body.choose(tab.body.modes[-1])
    editor = tab.body.text.editor
    qtbot.waitUntil(lambda: editor.holds(1) and not tab.is_busy())
    editor.select(1, 2, 7)
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    assert harness.bookmarks[0].passage.quote == "Lease"


def test_without_selection_or_visible_citation_the_first_visible_line_is_bookmarked(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    citation = cite(lease, "It is raised once a year,")
    tab = opened(citation)
    tab.body.return_to(lease.lines.index("Text of section 2, which is about **something** else.") + 1)
    qtbot.waitUntil(lambda: not tab.body.shows_line(citation.first_line))
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    assert harness.bookmarks[0].passage.first_line == tab.body.first_visible_line()
    assert harness.bookmarks[0].passage.quote == lease.lines[tab.body.first_visible_line() - 1].strip()


def test_a_note_is_written_and_changed(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    press(panel, Qt.Key.Key_M, shift=True)
    field = dialog(NoteDialog).findChild(QPlainTextEdit)
    assert field is not None
    field.setPlainText("Ask the landlord.")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: [each.note for each in harness.bookmarks] == ["Ask the landlord."])
    tab.side.show_page(SidePage.NOTES)
    tab.side.bookmarks.setCurrentIndex(tab.side.bookmarks.model().index(0, 0))
    focus(tab.side.bookmarks, qtbot)
    QTest.keyClick(tab.side.bookmarks, Qt.Key.Key_F2)
    same_document = dialog(NoteDialog)
    field = same_document.findChild(QPlainTextEdit)
    assert field is not None
    assert field.toPlainText() == "Ask the landlord."
    field.setPlainText("Asked.")
    same_document.accept()
    qtbot.waitUntil(lambda: [each.note for each in harness.bookmarks] == ["Asked."])


def test_deleting_a_bookmark_can_be_undone(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    tab.side.show_page(SidePage.NOTES)
    tab.side.bookmarks.setCurrentIndex(tab.side.bookmarks.model().index(0, 0))
    focus(tab.side.bookmarks, qtbot)
    with qtbot.waitSignal(harness.control.removed) as removed:
        QTest.keyClick(tab.side.bookmarks, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: not harness.bookmarks)
    assert not tab.body.text.editor.is_bookmarked(cite(lease, "It is raised").first_line)
    assert removed.args is not None
    harness.control.restore(removed.args[0])
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)


def test_the_list_filters_by_note_and_opens_a_moved_file(
    panel: ViewerPanel,
    harness: BookmarkHarness,
    retriever: MemoryRetriever,
    lease: MemoryFile,
    tmp_path: Path,
    opened: Opened,
    qtbot: QtBot,
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    harness.control.write_note(harness.bookmarks[0], "for the Landlord")
    qtbot.waitUntil(lambda: harness.bookmarks[0].note != "")
    assert lease.path is not None
    lease.path = lease.path.rename(tmp_path / "moved.md")
    panel.close_tab(0)
    panel.bookmarking.open_list()
    listed = panel.findChild(BookmarksDialog)
    assert listed is not None
    field = listed.findChild(QLineEdit)
    assert field is not None
    field.setText("no such words")
    assert listed.list.bookmarks() == ()
    field.setText("landlord rent")
    assert listed.list.bookmarks() == ()
    field.setText("LANDLORD year")
    assert listed.list.bookmarks() == harness.bookmarks
    listed.list.setCurrentIndex(listed.list.model().index(0, 0))
    with qtbot.waitSignal(panel.opening):
        QTest.keyClick(listed.list, Qt.Key.Key_Return)
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: panel.highlighted_text() == "The rent is 840 euros. It is raised once a year,")
    assert tab.name == "moved.md"
    listed.close()


def test_bookmarks_are_exported_as_markdown(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    file = tmp_path / "out.md"
    with qtbot.waitSignal(harness.control.saved) as saved:
        panel.bookmarking.export_requested.emit(harness.bookmarks, file)
    assert saved.args == ["Bookmarks and notes saved to out.md", file]
    assert "> It is raised once a year,\n" in file.read_text(encoding="utf-8")
    harness.control.export(harness.bookmarks, tmp_path / "none" / "out.md")
    qtbot.waitUntil(lambda: bool(harness.trouble))
    assert "cannot be written" in harness.trouble[0]


def test_a_bookmark_deleted_by_another_process_disappears(
    panel: ViewerPanel, harness: BookmarkHarness, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    press(panel, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(harness.bookmarks) == 1)
    assert lease.path is not None
    other = BookmarkStore(harness.path)
    assert other.erase_from(Forgotten(os.fsencode(lease.path.parent))) == 1
    other.close()
    harness.control.load()
    qtbot.waitUntil(lambda: harness.bookmarks == ())


def test_a_library_without_bookmarks_gets_no_file(harness: BookmarkHarness, qtbot: QtBot) -> None:
    with qtbot.waitSignal(harness.control.changed):
        harness.control.load()
    assert not harness.path.exists()
