"""Starts our own program again as a child that does one job: a hidden verb, typed messages over its pipes.

`sys.executable` with a hidden verb works from source and frozen alike, and inherits nothing: no lock,
no socket, no imported module (a forked child would keep Whoosh's and SQLite's locks).
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping

from desktop_rag.processes.connection import PipeConnection

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "DESKTOP_RAG_HOME", "PYTHONPATH")


def own_command(verb: str, *arguments: str) -> list[str]:
    """Return the command line that runs this program with a hidden `verb`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, verb, *arguments]
    # -P: a module in the folder the person happens to be in must not take the place of ours.
    return [sys.executable, "-P", "-m", "desktop_rag", verb, *arguments]


def plain_environment() -> dict[str, str]:
    """Return the few variables a child needs; keys and tokens of the person's shell stay behind."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if not getattr(sys, "frozen", False):
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    return kept


class Child:
    """A running child; it ends when its pipe closes, at the latest when this process ends."""

    def __init__(self, process: "subprocess.Popen[bytes]", connection: PipeConnection) -> None:
        self._process = process
        self.connection = connection

    @classmethod
    def start(cls, verb: str, *arguments: str, environment: Mapping[str, str] | None = None) -> "Child":
        """Start the child; raises `OSError` when the system cannot."""
        process = subprocess.Popen(
            own_command(verb, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment) if environment is not None else plain_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        return cls(process, PipeConnection(process.stdout, process.stdin))

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Return how the child has ended: negative for a signal; None while it runs."""
        return self._process.poll()

    def is_alive(self) -> bool:
        """Return whether the child still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the child at once and wait for it; safe to call twice."""
        self._process.kill()
        self._process.wait()
        self.connection.close()

    def close(self, seconds: float = 2.0) -> None:
        """Tell the child to end by closing its input; kill it if it does not within `seconds`."""
        self.connection.close_sending()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self.kill()
