"""The clean view: highlights, scrolling, selection, links and zoom in documents of any length."""

from itertools import pairwise

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, InlineMark, Line, LineKind, MarkKind
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT
from desktop_rag.settings import Theme
from tests.gui.conftest import Browser
from tests.gui.viewer.clean.conftest import Open, Opened, markdown
from tests.gui.widgets.browser_question import agree, choose_browser, refuse

SHORT = (
    "# Lease\n\nThe rent is **840** euros,\nraised once a year,\nnever by more.\n\n[home](https://a.b) [up](#lease)\n"
)


def long(paragraphs: int = 3_000) -> Document:
    """Return a document of many paragraphs; number n is on line 2n - 1."""
    builder = DocumentBuilder("word")
    for number in range(1, paragraphs + 1):
        builder.add_blank()
        builder.add(Line(f"Paragraph {number}. " + "Words that fill more than one line of the page. " * 4))
    return builder.build()


def test_only_the_cited_line_of_a_paragraph_is_shaded(open_page: Open) -> None:
    opened = open_page(markdown(SHORT), 4, 4)
    (area,) = opened.view.cited_areas()
    picture = opened.view.viewport().grab().toImage()
    assert picture.pixelColor(round(area.center().x()), round(area.top()) + 1) != QColor(LIGHT.surface)
    assert picture.pixelColor(round(area.right()) + 20, round(area.top()) + 1) == QColor(LIGHT.surface)
    assert opened.view.highlighted_text() == "raised once a year,"


def test_the_shaded_words_are_those_of_the_cited_line(open_page: Open) -> None:
    opened = open_page(markdown(SHORT), 4, 4)
    view = opened.view
    (area,) = view.cited_areas()
    y = round(area.center().y())
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(area.left()) + 1, y))
    QTest.mouseMove(view.viewport(), QPoint(round(area.right()) - 1, y))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(area.right()) - 1, y))
    selected = view.selected()
    assert selected.text == "raised once a year,"
    assert (selected.first_line, selected.last_line) == (4, 4)


def test_a_cited_row_is_shaded_as_a_whole(open_page: Open) -> None:
    opened = open_page(markdown("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"), 3, 3)
    (area,) = opened.view.cited_areas()
    assert area.height() < 40


def test_a_long_document_opens_at_the_cited_place_and_reads_only_around_it(open_page: Open) -> None:
    opened = open_page(long(), 3_001, 3_001)
    (area,) = opened.view.cited_areas()
    assert 0 < area.top() < opened.view.height() / 3
    assert sum(count for _, count in opened.asked) < 3_000
    assert opened.view.highlighted_text().startswith("Paragraph 1501.")


def test_the_position_is_kept_when_lines_arrive_and_the_width_changes(open_page: Open) -> None:
    opened = open_page(long(), 3_001, 3_001)
    opened.view.resize(350, 700)
    QApplication.processEvents()
    (area,) = opened.view.cited_areas()
    assert 0 < area.top() < opened.view.height() / 3


def test_scrolling_back_and_forth_ends_where_it_began(open_page: Open) -> None:
    view = open_page(long(), 3_001, 3_001).view
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    before = view.cited_areas()
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
    assert view.cited_areas() == before


def test_scrolling_requests_missing_lines(open_page: Open) -> None:
    opened = open_page(long(), 3_001, 3_001)
    for _ in range(60):
        QTest.keyClick(opened.view, Qt.Key.Key_PageDown)
    first, last = opened.view.visible_lines()
    assert first > 3_100
    assert opened.view._flow.lines.hold(first, last)


def test_home_and_end_scroll_to_the_edges(open_page: Open) -> None:
    view = open_page(long(), 3_001, 3_001).view
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.visible_lines()[1] == 5_999
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.visible_lines()[0] == 1
    assert view.verticalScrollBar().value() == 0


def test_the_scroll_bar_scrolls_to_any_line(open_page: Open) -> None:
    view = open_page(long(), 1, 1).view
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert 2_800 < view.visible_lines()[0] < 3_200
    bar.setValue(bar.maximum())
    assert view.visible_lines()[1] == 5_999


def test_a_short_document_has_no_scroll_bar(open_page: Open) -> None:
    view = open_page(markdown(SHORT)).view
    QApplication.processEvents()
    assert not view.verticalScrollBar().isVisible()


def test_missing_lines_are_drawn_as_placeholders(open_page: Open) -> None:
    opened = open_page(long(), 1, 1)
    opened.gives = False
    QTest.keyClick(opened.view, Qt.Key.Key_End)
    opened.view.viewport().grab()
    assert opened.asked[-1][0] + opened.asked[-1][1] > 5_990
    opened.gives = True
    opened.give(*opened.asked[-1])
    assert opened.view._flow.lines.hold(*opened.view.visible_lines())


def test_double_click_selects_a_word_and_ctrl_a_everything(open_page: Open) -> None:
    opened = open_page(markdown("# Lease\n\nThe rent is due.\n"))
    view = opened.view
    area = view._flow.visible_blocks()[2].laid.placed[0]
    (rect,) = area.rects(4, 8)
    middle = rect.translated(view._left(), view._flow.visible_blocks()[2].y).center().toPoint()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert view.selected().text == "rent"
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Lease\n\nThe rent is due."


def menus(opened: Opened) -> list[list[str]]:
    return [[act.text() for act in menu.actions() if act.text()] for menu in opened.view.findChildren(QMenu)]


def click_link(opened: Opened, line: int, number: int) -> None:
    view = opened.view
    one = next(one for one in view._flow.visible_blocks() if one.laid.block.first == line)
    placed = one.laid.placed[0]
    mark = placed.strip.marks[number]
    rect = next(placed.rects(mark.start, mark.end)).translated(view._left(), one.y)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())


def test_an_address_is_never_opened_without_asking(open_page: Open) -> None:
    opened = open_page(markdown(SHORT))
    click_link(opened, 7, 0)
    assert menus(opened) == [["https://a.b", "Open in browser", "Copy link"]]
    for menu in opened.view.findChildren(QMenu):
        menu.close()


def test_the_browser_opens_after_a_question_that_was_answered_with_yes(open_page: Open, browser: Browser) -> None:
    opened = open_page(markdown(SHORT))
    click_link(opened, 7, 0)
    refuse(choose_browser(opened.view), browser)
    click_link(opened, 7, 0)
    agree(choose_browser(opened.view), browser, "https://a.b")


def test_an_internal_link_scrolls_to_its_target(open_page: Open) -> None:
    filler = "\n\n".join(f"Paragraph {number}" for number in range(200))
    opened = open_page(markdown(f"# Lease\n\n[down](#the-end)\n\n{filler}\n\n## The *end*\n\nwords\n"))
    click_link(opened, 3, 0)
    assert opened.view.visible_lines()[1] == opened.document.line_count
    assert menus(opened) == []


def test_links_are_reached_by_the_keyboard(open_page: Open) -> None:
    opened = open_page(markdown(SHORT))
    opened.view.setFocus()
    QTest.keyClick(opened.view, Qt.Key.Key_Tab)
    QTest.keyClick(opened.view, Qt.Key.Key_Return)
    assert menus(opened) == [["https://a.b", "Open in browser", "Copy link"]]
    for menu in opened.view.findChildren(QMenu):
        menu.close()


def test_a_table_wider_than_the_page_can_be_scrolled_across(open_page: Open) -> None:
    builder = DocumentBuilder("word")
    builder.add_row([f"column {number}" for number in range(40)], header=True)
    builder.add_row([str(number) for number in range(40)])
    view = open_page(builder.build()).view
    assert view.horizontalScrollBar().maximum() > 500


def test_the_page_follows_the_theme(open_page: Open, look: Look, qtbot: QtBot) -> None:
    opened = open_page(markdown(SHORT), 3, 5)
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    QApplication.processEvents()
    picture = opened.view.viewport().grab().toImage()
    assert picture.pixelColor(2, picture.height() - 2) == QColor(DARK.surface)
    (area,) = opened.view.cited_areas()
    assert picture.pixelColor(round(area.right()) - 2, round(area.center().y())) != QColor(DARK.surface)


def test_zooming_keeps_the_position(open_page: Open) -> None:
    view = open_page(long(), 3_001, 3_001).view
    (before,) = view.cited_areas()
    view.set_zoom(6)
    (after,) = view.cited_areas()
    assert after.height() > before.height() * 1.3
    assert after.top() < view.height() / 3


def test_the_current_match_is_emphasised(open_page: Open) -> None:
    opened = open_page(markdown(SHORT))
    opened.view.show_matches((((3, 4, 8),),), 0)
    picture = opened.view.viewport().grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 2) for y in range(0, 200, 2)}
    assert LIGHT.accent in colors


def test_struck_and_raised_words_are_laid_out(open_page: Open) -> None:
    builder = DocumentBuilder("word")
    marks = [
        InlineMark(0, 1, MarkKind.SUPERSCRIPT),
        InlineMark(1, 2, MarkKind.SUBSCRIPT),
        InlineMark(2, 3, MarkKind.STRIKETHROUGH),
    ]
    builder.add(Line("abc", LineKind.QUOTE, 2), marks)
    view = open_page(builder.build()).view
    assert view.selected().text == ""
    view.select_all()
    assert view.selected().text == "abc"
    assert view.accessibleName()


def test_blank_lines_between_cited_paragraphs_are_shaded(open_page: Open) -> None:
    areas = open_page(long(), 3, 7).view.cited_areas()
    assert len(areas) == 5
    assert all(below.top() - above.bottom() < 2 for above, below in pairwise(areas))
