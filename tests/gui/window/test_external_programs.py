"""What other programs cannot open is said in the window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.credentials import Credentials
from desktop_rag.gui.control import desktop_control
from desktop_rag.gui.control.desktop_control import ExternalPrograms
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.viewer.document_view import DocumentRequests
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = MainWindow(QPlainTextEdit(), QWidget(), ShownStatus())
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


@pytest.fixture
def settings(window: MainWindow, tmp_path: Path) -> Iterator[SettingsControl]:
    settings = SettingsControl(tmp_path / "settings.json", Credentials(), ShownStatus(), window)
    yield settings
    settings.close()


def said(window: MainWindow) -> str:
    return window.findChildren(Toast)[0].accessibleName()


def test_an_editor_that_does_not_start_leads_to_the_settings(
    window: MainWindow, settings: SettingsControl, qtbot: QtBot
) -> None:
    requests = DocumentRequests()
    ExternalPrograms(requests, settings, window)
    settings.use(replace(settings.settings, editor="no-such-editor {path}"))
    requests.editor_requested.emit(Path("/a/notes.txt"), 7)
    assert said(window).startswith("no-such-editor cannot be started")
    button = next(b for b in window.findChildren(QAbstractButton) if b.text() == "Settings…" and b.isVisible())
    button.click()
    qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in window.findChildren(SettingsDialog)))
    window.findChildren(SettingsDialog)[0].close()


def test_a_file_that_no_program_opens_is_named(
    window: MainWindow, settings: SettingsControl, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.xyz"
    plan.write_bytes(b"a plan")
    monkeypatch.setattr(desktop_control, "open_by_system", lambda _: False)  # the desktop of the test's machine
    monkeypatch.setattr(desktop_control, "show_in_folder", lambda _: False)
    requests = DocumentRequests()
    ExternalPrograms(requests, settings, window)
    requests.external_requested.emit(Path("/a/plan.xyz"))
    assert said(window) == "“plan.xyz” is not on this computer"
    requests.external_requested.emit(plan)
    assert said(window) == "No program on this computer opens plan.xyz"
    requests.folder_requested.emit(Path("/a/plan.xyz"))
    assert said(window) == "plan.xyz cannot be shown in its folder"


def test_what_was_exported_is_shown_in_its_folder(
    app: App, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []

    def show(path: Path) -> bool:
        shown.append(path)
        return True

    monkeypatch.setattr(desktop_control, "show_in_folder", show)
    file = tmp_path / "notes.md"
    app.viewer.bookmarking.export_requested.emit((), file)
    qtbot.waitUntil(lambda: said(app.window) == "Bookmarks and notes saved to notes.md")
    (toast,) = app.window.findChildren(Toast)
    (button,) = (each for each in toast.findChildren(QAbstractButton) if each.text() == "Show in folder")
    button.click()
    assert file.exists()
    assert shown == [file]
    assert toast.isHidden()
