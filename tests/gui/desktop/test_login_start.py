"""Start at login: the entry runs this program, is removed on request, and other tools may switch it off."""

import plistlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import Credentials
from desktop_rag.gui.control.desktop_control import LoginControl
from desktop_rag.gui.desktop.login_start import login_command, set_start_at_login, starts_at_login
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.settings import DesktopOptions, Settings, load, save

linux = pytest.mark.skipif(sys.platform != "linux", reason="an entry of Linux desktops")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("APPIMAGE", raising=False)
    return tmp_path / "config"


def entry(config: Path) -> Path:
    return config / "autostart" / "desktop-rag.desktop"


def test_the_command_is_that_of_this_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert login_command() == [sys.executable, "-P", "-m", "desktop_rag", "--background"]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktop-rag"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert login_command() == [str(tmp_path / "desktop-rag"), "--background"]
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "desktop-rag-data"))
    assert login_command() == [str(tmp_path / "desktop-rag"), "--portable", "--background"]
    monkeypatch.setenv("APPIMAGE", "/opt/Desktop RAG.AppImage")
    assert login_command() == ["/opt/Desktop RAG.AppImage", "--portable", "--background"]


@pytest.mark.processes
@linux
@pytest.mark.parametrize("folder", ["plain", 'A "b" $c `d` 50 % \\e'])
def test_the_entry_is_valid_and_starts_the_program(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    program = tmp_path / folder / "desktop-rag"
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not starts_at_login()
    set_start_at_login(on=True)
    assert starts_at_login()
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", str(entry(config))], check=True)
    [line] = [line for line in entry(config).read_text().splitlines() if line.startswith("Exec=")]
    assert arguments(line.removeprefix("Exec=")) == [str(program), "--background"]
    set_start_at_login(on=False)
    set_start_at_login(on=False)
    assert not starts_at_login()
    assert not entry(config).exists()


def arguments(line: str) -> list[str]:
    """Read an Exec line as the desktop entry specification says: escapes of the string, then of the quotes, then %%."""
    words, word, quoted = [], "", False
    letters = iter(line.replace("\\\\", "\\"))
    for letter in letters:
        if letter == '"':
            quoted = not quoted
            if not quoted:
                words.append(word.replace("%%", "%"))
                word = ""
        elif quoted:
            word += next(letters) if letter == "\\" else letter
    return words


@linux
def test_what_the_desktop_switched_off_is_off(config: Path) -> None:
    for line in ("Hidden=true", "X-GNOME-Autostart-enabled=false"):
        set_start_at_login(on=True)
        entry(config).write_text(entry(config).read_text() + f"{line}\n")
        assert not starts_at_login()


def test_a_launch_agent_of_macos(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    set_start_at_login(on=True)
    [file] = (tmp_path / "Library" / "LaunchAgents").iterdir()
    found = plistlib.loads(file.read_bytes())
    assert (found["ProgramArguments"], found["RunAtLoad"]) == (login_command(), True)
    assert starts_at_login()
    set_start_at_login(on=False)
    assert not file.exists()


class Registry(ModuleType):
    """The few functions of `winreg` that are used, over one key in memory."""

    HKEY_CURRENT_USER, REG_SZ = 1, 1

    def __init__(self) -> None:
        super().__init__("winreg")
        self.values: dict[str, str] = {}
        self.opened: list[str] = []

    def OpenKey(self, _: int, path: str) -> "Registry":
        self.opened.append(path)
        return self

    CreateKey = OpenKey

    def __enter__(self) -> "Registry":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def QueryValueEx(self, _: object, name: str) -> tuple[str, int]:
        if name not in self.values:
            raise FileNotFoundError(name)
        return self.values[name], 1

    def SetValueEx(self, _: object, name: str, __: int, ___: int, value: str) -> None:
        self.values[name] = value

    def DeleteValue(self, _: object, name: str) -> None:
        del self.values[name]


def test_the_run_key_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    monkeypatch.setitem(sys.modules, "winreg", registry)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", r"C:\Users\Anna B\desktop-rag.exe")
    set_start_at_login(on=True)
    assert registry.values == {"Desktop RAG": r'"C:\Users\Anna B\desktop-rag.exe" --background'}
    assert set(registry.opened) == {r"Software\Microsoft\Windows\CurrentVersion\Run"}
    assert starts_at_login()
    set_start_at_login(on=False)
    set_start_at_login(on=False)
    assert registry.values == {}
    assert not starts_at_login()


@pytest.fixture
def settings(qtbot: QtBot, tmp_path: Path) -> Iterator[SettingsControl]:
    save(tmp_path / "settings.json", Settings(desktop=DesktopOptions(start_at_login=True)))
    window = QWidget()
    qtbot.addWidget(window)
    control = SettingsControl(tmp_path / "settings.json", Credentials(), ShownStatus(), window)
    yield control
    control.close()


@linux
def test_the_setting_and_the_entry_agree(settings: SettingsControl, config: Path, tmp_path: Path, qtbot: QtBot) -> None:
    login = LoginControl(settings)
    set_start_at_login(on=True)
    entry(config).write_text(entry(config).read_text().replace(sys.executable, "/moved/away"))
    login.compare()
    qtbot.waitUntil(lambda: sys.executable in entry(config).read_text())

    entry(config).unlink()
    login.compare()
    qtbot.waitUntil(lambda: not settings.settings.desktop.start_at_login)
    qtbot.waitUntil(lambda: not load(tmp_path / "settings.json").desktop.start_at_login)
    assert not entry(config).exists()

    settings.use(replace(settings.settings, desktop=DesktopOptions(start_at_login=True)))
    qtbot.waitUntil(starts_at_login)
    settings.use(replace(settings.settings, desktop=DesktopOptions()))
    qtbot.waitUntil(lambda: not entry(config).exists())
    login.close()


@linux
def test_what_cannot_be_written_is_said(settings: SettingsControl, config: Path, qtbot: QtBot) -> None:
    config.write_text("in the way")
    settings.use(replace(settings.settings, desktop=DesktopOptions()))
    login = LoginControl(settings)
    with qtbot.waitSignal(login.trouble) as told:
        settings.use(replace(settings.settings, desktop=DesktopOptions(start_at_login=True)))
    assert "The start at login cannot be changed" in str(told.args)
    login.close()
