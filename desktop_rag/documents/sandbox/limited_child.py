"""A child process for untrusted files: one request at a time, killed when it exceeds its CPU time or memory.

It is started with the first request and restarted after it was killed. The clock limits only a child that waits and
does nothing: neither a busy machine nor a suspended one is the fault of a file.
"""

import logging
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO, TypeVar

import psutil

from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.process_limits import (
    SHORT_OF_MEMORY,
    is_from_outside,
    out_of_memory_kills,
    was_killed,
)
from desktop_rag.documents.sandbox.reader_messages import send_blob
from desktop_rag.errors import DocumentError, ProblemKind, ProcessError
from desktop_rag.processes.child import Child, plain_environment
from desktop_rag.processes.connection import MessageTooLong
from desktop_rag.processes.shortage import is_memory_short
from desktop_rag.processes.wire import Wire
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

Reply = TypeVar("Reply")

LONGEST_REPLY = 128 * 1024 * 1024  # bytes: the pixels of a page

NO_MEMORY = "the system ran out of memory"
_WATCH_SECONDS = 0.25
_EXIT_SECONDS = 30.0  # for a child whose pipe has closed: on a busy machine a nice process ends late
_NEEDED = ("PYTHONPATH", "LANG", "LC_ALL", "SYSTEMROOT")  # the environment variables that a child gets
_TIME_IS_UP = (-getattr(signal, "SIGXCPU", 0), 128 + getattr(signal, "SIGXCPU", 0))


class ChildLost(Exception):
    """The child ended before it replied, after `step` steps; `why` is empty if it crashed.

    If it was ended `from_outside`, its request is not the cause. A `silent` one has sent nothing since its start.
    """

    def __init__(self, why: str, step: int, *, from_outside: bool = False, silent: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.step = step
        self.from_outside = from_outside
        self.silent = silent


class LimitedChild:
    """One child and its connection; call `ask` from one thread, `end` from any."""

    def __init__(self, verb: str, requests: Wire, replies: Wire, memory_megabytes: int) -> None:
        self._verb = verb
        self._requests = requests
        self._replies = replies
        self._memory = memory_megabytes * 1024 * 1024
        self._child: Child | None = None
        self._memory_kills = 0  # by the system, before the child was started
        self._silent = True

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
        watch = _Watch(child, seconds, self._memory)
        with _WATCHER.watching(watch), stop.interrupting(child.kill):
            try:
                return self._converse(child, request, blob, stop, watch, longest_reply)
            except (EOFError, BrokenPipeError, ValueError) as error:
                lost = self._lost(child, error, watch, seconds)
                logger.debug("%s child %s was lost: %s", self._verb, child.pid, lost.why)
                self.end()
                stop.check()
                raise lost from error
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
        return DocumentError("The process that reads this file sent an invalid reply.", ProblemKind.CRASHED)

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

    def is_greedy(self, resident: int) -> bool:
        """Return whether a child with so many resident bytes has taken much of what it may have."""
        return 2 * resident > self._memory

    def _running(self) -> Child:
        if self._child is None or not self._child.is_alive():
            self.end()
            environment = {name: value for name, value in plain_environment().items() if name in _NEEDED}
            try:
                self._child = Child.start(self._verb, environment=environment)
                self._memory_kills = out_of_memory_kills()
                self._silent = True
            except OSError as error:
                raise ProcessError(f"A background process cannot be started ({error}).") from error
        return self._child

    def _lost(self, child: Child, error: Exception, watch: "_Watch", seconds: float) -> ChildLost:
        """Return why a child was lost, with an empty `why` for a crash."""
        if watch.why:
            return ChildLost(watch.why, watch.step)
        if isinstance(error, MessageTooLong):
            return ChildLost("produces more output than is allowed", watch.step)
        exit_code = None if isinstance(error, ValueError) else child.wait(_EXIT_SECONDS)
        if exit_code in _TIME_IS_UP:
            return ChildLost(_too_long(seconds), watch.step)
        if exit_code == SHORT_OF_MEMORY and self.is_greedy(watch.peak):
            return ChildLost("needs more memory than is allowed", watch.step)
        if exit_code == SHORT_OF_MEMORY or (not is_from_outside(exit_code) and is_memory_short()):
            return ChildLost(NO_MEMORY, watch.step, from_outside=True)
        if not is_from_outside(exit_code):
            return ChildLost("", watch.step, silent=self._silent)
        short_of_memory = was_killed(exit_code) and out_of_memory_kills() > self._memory_kills
        why = NO_MEMORY if short_of_memory else "its process was ended from outside"
        return ChildLost(why, watch.step, from_outside=True)

    def _converse(
        self,
        child: Child,
        request: object,
        blob: tuple[BinaryIO, int] | None,
        stop: Stop,
        watch: "_Watch",
        longest_reply: int,
    ) -> object:
        child.connection.send_bytes(self._requests.encode(request), follows=blob is not None and blob[1] > 0)
        failure: OSError | None = None
        if blob is not None:
            try:
                send_blob(child.connection, *blob, stop)
            except BrokenPipeError:
                raise
            except OSError as error:
                failure = error
        watch.waits = True
        while isinstance(reply := self._replies.decode(child.connection.recv_bytes(longest_reply)), StepReached):
            self._silent = False
            watch.step = reply.step
        self._silent = False
        if failure is not None:
            raise failure
        return reply


class _Watch:
    """The limits and the progress of one request, and why its child was killed, if it was."""

    def __init__(self, child: Child, seconds: float, memory: int) -> None:
        self.step = 0
        self.peak = 0  # bytes of resident memory
        self.why = ""
        self.waits = False  # the child has all of the request
        self._child = child
        self._seconds = seconds
        self._memory = memory
        self._allowed_cpu = self._cpu = self._idle = 0.0
        self._began = self._polled_at = time.monotonic()

    def poll(self) -> bool:
        """Kill the child if it has used more CPU time or memory than it may, or has done nothing for as long."""
        last_cpu, self._cpu = self._cpu, _cpu_seconds(self._child.pid)
        last_poll, self._polled_at = self._polled_at, time.monotonic()
        if not self._allowed_cpu:  # the first time: of the CPU time until now, it can have used no more than has passed
            self._allowed_cpu = max(0.0, self._cpu - (self._polled_at - self._began)) + self._seconds
        elif self.waits and self._cpu == last_cpu and _is_asleep(self._child.pid):
            self._idle += min(self._polled_at - last_poll, 2 * _WATCH_SECONDS)  # in a longer gap we did not run either
        self.peak = max(self.peak, _resident(self._child.pid))
        if self._cpu >= self._allowed_cpu:
            self.why = _too_long(self._seconds)
        elif self._idle >= self._seconds:
            self.why = f"made no progress for {self._seconds:.0f} seconds"
        elif self.peak > self._memory:
            self.why = "needs more memory than is allowed"
        if self.why:
            self._child.kill()
        return bool(self.why)


class _Watcher:
    """Polls all requests from one thread: a thread for each would cost more than most files."""

    def __init__(self) -> None:
        self._watches: set[_Watch] = set()
        self._lock = threading.Lock()
        self._some = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, watch: _Watch) -> Generator[None]:
        """Poll `watch` while the block runs."""
        with self._lock:
            self._watches.add(watch)
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="watch", daemon=True)
                thread.start()  # fails without memory: the next request tries again
                self._thread = thread
        self._some.set()
        try:
            yield
        finally:
            with self._lock:
                self._watches.discard(watch)

    def _run(self) -> None:
        while True:
            self._some.wait()
            time.sleep(_WATCH_SECONDS)
            with self._lock:
                for watch in tuple(self._watches):
                    try:
                        ended = watch.poll()
                    except Exception:  # the last resort of the thread: no later request may be without limits
                        logger.exception("a child could not be watched")
                        ended = False
                    if ended:
                        self._watches.discard(watch)
                if not self._watches:
                    self._some.clear()


_WATCHER = _Watcher()


def _too_long(seconds: float) -> str:
    return f"took longer than {seconds:.0f} seconds of processor time"


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process in seconds."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _is_asleep(pid: int) -> bool:
    """Return whether a process waits, and is neither stopped nor short of a processor or of a disk.

    Windows reports every process as running: there one without CPU time counts as asleep.
    """
    try:
        status = psutil.Process(pid).status()
    except psutil.Error:
        return False
    return status == psutil.STATUS_SLEEPING or sys.platform == "win32"


def _resident(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
