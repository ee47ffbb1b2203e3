"""Test collections for retrieval: passages, questions, and relevance judgements.

A collection is a folder in the layout of BEIR (Thakur et al. 2021): corpus.jsonl, queries.jsonl and qrels.tsv, or
qrels/test.tsv. Multi-hop sets have no qrels; their questions name the passages they need in `gold`.
"""

import csv
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from desktop_rag.errors import BenchError

Judged = Mapping[str, Mapping[str, int]]  # question → passage → relevance grade, 0 for not relevant

_QRELS = ("qrels.tsv", "qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv")
_LANGUAGE_CODE = 2  # letters
_Record = TypeVar("_Record", "_PassageRecord", "_QuestionRecord")


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


class _PassageRecord(msgspec.Struct):
    id: str | int = ""
    beir_id: str | int = msgspec.field(name="_id", default="")
    title: str | None = None
    text: str = ""


class _QuestionRecord(msgspec.Struct):
    id: str | int = ""
    beir_id: str | int = msgspec.field(name="_id", default="")
    text: str = ""
    question: str = ""
    boolean: str = ""
    gold: tuple[str | int, ...] = ()


def read_collection(folder: Path) -> Collection:
    """Read the collection in `folder`; questions without a relevant passage are left out. Raises `BenchError`."""
    qrels = next((folder / name for name in _QRELS if (folder / name).is_file()), None)
    return read_files(_name(folder), folder / "corpus.jsonl", folder / "queries.jsonl", qrels)


def read_files(name: str, corpus: Path, queries: Path, qrels: Path | None) -> Collection:
    """Read a collection from its files, as `read_collection` does."""
    records = list(_records(queries, _QuestionRecord))
    judged = _judgements(qrels) if qrels is not None else {}
    multi_hop = not judged
    if multi_hop:
        judged = {_id(record): {str(gold): 1 for gold in record.gold} for record in records}
    wanted = {question: grades for question, grades in judged.items() if any(grade > 0 for grade in grades.values())}
    passages = tuple(
        CollectionPassage(_id(record), record.title or "", record.text) for record in _records(corpus, _PassageRecord)
    )
    questions = tuple(
        CollectionQuestion(_id(record), record.text or record.question, record.boolean)
        for record in records
        if _id(record) in wanted
    )
    if not questions:
        raise BenchError(
            f"No question in {queries} has a passage that answers it (qrels.tsv, or `gold` in queries.jsonl)."
        )
    return Collection(name, passages, questions, {q.id: wanted[q.id] for q in questions}, multi_hop)


def collections_below(folder: Path) -> list[Path]:
    """Return the folders of all collections in `folder`, itself included, sorted."""
    return sorted(path.parent for path in folder.rglob("corpus.jsonl") if (path.parent / "queries.jsonl").is_file())


def _records(file: Path, kind: type[_Record]) -> Iterator[_Record]:
    decoder = msgspec.json.Decoder(kind)
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BenchError(f"{file} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as error:
                raise BenchError(f"{file}, line {number}: {error}") from error


def _id(record: _PassageRecord | _QuestionRecord) -> str:
    return str(record.beir_id if record.beir_id != "" else record.id)


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
