"""The one server of this process that runs model files: started by the first question, shared by all, ended when idle.

`SharedServer.serving` yields how far the loading is and returns the endpoint, which `release` gives back.
"""

import atexit
import importlib.util
import secrets
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.chat import TurnProgress
from desktop_rag.llm.local_model.llama_program import find_program
from desktop_rag.llm.local_model.server_child import (
    WIRE,
    CannotServe,
    ListedModelFile,
    ListModels,
    ModelRead,
    ServerStarted,
    StartServer,
)
from desktop_rag.processes.child import Child
from desktop_rag.settings import DIRECT, Profile
from desktop_rag.stop import Stop, result_of

NAME = "On this computer"  # of the profile
_COMMANDS = {"win32": "winget install llama.cpp"}  # as llama.cpp's documentation names them; elsewhere Homebrew's
_NOT_INSTALLED = (
    "Model files are run by llama.cpp, which is not part of the program. Install it with `{0}`, or run the file with "
    "Ollama or LM Studio and use that as a model."
)
_POLL_SECONDS = 0.25
_END_SECONDS, _END_POLL_SECONDS = 3.0, 0.02  # until a process whose connection broke has ended
_NOT_STARTED = "The process of the model could not be started ({0})."
_DIED = (
    "The model's process ended unexpectedly, most likely because the memory did not suffice. Close other programs, "
    "choose a smaller context window, or a smaller model."
)


@dataclass(frozen=True, slots=True)
class LocalEndpoint:
    """A running server: its profile, the key that only we know, and its process."""

    profile: Profile
    key: str
    process: int


def is_available(profile: Profile | None = None) -> bool:
    """Return whether llama.cpp is installed: the package, its program `llama-server`, or that of `profile`."""
    return _has_package() or bool(find_program() or (profile and profile.model_program))


def install_command() -> str:
    """Return the command that installs llama.cpp for this program."""
    if not getattr(sys, "frozen", False):
        return "pip install 'desktop-rag[local-llm]'"
    return _COMMANDS.get(sys.platform, "brew install llama.cpp")


def _has_package() -> bool:
    return importlib.util.find_spec("xllamacpp") is not None


def file_profile(path: Path, name: str = NAME, model: str = "", window: int = 0, program: str = "") -> Profile:
    """Return the profile of a model file; `window` in tokens is the largest context wanted, 0 for the usual most.

    `program` is the `llama-server` that runs it; empty: an installed one.
    """
    return Profile(
        name,
        "",
        model or path.stem,
        window,
        proxy=DIRECT,
        price_in=0,
        price_out=0,
        model_file=str(path.resolve()),
        model_program=program,
    )


def listed_files(stop: Stop, path: Path | None = None) -> Generator[ListedModelFile]:
    """Yield the model files of this computer as a child finds them, or only that at `path`.

    Raises `LocalModelError` and `Stopped`.
    """
    with closing(_start()) as child, stop.interrupting(child.end):
        try:
            child.connection.send_bytes(WIRE.encode(ListModels(path)))
            while True:
                listed = WIRE.decode(child.connection.recv_bytes())
                if isinstance(listed, ListedModelFile):
                    yield listed
        except (OSError, EOFError):
            stop.check()


class _Load:
    """One child, from its start on: `endpoint` or `error` is set when its model is loaded, or cannot be."""

    def __init__(self, profile: Profile, changed: threading.Condition) -> None:
        self.profile = profile
        self.users = 0
        self.endpoint: LocalEndpoint | None = None
        self.error: LocalModelError | None = None
        self.size = 0  # of the file in bytes, once it is read
        self._changed = changed
        self._key = secrets.token_urlsafe(32)
        self._child = _start()
        threading.Thread(target=self._receive, name="local model", daemon=True).start()

    def is_usable(self, profile: Profile) -> bool:
        """Return whether this is, or becomes, a server for the file and context of `profile`."""
        return self.error is None and self._child.is_alive() and _wanted(profile) == _wanted(self.profile)

    def is_over(self) -> bool:
        """Return whether the loading succeeded or failed."""
        return self.endpoint is not None or self.error is not None

    def is_alive(self) -> bool:
        """Return whether the child still runs."""
        return self._child.is_alive()

    def progress(self) -> TurnProgress:
        """Return how much of the model is in memory, in bytes."""
        try:
            child = psutil.Process(self._child.pid)
            processes = (child, *child.children()) if self.size else ()
            done = sum(process.memory_info().rss for process in processes)
        except psutil.Error:
            done = 0
        return TurnProgress("loading", min(done, self.size * 99 // 100), max(self.size, 1))

    def end(self) -> None:
        """End the child, which ends its `llama-server`."""
        self._child.close()

    def _receive(self) -> None:
        endpoint, error = None, LocalModelError(_DIED)
        try:
            program = self.profile.model_program or ("" if _has_package() else find_program())
            asked = StartServer(Path(self.profile.model_file), self.profile.context_window, self._key, program)
            self._child.connection.send_bytes(WIRE.encode(asked))
            match WIRE.decode(self._child.connection.recv_bytes()):
                case ModelRead(name, size, window):
                    self.size = size
                    match WIRE.decode(self._child.connection.recv_bytes()):
                        case ServerStarted(address):
                            endpoint = self._endpoint(address, name, window)
                        case CannotServe(reason):
                            error = LocalModelError(reason)
                case CannotServe(reason):
                    error = LocalModelError(reason)
        except (OSError, EOFError, ValueError):
            pass
        with self._changed:
            self.endpoint, self.error = endpoint, None if endpoint else error
            self._changed.notify_all()
        if endpoint is None:
            self._child.close()

    def _endpoint(self, address: str, name: str, window: int) -> LocalEndpoint:
        profile = replace(
            self.profile,
            base_url=f"{address}/v1",
            model=name,
            context_window=window,
            max_output=min(self.profile.max_output, window // 4),
        )
        return LocalEndpoint(profile, self._key, self._child.pid)


class SharedServer:
    """At most one child, for one model file at a time; every method is thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._load: _Load | None = None
        self._timer: threading.Timer | None = None

    def serving(self, profile: Profile, stop: Stop) -> Generator[TurnProgress, None, LocalEndpoint]:
        """Yield the progress until the file of `profile` is served, and return its endpoint; then call `release`.

        Raises `LocalModelError` and `Stopped`.
        """
        if not is_available(profile):
            raise LocalModelError(_NOT_INSTALLED.format(install_command()))
        while (load := self._enter(profile)) is None:
            yield TurnProgress("loading", 0, 0)
            stop.wait(_POLL_SECONDS)
            stop.check()
        try:
            with stop.interrupting(self._wake):
                while not load.is_over():
                    yield load.progress()
                    with self._changed:
                        if not load.is_over() and not stop.is_set():
                            self._changed.wait(_POLL_SECONDS)
                    stop.check()
            if load.endpoint is None:
                raise load.error or LocalModelError(_DIED)
        except BaseException:
            self._leave(load)
            raise
        return load.endpoint

    def release(self, endpoint: LocalEndpoint) -> None:
        """Give the endpoint back: unused, the model leaves the memory after the minutes that its profile says."""
        with self._changed:
            if self._load is not None and self._load.endpoint is endpoint:
                self._leave(self._load)

    def _leave(self, load: _Load) -> None:
        with self._changed:
            if self._load is not load:
                return
            load.users -= 1
            if load.users > 0:
                return
            if load.endpoint is None:  # nobody waits for it any more
                self._end()
            elif load.profile.idle_minutes:
                self._timer = threading.Timer(60.0 * load.profile.idle_minutes, self._end_idle, (load,))
                self._timer.daemon = True
                self._timer.start()
            self._changed.notify_all()

    def has_died(self, endpoint: LocalEndpoint, stop: Stop) -> bool:
        """Return whether the process behind `endpoint` is gone, or ends within seconds; raises `Stopped`.

        Its connections break before it has ended: the system frees the memory of the model first.
        """
        until = time.monotonic() + _END_SECONDS
        while True:
            with self._changed:
                if self._load is None or self._load.endpoint is not endpoint or not self._load.is_alive():
                    return True
            if time.monotonic() > until:
                return False
            stop.wait(_END_POLL_SECONDS)
            stop.check()

    def is_loaded(self) -> bool:
        """Return whether a model is in memory or on its way there."""
        with self._changed:
            return self._load is not None and self._load.is_alive()

    def close(self) -> None:
        """End the child; the next question starts another one."""
        with self._changed:
            self._end()
            self._changed.notify_all()

    def _enter(self, profile: Profile) -> _Load | None:
        """Return the load that serves `profile`, begun if need be; None while another model is in use."""
        with self._changed:
            load = self._load
            if load is not None and load.is_usable(profile):
                self._cancel_timer()
            elif load is not None and load.users > 0 and load.is_alive():
                return None
            else:
                self._end()
                load = self._load = _Load(profile, self._changed)
            load.users += 1
            return load

    def _end(self) -> None:
        self._cancel_timer()
        if self._load is not None:
            self._load.end()
            self._load = None

    def _end_idle(self, load: _Load) -> None:
        with self._changed:
            if self._load is load and not load.users:
                self._end()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


_shared = SharedServer()
atexit.register(_shared.close)


def shared_server() -> SharedServer:
    """Return the server of this process."""
    return _shared


@contextmanager
def running(path: Path, stop: Stop, window: int = 0) -> Generator[LocalEndpoint]:
    """Serve a file with a server of its own while the block runs; raises `LocalModelError` and `Stopped`.

    `window` in tokens is the largest context wanted, 0 for the usual most.
    """
    server = SharedServer()
    try:
        yield result_of(server.serving(file_profile(path, window=window), stop))
    finally:
        server.close()


def _wanted(profile: Profile) -> tuple[str, int, str]:
    return profile.model_file, profile.context_window, profile.model_program


def _start() -> Child:
    try:
        return Child.start("_model")
    except OSError as error:
        raise LocalModelError(_NOT_STARTED.format(error.strerror)) from error
