"""What a long run shows: one line with a bar and the minutes left, and each failure as it happens.

On a terminal the line is redrawn in place; elsewhere one is printed every half a minute.
"""

import shutil
import time
from collections.abc import Sequence

import pytest

from tests.run_order import Durations

EVERY_SECONDS = 30.0
REDRAWN_SECONDS = 0.2
BAR = 24  # characters


class Progress:
    """How much of a run is done, weighed by the seconds that its tests usually take."""

    def __init__(self, tests: Sequence[str], durations: Durations, started: float) -> None:
        self._left = {test: max(durations.of(test), 0.001) for test in tests}
        self._weight = sum(self._left.values())
        self._done_weight = 0.0
        self._started = started
        self.total = len(self._left)
        self.failed = 0

    @property
    def done(self) -> int:
        """How many tests have ended."""
        return self.total - len(self._left)

    def end(self, test: str) -> None:
        """Note that a test has ended."""
        self._done_weight += self._left.pop(test, 0.0)

    def line(self, now: float) -> str:
        """Return the line to be shown."""
        share = self._done_weight / self._weight if self._weight else 1.0
        full = round(BAR * share)
        failed = f", {self.failed} failed" if self.failed else ""
        count = f"{self.done:,} of {self.total:,} tests{failed}{self._left_words(now, share)}"
        return f"[{'#' * full}{'.' * (BAR - full)}] {share:4.0%}  {count}"

    def _left_words(self, now: float, share: float) -> str:
        passed = now - self._started
        if share < 0.01 or passed < 5:
            return ""
        left = passed * (1 - share) / share
        return f", {left / 60:.0f} min left" if left >= 90 else f", {left:.0f} s left"


class ProgressLine:
    """A plugin of the process that hands out the tests: draws the line, and keeps how long each test took."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._is_terminal = reporter.isatty
        self._progress: Progress | None = None
        self._shown = 0.0
        self._seconds: dict[str, float] = {}

    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        if self._progress is None:
            self._begin(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self._begin([item.nodeid for item in session.items])

    def _begin(self, tests: Sequence[str]) -> None:
        now = time.monotonic()
        self._progress = Progress(tests, Durations(), now)
        self._shown = now
        self._write(f"{self._progress.total:,} tests")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
        """Count each test as ever, but print no letter for it."""
        if hasattr(report, "wasxfail"):
            return None
        if report.failed:
            return "failed" if report.when == "call" else "error", "", ""
        return report.outcome if report.skipped or report.when == "call" else "", "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._progress is None:
            return
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self._progress.failed += 1
            self._write(f"FAILED {report.nodeid}{'' if report.when == 'call' else f' ({report.when})'}")
        if report.when == "teardown":
            self._progress.end(report.nodeid)
        now = time.monotonic()
        if now - self._shown >= (REDRAWN_SECONDS if self._is_terminal else EVERY_SECONDS):
            self._shown = now
            self._draw(self._progress.line(now))

    def pytest_sessionfinish(self) -> None:
        if self._is_terminal:
            self._reporter.rewrite("", erase=True)
        Durations().keep(self._seconds)

    def _write(self, line: str) -> None:
        if self._is_terminal:
            self._reporter.rewrite("", erase=True)
        self._reporter.write(f"{line}\n", flush=True)

    def _draw(self, line: str) -> None:
        if self._is_terminal:
            self._reporter.rewrite(line[: shutil.get_terminal_size().columns - 1], erase=True)
        else:
            self._reporter.write(f"{line}\n", flush=True)
