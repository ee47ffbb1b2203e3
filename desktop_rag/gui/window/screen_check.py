"""Why no window can be opened, said before Qt would end the process with a message of its own."""

import ctypes
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QLibraryInfo

from desktop_rag.processes.system_libraries import debian_package

_TERMINAL = "In a terminal, `desktop-rag search` and `desktop-rag ask` work without a window."
_LIBRARY = re.compile(rb"\0(lib[\w+-]+\.so\.\d+)(?=\0)")  # as the linker names it in a file


def screen_problem(environment: Mapping[str, str] = os.environ) -> str:
    """Return why no window can be opened and what to do, "" if one can be or the user chose Qt's platform."""
    if not sys.platform.startswith("linux") or environment.get("QT_QPA_PLATFORM") or _has_wayland(environment):
        return ""
    display = environment.get("DISPLAY", "")
    if not display:
        return f"There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set. {_TERMINAL}"
    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms" / "libqxcb.so"
    if missing := missing_libraries(plugin):
        packages = " ".join(sorted(map(debian_package, missing)))
        return (
            f"The window needs {', '.join(missing)}: not installed on this system. "
            f"On Debian and Ubuntu: sudo apt-get install {packages}"
        )
    if not _answers(display):
        return f"The screen DISPLAY={display} is not running, or this account may not use it. {_TERMINAL}"
    return ""


def missing_libraries(plugin: Path) -> list[str]:
    """Return the shared libraries that `plugin` and Qt's library for X name and that this system lacks, by name."""
    if _loads(str(plugin)):
        return []
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.LibrariesPath))
    named = set(_LIBRARY.findall(plugin.read_bytes()))
    if b"libQt6XcbQpa.so.6" in named:
        named |= set(_LIBRARY.findall((folder / "libQt6XcbQpa.so.6").read_bytes()))
    found = (name.decode() for name in named if not name.startswith((b"libQt6", b"libicu")))
    return sorted(name for name in found if not _loads(name))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_wayland(environment: Mapping[str, str]) -> bool:
    name = environment.get("WAYLAND_DISPLAY", "")
    return bool(name) and Path(environment.get("XDG_RUNTIME_DIR", "/"), name).exists()


def _answers(display: str) -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(os.fsencode(display), None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)
