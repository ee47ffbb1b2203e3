"""The window remembers its size, its state and its columns."""

import os
import stat
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.window.main_window import ColumnSplitter, MainWindow
from tests.gui.test_end_to_end import part
from tests.gui.window.conftest import MakeWindow


def test_the_window_remembers_its_shape(make_window: MakeWindow, own_data_home: Path) -> None:
    first = make_window()
    first.resize(900, 650)  # fits the off-screen platform's small screen
    first.menus.show_sidebar.trigger()
    first.close()
    assert os.name != "posix" or stat.S_IMODE((own_data_home / "window.json").stat().st_mode) == 0o600
    second = make_window()
    assert (second.width(), second.height()) == (900, 650)
    assert not second.library.isVisible()
    second.close()


def test_a_killed_window_had_stored_its_shape(make_window: MakeWindow, qtbot: QtBot, own_data_home: Path) -> None:
    killed = make_window()
    killed.showMaximized()
    qtbot.waitUntil((own_data_home / "window.json").is_file)
    second = make_window()
    assert second.isMaximized()
    second.close()


def test_a_broken_memory_of_its_shape_does_no_harm(make_window: MakeWindow, own_data_home: Path) -> None:
    own_data_home.mkdir()
    for stored in (b'{"version": "1", "geometry": "zz", "widths": "7", "panels": []}', b"\xff[", b"[1]"):
        (own_data_home / "window.json").write_bytes(stored)
        window = make_window()
        assert window.isVisible()
        window.close()


def columns(window: MainWindow) -> list[int]:
    return part(window, ColumnSplitter).sizes()


def test_columns_keep_their_shares_when_the_window_was_narrow(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window()
    window.resize(1300, 700)
    window.open_document_pane()
    window.menus.show_sidebar.trigger()  # three columns
    splitter = part(window, ColumnSplitter)
    assert columns(window)[1] > columns(window)[2] > 400
    splitter.moveSplitter(splitter.sizes()[0] + 640, 2)
    wide = columns(window)
    assert wide[1] > 1.5 * wide[2]
    window.resize(950, 700)
    assert columns(window)[2] == 320
    window.resize(1300, 700)
    assert columns(window) == wide
    window.menus.show_document.trigger()
    window.resize(1290, 700)
    window.menus.show_document.trigger()
    window.resize(1300, 700)
    assert columns(window) == wide
    window.close()
    second = make_window()
    second.resize(1300, 700)
    second.open_document_pane()
    second.menus.show_sidebar.trigger()
    assert columns(second) == wide
    second.close()


def test_the_sidebar_folds_and_returns_with_the_width_beside_a_document(make_window: MakeWindow) -> None:
    window = make_window()
    window.resize(1800, 800)
    window.open_document_pane()
    assert window.menus.show_sidebar.isChecked()
    for _ in range(2):
        window.resize(1200, 800)
        assert not window.menus.show_sidebar.isChecked()
        window.resize(1800, 800)
        assert window.menus.show_sidebar.isChecked()
    window.menus.show_sidebar.trigger()  # the user hides it
    window.resize(1200, 800)
    window.resize(1800, 800)
    assert not window.menus.show_sidebar.isChecked()


def test_the_window_never_waits_for_the_disk_to_store_its_shape(
    make_window: MakeWindow, own_data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("waits for the disk"))
    window.resize(901, 651)
    window.close()
    # Qt's settings would be a file with another ending.
    assert sorted(file.name for file in own_data_home.iterdir() if file.name.startswith("window.")) == ["window.json"]
