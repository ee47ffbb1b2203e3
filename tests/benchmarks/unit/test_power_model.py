"""What the simulated disk keeps of unsynced operations."""

import os
import random
from pathlib import Path

from benchmarks.faults.power import Disk, Fate
from benchmarks.faults.ptrace import Call
from benchmarks.faults.tracer import Operation

ROOT = Path("/library")


def left(fate: Fate, tmp_path: Path, *operations: Operation) -> dict[str, bytes]:
    disk = Disk(ROOT)
    disk.apply(operations)
    target = tmp_path / "after"
    disk.after_power_loss(target, fate, random.Random(1))
    return {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()}


def made(name: str, inode: int) -> Operation:
    return Operation(0.0, Call.OPEN, str(ROOT / name), inode, offset=os.O_CREAT)


def written(name: str, inode: int, data: bytes, offset: int = 0) -> Operation:
    return Operation(0.0, Call.WRITE, str(ROOT / name), inode, offset=offset, data=data)


def synced(name: str, inode: int = 0) -> Operation:
    return Operation(0.0, Call.SYNC, str(ROOT / name) if name else str(ROOT), inode)


def test_nothing_is_durable_before_a_sync(tmp_path: Path) -> None:
    assert left(Fate.LOST, tmp_path, made("a", 1), written("a", 1, b"text")) == {}


def test_a_synced_file_needs_a_synced_name(tmp_path: Path) -> None:
    operations = made("a", 1), written("a", 1, b"text"), synced("a", 1)
    assert left(Fate.LOST, tmp_path, *operations) == {}
    assert left(Fate.LOST, tmp_path, *operations, synced("")) == {"a": b"text"}


def test_a_name_may_survive_without_its_data(tmp_path: Path) -> None:
    assert left(Fate.NAMES_ONLY, tmp_path, made("a", 1), written("a", 1, b"text")) == {"a": b""}


def test_a_file_renamed_over_another_is_one_of_the_two(tmp_path: Path) -> None:
    before = made("a", 1), written("a", 1, b"old"), synced("a", 1), synced("")
    fresh = made("b", 2), written("b", 2, b"new"), synced("b", 2)
    renamed = Operation(0.0, Call.RENAME, str(ROOT / "b"), 2, target=str(ROOT / "a"))
    assert left(Fate.LOST, tmp_path, *before, *fresh, renamed) == {"a": b"old"}
    assert left(Fate.KEPT, tmp_path, *before, *fresh, renamed) == {"a": b"new"}


def test_writes_after_the_last_sync_may_arrive_in_part(tmp_path: Path) -> None:
    whole = bytes(4096) * 8
    operations = made("a", 1), written("a", 1, whole), synced("a", 1), synced(""), written("a", 1, b"\1" * len(whole))
    (data,) = left(Fate.IN_PART, tmp_path, *operations).values()
    blocks = {data[start : start + 4096] for start in range(0, len(data), 4096)}
    assert blocks == {bytes(4096), b"\1" * 4096}


def test_a_truncated_file_is_short(tmp_path: Path) -> None:
    cut = Operation(0.0, Call.TRUNCATE, str(ROOT / "a"), 1, offset=2)
    assert left(Fate.KEPT, tmp_path, made("a", 1), written("a", 1, b"text"), cut) == {"a": b"te"}
