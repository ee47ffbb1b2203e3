"""Search goes on while a library is encoded again with another encoder, and after kills in the middle of it."""

import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.index.encoding.encoder_description import read_description, write_description
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.retrievers import vector
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, library

__all__ = ["library"]  # the fixture

# Encodes a sentence or two a step, and is killed after some steps: before or after the files have followed.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.vectors import vector_sync
from desktop_rag.stop import Stop
vector_sync.SENTENCES = vector_sync.CHUNKS = 1
library, encoder, steps = Library(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3])
catalog = Catalog.open(library.catalog)
sync = vector_sync.VectorSync(library.vectors, encoder, catalog, catalog.lineage())
for step in range(1, 100):
    done = sync.encode_some(Stop())
    if step == steps:
        os.kill(os.getpid(), signal.SIGKILL)
    if step % 2:
        sync.follow()
    if not done:
        break
while sync.follow() or sync.settle():
    if steps == -1:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def another(folder: Path) -> Path:
    """Return an encoder with its own id, prefixes and floor: its vectors must never meet those of the shipped one."""
    folder.mkdir(parents=True)
    for file in encoder_folder().iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "encoder.json").unlink()
    told = replace(read_description(encoder_folder()), id="another", passage_prefix="passage: ", score_floor=0.1)
    write_description(folder, told)
    return folder


def test_the_earlier_vectors_answer_until_the_new_ones_are_complete_whatever_is_killed(
    library: SmallLibrary, tmp_path: Path
) -> None:
    library.encode()
    encoder = another(tmp_path / "models" / "another")

    def killed_after(steps: int) -> int:
        command = [sys.executable, "-c", PROGRAM, str(library.layout.folder), str(encoder), str(steps)]
        return subprocess.run(command, check=False).returncode

    def ask() -> SearchResult:
        with closing(SearchEngine(library.layout.folder, encoder)) as engine:
            return engine.search(SearchRequest("How long does a feline rest?", Mode.SEMANTIC, 3), Stop())

    before = ask()
    assert (before.hits[0].path.name, before.note, before.coverage) == ("cats.md", vector.EARLIER, 1.0)
    for steps in (1, 2, 1):
        assert killed_after(steps) == -signal.SIGKILL
        during = ask()
        assert [(hit.chunk, hit.score) for hit in during.hits] == [(hit.chunk, hit.score) for hit in before.hits]
        assert (during.note, during.coverage) == (vector.EARLIER, 1.0)
    assert killed_after(-1) == -signal.SIGKILL  # after the change, while the files follow
    assert ask().hits[0].path.name == "cats.md"
    assert killed_after(0) == 0
    after = ask()
    assert (after.hits[0].path.name, after.note, after.coverage) == ("cats.md", "", 1.0)
    assert after.hits[0].score != pytest.approx(before.hits[0].score)
    with closing(IntegrityChecker(library.layout)) as checker:
        vectors = [finding for finding in checker.run(deep=True, stop=Stop()) if not finding.holds]
    assert not [finding for finding in vectors if "vector" in finding.meaning.lower()]
