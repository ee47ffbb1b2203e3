"""The icon in the tray: closing hides, the menu opens, asks, pauses and quits."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.libraries import Libraries
from desktop_rag.settings import DesktopOptions, Settings
from tests.gui.test_end_to_end import drop, wait_until_ready

pytestmark = [
    pytest.mark.processes,
    pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True),
]  # the platform of the tests has no tray


@pytest.fixture
def with_tray(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    """A desktop that shows icons; the one of the tests has none."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)  # whoever has imported what asks it
    yield
    qapp.setQuitOnLastWindowClosed(True)


def choose(menu: QMenu, text: str) -> None:
    (action,) = (action for action in menu.actions() if action.text() == text)
    assert action.isEnabled()
    action.trigger()


def opt_in(app: App, *, tray: bool) -> None:
    app.settings.use(replace(app.settings.settings, desktop=DesktopOptions(tray=tray)))


def test_closing_hides_only_with_an_icon(app: App, qapp: QApplication, with_tray: None) -> None:
    opt_in(app, tray=True)
    assert not qapp.quitOnLastWindowClosed()
    app.window.close()
    assert not app.window.isVisible()
    assert not app._closed
    choose(app.desktop.tray.menu, "Open Desktop RAG")
    assert app.window.isVisible()
    opt_in(app, tray=False)
    assert qapp.quitOnLastWindowClosed()
    app.window.close()
    assert app._closed


def test_the_program_ends_by_the_menus_and_with_the_session(
    app: App, with_tray: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    opt_in(app, tray=True)
    monkeypatch.setattr(QApplication, "isSavingSession", lambda _: True)
    app.window.close()
    assert app._closed


def test_quit_in_the_tray_closes_everything(app: App, with_tray: None) -> None:
    opt_in(app, tray=True)
    app.window.close()
    choose(app.desktop.tray.menu, "Quit")
    assert app._closed
    assert not app.desktop.tray.is_shown()


def test_a_lost_tray_does_not_lose_the_window(app: App, with_tray: None, monkeypatch: pytest.MonkeyPatch) -> None:
    opt_in(app, tray=True)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    app.window.close()
    assert app._closed


@pytest.mark.slow
def test_the_menu_asks_and_pauses(app: App, qtbot: QtBot, documents: Path, with_tray: None) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    opt_in(app, tray=True)
    menu = app.desktop.tray.menu
    app.pane.composer.set_question("half a thought")
    app.window.menus.files.trigger()
    app.window.close()
    choose(menu, "New question")
    assert app.window.isVisible()
    assert app.pane.isVisible()
    assert app.pane.composer.question == ""
    choose(menu, "Pause reading")
    qtbot.waitUntil(lambda: "Resume reading" in [action.text() for action in menu.actions()])
    choose(menu, "Resume reading")
    qtbot.waitUntil(lambda: app.status.current.phase is not IndexingPhase.PAUSED)
    qtbot.waitUntil(lambda: "Pause reading" in [action.text() for action in menu.actions()])


@pytest.mark.parametrize("tray", [True, False])
def test_a_start_in_the_background_shows_no_window(
    qapp: QApplication, qtbot: QtBot, own_data_home: Path, with_tray: None, tray: bool
) -> None:
    app = App(qapp, Libraries(own_data_home).usual().library)
    qtbot.addWidget(app.window)
    opt_in(app, tray=tray)
    app.start(background=True)
    assert app.window.isVisible() is not tray
    assert app.window.isMinimized() is not tray
    app.window.bring_to_front()
    assert app.window.isVisible()
    assert not app.window.isMinimized()
    app.window.quit()
    app.deleteLater()
    QApplication.sendPostedEvents(app, QEvent.Type.DeferredDelete)


def test_settings_name_a_desktop_without_a_tray_and_keep_the_choice(qtbot: QtBot, qapp: QApplication) -> None:
    from desktop_rag.gui.settings.settings_pages import DesktopPage

    assert not QSystemTrayIcon.isSystemTrayAvailable()
    chosen = Settings(desktop=DesktopOptions(tray=True))
    page = DesktopPage(chosen)
    qtbot.addWidget(page)
    assert "Not available on this desktop" in [label.text() for label in page.findChildren(PlainLabel)]
    assert page.applied_to(chosen) == chosen
    assert Settings().desktop == DesktopOptions()
