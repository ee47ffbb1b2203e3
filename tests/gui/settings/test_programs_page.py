"""Other programs are added from the settings: the change is shown, confirmed, written, and taken back."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.programs_control import ProgramsControl
from desktop_rag.gui.settings.programs_page import ProgramChangeDialog, ProgramsPage
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.libraries import KnownLibrary
from desktop_rag.mcp_server import client_entries
from desktop_rag.mcp_server.client_entries import CLIENTS

CURSOR = '// mine\n{\n  "mcpServers": {\n    "other": {"command": "x"} // keep\n  }\n}\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def page(qtbot: QtBot, home: Path) -> Iterator[ProgramsPage]:
    window = QWidget()
    qtbot.addWidget(window)
    page = ProgramsPage(window)
    control = ProgramsControl(lambda: KnownLibrary("Contracts", home / "contracts"))
    control.serve(page)
    qtbot.waitUntil(lambda: len(buttons(page)) == len(CLIENTS))
    yield page
    control.close()


def buttons(page: ProgramsPage) -> dict[str, QPushButton]:
    return {each.accessibleDescription(): each for each in page.findChildren(QPushButton) if "…" in each.text()}


def said(page: ProgramsPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(PlainLabel))


def asked(page: ProgramsPage, qtbot: QtBot, title: str) -> ProgramChangeDialog:
    """Click the button of a program; return the question."""
    buttons(page)[title].click()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in page.window().findChildren(ProgramChangeDialog)))
    return page.window().findChildren(ProgramChangeDialog)[0]


def test_a_program_is_added_after_consent_and_removed_again(page: ProgramsPage, qtbot: QtBot, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(CURSOR, encoding="utf-8")
    dialog = asked(page, qtbot, "Cursor")
    diff = dialog.findChild(QPlainTextEdit)
    assert isinstance(diff, QPlainTextEdit)
    assert '+    "desktop-rag": {' in diff.toPlainText()
    assert str(home / "contracts") in diff.toPlainText().replace("\\\\", "\\")
    dialog.reject()
    assert file.read_text(encoding="utf-8") == CURSOR
    qtbot.waitUntil(lambda: not page.window().findChildren(ProgramChangeDialog))
    asked(page, qtbot, "Cursor").act.click()
    qtbot.waitUntil(lambda: buttons(page)["Cursor"].text() == "Remove…")
    added = file.read_text(encoding="utf-8")
    assert added.startswith("// mine\n")
    assert '"other": {"command": "x"}, // keep' in added
    assert "The settings of Cursor are changed." in said(page)
    qtbot.waitUntil(lambda: not page.window().findChildren(ProgramChangeDialog))
    asked(page, qtbot, "Cursor").act.click()
    qtbot.waitUntil(lambda: buttons(page)["Cursor"].text() == "Add…")
    assert file.read_text(encoding="utf-8") == CURSOR


def test_a_program_that_is_not_found_is_added_anyway(page: ProgramsPage, qtbot: QtBot) -> None:
    assert buttons(page)["Cursor"].text() == "Add anyway…"
    asked(page, qtbot, "Cursor").reject()


def test_the_added_entry_names_the_library_and_the_data_folder(page: ProgramsPage, qtbot: QtBot, home: Path) -> None:
    asked(page, qtbot, "Claude Code").act.click()
    qtbot.waitUntil(lambda: buttons(page)["Claude Code"].text() == "Remove…")
    entry = json.loads((home / ".claude.json").read_text(encoding="utf-8"))["mcpServers"]["desktop-rag"]
    assert entry["args"][-2:] == ["--library", str(home / "contracts")]
    assert entry["env"] == {"DESKTOP_RAG_HOME": str(home / "data")}


def test_a_broken_file_is_left_alone_with_a_sentence(page: ProgramsPage, qtbot: QtBot, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{broken", encoding="utf-8")
    buttons(page)["Cursor"].click()
    qtbot.waitUntil(lambda: "no valid JSON" in said(page))
    assert file.read_text(encoding="utf-8") == "{broken"


def test_a_file_changed_while_the_question_was_open_is_not_overwritten(
    page: ProgramsPage, qtbot: QtBot, home: Path
) -> None:
    dialog = asked(page, qtbot, "Cursor")
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{}", encoding="utf-8")
    dialog.act.click()
    qtbot.waitUntil(lambda: "changed by another program" in said(page))
    assert file.read_text(encoding="utf-8") == "{}"


def test_without_the_protocol_nothing_can_be_added(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_entries, "protocol_is_installed", lambda: False)
    page = ProgramsPage()
    qtbot.addWidget(page)
    control = ProgramsControl(lambda: KnownLibrary("Contracts", home / "contracts"))
    control.serve(page)
    qtbot.waitUntil(lambda: len(buttons(page)) == len(CLIENTS))
    assert not any(button.isEnabled() for button in buttons(page).values())
    assert "protocol is not installed" in said(page)
    control.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
def test_the_command_is_copied(page: ProgramsPage, home: Path) -> None:
    copy = next(each for each in page.findChildren(QPushButton) if each.text() == "Copy the command")
    copy.click()
    assert QGuiApplication.clipboard().text().endswith(f"mcp --library {home / 'contracts'}")
    assert os.path.basename(sys.executable) in QGuiApplication.clipboard().text()  # noqa: PTH119
    assert copy.text() == "Copied"
