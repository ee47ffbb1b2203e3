"""Soak test: a library of many notes that change constantly while change events are lost, compared with a fresh one."""

import contextlib
import os
import random
import statistics
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults import notes_library
from benchmarks.faults.faulty_indexer import Circumstances
from benchmarks.faults.notes_library import NotesLibrary, first_of
from benchmarks.measuring import family, own_memory
from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library

SAMPLE_SECONDS = 5.0
SOAK_SETTLE_SECONDS = 3600.0  # until everything is encoded, on a slow machine


@dataclass(frozen=True, slots=True)
class Soak:
    """Size of the library, changes per second, duration in minutes, and share of lost events."""

    files: int
    rate: float
    seconds: float
    dropped: float


@dataclass(slots=True)
class SoakResult:
    """The measurements: megabytes and open files of the indexer over time, and what is wrong at the end."""

    operations: int = 0
    memory: list[float] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)
    wrong: str = ""

    def growth(self) -> tuple[float, float]:
        """Return the growth in megabytes and open files from the first to the last quarter, by their medians."""
        quarter = max(1, len(self.memory) // 4)
        return (
            statistics.median(self.memory[-quarter:]) - statistics.median(self.memory[:quarter]),
            statistics.median(self.handles[-quarter:]) - statistics.median(self.handles[:quarter]),
        )


def soak(base: Path, how: Soak, seed: int, say: Callable[[str], None]) -> SoakResult:
    """Index, change notes, wait until idle, and compare with a library built from the same notes at once."""
    result = SoakResult()
    with _longer_settle_limit(), NotesLibrary(base, seed) as notes:
        for number in range(how.files):
            notes.put(f"{number % 100}/note {number}.md", 1)
        notes.start(Circumstances(dropped=how.dropped, full_scan=60.0, seed=seed))
        try:
            with notes.client() as client:
                notes.settle(client)
                say(f"{how.files:,} notes are indexed; changing them")
                for _ in _churn(notes, how, result):
                    say(f"{result.operations:,} changes, {result.memory[-1]:.0f} MB")
                say("waiting until idle")
                notes.settle(client)
                result.wrong = first_of(notes.verify().all)
            say("comparing with a fresh library")
            result.wrong = result.wrong or _compared(notes, base / "fresh")
        except LibraryError as error:
            result.wrong = str(error)
    return result


@contextlib.contextmanager
def _longer_settle_limit() -> Generator[None]:
    """Wait longer for idleness than after a single fault."""
    before = notes_library.SETTLE_SECONDS
    notes_library.SETTLE_SECONDS = SOAK_SETTLE_SECONDS
    try:
        yield
    finally:
        notes_library.SETTLE_SECONDS = before


def _churn(notes: NotesLibrary, how: Soak, result: SoakResult) -> Generator[None]:
    """Change notes at a constant rate; yield after each sample."""
    pause = threading.Event()
    began = time.monotonic()
    sample_at = 0.0
    while (now := time.monotonic() - began) < how.seconds:
        _change(notes, how.files)
        result.operations += 1
        if now >= sample_at:
            sample_at = now + SAMPLE_SECONDS
            _sample(notes, result)
            yield
        pause.wait(max(0.0, result.operations / how.rate - (time.monotonic() - began)))


def _change(notes: NotesLibrary, about: int) -> None:
    """Change, add, delete or rename one note, keeping their number roughly constant."""
    chance: random.Random = notes.chance
    name = notes.some_name()
    what = chance.random()
    if what < 0.6:
        notes.put(name, 1)
    elif what < 0.8:
        notes.rename(name, f"{chance.randrange(100)}/renamed {chance.randrange(10**9)}.md")
    elif len(notes.texts) > about:
        notes.delete(name)
    else:
        notes.put(f"{chance.randrange(100)}/new {chance.randrange(10**9)}.md", 1)


def _sample(notes: NotesLibrary, result: SoakResult) -> None:
    process = notes.indexer()
    if process is None:
        raise LibraryError("the indexer has ended")
    members = family(process)
    result.memory.append(own_memory(members))
    result.handles.append(process.num_fds() if os.name == "posix" else len(process.open_files()))


def _compared(notes: NotesLibrary, folder: Path) -> str:
    """Return how the library differs from one built from the same notes at once."""
    with contextlib.closing(_RebuiltLibrary(notes, folder)) as rebuilt:
        with rebuilt.client() as client:
            rebuilt.settle(client)
        ours, fresh = _held(notes.library), _held(rebuilt.library)
    if ours == fresh:
        return ""
    different = {path for path in ours.keys() | fresh.keys() if ours.get(path) != fresh.get(path)}
    return f"{len(different)} notes differ from those of a fresh library, first {min(different)!r}"


class _RebuiltLibrary(NotesLibrary):
    """Another library of the same notes."""

    def __init__(self, notes: NotesLibrary, folder: Path) -> None:
        super().__init__(folder)
        self.documents, self.texts, self.words = notes.documents, notes.texts, notes.words


def _held(library: Library) -> dict[bytes, tuple[str, tuple[tuple[int, int], ...], int]]:
    """Return the text, the chunks, and the number of chunks without vectors of each file."""
    with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
        held = {}
        for content, places in catalog.files.places(catalog.files.visible_contents()).items():
            chunks = catalog.chunks.offsets(content)
            spans = tuple((start, end) for _, start, end in chunks)
            bare = len(catalog.chunks.not_encoded_among(chunk for chunk, _, _ in chunks))
            held.update({place.path: (catalog.texts.whole(content), spans, bare) for place in places})
    return held
