"""The order of the set-up steps, and that a second start repeats none."""

import os
from pathlib import Path

import pytest

import changed_tests
import dev
import encoder
import machine
import translations


class Recorder:
    """Replaces the slow steps and records their calls."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def environment(self, folder: Path, python: Path) -> None:
        self.steps.append("environment")
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    def install(self, arguments: list[str], count: int) -> None:
        self.steps.append("project" if "-e" in arguments else Path(arguments[-1]).stem)

    def libraries(self, *, screen: bool) -> None:
        self.steps.append("libraries")


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    monkeypatch.setattr(dev, "VENV", tmp_path)
    monkeypatch.setattr(dev, "PYTHON", tmp_path / "bin" / "python")
    monkeypatch.setattr(dev, "STATE", tmp_path / "state.json")
    monkeypatch.setattr(dev, "make_environment", recorder.environment)
    monkeypatch.setattr(dev, "pip_install", recorder.install)
    monkeypatch.setattr(machine, "provide_libraries", recorder.libraries)
    monkeypatch.setattr(encoder, "ready", lambda: True)
    monkeypatch.setattr(translations, "compiled", lambda: True)
    return recorder


def test_a_fresh_machine_gets_everything_in_order(recorder: Recorder) -> None:
    dev.set_up(dev.LOCK, screen=False)
    assert recorder.steps == ["libraries", "environment", "requirements", "project"]


def test_a_second_start_repeats_nothing_and_says_nothing(
    recorder: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    dev.set_up(dev.LOCK, screen=False)
    recorder.steps.clear()
    capsys.readouterr()
    dev.set_up(dev.LOCK, screen=False)
    assert recorder.steps == ["libraries"]
    assert capsys.readouterr().out == ""


def test_the_set_up_for_tests_is_enough_to_run(recorder: Recorder) -> None:
    dev.set_up(dev.DEV_LOCK, screen=False)
    recorder.steps.clear()
    dev.set_up(dev.LOCK, screen=False)
    assert recorder.steps == ["libraries"]


def test_the_set_up_to_run_is_completed_for_tests(recorder: Recorder) -> None:
    dev.set_up(dev.LOCK, screen=False)
    recorder.steps.clear()
    dev.set_up(dev.DEV_LOCK, screen=False)
    assert recorder.steps == ["libraries", "requirements-dev", "project"]


def test_a_changed_lock_is_installed_again(recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.set_up(dev.LOCK, screen=False)
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    changed = tmp_path / "changed.lock"
    changed.write_text("one==1 \\\n    --hash=sha256:0\n")
    recorder.steps.clear()
    state = dev.read_state()
    dev.provide_packages(state, changed)
    assert recorder.steps == ["changed"]


def test_a_moved_environment_is_recreated(recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.set_up(dev.LOCK, screen=False)
    recorder.steps.clear()
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    dev.provide_environment(dev.read_state())
    assert recorder.steps == ["environment"]


def test_a_damaged_state_file_means_a_fresh_start(recorder: Recorder) -> None:
    dev.STATE.write_text("{half")
    assert dev.read_state() == {}


def test_an_unsupported_python_without_another_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "supported", lambda version: False)
    monkeypatch.setattr(machine, "other_python", lambda: None)
    assert dev.main(["run"]) == 2
    assert "needs 3.11, 3.12 or 3.13" in capsys.readouterr().err


def test_a_failed_step_prints_its_message(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*, screen: bool) -> None:
        raise machine.SetupError("type this line")

    monkeypatch.setattr(machine, "provide_libraries", fail)
    assert dev.main(["setup"]) == 1
    assert capsys.readouterr().err == "type this line\n"


PYTHON_WITHOUT_TYPES = """#!/bin/sh
case "$*" in
    *mypy*) echo "chunking.py:7: error"; exit 1 ;;
    *pytest*) echo "tested$PYTHONDONTWRITEBYTECODE" ;;
    *) echo "no finding" ;;
esac
"""


@pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script here")
def test_a_check_that_fails_beside_the_tests_fails_the_command(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    recorder.environment(dev.VENV, dev.PYTHON)
    dev.PYTHON.write_text(PYTHON_WITHOUT_TYPES)
    dev.PYTHON.chmod(0o700)
    monkeypatch.setattr(machine, "provide_test_tools", lambda: None)
    monkeypatch.setattr(dev, "provide_opensearch", lambda: None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert dev.main(["test"]) == 1
    out = capfd.readouterr().out
    assert "tested\n" in out
    assert "FAILED: mypy\nchunking.py:7: error" in out
    assert out.endswith("FAILED: mypy (see above)\n")
    assert "no finding" not in out


@pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script here")
@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["tests/unit"], "-m not slow tests/unit"),
        (["fast"], "-m not slow and not processes"),
        (["slow", "tests/unit"], "-m slow or property --examples=200 tests/unit"),
        (["changed", "-x"], "-m not slow tests/unit/test_a.py -x"),
    ],
)
def test_each_kind_of_tests_is_asked_for_by_markers(
    words: list[str],
    asked: str,
    recorder: Recorder,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    recorder.environment(dev.VENV, dev.PYTHON)
    dev.PYTHON.write_text('#!/bin/sh\necho "asked: $*"\n')
    dev.PYTHON.chmod(0o700)
    monkeypatch.setattr(machine, "provide_test_tools", lambda: None)
    monkeypatch.setattr(dev, "provide_opensearch", lambda: None)
    monkeypatch.setattr(dev, "compile_tests", lambda: None)
    monkeypatch.setattr(changed_tests, "changed_files", lambda root, since: ("main", ["a.py"]))
    monkeypatch.setattr(changed_tests, "files_of_tests", lambda root, changed: ["tests/unit/test_a.py"])
    assert dev.main(["test", *words]) == 0
    out = capfd.readouterr().out
    assert out.count("asked: ") == 1  # no checks beside a part of the tests
    assert f" {asked}\n" in out


def test_files_without_slow_tests_are_not_collected_for_them() -> None:
    files = dev.slow_files()
    assert "tests/benchmarks/faults/test_faults_kills.py" in files
    assert "tests/unit/test_errors.py" not in files


def test_the_slowest_tests_are_listed_with_the_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert dev.main(["test", "slowest"]) == 1
    assert "python3 packaging/dev.py test" in capsys.readouterr().err
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "test-durations.json").write_text('{"a": 1.0, "b": 2.5}')
    assert dev.main(["test", "slowest"]) == 0
    assert capsys.readouterr().out == "   2.5 s  b\n   1.0 s  a\n     4 s  in all, 2 tests\n"
