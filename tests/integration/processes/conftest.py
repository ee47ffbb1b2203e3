"""A real child process for the tests of requests."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from desktop_rag.processes.child import Child
from desktop_rag.processes.connection import PipeConnection
from desktop_rag.processes.remote import Endpoint
from desktop_rag.stop import Stop


class EchoChildren:
    """Starts echo children and records them."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self.started: list[Child] = []

    def connect(self, stop: Stop) -> Endpoint:
        """Start a child and return the connection to it."""
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, stderr=subprocess.DEVNULL
        )
        assert process.stdin is not None
        assert process.stdout is not None
        child = Child(process, PipeConnection(process.stdout, process.stdin))
        self.started.append(child)
        return Endpoint(child.connection, child.kill)


@pytest.fixture
def children(echo_child: list[str]) -> EchoChildren:
    """Return what starts echo children."""
    return EchoChildren(echo_child)


@pytest.fixture
def echo_child(tmp_path: Path) -> list[str]:
    """Return the command line of a child that echoes, counts slowly, dies or sleeps as asked."""
    script = tmp_path / "echo_child.py"
    script.write_text(
        textwrap.dedent(
            """
            import os, signal, sys, time
            from desktop_rag.errors import QueryError
            from desktop_rag.processes.connection import parent_connection
            from desktop_rag.processes.serving import serve

            def handle(request, stop):
                word, _, marker = request.decode().partition("|")
                if word == "die":
                    os._exit(3)
                if word == "die once":
                    if not os.path.exists(marker):
                        open(marker, "w").close()
                        os._exit(3)
                    yield b"alive again"
                elif word == "fail":
                    raise QueryError("no", 2, "yes")
                elif word == "fail later":
                    yield b"so far so good"
                    raise QueryError("no", 2, "yes")
                elif word == "break":
                    raise RuntimeError("nobody expected this")
                elif word == "huge":
                    yield b"x" * 200_000_000
                elif word == "nonsense":
                    os.write(outgoing, bytes(40))
                    stop.wait(60)
                elif word == "freeze":
                    os.kill(os.getpid(), signal.SIGSTOP)
                elif word == "tidy up":
                    try:
                        yield b"nearly done"
                    finally:
                        open(marker, "w").close()
                elif word == "wait":
                    yield b"waiting"
                    stop.wait(60)
                    stop.check()
                elif word == "print":
                    print("a stray print")
                    yield b"printed"
                else:
                    for letter in word:
                        yield letter.encode()

            def prepare():
                with open(__file__ + ".prepared", "a") as file:
                    file.write("once\\n")

            while len(sys.argv) > 1 and not os.path.exists(sys.argv[1]):
                time.sleep(0.05)
            outgoing = os.dup(1)
            serve(parent_connection(), handle, on_disconnect=lambda: os._exit(0), prepare=prepare)
            """
        )
    )
    return [sys.executable, str(script)]
