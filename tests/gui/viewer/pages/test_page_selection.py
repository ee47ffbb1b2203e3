"""Text selection on printed pages by mouse and keyboard: columns, rotated and scanned pages."""

import hashlib
from array import array
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Document, Page
from desktop_rag.gui.viewer.pages.printed_pages import PrintedPages
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever
from tests.gui.viewer.pages.shown_areas import shown_areas

LEFT = (
    "The left column begins with",
    "a boat that lies at the pier",
    "and ends with the evening",
    "when all is quiet again.",
)
RIGHT = (
    "The right column tells about",
    "a house that stands on a hill",
    "and of the people in it who",
    "never look at the water.",
)
WithGlyphs = Callable[[DocumentTab], PrintedPages]


@pytest.fixture
def columns(retriever: MemoryRetriever, tmp_path: Path) -> MemoryFile:
    """Two columns drawn row by row across the page: only the reader knows the reading order."""
    path = tmp_path / "columns.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=595, height=842)
        for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
            page.insert_text((60, 100 + 16 * number), left, fontsize=11)
            page.insert_text((330, 100 + 16 * number), right, fontsize=11)
        second = file.new_page(width=595, height=842)
        second.insert_text((60, 100), "The second page goes on.", fontsize=11)
        path.write_bytes(file.tobytes())
    return retriever.add(path)


@pytest.fixture
def with_glyphs(qtbot: QtBot) -> WithGlyphs:
    def wait(tab: DocumentTab) -> PrintedPages:
        pages = tab.body.pages
        qtbot.waitUntil(lambda: pages.page > 0 and pages.is_painted(pages.page), timeout=60_000)
        qtbot.waitUntil(lambda: pages._glyph_cache.glyphs(pages.page) is not None, timeout=60_000)
        return pages

    return wait


def where(pages: PrintedPages, words: str, *, after: bool = False) -> QPoint:
    """Return the viewport position before the first or after the last character of `words`."""
    characters = pages._glyph_cache.glyphs(pages.page)
    assert characters is not None
    run = next(run for run in characters.runs if words in run.text)
    at = run.text.index(words) + (len(words) if after else 0)
    return pages.shown(pages.page, run.edge(at)).center().toPoint()


def drag(pages: PrintedPages, start: QPoint, end: QPoint) -> None:
    none = Qt.KeyboardModifier.NoModifier
    QTest.mousePress(pages.viewport(), Qt.MouseButton.LeftButton, none, start)
    QTest.mouseMove(pages.viewport(), (start + end) / 2)
    QTest.mouseMove(pages.viewport(), end)
    QTest.mouseRelease(pages.viewport(), Qt.MouseButton.LeftButton, none, end)


def test_dragging_selects_text_that_can_be_copied(columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    drag(pages, where(pages, "boat"), where(pages, "lies", after=True))
    assert pages.selected().text == "boat that lies"
    assert pages.selected().first_line == columns.lines.index(LEFT[1]) + 1
    pages.setFocus()
    QTest.keyClick(pages, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "boat that lies"


def test_a_selection_follows_the_columns(columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    drag(pages, where(pages, LEFT[2]), where(pages, RIGHT[0], after=True))
    assert pages.selected().text == f"{LEFT[2]}\n{LEFT[3]}\n{RIGHT[0]}"
    assert (pages.selected().first_line, pages.selected().last_line) == (
        columns.lines.index(LEFT[2]) + 1,
        columns.lines.index(RIGHT[0]) + 1,
    )


def test_double_click_selects_a_word_and_a_second_one_the_line(
    columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs
) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    inside = where(pages, "pier") + QPoint(4, 0)
    QTest.mouseDClick(pages.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, inside)
    assert pages.selected().text == "pier"
    QTest.mouseDClick(pages.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, inside)
    assert pages.selected().text == LEFT[1]


def test_the_keyboard_selects_from_the_cited_line(columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    pages.setFocus()
    shift, ctrl = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
    for _ in range(2):
        QTest.keyClick(pages, Qt.Key.Key_Right, shift | ctrl)
    assert pages.selected().text.strip() == "a boat"
    QTest.keyClick(pages, Qt.Key.Key_End, shift)
    assert pages.selected().text == LEFT[1]
    QTest.keyClick(pages, Qt.Key.Key_Down, shift)
    assert pages.selected().text.startswith(f"{LEFT[1]}\nand ends")
    QTest.keyClick(pages, Qt.Key.Key_Escape)
    assert pages.selected().text == ""


def test_a_page_is_selected_as_a_whole(columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    pages.setFocus()
    QTest.keyClick(pages, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert pages.selected().text.split("\n") == [*LEFT, *RIGHT]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_words_are_selected_on_a_turned_page(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, with_glyphs: WithGlyphs, rotation: int
) -> None:
    path = tmp_path / "turned.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=400, height=300)
        page.insert_text((60, 100), "Some words that are turned", fontsize=14)
        page.set_rotation(rotation)
        path.write_bytes(file.tobytes())
    pages = with_glyphs(opened(cite(retriever.add(path), "Some words")))
    drag(pages, where(pages, "words"), where(pages, "that", after=True))
    assert pages.selected().text == "words that"
    (cited,) = shown_areas(pages, "marks")
    for area in shown_areas(pages, "selected"):
        assert cited.adjusted(-3, -3, 3, 3).contains(area)


def test_matches_are_marked_at_their_exact_characters(
    columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs, qtbot: QtBot
) -> None:
    tab = opened(cite(columns, "a boat that lies"))
    pages = with_glyphs(tab)
    tab.find_bar.open_search("STANDS on")
    qtbot.waitUntil(lambda: tab.find_bar._found.text() == "1 of 1")
    qtbot.waitUntil(lambda: len(shown_areas(pages, "current")) == 1)
    (area,) = shown_areas(pages, "current")
    expected = QRectF(where(pages, "stands on").toPointF(), where(pages, "stands on", after=True).toPointF())
    assert area.left() == pytest.approx(expected.left(), abs=2)
    assert area.right() == pytest.approx(expected.right(), abs=2)


def test_selected_words_are_quoted_with_their_own_lines(
    columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs
) -> None:
    tab = opened(cite(columns, "a boat that lies"))
    pages = with_glyphs(tab)
    drag(pages, where(pages, "house"), where(pages, "hill", after=True))
    tab.copy_quote()
    line = columns.lines.index(RIGHT[1]) + 1
    assert QGuiApplication.clipboard().text().startswith("“house that stands on a hill”\n— ")
    assert f"page 1, line {line}" in QGuiApplication.clipboard().text()


def test_a_point_beside_a_page_selects_the_nearest_glyph(
    columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs
) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    place = pages.position_at(QPointF(2, where(pages, LEFT[2]).y()))
    characters = pages._glyph_cache.glyphs(1)
    assert place is not None
    assert characters is not None
    number, index = characters.position_of(characters.caret_at(place[1]))
    assert (characters.runs[number].text, index) == (LEFT[2], 0)


def test_text_of_a_scanned_page_is_selected_by_its_line_boxes(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, with_glyphs: WithGlyphs, qtbot: QtBot
) -> None:
    path = tmp_path / "scan.pdf"
    with pymupdf.open() as file:
        file.new_page(width=400, height=300)
        path.write_bytes(file.tobytes())
    boxes = array("f", (50, 50, 250, 70, 50, 80, 250, 100))
    text = "The words were recognised\nand stand on two lines."
    document = Document("pdf", text, bytes(2), pages=(Page(1, 1, 400, 300),), boxes=boxes.tobytes())
    stored = retriever.add_document(path, document, hashlib.sha256(path.read_bytes()).hexdigest())
    pages = with_glyphs(opened(cite(stored, "The words were")))
    qtbot.waitUntil(lambda: bool((characters := pages._glyph_cache.glyphs(1)) and characters.runs))
    drag(pages, where(pages, "were"), where(pages, "and", after=True))
    assert pages.selected().text == "were recognised\nand"
    assert (pages.selected().first_line, pages.selected().last_line) == (1, 2)


def test_going_back_restores_the_exact_scroll_position(
    columns: MemoryFile, opened: Opened, with_glyphs: WithGlyphs
) -> None:
    pages = with_glyphs(opened(cite(columns, "a boat that lies")))
    pages.set_scale(3.0)
    line = columns.lines.index(LEFT[2]) + 1
    pages.return_to(line)
    assert pages.first_visible_line() == line
    place = pages.verticalScrollBar().value()
    pages.reveal(columns.lines.index("The second page goes on.") + 1)
    assert pages.first_visible_line() != line
    pages.return_to(line)
    assert pages.verticalScrollBar().value() == place
