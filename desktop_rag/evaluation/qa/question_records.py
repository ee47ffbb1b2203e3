"""Records of asked questions: the answer, the searches, opened passages and citations, and the cost.

A record is one JSON line, appended after each question, so that an interrupted run can be resumed.
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
    """A system under evaluation: an endpoint (none for the built-in model) with a toolkit and its limits."""

    profile: str
    model: str
    toolkit: str
    steps: int = 0  # 0: the limit in the settings
    effort: str = ""
    without_gold: bool = False

    @property
    def name(self) -> str:
        """Return a short name, also used for its folder."""
        parts = [self.profile, self.toolkit]
        parts += [f"{self.steps} steps"] if self.steps else []
        parts += [f"effort {self.effort}"] if self.effort else []
        parts += ["without gold"] if self.without_gold else []
        return ", ".join(part.replace(os.sep, "_").replace("/", "_") for part in parts)


class RecordedSearch(msgspec.Struct, frozen=True):
    """A search call: `results` are the passages it returned, `gold` the numbers of the evidence among them."""

    step: int
    queries: str
    results: tuple[str, ...]
    gold: tuple[int, ...]


class Opened(msgspec.Struct, frozen=True):
    """A passage that the model was given to read; `gold` are the numbers of the evidence in it."""

    file: str
    first_line: int
    last_line: int
    gold: tuple[int, ...]
    documents: tuple[int, ...]  # the numbers of the evidence anywhere in this document
    soon: tuple[int, ...]  # the evidence in its first 200 lines


class Cited(msgspec.Struct, frozen=True):
    """A citation; `relevancy` is the model's own rating, 0 if it gave none."""

    file: str
    verdict: str
    relevancy: float
    gold: tuple[int, ...]
    documents: tuple[int, ...]


class Record(msgspec.Struct, frozen=True):
    """The outcome of one question. `error` says why it has no answer; such a question is retried by the next run."""

    question: str
    text: str
    found: bool
    error: str
    limit: str  # the limit that ended the run early
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
    missing: tuple[int, ...] = ()  # the numbers of the evidence that the library did not have
    plan: tuple[str, ...] = ()  # the lines of the model's plan
    repairs: int = 0  # requests for statements that failed the check; they are among the steps and tokens
    repair_tokens: int = 0
    first_words: float = 0.0  # seconds until the first words of the answer that stayed; 0: not measured


class JudgeVerdict(msgspec.Struct, frozen=True):
    """The verdict of the judging model on one answer; `intents` has the group number of every search."""

    question: str
    answer: str  # the text that was judged
    correct: bool | None = None  # None: the reply could not be parsed
    intents: tuple[int, ...] = ()
    reason: str = ""


Kept = TypeVar("Kept", Record, JudgeVerdict)


class RecordFile(Generic[Kept]):
    """A file of records by question; the last record of a question counts, and an incomplete last line is dropped."""

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
                break  # the run was interrupted while it wrote
            whole += len(line)
            self._kept[kept.question] = kept
        self._whole = whole

    def __getitem__(self, question: str) -> Kept:
        return self._kept[question]

    def get(self, question: str) -> Kept | None:
        """Return the record of a question, if there is one."""
        return self._kept.get(question)

    def all(self) -> Mapping[str, Kept]:
        """Return all records by question."""
        return self._kept

    def add(self, kept: Kept) -> None:
        """Append a record to the file; thread-safe."""
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
    """Write the description of the system whose records are in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SYSTEM).write_bytes(msgspec.json.format(msgspec.json.encode(system)))
