import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import BENCHES, Bench, command
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.cli.output import FOUND, NOTHING, USAGE, Output
from desktop_rag.errors import Stopped
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.stop import Stop


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--milliseconds", type=float, default=1.0)


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    say("Measuring …")
    row = Measurement("a task", OURS, "ms", (options.milliseconds,), goal=2.0)
    return Report("A small benchmark", (row,), (), this_machine())


@pytest.fixture(autouse=True)
def small_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("benchmarks.small")
    monkeypatch.setitem(vars(module), "add_arguments", add_arguments)
    monkeypatch.setitem(vars(module), "run", run)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(command, "BENCHES", {"small": Bench("small", "A small one")})


def test_without_a_name_every_benchmark_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == FOUND
    assert "small      A small one" in capsys.readouterr().out
    assert command.main(["--json"]) == FOUND
    assert json.loads(capsys.readouterr().out)["benchmarks"] == {"small": "A small one"}


def test_an_unknown_benchmark_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["smal"])
    assert ended.value.code == USAGE
    assert "small" in capsys.readouterr().err


def test_a_benchmark_prints_its_table_and_its_progress_separately(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["small"]) == FOUND
    printed = capsys.readouterr()
    assert "✓ ≤ 2.00 ms" in printed.out
    assert "Measuring" in printed.err


def test_json_is_accepted_before_and_after_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--json", "small"], ["small", "--json"]):
        assert command.main(arguments) == FOUND
        assert json.loads(capsys.readouterr().out)["title"] == "A small benchmark"


def test_a_missed_goal_sets_the_exit_code() -> None:
    assert command.main(["small", "--milliseconds", "3"]) == NOTHING


def test_a_report_is_written_as_json_or_markdown(tmp_path: Path) -> None:
    for name in ("r.json", "r.md"):
        assert command.main(["small", "--out", str(tmp_path / name)]) == FOUND
    assert json.loads((tmp_path / "r.json").read_text())["type"] == "report"
    assert (tmp_path / "r.md").read_text().startswith("## A small benchmark")


def test_a_report_that_cannot_be_written_is_still_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["small", "--out", str(tmp_path / "no" / "where.json")]) == NOTHING
    printed = capsys.readouterr()
    assert "A small benchmark" in printed.out
    assert "cannot be written" in printed.err


def test_a_stopped_benchmark_ends_at_its_next_step() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        command.bench(["small"], Output(as_json=True), stop)


@pytest.mark.parametrize("name", BENCHES)
def test_every_listed_benchmark_can_be_imported(name: str) -> None:
    module = importlib.import_module(f"benchmarks.{BENCHES[name].module}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert callable(module.run)
