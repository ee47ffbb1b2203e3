"""Encoders of others are converted in a confined child; what happens to it is told, and nothing is left."""

import re
import sys
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.conversion_child import VERB, add_encoder_confined
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_store import AddOptions
from desktop_rag.index.encoding.installed_encoders import InstalledEncoder, installed_encoders
from desktop_rag.paths import added_encoders, encoder_folder
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.confinement import needs_confinement
from tests.integration.index.encoding.tiny_encoders import write_bert

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def child() -> psutil.Process:
    (found,) = child_processes(VERB)
    return found


def added(source: Path) -> InstalledEncoder:
    steps = add_encoder_confined(source, AddOptions(), Stop())
    try:
        while True:
            next(steps)
    except StopIteration as end:
        encoder: InstalledEncoder = end.value
        return encoder


@needs_confinement
def test_the_child_is_confined_before_it_reads_the_files(tmp_path: Path) -> None:
    steps = add_encoder_confined(write_bert(tmp_path / "tiny"), AddOptions(), Stop())
    next(steps)
    status = Path(f"/proc/{child().pid}/status").read_text("utf-8")
    assert re.findall(r"(?:Seccomp|NoNewPrivs):\s*(\d)", status) == ["1", "2"]
    steps.close()
    assert not child_processes(VERB)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_folder_whose_files_are_links_into_a_cache_is_read(tmp_path: Path) -> None:
    blobs = write_bert(tmp_path / "blobs")
    folder = tmp_path / "snapshot"
    for file in filter(Path.is_file, blobs.rglob("*")):
        link = folder / file.relative_to(blobs)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file)
    assert added(folder).name == "snapshot"
    assert Encoder.load(added_encoders() / "snapshot").encode(["A sentence."]).shape[0] == 1


def test_a_child_that_ends_is_told_and_leaves_no_encoder(tmp_path: Path) -> None:
    tiny = write_bert(tmp_path / "tiny")
    steps = add_encoder_confined(tiny, AddOptions(), Stop())
    next(steps)
    child().kill()
    with pytest.raises(EncoderError, match="ended unexpectedly"):
        list(steps)
    assert [each.name for each in installed_encoders()] == [encoder_folder().name]
    assert added(tiny).name == "tiny"
    assert not list(added_encoders().glob(".making-*"))


def test_stop_ends_the_child(tmp_path: Path) -> None:
    stop = Stop()
    steps = add_encoder_confined(write_bert(tmp_path / "tiny"), AddOptions(), stop)
    next(steps)
    working = child()
    stop.set()
    with pytest.raises(Stopped):
        list(steps)
    assert not working.is_running()


def test_what_is_no_encoder_is_refused_in_the_words_of_the_child(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EncoderError, match=r"config\.json"):
        added(tmp_path / "empty")
