"""A page goes back to its usual values and returns; settings are exported and imported from the dialog."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import Credentials
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.page_titles import MODELS, page_titles
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.settings_exchange import ImportDialog, exported_settings
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import DesktopOptions, Limits, Profile, Settings, Theme, Unsourced, load

T = TypeVar("T", bound=QWidget)

CHANGED = Settings(
    profiles=(Profile("Office", "https://llm.example.org/v1", "large"),),
    active_profile="Office",
    toolkit="direct",
    limits=Limits(steps=42),
    unsourced=Unsourced.FORBID,
    second_look=False,
    follow_ups=False,
    theme=Theme.DARK,
    font_percent=150,
    desktop=DesktopOptions(notify=False),
    editor="vim {path}",
    shortcuts={"unknown": "Ctrl+J"},
)


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[SettingsDialog]:
    dialog = SettingsDialog(CHANGED)
    dialog.show()
    yield dialog
    dialog.done(0)  # Escape would ask about changes first


def said(dialog: SettingsDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(PlainLabel) if label.isVisible())


def undo(dialog: SettingsDialog) -> QPushButton:
    return next(button for button in dialog.findChildren(QPushButton) if button.text() == "Undo")


def test_every_page_of_settings_is_reset_alone_and_comes_back(dialog: SettingsDialog) -> None:
    resettable = ("Method", "Limits", "Answers", "Appearance", "Desktop", "Shortcuts", "Editor")
    for title in resettable:
        dialog.show_page(title)
        dialog.reset_page()
        assert "When you save" in said(dialog), title
        assert undo(dialog).isVisible()
    assert dialog.settings() == Settings(profiles=CHANGED.profiles, active_profile="Office")
    for title in resettable:
        dialog.show_page(title)
        undo(dialog).click()
        assert not undo(dialog).isVisible()
    assert dialog.settings() == CHANGED


def test_a_reset_says_what_changes_and_edits_before_it_come_back(dialog: SettingsDialog) -> None:
    dialog.show_page("Limits")
    field = next(each for each in dialog.findChildren(QSpinBox) if each.accessibleName() == "Steps")
    field.setValue(77)
    dialog.reset_page()
    assert "Steps: 77 → 15" in said(dialog)
    undo(dialog).click()
    assert dialog.settings().limits.steps == 77


def test_a_page_with_usual_values_says_so(dialog: SettingsDialog) -> None:
    dialog.show_page("Limits")
    dialog.reset_page()
    dialog.reset_page()
    assert "usual values" in said(dialog)
    undo(dialog).click()
    assert dialog.settings() == CHANGED


def test_models_and_folders_are_not_reset(dialog: SettingsDialog) -> None:
    for title in (page_titles()[MODELS], "Folders", "Programs", "Privacy", "Diagnostics"):
        dialog.show_page(title)
        dialog.reset_page()
        assert dialog.settings() == CHANGED
        assert not undo(dialog).isVisible()


class MemoryKeys(Credentials):
    """Keys in memory."""

    def __init__(self, **keys: str) -> None:
        super().__init__()
        self.keys = keys

    def get(self, profile: str) -> str:
        return self.keys.get(profile, "")

    def delete(self, profile: str) -> None:
        self.keys.pop(profile, None)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


def opened(qtbot: QtBot, window: QWidget, kind: type[T]) -> T:
    """Return the visible widget of a kind, once there is one."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    return next(each for each in window.findChildren(kind) if each.isVisible())


def test_an_import_shows_what_changes_and_does_it_on_agreement(qtbot: QtBot, window: QWidget, tmp_path: Path) -> None:
    keys = MemoryKeys(Office="sk-1", Other="sk-left-behind")
    control = SettingsControl(tmp_path / "settings.json", keys, ShownStatus(), window)
    control.use(CHANGED)
    file = tmp_path / "of anna.json"
    others = (Profile("Office", "https://evil.example.net/v1", "m"), Profile("Other", "https://o.example.org/v1", "m"))
    file.write_bytes(exported_settings(Settings(profiles=others, theme=Theme.LIGHT)))
    control.open_dialog()
    settings = opened(qtbot, window, SettingsDialog)
    control.files.show_import(control.settings, file, settings)
    dialog = opened(qtbot, window, ImportDialog)
    lines = [label.text() for label in dialog.findChildren(PlainLabel)]
    assert any("Theme: Dark → Light" in line for line in lines)
    assert any("Office (2)" in line and "evil.example.net" in line for line in lines)
    assert control.settings == CHANGED
    dialog.act.click()
    qtbot.waitUntil(lambda: "Other" not in keys.keys)
    assert keys.keys == {"Office": "sk-1"}  # stays with its own address
    assert control.settings == replace(
        Settings(theme=Theme.LIGHT),
        profiles=(*CHANGED.profiles, replace(others[0], name="Office (2)"), others[1]),
        active_profile="Office",
        editor=CHANGED.editor,
        desktop=CHANGED.desktop,
    )
    qtbot.waitUntil(lambda: load(tmp_path / "settings.json") == control.settings)
    qtbot.waitUntil(lambda: not any(each.isVisible() for each in window.findChildren(SettingsDialog)))
    control.close()


def test_an_export_and_a_broken_import_are_told_in_the_dialog(qtbot: QtBot, window: QWidget, tmp_path: Path) -> None:
    control = SettingsControl(tmp_path / "settings.json", MemoryKeys(), ShownStatus(), window)
    control.open_dialog()
    dialog = opened(qtbot, window, SettingsDialog)
    control.files.export(CHANGED, tmp_path / "mine.json")
    qtbot.waitUntil(lambda: "Saved as mine.json, without keys" in said(dialog))
    assert json.loads((tmp_path / "mine.json").read_text())["settings"]["limits"]["steps"] == 42
    show = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Show in folder")
    with qtbot.waitSignal(control.folder_requested) as asked:
        QTest.mouseClick(show, Qt.MouseButton.LeftButton)
    assert asked.args == [tmp_path / "mine.json"]
    (tmp_path / "broken.json").write_text("{")
    control.files.show_import(control.settings, tmp_path / "broken.json", dialog)
    qtbot.waitUntil(lambda: "does not contain exported settings" in said(dialog))
    assert not show.isVisible()
    control.files.export(CHANGED, tmp_path / "no folder" / "mine.json")
    qtbot.waitUntil(lambda: "cannot be written" in said(dialog))
    dialog.reject()
    control.close()
