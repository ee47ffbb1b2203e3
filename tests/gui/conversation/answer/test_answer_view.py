import os
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDrag, QFontMetricsF, QGuiApplication, QMouseEvent, QPalette, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.answer.answer_painting import pill_rect
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.theme.theme import Look
from desktop_rag.settings import Theme
from tests.gui.conftest import Browser
from tests.gui.conversation.conftest import ANSWER, CITATIONS
from tests.gui.widgets.browser_question import agree, choose_browser, refuse


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    return view


def _shape(view: AnswerView) -> list[tuple[str, int, int, bool]]:
    """Return text, indent, margin and list membership of every block."""
    shape = []
    block = view.document().begin()
    while block.isValid():
        form = block.blockFormat()
        shape.append((block.text(), form.indent(), round(form.topMargin()), block.textList() is not None))
        block = block.next()
    return shape


@pytest.mark.parametrize("size", [1, 3, 17, 400])
def test_a_streamed_answer_equals_a_complete_one(
    view: AnswerView, qtbot: QtBot, size: int, requests: ConversationRequests
) -> None:
    for start in range(0, len(ANSWER), size):
        view.feed(ANSWER[start : start + size])
        view.flush()
    view.show_answer(ANSWER)
    whole = AnswerView(requests.viewer)
    qtbot.addWidget(whole)
    whole.show_answer(ANSWER)
    assert _shape(view) == _shape(whole)
    assert view.toHtml() == whole.toHtml()


def test_streamed_text_is_rendered_by_the_timer(view: AnswerView, qtbot: QtBot) -> None:
    view.feed("Rent is due monthly")
    assert view.toPlainText() == ""
    qtbot.waitUntil(lambda: view.toPlainText() == "Rent is due monthly")


def test_the_height_follows_the_content(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer("One line.")
    low = view.height()
    view.show_answer("One line.\n\n" * 20)
    assert view.height() > 10 * low
    assert view.verticalScrollBar().maximum() == 0


def test_a_number_stays_on_the_line_of_the_text_before_it(view: AnswerView) -> None:
    words = "The notice period is six months "
    view.resize(view.fontMetrics().horizontalAdvance(words) + 6, 200)
    view.show_answer(words + "[1](cite:1).")
    layout = view.document().firstBlock().layout()
    last = layout.lineAt(layout.lineCount() - 1)
    assert layout.lineCount() > 1
    assert view.document().firstBlock().text()[last.textStart() :].startswith("months")


def test_the_cells_of_a_quoted_row_stay_together(view: AnswerView) -> None:
    view.show_answer("> Sache\tFrist\tBetrag: Heizkosten\t30.06.2025\t3412,55 [1](cite:1)")
    shown = view.toPlainText()
    assert "\t" not in shown
    assert shown.split()[:3] == ["Sache", "Frist", "Betrag:"]


def test_a_restart_clears_what_was_streamed(view: AnswerView) -> None:
    view.feed("I will look into the lease.")
    view.flush()
    view.clear_answer()
    assert view.toPlainText() == ""
    view.feed("Rent")
    view.flush()
    assert view.toPlainText() == "Rent"


def _click_on(view: AnswerView, qtbot: QtBot, pill: int) -> None:
    at = pill_rect(view.document(), view._writer.pills[pill], view._writer.font).center().toPoint()
    QTest.mouseMove(view.viewport(), at)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_clicking_a_number_asks_for_its_citation(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.show_answer(ANSWER, CITATIONS)
    with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
        _click_on(view, qtbot, 2)
    assert caught.args == [CITATIONS[2], tuple(CITATIONS)]


def test_a_number_in_a_list_is_where_its_pill_is(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.show_answer("- one\n  - two [4](cite:4)\n\n| a |\n|---|\n| [1](cite:1) |\n", CITATIONS)
    for place, number in enumerate((4, 1)):
        with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
            _click_on(view, qtbot, place)
        assert caught.args is not None
        assert caught.args[0].number == number


def test_the_keyboard_reaches_the_numbers(view: AnswerView, qtbot: QtBot, requests: ConversationRequests) -> None:
    view.show_answer("Rent is due [1](cite:1) and [2](cite:2).", CITATIONS)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert caught.args == [CITATIONS[0], tuple(CITATIONS)]


def test_a_number_without_a_citation_says_nothing(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.show_answer("Rent is due [9](cite:9).", CITATIONS)
    with qtbot.assertNotEmitted(requests.viewer.citation_requested):
        _click_on(view, qtbot, 0)


def test_an_external_link_is_inactive(view: AnswerView) -> None:
    view.show_answer("See [the act](https://www.example.org/act).")
    text = view.toPlainText()
    assert text == "See the act (https://www.example.org/act)."
    cursor = QTextCursor(view.document())
    for position in range(len(text)):
        cursor.setPosition(position + 1)
        assert not cursor.charFormat().isAnchor()


def test_the_address_of_an_external_link_can_be_copied(view: AnswerView) -> None:
    view.show_answer("See [the act](https://www.example.org/act) or [this](file:///etc/passwd).")
    cursor = view.document().find("the act")
    cursor.setPosition(cursor.selectionStart() + 2)
    assert view._address_at(view.cursorRect(cursor).center()) == "https://www.example.org/act"
    cursor = view.document().find("this")
    cursor.setPosition(cursor.selectionStart() + 2)
    assert view._address_at(view.cursorRect(cursor).center()) == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_nothing_named_in_an_answer_is_opened(view: AnswerView, qtbot: QtBot, tmp_path: Path) -> None:
    pipe, picture = tmp_path / "pipe", tmp_path / "picture.png"
    os.mkfifo(pipe)  # opening it would block for ever
    picture.write_bytes(b"not a picture")
    os.utime(picture, (1, 1))
    opened: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open":
            opened.append(str(arguments[0]))

    watching = True
    sys.addaudithook(watch)
    try:
        for path in (str(pipe), pipe.as_uri(), str(picture), picture.as_uri(), "//host.invalid/share/x.png"):
            view.show_answer(f"![a]({path}) <img src='{path}'> [b]({path})\n\n<img src='{path}'>\n")
            view.setHtml(f"<img src='{path}'><p>{path}</p>")  # even if mark-up should get in
            view.grab()
    finally:
        watching = False
    assert [path for path in opened if str(tmp_path) in path or "host.invalid" in path] == []
    assert picture.stat().st_atime == 1


def test_every_resource_is_an_empty_image(view: AnswerView) -> None:
    image = view.loadResource(2, QUrl("file:///etc/passwd"))
    assert (image.width(), image.height()) == (1, 1)


def test_the_browser_opens_after_a_question_that_was_answered_with_yes(view: AnswerView, browser: Browser) -> None:
    view.show_answer("[the portal](https://portal.example/rent)")
    at = view.cursorRect(view.document().find("portal")).center()
    assert browser.opened == []
    for end in (refuse, partial(agree, address="https://portal.example/rent")):
        QApplication.sendEvent(
            view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        )
        end(choose_browser(view), browser)


def test_a_citation_number_has_the_menu_of_its_citation(
    view: AnswerView, requests: ConversationRequests, qtbot: QtBot
) -> None:
    view.show_answer("Rent is **due** monthly [1](cite:1).", CITATIONS[:1])
    at = pill_rect(view.document(), view._writer.pills[0], view._writer.font).center().toPoint()
    menu = _menu(view, at)
    names = [action.text() for action in menu.actions()]
    assert names[:2] == ["Open the source", "Show the passage"]
    with qtbot.waitSignals([requests.viewer.citation_requested, requests.viewer.card_requested]):
        menu.actions()[0].trigger()
        menu.actions()[1].trigger()
    next(action for action in menu.actions() if action.text() == "Copy path and lines").trigger()
    assert QGuiApplication.clipboard().text().endswith("lease.pdf#L11-L14")
    menu.close()
    beside = _menu(view, view.cursorRect(view.document().find("due")).center())
    assert "Copy path and lines" not in [action.text() for action in beside.actions()]


def test_a_citation_number_is_dragged_out(view: AnswerView, monkeypatch: pytest.MonkeyPatch) -> None:
    dragged: list[tuple[str, list[QUrl]]] = []

    def drop(drag: QDrag, _: Qt.DropAction) -> None:
        dragged.append((drag.mimeData().text(), drag.mimeData().urls()))

    monkeypatch.setattr(QDrag, "exec", drop)
    view.show_answer("Rent is **due** monthly [1](cite:1).", CITATIONS[:1])
    at = pill_rect(view.document(), view._writer.pills[0], view._writer.font).center().toPoint()
    for press in (at, view.cursorRect(view.document().find("due")).center()):
        _mouse(view, QMouseEvent.Type.MouseButtonPress, press)
        for step in (1, 40):
            _mouse(view, QMouseEvent.Type.MouseMove, press - QPoint(step, 0))
        assert view.textCursor().hasSelection() == (press != at)
        _mouse(view, QMouseEvent.Type.MouseButtonRelease, press)
    [(text, urls)] = dragged
    assert CITATIONS[0].quote in text
    assert "(lease.pdf), page 3, lines 11–14" in text
    assert [url.toLocalFile() for url in urls] == [CITATIONS[0].path]


def _mouse(view: AnswerView, kind: QMouseEvent.Type, at: QPoint) -> None:
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    held = Qt.MouseButton.NoButton if kind is QMouseEvent.Type.MouseButtonRelease else left
    QApplication.sendEvent(view.viewport(), QMouseEvent(kind, QPointF(at), QPointF(at), left, held, keys))


def _menu(view: AnswerView, at: QPoint) -> QMenu:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    return view.findChildren(QMenu)[-1]


def test_copied_answers_list_their_sources(view: AnswerView) -> None:
    view.show_answer("Rent is **due** monthly [1](cite:1).", CITATIONS[:1])
    view.copy_as_markdown()
    markdown = QGuiApplication.clipboard().text()
    assert markdown.startswith("Rent is **due** monthly [1].\n\n[1] lease.pdf, page 3, lines 11–14: “The landlord")
    view.copy_as_plain_text()
    assert QGuiApplication.clipboard().text().startswith("Rent is due monthly [1].")


def test_a_copied_selection_has_no_layout_spaces(view: AnswerView) -> None:
    view.show_answer("due [1](cite:1)[2](cite:2)", CITATIONS)
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == "due  1  2 "


def test_a_theme_change_renders_the_answer_again(view: AnswerView, qapp: QApplication, qtbot: QtBot) -> None:
    look = Look(qapp)
    with qtbot.waitSignal(look.changed):
        look.use(Theme.LIGHT)
    view.show_answer(ANSWER, CITATIONS)

    def ink() -> str:
        cursor = view.document().find("landlord")
        return cursor.charFormat().foreground().color().name()

    before, html_words = ink(), view.toPlainText()
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    view.grab()  # rendered again only when painted
    assert ink() == qapp.palette().color(QPalette.ColorRole.Text).name() != before
    assert view.toPlainText() == html_words
    with qtbot.waitSignal(look.changed):
        look.use(Theme.LIGHT)
    view.grab()
    assert ink() == before


def test_paging_is_left_to_the_conversation(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer("text\n\n" * 30)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() == 0
    assert view.childAt(QPoint(5, 5)) is view.viewport()


def test_streaming_renders_only_the_end_of_a_long_answer(view: AnswerView) -> None:
    paragraph = "The retention period is **ninety days** [1](cite:1) unless a hold applies.\n\n"
    for _ in range(300):
        view.feed(paragraph)
        view.flush()
    touched: list[int] = []
    view.document().contentsChange.connect(lambda position, _removed, _added: touched.append(position))
    view.feed("One more paragraph")
    view.flush()
    assert min(touched) >= view.document().characterCount() - 2 * len(paragraph)


def test_a_growing_table_is_extended_and_keeps_its_pills(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    table = "| a | b |\n|---|---|\n| one [1](cite:1) | x |\n| two [2](cite:2) | **y** |\n| three [3](cite:3) | z |\n"
    for letter in table:
        view.feed(letter)
        view.flush()
    whole = AnswerView(requests.viewer)
    qtbot.addWidget(whole)
    whole.show_answer(table)
    assert view._writer.pills == whole._writer.pills
    assert view.toHtml() == whole.toHtml()


def test_a_growing_code_block_is_extended(view: AnswerView) -> None:
    view.feed("```python\nx = 1\n")
    view.flush()
    [(table, _)] = view._writer.framed
    view.feed("y = 2\n")
    view.flush()
    assert [framed for framed, _ in view._writer.framed] == [table]
    assert view.toPlainText().strip() == "x = 1\ny = 2"


def test_the_number_of_a_list_item_fits_in_a_large_font(view: AnswerView, qapp: QApplication) -> None:
    look = Look(qapp)
    look.use(Theme.LIGHT, 200)
    view.show_answer("10. Ten\n")
    view.grab()  # renders again in the new font
    room = view.document().indentWidth()
    look.use(Theme.LIGHT, 100)
    assert room >= QFontMetricsF(view._writer.font).horizontalAdvance("10.")


def test_a_bullet_stands_apart_from_its_text(view: AnswerView) -> None:
    view.show_answer("- Hull")
    QApplication.processEvents()
    block = view.document().begin()
    layout = block.layout()
    text = view.cursorRect(QTextCursor(block)).left()
    picture = view.viewport().grab().toImage()
    middle = round(layout.position().y() + layout.lineAt(0).height() / 2)
    paper = picture.pixelColor(0, 0)
    dark = [x for x in range(text - 1) if any(picture.pixelColor(x, y) != paper for y in range(middle - 6, middle + 6))]
    assert dark
    assert text - max(dark) > 6


def test_the_address_of_a_mail_is_written_once(view: AnswerView) -> None:
    view.show_answer("Write to <ada@example.org> or [her](mailto:ada@example.org).")
    assert view.toPlainText() == "Write to ada@example.org or her (mailto:ada@example.org)."
