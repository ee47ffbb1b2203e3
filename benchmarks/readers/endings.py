"""The outcome of each file of a folder in the real reader process: text, or the reason why there is none."""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from benchmarks.measuring import MB
from benchmarks.report import OURS, Measurement
from desktop_rag.documents.document import Document
from desktop_rag.documents.sandbox.reader_client import ReaderChild, ReaderLost, seconds_for
from desktop_rag.errors import BenchError, DocumentError
from desktop_rag.stop import Stop

MOST_MEMORY = 50.0  # MB by which the parent process may grow
GRACE_SECONDS = 1.0  # seconds beyond its time limit after which a file counts as a hang
TEXT, EMPTY, REFUSED, UNEXPLAINED = "text", "empty", "refused", "unexplained"
_OF_EMPTINESS = ("empty", "no text", "without text", "only white space", "no words")
_UNEXPECTED = re.compile(r"\((?!MemoryError)[A-Z]\w*(?:Error|Exception)\)")  # the reason names a Python exception
_SHOWN_REASONS = 12

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ending:
    """The outcome of one file; `reason` is the message for the user if there is no text, or not all of it."""

    path: Path
    outcome: str
    reason: str
    seconds: float
    allowed: float
    pages: int = 0
    characters: int = 0
    lost: bool = False

    @property
    def unexpected(self) -> bool:
        """Return whether the reader raised an unforeseen exception."""
        return _UNEXPECTED.search(self.reason) is not None

    @property
    def hung(self) -> bool:
        """Return whether it exceeded its time limit."""
        return self.seconds > self.allowed + GRACE_SECONDS


@dataclass(frozen=True, slots=True)
class Endings:
    """All files, and the growth of the parent process."""

    each: tuple[Ending, ...]
    seconds: float
    grown: float  # MB

    def rows(self) -> Iterator[Measurement]:
        """Yield the goals and the speeds."""
        count = len(self.each)
        kinds = Counter(ending.outcome for ending in self.each)
        what = f"{count:,} files"
        proper = 100.0 * (count - kinds[UNEXPLAINED]) / count
        yield Measurement(f"{what}: as text or with a reason", OURS, "%", (proper,), "more", 100.0)
        for outcome in (TEXT, EMPTY, REFUSED):
            yield Measurement(f"{what}: {outcome}", OURS, "files", (float(kinds[outcome]),), "more")
        yield Measurement(f"{what}: hangs", OURS, "files", (float(sum(e.hung for e in self.each)),), goal=0.0)
        unexpected = sum(ending.unexpected for ending in self.each)
        yield Measurement(f"{what}: unexpected reader errors", OURS, "files", (float(unexpected),), goal=0.0)
        lost = sum(ending.lost for ending in self.each)
        yield Measurement(f"{what}: reader crashes", OURS, "files", (float(lost),))
        yield Measurement(f"{what}: memory growth of the parent process", OURS, "MB", (self.grown,), goal=MOST_MEMORY)
        yield Measurement(f"{what}: clock", OURS, "files/s", (count / self.seconds,), "more")
        if pages := sum(ending.pages for ending in self.each):
            yield Measurement(f"{what}: clock", OURS, "pages/s", (pages / self.seconds,), "more")
        slowest = max(self.each, key=lambda ending: ending.seconds)
        yield Measurement(f"{what}: the median file, clock", OURS, "ms", (1000 * median(e.seconds for e in self.each),))
        yield Measurement(f"{what}: the slowest, clock", OURS, "s", (slowest.seconds,))

    def notes(self) -> Iterator[str]:
        """Yield the reasons, most frequent first."""
        reasons = Counter(ending.reason for ending in self.each if ending.outcome != TEXT)
        for reason, count in reasons.most_common(_SHOWN_REASONS):
            yield f"{count} × {reason}"
        if partial := sum(ending.outcome == TEXT and bool(ending.reason) for ending in self.each):
            yield f"{partial} of the files with text are marked as partial."

    def table(self) -> str:
        """Return one line per file: outcome, seconds, pages, characters, path, reason."""
        return "".join(
            f"{e.outcome}\t{e.seconds:.3f}\t{e.pages}\t{e.characters}\t{e.path}\t{e.reason}\n" for e in self.each
        )


def files_below(folder: Path, most: int) -> list[Path]:
    """Return at most `most` regular files below `folder`, by path; raise `BenchError` if there are none."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [path for name in sorted(names) if (path := Path(place, name)).is_file()]
    if not found:
        raise BenchError(f"There are no files in {folder}. Name a folder with documents: --corpus FOLDER")
    return found[:most]


def read_all(files: Sequence[Path], say: Say) -> Endings:
    """Read every file as the indexer would, one after the other."""
    child = ReaderChild()
    me = psutil.Process()
    endings: list[Ending] = []
    try:
        _read(child, files[0])  # start the child and its one-time imports before measuring
        before = most = me.memory_info().rss
        began = time.perf_counter()
        for number, path in enumerate(files):
            if number % 100 == 0:
                say(f"Reading: {number:,} of {len(files):,} files …")
            endings.append(_read(child, path))
            most = max(most, me.memory_info().rss)
        return Endings(tuple(endings), time.perf_counter() - began, (most - before) / MB)
    finally:
        child.close()


def _read(child: ReaderChild, path: Path) -> Ending:
    size = path.stat().st_size
    allowed, began, lost = seconds_for(size), time.perf_counter(), False
    document: Document | None = None
    try:
        with path.open("rb") as file:
            document = child.read(file, path.name, size, Stop())
        outcome, reason = (TEXT if document.text.strip() else EMPTY), document.partial
    except DocumentError as error:
        reason, lost = str(error), isinstance(error, ReaderLost)
        outcome = EMPTY if any(word in reason for word in _OF_EMPTINESS) else REFUSED
    seconds = time.perf_counter() - began
    if outcome != TEXT and not reason.strip():
        outcome = UNEXPLAINED
    if document is None:
        return Ending(path, outcome, reason, seconds, allowed, lost=lost)
    return Ending(path, outcome, reason, seconds, allowed, len(document.pages), len(document.text))
