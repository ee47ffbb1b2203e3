"""A control group whose processes the kernel ends as soon as they ask for another page of memory (Linux)."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from desktop_rag.errors import LibraryError

_VERSION_1 = Path("/sys/fs/cgroup/memory")
_VERSION_2 = Path("/sys/fs/cgroup")
_WAIT_SECONDS, _POLL_SECONDS = 20.0, 0.02


class MemoryGroup:
    """A control group without memory; made by `memory_group`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counters = folder / ("memory.oom_control" if folder.parent == _VERSION_1 else "memory.events")

    def add(self, process: int) -> None:
        """Move a process into the group; one that has ended is left out."""
        with suppress(ProcessLookupError):
            (self._folder / "cgroup.procs").write_text(str(process))

    def kills(self) -> int:
        """Return how many processes of this group the kernel has ended."""
        rows = (line.split() for line in self._counters.read_text().splitlines())
        return next(int(row[1]) for row in rows if row[0] == "oom_kill")


@contextmanager
def memory_group() -> Iterator[MemoryGroup]:
    """Create a group, and remove it when its processes have ended or are back in the parent; raises `LibraryError`."""
    parent, limit = (_VERSION_1, "memory.limit_in_bytes") if _VERSION_1.is_dir() else (_VERSION_2, "memory.max")
    folder = parent / f"desktop-rag-bench-{os.getpid()}"
    try:
        folder.mkdir()
        (folder / limit).write_text("0")
    except OSError as error:
        with suppress(OSError):
            folder.rmdir()
        raise LibraryError(f"A control group of memory cannot be created ({error}).") from error
    try:
        yield MemoryGroup(folder)
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove the group; processes that the kernel ends stay in it for a moment."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        for process in (folder / "cgroup.procs").read_text().split():
            with suppress(OSError):
                (folder.parent / "cgroup.procs").write_text(process)
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


def can_limit_memory() -> bool:
    """Return whether this user may create such groups."""
    try:
        with memory_group():
            return True
    except LibraryError:
        return False
