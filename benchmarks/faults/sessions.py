"""What a desktop session does to the indexer: logout, suspend, low memory, a changed clock, a changing power supply.

None of these is the fault of a file: afterwards every note is searchable, and no file is held responsible. Low memory
is a SIGKILL of readers from outside, as the kernel's OOM killer sends it; where control groups of memory can be created
(as root), the kernel itself ends processes that ask for more.
"""

import contextlib
import random
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import psutil

from benchmarks.faults.faulty_indexer import Circumstances
from benchmarks.faults.inspection import damage_before_repair
from benchmarks.faults.kills import Trial, recovery_faults
from benchmarks.faults.memory_group import can_limit_memory, memory_group
from benchmarks.faults.notes_library import NotesLibrary
from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library

NEW_NOTES = 12  # before each event, so that it meets the indexer at work
SUSPENDED_SECONDS = 0.5
READERS_KILLED = 5
CLOCK_JUMP_SECONDS = 10.0**8  # three years, there or back
POWER_CHANGE_SECONDS = 0.15
KERNEL_OUT_OF_MEMORY = "processes ended by the kernel for memory"
_LATEST_EVENT = 0.9  # seconds after the start of the indexer
_END_SECONDS = 20.0
_INDEXER_SHARE = 0.1  # of the rounds in which the indexer runs out of memory, too


def session_events(base: Path, count: int, seed: int, kinds: Sequence[str] = ()) -> Generator[Trial]:
    """Let `count` events (of all kinds, or of these) meet the indexer at work; check the library before and after."""
    kinds = kinds or [kind for kind in EVENTS if kind != KERNEL_OUT_OF_MEMORY or can_limit_memory()]
    chance = random.Random(seed)
    pause = threading.Event()
    with NotesLibrary(base, seed) as notes:
        notes.put("first.md")
        with notes.client() as client:
            notes.settle(client)
        notes.stop_indexer()
        for number in range(count):
            for note in range(NEW_NOTES):
                notes.put(f"{number}/note {note}.md", chance.randint(1, 40))
            notes.change_something()
            kind = kinds[number % len(kinds)]
            how, event = EVENTS[kind]
            notes.start(how(chance))
            pause.wait(chance.random() * _LATEST_EVENT)
            happened = event(notes, chance, pause)
            wrong = "" if notes.indexer() else damage_before_repair(notes.library)
            wrong = wrong or recovery_faults(notes) or blamed_files(notes.library)
            notes.stop_indexer()
            yield Trial(kind, wrong, happened=happened)


def blamed_files(library: Library) -> str:
    """Return how many files were set aside or are held responsible for a crash."""
    with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
        aside = catalog.database.number("SELECT count(*) FROM file WHERE set_aside IS NOT NULL")
        struck = catalog.database.number("SELECT count(*) FROM strike WHERE count > 0")
    return f"{aside} files are set aside, {struck} are held responsible for a crash" if aside or struck else ""


def _family(notes: NotesLibrary) -> list[psutil.Process]:
    indexer = notes.indexer()
    if indexer is None:
        return []
    with contextlib.suppress(psutil.Error):
        return [indexer, *indexer.children(recursive=True)]
    return []


def _log_out(notes: NotesLibrary, chance: random.Random, _: threading.Event) -> bool:
    """Send SIGTERM to the indexer and its readers, in any order."""
    family = _family(notes)
    chance.shuffle(family)
    for process in family:
        with contextlib.suppress(psutil.Error):
            process.terminate()
    left = psutil.wait_procs(family, _END_SECONDS)[1]
    if left:
        raise LibraryError(f"{len(left)} processes did not end at logout")
    return bool(family)


def _suspend(notes: NotesLibrary, chance: random.Random, pause: threading.Event) -> bool:
    """Stop all processes and let them go on, in any order."""
    family = _family(notes)
    for act in (psutil.Process.suspend, psutil.Process.resume):
        chance.shuffle(family)
        for process in family:
            with contextlib.suppress(psutil.Error):
                act(process)
        pause.wait(SUSPENDED_SECONDS)
    return bool(family)


def _run_out_of_memory(notes: NotesLibrary, chance: random.Random, pause: threading.Event) -> bool:
    """Kill readers, as the OOM killer would."""
    killed = 0
    for _ in range(READERS_KILLED):
        readers = _family(notes)[1:]
        if readers:
            with contextlib.suppress(psutil.Error):
                chance.choice(readers).kill()
                killed += 1
        pause.wait(chance.random() * 0.1)
    return killed > 0


def _ended_by_the_kernel(notes: NotesLibrary, chance: random.Random, pause: threading.Event) -> bool:
    """Leave no memory to the readers, or to the indexer and its readers, until the kernel has ended some."""
    with memory_group() as group:
        for _ in range(READERS_KILLED):
            family = _family(notes)
            for process in family if chance.random() < _INDEXER_SHARE else family[1:]:
                group.add(process.pid)
            pause.wait(chance.random() * 0.2)
        return group.kills() > 0


def _only_work(notes: NotesLibrary, _: random.Random, pause: threading.Event) -> bool:
    """Let the circumstances of the indexer take effect."""
    pause.wait(1.0)
    return notes.indexer() is not None


_Event = Callable[[NotesLibrary, random.Random, threading.Event], bool]

EVENTS: Mapping[str, tuple[Callable[[random.Random], Circumstances], _Event]] = MappingProxyType(
    {
        "logout": (lambda _: Circumstances(), _log_out),
        "suspend and resume": (lambda _: Circumstances(), _suspend),
        "readers killed for memory": (lambda _: Circumstances(), _run_out_of_memory),
        KERNEL_OUT_OF_MEMORY: (lambda _: Circumstances(), _ended_by_the_kernel),
        "clock jump": (
            lambda chance: Circumstances(clock_jump=chance.choice((-1, 1)) * CLOCK_JUMP_SECONDS),
            _only_work,
        ),
        "power supply comes and goes": (lambda _: Circumstances(power_change=POWER_CHANGE_SECONDS), _only_work),
    }
)
