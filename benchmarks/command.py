"""Finds and runs one benchmark: `python3 packaging/dev.py bench NAME …`."""

import argparse
import importlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import BENCHES
from benchmarks.report import Report
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.program import guarded
from desktop_rag.errors import BenchError
from desktop_rag.stop import Stop

PROGRAM = "dev.py bench"


def main(arguments: Sequence[str]) -> int:
    """Run the named benchmark, or list all; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description="Compare this program with public tools")
    parser.add_argument("--json", action="store_true", help="print JSON, one object per line")
    # The options after the name belong to one benchmark, which is imported only when it runs.
    parser.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        metavar="NAME …",
        help="benchmark and its options (none: list)",
    )
    options = parser.parse_args(arguments)
    output = Output(as_json=options.json)
    return guarded(lambda stop: bench(options.arguments, output, stop), output)


def bench(arguments: Sequence[str], output: Output, stop: Stop) -> int:
    """Run the named benchmark, or list all; return 1 if a goal is missed."""
    if not arguments:
        _list(output)
        return FOUND
    name, *rest = arguments
    if name not in BENCHES:
        argparse.ArgumentParser(prog=PROGRAM).error(f"choose from: {', '.join(BENCHES)}")
    module = importlib.import_module(f"benchmarks.{BENCHES[name].module}")
    run: Callable[[argparse.Namespace, Callable[[str], None]], Report] = module.run
    parser = _parser(name)
    module.add_arguments(parser)
    options = parser.parse_args(rest)
    output.as_json = output.as_json or options.json

    def say(text: str) -> None:
        stop.check()
        output.note(text)

    report = run(options, say)
    _print(report, output)
    if options.out:
        _write(report, options.out)
    return NOTHING if report.missed else FOUND


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"{PROGRAM} {name}", description=BENCHES[name].measures)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the report: JSON, or Markdown for .md")
    return parser


def _list(output: Output) -> None:
    if output.as_json:
        output.value({"type": "benchmarks", "benchmarks": {name: each.measures for name, each in BENCHES.items()}})
        return
    for name, each in BENCHES.items():
        output.line(f"{name:10} {each.measures}")
    output.note("`python3 packaging/dev.py bench NAME --help` shows the options.")


def _print(report: Report, output: Output) -> None:
    if output.as_json:
        output.value(report.json())
    else:
        output.line(report.text())


def _write(report: Report, file: Path) -> None:
    text = report.markdown() if file.suffix == ".md" else json.dumps(report.json(), indent=2, ensure_ascii=False) + "\n"
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"The report cannot be written to {file}: {error.strerror}") from error
