"""A start without a usable screen ends with a sentence that says what to do, not with an abort."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo

from desktop_rag.gui.window.screen_check import missing_libraries, screen_problem

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
    plugin = tmp_path / "libqxcb.so"
    altered = (platforms / "libqxcb.so").read_bytes()
    for name in (b"libX11-xcb.so", b"libxcb.so"):
        assert name + b".1\0" in altered
        altered = altered.replace(name + b".1\0", name + b".9\0")
    plugin.write_bytes(altered)
    assert {"libX11-xcb.so.9", "libxcb.so.9"} <= set(missing_libraries(plugin))


def test_plugin_that_is_no_library_is_left_to_qt(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"not a library")
    assert missing_libraries(tmp_path / "libqxcb.so") == []
