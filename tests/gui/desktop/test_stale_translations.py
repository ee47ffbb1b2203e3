"""A checkout whose translations were not compiled again says so in the window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from desktop_rag.app import App
from desktop_rag.gui.control import desktop_control

pytestmark = pytest.mark.processes


def test_translations_older_than_the_program_are_said(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "translations"
    folder.mkdir()
    (folder / "desktop_rag_de.ts").touch()
    monkeypatch.setattr(desktop_control, "resources", lambda: tmp_path)

    def said() -> bool:
        labels = app.window.findChildren(QLabel)
        return any("packaging/dev.py setup" in label.text() and label.isVisible() for label in labels)

    app.desktop.note_translations()
    assert not said()  # in English there are none
    app.settings.use(replace(app.settings.settings, language="de"))
    app.desktop.note_translations()
    assert said()
