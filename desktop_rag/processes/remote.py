"""The client side of a connection: sends requests from any thread and receives one reply or a stream.

A process that died, or sent no heartbeat for too long, is replaced through `connect`; the request in progress is
retried once, because requests only read or are safe to repeat.
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
from typing import Protocol

from desktop_rag.errors import DesktopRagError, ProcessError, Stopped
from desktop_rag.processes.connection import Connection
from desktop_rag.processes.wire import Frame, FrameKind, pack, unpack, unpack_error
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

CLOSING = "The program is closing."
_UNEXPECTED = "The background process ended unexpectedly. Please try again."
HEARTBEAT_TIMEOUT_SECONDS = 20.0  # five heartbeats: a native call may hold the interpreter for some
START_TIMEOUT_SECONDS = 300.0  # before the first heartbeat: imports take minutes from a slow disk, or on a busy machine


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A new connection and how to end the process behind it."""

    connection: Connection
    kill: Callable[[], None]


class Caller(Protocol):
    """What answers encoded requests: a `Remote`, or an asker of a `RemotePool`."""

    def call(self, request: bytes, stop: Stop) -> bytes:
        """Return the first reply; raises the error of the other side, `Stopped` or `ProcessError`."""

    def stream(self, request: bytes, stop: Stop) -> Generator[bytes]:
        """Yield the replies as they come; closing the generator cancels the request."""

    def close(self) -> None:
        """End the process; later requests fail."""


class _ConnectionLost(Exception):
    """The connection ended during a request."""


class _Channel:
    """One open connection; its receiver thread puts each frame into the inbox of its request."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._waiting: dict[int, queue.SimpleQueue[Frame | None]] = {}
        self._lock = threading.Lock()
        self._lost = False
        self._heard = False
        self._last_received = time.monotonic()
        self._suspected = -1.0  # the silence since that moment was noticed before
        threading.Thread(target=self._receive, name="remote", daemon=True).start()

    @property
    def is_open(self) -> bool:
        with self._lock:
            return self._heard and not self._lost

    def register(self, request: int) -> "queue.SimpleQueue[Frame | None]":
        inbox: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        with self._lock:
            if self._lost:
                raise _ConnectionLost
            self._waiting[request] = inbox
        return inbox

    def unregister(self, request: int) -> None:
        with self._lock:
            self._waiting.pop(request, None)

    def send(self, frame: Frame) -> None:
        try:
            self._endpoint.connection.send_bytes(pack(frame))
        except (OSError, ValueError) as error:  # ValueError: closed by another thread
            raise _ConnectionLost from error

    def cancel(self, request: int) -> None:
        with contextlib.suppress(_ConnectionLost):
            self.send(Frame(request, FrameKind.CANCEL))

    def kill(self) -> None:
        self._endpoint.kill()

    def is_silent(self) -> bool:
        """Return whether nothing was received for too long, seen at two calls in a row.

        After a pause of this process itself, a sleep of the computer for one, what came meanwhile is read in between.
        """
        since = self._last_received
        limit = HEARTBEAT_TIMEOUT_SECONDS if self._heard else START_TIMEOUT_SECONDS
        is_overdue = time.monotonic() - since > limit
        was_suspected, self._suspected = self._suspected == since, since if is_overdue else -1.0
        return is_overdue and was_suspected

    def _receive(self) -> None:
        try:
            while True:
                frame = unpack(self._endpoint.connection.recv_bytes())
                self._heard, self._last_received = True, time.monotonic()
                with self._lock:
                    inbox = self._waiting.get(frame.request)
                if inbox is not None:
                    inbox.put(frame)
        except (EOFError, OSError, ValueError, struct.error):
            logger.debug("the connection has ended")
        finally:
            with self._lock:
                self._lost = True
                waiting = tuple(self._waiting.values())
            for inbox in waiting:
                inbox.put(None)
            self.kill()  # nothing more comes from it: leave no zombie, and no process that sends garbage


class Remote:
    """A process that answers encoded requests; started at the first request, and again after it has ended.

    `connect` may take long; its stop is set when the request is cancelled or the remote closed. `why_lost` knows why
    the process ended, if anybody does.
    """

    def __init__(
        self, connect: Callable[[Stop], Endpoint], why_lost: Callable[[], DesktopRagError | None] = lambda: None
    ) -> None:
        self._connect = connect
        self._why_lost = why_lost
        self._numbers = itertools.count(1)
        self._connecting = threading.Lock()
        self._lock = threading.Lock()
        self._channel: _Channel | None = None
        self._closed = Stop()

    @property
    def is_connected(self) -> bool:
        """Whether the process has been started and has not ended."""
        with self._lock:
            return self._channel is not None and self._channel.is_open

    def call(self, request: bytes, stop: Stop) -> bytes:
        """Return the first reply to `request`; raises the error of the other side, `Stopped` or `ProcessError`."""
        with contextlib.closing(self.stream(request, stop)) as replies:
            received = tuple(replies)  # all, so that the other side is done when this returns
        if not received:
            raise ProcessError("The background process gave no answer. Please try again.")
        return received[0]

    def stream(self, request: bytes, stop: Stop) -> Generator[bytes]:
        """Yield the replies to `request` as they come; closing the generator cancels the request."""
        has_replied = False
        for is_retry in (False, True):
            try:
                for reply in self._attempt(request, stop):
                    has_replied = True
                    yield reply
            except _ConnectionLost as lost:
                if self._closed.is_set():
                    raise ProcessError(CLOSING) from lost
                if has_replied or is_retry:
                    raise self._why_lost() or ProcessError(_UNEXPECTED) from lost
                logger.warning("the background process has ended; starting it again")
            else:
                return

    def close(self) -> None:
        """End the process; later requests fail."""
        self._closed.set()
        with self._lock:
            channel, self._channel = self._channel, None
        if channel is not None:
            channel.kill()

    def _attempt(self, request: bytes, stop: Stop) -> Generator[bytes]:
        stop.check()
        channel = self._open_channel(stop)
        number = next(self._numbers) & 0xFFFFFFFF
        try:
            inbox = channel.register(number)
            ended = False
            channel.send(Frame(number, FrameKind.REQUEST, request))
            try:
                with stop.interrupting(lambda: inbox.put(Frame(number, FrameKind.CANCEL))):
                    while (frame := self._next(channel, inbox)).kind is FrameKind.REPLY:
                        yield frame.payload
                ended = frame.kind is not FrameKind.CANCEL
            finally:
                channel.unregister(number)
                if not ended:
                    channel.cancel(number)
        except _ConnectionLost:
            self._drop(channel)
            raise
        if frame.kind is FrameKind.CANCEL:
            raise Stopped
        if frame.kind is FrameKind.FAILURE:
            raise unpack_error(frame.payload)

    def _next(self, channel: _Channel, inbox: "queue.SimpleQueue[Frame | None]") -> Frame:
        seconds = 1.0
        while True:
            try:
                frame = inbox.get(timeout=seconds)
            except queue.Empty:
                if channel.is_silent():
                    logger.warning("the background process sends no heartbeat; ending it")
                    channel.kill()
                    raise _ConnectionLost from None
                seconds = HEARTBEAT_TIMEOUT_SECONDS / 5  # who follows a status waits for hours
                continue
            if frame is None:
                raise _ConnectionLost
            return frame

    def _open_channel(self, stop: Stop) -> _Channel:
        with stop.holding(self._connecting):
            with self._lock:
                if self._channel is not None:
                    return self._channel
            channel = _Channel(self._endpoint(stop))
            with self._lock:
                if not self._closed.is_set():
                    self._channel = channel
                    return channel
            channel.kill()
            raise ProcessError(CLOSING)

    def _endpoint(self, stop: Stop) -> Endpoint:
        attempt = Stop()
        with stop.interrupting(attempt.set), self._closed.interrupting(attempt.set):
            try:
                attempt.check()
                return self._connect(attempt)
            except OSError as error:
                raise ProcessError(f"A background process cannot be started ({error}).") from error
            except Stopped:
                stop.check()
                raise ProcessError(CLOSING) from None

    def _drop(self, channel: _Channel) -> None:
        with self._lock:
            if self._channel is channel:
                self._channel = None
        channel.kill()
