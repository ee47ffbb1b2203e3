"""Power losses: one recorded run of the indexer, and the library reopened from states that the disk may have kept."""

import bisect
import random
import shutil
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults import faulty_indexer
from benchmarks.faults.kills import Trial, end, healed
from benchmarks.faults.patients import Patient
from benchmarks.faults.power import Disk, Fate
from benchmarks.faults.tracer import Operation, Plan, read_log

ROUNDS = 4  # of changes in the recorded run


@dataclass(frozen=True, slots=True)
class Recording:
    """Every storage operation of a run, and how many of them were done when the folder was acknowledged."""

    operations: list[Operation]
    acknowledged: int


def record(patient: Patient) -> Recording:
    """Record a complete run under the tracer: first indexing, changes, idle times, a clean end."""
    log = patient.base / "operations"
    circumstances = faulty_indexer.Circumstances(grace=0.3)
    process = patient.start(Plan(str(patient.library.folder), circumstances, log=str(log)))
    for number in range(5):
        patient.put(f"note {number}.md", 4)
    with patient.client() as client:
        patient.add(client)
        acknowledged = time.monotonic()
        patient.settle(client)
        for _ in range(ROUNDS):
            for _ in range(3):
                patient.change_something()
            patient.settle(client)
    end(process)
    operations = read_log(log)
    return Recording(operations, bisect.bisect([operation.at for operation in operations], acknowledged))


def power_losses(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Open the library from `count` states that a power loss may leave, wait until it is idle, and verify it."""
    chance = random.Random(seed)
    with Patient(base, seed) as patient:
        recording = record(patient)
        fates = list(Fate)
        for number in range(count):
            moment = chance.randint(1, len(recording.operations))
            fate = fates[number % len(fates)]
            patient.close()
            shutil.rmtree(patient.library.folder)
            disk = Disk(patient.library.folder)
            disk.apply(recording.operations[:moment])
            disk.after_power_loss(patient.library.folder, fate, chance)
            forgotten = moment > recording.acknowledged and not _knows_a_folder(patient)
            wrong = healed(patient)
            if forgotten:
                wrong = f"the folder was acknowledged and is lost; {wrong}"
            yield Trial(f"power lost after operation {moment}, unsynced {fate}", wrong)


def _knows_a_folder(patient: Patient) -> bool:
    """Return whether a newly started indexer knows a folder from its catalog."""
    with patient.client() as client:
        return patient.is_known(client)
