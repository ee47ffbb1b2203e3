"""A start without a usable screen ends with a sentence that says what to do, not with an abort."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo

from desktop_rag.gui.window import screen_check
from desktop_rag.gui.window.screen_check import missing_libraries, qt_folder, screen_problem

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 and Wayland are Linux's"),
]


@pytest.mark.parametrize(
    ("display", "sentence"),
    [
        ("", "There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set."),
        (":4711", "The screen DISPLAY=:4711 is not running, or this account may not use it."),
    ],
)
def test_start_without_a_screen_ends_with_a_sentence(display: str, sentence: str, tmp_path: Path) -> None:
    unusable = {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}
    environment = {name: value for name, value in os.environ.items() if name not in unusable}
    environment |= {"HOME": str(tmp_path), "DESKTOP_RAG_HOME": str(tmp_path / "home")}
    environment |= {"DISPLAY": display} if display else {}
    started = subprocess.run(
        [sys.executable, "-m", "desktop_rag"], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    if "apt-get install" not in started.stderr:  # the libraries of Qt's plugin are looked for before the screen
        assert started.stderr.startswith(sentence)
    assert "`desktop-rag search`" in started.stderr or "apt-get install" in started.stderr
    assert started.stderr.count("\n") == 1
    assert started.returncode == 1


def test_chosen_platform_needs_no_screen() -> None:
    assert screen_problem({"QT_QPA_PLATFORM": "offscreen"}) == ""


def test_wayland_session_needs_no_x_server(tmp_path: Path) -> None:
    (tmp_path / "wayland-1").touch()
    assert screen_problem({"WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": str(tmp_path)}) == ""
    assert "no screen" in screen_problem({"WAYLAND_DISPLAY": "wayland-2", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_missing_libraries_of_the_plugin_are_all_named(tmp_path: Path) -> None:
    platforms = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    assert platforms == qt_folder() / "plugins" / "platforms"
    plugin = renamed(platforms / "libqxcb.so", tmp_path, b"libX11-xcb.so", b"libxcb.so")
    assert {"libX11-xcb.so.9", "libxcb.so.9"} <= set(missing_libraries([plugin]))


def test_plugin_that_is_no_library_is_left_to_qt(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"not a library")
    assert missing_libraries([tmp_path / "libqxcb.so", tmp_path / "none"]) == []


def test_qt_that_cannot_be_loaded_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PySide6.QtWidgets", None)
    monkeypatch.delattr("PySide6.QtWidgets")
    assert screen_problem({}).startswith("The window's part of the program cannot be loaded: ")
    (tmp_path / "lib").mkdir()
    renamed(qt_folder() / "lib" / "libQt6Gui.so.6", tmp_path / "lib", b"libEGL.so", b"libglib-2.0.so")
    monkeypatch.setattr(screen_check, "qt_folder", lambda: tmp_path)
    problem = screen_problem({})
    assert "libEGL.so.9, libglib-2.0.so.9: not installed" in problem
    assert problem.endswith("sudo apt-get install libegl9 libglib2.0-0")


def renamed(source: Path, folder: Path, *names: bytes) -> Path:
    """Write a copy of a library that links to version 9 of what it links to; return it."""
    altered = source.read_bytes()
    for name in names:
        altered = re.sub(re.escape(name) + rb"\.\d\0", name + b".9\0", altered)
    (folder / source.name).write_bytes(altered)
    return folder / source.name
