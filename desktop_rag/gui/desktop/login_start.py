"""Start at login: an autostart entry on Linux, a value of the Run key on Windows, a launch agent on macOS."""

import importlib
import os
import plistlib
import re
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from desktop_rag.errors import SettingsError
from desktop_rag.paths import is_portable, write_durably
from desktop_rag.processes.child import own_command

_LABEL = "io.github.desktop-rag.desktop-rag"
_RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
_RUN_VALUE = "Desktop RAG"
_SWITCHED_OFF = re.compile(r"^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$", re.MULTILINE | re.IGNORECASE)


def login_command() -> list[str]:
    """Return the command that a login runs."""
    program, *rest = own_command("--background")
    appimage = os.environ.get("APPIMAGE")  # its own path lasts only as long as it is mounted
    command = [appimage, "--background"] if appimage else [program, *rest]
    return [*command[:-1], "--portable", command[-1]] if is_portable() else command


def starts_at_login() -> bool:
    """Return whether the entry is there and not switched off by a tool of the desktop."""
    try:
        if sys.platform == "win32":
            return _run_value() is not None
        file = _entry_file()
        return file.is_file() and not _SWITCHED_OFF.search(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False


def set_start_at_login(*, on: bool) -> None:
    """Write the entry for this program, or remove it; raises `SettingsError`."""
    try:
        if sys.platform == "win32":
            _set_run_value(subprocess.list2cmdline(login_command()) if on else None)
        elif on:
            _entry_file().parent.mkdir(parents=True, exist_ok=True)
            write_durably(_entry_file(), _launch_agent() if sys.platform == "darwin" else _autostart_entry())
        else:
            _entry_file().unlink(missing_ok=True)
    except OSError as error:
        text = QCoreApplication.translate("LoginStart", "The start at login cannot be changed ({0}).")
        raise SettingsError(text.format(error.strerror or error)) from error


def _entry_file() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
    config = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(config) if Path(config).is_absolute() else Path.home() / ".config"
    return base / "autostart" / "desktop-rag.desktop"


def _autostart_entry() -> bytes:
    command = " ".join(map(_quoted, login_command()))
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=Desktop RAG",
        f"Exec={command}",
        "Icon=desktop-rag",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
    )
    return ("\n".join(lines) + "\n").encode()


def _quoted(argument: str) -> str:
    """Quote an argument as the desktop entry specification wants it: quoting, then the escapes of a string."""
    inner = re.sub(r'(["`$\\])', r"\\\1", argument).replace("%", "%%")
    return f'"{inner}"'.replace("\\", "\\\\")


def _launch_agent() -> bytes:
    return plistlib.dumps({"Label": _LABEL, "ProgramArguments": login_command(), "RunAtLoad": True})


def _run_value() -> str | None:
    winreg = importlib.import_module("winreg")  # only Windows has it

    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:
            return str(winreg.QueryValueEx(key, _RUN_VALUE)[0])
    except FileNotFoundError:
        return None


def _set_run_value(command: str | None) -> None:
    winreg = importlib.import_module("winreg")  # only Windows has it

    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:
        if command is not None:
            winreg.SetValueEx(key, _RUN_VALUE, 0, winreg.REG_SZ, command)
        elif _run_value() is not None:
            winreg.DeleteValue(key, _RUN_VALUE)
