"""Results of a retrieval evaluation: rankings and measures by question, stored as one JSON file per collection."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from desktop_rag.decoding import decode_json
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Judged
from desktop_rag.evaluation.metrics import Values, by_question, mean

FIELD = {"ndcg@10": "nDCG@10", "recall@5": "R@5", "recall@10": "R@10", "mrr@10": "RR@10"}  # names in ir-measures
ALL_GOLD = "all_gold@10"
MEASURES = (*FIELD, ALL_GOLD)
DEPTH = 10


class Ranking(msgspec.Struct, frozen=True):
    """The ranking of one question, (passage, score) best first, and the time it took."""

    ranked: tuple[tuple[str, float], ...]
    milliseconds: float


class QueryOutcome(msgspec.Struct, frozen=True):
    """One system's rankings by question, and the measures of each question."""

    system: str
    answers: dict[str, Ranking]
    measures: dict[str, Values]

    def summary(self) -> dict[str, float]:
        """Return the means over all questions, and the 50th and 95th percentiles of the times."""
        times = [answer.milliseconds for answer in self.answers.values()]
        p50, p95 = np.percentile(times, (50, 95)).tolist()
        means = {name: round(mean(self.measures[name]), 6) for name in MEASURES}
        return means | {"queries": len(times), "p50_ms": round(p50, 2), "p95_ms": round(p95, 2)}


class Result(msgspec.Struct, frozen=True):
    """Everything measured on one collection in one run."""

    collection: str
    passages: int
    questions: dict[str, str]
    multi_hop: bool
    engine: str
    machine: str
    outcomes: tuple[QueryOutcome, ...]
    encoder: str = ""  # the name of its folder

    def outcome(self, system: str) -> QueryOutcome | None:
        """Return the outcome of one system, if it was run."""
        return next((outcome for outcome in self.outcomes if outcome.system == system), None)


def measured(system: str, answers: dict[str, Ranking], judged: Judged) -> QueryOutcome:
    """Compute the measures of a system's rankings."""
    # ir-measures sorts by score alone; ranks as scores keep the order of equal scores.
    run = {
        question: {passage: float(len(answer.ranked) - rank) for rank, (passage, _) in enumerate(answer.ranked)}
        for question, answer in answers.items()
    }
    values = by_question(judged, run, tuple(FIELD.values()))
    measures = {name: values[measure] for name, measure in FIELD.items()}
    measures[ALL_GOLD] = {question: _all_gold(judged[question], run.get(question, {})) for question in judged}
    return QueryOutcome(system, answers, measures)


def _all_gold(grades: Mapping[str, int], found: Mapping[str, float]) -> float:
    """Return 1 if every relevant passage is in the top ten, else 0."""
    top = set(list(found)[:DEPTH])
    return float(all(passage in top for passage, grade in grades.items() if grade > 0))


def write(result: Result, file: Path) -> None:
    """Write a result; raises `BenchError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1))
    except OSError as error:
        raise BenchError(f"The result cannot be written to {file}: {error.strerror}") from error


def read(file: Path) -> Result:
    """Read a result; raises `BenchError`."""
    try:
        return decode_json(file.read_bytes(), Result)
    except OSError as error:
        raise BenchError(f"{file} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise BenchError(f"{file} is not a result of `desktop-rag eval retrieval --out`: {error}") from error
