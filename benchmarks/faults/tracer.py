"""Runs the real indexer under ptrace and injects a fault at a chosen storage operation, or records all of them.

A separate program (`python -m`): a tracer must have one thread and no other children. The plan is its only argument.
"""

import errno
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.faults import faulty_indexer
from benchmarks.faults.ptrace import Action, Call, Decision, Fail, Stopped, memory, text_at, trace
from desktop_rag.index.library import Library
from desktop_rag.processes.child import plain_environment

# Not part of the library's state: a log, an advisory lock, a socket, and SQLite's index of its own journal.
_IGNORED = ("indexer.log", "indexer.lock", "indexer.sock", "catalog.sqlite-shm")
_AT_FDCWD, _REMOVE_FOLDER = -100, 0x200
_SPACE = frozenset({Call.WRITE, Call.ALLOCATE, Call.TRUNCATE, Call.COPY, Call.OPEN, Call.MKDIR})
_TO_DISK = frozenset({Call.WRITE, Call.SYNC, Call.TRUNCATE, Call.ALLOCATE, Call.COPY})


class Plan(msgspec.Struct, frozen=True):
    """The faults of one run of the indexer; operations count from 1, 0 means never.

    From operation `fail_at` on, those that need space (or reach the disk, for EIO) fail for `fail_seconds`.
    """

    library: str
    indexer: faulty_indexer.Circumstances = faulty_indexer.Circumstances()
    outcome: str = ""  # file for the `Outcome`
    log: str = ""  # file for all operations
    kill_at: int = 0
    copy: str = ""  # folder for a copy of the library as it is at the kill
    fail_at: int = 0
    error: int = errno.ENOSPC
    fail_seconds: float = 0.0


class Outcome(msgspec.Struct, frozen=True):
    """The number of operations, and the one with the fault; empty if none was reached."""

    operations: int
    harmed: str


class Operation(msgspec.Struct, frozen=True, array_like=True):
    """One successful storage operation; `target` is the new name of a rename."""

    at: float
    call: Call
    path: str
    inode: int = 0
    target: str = ""
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    inode: int
    offset: int = 0


class Watch:
    """Decides about each call according to the plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._root = os.path.realpath(plan.library)
        self._count = self._eligible = 0
        self._harmed = ""
        self._failing_until = 0.0
        self._places: dict[tuple[int, tuple[int, ...]], list[_Place]] = {}
        self.operations: list[Operation] = []

    def outcome(self) -> Outcome:
        """Return the outcome of the run."""
        return Outcome(self._count, self._harmed)

    def decide(self, stopped: Stopped) -> Decision:
        """Return the decision about a call."""
        key = stopped.number, stopped.arguments
        if stopped.result is not None:
            places = self._places[key].pop()
            if stopped.result >= 0:
                self._note(stopped, places, stopped.result)
            return Action.CONTINUE
        place = _place(stopped)
        if place is None or not self._counts(place.path):
            return Action.CONTINUE
        self._count += 1
        if self._count == self._plan.kill_at:
            self._harmed = f"{stopped.call} {place.path}"
            if self._plan.copy:
                shutil.copytree(self._root, self._plan.copy, ignore=shutil.ignore_patterns(*_IGNORED))
            return Action.KILL
        if self._fails(stopped.call, place.path):
            return Fail(self._plan.error)
        if not self._plan.log:
            return Action.CONTINUE
        self._places.setdefault(key, []).append(place)
        return Action.CONTINUE_TO_RESULT

    def _counts(self, path: str) -> bool:
        inside = path == self._root or path.startswith(self._root + os.sep)
        return inside and not path.endswith(_IGNORED)

    def _fails(self, call: Call, path: str) -> bool:
        if not self._plan.fail_at or call not in (_TO_DISK if self._plan.error == errno.EIO else _SPACE):
            return False
        self._eligible += 1
        if self._eligible == self._plan.fail_at:
            self._harmed = f"{call} {path}"
            self._failing_until = time.monotonic() + self._plan.fail_seconds
            return True
        return time.monotonic() < self._failing_until

    def _note(self, stopped: Stopped, place: _Place, result: int) -> None:
        target, offset, data, inode = "", place.offset, b"", place.inode
        arguments, process = stopped.arguments, stopped.process
        match stopped.call:
            case Call.WRITE:
                data = _written(stopped, result)
            case Call.OPEN:
                inode = os.stat(f"/proc/{process}/fd/{result}").st_ino  # noqa: PTH116
                offset = arguments[{2: 1, 257: 2}.get(stopped.number, 0)] if stopped.number != 85 else os.O_TRUNC
            case Call.TRUNCATE:
                offset = arguments[1]
            case Call.ALLOCATE:
                offset = arguments[2] + arguments[3]
            case Call.COPY:
                with open(place.path, "rb") as file:  # noqa: PTH123
                    file.seek(offset)
                    data = file.read(result)
            case Call.RENAME:
                at = {82: (_AT_FDCWD, 1)}.get(stopped.number, (_signed(arguments[2]), 3))
                target = _absolute(process, at[0], arguments[at[1]])
            case Call.LINK:
                raise NotImplementedError(f"a link: {place.path}")
        call = Call.RMDIR if stopped.number == 263 and arguments[2] & _REMOVE_FOLDER else stopped.call
        self.operations.append(Operation(time.monotonic(), call, place.path, inode, target, offset, data))


def _place(stopped: Stopped) -> _Place | None:
    """Return the file of a call, None if it is not a file."""
    process, arguments = stopped.process, stopped.arguments
    match stopped.number:
        case 2 | 85 | 76 | 82 | 87 | 83 | 84 | 86:
            path = _absolute(process, _AT_FDCWD, arguments[0])
        case 257 | 264 | 316 | 263 | 258 | 265:
            path = _absolute(process, _signed(arguments[0]), arguments[1])
        case 88:
            path = _absolute(process, _AT_FDCWD, arguments[1])
        case 266:
            path = _absolute(process, _signed(arguments[1]), arguments[2])
        case 26:
            return None  # msync: our program does not write through mappings
        case 326:
            return _opened(process, arguments[2])
        case _:
            return _opened(process, arguments[0], arguments[3] if stopped.number in (18, 296) else None)
    with_inode = os.path.lexists(path)
    return _Place(path, os.lstat(path).st_ino if with_inode else 0)


def _opened(process: int, descriptor: int, offset: int | None = None) -> _Place | None:
    link = f"/proc/{process}/fd/{descriptor}"
    try:
        path = os.readlink(link)  # noqa: PTH115
        facts = os.stat(link)  # noqa: PTH116
    except OSError:
        return None
    if not path.startswith("/"):
        return None  # a socket, a pipe
    if offset is None:
        fields = Path(f"/proc/{process}/fdinfo/{descriptor}").read_text().split()
        appends = int(fields[3], 8) & os.O_APPEND
        offset = facts.st_size if appends else int(fields[1])
    return _Place(path.removesuffix(" (deleted)"), facts.st_ino, offset)


def _absolute(process: int, folder: int, address: int) -> str:
    name = os.fsdecode(text_at(process, address))
    base = f"/proc/{process}/cwd" if folder == _AT_FDCWD else f"/proc/{process}/fd/{folder}"
    path = os.path.join(os.readlink(base), name)  # noqa: PTH115, PTH118
    return os.path.normpath(path)


def _written(stopped: Stopped, size: int) -> bytes:
    process, arguments = stopped.process, stopped.arguments
    if stopped.number in (1, 18):
        return memory(process, arguments[1], size)
    vector = memory(process, arguments[1], 16 * arguments[2])
    pieces = (memory(process, *struct.unpack_from("=QQ", vector, 16 * index)) for index in range(arguments[2]))
    return b"".join(pieces)[:size]


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 1 << 31 else value


def start(plan: Plan) -> "subprocess.Popen[bytes]":
    """Start the indexer of the plan's library under the tracer."""
    command = [sys.executable, "-P", "-m", __name__, msgspec.json.encode(plan).decode()]
    return faulty_indexer.start_logged(Library(Path(plan.library)), command)


def read_log(file: Path) -> list[Operation]:
    """Return the recorded operations."""
    return msgspec.msgpack.decode(file.read_bytes(), type=list[Operation])


def main(arguments: list[str]) -> int:
    """Trace one run of the indexer."""
    plan = msgspec.json.decode(arguments[0], type=Plan)
    watch = Watch(plan)
    leader: list[int] = []

    def pass_on(number: int, _: object) -> None:
        for process in leader:
            os.kill(process, number)

    signal.signal(signal.SIGTERM, pass_on)
    command = faulty_indexer.command(Library(Path(plan.library)), plan.indexer)
    code = trace(command, plain_environment(), watch.decide, leader.append)
    if plan.outcome:
        Path(plan.outcome).write_bytes(msgspec.json.encode(watch.outcome()))
    if plan.log:
        Path(plan.log).write_bytes(msgspec.msgpack.encode(watch.operations))
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
