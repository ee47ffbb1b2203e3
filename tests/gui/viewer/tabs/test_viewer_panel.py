"""Tabs, shortcuts, clipboard and requests of the viewer panel."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QTabBar
from pytestqt.qtbot import QtBot

from desktop_rag.gui.command_parts import Commands
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.viewer.tabs.tab_strip import TabStrip
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import Staleness, Target, ViewMode
from desktop_rag.index.records import FolderState
from tests.gui.library_values import folder, library
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


def test_closing_the_last_tab_emits_closed(panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    with qtbot.waitSignal(panel.closed):
        tab.header.close_requested.emit()
    assert panel.tab_count() == 0
    assert panel.current_tab() is None


def test_a_tab_can_be_closed_while_it_is_loading(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    retriever.gate.clear()
    panel.open_citation(cite(lease, "It is raised once a year,"))
    qtbot.waitUntil(retriever.asked.is_set)
    with qtbot.waitSignal(panel.closed):
        panel.close_tab(0)
    opened(cite(lease, "It is raised once a year,"))
    assert "It is raised once a year," in panel.highlighted_text()


def test_a_new_citation_replaces_one_that_is_still_being_read(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    retriever.gate.clear()
    panel.open_citation(cite(lease, "It is raised once a year,"))
    qtbot.waitUntil(retriever.asked.is_set)
    tab = opened(cite(lease, "Text of section 28", number=2))
    assert tab.highlighted_text().startswith("Text of section 28")


def test_the_panel_can_shut_down_while_a_tab_is_loading(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, qtbot: QtBot
) -> None:
    retriever.gate.clear()
    panel.open_citation(cite(lease, "It is raised once a year,"))
    qtbot.waitUntil(retriever.asked.is_set)
    panel.shutdown()


def test_the_quote_is_copied_with_its_source(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    citation = cite(lease, "It is raised once a year,")
    tab = opened(citation)
    with qtbot.waitSignal(panel.requests.copied) as copied:
        tab.header.quote_requested.emit()
    expected = f"“It is raised once a year,”\n— Lease agreement (lease.md), line {citation.first_line}\n{lease.path}"
    assert copied.args == [expected]
    assert QGuiApplication.clipboard().text() == expected


def test_the_selection_is_copied_instead_of_the_quote(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.body.choose(ViewMode.TEXT)
    qtbot.waitUntil(lambda: tab.body.text.editor.holds(1))
    tab.body.text.editor.select(1, 2, 7)
    with qtbot.waitSignal(panel.requests.copied) as copied:
        tab.copy_quote()
    assert copied.args == [f"“Lease”\n— Lease agreement (lease.md), line 1\n{lease.path}"]


def test_opening_and_showing_the_file_is_requested(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    with qtbot.waitSignal(panel.requests.external_requested) as external:
        tab.actions_of.external.trigger()
    with qtbot.waitSignal(panel.requests.folder_requested) as folder:
        tab.actions_of.folder.trigger()
    assert external.args == folder.args == [lease.path]


def test_the_citations_of_an_answer_are_stepped_through(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    note = retriever.add_text(tmp_path / "note.txt", "One line\nThe landlord wrote in April.\n")
    first = cite(lease, "It is raised once a year,")
    second = cite(note, "The landlord wrote", number=2)
    tab = opened(first)
    panel.open_citation(first, (first, second))
    tab.tools.citations.stepped.emit(1)
    qtbot.waitUntil(lambda: panel.highlighted_text() == "The landlord wrote in April.")
    assert panel.tab_count() == 2


def hit(stored: MemoryFile, line: int = 1) -> Target:
    return Target(stored.content, "", str(stored.path), stored.document.title, line, line)


def test_hits_that_are_only_looked_at_share_one_tab_until_it_is_kept(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    notes = [retriever.add_text(tmp_path / f"note {n}.txt", f"Line of note {n}\n") for n in range(4)]
    opened(cite(lease, "It is raised once a year,"))
    for note in notes[:3]:
        panel.open_target(hit(note))
    assert panel.tab_count() == 2
    tab = panel.current_tab()
    assert tab is not None
    assert tab.name == "note 2.txt"
    strip = panel.findChild(TabStrip)
    assert isinstance(strip, TabStrip)
    assert strip.preview is tab
    assert not strip.grab().isNull()
    QTest.mouseDClick(strip, Qt.MouseButton.LeftButton, pos=strip.tabRect(1).center())
    assert strip.preview is None
    panel.open_target(hit(notes[3]))
    assert panel.tab_count() == 3
    looked_at = panel.current_tab()
    qtbot.waitUntil(lambda: looked_at is not None and looked_at.found is not None)
    panel.open_citation(cite(notes[3], "Line of note 3"))
    assert strip.preview is None
    panel.open_target(hit(lease))
    assert (panel.tab_count(), strip.preview) == (3, None)


def test_a_document_that_the_answer_does_not_cite_has_no_arrows_of_its_citations(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened
) -> None:
    note = retriever.add_text(tmp_path / "note.txt", "One line\nAnother line\n")
    first, second = cite(lease, "It is raised once a year,"), cite(lease, "The rent is 840 euros.", number=2)
    panel.set_citations((first, second))
    cited = opened(first)
    panel.open_target(hit(note))
    other = panel.current_tab()
    assert other is not None
    assert other is not cited
    assert other.tools.citations.isHidden()
    assert not cited.tools.citations.isHidden()


def test_a_restored_folder_brings_its_open_documents_back(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    root = bytes(Path(lease.path or "").parent)

    def change(state: FolderState) -> Staleness | None:
        panel.update_folders(library(folder(1, root, state=state), folder(2, b"/elsewhere")))
        qtbot.waitUntil(lambda: not tab.is_busy())
        return tab.found.staleness if tab.found else None

    change(FolderState.ACTIVE)
    path, lease.path = lease.path, None
    assert change(FolderState.REMOVED) is Staleness.GONE
    lease.path = path
    assert change(FolderState.ACTIVE) is Staleness.SAME


def test_a_document_follows_its_file_while_it_is_open(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    note = retriever.add_text(tmp_path / "note.txt", "One line\n")
    cited, untouched = opened(cite(note, "One line")), opened(cite(lease, "It is raised once a year,"))
    retriever.add_text(tmp_path / "last.txt", "Keeps the numbers of contents apart\n")
    shown = untouched.found

    def write(words: str) -> Staleness | None:
        before, retriever.files = cited.found, [file for file in retriever.files if file.path != note.path]
        if words:
            retriever.add_text(tmp_path / "note.txt", words)
        panel.update_folders(library(folder(1, bytes(tmp_path), found=len(words))))
        qtbot.waitUntil(lambda: cited.found is not before)
        return cited.found.staleness if cited.found else None

    assert write("A new line\nOne line\n") is Staleness.CHANGED
    assert write("") is Staleness.LOST
    assert write("One line\n") is Staleness.SAME
    assert untouched.found is shown


def test_a_hit_whose_file_was_read_again_shows_the_file_as_it_is_now(
    panel: ViewerPanel, retriever: MemoryRetriever, tmp_path: Path, qtbot: QtBot
) -> None:
    found = hit(retriever.add_text(tmp_path / "note.txt", "One line\n"))
    retriever.add_text(tmp_path / "last.txt", "Keeps the numbers of contents apart\n")
    retriever.add_text(tmp_path / "note.txt", "Another line\n")
    panel.open_target(found)
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None)
    assert tab.found is not None
    assert tab.found.staleness is Staleness.CHANGED
    assert "since it was found" in tab.banner.accessibleName()


def test_the_shortcuts_work(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    note = retriever.add_text(tmp_path / "note.txt", "One line\n")
    first = opened(cite(lease, "It is raised once a year,"))
    second = opened(cite(note, "One line"))
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(panel, Qt.Key.Key_Tab, control)
    assert panel.current_tab() is first
    QTest.keyClick(first.body.rendered, Qt.Key.Key_F, control)
    assert not first.find_bar.isHidden()
    QTest.keyClick(first.find_bar, Qt.Key.Key_Escape)
    assert first.find_bar.isHidden()
    size = second.body.text.editor.font().pointSizeF()
    QTest.keyClick(first.body.rendered, Qt.Key.Key_Plus, control)
    assert second.body.text.editor.font().pointSizeF() == size + 1
    QTest.keyClick(first.body.rendered, Qt.Key.Key_W, control)
    assert panel.current_tab() is second
    assert panel.tab_count() == 1


def test_a_file_name_with_control_characters_is_shown_safely(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path, opened: Opened
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    odd = retriever.add_text(tmp_path / "<b>R&D</b>.txt".replace("/", "∕"), "Some words\n")
    opened(cite(odd, "Some words"))
    strip = panel.findChild(QTabBar)
    assert strip is not None
    assert strip.tabText(1).replace("&&", "&") == "<b>R&D<∕b>.txt"
    assert "/&lt;b&gt;R&amp;D" in strip.tabToolTip(1)


def test_all_controls_have_accessible_names(panel: ViewerPanel, lease: MemoryFile, opened: Opened) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    buttons = [button for button in tab.findChildren(QAbstractButton) if button.isVisibleTo(tab)]
    assert buttons
    assert [button for button in buttons if not (button.accessibleName() or button.text())] == []
    assert [field for field in tab.findChildren(QLineEdit) if not field.accessibleName()] == []
    assert tab.body.text.editor.accessibleName()
    assert tab.body.rendered.accessibleName()


def test_a_tab_has_a_menu_of_its_own(
    panel: ViewerPanel, lease: MemoryFile, retriever: MemoryRetriever, opened: Opened, tmp_path: Path, qtbot: QtBot
) -> None:
    note = retriever.add_text(tmp_path / "note.txt", "One line\n")
    first = opened(cite(lease, "It is raised once a year,"))
    opened(cite(note, "One line"))
    strip = panel.findChildren(TabStrip)[0]

    def choose(name: str) -> None:
        at = strip.tabRect(0).center()
        QApplication.sendEvent(strip, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, strip.mapToGlobal(at)))
        menu = strip.findChildren(QMenu)[-1]
        next(action for action in menu.actions() if action.text() == name).trigger()
        menu.close()

    choose("Copy path")
    assert QGuiApplication.clipboard().text() == str(lease.path)
    with qtbot.waitSignal(panel.requests.folder_requested) as wanted:
        choose("Show in folder")
    assert wanted.args == [Path(lease.path or "")]
    choose("Close the others")
    assert panel.all_tabs() == [first]
    choose("Close")
    assert panel.tab_count() == 0


def test_the_buttons_and_menus_of_a_document_follow_its_keys(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))

    def tips() -> set[str]:
        return {button.toolTip() for button in panel.findChildren(IconButton)}

    assert {"Bookmark this passage (Ctrl+M)", "Back to where you were (Alt+Left)"} <= {
        button.toolTip() for button in panel.findChildren(IconButton)
    }
    assert tab.actions_of.note.text() == "Add a note…\tCtrl+Shift+M"
    Commands(panel.commands(), panel).use({"document.bookmark": "F8", "document.note": ""})
    assert "Bookmark this passage (F8)" in tips()
    assert tab.actions_of.note.text() == "Add a note…"
    assert tab.actions_of.bookmark.text() == "Bookmark this passage\tF8"
    assert tab.actions_of.bookmark.shortcut().isEmpty()  # the panel handles the keys
