"""Every page and dialog on screens of several sizes and scales, in German, Chinese and a right-to-left language.

Each surface is seen on every screen, in every language and in both themes, but not in each combination of them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QPoint, QRect, QSize, Qt, QTranslator
from PySide6.QtGui import QFontDatabase, QScreen
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.gui.conversation.sources.citation_cards import CitationCards
from desktop_rag.gui.files.files_model import texts_of
from desktop_rag.gui.first_run.tour import TourCard
from desktop_rag.gui.settings.diagnostics import installation
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.paths import resources
from desktop_rag.settings import Density, Profile, Settings, Theme
from desktop_rag.stop import Stop
from tests.gui.picture_checks import PictureCheck
from tests.gui.pseudo_language import PseudoLanguage
from tests.gui.test_popups import Desk, check_context_menus, check_lists, check_menu_bar, check_tool_tips, dialogs_of
from tests.gui.viewer.conftest import cite
from tests.slow_cases import slow_but

COMBINATIONS = (  # name of the screen, language, theme, size of the text, density
    ("laptop", "de", Theme.DARK, 100, Density.COMFORTABLE),
    ("small and sharp", "zh_CN", Theme.LIGHT, 100, Density.COMPACT),
    ("old", "de", Theme.LIGHT, 100, Density.COMPACT),
    ("wide", "pseudo", Theme.DARK, 100, Density.COMFORTABLE),
    ("laptop at 150 %", "de", Theme.LIGHT, 100, Density.COMFORTABLE),
    ("laptop at 200 %", "zh_CN", Theme.DARK, 100, Density.COMFORTABLE),
    ("laptop at 150 %", "pseudo", Theme.DARK, 100, Density.COMFORTABLE),
    ("laptop at 200 %", "de", Theme.LIGHT, 100, Density.COMFORTABLE),
)
LOG = "2026-11-23 01:02:03,456 WARNING desktop_rag.documents.sandbox:88: a reader was ended\n" * 20


def translators(language: str) -> list[QTranslator]:
    """Return the catalogues of a language, loaded."""
    if language == "pseudo":
        return [PseudoLanguage()]
    found = []
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, folder in (("qtbase", qt), ("desktop_rag", str(resources() / "translations"))):
        translator = QTranslator()
        assert translator.load(f"{name}_{language}", folder)
        found.append(translator)
    return found


@pytest.fixture(params=slow_but(COMBINATIONS[2:3], COMBINATIONS), ids=lambda each: f"{each[0]} {each[1]} {each[3]} %")
def desk(
    request: pytest.FixtureRequest, qapp: QApplication, letters: None, qtbot: QtBot, tmp_path: Path
) -> Iterator[Desk]:
    """Return the filled window on a screen, in a language, a theme and a size."""
    screen_name, language, theme, percent, density = request.param
    if language == "zh_CN" and QFontDatabase.WritingSystem.SimplifiedChinese not in QFontDatabase.writingSystems():
        pytest.skip("no font has Chinese characters")
    screen = next(screen for screen in QApplication.screens() if screen.name() == screen_name)
    loaded, locale = translators(language), QLocale()
    for translator in loaded:
        qapp.installTranslator(translator)
    if language == "pseudo":
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    else:
        QLocale.setDefault(QLocale(language))
    look = Look(qapp)
    look.use(theme, percent, density)
    texts_of.cache_clear()  # of rows in another language
    desk = Desk(look, tmp_path)
    qtbot.addWidget(desk.window)
    _move(desk.window, screen)
    desk.window.show()
    desk.fill()
    for _ in range(8):  # an answer settles in steps
        QApplication.processEvents()
    yield desk
    desk.window.close()
    desk.viewer.shutdown()
    for translator in loaded:
        qapp.removeTranslator(translator)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    QLocale.setDefault(locale)
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.fixture
def check(tmp_path: Path) -> PictureCheck:
    return PictureCheck(tmp_path / "pictures")


def _move(window: QWidget, screen: QScreen) -> None:
    window.setScreen(screen)
    window.resize(screen.availableGeometry().size() - QSize(40, 60))
    window.move(screen.availableGeometry().topLeft())


def _settings(desk: Desk, tmp_path: Path) -> SettingsDialog:
    """Return the settings with what its pages learn later."""
    office = Profile("Office", "https://api.example.org/v1", "large")
    here = Profile("Here", "http://localhost:11434/v1", "small")
    settings = Settings(profiles=(office, here), active_profile="Office")
    dialog = SettingsDialog(settings, desk.status.current.folders, desk.window, desk.window.commands)
    log = tmp_path / "window.log"
    log.write_text(LOG)
    known = installation(tmp_path, (log,), Stop())
    dialog.privacy.show_size(known.size)
    dialog.diagnostics.show_installation(known)
    dialog.diagnostics.show_health(desk.status.current)
    return dialog


def test_pages_dialogs_and_the_card(desk: Desk, check: PictureCheck, qtbot: QtBot, tmp_path: Path) -> None:
    check.check(desk.window, "conversation")
    desk.show_hits()
    check.check(desk.window, "search")
    desk.show_files()
    for tab in range(desk.files.tabs.count()):
        desk.files.show_tab(tab)
        check.check(desk.window, f"files {tab}")
    for kind, make in dialogs_of(desk).items():
        dialog = _settings(desk, tmp_path) if kind is SettingsDialog else make()
        dialog.show()
        tabs = dialog.findChild(QTabWidget)
        for page in range(tabs.count() if isinstance(tabs, QTabWidget) else 1):
            if isinstance(tabs, QTabWidget):
                tabs.setCurrentIndex(page)
            check.check(dialog, f"{kind.__name__} {page or ''}")
        dialog.close()
    first = SettingsDialog(Settings(), (), desk.window, desk.window.commands)
    first.show()
    check.check(first, "settings without a model")
    first.close()
    _check_card(desk, check, qtbot)
    _check_tour(desk, check)
    check.report()


def test_menus_lists_and_tooltips(desk: Desk, check: PictureCheck, qtbot: QtBot) -> None:
    check_menu_bar(desk, check)
    desk.open_document(qtbot, changed=True)
    for page, show in ((desk.pane, desk.centre.show), (desk.search, desk.show_hits), (desk.files, desk.show_files)):
        show()
        desk.centre.setCurrentWidget(page)
        check.check(desk.window, f"{type(page).__name__} beside a document")
        check_lists(check, page)
        check_context_menus(check, page)
        check_tool_tips(check, page)
    check_lists(check, desk.viewer)
    check_context_menus(check, desk.viewer)
    check.report()


def _check_tour(desk: Desk, check: PictureCheck) -> None:
    card = TourCard(desk.window)
    for act in ("Next", "Ask it", "Add them and begin"):
        shown = QCoreApplication.translate("Tour", act)
        card.show_step("Ask", "Ask in your own words.", "Tour, 3 of 7", shown, first=False)
        card.follow(desk.pane.composer, ready=True)
        check.check(card, f"tour {act}")
        assert desk.window.rect().contains(card.geometry())
    card.end()


def _check_card(desk: Desk, check: PictureCheck, qtbot: QtBot) -> None:
    desk.centre.setCurrentWidget(desk.pane)
    requests = ViewerRequests()
    cards = CitationCards(desk.retriever, requests, desk.window, Painter)
    place = QRect(desk.window.mapToGlobal(QPoint(300, 300)), QSize(20, 14))
    checked = "The document has these words. The statement says 850 euros, the lines say 840 euros."
    citation = cite(desk.lease, "Text of section 3.")
    requests.card_requested.emit(CardRequest(citation, checked, "The file: changed.", place, by_key=True))
    card = cards.card
    assert card is not None
    qtbot.waitUntil(lambda: card.heading_text == "3. Section")
    card.keep()
    check.check(desk.window, "card")
    assert desk.window.rect().contains(card.geometry())
    cards.close()
