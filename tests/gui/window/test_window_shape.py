"""The window remembers its size, its state and its columns."""

import os
import stat
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.window.conftest import MakeWindow


def test_the_window_remembers_its_shape(make_window: MakeWindow, own_data_home: Path) -> None:
    first = make_window()
    first.resize(900, 650)  # fits the off-screen platform's small screen
    first.menus.show_sidebar.trigger()
    first.close()
    assert os.name != "posix" or stat.S_IMODE((own_data_home / "window.ini").stat().st_mode) == 0o600
    second = make_window()
    assert (second.width(), second.height()) == (900, 650)
    assert not second.library.isVisible()
    second.close()


def test_a_killed_window_had_stored_its_shape(make_window: MakeWindow, qtbot: QtBot, own_data_home: Path) -> None:
    killed = make_window()
    killed.showMaximized()
    qtbot.waitUntil((own_data_home / "window.ini").is_file)
    second = make_window()
    assert second.isMaximized()
    second.close()


def test_a_broken_memory_of_its_shape_does_no_harm(make_window: MakeWindow, own_data_home: Path) -> None:
    own_data_home.mkdir()
    (own_data_home / "window.ini").write_bytes(b"[General]\nversion=1\ngeometry=@ByteArray(x)\ncolumns=7\n\xff[")
    window = make_window()
    assert window.isVisible()
    window.close()
