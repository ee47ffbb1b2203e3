"""The library's panel with the real client and indexer."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.folder_rules_dialog import FolderRulesDialog
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from tests.gui.library_values import folder, library


@pytest.fixture
def panel(qtbot: QtBot) -> LibraryPanel:
    panel = LibraryPanel()
    qtbot.addWidget(panel)
    return panel


@pytest.fixture
def control(panel: LibraryPanel, tmp_path: Path) -> Iterator[LibraryControl]:
    control = LibraryControl(LibraryClient(Library(tmp_path / "library")), panel)
    control.status_changed.connect(panel.show_status)
    yield control
    control.close()


def test_what_is_wrong_with_the_library_is_said_until_it_is_mended(
    control: LibraryControl, panel: LibraryPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    in_the_way = tmp_path / "library"
    in_the_way.write_text("not a folder")
    control.start()
    qtbot.waitUntil(lambda: str(in_the_way) in panel.status_text(), timeout=60_000)
    in_the_way.unlink()
    qtbot.waitUntil(lambda: str(in_the_way) not in panel.status_text(), timeout=60_000)


def test_the_rules_dialog_says_which_rule_decides(
    control: LibraryControl, panel: LibraryPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (documents / "today.log").write_text("line", encoding="utf-8")
    panel.show_status(library(folder(7, os.fsencode(documents))))
    panel.edit_rules(FolderId(7))
    (dialog,) = panel.findChildren(FolderRulesDialog)
    (tested,) = (line for line in dialog.findChildren(QLineEdit) if "test the rules" in line.accessibleName())
    tested.setText("today.log")
    qtbot.waitUntil(lambda: f"Line 1 of {documents / '.gitignore'}" in tested.accessibleDescription(), timeout=60_000)
    tested.setText(str(documents / ".env"))
    qtbot.waitUntil(lambda: "passwords or keys" in tested.accessibleDescription(), timeout=60_000)
    tested.setText(str(tmp_path))
    qtbot.waitUntil(lambda: "outside" in tested.accessibleDescription(), timeout=60_000)
    dialog.reject()
