"""A disk that is really full: the library is on a small tmpfs that is enlarged after a while (Linux, as root)."""

import contextlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

from benchmarks.faults.faulty_indexer import Circumstances
from benchmarks.faults.kills import Trial, recovery_faults
from benchmarks.faults.notes_library import NotesLibrary
from desktop_rag.errors import LibraryError
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop

SMALLEST, LARGEST, ENOUGH = 200, 2500, 200_000  # kB
NOTES = 40
WAIT_SECONDS = 20.0  # within which the disk must be full


def can_mount() -> bool:
    """Return whether a tmpfs can be mounted here."""
    return sys.platform == "linux" and os.geteuid() == 0


def small_disks(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Index onto disks that become full, enlarge them, and verify the libraries."""
    chance = random.Random(seed)
    for number in range(count):
        size = chance.randint(SMALLEST, LARGEST)
        disk = base / f"disk {number}"
        with _tmpfs(disk, size), NotesLibrary(base / f"notes {number}", seed + number) as notes:
            notes.library = Library(disk / "library")
            for note in range(NOTES):
                notes.put(f"note {note}.md", chance.randint(1, 200))
            happened = True
            with contextlib.suppress(LibraryError):  # not even the folder could be created
                notes.start(Circumstances())
                with notes.client() as client:
                    notes.add(client)
                    happened = _is_full(client)
            if chance.random() < 0.3:
                notes.kill_indexer()
            _grow(disk)
            yield Trial(f"a disk of {size} kB", recovery_faults(notes), happened=happened)


def _is_full(client: LibraryClient) -> bool:
    """Wait until the indexer reports a full disk, or has nothing left to do."""
    stop = Stop()
    timer = threading.Timer(WAIT_SECONDS, stop.set)
    timer.start()
    try:
        with contextlib.closing(client.follow(stop)) as statuses:
            for status in statuses:
                if "full" in status.trouble:
                    return True
                if status.phase.value == "idle" and status.folders and not status.folders[0].scanning:
                    return False
    finally:
        timer.cancel()
    return True


@contextlib.contextmanager
def _tmpfs(folder: Path, size: int) -> Generator[None]:
    folder.mkdir(parents=True)
    _command("mount", "-t", "tmpfs", "-o", f"size={size}k,mode=0700", "faults", str(folder))
    try:
        yield
    finally:
        _command("umount", "-l", str(folder))


def _grow(folder: Path) -> None:
    _command("mount", "-o", f"remount,size={ENOUGH}k", str(folder))


def _command(*arguments: str) -> None:
    try:
        subprocess.run(arguments, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise LibraryError(f"{arguments[0]} is not possible here ({error})") from error
