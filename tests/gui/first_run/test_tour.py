"""The tour points at the real parts of the window, on the sample library, and can be left at any step."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Answered
from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.welcome_control import welcome_for
from desktop_rag.gui.first_run.tour import Tour, TourCard, TourPlaces
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.window.single_instance import InstanceRequest
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.settings import Theme
from tests.gui.library_values import folder as folder_status
from tests.gui.library_values import library
from tests.gui.opened_app import opened
from tests.gui.picture_checks import PictureCheck

pytestmark = pytest.mark.processes

MILLISECONDS = 60_000


@pytest.fixture(params=[Theme.LIGHT, pytest.param(Theme.DARK, marks=pytest.mark.slow)], ids=["light", "dark"])
def app(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot, own_data_home: Path) -> Iterator[App]:
    app = App(qapp, Library(own_data_home / "library"))
    app.look.use(request.param)
    with opened(app, qtbot):
        yield app
        app.look.use(Theme.LIGHT)


def card_of(app: App) -> TourCard:
    (card,) = app.window.findChildren(TourCard)
    return card


def press(card: TourCard, text: str) -> None:
    next(each for each in card.findChildren(QPushButton) if each.text() == text).click()


def place_of(app: App, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(app.window, QPoint(0, 0)), widget.size())


def title(card: TourCard) -> str:
    return card.accessibleName()


def begun(app: App, qtbot: QtBot) -> TourCard:
    """Start the tour on the sample."""
    app.introduction.tour.start_with_sample()
    card = card_of(app)
    assert title(card) == "Your folders"
    qtbot.waitUntil(lambda: bool(app.status.current.folders), timeout=MILLISECONDS)
    return card


def test_the_tour_asks_a_question_and_shows_its_source(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    check = PictureCheck(tmp_path / "pictures")
    app.window.resize(1240, 740)
    app.window.menus.tour.trigger()
    card = card_of(app)
    qtbot.waitUntil(lambda: title(card) == "Sample documents", timeout=MILLISECONDS)
    check.check(card, "Sample documents")
    press(card, "Add them and begin")
    library = app.window.library
    for expected, target in (("Your folders", library), ("Search", library.search_button)):
        assert title(card) == expected
        assert not place_of(app, card).intersects(place_of(app, target))
        check.check(card, expected)
        press(card, "Next")
    assert title(card) == "Ask"
    assert app.pane.composer.question.startswith("When does the lease end")
    ask = next(each for each in card.findChildren(QPushButton) if each.text() == "Ask it")
    qtbot.waitUntil(ask.isEnabled, timeout=MILLISECONDS)
    assert not place_of(app, card).intersects(place_of(app, app.pane.composer))
    with qtbot.waitSignal(app.conversations.answered, timeout=MILLISECONDS) as answered:
        ask.click()
    (last,) = answered.args
    assert isinstance(last, Answered)
    assert last.citations
    assert title(card) == "Every claim has its source"
    app.viewer_requests.citation_requested.emit(last.citations[0], last.citations)
    qtbot.waitUntil(lambda: app.viewer.current_tab() is not None, timeout=MILLISECONDS)
    check.check(card, "citation")
    for expected in ("How it was found", "All files, and their problems"):
        press(card, "Next")
        assert title(card) == expected
        assert app.window.rect().contains(place_of(app, card))
        check.check(card, expected)
        if expected == "How it was found":  # it was scrolled out of sight by the answer
            assert not app.pane.view.turns[-1].timeline.header.visibleRegion().isEmpty()
    press(card, "Back")
    assert title(card) == "How it was found"
    press(card, "Next")
    assert not [b for b in card.findChildren(QPushButton) if b.text() == "Leave the tour" and b.isVisible()]
    press(card, "Done")
    assert not card.isVisible()
    assert not app.introduction.tour.is_running()
    check.report()


def test_the_outline_does_not_touch_what_it_surrounds(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 400)
    target = QWidget(window)
    target.setGeometry(40, 40, 200, 60)
    window.show()
    before = window.grab(target.geometry()).toImage()
    card = TourCard(window)
    card.show_step("Ask", "In your own words", "Tour, 1 of 6", "Next", first=True)
    card.follow(target, ready=True)
    assert window.grab(target.geometry()).toImage() == before
    assert window.grab(target.geometry().adjusted(-6, -6, 6, 6)).toImage().pixelColor(100, 2) != before.pixelColor(0, 0)


@pytest.mark.slow
def test_the_tour_can_be_left_with_escape_and_started_again(app: App, qtbot: QtBot) -> None:
    card = begun(app, qtbot)
    assert "Tour, 1 of 6" in [label.text() for label in card.findChildren(QLabel)]
    press(card, "Next")
    focused = card.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert not card.isVisible()
    begun(app, qtbot)
    press(card, "Leave the tour")
    assert not card.isVisible()
    assert len(app.status.current.folders) == 1  # the sample was added once


@pytest.mark.slow
def test_a_question_typed_during_the_tour_is_written_whole(app: App, qtbot: QtBot) -> None:
    card = begun(app, qtbot)
    app.window.activateWindow()
    assert card.focusWidget() in (card, None)
    for step in ("Your folders", "Search"):
        assert title(card) == step
        QTest.keyClick(card, Qt.Key.Key_Return)
    QTest.keyClicks(card, "W")
    assert not card.isVisible()
    field = app.pane.composer.findChild(QuestionField)
    assert isinstance(field, QuestionField)
    QTest.keyClicks(field, "ho is it?")
    assert app.pane.composer.question == "Who is it?"


@pytest.mark.slow
def test_the_card_stays_inside_a_small_window(app: App, qtbot: QtBot) -> None:
    card = begun(app, qtbot)
    for size in ((1366, 700), (900, 560)):
        app.window.resize(*size)
        QApplication.processEvents()
        for _ in range(3):
            assert app.window.rect().contains(place_of(app, card)), size
            press(card, "Next") if title(card) != "Ask" else press(card, "Back")
    app.introduction.tour.leave()
    qtbot.waitUntil(lambda: not app.introduction.tour.is_running())


@pytest.mark.slow
def test_after_the_tour_its_sample_leaves_the_own_folders(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    own = tmp_path / "Letters"
    own.mkdir()
    (own / "letter.txt").write_text("Dear Anna")
    app.window.library.folders_dropped.emit((os.fsencode(own),))
    qtbot.waitUntil(lambda: len(app.status.current.folders) == 1, timeout=MILLISECONDS)
    app.introduction.tour.start()
    card, check = card_of(app), PictureCheck(tmp_path / "pictures")
    assert title(card) == "Sample documents"
    check.check(card, "Sample documents")
    press(card, "Leave the tour")
    assert not app.introduction.tour.added_sample
    app.introduction.tour.start()
    press(card, "Add them and begin")
    assert title(card) == "Your folders"
    qtbot.waitUntil(lambda: len(app.status.current.folders) == 2, timeout=MILLISECONDS)
    assert not welcome_for(app.status.current, has_model=False).examples  # what is asked about is not the user's
    press(card, "Back")
    press(card, "Add them and begin")
    press(card, "Leave the tour")
    qtbot.waitUntil(lambda: [f.path for f in app.status.current.folders] == [os.fsencode(own)], timeout=MILLISECONDS)
    check.report()
    undo = next(each for each in app.window.findChildren(QPushButton) if each.text() == "Undo" and each.isVisible())
    undo.click()
    qtbot.waitUntil(lambda: len(app.status.current.folders) == 2, timeout=MILLISECONDS)


@dataclass
class BareTour:
    """A tour of a window that is one widget."""

    window: QWidget
    status: ShownStatus = field(default_factory=ShownStatus)
    added: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        places = TourPlaces(self.window, self.window, self.window, self.window, lambda: None, lambda: None)
        self.tour = Tour(places, self.status, "When?", self.window)
        self.tour.sample_requested.connect(lambda: self.added.append(True))


@pytest.fixture
def bare(qtbot: QtBot) -> BareTour:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 560)
    window.show()
    return BareTour(window)


@pytest.mark.parametrize("first", [library(folder_status(7)), library()], ids=["folders", "no folder yet"])
def test_the_sample_is_never_added_unasked(bare: BareTour, first: LibraryStatus) -> None:
    bare.tour.start()
    (card,) = bare.window.findChildren(TourCard)
    bare.status.update(first)  # at a start with folders, the first status may not have them yet
    assert title(card) == "Sample documents"
    bare.status.update(library(folder_status(7)))
    press(card, "Leave the tour")
    assert not bare.added


def test_the_sample_is_added_once(bare: BareTour) -> None:
    bare.tour.start_with_sample()
    bare.status.update(library())
    bare.status.update(library())
    assert bare.added == [True]
    bare.tour.leave()


def test_a_start_with_folders_does_not_get_the_sample(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    own = tmp_path / "Letters"
    own.mkdir()
    (own / "letter.txt").write_text("Dear Anna")
    app.introduction.tour.start()
    app.take(InstanceRequest((os.fsencode(own),)))
    card = card_of(app)
    qtbot.waitUntil(lambda: title(card) == "Sample documents", timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: bool(app.status.current.folders), timeout=MILLISECONDS)
    press(card, "Leave the tour")
    assert [each.path for each in app.status.current.folders] == [os.fsencode(own)]


@pytest.mark.slow
def test_a_tour_that_is_left_leaves_no_question(app: App, qtbot: QtBot) -> None:
    card = begun(app, qtbot)
    press(card, "Next")
    press(card, "Next")
    assert app.pane.composer.question
    press(card, "Leave the tour")
    assert not app.pane.composer.question
    app.conversations.begin_new()  # the draft would become a conversation
    with qtbot.waitSignal(app.conversations.answered, timeout=MILLISECONDS):
        app.conversations.ask("Who is the tenant?")
    qtbot.waitUntil(lambda: bool(app.window.conversations.conversations()), timeout=MILLISECONDS)
    assert [each.title for each in app.window.conversations.conversations()] == ["Who is the tenant?"]
