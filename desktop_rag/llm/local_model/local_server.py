"""Runs a GGUF file as an endpoint of this computer, for as long as a block lasts."""

import importlib.util
import secrets
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.local_model.gguf import GgufModel, read_gguf
from desktop_rag.llm.local_model.memory_need import fitting_window, free_bytes
from desktop_rag.llm.local_model.server_child import ServerStarted, StartServer
from desktop_rag.processes.child import Child
from desktop_rag.settings import DIRECT, Profile
from desktop_rag.stop import Stop

NAME = "On this computer"  # of the profile
_NOT_INSTALLED = (
    "This needs the package xllamacpp, which is not part of the program. Install it with "
    "`pip install 'desktop-rag[local-llm]'`, or run the file with Ollama, LM Studio or llama.cpp "
    "and use that as an endpoint."
)


@dataclass(frozen=True, slots=True)
class LocalEndpoint:
    """A running server: its profile, the key that only we know, and the file it serves."""

    profile: Profile
    key: str
    file: GgufModel
    process: int


def is_available() -> bool:
    """Return whether the package that runs models is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


@contextmanager
def running(path: Path, stop: Stop) -> Generator[LocalEndpoint]:
    """Load the model file and serve it; raises `LocalModelError`, also if it is too big, and `Stopped`."""
    if not is_available():
        raise LocalModelError(_NOT_INSTALLED)
    file = read_gguf(path.resolve())
    window = fitting_window(file, free_bytes())
    key = secrets.token_urlsafe(32)
    with closing(_start()) as child:
        address = _loaded(child, StartServer(str(file.path), file.name, window, key), file, stop)
        output = min(2_048, window // 4)
        address = f"{address}/v1"
        profile = Profile(
            NAME, address, file.name, context_window=window, max_output=output, proxy=DIRECT, price_in=0, price_out=0
        )
        yield LocalEndpoint(profile, key, file, child.pid)


def _start() -> Child:
    try:
        return Child.start("_model")
    except OSError as error:
        raise LocalModelError(f"The process of the model could not be started ({error.strerror}).") from error


def _loaded(child: Child, request: StartServer, file: GgufModel, stop: Stop) -> str:
    """Return the address of the server once the model is loaded."""
    try:
        with stop.interrupting(child.end):
            child.connection.send_bytes(msgspec.msgpack.encode(request))
            address = msgspec.msgpack.decode(child.connection.recv_bytes(), type=ServerStarted).address
    except (OSError, EOFError):
        stop.check()
        address = ""
    stop.check()
    if not address:
        raise LocalModelError(
            f"{file.name} could not be loaded: the memory did not suffice, or its architecture ({file.architecture}) "
            "is unknown to this version of llama.cpp."
        )
    return address
