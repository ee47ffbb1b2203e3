"""The installer for Windows: it compiles without a warning, and under Wine it installs, upgrades and removes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build
import program_icons
from project import NAME, VERSION

if shutil.which("makensis") is None:
    pytest.skip("makensis is not installed (Debian: nsis)", allow_module_level=True)

KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\desktop-rag"
LINKS = "HKCU\\Software\\Classes\\desktop-rag"
VERB = "HKCU\\Software\\Classes\\Directory\\shell\\desktop-rag\\command"


def compiled(folder: Path, answer: str, *arguments: str) -> Path:
    """Compile the installer of a program of two files."""
    program = folder / "program"
    (program / "_internal").mkdir(parents=True)
    (program / f"{NAME}.exe").write_text(answer)
    (program / "_internal" / f"{answer}.txt").write_text(answer)
    program_icons.write_ico(folder / "icon.ico")
    installer = folder / f"{NAME}-setup.exe"
    defines = build.nsis_defines(program, installer, folder / "icon.ico")
    command = ["makensis", "-WX", "-V2", *arguments, *defines, build.windows_script()]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return installer


def test_the_installer_compiles_without_a_warning(tmp_path: Path) -> None:
    installer = compiled(tmp_path, "first")
    data = installer.read_bytes()
    assert data[:2] == b"MZ"
    assert VERSION.encode("utf-16-le") in data
    assert b'requestedExecutionLevel level="asInvoker"' in data, "it asks for no administrator"


class Wine:
    """A Windows of its own in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._environment = {
            "WINEPREFIX": str(folder),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "HOME": str(folder.parent),
            "PATH": "/usr/bin:/bin",
        }
        self.run("wineboot", "--init")
        (user,) = (path for path in (folder / "drive_c" / "users").iterdir() if path.name != "Public")
        self.local = user / "AppData" / "Local"
        self.menu = user / "AppData" / "Roaming" / "Microsoft" / "Windows" / "Start Menu" / "Programs"

    def run(self, *arguments: str | Path) -> str:
        command = ["wine", *map(str, arguments)]
        result = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=200, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def has_key(self, key: str) -> bool:
        command = ["wine", "reg", "query", key]
        return subprocess.run(command, env=self._environment, capture_output=True, check=False).returncode == 0

    def wait(self) -> None:
        subprocess.run(["wineserver", "--wait"], env=self._environment, timeout=200, check=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("wine") is None, reason="Wine is not installed")
@pytest.mark.skipif(
    not Path("/usr/share/nsis/Stubs/lzma_solid-amd64-unicode").exists(), reason="this makensis has no 64-bit installers"
)
def test_it_installs_upgrades_and_removes_under_wine(tmp_path: Path) -> None:
    target = "-DTARGET=amd64-unicode"  # Wine is here without its 32-bit half
    first = compiled(tmp_path / "1", "first", target)
    second = compiled(tmp_path / "2", "second", target)
    wine = Wine(tmp_path / "wine")
    installed = wine.local / "Programs" / "Desktop RAG"
    data = wine.local / NAME
    data.mkdir()
    (data / "settings.json").write_text("{}")

    wine.run(first, "/S")
    assert (installed / f"{NAME}.exe").read_text() == "first"
    assert (wine.menu / "Desktop RAG.lnk").is_file()
    assert 'desktop-rag.exe" "%1"' in wine.run("reg", "query", VERB)
    assert 'desktop-rag.exe" "%1"' in wine.run("reg", "query", f"{LINKS}\\shell\\open\\command")
    assert "URL Protocol" in wine.run("reg", "query", LINKS)
    assert VERSION in wine.run("reg", "query", KEY)

    (installed / "notes of the user.txt").write_text("kept")
    wine.run(second, "/S")
    assert (installed / f"{NAME}.exe").read_text() == "second"
    assert not (installed / "_internal" / "first.txt").exists()

    wine.run(installed / "uninstall.exe", "/S")
    wine.wait()
    assert [path.name for path in installed.iterdir()] == ["notes of the user.txt"]
    assert not (wine.menu / "Desktop RAG.lnk").exists()
    assert not wine.has_key(KEY)
    assert not wine.has_key(VERB)
    assert not wine.has_key(LINKS)
    assert (data / "settings.json").is_file(), "silently, the data is kept"

    wine.run(first, "/S")
    wine.run(installed / "uninstall.exe", "/S", "/DELETEDATA")
    wine.wait()
    assert not data.exists()
