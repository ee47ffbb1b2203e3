"""`desktop-rag eval`: measure the quality of retrieval and answers on test collections."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.agent.run.model_choice import BUILT_IN, KEY_VARIABLE, chosen_profile
from desktop_rag.agent.toolkits.registry import DEFAULT, toolkit
from desktop_rag.cli.output import FOUND, Output, progress_notes
from desktop_rag.credentials import Credentials
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, collections_below, read_collection, read_files
from desktop_rag.evaluation.retrieval.retrieval_page import MEASURES, Result, read, write
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.api import Mode
from desktop_rag.settings import Settings, chosen_encoder, load
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.evaluation.qa.judge import PairwiseComparison
    from desktop_rag.evaluation.qa.qa_runner import Contestant, QaPlan
    from desktop_rag.evaluation.qa.summary import SystemScores


# `desktop-rag eval qa` and `eval compare`: measure answers of any endpoint and toolkit.

SHOWN = (
    *("correct", "contain", "F1", "gold opened@10", "document opened", "page in 3 opens", "wrongly refused", "refusal"),
    *("hallucination", "verbatim", "steps", "calls", "tokens", "first words", "seconds"),
)
EFFORTS = ("off", "minimal", "low", "medium", "high")


def add_verbs(subcommands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the two subcommands."""
    qa = subcommands.add_parser("qa", help="ask the questions of question sets and judge the answers")
    _options(qa)
    qa.add_argument("--toolkit", action="append", metavar="T", help=f"how to answer ({DEFAULT}); may be repeated")
    qa.add_argument("--page", type=Path, metavar="PAGE", help="write a report page: .html or .md")
    compare = subcommands.add_parser("compare", help="compare the answers of two toolkits")
    compare.add_argument("toolkits", nargs=2, metavar="TOOLKIT", help="the two that answer")
    _options(compare)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.description = f"Search by meaning uses the encoder of the settings, {chosen_encoder().name}."
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER", help="question sets, or folders of them")
    add(
        "--profile",
        action="append",
        metavar="P",
        help=f"an endpoint of the settings (the chosen one), or {BUILT_IN}; may be repeated",
    )
    add("--judge", metavar="P", help="the endpoint that judges answers (none: words are compared)")
    add("--steps", action="append", type=_number, metavar="N", help="limit of steps; may be repeated")
    add("--effort", action="append", choices=EFFORTS, help="reasoning effort; may be repeated")
    add("--without-gold", action="store_true", help="remove the evidence, so that refusing is the correct answer")
    add(
        "--limit", type=_number, default=0, metavar="N", help="number of questions of each set, sampled at random (all)"
    )
    add("--seed", type=int, default=1, metavar="S", help="seed of the sample (1)")
    add("--half", type=int, choices=(1, 2), default=0, help="one half of the questions (both)")
    add("--jobs", type=_number, default=1, metavar="N", help="questions in parallel (1)")
    add("--price", nargs=2, type=float, default=(0.0, 0.0), metavar=("IN", "OUT"), help="of a million tokens")
    add("--keep", type=Path, metavar="FOLDER", help="keep and reuse libraries there")
    add("--out", type=Path, metavar="FOLDER", help="keep answers and traces there, and resume from them")
    add("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)


def qa(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Run `eval qa`."""
    from desktop_rag.evaluation.qa.qa_page import html, markdown, numbers

    found = _outcomes(options, options.toolkit or [DEFAULT], output, stop)
    for outcome in found:
        others = [other for other in found if other.collection == outcome.collection]
        _print_answers(outcome, numbers(outcome, others), output)
    if options.page:
        page = markdown(found) if options.page.suffix == ".md" else html(found)
        try:
            options.page.write_text(page, encoding="utf-8")
        except OSError as error:
            raise BenchError(f"The page cannot be written to {options.page}: {error.strerror}") from error
        output.note(f"Wrote {options.page}")
    return FOUND


def compare(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Run `eval compare`: ask both the questions without answers, then test which answers better."""
    from desktop_rag.evaluation.qa.judge import compare as compare_pair

    if len(set(options.toolkits)) == 1:
        raise BenchError("Name two different toolkits.")
    found = _outcomes(options, options.toolkits, output, stop)
    kinds = {(outcome.collection, configuration_without_toolkit(outcome)) for outcome in found}
    for kind in sorted(kinds):
        pair = [outcome for outcome in found if (outcome.collection, configuration_without_toolkit(outcome)) == kind]
        _print_comparison(compare_pair(*pair), output)
    return FOUND


def configuration_without_toolkit(outcome: "SystemScores") -> tuple[str, int, str]:
    """Return the configuration of a system except its toolkit: equal for systems to compare."""
    return (outcome.system.profile, outcome.system.steps, outcome.system.effort)


def _outcomes(options: argparse.Namespace, toolkits: Sequence[str], output: Output, stop: Stop) -> list["SystemScores"]:
    from desktop_rag.evaluation.qa.qa_runner import evaluate
    from desktop_rag.evaluation.qa.question_sets import question_sets_below

    folders = question_sets_below(options.folders)
    output.note(f"Encoder {chosen_encoder().name}")
    with ExitStack() as scratch:
        plan = _plan(options, toolkits, scratch)
        return list(evaluate(folders, plan, progress_notes(output, stop), stop))


def _plan(options: argparse.Namespace, toolkits: Sequence[str], scratch: ExitStack) -> "QaPlan":
    from desktop_rag.evaluation.qa.judge import TEMPERATURE
    from desktop_rag.evaluation.qa.qa_runner import QaPlan
    from desktop_rag.evaluation.qa.question_sets import Choice
    from desktop_rag.evaluation.qa.summary import Price

    def place(named: Path | None) -> Path:
        return named or Path(scratch.enter_context(tempfile.TemporaryDirectory(prefix="desktop-rag-eval-")))

    settings = load(settings_file())
    judge = _contestant(settings, options.judge, "judge", TEMPERATURE) if options.judge else None
    if judge and judge.profile is None:
        raise BenchError("The built-in model cannot judge; name a model.")
    return QaPlan(
        contestants=_contestants(options, settings, toolkits),
        keep=place(options.keep),
        out=place(options.out),
        limits=settings.limits,
        choice=Choice(options.limit, options.seed, options.half),
        price=Price(*options.price),
        jobs=options.jobs,
        judge=judge,
    )


def _contestants(options: argparse.Namespace, settings: Settings, toolkits: Sequence[str]) -> "tuple[Contestant, ...]":
    profiles = options.profile or [settings.active_profile or BUILT_IN]
    found = []
    for name in dict.fromkeys(toolkits):
        toolkit(name)  # raise for an unknown name before any question is asked
        for profile in dict.fromkeys(profiles):
            for steps in options.steps or [0]:
                for effort in options.effort or [""]:
                    one = _contestant(settings, profile, name)
                    system = with_limits(one, steps, effort, without_gold=options.without_gold)
                    found.append(system)
    return tuple(found)


def with_limits(one: "Contestant", steps: int, effort: str, *, without_gold: bool) -> "Contestant":
    """Return the same contestant with these limits."""
    system = msgspec.structs.replace(one.system, steps=steps, effort=effort, without_gold=without_gold)
    profile = replace(one.profile, reasoning_effort=effort) if one.profile and effort else one.profile
    return replace(one, system=system, profile=profile)


def _contestant(settings: Settings, name: str, tools: str, temperature: float | None = None) -> "Contestant":
    from desktop_rag.evaluation.qa.qa_runner import Contestant
    from desktop_rag.evaluation.qa.question_records import QaSystem

    profile = chosen_profile(settings, name)
    if profile is None:
        return Contestant(QaSystem(BUILT_IN, "", tools))
    if temperature is not None:
        profile = replace(profile, temperature=temperature)
    key = os.environ.get(KEY_VARIABLE) or Credentials().get(profile.name)
    return Contestant(QaSystem(profile.name, profile.model, tools), profile, key)


def _print_answers(outcome: "SystemScores", means: dict[str, float], output: Output) -> None:
    if output.as_json:
        interval = outcome.mean("correct")
        output.value(
            {
                "collection": outcome.collection,
                "system": outcome.system.name,
                "encoder": chosen_encoder().name,
                "questions": len(outcome.records),
                "language_model": outcome.system.model or "not measured with a language model",
                **means,
                "correct_interval": [interval.low, interval.high] if interval else [],
                "calls_per_tool": outcome.calls(),
                "failures": {name: kind.value for name, kind in outcome.failures.items()},
            }
        )
        return
    shown = "  ".join(f"{name} {means[name]:.3f}" for name in SHOWN if name in means)
    output.line(f"{outcome.collection:16} {outcome.system.name:24} {len(outcome.records):,} questions  {shown}")
    if not outcome.system.model:
        output.note("  not measured with a language model")


def _print_comparison(found: "PairwiseComparison", output: Output) -> None:
    if output.as_json:
        differences = {name: [one.mean, one.low, one.high] for name, one in found.differences.items()}
        output.value(
            {
                "collection": found.collection,
                "first": found.first,
                "second": found.second,
                "questions": found.questions,
                "only_first": found.only_first,
                "only_second": found.only_second,
                "p": found.p,
                "verdict": found.verdict,
                "differences": differences,
            }
        )
        return
    output.line(f"{found.collection}: {found.first} against {found.second}: {found.verdict}")
    output.line(
        f"  right where the other is wrong: {found.only_first:,} and {found.only_second:,} of {found.questions:,} "
        f"(McNemar's exact test: p = {found.p:.3f})"
    )
    for name in SHOWN:
        if name in found.differences:
            output.line(f"  {name:18} {found.differences[name]}")


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError("it must be a whole number from 1 on")
    return int(text)


def evaluate(arguments: Sequence[str], output: Output, stop: Stop) -> int:
    """Run the subcommand of `eval`."""
    options = _parser().parse_args(arguments)
    output.as_json = output.as_json or options.json
    match options.what:
        case "report":
            return _report(options, output)
        case "qa":
            return qa(options, output, stop)
        case "compare":
            return compare(options, output, stop)
        case _:
            return _retrieval(options, output, stop)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-rag eval", description="Measure how well this program finds and answers."
    )
    parser.add_argument("--json", action="store_true", help="print JSON, one object a line")
    subcommands = parser.add_subparsers(dest="what", required=True)
    by = f"by meaning with the encoder of the settings, {chosen_encoder().name}"
    retrieval = subcommands.add_parser(
        "retrieval", help="ask the questions of test collections", description=f"Ask questions, {by}."
    )
    retrieval.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="collections, or folders of them")
    retrieval.add_argument("--corpus", type=Path, metavar="FILE", help="the passages of one collection (JSON lines)")
    retrieval.add_argument("--queries", type=Path, metavar="FILE", help="its questions (JSON lines)")
    retrieval.add_argument(
        "--qrels", type=Path, metavar="FILE", help="the relevant passages; default: the field `gold`"
    )
    retrieval.add_argument(
        "--mode",
        action="append",
        choices=[mode.value for mode in Mode],
        help="how to search; may be repeated (default: all but exact)",
    )
    retrieval.add_argument("--baselines", action="store_true", help="also ask bm25s and whole-passage vectors")
    retrieval.add_argument("--boolean", action="store_true", help="also ask the Boolean forms of questions")
    retrieval.add_argument("--plain", action="store_true", help="ask without operators: a quoted title is no phrase")
    retrieval.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the libraries there, and reuse existing ones"
    )
    retrieval.add_argument("--out", type=Path, metavar="FOLDER", help="write the results with every question there")
    retrieval.add_argument("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)
    report = subcommands.add_parser("report", help="write a report page")
    report.add_argument("results", nargs="+", type=Path, metavar="RESULT", help="files or folders of `--out`")
    report.add_argument("--out", type=Path, required=True, metavar="PAGE", help="the page: .html or .md")
    report.add_argument("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)
    add_verbs(subcommands)
    return parser


def _retrieval(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    from desktop_rag.evaluation.retrieval.retrieval_runner import MODES, RetrievalPlan, evaluate
    from desktop_rag.evaluation.retrieval.systems import BASELINES

    say = progress_notes(output, stop)
    modes = tuple(map(Mode, options.mode or MODES))
    baselines = BASELINES if options.baselines else ()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch:
        keep = options.keep or Path(scratch)
        plan = RetrievalPlan(
            modes,
            keep,
            baselines,
            boolean=options.boolean,
            plain=options.plain,
        )
        for result in evaluate(_requested_collections(options), plan, say):
            if options.out:
                write(result, options.out / f"{result.collection}.json")
            _print(result, output)
    return FOUND


def _requested_collections(options: argparse.Namespace) -> list[Collection]:
    if options.corpus or options.queries:
        if not (options.corpus and options.queries) or options.folders:
            raise BenchError("Name --corpus and --queries (and --qrels), or folders of collections.")
        return [read_files(options.corpus.parent.name, options.corpus, options.queries, options.qrels)]
    return _collections(options.folders)


def _collections(named: Sequence[Path]) -> list[Collection]:
    folders = [below for folder in named for below in collections_below(folder)]
    if not folders:
        raise BenchError("There is no corpus.jsonl with its queries.jsonl; name a folder of collections.")
    return [read_collection(folder) for folder in folders]


def _print(result: Result, output: Output) -> None:
    output.note(f"{result.collection}: {result.passages:,} passages, encoder {result.encoder}")
    for outcome in result.outcomes:
        found = outcome.summary()
        if output.as_json:
            named = {"collection": result.collection, "mode": outcome.system, "encoder": result.encoder}
            output.value({**named, **found})
        else:
            numbers = "  ".join(f"{name} {found[name]:.3f}" for name in MEASURES)
            times = f"{found['p50_ms']:.0f} ms, 95 % within {found['p95_ms']:.0f} ms"
            output.line(f"{result.collection:16} {outcome.system:24} {numbers}  {times}")


def _report(options: argparse.Namespace, output: Output) -> int:
    from desktop_rag.evaluation.retrieval.retrieval_page import html, markdown

    results = [read(file) for file in _result_files(options.results)]
    page = markdown(results) if options.out.suffix == ".md" else html(results)
    try:
        options.out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"The page cannot be written to {options.out}: {error.strerror}") from error
    if output.as_json:
        output.value({"type": "report", "page": str(options.out), "collections": [r.collection for r in results]})
    else:
        output.note(f"Wrote {options.out}")
    return FOUND


def _result_files(paths: Sequence[Path]) -> list[Path]:
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not files:
        raise BenchError("There is no result; `desktop-rag eval retrieval --out FOLDER` writes them.")
    return files
