"""The window among faults, as `bench endpoint-faults` plays them."""

import argparse

import pytest

from benchmarks.libraries import endpoint_faults
from benchmarks.libraries.endpoint_faults import Seen

pytestmark = pytest.mark.processes


@pytest.mark.slow
@pytest.mark.skipif("not sys.platform.startswith('linux')", reason="the peak of the memory is reset on Linux only")
def test_each_fault_ends_and_is_measured() -> None:
    told: list[str] = []
    report = endpoint_faults.run(argparse.Namespace(every=29, platform="offscreen"), told.append)
    assert f"{len(told)} faults: " in report.notes[0]
    assert len(told) >= 3
    rows = {row.what for row in report.rows}
    assert {"gaps, p99.9", "growth of the window's memory, longest"} <= rows
    assert ("Stop until painted, longest" in rows) == any("RunStopped" in each for each in told)


def test_a_slow_stop_and_a_full_memory_miss_their_goals() -> None:
    beats = ((4.0, 1.0, 0.0), (80.0, 2.0, 70.0))
    slow = Seen(situation="0", beats=beats, stopped=400.0, grew=100_000_000, end="RunStopped")
    rows = {row.what: row for row in endpoint_faults.rows([slow])}
    assert rows["Stop until painted, longest"].median == 400.0
    assert rows["growth of the window's memory, longest"].median == 100.0
    assert rows["gaps, longest"].median == 80.0
    assert rows["gaps excluding waiting for a core, longest"].median == 10.0
    assert all(row.goal for name, row in rows.items() if name.endswith("longest"))
