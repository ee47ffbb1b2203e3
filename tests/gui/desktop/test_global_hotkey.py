"""A key of the whole desktop: which can be had, and that it brings the window."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QKeySequenceEdit
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.desktop import global_hotkey
from desktop_rag.gui.desktop.global_hotkey import GlobalHotkey, x11_key
from desktop_rag.gui.settings.settings_pages import DesktopPage
from desktop_rag.settings import DesktopOptions, Settings
from tests.gui.test_libraries import wait_for_note


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        ("Ctrl+Alt+Space", ("space", 12)),
        ("Meta+K", ("k", 64)),
        ("Ctrl+Shift+F9", ("F9", 5)),
        ("Alt+7", ("7", 8)),
        ("K", None),
        ("Shift+K", None),
        ("F9", None),
        ("Ctrl+Ä", None),
        ("Ctrl+K, Ctrl+L", None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_only_keys_that_disturb_no_typing_can_be_had(keys: str, key: tuple[str, int] | None) -> None:
    assert x11_key(keys) == key


def test_a_desktop_without_such_keys_is_named_and_the_choice_kept(qtbot: QtBot) -> None:
    page = DesktopPage(Settings(desktop=DesktopOptions(hotkey="Ctrl+Alt+Space")))
    qtbot.addWidget(page)
    assert not page.findChildren(QKeySequenceEdit)[0].isEnabled()
    assert page.applied_to(Settings()).desktop.hotkey == "Ctrl+Alt+Space"


@pytest.mark.processes
def test_the_key_brings_the_window_and_a_bad_one_is_named(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.window.menus.files.trigger()
    app.window.showMinimized()
    app.desktop.hotkey.pressed.emit()
    assert not app.window.isMinimized()
    assert app.pane.isVisible()
    monkeypatch.setattr(global_hotkey, "hotkey_is_available", lambda: True)
    app.settings.use(replace(app.settings.settings, desktop=DesktopOptions(hotkey="F9")))
    wait_for_note(app, qtbot, "F9 cannot be used everywhere")


def test_without_an_x_server_the_key_is_refused(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(global_hotkey, "hotkey_is_available", lambda: True)
    monkeypatch.setenv("DISPLAY", ":997")
    hotkey = GlobalHotkey()
    with qtbot.waitSignal(hotkey.refused) as refused:
        hotkey.use("Ctrl+Alt+Space")
    assert refused.args == ["Ctrl+Alt+Space"]
    hotkey.close()
