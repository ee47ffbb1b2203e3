"""The tour points at the real parts of the window, on the sample library, and can be left at any step."""

import os
from collections.abc import Iterator
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
from desktop_rag.gui.first_run.tour import Tour, TourPlaces
from desktop_rag.gui.first_run.tour_card import TourCard
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.index.library import Library
from desktop_rag.settings import Theme
from tests.gui.library_values import folder, library
from tests.gui.opened_app import opened
from tests.gui.picture_checks import PictureCheck

MILLISECONDS = 60_000


@pytest.fixture(params=[Theme.LIGHT, Theme.DARK], ids=["light", "dark"])
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


def test_the_tour_asks_a_question_and_shows_its_source(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    check = PictureCheck(tmp_path / "pictures")
    app.window.resize(1240, 740)
    app.window.menus.tour.trigger()
    card = card_of(app)
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
    app.viewer_requests.citation_requested.emit(last.citations[0])
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


def test_the_tour_can_be_left_with_escape_and_started_again(app: App, qtbot: QtBot) -> None:
    app.introduction.tour.start()
    card = card_of(app)
    assert "Tour, 1 of 6" in [label.text() for label in card.findChildren(QLabel)]
    press(card, "Next")
    focused = card.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert not card.isVisible()
    app.introduction.tour.start()
    assert title(card) == "Your folders"
    qtbot.waitUntil(lambda: bool(app.status.current.folders), timeout=MILLISECONDS)
    press(card, "Leave the tour")
    assert not card.isVisible()
    assert len(app.status.current.folders) == 1  # the sample was added once


def test_a_question_typed_during_the_tour_is_written_whole(app: App, qtbot: QtBot) -> None:
    app.introduction.tour.start()
    card = card_of(app)
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


def test_the_card_stays_inside_a_small_window(app: App, qtbot: QtBot) -> None:
    app.introduction.tour.start()
    card = card_of(app)
    for size in ((1366, 700), (900, 560)):
        app.window.resize(*size)
        QApplication.processEvents()
        for _ in range(3):
            assert app.window.rect().contains(place_of(app, card)), size
            press(card, "Next") if title(card) != "Ask" else press(card, "Back")
    app.introduction.tour.leave()
    qtbot.waitUntil(lambda: not app.introduction.tour.is_running())


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


def test_own_folders_that_are_not_known_yet_do_not_get_the_sample(qtbot: QtBot) -> None:
    window, status = QWidget(), ShownStatus()
    qtbot.addWidget(window)
    window.resize(900, 560)
    window.show()
    tour = Tour(TourPlaces(window, window, window, window, lambda: None, lambda: None), status, "When?", window)
    added: list[bool] = []
    tour.sample_requested.connect(lambda: added.append(True))
    tour.start()
    (card,) = window.findChildren(TourCard)
    assert not added
    status.update(library(folder(7)))
    assert title(card) == "Sample documents"
    assert not added
    tour.leave()
    status.reset()
    tour.start()
    status.update(library())
    status.update(library())
    assert added == [True]
    tour.leave()
