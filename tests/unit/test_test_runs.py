"""The order of a run, what it shows, and what it keeps for the next one."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.run_order import AFTER, LATER, LONGEST_UNIT, Durations, units
from tests.run_progress import Progress


def known(path: Path, **seconds: float) -> Durations:
    durations = Durations(path / "kept" / "durations.json")
    durations.keep({f"tests/unit/test_{name}.py::test_it": each for name, each in seconds.items()})
    return Durations(path / "kept" / "durations.json")


def test_durations_are_kept_for_the_next_run(tmp_path: Path) -> None:
    known(tmp_path, a=1.5, b=2.0).keep({"tests/unit/test_b.py::test_it": 3.0})
    durations = known(tmp_path)
    assert [durations.of(f"tests/unit/test_{name}.py::test_it") for name in "ab"] == [1.5, 3.0]


def test_a_test_that_never_ran_is_guessed_by_its_place(tmp_path: Path) -> None:
    durations = known(tmp_path)
    assert durations.of("tests/unit/test_x.py::test_it") < durations.of("tests/integration/test_x.py::test_it")


def test_a_damaged_file_of_durations_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "durations.json").write_text("{half")
    assert Durations(tmp_path / "durations.json").of("tests/unit/test_x.py::test_it") > 0


def test_the_longest_file_is_first_and_one_that_is_too_long_is_cut(tmp_path: Path) -> None:
    durations = Durations(tmp_path / "durations.json")
    tests = [f"tests/{file}.py::test_{number}" for file in ("short", "endless", "long") for number in range(4)]
    seconds = {"short": 1.0, "endless": LONGEST_UNIT * 0.6, "long": LONGEST_UNIT * 0.24}
    durations.keep({test: seconds[Path(test.split(".py")[0]).name] for test in tests})
    parts = list(units(tests, durations).values())
    files = [{test.split("::")[0] for test in part} for part in parts]
    assert files == [{"tests/long.py"}, *[{"tests/endless.py"}] * 4, {"tests/short.py"}]
    assert sorted(test for part in parts for test in part) == sorted(tests)


def test_tests_that_wait_for_opensearch_do_not_begin(tmp_path: Path) -> None:
    durations = Durations(tmp_path / "durations.json")
    tests = [f"{LATER}test_long.py::test_it", *(f"tests/unit/test_{number}.py::test_it" for number in range(20))]
    durations.keep({tests[0]: 30.0})
    assert [name.split()[0] for name in units(tests, durations)].index(f"{LATER}test_long.py") == AFTER


def test_the_line_tells_count_share_failures_and_the_time_left(tmp_path: Path) -> None:
    durations = known(tmp_path, a=100.0, b=300.0)
    progress = Progress([f"tests/unit/test_{name}.py::test_it" for name in "ab"], durations, started=0.0)
    assert progress.line(60.0) == "[" + "." * 24 + "]   0%  0 of 2 tests"
    progress.end("tests/unit/test_a.py::test_it")
    progress.failed = 1
    assert progress.line(60.0) == "[######..................]  25%  1 of 2 tests, 1 failed, 3 min left"
    assert progress.line(12.0).endswith("1 failed, 36 s left")


def test_a_run_over_processes_shows_failures_at_once_and_keeps_durations(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "tests").mkdir(parents=True)
    for name in ("__init__", "conftest", "required_proofs", "run_order", "run_progress"):
        (folder / "tests" / f"{name}.py").write_text(
            (Path(__file__).parents[1] / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8"
        )
    (folder / "tests" / "test_some.py").write_text(SOME_TESTS, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\nmarkers = ["property"]\n')
    command = [sys.executable, "-m", "pytest", "-q", "--progress", "-n", "2", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "\nFAILED tests/test_some.py::test_wrong\n" in done.stdout
    assert "assert 1 == 2" in done.stdout
    assert "1 failed, 1 passed, 1 skipped" in done.stdout
    assert ".." not in done.stdout.split("FAILURES")[0].replace("nodes...", "")
    kept = json.loads((folder / ".cache" / "test-durations.json").read_text(encoding="utf-8"))
    assert kept.keys() == {f"tests/test_some.py::test_{name}" for name in ("right", "wrong", "left_out")}


SOME_TESTS = """
import pytest

def test_right():
    pass

def test_wrong():
    assert 1 == 2

def test_left_out():
    pytest.skip("no need")
"""


def environment() -> dict[str, str]:
    """Return the environment of a run that is not part of this one."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
