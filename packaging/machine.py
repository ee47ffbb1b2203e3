"""Prerequisites of the installation: a supported interpreter and Qt's system libraries.

Standard library only, with syntax that older interpreters accept: it also runs to report that Python is too old.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import icu_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OLDEST = (3, 11)
NEWEST = (3, 13)

# Libraries that `import PySide6.QtWidgets` links to, even off-screen, with the Debian packages that contain them.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
}
# Libraries that Qt's xcb plugin also links to; Qt blames libxcb-cursor whichever is missing.
SCREEN_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
# Libraries of optional parts: llama.cpp's package and rare archives; tests of these are skipped without them.
OPTIONAL_LIBRARIES = {"libgomp.so.1": "libgomp1", "libarchive.so.13": "libarchive13"}

# Programs of the tests on a real X server, with the Debian packages that contain them; without them these are skipped.
SCREEN_TOOLS = {
    "Xvfb": "xvfb",
    "dbus-daemon": "dbus",
    "xdotool": "xdotool",
    "openbox": "openbox",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
TRACERS = {"strace": "strace"}  # the tests that nothing is contacted but the endpoint need it


class SetupError(Exception):
    """A step of the set-up failed; the message says what to do."""


def supported(version: tuple[int, ...]) -> bool:
    """Return whether the program supports this Python version."""
    return OLDEST <= tuple(version[:2]) <= NEWEST


def other_python() -> str | None:
    """Return the path of the newest installed interpreter that is supported."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        candidates = [[f"python3.{minor}"]]
        if os.name == "nt":
            candidates.append(["py", f"-3.{minor}"])
        for name, *arguments in candidates:
            found = shutil.which(name)
            path = _answer([found, *arguments, "-c", "import sys; print(sys.executable)"]) if found else ""
            if path:  # a version manager may put a name on the PATH that runs nothing
                return path
    return None


def has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether a window can be opened; a display that is set but unreachable does not count."""
    if environment.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"):
        return False
    if not sys.platform.startswith("linux"):
        return True
    wayland = environment.get("WAYLAND_DISPLAY")
    if wayland and Path(environment.get("XDG_RUNTIME_DIR", "/"), wayland).exists():
        return True
    display = environment.get("DISPLAY", "")
    if display.startswith(":"):
        return Path("/tmp/.X11-unix", "X" + display[1:].split(".")[0]).exists()
    return bool(display)


def missing_libraries(*, screen: bool, optional: bool = False) -> list[str]:
    """Return the shared libraries that Qt and, on request, optional parts need on Linux and that cannot be loaded."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = [*QT_LIBRARIES, *(SCREEN_LIBRARIES if screen else ()), *(OPTIONAL_LIBRARIES if optional else ())]
    return [name for name in wanted if not _loads(name)]


def missing_packages(libraries: Iterable[str]) -> list[str]:
    """Return the Debian packages that contain `libraries`, without duplicates."""
    packages = {**QT_LIBRARIES, **SCREEN_LIBRARIES, **OPTIONAL_LIBRARIES}
    return list(dict.fromkeys(packages[name] for name in libraries))


def test_workers() -> int:
    """Return how many processes test at once: more than cores, as many a test waits for processes of its own."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")  # bytes
    except (AttributeError, ValueError):  # Windows
        memory = 8 * 10**9
    return max(2, min(8, (os.cpu_count() or 1) + 2, memory // (2 * 10**9)))  # each grows to 1.5 GB, and collects


def has_ensurepip() -> bool:
    """Return whether `python -m venv` can install pip; on Debian that part is in the package python3-venv."""
    return importlib.util.find_spec("ensurepip") is not None


def root_prefix() -> list[str] | None:
    """Return the command prefix for root rights: empty, sudo, or None if unavailable."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def apt_line(packages: Iterable[str]) -> str:
    """Return the command line with which an administrator installs `packages`."""
    return "sudo apt-get install --no-install-recommends " + " ".join(packages)


def apt_install(packages: list[str], purpose: str) -> str:
    """Install and announce Debian packages if permitted; return the reason if that fails, else ""."""
    apt, prefix = shutil.which("apt-get"), root_prefix()
    if apt is None:
        return "this system has no apt-get"
    if prefix is None:
        return "this account may not install packages"
    print(f"Installing {', '.join(packages)} ({purpose})", flush=True)
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", apt, "-qq"]
    _refresh_lists(tuple(command))
    command += ["install", "-y", "--no-install-recommends", *packages]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return "apt-get failed:\n" + (result.stdout + result.stderr).strip()[-2000:]
    return ""


def provide_libraries(*, screen: bool) -> None:
    """Install the libraries Qt needs; raise `SetupError` with the exact command line if not permitted."""
    libraries = missing_libraries(screen=screen)
    if not libraries:
        return
    packages = missing_packages(libraries)
    reason = apt_install(packages, "for Qt")
    if missing_libraries(screen=screen):
        raise SetupError(
            f"Qt needs {', '.join(libraries)}, and {reason or 'the packages do not contain them'}.\n"
            f"On Debian or Ubuntu an administrator runs:\n  {apt_line(packages)}\n"
            "On other systems install the packages of the same libraries, then start again."
        )


def provide_test_tools() -> None:
    """Install what some tests need beyond Qt; only say so if that is not permitted."""
    if not sys.platform.startswith("linux"):
        return
    packages = [package for tool, package in (SCREEN_TOOLS | TRACERS).items() if shutil.which(tool) is None]
    packages += missing_packages(missing_libraries(screen=True, optional=True))
    if not packages:
        return
    some = "on an X server, with a model file, of archives and of connections"
    if reason := apt_install(packages, f"for tests {some}"):
        print(f"Tests {some} are skipped: {reason}.\nTo run them: {apt_line(packages)}", flush=True)


def provide_build_tools() -> None:
    """Install what makes the frozen program smaller; only say so if that is not permitted."""
    packages = icu_data.missing_packages() if sys.platform.startswith("linux") else []
    if packages and (reason := apt_install(packages, "for a smaller program")):
        print(f"The program becomes 27 MB larger: {reason}.\nTo change that: {apt_line(packages)}", flush=True)


def _answer(command: list[str]) -> str:
    """Return a command's output, or an empty string if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


@functools.lru_cache
def _refresh_lists(command: tuple[str, ...]) -> None:
    """Run `apt-get update` once; its failure shows at the installation."""
    subprocess.run([*command, "update"], capture_output=True, check=False)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
