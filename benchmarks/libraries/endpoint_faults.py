"""The real window while its endpoint misbehaves: every fault of the tests, over a socket, and Stop where it lasts.

Measured in the window's process: from the press of Stop to the next paint after the end of the run, how far its memory
grew at most, and the gaps of its event loop, with the processor time of its thread in each (see `window`).
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchmarks.libraries.window import environment
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.settings import Profile, Settings, save

STOPPED = 300.0  # ms
GREW = 64.0  # MB
BLOCKED = 50.0  # ms
LIMIT_SECONDS = 120.0


class Seen(msgspec.Struct, frozen=True):
    """What one fault took; `stopped` is 0 if its run ended before Stop was pressed."""

    next: int = -1
    situation: str = ""
    beats: tuple[tuple[float, float, float], ...] = ()  # see `window`
    stopped: float = 0.0  # ms
    used: float = 0.0  # ms of processor time of the window's process meanwhile
    grew: int = 0  # bytes
    end: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--every", type=int, default=1, help="only each N-th fault")
    parser.add_argument("--platform", default="offscreen", help="Qt's platform: offscreen, or xcb under a display")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Measure the window over all faults."""
    if not sys.platform.startswith("linux"):
        raise BenchError("The peak of the memory can be reset on Linux only.")
    seen: list[Seen] = []
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        for name, one in _probed(Path(scratch), options.every, options.platform):
            seen.append(one)
            longest = max(one.beats, default=(0.0, 0.0, 0.0))
            told = f"Stop {one.stopped:.0f} ms, " if one.stopped else ""
            say(f"{name}: {one.end}, {told}+{one.grew / 1e6:.1f} MB, gap {longest[0]:.0f} ms ({longest[1]:.0f} CPU)")
    ends = ", ".join(f"{count} {end}" for end, count in Counter(one.end for one in seen).most_common())
    return Report(
        "The window and a faulty endpoint", tuple(rows(seen)), (f"{len(seen)} faults: {ends}",), this_machine()
    )


def rows(seen: list[Seen]) -> Iterator[Measurement]:
    """Yield the figures of all faults together."""
    beats = [beat for one in seen for beat in one.beats]
    for what, unit, goal, values in (
        ("Stop until painted", "ms", STOPPED, [one.stopped for one in seen if one.stopped]),
        ("CPU of the window's process until then", "ms", STOPPED, [one.used for one in seen if one.stopped]),
        ("growth of the window's memory", "MB", GREW, [one.grew / 1e6 for one in seen]),
        ("gaps", "ms", BLOCKED, [gap for gap, _, _ in beats]),
        ("gaps excluding waiting for a core", "ms", BLOCKED, [gap - waited for gap, _, waited in beats]),
        ("CPU of the window's thread in a gap", "ms", BLOCKED, [used for _, used, _ in beats]),
    ):
        whole = Measurement(what, OURS, unit, tuple(values))
        for percent in (50.0, 99.9, 100.0) if values else ():
            name = f"{what}, p{percent:g}" if percent < 100 else f"{what}, longest"
            yield Measurement(name, OURS, unit, (whole.at(percent),), goal=goal if percent > 50 else None)


def _probed(scratch: Path, every: int, platform: str) -> Iterator[tuple[str, Seen]]:
    """Play the faults at the endpoint of a window, and yield what each took."""
    from tests.integration.llm.faults import first_byte, in_calls, mid_stream  # which no benchmark else needs
    from tests.raw_endpoint import RawEndpoint

    faults = [*first_byte.FAULTS, *mid_stream.FAULTS, *in_calls.FAULTS, *mid_stream.FLOODS, *in_calls.FLOODS][::every]
    ready = scratch / "ready"
    ready.touch()
    with ExitStack() as stack:
        endpoint = stack.enter_context(RawEndpoint(faults[0].script))
        save(scratch / "settings.json", Settings(profiles=(Profile("faulty", endpoint.base_url, "m"),)))
        command = [
            sys.executable,
            "-P",
            "-m",
            "benchmarks.libraries.fault_probe",
            "--library",
            str(scratch / "library"),
        ]
        command += ["--ready", str(ready), "--faults", str(len(faults))]
        probe = stack.enter_context(
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(scratch, platform))
        )
        stack.callback(probe.kill)
        assert probe.stdout is not None
        for line in probe.stdout:
            one = msgspec.json.decode(line, type=Seen)
            if one.end:
                yield faults[int(one.situation)].name, one
            elif one.next >= 0:
                endpoint.play(faults[one.next].script)
                ready.write_text(f"{one.next} ", encoding="ascii")
        code = probe.wait(LIMIT_SECONDS)
        wait_for_end(Library(scratch / "library"))
        if code != 0:
            raise BenchError(f"The window exited with code {code}. Is the Qt platform “{platform}” there?")
