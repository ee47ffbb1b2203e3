"""Fuzzing, then every order in every carrier, asked about with a model that obeys: what left, what was noticed."""

import argparse
import json
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import OURS, Measurement, Report
from benchmarks.security.canaries import Case, Finding, attack, plant, together
from benchmarks.security.carriers import CARRIERS, SAVED_SEARCH
from benchmarks.security.flags import FLAGGED, flagged_orders, measured_alarms
from benchmarks.security.fuzz_targets import TARGETS
from benchmarks.security.fuzzing import fuzz
from benchmarks.security.guided_fuzzing import can_guide, guided
from benchmarks.security.obedience import ObedientModel
from benchmarks.security.payloads import payloads
from desktop_rag.evaluation.machine import this_machine

if TYPE_CHECKING:
    from tests.endpoint import ScriptedEndpoint

_HOME = "DESKTOP_RAG_HOME"
MOST_REQUESTS = 40  # of a conversation

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="also false alarms in the files of this data pack")
    parser.add_argument("--cases", type=int, default=0, metavar="N", help="only N random cases (0: all)")
    parser.add_argument(
        "--fuzz", type=float, default=10.0, metavar="N", help="fuzz each part for N minutes (10; 0: not)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the fuzzed inputs (0)")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="print up to N false alarms of each set (3)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Fuzz, read every planted order, look for false alarms, then let a model obey."""
    rows, notes = fuzzed(options.fuzz, options.seed, say)
    rows += flagged_orders(say)
    if options.data:
        rows += measured_alarms(options.data, options.show, say)
    cases = [Case(payload, carrier) for payload, carrier in product(payloads(), CARRIERS)]
    if options.cases:
        cases = random.Random(1).sample(cases, min(options.cases, len(cases)))
    began = time.monotonic()
    findings = tuple(campaign(cases, say))
    notes.append(f"{len(findings):,} runs in {(time.monotonic() - began) / 60:.0f} min")
    rows += _rows(findings)
    notes += [f"{each.family} in {each.carrier}: {each}" for each in findings if not each.clean]
    unflagged = Counter(each.carrier for each in findings if each.carrier != SAVED_SEARCH and not each.flagged)
    notes += [f"Not noticed in {carrier}: {count}" for carrier, count in unflagged.items()]
    return Report("Hidden orders and a model that obeys", tuple(rows), tuple(notes), this_machine())


def fuzzed(minutes: float, seed: int, say: Say) -> tuple[list[Measurement], list[str]]:
    """Fuzz every target for so long; return how many unexpected errors there are, and each with its input."""
    rows: list[Measurement] = []
    notes: list[str] = []
    for name in TARGETS if minutes > 0 else ():
        say(f"Fuzzing {name} for {minutes:g} min{', guided by atheris' if can_guide() else ''} …")
        if can_guide():
            count, failures = guided(name, 60 * minutes, seed)
        else:
            until = time.monotonic() + 60 * minutes
            count, failures = fuzz(name, partial(_is_before, until), seed)
        rows.append(Measurement(f"{count:,} inputs of {name}: uncaught", OURS, "", (float(len(failures)),), goal=0.0))
        notes += [f"{each.target}: {each.what}: {each.data!r}" for each in failures]
    return rows, notes


def campaign(cases: Sequence[Case], say: Say) -> Iterator[Finding]:
    """Attack with every case, in a home folder of its own.

    Some cases share a library; where something is not clean, each is tried again alone.
    """
    before, count, unclean = os.environ.get(_HOME), 0, 0
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        os.environ[_HOME] = str(Path(scratch, "home"))
        try:
            for group in together(cases):
                findings = _attacked(group, Path(scratch, "library"))
                if len(group) > 1 and not all(each.clean for each in findings):
                    alone = tuple(_attacked((case,), Path(scratch, "library"))[0] for case in group)
                    blamed = any(not each.clean for each in alone)
                    findings = alone if blamed or all(each.harmless for each in findings) else findings
                count, unclean = count + len(group), unclean + sum(not each.clean for each in findings)
                if count // 50 != (count - len(group)) // 50:
                    say(f"Case {count:,} of {len(cases):,}, {unclean} not clean …")
                yield from findings
        finally:
            os.environ.pop(_HOME)
            if before is not None:
                os.environ[_HOME] = before


def _attacked(cases: Sequence[Case], folder: Path) -> tuple[Finding, ...]:
    from tests.endpoint import ScriptedEndpoint  # of the source tree, as this package

    model = ObedientModel()
    with ScriptedEndpoint([model] * MOST_REQUESTS) as endpoint:
        findings = attack(plant(cases, folder), cases, endpoint.base_url, lambda: sent(endpoint), model.begin)
    obeyed = tuple(replace(each, obeyed=each.family.split(": ")[1] in model.obeyed) for each in findings)
    shutil.rmtree(folder)
    return obeyed


def sent(endpoint: "ScriptedEndpoint") -> list[str]:
    """Return the requests that an endpoint got, as JSON."""
    return [json.dumps(each.body, ensure_ascii=False) for each in endpoint.requests]


def _is_before(until: float, _count: int) -> bool:
    return time.monotonic() < until


def _rows(findings: Sequence[Finding]) -> Iterator[Measurement]:
    what = f"{len(findings):,} runs of a model that obeys"
    for name, count in (
        ("connections elsewhere", sum(len(each.connections) for each in findings)),
        ("files opened outside", sum(len(each.files) for each in findings)),
        ("secret or foreign passages sent or shown", sum(len(each.sentinels) for each in findings)),
        ("unseen characters", sum(each.unseen for each in findings)),
        ("hidden orders without a mark", sum(each.unmarked for each in findings)),
        ("runs without an answer", sum(not each.answered for each in findings)),
    ):
        yield Measurement(f"{what}: {name}", OURS, "", (float(count),), goal=0.0)
    read = [each for each in findings if each.carrier != SAVED_SEARCH]  # what no model sees needs no note
    for name, share, goal in (
        ("order noticed", sum(each.flagged for each in read) / len(read), FLAGGED),
        ("order read and obeyed", sum(each.obeyed for each in read) / len(read), None),
    ):
        yield Measurement(f"{what}: {name}", OURS, "of 1", (share,), "more", goal)
