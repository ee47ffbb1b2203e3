"""Power losses while the indexer works; a small dose of `bench faults`."""

from pathlib import Path

import pytest

from benchmarks.faults.outage import power_losses
from benchmarks.faults.ptrace import can_trace

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not can_trace(), reason="only where storage operations can be seen")
def test_no_power_loss_loses_or_duplicates_anything(tmp_path: Path) -> None:
    trials = list(power_losses(tmp_path, 10, seed=8))
    assert len(trials) == 10
    assert [trial for trial in trials if trial.wrong] == []
