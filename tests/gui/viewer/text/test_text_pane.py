"""The text view, the banner and searching, with real widgets and documents."""

import dataclasses
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Citation
from desktop_rag.documents.document import Document
from desktop_rag.errors import LibraryError
from desktop_rag.gui.theme.theme import Look, mono_font
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import Staleness, Target, ViewMode
from desktop_rag.settings import Theme
from desktop_rag.stop import Stop
from tests.gui.viewer.conftest import Opened, cite, of_other_bytes
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


@pytest.fixture
def opened(opened: Opened, qtbot: QtBot) -> Opened:
    """Open a citation in the text view, whatever other view modes its document offers."""

    def open_it(citation: Citation) -> DocumentTab:
        tab = opened(citation)
        tab.body.choose(ViewMode.TEXT)
        qtbot.waitUntil(lambda: not tab.is_busy(), timeout=60_000)
        return tab

    return open_it


def marked_words(tab: DocumentTab) -> list[str]:
    return [selection.cursor.selectedText() for selection in tab.body.text.editor.extraSelections()]


def place_of_line(tab: DocumentTab, line: int) -> float:
    """Return the top of a line as a share of the viewport height."""
    editor = tab.body.text.editor
    tops = {editor.line_of(block): area.top() for block, area in editor.visible_blocks()}
    return tops[line] / editor.viewport().height()


def test_the_highlighted_lines_contain_the_quoted_words(panel: ViewerPanel, lease: MemoryFile, opened: Opened) -> None:
    tab = opened(cite(lease, "It is raised once a year,", lines=2))
    assert "It is raised once a year," in panel.highlighted_text()
    assert panel.highlighted_text().endswith("four per cent.")
    assert marked_words(tab) == ["It is raised once a year"]


def test_the_cited_lines_are_in_the_upper_third(lease: MemoryFile, opened: Opened) -> None:
    citation = cite(lease, "It is raised once a year,")
    tab = opened(citation)
    assert 0 < place_of_line(tab, citation.first_line) < 1 / 3
    assert tab.banner.message() == ""


def test_the_highlight_is_drawn_behind_the_cited_lines_only(lease: MemoryFile, opened: Opened) -> None:
    citation = cite(lease, "It is raised once a year,")
    editor = opened(citation).body.text.editor
    picture = editor.viewport().grab().toImage()
    drawn = {editor.line_of(block): area for block, area in editor.visible_blocks()}
    right = picture.width() - 3
    cited = drawn[citation.first_line]
    plain = drawn[citation.first_line + 1]
    assert picture.pixelColor(right, round(cited.center().y())) != QColor(LIGHT.surface)
    assert picture.pixelColor(right, round(plain.center().y())) == QColor(LIGHT.surface)


def test_a_second_citation_of_the_same_file_moves_the_highlight(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    opened(cite(lease, "Text of section 28", number=2))
    assert panel.tab_count() == 1
    assert panel.highlighted_text().startswith("Text of section 28")


def test_a_changed_file_shows_the_stored_passage_and_where_the_words_are_now(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, tmp_path: Path
) -> None:
    citation = cite(lease, "It is raised once a year,")
    retriever.add_text(tmp_path / "lease.md", "# A new first line\n\n" + lease.document.text)
    tab = opened(citation)
    assert tab.found is not None
    assert tab.found.staleness is Staleness.CHANGED
    assert "has changed since the answer was written" in tab.banner.message()
    assert f"line {citation.first_line + 2}" in tab.banner.message()
    assert "It is raised once a year," in tab.banner.passage.highlighted_text()
    assert "It is raised once a year," in tab.highlighted_text()


def test_a_quote_removed_from_a_changed_file_is_highlighted_in_the_stored_passage_only(
    lease: MemoryFile, opened: Opened
) -> None:
    citation = cite(lease, "It is raised once a year,")
    stored = citation.passage.replace("once a year", "twice a year")
    old = dataclasses.replace(of_other_bytes(citation), quote="It is raised twice a year,", passage=stored)
    tab = opened(old)
    assert "no longer contains" in tab.banner.message()
    assert "twice a year" in tab.highlighted_text()
    assert tab.body.text.editor.cited == (0, -1)


def test_a_file_that_is_gone_shows_the_stored_passage_alone(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened
) -> None:
    citation = cite(lease, "It is raised once a year,")
    retriever.files.clear()
    tab = opened(citation)
    assert "no longer in your library" in tab.banner.message()
    assert "It is raised once a year," in tab.highlighted_text()
    assert tab.body.text.editor.toPlainText() == citation.passage
    assert tab.body.text.editor.first_line == citation.passage_first_line


def test_a_file_on_an_offline_drive_is_still_shown(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened
) -> None:
    lease.offline = True
    tab = opened(cite(lease, "It is raised once a year,"))
    assert "not connected" in tab.banner.message()
    assert "It is raised once a year," in tab.highlighted_text()


def test_a_partially_read_file_shows_a_banner(retriever: MemoryRetriever, lease: MemoryFile, opened: Opened) -> None:
    lease.document = dataclasses.replace(lease.document, partial="2 pages without text (a scan?)")
    tab = opened(cite(lease, "It is raised once a year,"))
    assert tab.banner.message() == "Only a part of this file could be read 2 pages without text (a scan?)."


def test_a_picture_of_text_says_what_it_waits_for(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened
) -> None:
    waiting = "Pictures: waiting for text recognition (OCR) – OCR is not installed"
    lease.document = dataclasses.replace(lease.document, partial=waiting)
    assert opened(cite(lease, "It is raised once a year,")).banner.message() == waiting


def test_the_tool_tip_of_the_title_describes_the_document(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened
) -> None:
    lease.document = dataclasses.replace(
        lease.document, author="Ada <b>\nByron", created="2024-03-05T10:00:00", language="en-GB"
    )
    tab = opened(cite(lease, "It is raised once a year,"))
    tips = [label.toolTip() for label in tab.header.findChildren(QWidget) if str(lease.path) in label.toolTip()]
    assert len(tips) == 1
    assert "Ada &lt;b&gt; Byron · " in tips[0]
    assert "English · " in tips[0]
    assert f"{lease.document.line_count} lines · " in tips[0]


def test_a_failed_read_is_shown_and_can_be_retried(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, qtbot: QtBot
) -> None:
    retriever.broken = LibraryError("The library is on a disk that is full.")
    citation = cite(lease, "It is raised once a year,")
    panel.open_citation(citation)
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: "disk that is full" in tab.banner.message())
    assert "It is raised once a year," in tab.highlighted_text()
    retriever.broken = None
    tab.banner.retry_requested.emit()
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy())
    assert tab.banner.message() == ""


def test_a_source_is_opened_by_its_content_id(panel: ViewerPanel, lease: MemoryFile, qtbot: QtBot) -> None:
    panel.open_target(Target(lease.content, "", str(lease.path), "Lease", 5, 7))
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy())
    assert tab.body.text.editor.cited == (5, 7)


def test_a_document_of_the_library_is_opened_at_its_lines(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, qtbot: QtBot
) -> None:
    card = retriever.describe(lease.content, Stop())
    assert card is not None
    panel.open_document(card, 3, 3)
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy())
    assert tab.highlighted_text() == lease.lines[2]
    assert tab.header.texts() == ("Lease agreement", "lease.md · line 3")


def test_a_very_long_line_is_cut_off(retriever: MemoryRetriever, tmp_path: Path, opened: Opened) -> None:
    text = "short\n" + "word " * 1_000_000 + "\nthe cited line\n"
    stored = retriever.add_text(tmp_path / "long.txt", text)
    started = time.monotonic()
    tab = opened(cite(stored, "the cited line"))
    assert time.monotonic() - started < 5
    shown = tab.body.text.editor.text_of(2, 2)
    assert len(shown) == 10_001
    assert shown.endswith("…")


def huge(retriever: MemoryRetriever) -> MemoryFile:
    text = "\n".join(f"line {number} of a very long log" for number in range(1, 400_001))
    return retriever.add_document(Path("/logs/huge.log"), Document("log", text, bytes(400_000)), "ab" * 32)


def test_a_huge_document_is_read_around_the_cited_place_only(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(huge(retriever), "line 250000 of"))
    editor = tab.body.text.editor
    assert tab.highlighted_text() == "line 250000 of a very long log"
    assert editor.last_line - editor.first_line < 5_000
    assert 0 < place_of_line(tab, 250_000) < 1 / 3
    assert all(count <= 2_000 for _, count in retriever.windows)


def test_the_position_is_kept_while_lines_are_prepended_and_the_width_changes(
    panel: ViewerPanel, retriever: MemoryRetriever, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    text = "\n".join(f"Paragraph {number}. " + "Words that wrap over some lines. " * 9 for number in range(1, 3_001))
    tab = opened(cite(retriever.add_text(tmp_path / "long.md", text), "Paragraph 1500."))
    assert tab.body.text.editor.first_line < 1_300
    assert 0 < place_of_line(tab, 1_500) < 1 / 2
    panel.resize(420, 640)
    QApplication.processEvents()
    assert 0 < place_of_line(tab, 1_500) < 1 / 2


def test_scrolling_loads_more_lines_and_keeps_the_position(
    retriever: MemoryRetriever, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(huge(retriever), "line 250000 of"))
    editor = tab.body.text.editor
    first = editor.first_line
    editor.scroll_to(first + 5)
    qtbot.waitUntil(lambda: editor.first_line < first)
    assert editor.visible_lines()[0] == first + 5
    assert editor.text_of(first + 5, first + 5) == f"line {first + 5} of a very long log"


def test_lines_scrolled_far_away_are_dropped(retriever: MemoryRetriever, opened: Opened, qtbot: QtBot) -> None:
    editor = opened(cite(huge(retriever), "line 250000 of")).body.text.editor
    begin = editor.first_line

    def scroll_on() -> bool:
        editor.scroll_to(editor.last_line - 50)
        return editor.first_line > begin

    qtbot.waitUntil(scroll_on, timeout=60_000)
    assert editor.last_line - editor.first_line < 13_000
    assert editor.text_of(editor.first_line, editor.first_line) == f"line {editor.first_line} of a very long log"


def test_the_scroll_bar_reaches_any_line_of_a_huge_document(
    retriever: MemoryRetriever, opened: Opened, qtbot: QtBot
) -> None:
    pane = opened(cite(huge(retriever), "line 250000 of")).body.text
    assert pane.bar.isVisible()
    pane.bar.setValue(12_345)
    qtbot.waitUntil(
        lambda: pane.editor.holds(12_345) and pane.editor.visible_lines()[0] <= 12_345 <= pane.editor.visible_lines()[1]
    )


def test_syntax_colours_follow_the_theme(
    retriever: MemoryRetriever, look: Look, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    stored = retriever.add_text(tmp_path / "cost.py", 'def cost(x: int) -> int:\n    """Say it."""\n    return 3 * x\n')
    editor = opened(cite(stored, "return 3 * x")).body.text.editor

    def shades() -> set[str]:
        block = editor.block_of(1)
        return {part.format.foreground().color().name() for part in block.layout().formats()}

    qtbot.waitUntil(lambda: bool(shades()))
    light = shades()
    look.use(Theme.DARK)
    qtbot.waitUntil(lambda: bool(shades()) and shades() != light)


def test_quoted_lines_are_slanted_unless_their_letters_have_no_italics(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    file = retriever.add_text(tmp_path / "notes.md", "> The rent is due.\n\n> 租金到期。\n")
    tab = opened(cite(file, "The rent is due."))

    def slants(line: int) -> set[bool]:
        return {part.format.fontItalic() for part in tab.body.text.editor.block_of(line).layout().formats()}

    qtbot.waitUntil(lambda: True in slants(1))
    assert slants(3) == {False}


def test_changing_the_theme_redraws_text_and_highlight(
    lease: MemoryFile, look: Look, opened: Opened, qtbot: QtBot
) -> None:
    citation = cite(lease, "It is raised once a year,")
    editor = opened(citation).body.text.editor
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    QApplication.processEvents()
    picture: QImage = editor.viewport().grab().toImage()
    cited = next(area for block, area in editor.visible_blocks() if editor.line_of(block) == citation.first_line)
    right = picture.width() - 3
    assert picture.pixelColor(right, picture.height() - 3) == QColor(DARK.surface)
    assert picture.pixelColor(right, round(cited.center().y())) != QColor(DARK.surface)
    marks = [selection.format.background().color() for selection in editor.extraSelections()]
    assert marks == [QColor(DARK.mark)]


def test_find_searches_the_whole_document(
    retriever: MemoryRetriever, panel: ViewerPanel, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(huge(retriever), "line 250000 of"))
    panel.open_find()
    field = tab.find_bar.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "line 39999")
    qtbot.waitUntil(lambda: tab.find_bar._found.text() == "2 of 11", timeout=60_000)
    editor = tab.body.text.editor
    qtbot.waitUntil(lambda: editor.selection()[0] == "line 39999" and editor.selection()[1] == 399_990)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: editor.selection()[1] == 399_991)
    assert tab.find_bar._found.text() == "3 of 11"


def test_a_match_across_a_line_end_counts_once(lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.find_bar.open_search("once a year, but never")
    qtbot.waitUntil(lambda: tab.find_bar._found.text() == "1 of 1")


def test_wrapping_can_be_changed(lease: MemoryFile, opened: Opened) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    assert tab.body.text.wraps()
    tab.tools.wrap_toggled.emit(False)
    assert not tab.body.text.wraps()


def test_code_keeps_its_font_when_the_theme_changes(
    retriever: MemoryRetriever, look: Look, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    stored = retriever.add_text(tmp_path / "cost.py", "def cost(x: int) -> int:\n    return 3 * x\n")
    editor = opened(cite(stored, "return 3 * x")).body.text.editor
    family = editor.font().family()
    for theme in (Theme.DARK, Theme.LIGHT):
        with qtbot.waitSignal(look.changed):
            look.use(theme)
        qtbot.wait(1)
        qtbot.waitUntil(lambda: editor.font().family() == family)
    assert family == mono_font().family()
