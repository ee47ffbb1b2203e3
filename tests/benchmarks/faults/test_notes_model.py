"""Any order of edits, renames, kills and clock jumps ends in a library that holds exactly the files."""

from pathlib import Path

from benchmarks.faults import notes_model


def test_whatever_happens_to_notes_the_library_comes_to_hold_exactly_them(tmp_path: Path) -> None:
    notes_model.run(tmp_path, examples=4, steps=14, number=1)
