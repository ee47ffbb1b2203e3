"""Why no window can be opened, said before Qt would end the process with a message of its own."""

import ctypes
import os
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

from desktop_rag.processes.child import debian_package

_TERMINAL = "In a terminal, `desktop-rag search` and `desktop-rag ask` work without a window."
_LIBRARY = re.compile(rb"\0(lib[\w+.-]+\.so\.\d+)(?=\0)")  # as the linker names it in a file


def screen_problem(environment: Mapping[str, str] = os.environ) -> str:
    """Return why no window can be opened and what to do, "" if one can be or the user chose Qt's platform."""
    try:
        from PySide6 import QtWidgets  # noqa: F401  (links to all that the parts of Qt need)
    except ImportError as error:
        return _unloadable(error)
    if not sys.platform.startswith("linux") or environment.get("QT_QPA_PLATFORM") or _has_wayland(environment):
        return ""
    display = environment.get("DISPLAY", "")
    if not display:
        return f"There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set. {_TERMINAL}"
    qt = qt_folder()
    plugin = qt / "plugins" / "platforms" / "libqxcb.so"
    if not _loads(str(plugin)) and (missing := missing_libraries([plugin, qt / "lib" / "libQt6XcbQpa.so.6"])):
        return _named(missing)
    if not _answers(display):
        return f"The screen DISPLAY={display} is not running, or this account may not use it. {_TERMINAL}"
    return ""


def qt_folder() -> Path:
    """Return the folder of Qt's libraries and plugins on Linux, found without loading any of them."""
    found = find_spec("PySide6")
    (folder,) = (found.submodule_search_locations if found else None) or [""]
    return Path(folder) / "Qt"


def missing_libraries(files: Iterable[Path]) -> list[str]:
    """Return the shared libraries that these files name and that this system lacks, by name."""
    named = {name for file in files if file.is_file() for name in _LIBRARY.findall(file.read_bytes())}
    found = (name.decode() for name in named if not name.startswith((b"libQt6", b"libicu")))
    return sorted(name for name in found if not _loads(name))


def _unloadable(error: ImportError) -> str:
    """Return why Qt itself cannot be loaded."""
    libraries = (qt_folder() / "lib" / f"libQt6{part}.so.6" for part in ("Core", "Gui", "Widgets"))
    missing = missing_libraries(libraries) if sys.platform.startswith("linux") else []
    return _named(missing) if missing else f"The window's part of the program cannot be loaded: {error}. {_TERMINAL}"


def _named(missing: Iterable[str]) -> str:
    packages = " ".join(sorted(set(map(debian_package, missing))))
    return (
        f"The window needs {', '.join(missing)}: not installed on this system. "
        f"On Debian and Ubuntu: sudo apt-get install {packages}"
    )


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
