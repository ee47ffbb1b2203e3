"""The child process that reads model files, and runs llama.cpp's server on loopback until its parent is gone.

Its first message is the request: `ListModels` is answered by a `ListedModelFile` for each file and the end of the
process, `StartServer` by `ModelRead` and then `ServerStarted`, or by `CannotServe`.
"""

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.local_model.llama_program import LlamaProgram
from desktop_rag.llm.local_model.model_files import FoundFile, GgufModel, NoLanguageModel, model_files, read_gguf
from desktop_rag.processes.child import debian_package, missing_library
from desktop_rag.processes.confinement.confine import confine_model_server
from desktop_rag.processes.connection import PipeConnection, parent_connection
from desktop_rag.processes.wire import Wire
from desktop_rag.text.display import printable

# How much memory a model needs, and the largest context window that fits what is free.

SMALLEST_WINDOW = 4_096  # tokens; with less a question has no room for passages
LARGEST_WINDOW = 32_768  # more costs memory and minutes of reading without being used
_WORKING_BYTES = 300 << 20  # buffers of llama.cpp and its process, batches of 512 tokens
_GIB = 1 << 30


def needed_bytes(model: GgufModel, window: int) -> int:
    """Return the memory in bytes for a context window in tokens: weights, KV cache and working buffers."""
    return model.size + model.kv_bytes_per_token * window + _WORKING_BYTES


def free_bytes() -> int:
    """Return the memory in bytes that can be used without swapping."""
    return psutil.virtual_memory().available


def fitting_window(model: GgufModel, free: int, wanted: int = 0) -> int:
    """Return the largest context window in tokens that fits `free` bytes, at most `wanted` (0: the usual most).

    Raises `LocalModelError` if none does.
    """
    window = min(model.trained_context, wanted or LARGEST_WINDOW)
    smallest = min(window, SMALLEST_WINDOW)
    while window > smallest and needed_bytes(model, window) > free:
        window = max(smallest, window // 2)
    if (need := needed_bytes(model, window)) > free:
        raise LocalModelError(
            f"{model.name} is too big: it needs about {need / _GIB:.1f} GB of memory with a context of {window:,} "
            f"tokens, and {free / _GIB:.1f} GB are free. Close other programs or choose a smaller model.",
        )
    return window


_BATCH = 128  # tokens; llama.cpp asks after each batch whether the client is still there, and tells how far it is


@dataclass(frozen=True, slots=True)
class ListModels:
    """List the model files on this computer; only that at `path`, if there is one."""

    path: Path | None = None


@dataclass(frozen=True, slots=True)
class ListedModelFile:
    """A model file: sizes in bytes, contexts in tokens; `window` is the largest that fits the free memory, else 0.

    `problem` says why it cannot run, and is empty if it can.
    """

    path: Path
    program: str  # that keeps it; empty if the user chose it
    name: str
    quantisation: str = ""
    size: int = 0
    trained_context: int = 0
    window: int = 0
    needed: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StartServer:
    """The model file to serve; `window` is the largest context wanted in tokens, 0 for what fits.

    `program` is the `llama-server` that runs it; empty: the package `xllamacpp`, in this process.
    """

    path: Path
    window: int
    key: str
    program: str = ""


@dataclass(frozen=True, slots=True)
class ModelRead:
    """The header was read, and the model fits the memory with a context of `window` tokens; it is loaded now."""

    name: str
    size: int
    window: int


@dataclass(frozen=True, slots=True)
class CannotServe:
    """The model cannot run, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class ServerStarted:
    """The server listens at `address`."""

    address: str


WIRE = Wire(ListModels, ListedModelFile, StartServer, ModelRead, CannotServe, ServerStarted)


def main(_arguments: list[str]) -> int:
    """Do what the parent asks; return when that is done, or the parent has closed the connection."""
    connection = parent_connection()
    _silence()
    try:
        request = WIRE.decode(connection.recv_bytes())
    except EOFError:
        return 0
    with contextlib.suppress(OSError):  # the parent does not wait for the answer any longer
        match request:
            case ListModels(path):
                for found in [FoundFile(path, "")] if path else model_files():
                    if listed := _listed(found):
                        connection.send_bytes(WIRE.encode(listed))
            case StartServer():
                try:
                    return _serve(connection, request)
                except LocalModelError as error:
                    connection.send_bytes(WIRE.encode(CannotServe(str(error))))
                    return 1
    return 0


def _listed(found: FoundFile) -> ListedModelFile | None:
    """Describe a file; None if it holds something else than a language model and the user did not choose it."""
    path, name = found.path, found.name or printable(found.path.stem)
    try:
        model = read_gguf(path)
    except NoLanguageModel as error:
        return None if found.program else ListedModelFile(path, "", name, problem=str(error))
    except LocalModelError as error:
        return ListedModelFile(path, found.program, name, problem=str(error))
    try:
        window = fitting_window(model, free_bytes())
        problem = ""
    except LocalModelError as error:
        window, problem = 0, str(error)
    needed = needed_bytes(model, window or min(model.trained_context, 4_096))
    return ListedModelFile(
        path, found.program, name, model.quantisation, model.size, model.trained_context, window, needed, problem
    )


def _serve(connection: PipeConnection, request: StartServer) -> int:
    """Serve a model until the parent is gone; raises `LocalModelError`."""
    model = read_gguf(request.path)
    window = fitting_window(model, free_bytes(), request.window)
    connection.send_bytes(WIRE.encode(ModelRead(model.name, model.size, window)))
    if request.program:
        return _serve_by_program(connection, request, model, window)
    _end_while_loading(connection)
    confine_model_server(request.path)
    try:
        xllamacpp = importlib.import_module("xllamacpp")
    except ImportError as error:
        raise LocalModelError(_not_imported(error)) from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(request.path)
    parameters.model_alias = {model.name}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # the system chooses a free one
    parameters.api_keys = [request.key]
    parameters.n_ctx = window
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.cpuparams.n_threads, parameters.cpuparams_batch.n_threads = worker_threads()
    parameters.fit_params = False  # would load the model's layout once more to find out what we know
    parameters.use_jinja = True
    parameters.ui = False
    parameters.warmup = False
    try:
        server = xllamacpp.Server(parameters)
    # Damaged, unknown architecture, not enough memory, no name in Unicode: it only says that it failed.
    except (RuntimeError, UnicodeEncodeError) as error:
        raise LocalModelError(_not_loaded(model)) from error
    connection.send_bytes(WIRE.encode(ServerStarted(server.listening_address)))
    _end_with_parent(connection)
    return 0


def _serve_by_program(connection: PipeConnection, request: StartServer, model: GgufModel, window: int) -> int:
    program = LlamaProgram(request.program, request.path, model.name, window, worker_threads(), _BATCH, request.key)
    threading.Thread(target=_end_with_parent, args=(connection, program.end), name="parent", daemon=True).start()
    if not (address := program.address()):
        raise LocalModelError(_not_loaded(model))
    connection.send_bytes(WIRE.encode(ServerStarted(address)))
    program.wait()
    return 1


def worker_threads() -> tuple[int, int]:
    """Return the threads that write, one less than there are cores, and those that read, as many as there are.

    llama.cpp's threads wait for each other in loops: where one has no core to itself, all stand still. On two cores
    beside another busy process, two threads wrote .5 tokens a second and one 12.8. Reading waits a hundredth as often:
    two threads read 69 tokens a second instead of 36, and 38 instead of 34 beside a busy process (a model of 1.5B).
    """
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 2
    return max(1, cores - 1), cores


def _not_loaded(model: GgufModel) -> str:
    return (
        f"{model.name} could not be loaded: the memory did not suffice, or its architecture ({model.architecture}) "
        "is unknown to this version of llama.cpp."
    )


def _not_imported(error: ImportError) -> str:
    if library := missing_library(error):
        return (
            f"llama.cpp, which runs model files, needs the system library {library}, which is not installed. "
            f"On Debian and Ubuntu: sudo apt-get install {debian_package(library)}"
        )
    return f"llama.cpp, which runs model files, cannot be loaded ({error}). Install it again."


def _silence() -> None:
    """Discard what the server prints: its log may contain prompts."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _end_while_loading(connection: PipeConnection) -> None:
    """Have the system end this process when the parent is gone: while it loads a model, no Python code can run.

    Where the system does not signal pipes, the process ends when the loading is done.
    """
    if sys.platform != "linux":
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)  # which ends the process
    pipe = connection.fileno()
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _end_with_parent(connection: PipeConnection, before: Callable[[], None] = lambda: None) -> None:
    with contextlib.suppress(EOFError):
        connection.recv_bytes()
    before()
    os._exit(0)  # the server's own end waits for requests that nobody reads any more
