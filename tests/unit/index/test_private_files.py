"""Small files of the data folder are for their owner only, whatever the umask is."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.index.encoding.encoder import FILE, remember, remembered
from desktop_rag.index.library import Library
from desktop_rag.index.team_status import TeamStatus, note_team_status

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    before = os.umask(0o000)
    yield tmp_path
    os.umask(before)


def test_checksums_are_for_their_owner_only(home: Path) -> None:
    model = home / "model.onnx"
    model.write_bytes(b"weights")
    remember(model, "0" * 64)
    assert remembered(model) == "0" * 64
    assert (home / FILE).stat().st_mode & 0o777 == 0o600


def test_the_status_of_a_team_library_is_for_its_owner_only(home: Path) -> None:
    library = Library(home)
    note_team_status(library, TeamStatus("https://team.example/x", 3))
    assert library.team_status.stat().st_mode & 0o777 == 0o600
