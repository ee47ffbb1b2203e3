"""Runs a model file with llama.cpp's own program, `llama-server`, for this program without the package `xllamacpp`."""

import contextlib
import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from desktop_rag.errors import LocalModelError
from desktop_rag.processes.child import plain_environment
from desktop_rag.processes.confinement.confine import confine_model_server

NAME = "llama-server"
_OTHER_PLACES = ("/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin")  # programs with a window lack
_NOT_STARTED = "{0} cannot be started ({1}). Choose llama.cpp’s program llama-server."
_POLL_SECONDS = 0.1
_ANSWER_SECONDS = 5.0
_PR_SET_PDEATHSIG = 1


def find_program() -> str:
    """Return the path of the installed `llama-server`; empty without one."""
    return shutil.which(NAME) or shutil.which(NAME, path=os.pathsep.join(_OTHER_PLACES)) or ""


def _before_program(model: Path) -> Callable[[], None] | None:
    """Return what confines a new process and makes it end with this one, where the system can: on Linux."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        confine_model_server(model, is_program=True)

    return prepare


class LlamaProgram:
    """A running `llama-server` on loopback; on Linux it ends with this process, elsewhere by `end`."""

    def __init__(
        self, program: str, model: Path, alias: str, window: int, threads: tuple[int, int], batch: int, key: str
    ) -> None:
        """Start loading the file with a context of `window` tokens; raises `LocalModelError`.

        `threads` write and read, `batch` tokens at a time. Options are variables: a version that does not know one
        ignores it.
        """
        options = {
            "MODEL": str(model),
            "ALIAS": alias.replace(",", " "),  # separates several
            "HOST": "127.0.0.1",
            "PORT": "0",  # the system chooses a free one
            "CTX_SIZE": str(window),
            "N_PARALLEL": "1",
            "BATCH": str(batch),
            "UBATCH": str(batch),
            "THREADS": str(threads[0]),
            "JINJA": "1",
            "UI": "0",
            "WARMUP": "0",
            "OFFLINE": "1",
        }
        environment = plain_environment() | {f"LLAMA_ARG_{name}": value for name, value in options.items()}
        command = [program, "--threads-batch", str(threads[1])]  # the one option without a variable
        if os.name == "posix":
            command += ["--api-key-file", "/dev/stdin"]  # so that no list of processes shows it
        else:
            environment["LLAMA_API_KEY"] = key
        self._key = key
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,  # its log may contain prompts
                stderr=subprocess.DEVNULL,
                env=environment,
                preexec_fn=_before_program(model),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", "") or error
            raise LocalModelError(
                f"{program} cannot be started ({reason}). Choose llama.cpp's llama-server."
            ) from error
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended
            self._process.stdin.write(f"{key}\n".encode())
            self._process.stdin.close()

    def address(self) -> str:
        """Wait for the model to be loaded; return the server's address, empty if the program ended before."""
        while self._process.poll() is None:
            port = self._port()
            if port and self._is_ready(port):
                return f"http://127.0.0.1:{port}"
            time.sleep(_POLL_SECONDS)
        return ""

    def wait(self) -> None:
        """Wait for the end of the program."""
        self._process.wait()

    def end(self) -> None:
        """End the program at once."""
        self._process.kill()
        self._process.wait()

    def _port(self) -> int:
        """Return the port that this very process listens on; its log has another form in each version."""
        with contextlib.suppress(psutil.Error):
            for socket in psutil.Process(self._process.pid).net_connections("tcp"):
                if socket.status == psutil.CONN_LISTEN:
                    return int(socket.laddr.port)
        return 0

    def _is_ready(self, port: int) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_SECONDS)
        try:
            connection.request("GET", "/health", headers={"Authorization": f"Bearer {self._key}"})
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
