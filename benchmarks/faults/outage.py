"""Power losses: one recorded run of the indexer, and the states of the library that the disk may have kept.

Every state is checked as it is; some are also opened by an indexer, which must then reach the same library as ever.
"""

import bisect
import random
import shutil
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults import faulty_indexer
from benchmarks.faults.inspection import damage_before_repair
from benchmarks.faults.kills import Trial, end, recovery_faults
from benchmarks.faults.notes_library import NotesLibrary
from benchmarks.faults.power import Disk, Fate
from benchmarks.faults.ptrace import Call
from benchmarks.faults.tracer import Operation, Plan, read_log

SHARD_ROWS = 32  # a few notes: the recorded run fills shards and merges them
FIRST_NOTES = 12  # indexed together they have more rows than a shard, whose end they cross
ROUNDS = 4  # of changes in the recorded run
RECOVERED = 5  # every so many states are opened by an indexer, too: that takes a hundred times as long
SHUT_DOWN = 9  # every so many states are those after a clean end; odd, so that they meet every fate
_BOUNDARIES = frozenset({Call.SYNC, Call.RENAME, Call.UNLINK})


@dataclass(frozen=True, slots=True)
class Recording:
    """Every storage operation of a run, and how many of them were done when the folder was acknowledged."""

    operations: list[Operation]
    acknowledged: int

    def moments(self) -> list[int]:
        """Return the numbers of operations around each sync, rename and deletion, where what is durable changes."""
        at = [number for number, operation in enumerate(self.operations) if operation.call in _BOUNDARIES]
        return sorted({moment for number in at for moment in (number, number + 1)} - {0})


def record(notes: NotesLibrary) -> Recording:
    """Record a complete run under the tracer: first indexing, changes, idle times, a clean end."""
    log = notes.base / "operations"
    circumstances = faulty_indexer.Circumstances(grace=0.3, capacity=SHARD_ROWS)
    process = notes.start(Plan(str(notes.library.folder), circumstances, log=str(log)))
    for number in range(FIRST_NOTES):
        notes.put(f"note {number}.md", 4)
    with notes.client() as client:
        notes.add(client)
        acknowledged = time.monotonic()
        notes.settle(client)
        for _ in range(ROUNDS):
            for _ in range(3):
                notes.change_something()
            notes.settle(client)
    end(process)
    operations = read_log(log)
    return Recording(operations, bisect.bisect([operation.at for operation in operations], acknowledged))


def power_losses(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Check `count` states that a power loss may leave; let an indexer open some of them, and verify its library."""
    chance = random.Random(seed)
    with NotesLibrary(base, seed) as notes:
        recording = record(notes)
        fates = list(Fate)
        moments = recording.moments()
        for number in range(count):
            moment = moments[-1] if number % SHUT_DOWN == SHUT_DOWN - 1 else chance.choice(moments)
            fate = fates[number % len(fates)]
            notes.close()
            shutil.rmtree(notes.library.folder)
            disk = Disk(notes.library.folder)
            disk.apply(recording.operations[:moment])
            disk.after_power_loss(notes.library.folder, fate, chance)
            wrong = damage_before_repair(notes.library)
            if not wrong and number % RECOVERED == 0:
                forgotten = moment > recording.acknowledged and not _knows_a_folder(notes)
                wrong = recovery_faults(notes)
                if forgotten:
                    wrong = f"the folder was acknowledged and is lost; {wrong}"
            yield Trial(f"power lost after operation {moment}, unsynced {fate}", wrong)


def _knows_a_folder(notes: NotesLibrary) -> bool:
    """Return whether a newly started indexer knows a folder from its catalog."""
    with notes.client() as client:
        return notes.is_known(client)
