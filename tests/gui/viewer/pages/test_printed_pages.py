"""Printed pages in the viewer, rendered by the real child process."""

import dataclasses
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Document, Page
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.theme.theme_colors import DARK
from desktop_rag.gui.viewer.pages.page_view import Fit
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import ViewMode
from desktop_rag.settings import DesktopOptions, Theme
from tests.gui.picture_checks import contrast
from tests.gui.viewer.conftest import Opened, cite, of_other_bytes
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever
from tests.gui.viewer.pages.shown_areas import shown_areas

Rendered = Callable[[DocumentTab], None]


@pytest.fixture
def audit(retriever: MemoryRetriever, tmp_path: Path) -> MemoryFile:
    """A PDF of six pages with some lines on each; the cited one is alone in the middle of page 3."""
    path = tmp_path / "audit.pdf"
    with pymupdf.open() as file:
        for number in range(1, 7):
            page = file.new_page(width=595, height=842)
            page.insert_text((72, 90), f"Chapter {number}", fontsize=18)
            page.insert_text((72, 140), f"Plain words of page {number} to fill it.", fontsize=11)
            if number == 3:
                page.insert_text((72, 600), "The boiler loses a third of its fuel.", fontsize=11)
                page.insert_text((72, 616), "This is why it is cold.", fontsize=11)
        path.write_bytes(file.tobytes())
    return retriever.add(path)


@pytest.fixture
def rendered(qtbot: QtBot) -> Rendered:
    def wait(tab: DocumentTab) -> None:
        pages = tab.body.pages
        qtbot.waitUntil(lambda: pages.page > 0 and pages.is_painted(pages.page), timeout=60_000)

    return wait


def ink(picture: QImage, area: QRectF) -> int:
    """Return the number of dark pixels in `area`."""
    ratio = picture.devicePixelRatio()
    columns = range(int(area.left() * ratio), int(area.right() * ratio))
    rows = range(int(area.top() * ratio), int(area.bottom() * ratio))
    return sum(picture.pixelColor(x, y).lightness() < 110 for x in columns for y in rows if picture.valid(x, y))


def test_the_highlight_covers_the_ink_of_the_cited_words(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot
) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    pages = tab.body.pages
    assert pages.page == 3
    qtbot.waitUntil(lambda: bool(shown_areas(pages, "quoted")))  # the rest of the line is paler from then on
    (area,), (quoted,) = shown_areas(pages, "marks"), shown_areas(pages, "quoted")
    picture = pages.viewport().grab().toImage()
    around = QRectF(area).adjusted(20, -6, 60, 3)  # the bar is left of it, the next line right below it
    assert ink(picture, area) > 100
    assert ink(picture, around) - ink(picture, area.intersected(around)) == 0
    beside, marked = (
        picture.pixelColor(round(x), round(area.top()) + 1) for x in (area.right() - 2, quoted.right() - 3)
    )
    assert marked.blue() < beside.blue() < 240 < beside.red()


def test_the_quoted_words_are_marked_inside_the_cited_line(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot
) -> None:
    tab = opened(cite(audit, "a third of its fuel"))
    rendered(tab)
    pages = tab.body.pages
    qtbot.waitUntil(lambda: bool(shown_areas(pages, "quoted")))
    (line,), (words,) = shown_areas(pages, "marks"), shown_areas(pages, "quoted")
    assert line.contains(words.center())
    assert line.left() + line.width() / 3 < words.left() < words.right() < line.right()
    picture = pages.viewport().grab().toImage()
    quoted, beside = (QColor(picture.pixel(round(x), round(words.top()) + 1)) for x in (words.right() - 3, line.left()))
    assert quoted.blue() < beside.blue() < 255


def test_pages_of_a_file_that_is_not_on_this_computer_come_from_its_copy(
    audit: MemoryFile, retriever: MemoryRetriever, opened: Opened, rendered: Rendered, tmp_path: Path
) -> None:
    assert audit.path is not None
    (tmp_path / "copies").mkdir()
    retriever.copies[audit.sha256] = audit.path.rename(tmp_path / "copies" / f"{audit.sha256}.pdf")
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    assert tab.body.pages.page == 3


def test_pages_are_dark_in_the_dark_theme_where_chosen(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot, look: Look
) -> None:
    tab = opened(cite(audit, "a third of its fuel"))
    pages = tab.body.pages

    def shown() -> tuple[QColor, QColor, QImage]:
        """Return the colour of the paper and of the marked line, and the picture."""
        rendered(tab)
        qtbot.waitUntil(lambda: bool(shown_areas(pages, "quoted")))
        picture = pages.viewport().grab().toImage()
        line = shown_areas(pages, "marks")[0]
        row = round(line.top()) + 1
        return picture.pixelColor(round(line.right()) + 20, row), picture.pixelColor(round(line.left()), row), picture

    paper, _, _ = shown()
    assert paper == QColor("#ffffff")
    for option, expected in ((False, "#ffffff"), (True, DARK.surface)):
        with qtbot.waitSignal(look.changed):
            look.use(Theme.DARK, options=DesktopOptions(dark_pages=option))
        assert shown()[0] == QColor(expected)
    paper, marked, picture = shown()
    assert marked.red() > paper.red() + 15  # the mark can be seen
    assert marked.lightness() < 100  # and the text on it be read
    words = shown_areas(pages, "quoted")[0].toRect()
    assert contrast(picture, words) >= 4.5
    with qtbot.waitSignal(look.changed):
        look.use(Theme.LIGHT, options=DesktopOptions(dark_pages=True))
    assert shown()[0] == QColor("#ffffff")


def test_a_quote_of_two_lines_is_marked_on_both(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot
) -> None:
    citation = cite(audit, "The boiler loses a third", lines=2)
    tab = opened(dataclasses.replace(citation, quote="a third of its fuel. This is why"))
    rendered(tab)
    pages = tab.body.pages
    qtbot.waitUntil(lambda: len(shown_areas(pages, "quoted")) == 2)
    above, below = shown_areas(pages, "quoted")
    assert above.left() > below.left()
    assert below.top() > above.center().y()


def test_a_match_across_two_lines_marks_only_its_words(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot
) -> None:
    tab = opened(cite(audit, "Plain words of page 3"))
    rendered(tab)
    tab.find_bar.open_search("its fuel. This is")
    qtbot.waitUntil(lambda: tab.find_bar._found.text() == "1 of 1")
    pages = tab.body.pages
    line = pages.width()
    qtbot.waitUntil(
        lambda: (
            len(shown_areas(pages, "current")) == 2 and all(a.width() < line / 4 for a in shown_areas(pages, "current"))
        )
    )


def test_the_cited_line_is_scrolled_into_the_upper_half(audit: MemoryFile, opened: Opened, rendered: Rendered) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    (area,) = shown_areas(tab.body.pages, "marks")
    assert 0 < area.top() < tab.body.pages.viewport().height() / 2


def test_only_visible_pages_and_their_neighbours_are_rendered(
    audit: MemoryFile, opened: Opened, rendered: Rendered
) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    assert not tab.body.pages.is_painted(6)
    assert tab.tools.page.text() == "3 / 6"


def test_a_page_is_rendered_again_after_zooming(
    audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot
) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    before = tab.body.pages.scale
    tab.tools.zoom.stepped.emit(1)
    assert tab.body.pages.scale > before
    assert tab.body.pages.fit is Fit.FREE
    rendered(tab)


def test_entering_a_page_number_scrolls_to_the_page(audit: MemoryFile, opened: Opened, rendered: Rendered) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    tab.tools.page.entered.emit(6)
    assert tab.tools.page.text() == "6 / 6"
    rendered(tab)


def test_switching_to_text_and_back_to_pages(audit: MemoryFile, opened: Opened, rendered: Rendered) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    tab.tools.views.chosen.emit(ViewMode.TEXT)
    assert not tab.body.shows_pages
    assert "The boiler loses a third" in tab.highlighted_text()
    first = tab.body.text.editor.cited[0]
    assert tab.body.text.editor.visible_lines()[0] <= first <= tab.body.text.editor.visible_lines()[1]
    tab.tools.views.chosen.emit(ViewMode.PRINTED)
    assert tab.body.shows_pages
    assert tab.body.pages.page == 3


def test_matches_are_marked_on_their_page(audit: MemoryFile, opened: Opened, rendered: Rendered, qtbot: QtBot) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    tab.find_bar.open_search("words of page 5")
    qtbot.waitUntil(lambda: tab.find_bar._found.text() == "1 of 1")
    qtbot.waitUntil(lambda: tab.body.pages.page == 5)


def test_a_file_that_was_removed_from_the_disk_is_shown_as_text(
    audit: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    assert audit.path is not None
    audit.path.unlink()
    tab = opened(cite(audit, "The boiler loses a third"))
    qtbot.waitUntil(lambda: not tab.body.shows_pages)
    assert "printed pages cannot be shown" in tab.banner.message()
    assert "The boiler loses a third" in tab.highlighted_text()


def test_a_file_that_changed_since_it_was_read_is_shown_as_text(
    audit: MemoryFile, opened: Opened, qtbot: QtBot
) -> None:
    assert audit.path is not None
    audit.path.write_bytes(audit.path.read_bytes() + b"\n% one more line\n")
    audit.modified_ns -= 1
    tab = opened(cite(audit, "The boiler loses a third"))
    qtbot.waitUntil(lambda: not tab.body.shows_pages)
    assert "has changed since it was read" in tab.banner.message()


def test_a_touched_file_is_still_rendered(audit: MemoryFile, opened: Opened, rendered: Rendered) -> None:
    assert audit.path is not None
    os.utime(audit.path)
    audit.modified_ns -= 1
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    assert tab.body.shows_pages


def test_a_newer_file_is_rendered_with_a_banner_and_the_stored_passage(
    audit: MemoryFile, opened: Opened, rendered: Rendered
) -> None:
    tab = opened(of_other_bytes(cite(audit, "The boiler loses a third")))
    rendered(tab)
    assert "has changed since the answer was written" in tab.banner.message()
    assert "The boiler loses a third" in tab.banner.passage.highlighted_text()
    assert len(shown_areas(tab.body.pages, "marks")) == 1


def test_two_files_share_one_painter(
    panel: ViewerPanel,
    retriever: MemoryRetriever,
    audit: MemoryFile,
    tmp_path: Path,
    opened: Opened,
    rendered: Rendered,
) -> None:
    assert audit.path is not None
    copy = tmp_path / "copy.pdf"
    shutil.copy(audit.path, copy)
    copy.write_bytes(copy.read_bytes() + b"\n% another\n")
    other = retriever.add(copy)
    first = opened(cite(audit, "The boiler loses a third"))
    rendered(first)
    second = opened(cite(other, "Plain words of page 5"))
    rendered(second)
    assert second.body.pages.page == 5
    panel.close_tab(1)
    QTest.keyClick(panel, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    rendered(first)


def test_paper_stays_white_in_the_dark_theme(audit: MemoryFile, opened: Opened, rendered: Rendered) -> None:
    tab = opened(cite(audit, "The boiler loses a third"))
    rendered(tab)
    view = tab.body.pages.viewport()
    assert view.grab().toImage().pixelColor(view.width() // 2, view.height() // 2) == QColor("#ffffff")


def test_a_picture_is_shown_as_its_page(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, rendered: Rendered
) -> None:
    path = tmp_path / "plan.png"
    with pymupdf.open() as file:
        page = file.new_page(width=200, height=100)
        page.insert_text((20, 60), "HHHH", fontsize=40)
        path.write_bytes(page.get_pixmap().tobytes("png"))
    document = Document("picture", "Picture: 200 x 100", b"\6", pages=(Page(1, 1, 200, 100),))
    stored = retriever.add_document(path, document, hashlib.sha256(path.read_bytes()).hexdigest())
    tab = opened(cite(stored, "Picture"))
    rendered(tab)
    assert tab.body.shows_pages
    picture = tab.body.pages.viewport().grab().toImage()
    assert ink(picture, QRectF(picture.rect())) > 500


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_highlight_covers_the_cited_ink_at_any_zoom_of_a_turned_page(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, rendered: Rendered, qtbot: QtBot, rotation: int
) -> None:
    path = tmp_path / "turned.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=400, height=300)
        page.insert_text((60, 120), "Cited words", fontsize=14)
        page.set_rotation(rotation)
        path.write_bytes(file.tobytes())
    tab = opened(cite(retriever.add(path), "Cited words"))
    pages = tab.body.pages
    for scale in (0.7, 1.0, 1.6):
        pages.set_scale(scale)
        rendered(tab)
        (area,) = shown_areas(pages, "marks")
        pages.ensure_visible(1, pages.marked_on(1)[0])
        (area,) = shown_areas(pages, "marks")
        picture = pages.viewport().grab().toImage()
        seen = QRectF(picture.rect()).intersected(area)
        assert seen == area, "the cited words are in sight"
        page_area = pages.shown(1, QRectF(4, 4, pages.size_of(1)[0] - 8, pages.size_of(1)[1] - 8))
        assert ink(picture, area) > 20
        with_its_bar = area.adjusted(-8, -1, 1, 1)
        assert ink(picture, page_area) == ink(picture, with_its_bar)
