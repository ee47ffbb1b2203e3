"""Blocking of the window's event loop: the real window in a separate process, with a heartbeat of 4 ms.

A gap is the time between two beats. The idle window in the same run is the baseline for delays of the machine itself
(other programs, the scheduler). If the system reports how long the window's thread waited for a free core, a separate
row subtracts that.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.corpus import add_corpus_arguments, corpus_of
from benchmarks.libraries.endpoint import streaming_endpoint
from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.long_conversation import write_long_conversation
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.processes.child import plain_environment
from desktop_rag.settings import Profile, Settings, save

LONGEST_GAP = 50.0  # ms, the 99.9th percentile in every situation …
BEYOND_IDLE = 20.0  # … or this much more than in the idle window
PERCENTILES = (50.0, 99.0, 99.9, 100.0)
FILES = 2_000
OPENED = 300.0  # ms from the choice of a conversation of 10,000 messages to its first paint
LIMIT_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Beats:
    """Each beat of one situation in milliseconds: (gap, CPU time of the window's thread, waiting for a free core)."""

    situation: str
    beats: tuple[tuple[float, float, float], ...]

    def gaps(self, *, waiting: bool) -> Measurement:
        """Return all gaps, with or without waiting for a free core."""
        values = tuple(gap if waiting else gap - waited for gap, _, waited in self.beats)
        return Measurement(self.situation, OURS, "ms", values)


@dataclass(frozen=True, slots=True)
class _Line:
    """One output line of the probe."""

    situation: str = ""
    beats: tuple[tuple[float, float, float], ...] = ()
    opened: float | None = None  # ms until the long conversation was painted
    late: bool = False
    busy: bool = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=20_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of a situation (10)")
    parser.add_argument("--platform", default="offscreen", help="Qt's platform: offscreen, or xcb under a display")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Measure the gaps of the event loop in every situation."""
    corpus = corpus_of(options, say)
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        say(f"Writing {FILES:,} files …")
        big = Path(scratch, "a big folder")
        write_folder(big, corpus.passages, FILES)
        beats, notes, opened = [], [corpus.describe()], []
        for line in _probed(Path(scratch), big, options.seconds, options.platform):
            if line.situation:
                beats.append(Beats(line.situation, line.beats))
                say(_told(beats[-1]))
            if line.opened is not None:
                opened.append(line.opened)
            if line.late:
                notes.append("A situation did not finish in time.")
            if not line.busy:
                notes.append("The big folder was indexed before the last situations had finished: use more --passages.")
    painted = Measurement("10,000 messages, first paint", OURS, "ms", tuple(opened), goal=OPENED)
    shown = (painted,) if opened else ()
    return Report("The window's event loop", (*rows(beats), *shown), tuple(notes), this_machine())


def rows(beats: list[Beats]) -> Iterator[Measurement]:
    """Yield the percentiles of each situation; the first is the idle window, which the others may exceed."""
    idle = beats[0].gaps(waiting=True).at(99.9) if beats else 0.0
    for one in beats:
        gaps = one.gaps(waiting=True)
        for percent in PERCENTILES:
            name = f"p{percent:g}" if percent < 100 else "longest"
            goal = max(LONGEST_GAP, idle + BEYOND_IDLE) if percent == 99.9 and one is not beats[0] else None
            yield Measurement(f"{one.situation}, {name}", OURS, "ms", (gaps.at(percent),), goal=goal)
        if any(waited for _, _, waited in one.beats):
            alone = one.gaps(waiting=False).at(99.9)
            yield Measurement(f"{one.situation}, p99.9 excluding waiting for a core", OURS, "ms", (alone,))


def _told(beats: Beats) -> str:
    worst = sorted(beats.beats, reverse=True)[:5]
    told = ", ".join(f"{gap:.0f} ({cpu:.0f} CPU, {waited:.0f} waiting)" for gap, cpu, waited in worst)
    return f"{beats.situation}: longest gaps {told} ms"


def _probed(scratch: Path, big: Path, seconds: float, platform: str) -> Iterator[_Line]:
    """Yield the output lines of the probe; its data and settings are in `scratch`."""
    with ExitStack() as stack:
        address = stack.enter_context(streaming_endpoint())
        write_long_conversation(Library(scratch / "library").conversations)
        save(scratch / "settings.json", Settings(profiles=(Profile("streaming", address, "scripted"),)))
        command = probe_command("--library", str(scratch / "library"), "--big", str(big))
        command += ["--seconds", str(seconds)]
        probe = stack.enter_context(
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(scratch, platform))
        )
        stack.callback(probe.kill)
        assert probe.stdout is not None
        for line in probe.stdout:
            yield msgspec.json.decode(line, type=_Line)
        code = probe.wait(LIMIT_SECONDS)
        wait_for_end(Library(scratch / "library"))
        if code != 0:
            raise BenchError(f"The window exited with code {probe.returncode}. Is the Qt platform “{platform}” there?")


def environment(home: Path, platform: str) -> Mapping[str, str]:
    """Return the environment variables for a window with a temporary data folder."""
    return {**os.environ, **plain_environment(), "DESKTOP_RAG_HOME": str(home), "QT_QPA_PLATFORM": platform}


def probe_command(*arguments: str) -> list[str]:
    """Return the command line of the instrumented window."""
    return [sys.executable, "-P", "-m", "benchmarks.libraries.window_probe", *arguments]
