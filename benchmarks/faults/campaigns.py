"""Injects all kinds of faults into a library, lets it recover, and counts lost, duplicated and miscited files."""

import argparse
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.machine import this_machine

if TYPE_CHECKING:
    from benchmarks.faults.kills import Trial

AT_ONCE = 10  # Hypothesis examples between two progress reports
PARTS = ("kills", "operations", "power", "sessions", "disk", "damage", "model")
REPORTED_FAILURES = 5  # failures that are reported in full
MEGABYTES, HANDLES = 50.0, 8.0  # allowed growth during a soak test


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; the defaults run the full campaigns."""
    parser.add_argument("--only", choices=PARTS, action="append", help="run only this part (repeatable; default: all)")
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="number of SIGKILLs at random moments")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="kill before each N-th storage operation")
    parser.add_argument("--power", type=int, default=500, metavar="N", help="number of states left by power losses")
    parser.add_argument(
        "--sessions", type=int, default=200, metavar="N", help="number of logouts, suspends and the like"
    )
    parser.add_argument("--disk", type=int, default=500, metavar="N", help="number of runs with a full or failing disk")
    parser.add_argument("--tmpfs", type=int, default=20, metavar="N", help="number of small disks that become full")
    parser.add_argument("--damage", type=int, default=5, metavar="N", help="rounds of 8 damages to each of 3 stores")
    parser.add_argument("--flips", type=int, default=100, metavar="N", help="additional bit flips in each store")
    parser.add_argument("--examples", type=int, default=200, metavar="N", help="examples of the stateful model test")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where libraries are created (a temporary folder)")
    sabotage = parser.add_argument_group("sabotages, instead of the above")
    sabotage.add_argument("--sabotage", action="store_true", help="does a campaign notice each error in a copy?")
    sabotage.add_argument("--named", metavar="TEXT", default="", help="only sabotages whose name contains this text")
    sabotage.add_argument("--limit", type=int, default=400, metavar="N", help="trials of a campaign at most")
    soak = parser.add_argument_group("soak, instead of the above")
    soak.add_argument("--soak", action="store_true", help="change a large library for a long time instead")
    soak.add_argument("--files", type=int, default=10_000, metavar="N")
    soak.add_argument("--rate", type=float, default=20.0, metavar="N", help="changes per second")
    soak.add_argument("--minutes", type=float, default=10.0, metavar="N")
    soak.add_argument("--dropped", type=float, nargs="+", default=[0.0, 0.1, 1.0], help="shares of lost events")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Run the requested parts."""
    if options.soak:
        return _soak(options, say)
    if options.sabotage:
        return _sabotages(options, say)
    tally = _Tally(say)
    for part in options.only or PARTS:
        _PARTS[part](options, tally)
    return Report("Faults", tuple(tally.rows), tuple(tally.notes), this_machine())


@dataclass(slots=True)
class _Tally:
    say: Callable[[str], None]
    rows: list[Measurement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, what: str, wrongs: Iterable[tuple[str, str, bool]]) -> None:
        """Count the trials of one part."""
        began = time.monotonic()
        happened = damaged = 0
        for fault, wrong, took_place in wrongs:
            happened += took_place
            damaged += bool(wrong)
            if wrong and damaged <= REPORTED_FAILURES:
                self.notes.append(f"{fault}: {wrong}")
            self.say(f"{what}: {happened:,} done, {damaged:,} damaged")
        what = f"{happened:,} × {what}"
        self.rows.append(Measurement(what, OURS, "damaged libraries", (float(damaged),), goal=0.0))
        self.notes.append(f"{what}: {(time.monotonic() - began) / 60:.0f} minutes")


def _kills(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import kills

    with kills.scratch_folder(options.folder) as base:
        trials = kills.random_kills(base, options.kills, options.seed)
        tally.count("SIGKILL at a random moment", _as_rows(trials))


def _operations(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import kills

    if not _can_trace(tally, "kills before storage operations"):
        return
    for fresh, life in ((True, "of a first indexing"), (False, "of a run with changed files")):
        with kills.scratch_folder(options.folder) as base:
            trials = kills.every_operation(base, options.seed, fresh=fresh, step=options.step)
            which = "a storage operation" if options.step == 1 else f"every {options.step}th storage operation"
            tally.count(f"SIGKILL before {which} {life}", _as_rows(trials))


def _power(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import kills, outage

    if _can_trace(tally, "power losses"):
        with kills.scratch_folder(options.folder) as base:
            tally.count("state after a power loss", _as_rows(outage.power_losses(base, options.power, options.seed)))


def _sessions(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import kills, sessions

    with kills.scratch_folder(options.folder) as base:
        trials = sessions.session_events(base, options.sessions, options.seed)
        tally.count("event of a session: logout, suspend, memory, clock, power", _as_rows(trials))


def _disk(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import kills

    if _can_trace(tally, "failing writes"):
        with kills.scratch_folder(options.folder) as base:
            trials = kills.failing_disk(base, options.disk, options.seed)
            tally.count("ENOSPC or EIO at a write", _as_rows(trials))
    from benchmarks.faults import tmpfs

    if not tmpfs.can_mount():
        tally.notes.append("Small disks are left out: only root can mount a tmpfs.")
        return
    with kills.scratch_folder(options.folder) as base:
        tally.count("small tmpfs that is full", _as_rows(tmpfs.small_disks(base, options.tmpfs, options.seed)))


def _damage(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.faults import damage, kills

    with kills.scratch_folder(options.folder) as base:
        trials = damage.damages(base, options.damage, options.seed)
        tally.count("damage to a store, eight ways", _as_rows(trials))
    with kills.scratch_folder(options.folder) as base:
        trials = damage.flips(base, options.flips, options.seed)
        tally.count("one bit flipped", _as_rows(trials))


def _model(options: argparse.Namespace, tally: _Tally) -> None:
    from benchmarks.peer_tools import absent

    if missing := absent("The model", "hypothesis"):
        tally.notes.append(missing)
        return
    from benchmarks.faults import kills
    from benchmarks.faults import notes_model as model

    def results() -> Generator[tuple[str, str, bool]]:
        with kills.scratch_folder(options.folder) as base:
            for first in range(0, options.examples, AT_ONCE):
                wrong = model.failure(base, AT_ONCE, number=options.seed * 1_000_000 + first)
                for _ in range(AT_ONCE):
                    yield "a sequence of rules", wrong, True

    tally.count("sequence of edits, renames, kills and clock jumps", results())


def _as_rows(trials: "Iterable[Trial]") -> Generator[tuple[str, str, bool]]:
    return ((trial.what, trial.wrong, trial.happened) for trial in trials)


def _can_trace(tally: _Tally, what: str) -> bool:
    from benchmarks.faults.ptrace import can_trace

    if not can_trace():
        tally.notes.append(f"Left out: {what}. Storage operations can be traced only on Linux on x86-64.")
    return can_trace()


def _sabotages(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Apply each sabotage to a copy of the program, and count the trials until a campaign notices it."""
    from benchmarks.faults import kills
    from benchmarks.faults.sabotages import CONTROL, SABOTAGES, doses

    rows: list[Measurement] = []
    notes: list[str] = []
    unseen = most = 0
    for sabotage in SABOTAGES:
        if options.named not in sabotage.name:
            continue
        seen = False
        with kills.scratch_folder(options.folder) as folder:
            for campaign, dose in doses(sabotage, folder, options.limit, options.seed):
                seen = bool(dose.damage)
                say(f"{sabotage.name}, {campaign}: {dose.damage or 'unseen'}")
                what = f"{sabotage.name}, {campaign}" + ("" if seen else ": unseen")
                rows.append(Measurement(what, OURS, "trials", (float(dose.trials),)))
                notes.append(f"{what}: {dose.damage or 'no damage'}")
                most = max(most, dose.trials)
        unseen += not seen
    with kills.scratch_folder(options.folder) as folder:
        control = dict(doses(CONTROL, folder, most, options.seed))
    notes += [f"{CONTROL.name}, {campaign}: {dose.damage}" for campaign, dose in control.items() if dose.damage]
    wrong = sum(bool(dose.damage) for dose in control.values())
    rows.append(
        Measurement(f"damaged libraries without a sabotage, {most} trials", OURS, "campaigns", (wrong,), goal=0.0)
    )
    rows.append(Measurement("sabotages that no campaign noticed", OURS, "sabotages", (float(unseen),), goal=0.0))
    return Report("Faults: sabotages", tuple(rows), tuple(notes), this_machine())


def _soak(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    from benchmarks.faults import kills
    from benchmarks.faults import soak as soaks

    rows: list[Measurement] = []
    notes: list[str] = []
    for dropped in options.dropped:
        how = soaks.Soak(options.files, options.rate, options.minutes * 60, dropped)
        with kills.scratch_folder(options.folder) as base:
            result = soaks.soak(base, how, options.seed, say)
        what = f"{options.files:,} files, {options.minutes:g} minutes, {dropped:.0%} of events lost"
        memory, handles = result.growth() if result.memory else (0.0, 0.0)
        rows += [
            Measurement(
                f"{what}: differences from a fresh library", OURS, "libraries", (float(bool(result.wrong)),), goal=0.0
            ),
            Measurement(f"{what}: memory growth", OURS, "MB", (memory,), goal=MEGABYTES),
            Measurement(f"{what}: growth in open files", OURS, "files", (handles,), goal=HANDLES),
            Measurement(f"{what}: changes", OURS, "changes", (float(result.operations),), "more"),
            Measurement(f"{what}: memory", OURS, "MB", tuple(result.memory) or (0.0,)),
        ]
        if result.wrong:
            notes.append(f"{what}: {result.wrong}")
    return Report("Faults: soak", tuple(rows), tuple(notes), this_machine())


_PARTS: dict[str, Callable[[argparse.Namespace, _Tally], None]] = {
    "kills": _kills,
    "operations": _operations,
    "power": _power,
    "sessions": _sessions,
    "disk": _disk,
    "damage": _damage,
    "model": _model,
}
