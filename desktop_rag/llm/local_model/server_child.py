"""The child process that runs llama.cpp's server on loopback until its parent is gone.

Its only message names file, window and key; its only answer is the address, or what failed.
"""

import contextlib
import importlib
import os

import msgspec

from desktop_rag.processes.connection import PipeConnection, parent_connection

_BATCH = 128  # tokens; llama.cpp asks after each batch whether the client is still there


class StartServer(msgspec.Struct, frozen=True):
    """The model file to serve under `name`; `window` is its context in tokens."""

    path: str
    name: str
    window: int
    key: str


class ServerStarted(msgspec.Struct, frozen=True):
    """The server listens at `address`; empty if it could not load the model."""

    address: str


def main(_arguments: list[str]) -> int:
    """Serve the model that the parent names; return when the parent has closed the connection."""
    connection = parent_connection()
    _silence()
    try:
        request = msgspec.msgpack.decode(connection.recv_bytes(), type=StartServer)
    except EOFError:
        return 0
    xllamacpp = importlib.import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = request.path
    parameters.model_alias = {request.name}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # the system chooses a free one
    parameters.api_keys = [request.key]
    parameters.n_ctx = request.window
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.use_jinja = True
    parameters.ui = False
    parameters.warmup = False
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError:  # damaged, unknown architecture, not enough memory: it only says that it failed
        connection.send_bytes(msgspec.msgpack.encode(ServerStarted("")))
        return 1
    connection.send_bytes(msgspec.msgpack.encode(ServerStarted(server.listening_address)))
    _end_with_parent(connection)
    return 0


def _silence() -> None:
    """Discard what the server prints: its log may contain prompts."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _end_with_parent(connection: PipeConnection) -> None:
    with contextlib.suppress(EOFError):
        connection.recv_bytes()
    os._exit(0)  # the server's own end waits for requests that nobody reads any more
