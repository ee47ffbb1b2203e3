"""Test collections for retrieval: passages, questions, and relevance judgements.

A collection is a folder in the layout of BEIR (Thakur et al. 2021): corpus.jsonl, queries.jsonl and qrels.tsv, or
qrels/test.tsv. Multi-hop sets have no qrels; their questions name the passages they need in `gold`.
"""

import csv
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from desktop_rag.errors import BenchError

Judged = Mapping[str, Mapping[str, int]]  # question → passage → relevance grade, 0 for not relevant

_QRELS = ("qrels.tsv", "qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv")
_LANGUAGE_CODE = 2  # letters
_Kind = TypeVar("_Kind", bound="_Record")


@dataclass(frozen=True, slots=True)
class CollectionPassage:
    """A passage to retrieve; the title may be empty."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectionQuestion:
    """A question; `boolean` is its Boolean form in the collection's own syntax, or empty."""

    id: str
    text: str
    boolean: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A test collection; every question has at least one relevant passage. `multi_hop`: a question needs several."""

    name: str
    passages: tuple[CollectionPassage, ...]
    questions: tuple[CollectionQuestion, ...]
    judged: Judged
    multi_hop: bool


class _Record(msgspec.Struct):
    id: str | int = ""
    beir_id: str | int = msgspec.field(name="_id", default="")
    text: str = ""

    @property
    def name(self) -> str:
        """The id."""
        return str(self.beir_id if self.beir_id != "" else self.id)


class _PassageRecord(_Record):
    title: str | None = None


class AskedRecord(_Record):
    """A question as it is written in a file, in `question` or in `text`; `gold` are the passages it needs."""

    question: str = ""
    boolean: str = ""
    gold: tuple[str | int, ...] = ()

    @property
    def asked(self) -> str:
        """The question."""
        return (self.question or self.text).strip()


def read_collection(folder: Path) -> Collection:
    """Read the collection in `folder`; questions without a relevant passage are left out. Raises `BenchError`."""
    qrels = next((folder / name for name in _QRELS if (folder / name).is_file()), None)
    return read_files(_name(folder), folder / "corpus.jsonl", folder / "queries.jsonl", qrels)


def read_files(name: str, corpus: Path, queries: Path, qrels: Path | None) -> Collection:
    """Read a collection from its files, as `read_collection` does."""
    asked, written = records(queries, AskedRecord), records(corpus, _PassageRecord)
    judged = _judgements(qrels) if qrels is not None else {}
    multi_hop = not judged
    if multi_hop:
        judged = {name: {str(gold): 1 for gold in record.gold} for name, record in asked.items()}
    wanted = {question: grades for question, grades in judged.items() if any(grade > 0 for grade in grades.values())}
    for question in wanted.keys() & asked.keys():
        missing = [name for name, grade in wanted[question].items() if grade > 0 and name not in written]
        if missing:
            raise BenchError(
                f"{queries if multi_hop else qrels}: question “{question}” needs the passage “{missing[0]}”, "
                f"which is not in {corpus}. Add it there, or remove it from the question."
            )
    passages = tuple(CollectionPassage(name, record.title or "", record.text) for name, record in written.items())
    questions = tuple(
        CollectionQuestion(name, record.asked, record.boolean) for name, record in asked.items() if name in wanted
    )
    if not questions:
        raise BenchError(
            f"No question in {queries} has a passage that answers it (qrels.tsv, or `gold` in queries.jsonl)."
        )
    return Collection(name, passages, questions, {q.id: wanted[q.id] for q in questions}, multi_hop)


def collections_below(folder: Path) -> list[Path]:
    """Return the folders of all collections in `folder`, itself included, sorted."""
    return sorted(path.parent for path in folder.rglob("corpus.jsonl") if (path.parent / "queries.jsonl").is_file())


def records(file: Path, kind: type[_Kind]) -> dict[str, _Kind]:
    """Return the records of a file of JSON lines by their ids; raises `BenchError` with the line."""
    decoder = msgspec.json.Decoder(kind)
    found: dict[str, _Kind] = {}
    lines_of: dict[str, int] = {}
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BenchError(f"{file} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                record = decoder.decode(line)
            except msgspec.DecodeError as error:
                raise BenchError(f"{file}, line {number}: {error}") from error
            if isinstance(record, AskedRecord) and not record.asked:
                raise BenchError(f"{file}, line {number}: there is no question (field “question” or “text”).")
            if (first := lines_of.setdefault(record.name, number)) != number:
                raise BenchError(f"{file}, line {number}: line {first} has the same id “{record.name}”. Change one.")
            found[record.name] = record
    return found


def _name(folder: Path) -> str:
    """Return the name of the collection; a language folder is prefixed with the name of its set (`xquad-de`)."""
    return f"{folder.parent.name}-{folder.name}" if len(folder.name) == _LANGUAGE_CODE else folder.name


def _judgements(file: Path) -> dict[str, dict[str, int]]:
    """Return the relevance grades by question and passage."""
    judged: dict[str, dict[str, int]] = {}
    with file.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), 1):
            if number == 1 and row[:1] == ["query-id"]:
                continue
            try:
                question, passage, grade = row
                judged.setdefault(question, {})[passage] = int(grade)
            except ValueError as error:
                raise BenchError(f"{file}, line {number}: expected question, passage and grade, with tabs") from error
    return judged


# Retrieval measures, computed by ir-measures, and confidence intervals of differences between systems.

Run = Mapping[str, Mapping[str, float]]  # question → passage → score
Values = dict[str, float]  # by question

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A mean over questions with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the text for a table cell."""
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def by_question(judged: Judged, run: Run, measures: Sequence[str]) -> dict[str, Values]:
    """Return each measure (“nDCG@10”, “R@5”, as ir-measures names them) for each judged question."""
    import ir_measures

    parsed = [ir_measures.parse_measure(name) for name in measures]
    values: dict[str, Values] = {name: dict.fromkeys(judged, 0.0) for name in measures}
    for metric in ir_measures.iter_calc(parsed, judged, run):
        values[str(metric.measure)][metric.query_id] = metric.value
    return values


def mean(values: Mapping[str, float]) -> float:
    """Return the mean over the questions."""
    return sum(values.values()) / len(values)


def difference(ours: Mapping[str, float], other: Mapping[str, float], seed: int = 1) -> MeanDifference:
    """Return the mean of ours − other over the questions with a paired bootstrap interval (Sakai 2006)."""
    deltas = np.array([ours[question] - other[question] for question in sorted(ours)])
    drawn = np.array(random.Random(seed).choices(range(len(deltas)), k=RESAMPLES * len(deltas)))
    low, high = np.percentile(deltas[drawn].reshape(RESAMPLES, -1).mean(axis=1), (2.5, 97.5))
    return MeanDifference(float(deltas.mean()), float(low), float(high))
