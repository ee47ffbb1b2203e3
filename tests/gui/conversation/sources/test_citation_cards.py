"""The card of a citation: under the pointer, by key, pinned, with the passage and a picture of its page."""

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Citation
from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.gui.conversation.answer.answer_painting import pill_rect
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.sources.citation_card import CitationCard
from desktop_rag.gui.conversation.sources.citation_cards import CitationCards
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from tests.gui.viewer.conftest import cite, of_other_bytes
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever

LEASE = """# Lease

Some words before.

## 4. Rent

The rent is **840 euros**. It is raised once a year,
but never by more than four per cent.
Both sides agree.

Another paragraph.
"""


class Desk(QWidget):
    """A window with an answer and its cards."""

    def __init__(self, retriever: MemoryRetriever) -> None:
        super().__init__()
        self.requests = ViewerRequests()
        self.answer = AnswerView(self.requests, self)
        self.cards = CitationCards(retriever, self.requests, self, Painter)
        layout = QVBoxLayout(self)
        layout.addWidget(self.answer)
        layout.addStretch(1)
        self.resize(700, 600)
        self.show()

    def show_citation(self, citation: Citation) -> None:
        """Show an answer that cites it."""
        self.answer.show_answer("The rent rises once a year [1](cite:1).", [citation])

    def pill(self) -> QPoint:
        """Return the place of the number in the viewport of the answer."""
        writer = self.answer._writer
        return pill_rect(self.answer.document(), writer.pills[0], writer.font).center().toPoint()

    def point_at_pill(self, qtbot: QtBot) -> None:
        """Rest the pointer on the number; a pointer that moves before the text is laid out meets nothing."""

        def move() -> bool:
            QTest.mouseMove(self.answer.viewport(), self.pill() - QPoint(60, 0))
            QTest.mouseMove(self.answer.viewport(), self.pill())
            return self.cards._request is not None

        qtbot.waitUntil(move)

    def open_by_key(self, qtbot: QtBot) -> CitationCard:
        """Focus the number and press Space."""
        self.answer.setFocus()
        QTest.keyClick(self.answer, Qt.Key.Key_Tab)
        QTest.keyClick(self.answer, Qt.Key.Key_Space)
        card = self.cards.card
        assert card is not None
        qtbot.waitUntil(lambda: bool(card.passage.toPlainText()))
        return card


@pytest.fixture
def retriever() -> MemoryRetriever:
    return MemoryRetriever()


@pytest.fixture
def lease(retriever: MemoryRetriever, tmp_path: Path) -> MemoryFile:
    return retriever.add_text(tmp_path / "lease.md", LEASE)


@pytest.fixture
def desk(qtbot: QtBot, retriever: MemoryRetriever) -> Iterator[Desk]:
    desk = Desk(retriever)
    qtbot.addWidget(desk)
    with qtbot.waitExposed(desk):
        pass
    yield desk
    retriever.gate.set()
    desk.cards.close()


def _marked(card: CitationCard) -> str:
    """Return the characters of the passage that have a background."""
    marked = ""
    block = card.passage.document().begin()
    while block.isValid():
        piece = block.begin()
        while not piece.atEnd():
            fragment = piece.fragment()
            marked += fragment.text() if fragment.charFormat().background().style() != Qt.BrushStyle.NoBrush else ""
            piece += 1
        block = block.next()
    return marked


def test_the_pointer_at_rest_on_a_number_opens_the_card(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    started = time.monotonic()
    desk.point_at_pill(qtbot)
    assert desk.cards.card is None
    qtbot.waitUntil(lambda: desk.cards.card is not None and desk.cards.card.isVisible())
    assert time.monotonic() - started > 0.25
    QTest.mouseMove(desk.answer.viewport(), desk.pill() - QPoint(120, 0))
    qtbot.waitUntil(lambda: desk.cards.card is None)


def test_a_button_held_elsewhere_leaves_the_card_to_the_pointer(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    QTest.mousePress(other, Qt.MouseButton.LeftButton)  # until it is let go, Qt tells nobody of entering
    desk.point_at_pill(qtbot)
    QTest.mouseRelease(other, Qt.MouseButton.LeftButton)


def test_a_pointer_that_passes_by_opens_nothing(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    desk.requests.card_requested.emit(CardRequest(cite(lease, "It is raised"), "", "", QRect(0, 0, 9, 9)))
    desk.requests.card_left.emit()
    qtbot.waitUntil(lambda: not desk.cards._rest.isActive())
    assert desk.cards.card is None


def test_the_card_shows_the_paragraph_with_the_quoted_words(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    card = desk.open_by_key(qtbot)
    qtbot.waitUntil(lambda: card.heading_text == "4. Rent")
    assert card.passage.toPlainText() == (
        "The rent is 840 euros. It is raised once a year,\nbut never by more than four per cent.\nBoth sides agree."
    )
    assert _marked(card) == "It is raised once a year"
    assert card.accessibleName() == "Citation 1: lease.md, line 7"
    assert card.accessibleDescription() == "The document has these words."
    role = QAccessible.queryAccessibleInterface(card.passage).role()
    assert role is QAccessible.Role.EditableText


def test_a_heading_that_the_place_names_is_not_said_twice(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(replace(cite(lease, "It is raised once a year"), section="4. Rent"))
    card = desk.open_by_key(qtbot)
    qtbot.waitUntil(lambda: not desk.cards._worker.is_busy() and "Both sides" in card.passage.toPlainText())
    assert card.heading_text == ""


def test_of_a_changed_file_the_stored_passage_is_shown(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(of_other_bytes(cite(lease, "It is raised once a year")))
    card = desk.open_by_key(qtbot)
    qtbot.waitUntil(lambda: not desk.cards._worker.is_busy())
    assert "Rent" in card.passage.toPlainText().splitlines()[1]
    assert _marked(card) == "It is raised once a year"
    assert card.heading_text == ""


def test_a_slow_library_blocks_nothing(desk: Desk, lease: MemoryFile, retriever: MemoryRetriever, qtbot: QtBot) -> None:
    retriever.gate.clear()
    desk.show_citation(cite(lease, "It is raised once a year"))
    card = desk.open_by_key(qtbot)
    assert _marked(card) == "It is raised once a year"  # from the stored passage
    retriever.gate.set()
    qtbot.waitUntil(lambda: card.heading_text == "4. Rent")


def test_space_again_pins_the_card_and_escape_closes_it(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    card = desk.open_by_key(qtbot)
    assert not card.is_pinned
    QTest.keyClick(desk.answer, Qt.Key.Key_Space)
    assert list(desk.cards.kept) == [card]
    assert QGuiApplication.focusObject() is card.passage
    QTest.keyClick(card.passage, Qt.Key.Key_Escape)
    assert not desk.cards.kept
    assert QGuiApplication.focusObject() is desk.answer


def test_escape_closes_a_card_that_a_key_opened(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    desk.open_by_key(qtbot)
    QTest.keyClick(desk.answer, Qt.Key.Key_Escape)
    assert desk.cards.card is None


def test_a_pinned_card_can_be_moved_but_not_out_of_the_window(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    card = desk.open_by_key(qtbot)
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    for step in (40, 4_000):
        QTest.mouseMove(card, QPoint(step, step))
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton)
    assert card.is_pinned
    assert desk.rect().contains(card.geometry())
    assert card.geometry().right() > desk.width() - 20


@pytest.mark.parametrize("place", [QRect(680, 590, 10, 10), QRect(-50, -50, 10, 10), QRect(2_000, 300, 10, 10)])
def test_a_card_is_always_inside_the_window(desk: Desk, lease: MemoryFile, qtbot: QtBot, place: QRect) -> None:
    shown = place.translated(desk.mapToGlobal(QPoint()))
    desk.requests.card_requested.emit(CardRequest(cite(lease, "It is raised"), "", "", shown, by_key=True))
    card = desk.cards.card
    assert card is not None
    qtbot.waitUntil(lambda: card.heading_text == "4. Rent")
    assert desk.rect().contains(card.geometry())


def test_copy_as_quote_copies_words_and_reference(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    desk.open_by_key(qtbot).copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("“It is raised once a year”")
    assert "lease.md" in copied
    assert "line 7" in copied


def test_open_shows_the_citation_and_closes_the_card(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    citation = cite(lease, "It is raised once a year")
    desk.show_citation(citation)
    card = desk.open_by_key(qtbot)
    with qtbot.waitSignal(desk.requests.citation_requested) as caught:
        card.open.click()
    assert caught.args == [citation, (citation,)]
    assert desk.cards.card is None


def test_a_pinned_card_does_not_cover_what_it_opens(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    card = desk.open_by_key(qtbot)
    card.keep()
    assert list(desk.cards.kept) == [card]
    card.open.click()
    assert desk.cards.kept == ()


def test_another_library_closes_all_cards(desk: Desk, lease: MemoryFile, qtbot: QtBot) -> None:
    desk.show_citation(cite(lease, "It is raised once a year"))
    desk.open_by_key(qtbot).keep()
    desk.cards.show_library(MemoryRetriever())
    assert desk.cards.kept == ()


@pytest.mark.processes
def test_a_page_is_shown_with_the_cited_lines_marked(
    desk: Desk, retriever: MemoryRetriever, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "audit.pdf"
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 90), "First page")
        page = file.new_page(width=595, height=842)
        for y, words in ((400, "Another line far above."), (600, "The boiler loses a third"), (614, "of its fuel.")):
            page.insert_text((72, y), words, fontsize=11)
        path.write_bytes(file.tobytes())
    stored = retriever.add(path)
    desk.show_citation(dataclasses.replace(cite(stored, "The boiler loses", 2), quote="boiler loses a third of its"))
    card = desk.open_by_key(qtbot)
    qtbot.waitUntil(lambda: not card.picture.isNull(), timeout=60_000)
    assert card.passage.toPlainText() == "The boiler loses a third of its fuel."
    assert _marked(card) == "boiler loses a third of its"  # through the end of the printed line
    picture = card.picture.toImage()
    marked = QColor("#ffefb0")
    shades = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    assert marked.rgb() in shades
    assert picture.height() < picture.width() / 3
    assert desk.rect().contains(card.geometry())


def test_a_damaged_page_leaves_the_text(desk: Desk, retriever: MemoryRetriever, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "audit.pdf"
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 90), "The boiler loses a third")
        path.write_bytes(file.tobytes())
    stored = retriever.add(path)
    path.write_bytes(b"%PDF-1.7 nothing")
    desk.show_citation(cite(stored, "The boiler loses"))
    with qtbot.waitSignal(desk.cards._pages.refused, timeout=60_000):
        card = desk.open_by_key(qtbot)
    assert card.passage.toPlainText() == "The boiler loses a third"
    assert card.picture.isNull()
