"""HTTP to one node of a cluster over a connection that is kept, by the standard library.

A search sends several small requests; of a client for everything a request takes three times the processor time.
"""

import http.client
import socket
import ssl
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from desktop_rag.errors import TeamError
from desktop_rag.team.node_watch import socket_options

MOST_REPLY = 256 * 1024 * 1024  # bytes, unpacked
_PART = 1 << 20
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
            with closing(http.client.HTTPResponse(connection, method=method)) as reply:
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


def _body(reply: http.client.HTTPResponse) -> bytes:
    unpack = zlib.decompressobj(wbits=31) if reply.getheader("Content-Encoding") == "gzip" else None
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
