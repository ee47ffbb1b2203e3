"""Our reader process and the tools it is compared with, each asked for the text of one file after another."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from benchmarks.readers import reader_peer
from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.errors import BenchError, DocumentError
from desktop_rag.stop import Stop

MUTOOL, PANDOC = "mutool", "pandoc"
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Extracted:
    """A tool's text of a file and its CPU seconds; `text` is None if it failed."""

    text: str | None
    cpu: float
    pages: int = 0


class OurReader:
    """The reader process as the indexer uses it; its CPU time and that of the request count."""

    def __init__(self) -> None:
        self._child = ReaderChild(files_per_child=sys.maxsize)

    def extract(self, path: Path) -> Extracted:
        """Return the text of a file."""
        before, asking = self._child_seconds(), time.process_time()
        try:
            with path.open("rb") as file:
                document = self._child.read(file, path.name, path.stat().st_size, Stop())
        except DocumentError:
            return Extracted(None, 0.0)
        cpu = self._child_seconds() - before + time.process_time() - asking
        return Extracted(document.text, cpu, len(document.pages))

    def close(self) -> None:
        """End the child."""
        self._child.close()

    def _child_seconds(self) -> float:
        if self._child.pid is None:
            return 0.0
        return _exact_seconds(self._child.pid)


def _exact_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, with nanosecond resolution where the system provides it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        times = psutil.Process(pid).cpu_times()
        return times.user + times.system


@dataclass(frozen=True, slots=True)
class _Answer:
    cpu: float
    text: str | None


class PythonPeer:
    """Tools in another interpreter, such as markitdown."""

    def __init__(self, process: "subprocess.Popen[bytes]", versions: dict[str, str]) -> None:
        self._process = process
        self.versions = versions

    def extract(self, tool: str, path: Path) -> Extracted:
        """Return the text of a file."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode({"tool": tool, "path": str(path)}) + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"{tool} crashed on {path}")
        answer = msgspec.json.decode(line, type=_Answer)
        return Extracted(answer.text, answer.cpu)


@contextmanager
def python_peer(python: str) -> Generator[PythonPeer]:
    """Start the tools installed in `python`; raise `BenchError` if it cannot be started."""
    command = [python, str(Path(reader_peer.__file__))]
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise BenchError(f"{python} cannot be started: {error.strerror}") from error
    with process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if not first:
                raise BenchError(f"{python} cannot run {reader_peer.__file__}")
            yield PythonPeer(process, msgspec.json.decode(first, type=dict[str, str]))
        finally:
            process.kill()


def mutool_text(path: Path) -> Extracted:
    """Return the output of `mutool draw -F txt` for a PDF file; it takes one file per process."""
    return _of_program([MUTOOL, "draw", "-q", "-F", "txt", str(path)])


def pandoc_text(path: Path) -> Extracted:
    """Return pandoc's plain text of a file."""
    return _of_program([PANDOC, "--to", "plain", "--wrap", "none", str(path)])


def has(program: str) -> bool:
    """Return whether a program is installed."""
    return shutil.which(program) is not None


def _of_program(command: list[str]) -> Extracted:
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return Extracted(None, 0.0)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Extracted(done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None, cpu)
