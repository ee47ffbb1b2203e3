"""The side panel: outline, thumbnails and matches."""

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.side.side_panel import ROW_ROLE, OutlineRead, SidePage, SideRow, read_outline
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.index.records import DocumentLayout
from desktop_rag.stop import Stop
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


@pytest.fixture
def report(retriever: MemoryRetriever, tmp_path: Path) -> MemoryFile:
    """A PDF of forty pages, each a chapter."""
    path = tmp_path / "report.pdf"
    with pymupdf.open() as file:
        for number in range(1, 41):
            page = file.new_page(width=595, height=842)
            page.insert_text((72, 90), f"Chapter {number}", fontsize=18)
            page.insert_text((72, 140), f"Plain words of page {number} to fill it.", fontsize=11)
        path.write_bytes(file.tobytes())
    return retriever.add(path)


def rows(view: object) -> list[SideRow]:
    model = view.model()  # type: ignore[attr-defined]
    found = [model.index(number, 0).data(ROW_ROLE) for number in range(model.rowCount())]
    return [row for row in found if isinstance(row, SideRow)]


def test_the_headings_of_a_text_are_its_outline(lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.toggle_side()
    qtbot.waitUntil(lambda: len(rows(tab.side.outline)) == 31)
    found = rows(tab.side.outline)
    assert [row.text for row in found[:2]] == ["Lease agreement", "1. Section"]
    assert [row.indent for row in found[:2]] == [0, 1]
    assert found[tab.side.outline.currentIndex().row()].text in {"13. Section", "14. Section", "15. Rent"}


def test_an_outline_entry_scrolls_to_its_line(lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.toggle_side()
    qtbot.waitUntil(lambda: len(rows(tab.side.outline)) == 31)
    outline = tab.side.outline
    outline.setCurrentIndex(outline.model().index(27, 0))
    outline.setFocus()
    with qtbot.waitSignal(tab.leaving):
        QTest.keyClick(outline, Qt.Key.Key_Return)
    line = lease.lines.index("## 27. Section") + 1
    qtbot.waitUntil(lambda: tab.body.shows_line(line))


def test_many_headings_are_read_in_few_windows(retriever: MemoryRetriever, lease: MemoryFile) -> None:
    retriever.windows.clear()
    (gathered,) = read_outline(lease.content, DocumentLayout(lease.document.kinds, (), b""), retriever, Stop())
    assert isinstance(gathered, OutlineRead)
    assert [entry.title for entry in gathered.entries[:3]] == ["Lease agreement", "1. Section", "2. Section"]
    assert len(gathered.entries) == 31
    assert len(retriever.windows) == 1


def test_the_outline_of_the_file_takes_precedence_over_headings(retriever: MemoryRetriever, tmp_path: Path) -> None:
    path = tmp_path / "toc.pdf"
    with pymupdf.open() as file:
        for number in range(1, 4):
            file.new_page().insert_text((72, 90), f"Part {number}", fontsize=20)
        file.set_toc([[1, "Part 1", 1], [1, "Part 2", 2], [1, "Part 3", 3]])
        path.write_bytes(file.tobytes())
    stored = retriever.add(path)
    (gathered,) = read_outline(stored.content, retriever.layout(stored.content, Stop()), retriever, Stop())
    assert [(entry.title, stored.document.page_of(entry.line)) for entry in gathered.entries] == [
        ("Part 1", 1),
        ("Part 2", 2),
        ("Part 3", 3),
    ]


def test_only_visible_thumbnails_are_rendered_and_open_their_page(
    report: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(report, "words of page 3 "))
    qtbot.waitUntil(lambda: tab.body.pages.page == 3)
    tab.side.show_page(SidePage.PAGES)
    small = tab.side.thumbnails
    qtbot.waitUntil(lambda: small.picture(2) is not None, timeout=60_000)
    assert small.picture(40) is None
    assert small.currentIndex().row() == 2
    spot = small.visualRect(small.model().index(1, 0))
    assert small.viewport().rect().intersects(QRect(spot))
    QTest.mouseClick(small.viewport(), Qt.MouseButton.LeftButton, pos=spot.center())
    qtbot.waitUntil(lambda: tab.body.pages.page == 2)


def test_the_guide_lists_what_is_mentioned_and_leads_to_its_line(
    retriever: MemoryRetriever, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "deal.md"
    path.write_text("# Deal\n\nIt is signed by Anna Meier (the “Seller”) on 3 May 2024.\n\nShe gets 900 euros.\n")
    stored = retriever.add(path)
    tab = opened(cite(stored, "She gets 900 euros."))
    tab.side.show_page(SidePage.GUIDE)
    guide = tab.side.guide
    qtbot.waitUntil(lambda: len(rows(guide.list)) == 8)
    assert [row.text for row in rows(guide.list)] == [
        *("Defined terms", "Seller", "Names", "Anna Meier"),
        *("Dates", "3 May 2024", "Amounts", "900 euros"),
    ]
    guide.list.setCurrentIndex(guide.list.model().index(5, 0))
    guide.list.setFocus()
    with qtbot.waitSignal(tab.side.line_chosen) as chosen:
        QTest.keyClick(guide.list, Qt.Key.Key_Return)
    assert chosen.args == [3]
    with qtbot.waitSignal(tab.side._requests.summary_requested) as asked:
        guide.summary.click()
    assert asked.args == [tab.side._sha256]
    assert tab.side._sha256


def test_a_text_has_no_thumbnails(lease: MemoryFile, opened: Opened) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.side.show_page(SidePage.OUTLINE)
    tab.side.show_page(SidePage.PAGES)
    tab.body.mode_changed.emit()
    assert tab.side.panel.page() is SidePage.OUTLINE


def test_matches_are_listed_with_their_context(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.find_bar.open_search("SOMETHING")
    qtbot.waitUntil(lambda: tab.find_bar._found.text().endswith("of 29"))
    assert tab.side.panel.page() is SidePage.FOUND
    found = rows(tab.side.hits)
    assert len(found) == 29
    assert found[0].text[slice(*found[0].mark)] == "something"
    assert "which is about **something** else" in found[0].text
    assert tab.side.hits.currentIndex().row() == tab.finding.current
    hits = tab.side.hits
    hits.clicked.emit(hits.model().index(28, 0))
    assert tab.find_bar._found.text() == "29 of 29"
    line = max(number for number, text in enumerate(lease.lines, 1) if "something" in text)
    qtbot.waitUntil(lambda: tab.body.shows_line(line))
    tab.find_bar.close_search()
    assert not tab.side.is_shown()


def test_the_panel_goes_back_to_its_page_after_a_search(lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.side.show_page(SidePage.NOTES)
    tab.find_bar.open_search("something")
    qtbot.waitUntil(lambda: tab.side.panel.page() is SidePage.FOUND)
    tab.find_bar.close_search()
    assert tab.side.is_shown()
    assert tab.side.panel.page() is SidePage.NOTES


def test_the_list_of_matches_can_be_hidden(lease: MemoryFile, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.find_bar.open_search("something")
    qtbot.waitUntil(tab.side.is_shown)
    tab.side.panel.closed.emit()
    assert not tab.side.is_shown()
    tab.find_bar.open_search("section")
    qtbot.waitUntil(lambda: tab.find_bar._found.text().endswith("of 58"))
    assert not tab.side.is_shown()


def test_the_panel_is_above_a_narrow_document_and_beside_a_wide_one(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened
) -> None:
    tab = opened(cite(lease, "It is raised once a year,"))
    tab.toggle_side()
    panel.resize(480, 700)
    assert tab.side.orientation() is Qt.Orientation.Vertical
    panel.resize(900, 700)
    assert tab.side.orientation() is Qt.Orientation.Horizontal
