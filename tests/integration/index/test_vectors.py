"""Real vector files: what is published is found, what is not published never is, and damage is noticed."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from desktop_rag.errors import LibraryError
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors import writer as writing
from desktop_rag.index.vectors.codes import restored, unpacked
from desktop_rag.index.vectors.reader import VectorReader
from desktop_rag.index.vectors.shards import ShardFile
from desktop_rag.index.vectors.writer import VectorWriter
from tests.integration.index.vector_rows import DIMENSIONS, Floats, random_vectors, rows_of

CAPACITY = 64  # rows of a shard


def open_writer(folder: Path, encoder: str = "encoder", lineage: str = "lineage") -> VectorWriter:
    return VectorWriter.open(folder, encoder, DIMENSIONS, lineage, CAPACITY)


def append(writer: VectorWriter, chunk: int, vectors: Floats) -> None:
    writer.append([(ChunkId(chunk), rows_of(vectors))])


def held(reader: VectorReader) -> dict[int, bytes]:
    """Return the vectors of every chunk."""
    return {chunk: restored(part.scales, part.codes).tobytes() for chunk, part in reader.all_rows()}


def as_kept(vectors: Floats) -> bytes:
    """Return the vectors that the rows of these stand for."""
    return unpacked(rows_of(vectors), DIMENSIONS).tobytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


Opens = Callable[..., VectorWriter]


@pytest.fixture
def opened(folder: Path) -> Iterator[Opens]:
    with ExitStack() as stack:
        yield lambda *names: stack.enter_context(closing(open_writer(folder, *names)))


@pytest.fixture
def writer(opened: Opens) -> VectorWriter:
    return opened()


def test_the_best_sentence_speaks_for_its_chunk(folder: Path, writer: VectorWriter) -> None:
    vectors = random_vectors(12)
    for chunk in range(4):
        append(writer, chunk + 1, vectors[chunk * 3 : chunk * 3 + 3])
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=2)[0]
    cosines = (vectors @ query).reshape(4, 3)
    expected = sorted(
        ((chunk + 1, int(cosines[chunk].argmax()), float(cosines[chunk].max())) for chunk in range(4)),
        key=lambda hit: -hit[2],
    )
    found = reader.search(query * 7, 4)
    assert [hit[:2] for hit in found] == [hit[:2] for hit in expected]
    assert [hit[2] for hit in found] == pytest.approx([hit[2] for hit in expected], abs=0.02)
    assert reader.search(query, 2) == found[:2]


def test_one_long_chunk_does_not_hide_the_others(folder: Path, writer: VectorWriter) -> None:
    near = random_vectors(1)[0]
    append(writer, 1, np.tile(near, (60, 1)))
    append(writer, 2, random_vectors(3, seed=3))
    append(writer, 3, random_vectors(3, seed=4))
    writer.publish(1)
    found = VectorReader.open(folder).search(near, 3)
    assert {chunk for chunk, _, _ in found} == {1, 2, 3}
    assert found[0][:2] == (1, 0)


@pytest.mark.parametrize("form", [frozenset, set, lambda ids: np.array(list(ids), np.int64)])
def test_only_allowed_chunks_are_found(folder: Path, writer: VectorWriter, form: type[frozenset[ChunkId]]) -> None:
    for chunk in range(1, 80):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.remove([ChunkId(8)])
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=99)[0]
    asked = form([ChunkId(3), ChunkId(8), ChunkId(70), ChunkId(777)])
    for _ in range(2):
        assert {chunk for chunk, _, _ in reader.search(query, 10, asked)} == {3, 70}
    assert reader.search(query, 10, form([])) == []


def test_what_is_not_published_is_not_found(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    reader = VectorReader.open(folder)
    append(writer, 2, random_vectors(2, seed=2))
    assert not reader.refresh()
    assert set(reader.chunks()) == {1}
    writer.publish(2)
    assert reader.refresh()
    assert reader.chunks() == {1: 2, 2: 2}


def test_a_crash_loses_only_what_was_not_published(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    append(writer, 2, random_vectors(50, seed=2))
    again = opened()
    assert again.watermark == Watermark(1, "lineage")
    kept = random_vectors(1, seed=3)
    append(again, 3, kept)
    again.publish(2)
    reader = VectorReader.open(folder)
    assert reader.chunks() == {1: 2, 3: 1}
    assert reader.vectors(ChunkId(3)).tobytes() == as_kept(kept)
    assert reader.damaged() == []


def test_a_chunk_encoded_again_has_its_new_vectors_only(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    append(writer, 2, random_vectors(9, seed=5))
    writer.publish(1)
    fresh = random_vectors(3, seed=2)
    writer.remove([ChunkId(1), ChunkId(50)])
    append(writer, 1, fresh)
    reader = VectorReader.open(folder)
    assert reader.chunks()[ChunkId(1)] == 2
    writer.publish(2)
    reader.refresh()
    assert reader.vectors(ChunkId(1)).tobytes() == as_kept(fresh)
    assert (reader.rows, reader.chunks()) == (12, {1: 3, 2: 9})


def test_the_mean_of_a_chunk_is_that_of_its_sentences(folder: Path, writer: VectorWriter) -> None:
    vectors = random_vectors(5)
    append(writer, 1, random_vectors(2, seed=2))
    append(writer, 2, vectors)
    writer.publish(1)
    reader = VectorReader.open(folder)
    (mean,) = reader.chunk_vectors([ChunkId(2), ChunkId(77)]).values()
    assert mean == pytest.approx(vectors.mean(axis=0), abs=0.01)
    assert reader.sentence_scores(vectors[3], ChunkId(2)).argmax() == 3
    assert len(reader.sentence_scores(vectors[3], ChunkId(77))) == 0


def test_shards_with_many_removed_rows_are_rewritten_in_steps(folder: Path, writer: VectorWriter) -> None:
    for chunk in range(1, 200):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=500)[0]
    before = [hit for hit in reader.search(query, 200) if not 1 < hit[0] < 150]
    writer.remove([ChunkId(chunk) for chunk in range(2, 150)])
    writer.publish(2)
    files = len(list(folder.glob("*.shard")))
    steps = 0
    while writer.compact_some():
        steps += 1
        if steps == 2:
            writer.remove([ChunkId(1)])  # while its row is on the way
    assert steps > 2
    assert len(list(folder.glob("*.shard"))) < files
    writer.publish(3)
    assert reader.refresh()
    assert [hit[:2] for hit in reader.search(query, 200)] == [hit[:2] for hit in before if hit[0] != 1]
    assert set(reader.chunks()) == set(range(150, 200))
    assert (reader.watermark, reader.damaged()) == (Watermark(3, "lineage"), [])


def test_wiped_rows_leave_nothing_of_themselves(folder: Path, writer: VectorWriter) -> None:
    vectors = random_vectors(3)
    append(writer, 1, vectors)
    append(writer, 2, random_vectors(2, seed=2))
    writer.remove([ChunkId(1)])
    writer.publish(1)
    codes = [row[20:] for row in np.frombuffer(rows_of(vectors), f"V{20 + DIMENSIONS}").tolist()]
    (shard,) = folder.glob("*.shard")
    assert all(code in shard.read_bytes() for code in codes)
    assert writer.wipe()
    assert not any(code in shard.read_bytes() for code in codes)
    reader = VectorReader.open(folder)
    assert (reader.chunks(), reader.damaged()) == ({2: 2}, [])
    append(writer, 3, random_vectors(1))
    writer.publish(2)
    reader.refresh()
    assert (reader.chunks(), reader.damaged()) == ({2: 2, 3: 1}, [])


def test_what_is_begun_anew_is_hidden_until_it_has_caught_up(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    append(writer, 2, random_vectors(2))
    writer.publish(5)
    reader = VectorReader.open(folder)
    writer.begin_anew()
    assert writer.watermark == Watermark(0, "lineage")
    append(writer, 1, random_vectors(2, seed=3))
    writer.publish(3)
    assert not reader.refresh()
    assert not writer.wipe()
    assert not writer.compact_some()
    writer.remove([ChunkId(2)])
    writer.publish(6)
    assert writer.reveal()
    assert not writer.reveal()
    assert reader.refresh()
    assert (reader.chunks(), reader.watermark.sequence) == ({1: 2}, 6)
    assert len(list(folder.glob("*.shard"))) == 1


def test_vectors_of_another_encoder_answer_until_the_new_ones_are_revealed(
    folder: Path, writer: VectorWriter, opened: Opens
) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(5)
    other = opened("another")
    assert other.watermark == Watermark(0, "lineage")
    append(other, 1, random_vectors(1, seed=2))
    other.publish(7)
    reader = VectorReader.open(folder)
    assert (reader.encoder_id, reader.watermark.sequence) == ("encoder", 5)
    other.reveal()
    assert reader.refresh()
    assert (reader.encoder_id, reader.watermark.sequence) == ("another", 7)


def test_the_files_of_another_catalog_are_replaced_at_once(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(5)
    reader = VectorReader.open(folder)
    assert opened("encoder", "restored").watermark == Watermark(0, "restored")
    assert reader.refresh()
    assert reader.rows == 0
    assert [path.name for path in folder.iterdir()] == ["header.json"]


def test_a_missing_folder_finds_nothing_until_it_is_there(folder: Path, opened: Opens) -> None:
    reader = VectorReader.open(folder)
    assert (reader.rows, reader.encoder_id, reader.watermark) == (0, "", Watermark(0, ""))
    assert reader.search(random_vectors(1)[0], 10) == []
    writer = opened()
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    assert reader.refresh()
    assert reader.rows == 1


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 200] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [cut, empty, flip, Path.unlink])
@pytest.mark.parametrize("suffix", [".json", ".shard", ".dead"])
def test_damage_is_noticed_at_once_where_all_would_suffer(
    folder: Path, writer: VectorWriter, opened: Opens, suffix: str, damage: Callable[[Path], None]
) -> None:
    append(writer, 1, random_vectors(10))
    append(writer, 2, random_vectors(10))
    writer.remove([ChunkId(2)])
    writer.publish(5)
    (path,) = folder.glob(f"*{suffix}")
    damage(path)
    assert opened().watermark == Watermark(0, "lineage")
    assert VectorReader.open(folder).rows == 0


@pytest.mark.parametrize("part", ["scales", "bits", "codes"])
def test_a_flipped_bit_in_a_vector_is_found_by_verifying(
    folder: Path, writer: VectorWriter, opened: Opens, part: str
) -> None:
    for chunk in range(1, 40):
        append(writer, chunk, random_vectors(4, seed=chunk))
    writer.publish(1)
    assert list(iter(opened().verify_some, None)) == [True, True, True]
    path = sorted(folder.glob("*.shard"))[1]
    data = bytearray(path.read_bytes())
    layout = VectorReader.open(folder)._header.layout
    data[getattr(layout, part) + 7] ^= 4
    path.write_bytes(data)
    assert sorted(iter(opened().verify_some, None)) == [False, True, True]
    assert VectorReader.open(folder).damaged() == [path.name]


def test_leftovers_of_a_crash_are_swept_away(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    for name in ("0123.shard", "4567.dead", "header.json.new", "old.vectors"):
        (folder / name).write_bytes(b"left over")
    opened()
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".shard"]


def test_rows_that_fit_in_no_shard_are_refused(writer: VectorWriter) -> None:
    with pytest.raises(ValueError, match="65 sentences"):
        append(writer, 1, random_vectors(CAPACITY + 1))


class FullDisk:
    """Lets the first `room` writing operations through and refuses the others."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
        self.left = room
        for owner, name in (
            (ShardFile, "_put"),
            (ShardFile, "sync"),
            (writing, "write_header"),
            (writing, "write_dead"),
        ):
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, do: Callable[..., object]) -> Callable[..., object]:
        def counted(*values: object) -> object:
            self.left -= 1
            if self.left < 0:
                raise OSError(28, "No space left on device")
            return do(*values)

        return counted


@pytest.mark.parametrize("room", range(14))
def test_a_full_disk_loses_nothing_and_the_next_try_works(
    tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_writer(tmp_path)) as writer:
        for chunk in range(1, 60):
            append(writer, chunk, random_vectors(2, seed=chunk))
        writer.publish(1)
    before = held(VectorReader.open(tmp_path))
    with closing(open_writer(tmp_path)) as writer:
        with monkeypatch.context() as patch:
            FullDisk(patch, room)
            with pytest.raises(LibraryError, match="No space left"):
                work(writer)
        reader = VectorReader.open(tmp_path)
        assert reader.damaged() == []
        assert held(reader) in (before, after(before))
    with closing(open_writer(tmp_path)) as writer:
        if writer.watermark.sequence < 2:
            work(writer)
    assert held(VectorReader.open(tmp_path)) == after(before)


def work(writer: VectorWriter) -> None:
    """Add a chunk that needs a new shard, remove many, and tidy up."""
    append(writer, 99, random_vectors(40, seed=99))
    writer.remove([ChunkId(chunk) for chunk in range(1, 50)])
    writer.publish(2)
    while writer.compact_some():
        pass


def after(before: dict[int, bytes]) -> dict[int, bytes]:
    kept = {chunk: data for chunk, data in before.items() if chunk >= 50}
    return kept | {99: as_kept(random_vectors(40, seed=99))}


class Histories(RuleBasedStateMachine):
    """Appends, removals, publications, compaction, crashes and new beginnings, against a dict."""

    folder: Path
    writer: VectorWriter

    def __init__(self) -> None:
        super().__init__()
        for path in self.folder.glob("*"):
            path.unlink()
        self.writer = open_writer(self.folder)
        self.reader = VectorReader(self.folder)
        self.written: dict[int, bytes] = {}
        self.published: dict[int, bytes] = {}
        self.sequence = 0
        self.hidden = False
        self.next = 1

    @rule(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=6))
    def append_chunks(self, sizes: list[int]) -> None:
        chunks = []
        for size in sizes:
            vectors = random_vectors(size, seed=self.next)
            chunks.append((ChunkId(self.next), rows_of(vectors)))
            self.written[self.next] = as_kept(vectors)
            self.next += 1
        self.writer.append(chunks)

    @rule(share=st.floats(0, 1), seed=st.integers(0, 9))
    def remove_chunks(self, share: float, seed: int) -> None:
        dice = random.Random(seed)
        gone = [chunk for chunk in self.written if dice.random() < share]
        self.writer.remove([*map(ChunkId, gone), ChunkId(10_000)])
        for chunk in gone:
            del self.written[chunk]

    @rule()
    def publish(self) -> None:
        self.sequence += 1
        self.writer.publish(self.sequence)
        if not self.hidden:
            self.published = dict(self.written)

    @rule()
    @precondition(lambda self: not self.hidden)
    def compact(self) -> None:
        self.publish()
        self.writer.compact_some()

    @rule()
    @precondition(lambda self: not self.hidden)
    def begin_anew(self) -> None:
        self.writer.begin_anew()
        self.written, self.hidden = {}, True

    @rule()
    @precondition(lambda self: self.hidden)
    def reveal(self) -> None:
        self.publish()
        self.writer.reveal()
        self.published, self.hidden = dict(self.written), False

    @rule()
    def crash(self) -> None:
        self.writer.close()
        self.writer = open_writer(self.folder)
        self.written, self.hidden = dict(self.published), False

    @invariant()
    def the_reader_holds_what_was_published(self) -> None:
        self.reader.refresh()
        assert held(self.reader) == self.published
        assert self.reader.rows == sum(len(data) for data in self.published.values()) // (4 * DIMENSIONS)

    def teardown(self) -> None:
        assert self.reader.damaged() == []
        self.writer.close()


def test_any_history_leaves_what_a_dict_would_hold(tmp_path: Path) -> None:
    Histories.folder = tmp_path
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


KILLED = """
import sys
from pathlib import Path
from tests.integration.index.test_vectors import append, open_writer, random_vectors
from desktop_rag.index.records import ChunkId
writer = open_writer(Path(sys.argv[1]))
step = writer.watermark.sequence
print("ready", flush=True)
while True:
    step += 1
    append(writer, step, random_vectors(7, seed=step))
    writer.remove([ChunkId(step - 5)])
    writer.publish(step)
    writer.compact_some()
"""


def test_a_killed_writer_leaves_a_whole_state(folder: Path) -> None:
    dice, last = random.Random(3), 0
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", KILLED, folder], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            reader, wanted = VectorReader.open(folder), last + dice.randrange(3, 60)
            while reader.watermark.sequence < wanted:
                reader.refresh()
            child.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        reader.refresh()
        last = reader.watermark.sequence
        assert held(reader) == {
            step: as_kept(random_vectors(7, seed=step)) for step in range(max(1, last - 4), last + 1)
        }
        assert reader.damaged() == []
