"""Simulates the states of a disk after a power failure in the middle of a list of storage operations.

The model is the weak one of POSIX: data written to a file and not synced may be there, partly or not at all, and with
its blocks in any order; a created, changed or removed name is durable only after its folder is synced, until then the
folder may show any earlier state. Renaming over an existing name is atomic.
"""

import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

from benchmarks.faults.ptrace import Call
from benchmarks.faults.tracer import Operation

_BLOCK = 4096  # the unit that a disk writes atomically


class Fate(StrEnum):
    """What happens to unsynced data."""

    LOST = "lost"
    NAMES_ONLY = "names kept, data lost"  # the empty files of a file system that journals only metadata
    IN_PART = "in part"
    KEPT = "kept"


@dataclass(slots=True)
class _File:
    """`synced` is durable; `waiting` are the writes (offset, data) and truncations (offset, None) since then."""

    synced: bytes = b""
    waiting: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        self.synced = _applied(self.synced, self.waiting)
        self.waiting = []


@dataclass(slots=True)
class _Folder:
    """`synced` are the durable names; `waiting` are the changes since then."""

    synced: "dict[str, _File | _Folder]" = field(default_factory=dict)
    waiting: "list[dict[str, _File | _Folder | None]]" = field(default_factory=list)

    def now(self, changes: int | None = None) -> "dict[str, _File | _Folder]":
        names = dict(self.synced)
        for change in self.waiting[:changes]:
            for name, entry in change.items():
                if entry is None:
                    names.pop(name, None)
                else:
                    names[name] = entry
        return names

    def sync(self) -> None:
        self.synced, self.waiting = self.now(), []


class Disk:
    """A simulated disk below `root`, initially empty, that receives every operation."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._top = _Folder()
        self._files: dict[int, _File] = {}

    def apply(self, operations: Iterable[Operation]) -> None:
        """Apply the recorded operations in order."""
        for operation in operations:
            self._apply(operation)

    def _apply(self, operation: Operation) -> None:
        match operation.call:
            case Call.OPEN:
                self._open(operation)
            case Call.WRITE | Call.COPY:
                self._file(operation).waiting.append((operation.offset, operation.data))
            case Call.TRUNCATE:
                self._file(operation).waiting.append((operation.offset, None))
            case Call.ALLOCATE:
                self._file(operation).waiting.append((operation.offset, b""))
            case Call.SYNC:
                found = self._find(operation.path)
                target = found if isinstance(found, _Folder) else self._files.get(operation.inode)
                if target is not None:
                    target.sync()
            case Call.MKDIR:
                self._change(operation.path, _Folder())
            case Call.UNLINK | Call.RMDIR:
                self._change(operation.path, None)
            case Call.RENAME:
                self._rename(operation)
            case Call.LINK:
                raise NotImplementedError(operation.path)

    def _open(self, operation: Operation) -> None:
        if self._find(operation.path) is None:
            self._files[operation.inode] = _File()
            self._change(operation.path, self._files[operation.inode])
        elif operation.offset & os.O_TRUNC:
            self._file(operation).waiting.append((0, None))

    def _file(self, operation: Operation) -> _File:
        found = self._find(operation.path)
        return found if isinstance(found, _File) else self._files[operation.inode]

    def _rename(self, operation: Operation) -> None:
        entry = self._find(operation.path)
        if entry is None:
            return
        old, new = os.path.split(operation.path), os.path.split(operation.target)
        if old[0] == new[0]:
            self._folder(old[0]).waiting.append({old[1]: None, new[1]: entry})
        else:
            self._change(operation.target, entry)
            self._change(operation.path, None)

    def _change(self, path: str, entry: "_File | _Folder | None") -> None:
        if path == self._root:
            return
        folder, name = os.path.split(path)
        self._folder(folder).waiting.append({name: entry})

    def _folder(self, path: str) -> _Folder:
        found = self._find(path)
        assert isinstance(found, _Folder), path
        return found

    def _find(self, path: str) -> "_File | _Folder | None":
        entry: _File | _Folder | None = self._top
        for part in Path(path).relative_to(self._root).parts:
            entry = entry.now().get(part) if isinstance(entry, _Folder) else None
        return entry

    def after_power_loss(self, target: Path, fate: Fate, chance: random.Random) -> None:
        """Write a random state that the disk may have after a power loss now to the empty folder `target`."""
        _write(self._top, target, fate, chance)


def _write(folder: _Folder, target: Path, fate: Fate, chance: random.Random) -> None:
    kept = {Fate.LOST: 0, Fate.IN_PART: chance.randint(0, len(folder.waiting))}.get(fate, len(folder.waiting))
    target.mkdir(mode=0o700, exist_ok=True)
    for name, entry in sorted(folder.now(kept).items()):
        if isinstance(entry, _Folder):
            _write(entry, target / name, fate, chance)
        else:
            path = target / name
            path.touch(mode=0o600)
            path.write_bytes(_applied(entry.synced, _kept(entry.waiting, fate, chance)))


def _kept(
    waiting: Sequence[tuple[int, bytes | None]], fate: Fate, chance: random.Random
) -> list[tuple[int, bytes | None]]:
    if fate in (Fate.LOST, Fate.NAMES_ONLY):
        return []
    if fate is Fate.KEPT:
        return list(waiting)
    return [piece for offset, data in waiting for piece in _blocks(offset, data) if chance.random() < 0.5]


def _blocks(offset: int, data: bytes | None) -> list[tuple[int, bytes | None]]:
    """Split a write at block boundaries."""
    if data is None:
        return [(offset, None)]
    cuts = [0, *range(_BLOCK - offset % _BLOCK, len(data), _BLOCK), len(data)]
    return [(offset + first, data[first:last]) for first, last in pairwise(cuts)]


def _applied(data: bytes, changes: Iterable[tuple[int, bytes | None]]) -> bytes:
    whole = bytearray(data)
    for offset, piece in changes:
        if piece is None:
            del whole[offset:]
        if len(whole) < offset:
            whole.extend(bytes(offset - len(whole)))
        if piece is not None:
            whole[offset : offset + len(piece)] = piece
    return bytes(whole)
