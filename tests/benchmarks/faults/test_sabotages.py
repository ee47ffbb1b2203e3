"""Deliberate errors in a copy of the program are noticed by a campaign with a small dose."""

import ast
from pathlib import Path

import pytest

import desktop_rag
from benchmarks.faults.kills import Trial
from benchmarks.faults.ptrace import can_trace
from benchmarks.faults.sabotages import CAMPAIGNS, SABOTAGES, Edit, Sabotage, dose, first_damage, sabotaged_copy
from desktop_rag.errors import BenchError

SABOTAGED = ("no sync of the folder of a replaced file", "power", 10)  # states, as many as the test of power losses


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.name)
def test_a_sabotage_fits_the_program_and_remains_valid_python(sabotage: Sabotage) -> None:
    assert set(sabotage.campaigns) <= CAMPAIGNS.keys()
    texts: dict[str, str] = {}
    for edit in sabotage.edits:
        text = texts.get(edit.module) or (Path(desktop_rag.__file__).parent / edit.module).read_text(encoding="utf-8")
        assert text.count(edit.old) == 1
        texts[edit.module] = text.replace(edit.old, edit.new)
    for text in texts.values():
        ast.parse(text)


def test_a_sabotage_that_does_not_fit_is_an_error(tmp_path: Path) -> None:
    stale = Sabotage("stale", (Edit("paths.py", "not in this module", "pass"),), ("power",))
    with pytest.raises(BenchError, match=r"does not fit paths\.py"):
        sabotaged_copy(stale, tmp_path)


def test_the_dose_counts_the_trials_until_the_first_damage() -> None:
    trials = [Trial("a", ""), Trial("b", "", happened=False), Trial("c", "lost"), Trial("d", "")]
    assert (first_damage(trials).trials, first_damage(trials).damage) == (2, "c: lost")
    assert first_damage(trials[:2]).damage == ""


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.skipif(not can_trace(), reason="only where storage operations can be seen")
def test_power_losses_reveal_it(tmp_path: Path) -> None:
    name, campaign, trials = SABOTAGED
    (sabotage,) = (each for each in SABOTAGES if each.name == name)
    assert dose(sabotaged_copy(sabotage, tmp_path), campaign, trials, seed=1).damage
