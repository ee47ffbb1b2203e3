"""The real indexer in a benchmark's library."""

from pathlib import Path

import pytest

from benchmarks.libraries.filling import fill
from benchmarks.libraries.library import write_small_files
from benchmarks.libraries.measured_library import MeasuredLibrary, PeakMemory
from desktop_rag.evaluation.indexing import all_searchable, settled

pytestmark = pytest.mark.slow


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    write_small_files(tmp_path / "documents", 6)
    return tmp_path / "documents"


def test_a_library_can_be_removed_after_its_block(tmp_path: Path, documents: Path) -> None:
    with MeasuredLibrary(tmp_path / "library") as measured, PeakMemory(measured) as memory:
        indexer = measured.indexer
        measured.add(documents)
        measured.wait_until(lambda status: all_searchable(status) and settled(status))
        assert [hit.path.name for hit in measured.hits("q00004x")] == ["note 00004.txt"]
        assert measured.read(lambda catalog: catalog.files.count()) == 6
        measured.rescan()
        assert measured.cpu_seconds() > 0
        (documents / "moving").rename(documents / "renamed")
        measured.seconds_until(lambda: any("renamed" in hit.path.parts for hit in measured.hits("q00001x")))
    assert memory.megabytes > 0
    indexer.wait(60)  # the lock is released: the process is about to end


def test_synthetic_vectors_make_every_chunk_ready(tmp_path: Path, documents: Path) -> None:
    with MeasuredLibrary(tmp_path / "library") as measured:
        measured.add(documents)
        measured.wait_until(all_searchable)
        fill(measured, ["The boat lies in the harbour."], seed=1, say=lambda _: None)
        measured.wait_until(settled)
        assert not measured.read(lambda catalog: catalog.chunks.not_encoded())
        assert len(measured.read(lambda catalog: catalog.chunks.all_ids())) == 6
