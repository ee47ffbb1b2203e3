"""Commands in processes of their own that need not start: forked from one that has imported the program.

A command is forked with its own streams, environment and exit code, so it behaves as one from a shell; only the
imports, two thirds of what it costs, are those of the first process.
"""

import array
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO

_IMPORTED = (
    "desktop_rag.agent.extractive.extractive_model",
    "desktop_rag.agent.run.usual_run",
    "desktop_rag.index.encoding.encoder",
    "desktop_rag.retrieval.service.search_engine",
    "onnxruntime",
)
_LEFT_OUT = ("desktop_rag.cli.mcp_command", "desktop_rag.cli.serve_command", "desktop_rag.cli.eval")
_LONGEST = 1 << 20  # bytes of one command


class WarmProgram:
    """Runs commands one at a time; `close` ends the process they are forked from."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(its.fileno())],
                pass_fds=(its.fileno(),),
                cwd=Path(__file__).parents[3],
            )
        self._socket = ours

    def run(self, arguments: Sequence[str], environment: Mapping[str, str], seconds: float) -> tuple[int, str, str]:
        """Return the exit code, standard output and standard error of a command, which is given `seconds`."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            told = json.dumps(
                {"arguments": list(arguments), "environment": dict(environment), "folder": str(Path.cwd())}
            )
            streams = array.array("i", [out.fileno(), err.fileno()])
            self._socket.settimeout(seconds)
            self._socket.sendmsg([told.encode("ascii")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
            try:
                code = int(self._socket.recv(_LONGEST))
            except TimeoutError:
                self._process.kill()  # the answer that is late would be taken for the next one's
                self.close()
                self._start()
                raise
            return code, _text(out), _text(err)

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait(60)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8")


def serve(descriptor: int) -> None:
    """Fork a child for each command that arrives, and tell its exit code."""
    import desktop_rag.cli

    for found in pkgutil.walk_packages(desktop_rag.cli.__path__, "desktop_rag.cli."):
        if not found.name.startswith(_LEFT_OUT):
            importlib.import_module(found.name)
    for name in _IMPORTED:
        importlib.import_module(name)
    with socket.socket(fileno=descriptor) as requests:
        while True:
            told, streams, _, _ = socket.recv_fds(requests, _LONGEST, 2)
            if not told:
                return
            child = os.fork()
            if child == 0:
                requests.close()
                _become(json.loads(told), *streams)
            for stream in streams:
                os.close(stream)
            _, status = os.waitpid(child, 0)
            requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(told: Mapping[str, object], out: int, err: int) -> None:
    """Run a command in this forked process, and end it."""
    from desktop_rag.__main__ import main

    arguments, environment = told["arguments"], told["environment"]
    assert isinstance(arguments, list)
    assert isinstance(environment, dict)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(str(told["folder"]))
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, stream in enumerate((nothing, out, err)):
        os.dup2(stream, number)
        os.close(stream)
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
    sys.stdout = TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding)
    sys.stderr = TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding, "backslashreplace", line_buffering=True)
    sys.argv = ["desktop-rag", *arguments]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code: object = 1
    try:
        code = main()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 — shown as Python does at the end of a process
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
