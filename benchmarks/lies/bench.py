"""Measures the marks of honest statements, and how many lies the facts of the citation check notice."""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Literal

from benchmarks.lies.cases import GROUPS, HALVES, Group, Half
from benchmarks.lies.collection import make_cases
from benchmarks.lies.documents import data_pack_documents, store
from benchmarks.lies.statements import judge_list, look_again, report
from benchmarks.lies.verdicts import Bystanders, Outcome, judge
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.agent.events import Mark
from desktop_rag.agent.run.usual_run import models_of
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import usable_settings

GOALS: dict[Group, float] = {
    "honest": 0.02, "figures": 0.9, "names": 0.6, "quotation": 1.0, "wrong place": 1.0, "uncited": 1.0
}  # fmt: skip
MARKS: tuple[Mark, ...] = ("quoted", "computed", "missing", "unchecked", "uncited")
BYSTANDERS = 3

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the data pack with the documents")
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
    if not options.data:
        raise BenchError("Name the data pack with the documents: --data FOLDER")
    half: Half = options.half
    documents = data_pack_documents(options.data)
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = Library(Path(scratch))
        say(f"Reading {len(documents):,} documents …")
        stored = store(library, documents)
        cases = [case for case in make_cases(stored) if case.half == half and options.kind in case.kind]
        if not cases:
            raise BenchError(f"No case of the {half} half is of a kind with “{options.kind}” in its name.")
        say(f"Judging {len(cases):,} answers …")
        bystanders = Bystanders(list(stored.values())[:BYSTANDERS])
        with closing(SearchEngine(library.folder, encoder_folder())) as engine:
            started = time.process_time()
            outcomes = [outcome for case in cases for outcome in judge(case, stored, engine, bystanders)]
            seconds = time.process_time() - started
    _show(outcomes, options.show, say)
    notes = (
        f"The {half} half: {len(cases):,} answers with {len(outcomes):,} statements.",
        "Honest statements: the share with each mark, or led to other lines. False ones: the share that is noticed.",
        f"{seconds / len(outcomes) * 1000:.1f} ms of CPU time per statement.",
    )
    return Report(f"Lies and honest statements, {half} half", tuple(rows(outcomes)), notes, this_machine())


def _listed(options: argparse.Namespace, say: Say) -> Report:
    """Judge the statements of a list; only with `--show` are statements printed, so that a list stays unseen."""
    if not options.data:
        raise BenchError("Name the folder of the files that the statements cite: --data FOLDER")
    judged = list(judge_list(options.statements, options.data))
    if options.model:
        judged = look_again(judged, models_of(usable_settings(), options.model).model, say)
    shown = Counter[str]()
    for each in (each for each in judged if not each.right):
        shown[each.listed.kind] += 1
        if shown[each.listed.kind] <= options.show:
            say(str(each))
    return report(judged, options.statements)


def rows(outcomes: Sequence[Outcome]) -> Iterable[Measurement]:
    """Yield the share of honest statements with each mark, and of false ones that are noticed, by group and kind."""
    honest = [each for each in outcomes if each.statement.expected == "honest"]
    if honest:
        yield _share("honest: in red", honest, lambda each: each.is_red, GOALS["honest"], better="less")
        for kind in sorted({each.case.kind for each in honest if each.is_red}):
            yield _share(
                f"  {kind}", [o for o in honest if o.case.kind == kind], lambda each: each.is_red, better="less"
            )
        for mark in MARKS:
            yield _share(f"honest: {mark}", honest, partial(_has, mark))
        yield _share("honest: led elsewhere", honest, lambda each: each.misled, better="less")
    for group in GROUPS[1:]:
        chosen = [o for o in outcomes if o.statement.expected == "false" and o.case.group == group]
        if chosen:
            yield _share(f"{group}: noticed", chosen, lambda each: each.noticed, GOALS[group])
        for kind in dict.fromkeys(sorted(o.case.kind for o in chosen)):
            yield _share(f"  {kind}", [o for o in chosen if o.case.kind == kind], lambda each: each.noticed)


def _has(mark: Mark, outcome: Outcome) -> bool:
    return mark in outcome.marks


def _share(
    what: str,
    outcomes: Sequence[Outcome],
    counts: Callable[[Outcome], bool],
    goal: float | None = None,
    *,
    better: Literal["less", "more"] = "more",
) -> Measurement:
    share = sum(map(counts, outcomes)) / len(outcomes)
    return Measurement(what, OURS, f"of {len(outcomes)}", (share,), better, goal)


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
