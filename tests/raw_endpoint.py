"""An endpoint on loopback that sends any bytes, broken anywhere: what an HTTP library would not let a test write.

    with RawEndpoint([stream(b"data: {", RESET)]) as endpoint:
        ...

Each connection reads one request and plays the next entry of the script; the last one is repeated. An entry is a
sequence of steps: bytes to send, or one of the steps below. Nothing sleeps but `Pause`.
"""

import contextlib
import re
import socket
import ssl
import struct
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

READ_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait for `seconds`, or until the client hangs up."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Flood:
    """Send `block` up to `count` times, until the client hangs up."""

    block: bytes
    count: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Reset:
    """Close the connection with a TCP reset."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Answer without reading the request; only as the first step."""


HOLD = Pause(60.0)
RESET = Reset()
UNREAD = Unread()

Step = bytes | Pause | Flood | Reset | Unread


def head(status: str = "200 OK", *fields: str) -> bytes:
    """Return the head of a response."""
    return "\r\n".join((f"HTTP/1.1 {status}", *fields, "", "")).encode()


def stream(*steps: Step, fields: Sequence[str] = ("Content-Type: text/event-stream",)) -> tuple[Step, ...]:
    """Return a stream of events that ends with the connection."""
    return (head("200 OK", *fields, "Connection: close"), *steps)


def chunked(data: bytes) -> bytes:
    """Return `data` as one chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def body(status: str, text: bytes, *fields: str) -> tuple[Step, ...]:
    """Return a whole response."""
    return (head(status, f"Content-Length: {len(text)}", *fields), text)


@dataclass(frozen=True, slots=True)
class RawRequest:
    """What the client sent on one connection."""

    start_line: str
    headers: bytes
    body: bytes


class RawEndpoint:
    """The server; `requests` are those it read, in order."""

    def __init__(
        self,
        script: Sequence[Sequence[Step]],
        *,
        tls: ssl.SSLContext | None = None,
        family: socket.AddressFamily = socket.AF_INET,
    ) -> None:
        self._script = list(script)
        self._tls = tls
        self._listener = socket.create_server(("::1" if family is socket.AF_INET6 else "127.0.0.1", 0), family=family)
        self._host = "[::1]" if family is socket.AF_INET6 else "127.0.0.1"
        self._closing = threading.Event()
        self._connections: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.requests: list[RawRequest] = []
        self.arrived = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="raw-endpoint")

    @property
    def port(self) -> int:
        """Return the port it listens on."""
        return int(self._listener.getsockname()[1])

    @property
    def root_url(self) -> str:
        """Return the address without `/v1`."""
        return f"{'https' if self._tls else 'http'}://{self._host}:{self.port}"

    @property
    def base_url(self) -> str:
        """Return the address a profile takes."""
        return f"{self.root_url}/v1"

    def play(self, script: Sequence[Sequence[Step]]) -> None:
        """Play another script from the next connection on."""
        with self._lock:
            self._script = list(script)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        for thread in self._connections:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                steps = self._script.pop(0) if len(self._script) > 1 else self._script[0]
                self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection, steps), name="raw-connection")
            self._connections.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket, steps: Sequence[Step]) -> None:
        connection = plain
        connection.settimeout(READ_SECONDS)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.callback(plain.close)
            if self._tls:
                connection = stack.enter_context(self._tls.wrap_socket(plain, server_side=True))
            if steps[:1] != (UNREAD,):
                self.requests.append(_read_request(connection))
                self.arrived.set()
            for step in steps:
                self._play(step, connection)
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            while not self._closing.is_set() and connection.recv(65_536):
                pass  # a close with unread bytes would be a reset

    def _play(self, step: Step, connection: socket.socket) -> None:
        match step:
            case bytes():
                connection.sendall(step)
            case Flood(block, count):
                for _ in range(count):
                    connection.sendall(block)
            case Pause(seconds):
                connection.settimeout(seconds)
                with contextlib.suppress(TimeoutError):
                    if not connection.recv(1):
                        raise ConnectionAbortedError
                connection.settimeout(READ_SECONDS)
            case Reset():
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                raise ConnectionAbortedError
            case Unread():
                pass


def _read_request(connection: socket.socket) -> RawRequest:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _received(connection)
    headers, _, content = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length:\s*(\d+)", headers)
    while length and len(content) < int(length[1]):
        content += _received(connection)
    start, _, rest = headers.partition(b"\r\n")
    return RawRequest(start.decode("latin-1"), rest, content)


def _received(connection: socket.socket) -> bytes:
    if block := connection.recv(65_536):
        return block
    raise ConnectionAbortedError


def split_everywhere(data: bytes) -> Iterator[bytes]:
    """Yield `data` byte by byte."""
    return (data[at : at + 1] for at in range(len(data)))
