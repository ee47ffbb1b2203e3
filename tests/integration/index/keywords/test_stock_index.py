"""Stock Whoosh on the disk: few segments, atomic commits, recovery from damage."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.writing import SegmentWriter

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index.keywords.keyword_query import AdjacentQuery
from desktop_rag.index.keywords.keyword_schema import SCHEMA
from desktop_rag.index.keywords.stock import durable_storage as keyword_storage
from desktop_rag.index.keywords.stock.stock_index import StockKeywordReader, StockKeywordWriter
from desktop_rag.index.records import ChunkId
from tests.integration.index.keywords.keyword_samples import EGGS, NOTICE, RENT, document, found, mark, word


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keywords"


@pytest.fixture
def writer(folder: Path) -> StockKeywordWriter:
    writer = StockKeywordWriter.open(folder, "lineage")
    writer.apply([document(1, RENT), document(2, NOTICE), document(3, EGGS)], [], mark(3))
    return writer


def test_another_format_starts_an_empty_index(
    folder: Path, writer: StockKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.keywords.stock.stock_index.FORMAT", 99)
    assert StockKeywordWriter.open(folder, "lineage").watermark == mark(0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh forgets files it cannot read
@pytest.mark.parametrize("pattern", ["_MAIN_*.toc", "MAIN_*.seg"])
@pytest.mark.parametrize("keep", [0, 10])
def test_a_damaged_index_is_rebuilt(folder: Path, writer: StockKeywordWriter, pattern: str, keep: int) -> None:
    for path in folder.glob(pattern):
        path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(LibraryError):
        StockKeywordReader(folder)
    again = StockKeywordWriter.open(folder, "lineage")
    assert again.watermark == mark(0)
    again.apply([document(1, RENT)], [], mark(1))
    assert found(StockKeywordReader(folder), word("rent")) == [1]


def test_segments_stay_few_however_many_commits(folder: Path) -> None:
    writer = StockKeywordWriter.open(folder, "lineage")
    for number in range(1, 41):
        writer.apply([document(number, f"word{number} rent")], [], mark(number))
    assert len(list(folder.glob("*.seg"))) <= keyword_storage.MERGE_FACTOR
    assert StockKeywordReader(folder).chunks() == set(range(1, 41))


def test_big_segments_are_merged_only_in_idle_times(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_storage, "QUICK_MERGE", 10)
    monkeypatch.setattr(keyword_storage, "LARGEST_MERGE", 40)
    writer = StockKeywordWriter.open(folder, "lineage")
    for number in range(12):
        writer.apply([document(number * 9 + n, f"rent word{n}") for n in range(1, 10)], [], mark(number))
    assert len(list(folder.glob("*.seg"))) >= 11
    reader = StockKeywordReader(folder)
    before = reader.search(word("rent"), 200)
    while writer.settle():
        pass
    assert len(list(folder.glob("*.seg"))) <= 12 * 9 // 20 + keyword_storage.FEW
    assert not writer.settle()
    assert reader.refresh()
    assert reader.watermark == mark(11) == writer.watermark
    assert reader.search(word("rent"), 200) == before
    writer.apply([], [ChunkId(5)], mark(12))
    reader.refresh()
    assert reader.chunks() == set(range(1, 109)) - {5}


def test_merging_keeps_phrases_and_positions(folder: Path) -> None:
    writer = StockKeywordWriter.open(folder, "lineage")
    for number in range(1, 30):
        writer.apply([document(number, f"the first{number} of the month {'x ' * number} is due")], [], mark(number))
    writer.apply([], [ChunkId(3), ChunkId(17)], mark(30))
    while writer.settle():
        pass
    reader = StockKeywordReader(folder)
    assert found(reader, AdjacentQuery("text", ("first9", "of", "the", "month"))) == [9]
    assert found(reader, AdjacentQuery("text", ("first17", "of"))) == []
    assert len(reader.search(AdjacentQuery("text", ("x", "is", "due")), 50)) == 27


def test_a_segment_of_mostly_removed_chunks_is_rewritten(folder: Path) -> None:
    writer = StockKeywordWriter.open(folder, "lineage")
    writer.apply([document(number, RENT) for number in range(1, 101)], [], mark(1))
    before = sum(path.stat().st_size for path in folder.glob("*.seg"))
    writer.apply([], [ChunkId(number) for number in range(1, 91)], mark(2))
    assert sum(path.stat().st_size for path in folder.glob("*.seg")) < before / 2
    assert StockKeywordReader(folder).chunks() == set(range(91, 101))


def test_a_second_writer_is_told_that_the_index_is_in_use(
    folder: Path, writer: StockKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_storage, "LOCK_SECONDS", 0.0)
    other = SegmentWriter(FileIndex(FileStorage(str(folder)), schema=SCHEMA))
    with pytest.raises(LibraryBusy):
        writer.apply([document(4, RENT)], [], mark(4))
    other.cancel()
    writer.apply([document(4, RENT)], [], mark(4))
    assert writer.watermark == mark(4)


def test_a_failed_commit_changes_nothing(
    folder: Path, writer: StockKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(keyword_storage, "_sync", full)
        with pytest.raises(LibraryError, match="No space left"):
            writer.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    assert writer.watermark == mark(3)
    assert StockKeywordReader(folder).chunks() == {1, 2, 3}
    writer.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    assert StockKeywordReader(folder).chunks() == {2, 3, 4}


KILLED = """
import os, signal, sys
from pathlib import Path
from desktop_rag.index.keywords.stock import durable_storage as keyword_storage
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.keywords.stock.stock_index import StockKeywordWriter
from desktop_rag.index.records import Watermark

calls = 0
real = keyword_storage._sync

def sync(path):
    global calls
    calls += 1
    if calls == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    real(path)

writer = StockKeywordWriter.open(Path(sys.argv[1]), "lineage")
keyword_storage._sync = sync
writer.apply([KeywordDocument(4, 4, "", "", "rent")], [1], Watermark(4, "lineage"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_killed_commit_is_atomic(folder: Path, writer: StockKeywordWriter, step: int) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", KILLED, str(folder), str(step)]
    assert subprocess.run(command, env=environment, check=False).returncode in (0, -signal.SIGKILL)
    again = StockKeywordWriter.open(folder, "lineage")
    reader = StockKeywordReader(folder)
    expected = {mark(3): {1, 2, 3}, mark(4): {2, 3, 4}}
    assert reader.chunks() == expected[again.watermark]
    again.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    reader.refresh()
    assert reader.chunks() == {2, 3, 4}
