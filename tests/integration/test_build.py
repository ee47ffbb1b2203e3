"""The program is frozen and proves on its own what it does; sizes over the goal are for a release to decide."""

import subprocess
import sys
from pathlib import Path

import pytest

import machine

ROOT = Path(__file__).parents[2]
PROOFS = 10
COMPLETE = (0, 3)  # exit codes: within the goal for sizes, or above it


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="the proofs of other systems run in the workflow of releases")
@pytest.mark.skipif(bool(machine.missing_libraries(screen=True)), reason="the window needs libraries of the X server")
def test_the_program_is_frozen_and_proved(tmp_path: Path) -> None:
    command: list[str | Path] = [
        sys.executable,
        ROOT / "packaging" / "build.py",
        "--only-program",
        "--output",
        tmp_path,
    ]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode in COMPLETE, f"{built.stdout[-4000:]}\n{built.stderr[-4000:]}"
    assert built.stdout.count("\nok: ") == PROOFS
    assert "the whole program" in (tmp_path / "dist" / "sizes.txt").read_text(encoding="utf-8")
