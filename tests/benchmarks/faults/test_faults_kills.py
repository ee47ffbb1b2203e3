"""The real indexer is killed and its disk fails; a small dose of `bench faults`."""

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.faults.kills import every_operation, failing_disk, random_kills
from benchmarks.faults.ptrace import can_trace

pytestmark = pytest.mark.slow

traced = pytest.mark.skipif(not can_trace(), reason="only where storage operations can be seen")


def test_kills_at_random_moments_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    trials = list(random_kills(tmp_path, 4, seed=1, in_a_row=4))
    assert len(trials) == 4
    assert {trial.wrong for trial in trials} == {""}


@traced
def test_a_kill_before_any_storage_operation_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    trials = list(islice(every_operation(tmp_path, 6, fresh=False, step=97), 2))
    assert any(trial.happened for trial in trials)
    assert [trial for trial in trials if trial.wrong] == []


@traced
def test_a_full_or_failing_disk_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    trials = list(failing_disk(tmp_path, 1, seed=7))
    assert any(trial.happened for trial in trials)
    assert [trial for trial in trials if trial.wrong] == []
