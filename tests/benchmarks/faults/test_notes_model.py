"""Any order of edits, renames, kills and clock jumps ends with a library of exactly the existing files."""

from pathlib import Path

import pytest

from benchmarks.faults import notes_model

pytestmark = pytest.mark.processes


def test_the_library_ends_up_with_exactly_the_notes(tmp_path: Path) -> None:
    notes_model.run(tmp_path, examples=1, steps=14, number=1)
