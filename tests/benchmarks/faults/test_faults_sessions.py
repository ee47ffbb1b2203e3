"""Logout, suspend, low memory, a changed clock and a changing power supply lose no note and blame no file."""

from pathlib import Path

from benchmarks.faults.sessions import EVENTS, session_events


def test_no_event_of_a_session_loses_a_note_or_blames_a_file(tmp_path: Path) -> None:
    trials = list(session_events(tmp_path, len(EVENTS), seed=4))
    assert [trial.what for trial in trials] == list(EVENTS)
    assert sum(trial.happened for trial in trials) >= len(EVENTS) - 1  # readers may have ended before they were killed
    assert [trial for trial in trials if trial.wrong] == []
