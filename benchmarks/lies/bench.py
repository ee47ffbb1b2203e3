"""Measures how many lies the citation check notices, and how many honest statements it doubts."""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.lies.cases import GROUPS, HALVES, Group, Half
from benchmarks.lies.collection import make_cases
from benchmarks.lies.documents import SourceDocument, data_pack_documents, store
from benchmarks.lies.handwritten import handwritten
from benchmarks.lies.statements import judge_list, look_again, report
from benchmarks.lies.verdicts import Bystanders, Outcome, judge
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.agent.run.usual_run import models_of
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import usable_settings
from desktop_rag.stop import Stop

GOALS: dict[Group, float] = {
    "honest": 0.04, "figures": 0.98, "names": 0.85, "polarity": 0.5, "words": 0.5, "wrong place": 1.0, "uncited": 1.0
}  # fmt: skip
BYSTANDERS = 3

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="also cases from the documents of this data pack")
    parser.add_argument(
        "--statements",
        type=Path,
        metavar="FILE",
        help="only the statements of this JSON Lines file, about files of --data",
    )
    parser.add_argument(
        "--model", metavar="NAME", help="with --statements: also a second look by the model of this endpoint"
    )
    parser.add_argument(
        "--half", choices=HALVES, default=HALVES[0], help="thresholds are tuned on the development half only"
    )
    parser.add_argument("--kind", default="", metavar="K", help="only kinds whose name contains this")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print up to N wrong verdicts of each kind (0)"
    )


def run(options: argparse.Namespace, say: Say) -> Report:
    """Judge every statement of the chosen half, or those of a list."""
    if options.statements:
        return _listed(options, say)
    half: Half = options.half
    written = handwritten()
    documents: list[SourceDocument] = list(written.documents)
    if options.data:
        documents += data_pack_documents(options.data)
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = Library(Path(scratch))
        say(f"Reading {len(documents):,} documents …")
        stored = store(library, documents)
        packed = {name: each for name, each in stored.items() if each.source.collection != "handwritten"}
        made = make_cases(packed) if options.data else []
        cases = [case for case in (*written.cases, *made) if case.half == half and options.kind in case.kind]
        if not cases:
            raise BenchError(f"No case of the {half} half is of a kind with “{options.kind}” in its name.")
        say(f"Judging {len(cases):,} answers …")
        named = [each for each in stored.values() if each.name not in packed] + list(packed.values())[:BYSTANDERS]
        with closing(SearchEngine(library.folder, encoder_folder())) as engine:
            cards = [card for each in named if (card := engine.describe(each.content, Stop()))]
            bystanders = Bystanders(list(packed.values())[:BYSTANDERS], cards)
            started = time.process_time()
            outcomes = [outcome for case in cases for outcome in judge(case, stored, engine, bystanders)]
            seconds = time.process_time() - started
    _show(outcomes, options.show, say)
    notes = (
        f"The {half} half: {len(cases):,} answers with {len(outcomes):,} statements, "
        f"{sum(case.source in packed for case in cases):,} answers from the data pack.",
        "Honest statements: the share that is doubted. False ones: the share that is noticed.",
        f"{seconds / len(outcomes) * 1000:.1f} ms of CPU time per statement.",
    )
    return Report(f"Lies and honest statements, {half} half", tuple(rows(outcomes)), notes, this_machine())


def _listed(options: argparse.Namespace, say: Say) -> Report:
    """Judge the statements of a list; only with `--show` are statements printed, so that a list stays unseen."""
    if not options.data:
        raise BenchError("Name the folder of the files that the statements cite: --data FOLDER")
    judged = list(judge_list(options.statements, options.data, options.half))
    if options.model:
        judged = look_again(judged, models_of(usable_settings(), options.model).model, say)
    shown = Counter[str]()
    for each in (each for each in judged if not each.right):
        shown[each.listed.kind] += 1
        if shown[each.listed.kind] <= options.show:
            say(str(each))
    return report(judged, options.statements)


def rows(outcomes: Sequence[Outcome]) -> Iterable[Measurement]:
    """Yield the share of rejected statements of each group and of its kinds."""
    for group in GROUPS:
        honest = group == "honest"
        chosen = [o for o in outcomes if (o.statement.expected == "honest") == honest]
        chosen = chosen if honest else [o for o in chosen if o.case.group == group]
        if chosen:
            yield _share("honest: doubted" if honest else f"{group}: noticed", chosen, GOALS[group])
        for kind in dict.fromkeys(sorted(o.case.kind for o in chosen)):
            yield _share(f"  {kind}", [o for o in chosen if o.case.kind == kind])


def _share(what: str, outcomes: Sequence[Outcome], goal: float | None = None) -> Measurement:
    share = sum(outcome.rejected for outcome in outcomes) / len(outcomes)
    honest = outcomes[0].statement.expected == "honest"
    return Measurement(what, OURS, f"of {len(outcomes)}", (share,), "less" if honest else "more", goal)


def _show(outcomes: Sequence[Outcome], most: int, say: Say) -> None:
    shown: dict[str, int] = {}
    for outcome in outcomes:
        case, statement = outcome.case, outcome.statement
        if outcome.right or shown.get(case.kind, 0) >= most:
            continue
        shown[case.kind] = shown.get(case.kind, 0) + 1
        false = f" [false: {statement.altered or 'place or source'}]" if statement.expected == "false" else ""
        quotes = " ".join(f"L{c.place.first}-{c.place.last} “{c.quote}”" for c in statement.citations)
        say(f"{case.kind}, {case.source}{false}\n    {statement.text}\n    {quotes} → {outcome.shown}")
