"""Kills the real indexer: at random moments, before each of its storage operations; and makes its disk fail."""

import contextlib
import errno
import random
import subprocess
import tempfile
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.faults import faulty_indexer
from benchmarks.faults.patients import Patient, first, put_back
from benchmarks.faults.tracer import Outcome, Plan
from desktop_rag.errors import LibraryError

LONGEST_LIFE = 0.9  # seconds from a change to the kill; starting takes a third of it
KILLS_BEFORE_A_LOOK = 3  # maximum number of kills in a row: a recovering indexer may be killed again
SOON = faulty_indexer.Circumstances(grace=0.3)


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault: what was done, what is wrong afterwards (empty if nothing), and whether the fault occurred at all."""

    what: str
    wrong: str
    happened: bool = True


def random_kills(base: Path, count: int, seed: int, before_a_look: int = KILLS_BEFORE_A_LOOK) -> Generator[Trial]:
    """Kill the indexer `count` times while notes change; verify the library every few kills."""
    chance = random.Random(seed)
    pause = threading.Event()
    with Patient(base, seed) as patient:
        for number in range(8):
            patient.put(f"note {number}.md")
        done = 0
        while done < count:
            kills = min(count - done, chance.randint(1, before_a_look))
            for _ in range(kills):
                for _ in range(chance.randint(1, 4)):
                    patient.change_something()
                patient.start(faulty_indexer.Circumstances())
                pause.wait(chance.random() * LONGEST_LIFE)
                patient.kill_indexer()
            done += kills
            wrong = healed(patient)
            for _ in range(kills):
                yield Trial("killed", wrong)


def healed(patient: Patient) -> str:
    """Let the indexer recover, and return what is wrong then."""
    try:
        with patient.client() as client:
            patient.settle(client)
            return first(patient.verdict().complaints)
    except LibraryError as error:
        return str(error)


class Ward:
    """Replays the same library and the same changes, with the fault at another operation each time."""

    def __init__(self, base: Path, seed: int, *, fresh: bool = False) -> None:
        self._base = base
        self._fresh = fresh  # the library's first run, with every file still unread
        self.patient = Patient(base, seed)
        for number in range(6):
            self.patient.put(f"note {number}.md", 4)
        self.patient.put("deep/long.md", 60)
        if not fresh:
            with self.patient.client() as client:
                self.patient.settle(client)
            self.patient.stop_indexer()
            self.patient.put("note 1.md", 5)
            self.patient.put("new.md", 5)
            self.patient.delete("note 2.md")
            self.patient.rename("note 3.md", "note 4.md")
            self.patient.rename("deep/long.md", "long.md")
        self.patient.library.create()
        put_back(self.patient.library.folder, base / "before")

    def live(self, plan: Plan) -> Outcome:
        """Run the indexer once according to the plan, from the same initial state."""
        patient = self.patient
        patient.stop_indexer()
        put_back(self._base / "before", patient.library.folder)
        file = self._base / "outcome"
        file.unlink(missing_ok=True)
        process = patient.start(msgspec.structs.replace(plan, outcome=str(file)))
        with contextlib.suppress(LibraryError), patient.client() as client:  # a second indexer may have to continue
            patient.settle(client)
        end(process)
        return msgspec.json.decode(file.read_bytes(), type=Outcome)

    def plan(self) -> Plan:
        """Return the plan of a run without a fault."""
        return Plan(str(self.patient.library.folder), SOON)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of a traced indexer whose last client has disconnected."""
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait(30)


def every_operation(base: Path, seed: int, *, fresh: bool, step: int = 1) -> Generator[Trial]:
    """Kill the indexer before its first, second, third … storage operation, until a run has no more of them."""
    ward = Ward(base, seed, fresh=fresh)
    with ward.patient:
        number = 1
        while True:
            outcome = ward.live(msgspec.structs.replace(ward.plan(), kill_at=number))
            what = f"killed before operation {number}, {outcome.harmed}"
            yield Trial(what, healed(ward.patient), happened=bool(outcome.harmed))
            if not outcome.harmed:
                return
            number += step


def failing_disk(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Make the k-th write fail, and later ones for a while: a full disk, or I/O errors."""
    chance = random.Random(seed)
    ward = Ward(base, seed)
    with ward.patient:
        number = ward.live(ward.plan()).operations
        for _ in range(count):
            full = chance.random() < 0.5
            plan = msgspec.structs.replace(
                ward.plan(),
                fail_at=chance.randint(1, number),
                error=errno.ENOSPC if full else errno.EIO,
                fail_seconds=chance.choice((0.0, 0.2, 1.0)),
                kill_at=chance.choice((0, 0, chance.randint(1, number))),
            )
            outcome = ward.live(plan)
            what = f"{'disk full' if full else 'disk error'} at write {plan.fail_at}, {outcome.harmed}"
            yield Trial(what, healed(ward.patient), happened=bool(outcome.harmed))


@contextlib.contextmanager
def place(parent: Path | None) -> Generator[Path]:
    """Create a folder for one part of the campaign."""
    with tempfile.TemporaryDirectory(prefix="faults-", dir=parent) as folder:
        yield Path(folder)
