"""A logout, and memory that runs out, lose no note and blame no file; `bench faults` has more such events."""

from pathlib import Path

from benchmarks.faults.sessions import session_events

KINDS = ("logout", "readers killed for memory")


def test_no_event_of_a_session_loses_a_note_or_blames_a_file(tmp_path: Path) -> None:
    trials = list(session_events(tmp_path, len(KINDS), seed=4, kinds=KINDS))
    assert [trial.what for trial in trials] == list(KINDS)
    assert any(trial.happened for trial in trials)  # readers may have ended before they were killed
    assert [trial for trial in trials if trial.wrong] == []
