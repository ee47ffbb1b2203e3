"""The documents opened last: in the menu, over a restart, grey when they are gone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.index.libraries import Libraries
from desktop_rag.text.desktop_links import OpenLink
from tests.gui.test_end_to_end import drop, wait_until_ready

pytestmark = pytest.mark.processes

Restart = Callable[[], App]


def texts(menu: QMenu) -> list[str]:
    """Open the menu and return its entries."""
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions() if action.text()]


@pytest.fixture
def restart(qapp: QApplication, qtbot: QtBot, own_data_home: Path, app: App) -> Restart:
    """Close the window and open it again."""

    def restarted() -> App:
        app.window.close()
        again = App(qapp, Libraries(own_data_home).usual().library)
        qtbot.addWidget(again.window)
        again.start()
        return again

    return restarted


def opened(app: App, qtbot: QtBot, path: Path, line: int = 1) -> None:
    app.desktop.links.open(OpenLink(str(path), line, line))
    qtbot.waitUntil(lambda: [each.path for each in app.documents_open.recent.documents][:1] == [str(path)])


def test_documents_opened_before_are_in_the_menu(app: App, qtbot: QtBot, documents: Path, restart: Restart) -> None:
    menu = app.window.menus.recent
    assert not menu.isEnabled()
    (documents / "R&D notes.txt").write_text("A note.")
    (documents / "gone.txt").write_text("Another note.")
    drop(app, documents)
    wait_until_ready(app, qtbot)
    for name, line in (("gone.txt", 1), ("lease+1.txt", 200), ("R&D notes.txt", 1)):
        opened(app, qtbot, documents / name, line)
    assert menu.isEnabled()
    assert texts(menu) == ["R&&D notes.txt", "lease+1.txt", "gone.txt", "Clear the list"]
    while app.viewer.tab_count():
        app.viewer.close_tab(0)

    again = restart()
    menu = again.window.menus.recent
    qtbot.waitUntil(menu.isEnabled)
    (documents / "gone.txt").unlink()
    (documents / "lease+1.txt").rename(documents / "contract.txt")
    wait_until_ready(again, qtbot)
    qtbot.waitUntil(lambda: again.status.current.folders[0].found == 2)
    assert texts(menu) == ["R&&D notes.txt", "lease+1.txt", "gone.txt", "Clear the list"]
    lost = menu.actions()[2]
    qtbot.waitUntil(lambda: not lost.isEnabled())
    assert lost.text() == "gone.txt (no longer there)"
    menu.actions()[1].trigger()
    qtbot.waitUntil(lambda: again.viewer.highlighted_text() == "The rent is 940 euros.")
    menu.actions()[-1].trigger()
    assert not menu.isEnabled()
    again.documents_open.save()
    again.window.close()
    stored = json.loads((Libraries(again_home(again)).usual().library.documents).read_bytes())
    assert stored["recent"] == []
    assert "940" not in json.dumps(stored)
    again.deleteLater()


def again_home(app: App) -> Path:
    """Return the folder of the libraries."""
    return app.sessions.current.known.folder.parents[1]


@pytest.mark.slow
def test_a_forgotten_folder_leaves_the_list(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    opened(app, qtbot, documents / "lease+1.txt")
    app.viewer.close_folders((bytes(documents),))
    assert app.documents_open.recent.documents == ()


@pytest.mark.slow
def test_a_preview_is_not_listed(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    app.desktop.links.follow("desktop-rag://search?q=rent")
    qtbot.waitUntil(lambda: app.search_page.results.results.rowCount() > 1)
    app.search_page.results.step(1)
    qtbot.waitUntil(lambda: app.viewer.highlighted_text() != "")
    assert not app.documents_open.recent.documents
    app.viewer.keep_tab()
    assert [each.name for each in app.documents_open.recent.documents] == ["lease+1.txt"]
