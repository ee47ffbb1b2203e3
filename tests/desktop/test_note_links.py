"""A link in a note, followed as another program does: through the desktop's handler of the scheme."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desktop.desktop import Desktop

pytestmark = pytest.mark.slow

ENTRY = Path(__file__).parents[2] / "packaging" / "linux" / "desktop-rag-link.desktop"


def register(desktop: Desktop) -> None:
    """Install the package's entry for this user, with this program."""
    applications, settings = desktop.home / ".local/share/applications", desktop.home / ".config"
    for folder in (applications, settings):
        folder.mkdir(parents=True, exist_ok=True)
    entry = ENTRY.read_text(encoding="utf-8").replace("TryExec=desktop-rag\n", "")
    entry = entry.replace("Exec=desktop-rag ", f"Exec={sys.executable} -m desktop_rag ")
    (applications / ENTRY.name).write_text(entry, encoding="utf-8")
    handler = f"[Default Applications]\nx-scheme-handler/desktop-rag={ENTRY.name}\n"
    (settings / "mimeapps.list").write_text(handler, encoding="utf-8")


def follow(desktop: Desktop, note: Path) -> None:
    """Open the link of a Markdown note."""
    written = re.search(r"\]\((desktop-rag://[^)\s]+)\)", note.read_text(encoding="utf-8"))
    assert written is not None
    subprocess.run(
        ["gio", "open", written[1]],
        env=desktop.environment,
        check=True,
        stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the window
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.skipif(shutil.which("gio") is None, reason="needs gio, of libglib2.0-bin")
def test_links_in_a_note_open_their_lines_in_the_same_window(desktop: Desktop, sample: Path, tmp_path: Path) -> None:
    desktop.run("index", str(sample))
    register(desktop)
    note = tmp_path / "note.md"
    for line in (19, 7):
        told = subprocess.run(
            [sys.executable, "-m", "desktop_rag", "open", f"{sample / 'Lease agreement.md'}:{line}", "--json"],
            env=desktop.environment,
            check=True,
            capture_output=True,
        )
        note.write_text(f"The rent is due early: [see]({json.loads(told.stdout)['link']}).", encoding="utf-8")
        follow(desktop, note)
        desktop.reader.find("label", f"Lease agreement.md · line {line}", 120)
    windows = desktop.input("search", "--onlyvisible", "--name", "Desktop RAG$").split()
    assert len(windows) == 1
    for window in windows:
        desktop.input("windowclose", window)
