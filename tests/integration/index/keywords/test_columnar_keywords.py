"""The columnar index on a real disk: always consistent, or recognised as damaged."""

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index.keywords.columnar import columnar_index, columnar_keywords, columnar_writer, merge_policy
from desktop_rag.index.keywords.columnar.columnar_keywords import (
    ColumnarKeywordReader,
    ColumnarKeywordWriter,
    damaged_files,
)
from desktop_rag.index.keywords.columnar.merge_policy import SegmentWeight, choose_merge
from desktop_rag.index.keywords.columnar.segments import (
    segment_file,
    segment_merging,
    segment_table,
)
from desktop_rag.index.keywords.columnar.segments.segment import Segment
from desktop_rag.index.keywords.columnar.segments.segment_merging import Merged
from desktop_rag.index.keywords.keyword_query import FuzzyQuery, TermQuery
from desktop_rag.index.keywords.keyword_schema import SCHEMA
from desktop_rag.index.records import ChunkId
from tests.integration.index.keywords.keyword_samples import EGGS, NOTICE, RENT, document, found, mark, word


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keywords"


@pytest.fixture
def filled(folder: Path) -> ColumnarKeywordWriter:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    writer.apply([document(1, RENT), document(2, NOTICE), document(3, EGGS)], [], mark(3))
    return writer


def held(folder: Path) -> tuple[int, set[int]]:
    """Return the watermark of an index and the chunks that can be found in it."""
    reader = ColumnarKeywordReader(folder)
    by_words = {int(chunk) for chunk, _ in reader.search(TermQuery("text", "the"), 1000)}
    assert reader.chunks() == by_words
    return reader.watermark.sequence, by_words


class Moments:
    """Copies a folder at every operation that matters to the disk: what a kill just then would leave behind."""

    def __init__(self, folder: Path, into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.copies: list[Path] = []
        self._folder = folder
        self._into = into
        self._watch(monkeypatch, os, "fsync")
        self._watch(monkeypatch, Path, "replace")
        self._watch(monkeypatch, Path, "unlink")
        self._watch(monkeypatch, segment_file.SegmentFile, "write_at")

    def _watch(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        real: Callable[..., object] = getattr(owner, name)

        def watched(*arguments: object, **options: object) -> object:
            copy = self._into / str(len(self.copies))
            shutil.copytree(self._folder, copy)
            self.copies.append(copy)
            return real(*arguments, **options)

        monkeypatch.setattr(owner, name, watched)


def test_a_commit_killed_at_any_operation_is_atomic(
    folder: Path, filled: ColumnarKeywordWriter, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        moments = Moments(folder, tmp_path, patch)
        filled.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    assert len(moments.copies) > 20
    seen = [held(copy) for copy in moments.copies]
    assert [before for before, after in pairwise(seen) if before != after] == [(3, {1, 2, 3})]
    assert seen[-1] == held(folder) == (4, {2, 3, 4})
    for copy in moments.copies:
        again = ColumnarKeywordWriter.open(copy, "lineage")
        again.apply([document(4, RENT)], [ChunkId(1)], mark(4))
        assert held(copy) == (4, {2, 3, 4})
        assert not damaged_files(copy)
        assert len(list(copy.iterdir())) <= 4  # the leftovers are gone: contents, lock and two segments stay


def test_a_merge_killed_at_any_operation_loses_and_duplicates_nothing(folder: Path, tmp_path: Path) -> None:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    for number in range(1, 7):
        writer.apply([document(number, RENT)], [ChunkId(2)] if number == 4 else [], mark(number))
    expected = (6, {1, 3, 4, 5, 6})
    with pytest.MonkeyPatch.context() as patch:
        moments = Moments(folder, tmp_path, patch)
        while writer.settle():
            pass
    assert len(moments.copies) > 20
    for copy in [*moments.copies, folder]:
        assert held(copy) == expected
        again = ColumnarKeywordWriter.open(copy, "lineage")
        again.apply([], [ChunkId(3)], mark(7))
        assert held(copy) == (7, {1, 4, 5, 6})
    assert len(list(folder.glob("*.seg"))) == 1


def test_a_merge_of_documents_that_are_deleted_meanwhile_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    for number in range(1, 7):
        writer.apply([document(number, RENT)], [], mark(number))

    def merge(sources: Sequence[Segment], path: Path) -> Generator[None, None, Merged]:
        steps = segment_merging.merge(sources, path)
        yield next(steps)
        writer.apply([], [ChunkId(number) for number in range(1, 7)], mark(7))
        return (yield from steps)

    monkeypatch.setattr(merge_policy, "merge", merge)
    rounds = 0
    while writer.settle():
        rounds += 1
        assert rounds < 100, "an empty segment is merged with itself"
    assert held(folder) == (7, set())
    writer.apply([document(8, RENT)], [], mark(8))
    assert held(folder) == (8, {8})
    assert len(list(folder.glob("*.seg"))) == 1


KILLED = """
import sys
from pathlib import Path
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from tests.integration.index.keywords.keyword_samples import RENT, document, mark
writer = ColumnarKeywordWriter.open(Path(sys.argv[1]), "lineage")
for number in range(writer.watermark.sequence + 1, 100_000):
    writer.apply([document(number, RENT)], [number - 30] if number > 30 else [], mark(number))
    print(number, flush=True)
    writer.tend()
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_an_index_stays_consistent_if_its_writer_is_killed_repeatedly(folder: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    chance = random.Random(5)
    for _ in range(2):
        command = [sys.executable, "-W", "ignore", "-c", KILLED, str(folder)]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            told = [int(child.stdout.readline()) for _ in range(chance.randrange(10, 60))]
            child.send_signal(signal.SIGKILL)
        sequence, chunks = held(folder)
        assert sequence >= told[-1]
        assert chunks == set(range(max(1, sequence - 29), sequence + 1))
        assert not damaged_files(folder)


def biggest(folder: Path) -> Path:
    return max(folder.glob("*.seg"), key=lambda path: path.stat().st_size)


def the_contents(folder: Path) -> Path:
    return folder / segment_table.NAME


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)


def garbage(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(path.stat().st_size))


@pytest.mark.parametrize("which", [biggest, the_contents])
@pytest.mark.parametrize("damage", [emptied, truncated, flipped, garbage, Path.unlink])
def test_damage_is_reported_and_the_index_rebuilt(
    folder: Path, filled: ColumnarKeywordWriter, which: Callable[[Path], Path], damage: Callable[[Path], None]
) -> None:
    path = which(folder)
    damage(path)
    assert damaged_files(folder) == ([] if (which, damage) == (the_contents, Path.unlink) else [path.name])
    if (which, damage) != (biggest, flipped):  # a bit among the postings is looked for by the check, not by every start
        assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(0)
    again = ColumnarKeywordWriter.open(folder, "lineage", rebuild=True)
    again.apply([document(1, RENT)], [], mark(1))
    assert found(ColumnarKeywordReader(folder), word("rent")) == [1]
    assert not damaged_files(folder)


@pytest.mark.parametrize("which", [biggest, the_contents])
def test_a_reader_raises_for_a_damaged_index(
    folder: Path, filled: ColumnarKeywordWriter, which: Callable[[Path], Path]
) -> None:
    truncated(which(folder))
    with pytest.raises(LibraryError, match="damaged"):
        ColumnarKeywordReader(folder)


def test_a_restored_copy_has_its_older_watermark(folder: Path, filled: ColumnarKeywordWriter, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "older")
    filled.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "older", folder)
    assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(3)
    assert held(folder) == (3, {1, 2, 3})


def test_an_older_table_of_contents_alone_is_detected(folder: Path, filled: ColumnarKeywordWriter) -> None:
    older = the_contents(folder).read_bytes()
    filled.apply([], [ChunkId(1), ChunkId(2), ChunkId(3)], mark(4))
    the_contents(folder).write_bytes(older)
    assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(0)


def test_another_catalogs_index_and_another_format_are_replaced(
    folder: Path, filled: ColumnarKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ColumnarKeywordWriter.open(folder, "restored").watermark.sequence == 0
    writer = ColumnarKeywordWriter.open(folder, "restored")
    writer.apply([document(1, RENT)], [], mark(1))
    monkeypatch.setattr(segment_table, "FORMAT", 99)
    with pytest.raises(LibraryError, match="damaged"):
        columnar_index.ColumnarIndex(folder, SCHEMA).contents()
    assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(0)


def test_an_index_of_another_analysis_is_replaced(
    folder: Path, filled: ColumnarKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columnar_index, "_PROBE", "other words")
    with pytest.raises(LibraryError, match="another version"):
        ColumnarKeywordReader(folder)
    assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(0)


@pytest.mark.parametrize("operation", ["write_at", "fsync", "replace"])
def test_a_full_disk_at_any_moment_leaves_a_consistent_index(
    folder: Path, filled: ColumnarKeywordWriter, operation: str
) -> None:
    owner: object = {"write_at": segment_file.SegmentFile, "fsync": os, "replace": Path}[operation]
    real: Callable[..., object] = getattr(owner, operation)
    for failing in range(100):
        left = iter(range(failing))

        def full(*arguments: object, left: Iterator[int] = left) -> object:
            if next(left, None) is None:
                raise OSError(28, "No space left on device")
            return real(*arguments)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, operation, full)
            with suppress(LibraryError):
                filled.apply([document(4, RENT)], [ChunkId(1)], mark(4))
                break
        # Where the folder could not be synced the commit may stand already; applying it again is harmless.
        assert held(folder) in ((3, {1, 2, 3}), (4, {2, 3, 4}))
    assert failing > 0
    assert held(folder) == (4, {2, 3, 4})
    assert sorted(damaged_files(folder)) == []


def test_a_reader_beside_a_writer_sees_only_whole_commits(folder: Path) -> None:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    done = threading.Event()
    wrong: list[object] = []

    def watch() -> None:
        reader = ColumnarKeywordReader(folder)
        while not done.is_set():
            reader.refresh()
            sequence = reader.watermark.sequence
            chunks = {int(chunk) for chunk, _ in reader.search(word("rent"), 1000)}
            if chunks != set(range(max(1, sequence - 9), sequence + 1)):
                wrong.append((sequence, chunks))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        for number in range(1, 80):
            writer.apply([document(number, RENT)], [ChunkId(number - 10)] if number > 10 else [], mark(number))
            writer.tend()
    finally:
        done.set()
        watching.join()
    assert not wrong


def test_a_second_writer_is_told_that_the_index_is_in_use(
    folder: Path, filled: ColumnarKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columnar_writer, "LOCK_SECONDS", 0.0)
    with (
        columnar_writer.writing(columnar_index.ColumnarIndex(folder, SCHEMA)),
        pytest.raises(LibraryBusy),
    ):
        filled.apply([document(4, RENT)], [], mark(4))
    filled.apply([document(4, RENT)], [], mark(4))
    assert filled.watermark == mark(4)


def test_the_chunks_are_those_of_the_commit_that_is_searched(folder: Path, filled: ColumnarKeywordWriter) -> None:
    reader = ColumnarKeywordReader(folder)
    before = reader.chunks()
    filled.apply([document(9, RENT)], [ChunkId(1)], mark(9))
    assert reader.chunks() == before
    reader.refresh()
    assert reader.chunks() == before - {1} | {9}


def test_segments_stay_few_and_merges_run_in_steps(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar_keywords, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(segment_merging, "STRETCH", 50)
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    for number in range(1, 120):
        writer.apply([document(number, f"word{number} the rent")], [], mark(number))
        writer.tend()
        assert len(segment_table.read(folder).segments) <= merge_policy.MOST
    while writer.settle():
        pass
    assert not writer.settle()
    assert len(list(folder.glob("*.seg"))) <= merge_policy.AT_REST
    assert held(folder) == (119, set(range(1, 120)))


def test_removals_during_a_merge_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar_keywords, "STEP_SECONDS", 0.0)
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    for number in range(1, 7):
        writer.apply([document(2 * number, RENT), document(2 * number + 1, EGGS)], [], mark(number))
    assert writer.settle()
    writer.apply([document(5, NOTICE)], [ChunkId(4), ChunkId(2), ChunkId(3)], mark(7))
    while writer.settle():
        pass
    assert held(folder) == (7, set(range(5, 14)))
    assert found(ColumnarKeywordReader(folder), word("notice")) == [5]


def test_a_segment_of_mostly_removed_chunks_is_rewritten_in_idle_times(folder: Path) -> None:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    writer.apply([document(number, f"{RENT} {number}") for number in range(1, 101)], [], mark(1))
    before = biggest(folder).stat().st_size
    writer.apply([], [ChunkId(number) for number in range(1, 91)], mark(2))
    while writer.settle():
        pass
    assert biggest(folder).stat().st_size < before / 2
    assert held(folder) == (2, set(range(91, 101)))


def test_a_purge_leaves_no_byte_of_removed_chunks(folder: Path, filled: ColumnarKeywordWriter) -> None:
    filled.apply([document(4, "The secret word xylophone")], [], mark(4))
    filled.apply([document(5, RENT)], [ChunkId(4)], mark(5))
    filled.purge()
    assert all(b"xylophone" not in path.read_bytes() for path in folder.iterdir())
    assert held(folder) == (5, {1, 2, 3, 5})


@pytest.mark.parametrize(
    ("live", "most", "expected"),
    [
        ([5, 5, 5], 10, ()),
        ([5, 9, 20], 4, (0, 1, 2)),
        ([100, 51, 10], 4, ()),
        ([100, 15, 3], 4, (1, 2)),
        ([100, 15, 6], 4, (0, 1, 2)),
        ([1, 100, 300, 700, 6000], 4, (0, 1, 2, 3)),
        ([80, 100, 90, 160, 5000], 4, (0, 1, 2, 3)),
        ([1000, 1, 1, 1, 500], 4, (1, 2, 3)),
        ([8] * 9, 8, tuple(range(9))),
    ],
)
def test_the_smallest_segments_are_merged(live: list[int], most: int, expected: tuple[int, ...]) -> None:
    weights = [SegmentWeight(str(number), size, 1.0) for number, size in enumerate(live)]
    assert sorted(map(int, choose_merge(weights, most))) == list(expected)


def test_all_terms_near_a_misspelled_word_score_as_one(folder: Path, filled: ColumnarKeywordWriter) -> None:
    reader = ColumnarKeywordReader(folder)
    assert reader.search(FuzzyQuery("text", "rwnt", 1), 10) == reader.search(TermQuery("text", "rent"), 10)


def test_the_terms_kept_for_typing_are_few(
    folder: Path, filled: ColumnarKeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columnar_keywords, "_MOST_KNOWN_TERMS", 4)
    reader = ColumnarKeywordReader(folder)
    first = {prefix: reader.vocabulary(prefix) for prefix in ("m", "r", "t", "e", "m")}
    assert any(first.values())
    assert sum(map(len, reader._beginning_so.values())) <= 4
    assert {prefix: reader.vocabulary(prefix) for prefix in first} == first
