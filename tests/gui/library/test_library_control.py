"""The library's panel with the real client and indexer."""

import os
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.folder_rules_dialog import FolderRulesDialog, PatternEditor
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId, FolderRules
from desktop_rag.stop import Stop
from tests.gui.library_values import folder, library

pytestmark = pytest.mark.processes


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def panel(status: ShownStatus, qtbot: QtBot) -> LibraryPanel:
    panel = LibraryPanel(status)
    qtbot.addWidget(panel)
    return panel


@pytest.fixture
def control(panel: LibraryPanel, status: ShownStatus, tmp_path: Path) -> Iterator[LibraryControl]:
    control = LibraryControl(LibraryClient(Library(tmp_path / "library")), panel)
    control.status_changed.connect(status.update)
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
    control: LibraryControl, panel: LibraryPanel, tmp_path: Path, qtbot: QtBot, status: ShownStatus
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (documents / "today.log").write_text("line", encoding="utf-8")
    status.update(library(folder(7, os.fsencode(documents))))
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


def test_what_typed_rules_would_do_is_counted_by_the_indexer(
    control: LibraryControl, panel: LibraryPanel, tmp_path: Path, qtbot: QtBot, status: ShownStatus
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name in ("lease.md", "today.log", "week.log"):
        (documents / name).write_text("line", encoding="utf-8")
    control.start()
    control.add((os.fsencode(documents),))
    qtbot.waitUntil(lambda: bool(status.current.folders) and status.current.folders[0].ready == 3, timeout=60_000)
    root = status.current.folders[0].folder
    panel.edit_rules(root)
    (dialog,) = panel.findChildren(FolderRulesDialog)
    (editor,) = dialog.findChildren(PatternEditor)
    editor.setPlainText("*.log\n!week.log\n[")
    qtbot.waitUntil(lambda: editor.words("[") == "not valid", timeout=60_000)
    assert (editor.words("*.log"), editor.words("!week.log")) == ("leaves out 1 file", "keeps 1 file")
    before = status.current.folders[0].rules
    dialog.accept()
    panel.rules_changed.emit(root, FolderRules(("*.log",)))
    qtbot.waitUntil(lambda: status.current.folders[0].found == 1, timeout=60_000)
    panel.rules_changed.emit(root, before)  # what Undo does
    qtbot.waitUntil(lambda: status.current.folders[0].ready == 3, timeout=60_000)


class LateClient(LibraryClient):
    """A client whose indexer sends another status after it was told to stop."""

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self.ended = threading.Event()

    def follow(self, stop: Stop) -> Generator[LibraryStatus]:
        yield library(folder(1))
        stop.wait(60)
        yield library(folder(1), trouble="late")
        self.ended.set()


def test_a_late_status_of_a_library_that_was_left_is_not_shown(
    panel: LibraryPanel, status: ShownStatus, tmp_path: Path, qtbot: QtBot
) -> None:
    client = LateClient(Library(tmp_path / "library"))
    with closing(LibraryControl(client, panel)) as control:
        control.status_changed.connect(status.update)
        control.start()
        qtbot.waitUntil(lambda: status.current.folders != ())
        control.leave()
        status.reset()
        qtbot.waitUntil(client.ended.is_set)
        QApplication.processEvents()
        assert status.current is UNKNOWN
        assert panel.status_text() == ""
