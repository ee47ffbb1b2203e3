"""Fuzzing that new paths through the program guide (atheris, over libFuzzer), if that package is installed.

A run is a process of its own, as libFuzzer ends it: `guided` starts it, `main` is it. Nothing of the program may be
imported before `main`, which imports it with counters in its branches.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.security.fuzzing import Failure

PACKAGE = "atheris"
LONGEST = 20_000  # bytes of an input
_MOST_MEMORY = 4_096  # MB
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_CANNOT_END = 30.0  # seconds after its time


def can_guide() -> bool:
    """Return whether atheris is installed; it has packages for Linux and macOS only."""
    return importlib.util.find_spec(PACKAGE) is not None


def guided(name: str, seconds: float, seed: int = 0) -> tuple[int, list["Failure"]]:
    """Fuzz a target for so long; return how many inputs were tried, and one failure for each kind and place."""
    from benchmarks.security.fuzzing import Failure

    with tempfile.TemporaryDirectory(prefix="desktop-rag-fuzz-") as scratch:
        found = Path(scratch, "failures")
        command = [sys.executable, "-P", "-m", "benchmarks.security.guided_fuzzing", name, scratch]
        options = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed + 1}"]
        run = subprocess.run(
            [*command, *options], capture_output=True, text=True, timeout=seconds * 2 + _CANNOT_END, check=False
        )
        executed = _EXECUTED.search(run.stderr)
        lines = found.read_text(encoding="utf-8").splitlines() if found.exists() else []
    failures = [Failure(name, bytes.fromhex(data), what) for what, data in map(json.loads, lines)]
    if executed is None or run.returncode:
        failures.append(Failure(name, b"", f"the fuzzer ended with {run.returncode}: {run.stderr[-300:]}"))
    return int(executed[1]) if executed else 0, failures


def main(name: str, scratch: str, *options: str) -> None:
    """Fuzz one target until its time is over, and note each new failure in a file as it is found."""
    import atheris

    with atheris.instrument_imports(include=["desktop_rag"]):
        from benchmarks.security.fuzz_targets import TARGETS
        from benchmarks.security.fuzzing import outcome

    target, known = TARGETS[name], set[str]()
    corpus = Path(scratch, "corpus")
    corpus.mkdir()
    for number, data in enumerate(target.corpus):
        (corpus / str(number)).write_bytes(data)

    def run(data: bytes) -> None:
        what = outcome(target, data)
        if what and what not in known:
            known.add(what)
            with Path(scratch, "failures").open("a", encoding="utf-8") as file:
                file.write(json.dumps([what, data.hex()]) + "\n")

    limits = [f"-max_len={LONGEST}", f"-rss_limit_mb={_MOST_MEMORY}", "-print_final_stats=1", "-timeout=120"]
    atheris.Setup([sys.argv[0], *limits, *options, str(corpus)], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
