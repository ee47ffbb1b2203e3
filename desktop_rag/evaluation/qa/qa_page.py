"""The report of an answer evaluation: measures and failures of each set, and accuracy over steps, tokens and effort."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from desktop_rag.evaluation import report_page
from desktop_rag.evaluation.datasets import mean
from desktop_rag.evaluation.qa.question_records import Record
from desktop_rag.evaluation.qa.summary import BY_JUDGE, BY_WORDS, SystemScores
from desktop_rag.evaluation.report_page import PageSection, Plot, ReportTable

TITLE = "How well Desktop RAG answers"
READING = (
    "Every question was asked through the program's own agent loop, of documents indexed by the program. “correct” is "
    "the verdict of the judging model if there is one, else whether the answer contains the right one (contain); for "
    "unanswerable questions, whether it was refused. Intervals hold 95 % of 2,000 bootstrap samples of the questions."
)
NO_MODEL = "Not measured with a language model: the built-in extractive model answered, which only quotes."
NO_JUDGE = "No judging model was asked."
ANSWERS = ("correct", "LLM", "EM", "F1", "contain", "wrongly refused", "refusal", "hallucination", "gold leak")
EVIDENCE = (
    *("gold opened@10", "all gold opened@10", "gold found", "document opened", "page in 3 opens"),
    *("document recall@1", "document recall@3", "citation precision", "citation recall", "located", "verbatim"),
)
WORK = (
    *("steps", "calls", "retrieved tokens", "tokens", "times single-shot", "same-intent overlap", "intent recovery"),
    *("repair requests", "repair tokens", "first words", "seconds", "cost"),
)
SINGLE_SHOT = "single-shot"
EFFORTS = ("off", "minimal", "low", "medium", "high")


def html(outcomes: Sequence[SystemScores]) -> str:
    """Return the report as HTML with inline plots."""
    return report_page.html(TITLE, sections(outcomes))


def markdown(outcomes: Sequence[SystemScores]) -> str:
    """Return the report as Markdown, with captions instead of plots."""
    return report_page.markdown(TITLE, sections(outcomes))


def sections(outcomes: Sequence[SystemScores]) -> Iterator[PageSection]:
    """Yield the sections: how to read the report, then each question set."""
    yield PageSection("How to read it", (READING, *_caveats(outcomes)))
    by_set: dict[str, list[SystemScores]] = {}
    for outcome in outcomes:
        by_set.setdefault(outcome.collection, []).append(outcome)
    for collection, some in by_set.items():
        yield _of_set(collection, some)


def numbers(outcome: SystemScores, others: Sequence[SystemScores]) -> dict[str, float]:
    """Return the means of one system; `others` contain the single-shot run that its tokens are compared with."""
    found = {measure: round(mean(values), 6) for measure, values in outcome.values.items()}
    if (times := _times_single_shot(outcome, others)) is not None:
        found["times single-shot"] = round(times, 3)
    return found


def _caveats(outcomes: Sequence[SystemScores]) -> Iterator[str]:
    if any(not outcome.system.model for outcome in outcomes):
        yield NO_MODEL
    judged = any(outcome.judged for outcome in outcomes)
    if not judged:
        yield NO_JUDGE
    yield f"Same-intent overlap and intent recovery: {BY_JUDGE if judged else BY_WORDS}."


def _of_set(collection: str, outcomes: Sequence[SystemScores]) -> PageSection:
    sizes = ", ".join(f"{outcome.system.name}: {len(outcome.records):,} questions" for outcome in outcomes)
    parts: list[str | ReportTable | Plot] = [f"{sizes}."]
    parts += [_table(head, measures, outcomes) for head, measures in
              (("answers", ANSWERS), ("evidence and citations", EVIDENCE), ("work", WORK))]  # fmt: skip
    parts += [_calls(outcomes), _failures(outcomes), _correct(outcomes)]
    parts.append(_over(outcomes, "steps", lambda record: record.steps))
    parts.append(_over(outcomes, "tokens", lambda record: record.prompt_tokens + record.completion_tokens))
    if effort := _over_effort(outcomes):
        parts.append(effort)
    return PageSection(collection, tuple(parts))


def _table(head: str, measures: Sequence[str], outcomes: Sequence[SystemScores]) -> ReportTable:
    found = [numbers(outcome, outcomes) for outcome in outcomes]
    shown = [measure for measure in measures if any(measure in values for values in found)]
    rows = tuple(
        (outcome.system.name, *(_cell(values.get(measure)) for measure in shown))
        for outcome, values in zip(outcomes, found, strict=True)
    )
    return ReportTable((head, *shown), rows)


def _cell(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def _times_single_shot(outcome: SystemScores, others: Sequence[SystemScores]) -> float | None:
    """Return the ratio of tokens to the single-shot run of the same endpoint, on the questions both answered."""
    single = next(
        (other for other in others
         if other.system.toolkit == SINGLE_SHOT and other.system.profile == outcome.system.profile), None,
    )  # fmt: skip
    if single is None:
        return None
    ours, theirs = outcome.values["tokens"], single.values["tokens"]
    shared = ours.keys() & theirs.keys()
    spent = sum(theirs[question] for question in shared)
    return sum(ours[question] for question in shared) / spent if spent else None


def _calls(outcomes: Sequence[SystemScores]) -> ReportTable:
    tools = list(dict.fromkeys(tool for outcome in outcomes for tool in outcome.calls()))
    rows = tuple(
        (outcome.system.name, *(f"{outcome.calls().get(tool, 0.0):.2f}" for tool in tools)) for outcome in outcomes
    )
    return ReportTable(("calls a question", *tools), rows)


def _failures(outcomes: Sequence[SystemScores]) -> ReportTable:
    counted = [Counter(outcome.failures.values()) for outcome in outcomes]
    classes = [kind for kind, _ in sum(counted, Counter()).most_common()]
    rows = tuple(
        (outcome.system.name, *(f"{count[kind]:,}" for kind in classes))
        for outcome, count in zip(outcomes, counted, strict=True)
    )
    return ReportTable(("wrong answers", *(kind.value for kind in classes)), rows)


def _correct(outcomes: Sequence[SystemScores]) -> Plot:
    found = [(outcome.system.name, outcome.mean("correct")) for outcome in outcomes]
    bars = [report_page.PlotBar(name, value.mean, value.low, value.high) for name, value in found if value]
    means = ", ".join(
        f"{name} {value.mean:.3f} ({value.low:.3f} to {value.high:.3f})" for name, value in found if value
    )
    return Plot(report_page.bars(bars), f"Share of correct answers: {means}.")


def _over(outcomes: Sequence[SystemScores], axis: str, spent: Callable[[Record], int]) -> Plot:
    """Return the share of questions answered correctly over the number of steps or tokens they took."""
    curves = []
    for outcome in outcomes:
        compared = outcome.values.get("correct", {})
        total = max(1, len(compared))
        right = sorted(spent(outcome.records[name]) for name, value in compared.items() if value)
        points = [(0.0, 0.0), *((float(most), (index + 1) / total) for index, most in enumerate(right))]
        end = max(spent(record) for record in outcome.records.values())
        curves.append(report_page.Curve(outcome.system.name, [*points, (float(end), points[-1][1])]))
    return Plot(
        report_page.curves(curves, axis), f"Share of the questions answered correctly within a number of {axis}."
    )


def _over_effort(outcomes: Sequence[SystemScores]) -> Plot | None:
    """Return accuracy over reasoning effort, for systems that were run with several efforts."""
    by_system: dict[str, list[tuple[float, float]]] = {}
    compared = [outcome for outcome in outcomes if "correct" in outcome.values]
    for outcome in sorted(compared, key=lambda one: _effort(one.system.effort)):
        name = f"{outcome.system.profile}, {outcome.system.toolkit}"
        point = (float(_effort(outcome.system.effort)), mean(outcome.values["correct"]))
        by_system.setdefault(name, []).append(point)
    several = [report_page.Curve(name, points) for name, points in by_system.items() if len({x for x, _ in points}) > 1]
    legend = ", ".join(f"{number} {effort}" for number, effort in enumerate(EFFORTS))
    return (
        Plot(report_page.curves(several, "effort"), f"Accuracy over reasoning effort ({legend}).") if several else None
    )


def _effort(effort: str) -> int:
    return EFFORTS.index(effort) if effort in EFFORTS else 0
