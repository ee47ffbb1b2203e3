"""A logout, and memory that runs out, lose no note and blame no file; `bench faults` has more such events."""

from pathlib import Path

import pytest

from benchmarks.faults.kills import Trial
from benchmarks.faults.memory_group import can_limit_memory
from benchmarks.faults.sessions import KERNEL_OUT_OF_MEMORY, session_events

pytestmark = pytest.mark.slow

KINDS = ("logout", "readers killed for memory")


def test_no_event_of_a_session_loses_a_note_or_blames_a_file(tmp_path: Path) -> None:
    trials = list(session_events(tmp_path, len(KINDS), seed=4, kinds=KINDS))
    assert [trial.what for trial in trials] == list(KINDS)
    assert any(trial.happened for trial in trials)  # readers may have ended before they were killed
    assert [trial for trial in trials if trial.wrong] == []


@pytest.mark.skipif(not can_limit_memory(), reason="needs the right to create a control group of memory")
def test_the_out_of_memory_killer_of_the_kernel_loses_no_note_and_blames_no_file(tmp_path: Path) -> None:
    trials: list[Trial] = []
    for trial in session_events(tmp_path, 12, seed=4, kinds=(KERNEL_OUT_OF_MEMORY,)):
        trials.append(trial)
        if len(trials) >= 3 and any(each.happened for each in trials):  # in half of them nobody asks for memory in time
            break
    assert any(trial.happened for trial in trials)
    assert {trial.wrong for trial in trials} == {""}
