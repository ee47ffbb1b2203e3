"""Settings with two profiles, and their dialog."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtWidgets import (
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.settings import Profile, Settings
from tests.gui.library_values import folder

LOCAL = Profile("Local", "http://localhost:11434/v1", "qwen3:8b", temperature=0.2, reasoning_effort="low")
WORK = Profile("Work", "https://llm.example.org/v1", "big", context_window=128_000, ca_file="/etc/ca.pem")
TWO = Settings(profiles=(LOCAL, WORK), active_profile="Work")

Open = Callable[..., SettingsDialog]
Kind = TypeVar("Kind", bound=QWidget)


@pytest.fixture
def open_dialog(qtbot: QtBot) -> Open:
    def open_it(settings: Settings = TWO) -> SettingsDialog:
        dialog = SettingsDialog(settings, [folder(7)])
        qtbot.addWidget(dialog)
        dialog.show_page("Models")
        dialog.show()
        return dialog

    return open_it


def named(dialog: QWidget, kind: type[Kind], name: str) -> Kind:
    return next(widget for widget in dialog.findChildren(kind) if name in (widget.accessibleName(), _text_of(widget)))


def _text_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QRadioButton) else ""
