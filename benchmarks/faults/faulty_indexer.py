"""The real indexer with short delays, and with lost file events if requested.

A separate program (`python -m`), because the product's own command has no options for this and needs none.
"""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType

import msgspec

from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.watch import Watcher
from desktop_rag.index.indexer import indexer_loop, pipeline, priority
from desktop_rag.index.indexer import indexer_process as indexer
from desktop_rag.index.indexer_api import Schedule, WorkTime
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderId
from desktop_rag.index.vectors import vector_sync
from desktop_rag.processes.child import plain_environment

_JUMP_AFTER_SECONDS = 0.3


class Circumstances(msgspec.Struct, frozen=True):
    """Delays of the indexer (seconds), and the share of lost change events."""

    retention: float = 0.2
    trouble: float = 0.2
    full_scan: float = 600.0
    grace: float = 3.0
    dropped: float = 0.0
    seed: int = 0
    clock_jump: float = 0.0  # seconds by which the clock is set while the indexer works
    power_change: float = 0.0  # seconds between two changes from mains to battery or back, while it works on mains only
    capacity: int = 128  # rows of a shard: small ones become full and are merged in a library of few notes
    formats: int = 0  # added to the version numbers of the index formats, to simulate another version of the program


class _LossyWatcher(Watcher):
    """A watcher that drops a share of its events."""

    def __init__(self, on_change: Callable[[FolderId, frozenset[Hint]], None], to: Circumstances) -> None:
        chance = random.Random(to.seed)

        def report(folder: FolderId, hints: frozenset[Hint]) -> None:
            if chance.random() >= to.dropped:
                on_change(folder, hints)

        super().__init__(report)


def command(library: Library, circumstances: Circumstances) -> list[str]:
    """Return the command line that runs the indexer of a library in these circumstances."""
    options = msgspec.json.encode(circumstances).decode()
    return [sys.executable, "-P", "-m", __name__, options, "--library", str(library.folder)]


def start(library: Library, circumstances: Circumstances) -> "subprocess.Popen[bytes]":
    """Start the indexer of a library in these circumstances."""
    return start_logged(library, command(library, circumstances))


def start_logged(library: Library, command: list[str]) -> "subprocess.Popen[bytes]":
    """Start a program whose output goes to the log of the library."""
    library.create()
    with library.log.open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=plain_environment(), start_new_session=True
        )
    threading.Thread(target=process.wait, name="indexer", daemon=True).start()  # reaps the process when it ends
    return process


def _formats() -> list[ModuleType]:
    """Return the modules that define the version numbers of the index formats."""
    copies = ("desktop_rag.index.keywords.", "desktop_rag.index.vectors.")
    return [module for name, module in sys.modules.items() if name.startswith(copies) and hasattr(module, "FORMAT")]


def _jump(seconds: float) -> None:
    """Set the clock of this process when the indexer has begun to work."""
    clock, clock_ns = time.time, time.time_ns

    def jump() -> None:
        setattr(time, "time", lambda: clock() + seconds)  # noqa: B010
        setattr(time, "time_ns", lambda: clock_ns() + int(seconds * 1e9))  # noqa: B010

    timer = threading.Timer(_JUMP_AFTER_SECONDS, jump)
    timer.daemon = True
    timer.start()


def _change_power(seconds: float) -> None:
    """Alternate between battery and mains, and work on mains only."""
    setattr(indexer_loop, "Schedule", lambda: Schedule(WorkTime.MAINS))  # noqa: B010
    setattr(priority, "BATTERY_SECONDS", 0.0)  # noqa: B010
    setattr(priority, "runs_on_battery", lambda: int(time.monotonic() / seconds) % 2 == 0)  # noqa: B010


def main(arguments: list[str]) -> int:
    """Run the indexer; the first argument is the circumstances, the others are passed on to it."""
    how = msgspec.json.decode(arguments[0], type=Circumstances)
    pipeline.RETENTION_SECONDS = how.retention
    indexer_loop.RETRY_SECONDS = how.trouble
    indexer_loop.FULL_SCAN_SECONDS = how.full_scan
    indexer.GRACE_SECONDS = how.grace
    setattr(vector_sync, "CAPACITY", how.capacity)  # noqa: B010
    for module in _formats():
        setattr(module, "FORMAT", vars(module)["FORMAT"] + how.formats)  # noqa: B010
    if how.clock_jump:
        _jump(how.clock_jump)
    if how.power_change:
        _change_power(how.power_change)
    if how.dropped:
        setattr(indexer_loop, "Watcher", lambda on_change: _LossyWatcher(on_change, how))  # noqa: B010
    return indexer.main(arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
