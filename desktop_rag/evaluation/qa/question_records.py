"""What is kept of each question asked: the answer, what was searched, opened and cited, and what it cost.

A record is one line of JSON; the file grows by a line for each question, so a run that was ended goes on behind it.
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from desktop_rag.errors import BenchError

RECORDS, JUDGED, SYSTEM = "records.jsonl", "judged.jsonl", "system.json"


class QaSystem(msgspec.Struct, frozen=True):
    """Who was asked, and how: an endpoint (none for the built-in model) with a toolkit and its limits."""

    profile: str
    model: str
    toolkit: str
    steps: int = 0  # 0: as the settings say
    effort: str = ""
    without_gold: bool = False

    @property
    def name(self) -> str:
        """Return a short name, which also is that of its folder."""
        parts = [self.profile, self.toolkit]
        parts += [f"{self.steps} steps"] if self.steps else []
        parts += [f"effort {self.effort}"] if self.effort else []
        parts += ["without gold"] if self.without_gold else []
        return ", ".join(part.replace(os.sep, "_").replace("/", "_") for part in parts)


class RecordedSearch(msgspec.Struct, frozen=True):
    """A call that searched: `results` are the passages it brought, `gold` the numbers of the evidence among them."""

    step: int
    queries: str
    results: tuple[str, ...]
    gold: tuple[int, ...]


class Opened(msgspec.Struct, frozen=True):
    """A passage whose lines the model was given to read; `gold` are the numbers of the evidence in it."""

    file: str
    first_line: int
    last_line: int
    gold: tuple[int, ...]
    documents: tuple[int, ...]  # the numbers of the evidence that stands somewhere in this document
    soon: tuple[int, ...]  # the evidence in its first 200 lines


class Cited(msgspec.Struct, frozen=True):
    """A citation; `relevancy` is the model's own, 0 where it gave none."""

    file: str
    verdict: str
    relevancy: float
    gold: tuple[int, ...]
    documents: tuple[int, ...]


class Record(msgspec.Struct, frozen=True):
    """One question as it went. `error` is why it has no answer; such a question is asked again."""

    question: str
    text: str
    found: bool
    error: str
    limit: str  # what ended the search early
    citations: tuple[Cited, ...]
    searches: tuple[RecordedSearch, ...]
    opened: tuple[Opened, ...]
    calls: dict[str, int]
    steps: int
    retrieved_tokens: int
    prompt_tokens: int
    completion_tokens: int
    estimated: bool
    seconds: float
    missing: tuple[int, ...] = ()  # the evidence that the library did not hold
    plan: tuple[str, ...] = ()  # what the model meant to look up, line by line


class JudgeVerdict(msgspec.Struct, frozen=True):
    """What a judging model said of one answer; `intents` puts every search into a group, by its number."""

    question: str
    answer: str  # what was judged
    correct: bool | None = None  # None: nothing that could be understood
    intents: tuple[int, ...] = ()
    reason: str = ""


Kept = TypeVar("Kept", Record, JudgeVerdict)


class RecordFile(Generic[Kept]):
    """A file of records by question; what is written last counts, and half a line at the end is cut off."""

    def __init__(self, file: Path, kind: type[Kept]) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}
        decoder = msgspec.json.Decoder(kind)
        whole = 0
        for line in self._read().splitlines(keepends=True):
            try:
                kept = decoder.decode(line)
            except msgspec.DecodeError as error:
                if line.endswith(b"\n"):
                    raise BenchError(f"{file} is damaged ({error}); delete it and ask again.") from error
                break  # the run was ended while it wrote
            whole += len(line)
            self._kept[kept.question] = kept
        self._whole = whole

    def __getitem__(self, question: str) -> Kept:
        return self._kept[question]

    def get(self, question: str) -> Kept | None:
        """Return what is kept of a question."""
        return self._kept.get(question)

    def all(self) -> Mapping[str, Kept]:
        """Return everything by question."""
        return self._kept

    def add(self, kept: Kept) -> None:
        """Keep one more, on the disk at once; any thread may."""
        line = msgspec.json.encode(kept) + b"\n"
        with self._lock:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("r+b" if self._file.exists() else "wb") as file:
                file.truncate(self._whole)
                file.seek(self._whole)
                file.write(line)
            self._whole += len(line)
            self._kept[kept.question] = kept

    def _read(self) -> bytes:
        return self._file.read_bytes() if self._file.exists() else b""


def write_system(folder: Path, system: QaSystem) -> None:
    """Note whose answers `folder` holds."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SYSTEM).write_bytes(msgspec.json.format(msgspec.json.encode(system)))


def read_system(folder: Path) -> QaSystem:
    """Return whose answers `folder` holds; raises `BenchError`."""
    try:
        return msgspec.json.decode((folder / SYSTEM).read_bytes(), type=QaSystem)
    except (OSError, msgspec.DecodeError) as error:
        raise BenchError(f"{folder} holds no answers of `desktop-rag eval qa`: {error}") from error
