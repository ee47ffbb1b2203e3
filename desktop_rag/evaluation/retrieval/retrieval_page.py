"""The report of a retrieval evaluation: tables and plots of each collection."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from desktop_rag.decoding import decode_json
from desktop_rag.errors import BenchError
from desktop_rag.evaluation import report_page
from desktop_rag.evaluation.datasets import Judged, Values, by_question, difference, mean
from desktop_rag.evaluation.report_page import PageSection, Plot, ReportTable
from desktop_rag.text.display import shorten

# Results of a retrieval evaluation: rankings and measures by question, stored as one JSON file per collection.

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


HEADS = {"ndcg@10": "nDCG@10", "recall@5": "R@5", "recall@10": "R@10", "mrr@10": "MRR@10", "all_gold@10": "all gold@10"}
MAX_EXAMPLES = 5  # questions named on either side
TITLE = "How well Desktop RAG finds"
READING = (
    "Every passage is a file of its own, indexed by the program itself; every question is asked unchanged. nDCG@10 "
    "measures how high the relevant passages rank, R@k the share of them in the top k, MRR@10 the rank of the first "
    "one, “all gold” the share of questions with all their relevant passages in the top ten. Intervals hold 95 % of "
    "2,000 paired bootstrap samples: a difference is significant if its interval does not include zero."
)


def html(results: Sequence[Result]) -> str:
    """Return the report as HTML with inline plots."""
    return report_page.html(TITLE, _sections(results))


def markdown(results: Sequence[Result]) -> str:
    """Return the report as Markdown, with captions instead of plots."""
    return report_page.markdown(TITLE, _sections(results))


def _sections(results: Sequence[Result]) -> Iterator[PageSection]:
    systems = list(dict.fromkeys(outcome.system for result in results for outcome in result.outcomes))
    rows = tuple((system, *(_cell(result.outcome(system)) for result in results)) for system in systems)
    overview = ReportTable(("nDCG@10", *(result.collection for result in results)), rows)
    machines = " ".join(dict.fromkeys(f"{result.machine}; keyword engine: {result.engine}." for result in results))
    yield PageSection("All collections", (READING, overview, f"Times were measured on {machines}"))
    for result in results:
        yield _of_collection(result)


def _cell(outcome: QueryOutcome | None) -> str:
    return f"{mean(outcome.measures['ndcg@10']):.3f}" if outcome is not None else "–"


def _of_collection(result: Result) -> PageSection:
    sizes = f"{len(result.questions):,} questions, {result.passages:,} passages."
    parts: list[str | ReportTable | Plot] = [sizes, _measures(result), _spread(result)]
    best = max(result.outcomes, key=lambda outcome: mean(outcome.measures["ndcg@10"]))
    others = [outcome for outcome in result.outcomes if outcome is not best]
    if others:
        parts.append(_deltas(best, others))
    base = next((other for other in others if other.system == "keyword"), others[0] if others else None)
    if base is not None:
        ours, theirs = best.measures["ndcg@10"], base.measures["ndcg@10"]
        changes = sorted(ours[question] - theirs[question] for question in ours)
        wins, losses = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
        caption = f"{best.system} − {base.system} for each question: {wins} better, {losses} worse."
        parts += [Plot(report_page.deltas(changes), caption), _largest_changes(result, ours, theirs)]
    return PageSection(result.collection, tuple(parts))


def _measures(result: Result) -> ReportTable:
    rows = []
    for outcome in result.outcomes:
        found = outcome.summary()
        numbers = (f"{found[name]:.3f}" for name in MEASURES)
        rows.append((outcome.system, *numbers, f"{found['p50_ms']:.0f}", f"{found['p95_ms']:.0f}"))
    return ReportTable(("", *(HEADS[name] for name in MEASURES), "ms p50", "ms p95"), tuple(rows))


def _spread(result: Result) -> Plot:
    """Return a bar of nDCG@10 with its interval for each system."""
    bars = []
    for outcome in result.outcomes:
        values = outcome.measures["ndcg@10"]
        found = difference(values, dict.fromkeys(values, 0.0))
        bars.append(report_page.PlotBar(outcome.system, found.mean, found.low, found.high))
    return Plot(report_page.bars(bars), "nDCG@10 of each system, with the interval over the questions.")


def _deltas(best: QueryOutcome, others: Sequence[QueryOutcome]) -> ReportTable:
    rows = []
    for other in others:
        changes = (str(difference(best.measures[name], other.measures[name])) for name in ("ndcg@10", "recall@10"))
        rows.append((f"{best.system} − {other.system}", *changes))
    return ReportTable(("difference", "nDCG@10", "R@10"), tuple(rows))


def _largest_changes(result: Result, ours: Values, theirs: Values) -> ReportTable:
    """Return a table of the questions with the largest losses and gains."""
    order = sorted(ours, key=lambda question: ours[question] - theirs[question])
    picked = [*order[:MAX_EXAMPLES], *order[-MAX_EXAMPLES:]] if len(order) > 2 * MAX_EXAMPLES else order
    changed = [question for question in picked if ours[question] != theirs[question]]
    rows = tuple(
        (f"{question}: {shorten(result.questions[question], 120)}", f"{ours[question] - theirs[question]:+.3f}")
        for question in changed
    )
    return ReportTable(("questions that lost and gained the most", "nDCG@10"), rows)
