"""The menus and settings around the window are readable in both themes and whole."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.desktop.tray_icon import TrayIcon
from desktop_rag.gui.settings.settings_pages import DesktopPage
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.open_documents import RecentDocument, RecentDocuments
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.window.main_menus import RecentMenu
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.settings import Settings, Theme
from tests.gui.library_values import folder, library
from tests.gui.picture_checks import PictureCheck, contrast
from tests.gui.viewer.memory_retriever import MemoryRetriever
from tests.slow_cases import slow_but


@pytest.fixture(params=slow_but([Theme.LIGHT], [Theme.LIGHT, Theme.DARK]), ids=["light", "dark"])
def window(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot) -> Iterator[QWidget]:
    look = Look(qapp)
    look.use(request.param)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    yield window
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.fixture
def check(tmp_path: Path) -> PictureCheck:
    return PictureCheck(tmp_path / "pictures")


def shown(menu: QMenu, check: PictureCheck, name: str) -> list[QAction]:
    menu.popup(QPoint(20, 20))
    check.check(menu, name)
    return menu.actions()


def test_the_menu_of_the_tray(window: QWidget, check: PictureCheck) -> None:
    tray = TrayIcon(window)
    for phase in (IndexingPhase.READING, IndexingPhase.PAUSED):
        tray.note_status(replace(library(folder(1)), phase=phase))
        shown(tray.menu, check, f"tray while {phase}")
        tray.menu.close()
    check.report()


def test_the_menu_of_recent_documents(window: QWidget, check: PictureCheck, qtbot: QtBot, tmp_path: Path) -> None:
    retriever, menu, recent = MemoryRetriever(), QMenu(window), RecentDocuments()
    lease = retriever.add_text(tmp_path / "lease & garden.md", "The rent.")
    names = [str(lease.path), f"/home/anna/{'a very long name of a letter ' * 4}.pdf", "/home/anna/gpj\u202eexe.doc"]
    recent.restore([RecentDocument(name, "A title", lease.sha256 if name == names[0] else "") for name in names])
    control = RecentMenu(menu, recent, lambda: retriever, lambda _: None)
    actions = shown(menu, check, "recent documents")
    qtbot.waitUntil(lambda: not actions[2].isEnabled())
    assert [action.isEnabled() for action in actions if action.text()] == [True, False, False, True]
    assert "\u202e" not in actions[2].text()
    check.check(menu, "recent documents, some gone")
    menu.close()
    control.close()
    check.report()


@pytest.mark.parametrize("folders", [False, True])
def test_the_file_dialog(window: QWidget, check: PictureCheck, qtbot: QtBot, tmp_path: Path, folders: bool) -> None:
    (tmp_path / "documents" / "Contracts & letters").mkdir(parents=True)
    dialog = FileDialog(window, "Add to your library", str(tmp_path / "documents"), folders=folders)
    dialog.show()
    files = dialog.findChild(QTreeView, "treeView")
    assert isinstance(files, QTreeView)
    qtbot.waitUntil(lambda: files.model().rowCount(files.rootIndex()) == 1)
    check.check(dialog, f"file dialog, folders {folders}")
    up = dialog.findChild(QToolButton, "toParentButton")
    assert isinstance(up, QToolButton)
    assert contrast(up.grab().toImage(), up.rect()) >= 2  # the arrows of the style are black on black
    check.report()
    dialog.close()


@pytest.mark.parametrize("width", [560, 740])
def test_the_page_of_the_settings(window: QWidget, check: PictureCheck, width: int) -> None:
    page = DesktopPage(Settings(), window)
    page.resize(width, 700)
    window.show()
    page.show()
    check.check(page, "settings, desktop")
    check.report()
