"""HTTP to one node of a cluster over a connection that is kept, by the standard library.

A search sends several small requests; of a client for everything a request takes three times the processor time.
"""

import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from desktop_rag.errors import TeamError

# Notices a node that is away: its system acknowledges nothing, or its process stands still, which TCP hides.

SILENT_SECONDS = 2.0  # without an answer: then the node is asked whether it lives
_LOOKS, _IDLE_LOOKS = 8, 40  # at a request that waits; without a request
PROBE_SECONDS = 1.5  # for the answer to that; a busy node has it at once
# A node whose system acknowledges nothing for three seconds is away; that of a busy one does.
_UNHEARD = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1, "TCP_USER_TIMEOUT": 3_000}


class NodeWatch:
    """Calls `give_up` if a request waits longer than `SILENT_SECONDS` for a node that no longer `lives`.

    A node that is only busy is waited for, and asked again. `give_up` never runs after its request. The thread that
    looks after requests ends when there were none for a while; to begin one for each would cost more than to send it.
    """

    def __init__(self, lives: Callable[[str], bool], give_up: Callable[[], None]) -> None:
        self._lives, self._give_up = lives, give_up
        self._lock = threading.Lock()
        self._waiting: tuple[str, float] | None = None  # the node, and since when it is waited for
        self._running = False

    @contextmanager
    def watching(self, node: str) -> Generator[None]:
        """Watch a node that is waited for in the block."""
        with self._lock:
            self._waiting = node, time.monotonic()
            if not self._running:
                self._running = True
                threading.Thread(target=self._watch, name="node watch", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting = None

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(SILENT_SECONDS / _LOOKS)
            with self._lock:
                waiting = self._waiting
                idle = idle + 1 if waiting is None else 0
                if idle > _IDLE_LOOKS:
                    self._running = False
                    return
            if waiting is None or time.monotonic() - waiting[1] < SILENT_SECONDS:
                continue
            lives = self._lives(waiting[0])
            with self._lock:
                if self._waiting is not waiting:
                    continue
                self._waiting = waiting[0], time.monotonic()
                if not lives:
                    self._give_up()


def socket_options() -> list[tuple[int, int, int]]:
    """Return the options by which the system gives up a connection whose other end is away."""
    known = ((getattr(socket, name, None), value) for name, value in _UNHEARD.items())  # systems differ
    options = [(socket.IPPROTO_TCP, option, value) for option, value in known if option is not None]
    return [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), *options]


MOST_REPLY = 256 * 1024 * 1024  # bytes, unpacked
_PART = 1 << 20
_LONGEST, _MOST_HEADERS = 1 << 16, 100  # bytes of a line of the head, and lines
_BODILESS = (http.client.NO_CONTENT, http.client.NOT_MODIFIED)
_UNQUOTED = "/?&=%,_*~:-."
HTTP_ERRORS = (OSError, http.client.HTTPException, zlib.error, ValueError)  # ValueError: closed meanwhile


class Reply(NamedTuple):
    """The status and the unpacked body of an answer."""

    status: int
    body: bytes


class NodeHttp:
    """A connection to `origin`, opened by the first request; with https `trust` is its TLS context.

    `opened` receives the socket of each new connection, through which another thread may end a request. Raises
    ValueError for an impossible origin or header.
    """

    def __init__(
        self,
        origin: str,
        headers: Mapping[str, bytes],
        trust: ssl.SSLContext | None,
        opened: Callable[[socket.socket], None] = lambda _: None,
    ) -> None:
        self.origin = origin
        parts = urlsplit(origin)
        self._host = (parts.hostname or "").encode("idna").decode()
        self._port = parts.port or (443 if trust is not None else 80)
        named = f"[{self._host}]" if ":" in self._host else self._host
        told = {"Host": f"{named}:{self._port}" if parts.port else named}
        lines = [(name.encode(), value) for name, value in headers.items()]
        lines += [(name.encode(), value.encode()) for name, value in told.items()]
        if any(b"\n" in value or b"\r" in value for _, value in lines):
            raise ValueError("a header of several lines")
        self._head = b"".join(b"%s: %s\r\n" % line for line in lines)
        self._trust, self._opened = trust, opened
        self._socket: socket.socket | None = None

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        connection, self._socket = self._socket, None
        if connection is not None:
            connection.close()

    def send(
        self, method: str, path: str, data: bytes | None, kind: str, connect_seconds: float, seconds: float
    ) -> Reply:
        """Return the answer to a request; raises one of `HTTP_ERRORS`, or `TeamError` for more than any answer has."""
        if self._socket is not None and _has_ended(self._socket):
            self.close()
        try:
            connection = self._socket = self._socket or self._connected(connect_seconds)
            connection.settimeout(seconds)
            first = f"{method} {_quoted(path)} HTTP/1.1\r\nContent-Type: {kind}\r\n".encode()
            length = b"Content-Length: %d\r\n\r\n" % len(data or b"")
            connection.sendall(b"".join((first, self._head, length, data or b"")))  # one packet, if it is short
            with closing(_Response(connection, method=method)) as reply:
                reply.begin()
                found = Reply(reply.status, _body(reply))
        except BaseException:
            self.close()  # what is left of the answer would be taken for the next one
            raise
        if reply.will_close:
            self.close()
        return found

    def _connected(self, seconds: float) -> socket.socket:
        """Return a new connection; it and the handshake may take `seconds`."""
        connection = socket.create_connection((self._host, self._port), seconds)
        try:
            for option in ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), *socket_options()):
                connection.setsockopt(*option)
            self._opened(connection)
            if self._trust is not None:
                connection = self._trust.wrap_socket(connection, server_hostname=self._host)
                self._opened(connection)
        except BaseException:
            connection.close()
            raise
        return connection


class _Response(http.client.HTTPResponse):
    """Reads the head of an answer line by line: the parser of the standard library is one for mails, and slow."""

    packed = False  # with gzip

    def begin(self) -> None:
        """See the base class; raises one of `HTTP_ERRORS`."""
        version, self.status, head = self._head()
        while self.status == http.client.CONTINUE:
            version, self.status, head = self._head()
        self.chunked = head.get(b"transfer-encoding", b"").lower() == b"chunked"
        self.chunk_left = None
        length = head.get(b"content-length") if self.status not in _BODILESS else b"0"
        self.length = int(length) if length is not None and not self.chunked else None
        if self.length is not None and self.length < 0:
            raise http.client.HTTPException("a negative length")
        kept = head.get(b"connection", b"keep-alive" if version == b"HTTP/1.1" else b"close").lower() != b"close"
        self.will_close = not kept or not (self.chunked or self.length is not None)
        self.packed = head.get(b"content-encoding") == b"gzip"

    def _head(self) -> tuple[bytes, int, dict[bytes, bytes]]:
        version, status = self._line().split(None, 2)[:2]
        found: dict[bytes, bytes] = {}
        while line := self._line():
            name, _, value = line.partition(b":")
            found[name.lower()] = value.strip()
            if len(found) > _MOST_HEADERS:
                raise http.client.HTTPException("too many headers")
        return version, int(status), found

    def _line(self) -> bytes:
        line = self.fp.readline(_LONGEST)
        if not line.endswith(b"\n"):
            raise http.client.HTTPException("a cut or too long line")
        return line.strip()


def _has_ended(connection: socket.socket) -> bool:
    """Return whether the other end has closed a connection on which nothing is awaited."""
    connection.settimeout(0.0)
    try:
        socket.socket.recv(connection, 1, socket.MSG_PEEK)  # not SSLSocket's, which has no such flag
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
    return True


def _body(reply: _Response) -> bytes:
    unpack = zlib.decompressobj(wbits=31) if reply.packed else None
    body = bytearray()
    while part := reply.read(_PART):
        body += unpack.decompress(part, MOST_REPLY + 1 - len(body)) if unpack is not None else part
        if len(body) > MOST_REPLY:
            raise TeamError("The team's server sent more than any answer has. Ask whoever runs it.")
    if reply.length:
        raise http.client.IncompleteRead(bytes(body[:0]), reply.length)
    return bytes(body)


@lru_cache(maxsize=64)
def _quoted(path: str) -> str:
    return quote(path, safe=_UNQUOTED)
