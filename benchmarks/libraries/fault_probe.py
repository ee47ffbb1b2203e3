"""The instrumented window among faults: asks a question of each, presses Stop after a while, and prints what it took.

`bench endpoint-faults` starts this (`python -m`), plays the faults at the endpoint of the first profile, and reads one
line per fault. A fault is asked for by its number, and there when that number stands in a file.
"""

import argparse
import sys
import time
from pathlib import Path

import psutil
from PySide6.QtCore import Slot

from benchmarks.libraries.conversation_situations import Painted, Script
from benchmarks.libraries.window_probe import SETTLE_SECONDS, Situation, WindowProbe, say
from desktop_rag.agent.events import AgentEvent
from desktop_rag.app import App, run_window
from desktop_rag.paths import settings_file
from desktop_rag.settings import load

STOP_AFTER = 1.5  # seconds: retries after 0.3 and 1 s are among what is stopped
LONGEST = 60.0  # seconds of a rest
QUESTION = "When is the rent due?"
_RESET_PEAK = "5"  # what Linux takes for it


class FaultProbe(WindowProbe):
    """Plays the faults."""

    def __init__(self, app: App, library: Path, ready: Path, faults: int) -> None:
        super().__init__(app, library, None, LONGEST)
        self._ready_file = ready
        self._faults = faults
        self._end = ""
        app.conversations.answered.connect(self._on_end)

    @Slot(object)
    def _on_end(self, last: AgentEvent) -> None:
        self._end = type(last).__name__

    def _play(self) -> Script:
        self._app.library.add_sample()
        yield from self._until_ready()
        self._app.pane.composer.profile_chosen.emit(load(settings_file()).profiles[0].name)
        yield from self._rest(2 * SETTLE_SECONDS)
        for number in range(-1, self._faults):  # the first turn loads the client
            yield from self._fault(max(number, 0), shown=number >= 0)

    def _fault(self, number: int, *, shown: bool) -> Script:
        self._app.conversations.begin_new()
        say({"next": number})
        yield from self._until(lambda: self._ready_file.read_text() == f"{number} ")
        self._end, self._now = "", Situation(str(number))
        before = _restarted_peak()
        asked = time.monotonic()
        self._app.pane.composer.question_asked.emit(QUESTION)
        yield from self._until(lambda: bool(self._end) or time.monotonic() > asked + STOP_AFTER)
        stopped = used = 0.0
        if not self._end:
            pressed, used_before = time.perf_counter(), time.process_time()
            self._app.pane.composer.stop_requested.emit()
            yield from self._until(lambda: bool(self._end))
            painted = Painted(self._app.pane.composer)
            self._app.pane.composer.update()
            yield from self._until(lambda: painted.seen)
            stopped, used = (time.perf_counter() - pressed) * 1e3, (time.process_time() - used_before) * 1e3
        yield from self._rest(0.1)
        beats, self._now = self._now.report(), None
        if shown:
            say({**beats, "stopped": stopped, "used": used, "grew": _peak() - before, "end": self._end})


def _restarted_peak() -> int:
    Path("/proc/self/clear_refs").write_text(_RESET_PEAK, encoding="ascii")
    return int(psutil.Process().memory_info().rss)


def _peak() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024


def main(arguments: list[str]) -> int:
    """Open the window on a library, play the faults, and return the window's exit code."""
    parser = argparse.ArgumentParser(prog="fault_probe")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--ready", type=Path, required=True)
    parser.add_argument("--faults", type=int, required=True)
    options = parser.parse_args(arguments)
    sys.argv = sys.argv[:1]

    def started(app: App) -> None:
        FaultProbe(app, options.library, options.ready, options.faults).start()

    return run_window(options.library, (), started)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
