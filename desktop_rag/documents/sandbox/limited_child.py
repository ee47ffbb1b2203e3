"""A child process for untrusted files: one request at a time, killed when it exceeds its time or memory.

It is started with the first request and restarted after it was killed.
"""

import logging
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO, TypeVar

import psutil

from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.blob_transfer import send_blob
from desktop_rag.errors import DocumentError, ProcessError
from desktop_rag.processes.child import Child, plain_environment
from desktop_rag.processes.connection import MessageTooLong
from desktop_rag.processes.wire import Wire
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

Reply = TypeVar("Reply")

LONGEST_REPLY = 128 * 1024 * 1024  # bytes: the pixels of a page

_WATCH_SECONDS = 0.25
_PATIENCE = 4  # wall-clock time allowed as a multiple of the CPU time: the machine may be busy
_NEEDED = ("PYTHONPATH", "LANG", "LC_ALL", "SYSTEMROOT")  # the environment variables that a child gets
_TIME_IS_UP = (-getattr(signal, "SIGXCPU", 0), 128 + getattr(signal, "SIGXCPU", 0))


class ChildLost(Exception):
    """The child ended before it replied, after `step` steps; `why` is empty if it crashed."""

    def __init__(self, why: str, step: int) -> None:
        super().__init__(why)
        self.why = why
        self.step = step


class LimitedChild:
    """One child and its connection; call `ask` from one thread, `end` from any."""

    def __init__(self, verb: str, requests: Wire, replies: Wire, memory_megabytes: int) -> None:
        self._verb = verb
        self._requests = requests
        self._replies = replies
        self._memory = memory_megabytes * 1024 * 1024
        self._child: Child | None = None

    @property
    def pid(self) -> int | None:
        """Return the process id of the child, or None if none runs."""
        return self._child.pid if self._child and self._child.is_alive() else None

    def ask(
        self,
        request: object,
        blob: tuple[BinaryIO, int] | None,
        seconds: float,
        stop: Stop,
        longest_reply: int = LONGEST_REPLY,
    ) -> object:
        """Send a request and return its reply of up to `longest_reply` bytes; it may take `seconds` of CPU time.

        Raises `ChildLost`, `Stopped`, `ProcessError`, or `OSError` of the file itself.
        """
        stop.check()
        child = self._running()
        with _watched(child, seconds, self._memory) as watch, stop.interrupting(child.kill):
            try:
                return self._converse(child, request, blob, stop, watch, longest_reply)
            except (EOFError, BrokenPipeError, ValueError) as error:
                logger.debug("%s child %s was lost", self._verb, child.pid)
                self.end()
                stop.check()
                raise ChildLost(watch.why or _why(child, error, seconds), watch.step) from error
            except BaseException:
                self.end()  # it may be in the middle of a message
                raise

    def expect(self, reply: object, kind: type[Reply]) -> Reply:
        """Return `reply` if it is of type `kind`; otherwise kill the child and raise `DocumentError`.

        A wrong reply is evidence that the current file has taken over the child.
        """
        if isinstance(reply, kind):
            return reply
        logger.warning("%s answered with %s instead of %s", self._verb, type(reply).__name__, kind.__name__)
        raise self.distrust()

    def distrust(self) -> DocumentError:
        """Kill a child that sent an invalid reply; return the error to raise."""
        self.end()
        return DocumentError("The process that reads this file sent an invalid reply.")

    def start(self) -> None:
        """Start the child now, so that the first request is answered sooner; raises `ProcessError`."""
        self._running()

    def end(self) -> None:
        """Kill the child; the next request starts another."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def resident_bytes(self) -> int:
        """Return the resident memory of the child."""
        return _resident(self._child.pid) if self._child else 0

    def _running(self) -> Child:
        if self._child is None or not self._child.is_alive():
            self.end()
            environment = {name: value for name, value in plain_environment().items() if name in _NEEDED}
            try:
                self._child = Child.start(self._verb, environment=environment)
            except OSError as error:
                raise ProcessError(f"A background process cannot be started ({error}).") from error
        return self._child

    def _converse(
        self,
        child: Child,
        request: object,
        blob: tuple[BinaryIO, int] | None,
        stop: Stop,
        watch: "_Watch",
        longest_reply: int,
    ) -> object:
        child.connection.send_bytes(self._requests.encode(request))
        failure: OSError | None = None
        if blob is not None:
            try:
                send_blob(child.connection, *blob, stop)
            except BrokenPipeError:
                raise
            except OSError as error:
                failure = error
        reply = self._replies.decode(child.connection.recv_bytes(longest_reply))
        while isinstance(reply, StepReached):
            watch.step = reply.step
            reply = self._replies.decode(child.connection.recv_bytes(longest_reply))
        if failure is not None:
            raise failure
        return reply


class _Watch:
    """The progress of a request, and why its child was killed, if it was."""

    def __init__(self) -> None:
        self.step = 0
        self.why = ""
        self.done = threading.Event()


@contextmanager
def _watched(child: Child, seconds: float, memory: int) -> Generator[_Watch]:
    """Kill `child` if the block takes more than `seconds` of CPU time or the child more than `memory` bytes."""
    watch = _Watch()
    before = _cpu_seconds(child.pid)

    def poll() -> None:
        deadline = time.monotonic() + _PATIENCE * seconds
        while not watch.done.wait(min(_WATCH_SECONDS, seconds)):
            if _cpu_seconds(child.pid) - before >= seconds or time.monotonic() >= deadline:
                watch.why = _too_long(seconds)
            elif _resident(child.pid) > memory:
                watch.why = "needs more memory than is allowed"
            if watch.why:
                child.kill()
                return

    thread = threading.Thread(target=poll, name="watch", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.done.set()
        thread.join()


def _why(child: Child, error: Exception, seconds: float) -> str:
    """Return why a child ended that the watch did not kill, or an empty string for a crash."""
    if isinstance(error, MessageTooLong):
        return "produces more output than is allowed"
    return _too_long(seconds) if child.exit_code in _TIME_IS_UP else ""


def _too_long(seconds: float) -> str:
    return f"took longer than {seconds:.0f} seconds"


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process in seconds."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _resident(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
