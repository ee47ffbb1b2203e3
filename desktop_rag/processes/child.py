"""Start this program again as a child process: a hidden verb, messages over its standard streams.

`sys.executable` with a hidden verb works from source and frozen alike, and inherits nothing: no lock,
no socket, no imported module (a forked child would keep Whoosh's and SQLite's locks).
"""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping

from desktop_rag.processes.connection import PipeConnection

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "DESKTOP_RAG_HOME", "PYTHONPATH")
_SESSION = (
    *("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"),
    *("XDG_SESSION_TYPE", "XDG_SESSION_ID", "XDG_RUNTIME_DIR"),
)


def own_command(verb: str, *arguments: str) -> list[str]:
    """Return the command line that runs this program with a hidden `verb`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, verb, *arguments]
    # -P: a module in the current folder must not shadow one of ours.
    return [sys.executable, "-P", "-m", "desktop_rag", verb, *arguments]


def plain_environment() -> dict[str, str]:
    """Return the few environment variables a child needs, without the keys and tokens of the user's shell."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if not getattr(sys, "frozen", False):
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    return kept


def session_environment(*more: str) -> dict[str, str]:
    """Return the environment of a child that uses the desktop session, such as its keychain, and `more` variables."""
    return plain_environment() | {name: os.environ[name] for name in (*_SESSION, *more) if name in os.environ}


class Child:
    """A running child process; it ends when its pipe closes, at the latest with this process."""

    def __init__(self, process: "subprocess.Popen[bytes]", connection: PipeConnection) -> None:
        self._process = process
        self.connection = connection

    @classmethod
    def start(cls, verb: str, *arguments: str, environment: Mapping[str, str] | None = None) -> "Child":
        """Start the child; raises `OSError`."""
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

    def is_alive(self) -> bool:
        """Return whether the child is running."""
        return self._process.poll() is None

    def wait(self, seconds: float) -> int | None:
        """Return the exit code once the child has ended, or None if it still runs after `seconds`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def end(self) -> None:
        """Kill the child without waiting; a thread that waits for its message gets `EOFError`."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the child and wait for it; safe to call twice."""
        self._process.kill()
        self._process.wait()
        self.connection.close()

    def close(self, seconds: float = 2.0) -> None:
        """Close the child's input, which ends it; kill it if it is still running after `seconds`."""
        self.connection.close_sending()
        self.wait(seconds)
        self.kill()


# Shared libraries of the system that a part of the program needs and that are not installed.

_NOT_FOUND = re.compile(r"([^\s/]+\.so[.\d]*): cannot open shared object file")


def missing_library(error: ImportError | OSError) -> str:
    """Return the name of the shared library without which something could not be loaded, "" for another reason."""
    found = _NOT_FOUND.search(str(error))
    return found.group(1) if found else ""


def debian_package(library: str) -> str:
    """Return the package of a shared library by Debian's naming rule (Debian Policy 8.1): name and soname version."""
    name, _, version = library.lower().partition(".so")
    if name in ("libglib-2.0", "libgthread-2.0"):  # the exception
        return "libglib2.0-0"
    version = version.lstrip(".")
    return f"{name}-{version}" if name[-1:].isdigit() else f"{name}{version}"
