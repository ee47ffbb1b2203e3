"""The library's panel with the real client and indexer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.library import Library


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
    qtbot.waitUntil(lambda: str(in_the_way) in panel.said(), timeout=10_000)
    in_the_way.unlink()
    qtbot.waitUntil(lambda: str(in_the_way) not in panel.said(), timeout=20_000)
