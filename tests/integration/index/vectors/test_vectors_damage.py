"""Vector files on a real disk: damage is detected; a full disk or a crash loses nothing published."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from desktop_rag.errors import LibraryError
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors import vector_writer as writing
from desktop_rag.index.vectors.shards import ShardFile
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from tests.examples import examples
from tests.integration.index.vectors.files import CAPACITY, Opens, append, as_kept, held, open_writer
from tests.integration.index.vectors.rows import random_vectors, rows_of


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) - 1 - len(data) // 200] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [cut, empty, flip, Path.unlink])
@pytest.mark.parametrize("suffix", [".json", ".shard", ".dead"])
def test_damage_of_headers_is_detected_on_opening(
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


def test_verifying_detects_a_flipped_bit_in_a_vector(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    for chunk in range(1, 40):
        append(writer, chunk, random_vectors(4, seed=chunk))
    writer.publish(1)
    assert list(iter(opened().verify_some, None)) == [True, True, True]
    path = sorted(folder.glob("*.shard"))[1]
    data = bytearray(path.read_bytes())
    data[9] ^= 4
    path.write_bytes(data)
    assert sorted(iter(opened().verify_some, None)) == [False, True, True]
    assert VectorReader.open(folder).damaged() == [path.name]


def test_leftovers_of_a_crash_are_deleted(folder: Path, writer: VectorWriter, opened: Opens) -> None:
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


@pytest.mark.parametrize("room", range(10))
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
    def begin_rebuild(self) -> None:
        self.writer.begin_rebuild()
        self.written, self.hidden = {}, True

    @rule()
    @precondition(lambda self: self.hidden)
    def publish_rebuild(self) -> None:
        self.publish()
        self.writer.publish_rebuild()
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
        assert self.reader.rows == sum(len(data) for data in self.published.values()) // 8

    def teardown(self) -> None:
        assert self.reader.damaged() == []
        self.writer.close()


def test_any_history_equals_a_dict(tmp_path: Path) -> None:
    Histories.folder = tmp_path
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=examples(25), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


KILLED = """
import sys
from pathlib import Path
from tests.integration.index.vectors.files import append, open_writer
from tests.integration.index.vectors.rows import random_vectors
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


@pytest.mark.processes
def test_a_killed_writer_leaves_a_consistent_state(folder: Path) -> None:
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
