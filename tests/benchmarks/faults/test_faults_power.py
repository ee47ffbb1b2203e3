"""Power losses while the indexer works; a small campaign of `bench faults`."""

from pathlib import Path

import pytest

from benchmarks.faults.outage import power_losses
from benchmarks.faults.ptrace import can_trace


@pytest.mark.skipif(not can_trace(), reason="only where storage operations can be seen")
@pytest.mark.parametrize("seed", [8, 9])
def test_no_power_loss_loses_or_duplicates_anything(tmp_path: Path, seed: int) -> None:
    trials = list(power_losses(tmp_path, 30, seed))
    assert len(trials) == 30
    assert [trial for trial in trials if trial.wrong] == []
