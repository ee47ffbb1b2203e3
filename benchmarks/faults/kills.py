"""Kills the real indexer: at random moments, before each of its storage operations; and makes its disk fail."""

import contextlib
import errno
import random
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.faults import faulty_indexer
from benchmarks.faults.inspection import damage_before_repair
from benchmarks.faults.notes_library import NotesLibrary, first_of, restore_copy
from benchmarks.faults.tracer import Outcome, Plan
from desktop_rag.errors import LibraryError
from desktop_rag.index.library import Library

MAX_SECONDS_TO_KILL = 0.9  # seconds from a change to the kill; starting takes a third of it
MAX_KILLS_IN_A_ROW = 3  # maximum number of kills in a row: a recovering indexer may be killed again
SOON = faulty_indexer.Circumstances(grace=0.3)


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault: what was done, what is wrong afterwards (empty if nothing), and whether the fault occurred at all."""

    what: str
    wrong: str
    happened: bool = True


def random_kills(base: Path, count: int, seed: int, in_a_row: int = MAX_KILLS_IN_A_ROW) -> Generator[Trial]:
    """Kill the indexer `count` times while notes change; verify the library every few kills."""
    chance = random.Random(seed)
    pause = threading.Event()
    with NotesLibrary(base, seed) as notes:
        for number in range(8):
            notes.put(f"note {number}.md")
        done = 0
        while done < count:
            kills = min(count - done, chance.randint(1, in_a_row))
            found: list[str] = []
            for _ in range(kills):
                for _ in range(chance.randint(1, 4)):
                    notes.change_something()
                notes.start(faulty_indexer.Circumstances())
                pause.wait(chance.random() * MAX_SECONDS_TO_KILL)
                notes.kill_indexer()
                found.append(damage_before_repair(notes.library))
            done += kills
            wrong = first_of(filter(None, found)) or recovery_faults(notes)
            for _ in range(kills):
                yield Trial("killed", wrong)


def recovery_faults(notes: NotesLibrary) -> str:
    """Let the indexer recover, and return what is wrong then."""
    try:
        with notes.client() as client:
            notes.settle(client)
            return first_of(notes.verify().all)
    except LibraryError as error:
        return str(error)


class FaultReplay:
    """Replays the same library and the same changes, with the fault at another operation each time."""

    def __init__(self, base: Path, seed: int, *, fresh: bool = False) -> None:
        self._base = base
        self._fresh = fresh  # the library's first run, with every file still unread
        self.notes = NotesLibrary(base, seed)
        for number in range(6):
            self.notes.put(f"note {number}.md", 4)
        self.notes.put("deep/long.md", 60)
        if not fresh:
            with self.notes.client() as client:
                self.notes.settle(client)
            self.notes.stop_indexer()
            self.notes.put("note 1.md", 5)
            self.notes.put("new.md", 5)
            self.notes.delete("note 2.md")
            self.notes.rename("note 3.md", "note 4.md")
            self.notes.rename("deep/long.md", "long.md")
        self.notes.library.create()
        restore_copy(self.notes.library.folder, base / "before")

    def run(self, plan: Plan) -> Outcome:
        """Run the indexer once according to the plan, from the same initial state."""
        notes = self.notes
        notes.stop_indexer()
        restore_copy(self._base / "before", notes.library.folder)
        file = self._base / "outcome"
        file.unlink(missing_ok=True)
        process = notes.start(msgspec.structs.replace(plan, outcome=str(file)))
        with contextlib.suppress(LibraryError), notes.client() as client:  # a second indexer may have to continue
            notes.settle(client)
        end(process)
        return msgspec.json.decode(file.read_bytes(), type=Outcome)

    def plan(self) -> Plan:
        """Return the plan of a run without a fault."""
        return Plan(str(self.notes.library.folder), SOON)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of a traced indexer whose last client has disconnected."""
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait(30)


def every_operation(base: Path, seed: int, *, fresh: bool, step: int = 1) -> Generator[Trial]:
    """Kill the indexer before its first, second, third … storage operation, until a run has no more of them."""
    replay = FaultReplay(base, seed, fresh=fresh)
    with replay.notes:
        number = 1
        while True:
            copy = Library(base / "at the kill")
            shutil.rmtree(copy.folder, ignore_errors=True)
            outcome = replay.run(msgspec.structs.replace(replay.plan(), kill_at=number, copy=str(copy.folder)))
            what = f"killed before operation {number}, {outcome.harmed}"
            wrong = damage_before_repair(copy) or recovery_faults(replay.notes)
            yield Trial(what, wrong, happened=bool(outcome.harmed))
            if not outcome.harmed:
                return
            number += step


def failing_disk(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Make the k-th write fail, and later ones for a while: a full disk, or I/O errors."""
    chance = random.Random(seed)
    replay = FaultReplay(base, seed)
    with replay.notes:
        number = replay.run(replay.plan()).operations
        for _ in range(count):
            full = chance.random() < 0.5
            plan = msgspec.structs.replace(
                replay.plan(),
                fail_at=chance.randint(1, number),
                error=errno.ENOSPC if full else errno.EIO,
                fail_seconds=chance.choice((0.0, 0.2, 1.0)),
                kill_at=chance.choice((0, 0, chance.randint(1, number))),
            )
            outcome = replay.run(plan)
            what = f"{'disk full' if full else 'disk error'} at write {plan.fail_at}, {outcome.harmed}"
            yield Trial(what, recovery_faults(replay.notes), happened=bool(outcome.harmed))


@contextlib.contextmanager
def scratch_folder(parent: Path | None) -> Generator[Path]:
    """Create a folder for one part of the campaign."""
    with tempfile.TemporaryDirectory(prefix="faults-", dir=parent) as folder:
        yield Path(folder)
