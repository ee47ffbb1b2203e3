"""The real program as a subprocess, on a library that is indexed once for all tests of this folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from filelock import FileLock

from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.stop import Stop
from tests.integration.cli.warm_program import WarmProgram

Object = dict[str, object]
TERMINALS = ("test_terminal.py", "test_live_search.py", "test_ask_session.py")  # they import what only POSIX has
collect_ignore = [*(TERMINALS if sys.platform == "win32" else ())]
READY = "ready library"  # beside the home of `indexed`: as it was when no process had it open

LEASE = """# Lease

## Rent

The rent is 1,200 euros a month. It is due on the third working day.

## Notice

Either side may end the lease with a notice period of six months.
"""


@dataclass(frozen=True)
class Ran:
    """The exit code and output of a run of the program."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Object]:
        """The lines of standard output, which must be JSON objects."""
        found = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(one, dict) for one in found)
        return found

    @property
    def object(self) -> Object:
        """The only line of standard output."""
        (only,) = self.objects
        return only


@dataclass(frozen=True)
class Program:
    """The program with a data folder of its own."""

    home: Path
    warm: ClassVar[WarmProgram | None] = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a run."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("COLUMNS", "FORCE_COLOR"))}
        return {**plain, "DESKTOP_RAG_HOME": str(self.home), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}

    @property
    def library(self) -> Library:
        """The default library."""
        return Library(self.home / "libraries" / "default")

    def command(self, *arguments: str | Path) -> list[str]:
        """Return the command line of a run."""
        return [sys.executable, "-m", "desktop_rag", *map(str, arguments)]

    def run(self, *arguments: str | Path, **environment: str) -> Ran:
        """Run a verb to its end; on Linux in a process that need not import the program."""
        if self.warm is not None:
            ran = Ran(*self.warm.run([*map(str, arguments)], {**self.environment, **environment}, 300))
        else:
            ran = self.run_cold(*arguments, **environment)
        assert "Traceback" not in ran.err
        return ran

    def run_cold(self, *arguments: str | Path, **environment: str) -> Ran:
        """Run a verb to its end as a shell does."""
        done = subprocess.run(
            self.command(*arguments),
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**self.environment, **environment},
            timeout=300,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        """Start a verb and leave it running."""
        return subprocess.Popen(
            self.command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment,
        )


@pytest.fixture(scope="session", autouse=True)
def warm() -> Generator[None]:
    """Fork the commands of these tests, where processes can be forked safely."""
    if sys.platform != "linux":
        yield
        return
    Program.warm = WarmProgram()
    yield
    Program.warm.close()
    Program.warm = None


def write_documents(folder: Path) -> Path:
    (folder / "deep").mkdir(parents=True)
    (folder / "lease.md").write_text(LEASE, encoding="utf-8")
    (folder / "deep" / "boat.txt").write_text("The mast is made of spruce.\nThe keel is oak.\n", encoding="utf-8")
    (folder / "deep" / "audit.txt").write_text(
        "The audit was made in November.\nHeating takes oil.\n", encoding="utf-8"
    )
    (folder / "empty.txt").write_bytes(b"")
    return folder


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program whose library is ready; tests must not change it."""
    base = tmp_path_factory.mktemp("command line")
    documents = write_documents(base / "documents")
    program = Program(base / "home")
    assert program.run("index", documents).code == 0
    with FileLock(program.library.lock).acquire(timeout=60):  # the indexer has ended: the files no longer change
        shutil.copytree(program.library.folder, base / READY, ignore=shutil.ignore_patterns("indexer.*"))
        return program


@pytest.fixture
def documents(indexed: Program) -> Path:
    return indexed.home.parent / "documents"


@pytest.fixture
def copied(indexed: Program, tmp_path: Path) -> Program:
    """A program with a copy of the ready library, to damage or change."""
    program = Program(tmp_path / "home")
    shutil.copytree(indexed.home.parent / READY, program.library.folder)
    return program


def broken_invariants(library: Library) -> set[str]:
    """Return the invariants that do not hold, after a deep check."""
    with closing(IntegrityChecker(library)) as checker:
        return {finding.invariant for finding in checker.run(deep=True, stop=Stop()) if not finding.holds}
