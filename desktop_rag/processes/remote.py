"""The asking end: requests to another process, answered by one reply or a stream, from any thread.

A side that died or fell silent is replaced through `connect`; the request that was under way is asked
once more, because requests only read (or are safe to repeat).
"""

import contextlib
import itertools
import logging
import queue
import struct
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from desktop_rag.errors import ProcessError, Stopped
from desktop_rag.processes.connection import Connection
from desktop_rag.processes.frames import Frame, FrameKind, pack, unpack, unpack_error
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

CLOSING = "The program is closing."
SILENCE_SECONDS = 20.0  # twenty missed heartbeats: a native call may hold the interpreter for some


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A fresh connection and how to end the process behind it."""

    connection: Connection
    kill: Callable[[], None]


class _Gone(Exception):
    """The other side went away in the middle of a request."""


class _Line:
    """One living connection: its receiver thread hands each frame to the request it belongs to."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._waiting: dict[int, queue.SimpleQueue[Frame | None]] = {}
        self._lock = threading.Lock()
        self._gone = False
        self.heard = time.monotonic()
        threading.Thread(target=self._receive, name="remote", daemon=True).start()

    def open(self, request: int) -> "queue.SimpleQueue[Frame | None]":
        inbox: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        with self._lock:
            if self._gone:
                raise _Gone
            self._waiting[request] = inbox
        return inbox

    def forget(self, request: int) -> None:
        with self._lock:
            self._waiting.pop(request, None)

    def send(self, frame: Frame) -> None:
        try:
            self._endpoint.connection.send_bytes(pack(frame))
        except (OSError, ValueError) as error:  # ValueError: closed by another thread
            raise _Gone from error

    def cancel(self, request: int) -> None:
        with contextlib.suppress(_Gone):
            self.send(Frame(request, FrameKind.CANCEL))

    def kill(self) -> None:
        self._endpoint.kill()

    def _receive(self) -> None:
        try:
            while True:
                frame = unpack(self._endpoint.connection.recv_bytes())
                self.heard = time.monotonic()
                with self._lock:
                    inbox = self._waiting.get(frame.request)
                if inbox is not None:
                    inbox.put(frame)
        except (EOFError, OSError, ValueError, struct.error):
            logger.debug("the other side is gone")
        finally:
            with self._lock:
                self._gone = True
                waiting = tuple(self._waiting.values())
            for inbox in waiting:
                inbox.put(None)
            self.kill()  # nothing more comes from it: do not keep a zombie, or a process that talks nonsense


class Remote:
    """A process that answers requests; it is started at the first request and again whenever it is gone.

    `connect` may take its time; it is given a stop that is set when nobody waits for it any more.
    """

    def __init__(self, connect: Callable[[Stop], Endpoint]) -> None:
        self._connect = connect
        self._numbers = itertools.count(1)
        self._connecting = threading.Lock()
        self._lock = threading.Lock()
        self._line: _Line | None = None
        self._ending = Stop()

    def call(self, request: bytes, stop: Stop) -> bytes:
        """Return the one reply to `request`; raises what the other side raised, `Stopped` or `ProcessError`."""
        with contextlib.closing(self.stream(request, stop)) as replies:
            found = tuple(replies)  # to the end, so that the other side is done when this returns
        if not found:
            raise ProcessError("The background process gave no answer. Please try again.")
        return found[0]

    def stream(self, request: bytes, stop: Stop) -> Generator[bytes]:
        """Yield the replies to `request` as they come; closing the generator cancels it."""
        started = False
        for last_try in (False, True):
            try:
                for reply in self._attempt(request, stop):
                    started = True
                    yield reply
            except _Gone as gone:
                if self._ending.is_set():
                    raise ProcessError(CLOSING) from gone
                if started or last_try:
                    raise ProcessError("The background process ended unexpectedly. Please try again.") from gone
                logger.warning("background process is gone; starting it again")
            else:
                return

    def close(self) -> None:
        """End the other side; later requests fail."""
        self._ending.set()
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.kill()

    def _attempt(self, request: bytes, stop: Stop) -> Generator[bytes]:
        stop.check()
        line = self._living_line(stop)
        number = next(self._numbers) & 0xFFFFFFFF
        try:
            inbox = line.open(number)
            ended = False
            line.send(Frame(number, FrameKind.REQUEST, request))
            try:
                with stop.interrupting(lambda: inbox.put(Frame(number, FrameKind.CANCEL))):
                    while (frame := self._next(line, inbox)).kind is FrameKind.REPLY:
                        yield frame.payload
                ended = frame.kind is not FrameKind.CANCEL
            finally:
                line.forget(number)
                if not ended:
                    line.cancel(number)
        except _Gone:
            self._drop(line)
            raise
        if frame.kind is FrameKind.CANCEL:
            raise Stopped
        if frame.kind is FrameKind.FAILURE:
            raise unpack_error(frame.payload)

    def _next(self, line: _Line, inbox: "queue.SimpleQueue[Frame | None]") -> Frame:
        while True:
            try:
                frame = inbox.get(timeout=1.0)
            except queue.Empty:
                if time.monotonic() - line.heard > SILENCE_SECONDS:
                    logger.warning("background process fell silent; ending it")
                    line.kill()
                    raise _Gone from None
                continue
            if frame is None:
                raise _Gone
            return frame

    def _living_line(self, stop: Stop) -> _Line:
        with stop.holding(self._connecting):
            with self._lock:
                if self._line is not None:
                    return self._line
            line = _Line(self._endpoint(stop))
            with self._lock:
                if not self._ending.is_set():
                    self._line = line
                    return line
            line.kill()
            raise ProcessError(CLOSING)

    def _endpoint(self, stop: Stop) -> Endpoint:
        attempt = Stop()
        with stop.interrupting(attempt.set), self._ending.interrupting(attempt.set):
            try:
                attempt.check()
                return self._connect(attempt)
            except OSError as error:
                raise ProcessError(f"A background process cannot be started ({error}).") from error
            except Stopped:
                stop.check()
                raise ProcessError(CLOSING) from None

    def _drop(self, line: _Line) -> None:
        with self._lock:
            if self._line is line:
                self._line = None
        line.kill()
