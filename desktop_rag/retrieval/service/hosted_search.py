"""Searches by the searcher of a program that has the library open, which `search_host` serves there.

A process that only asks needs neither NumPy nor an encoder. Both sides speak only if they are of the same program
version and encoder (`handshake`). One connection is one search: the client sends its handshake and the request of a
searcher, and receives “accepted” and the result or an error. Each message is its length and its bytes.
"""

import os
import socket
import struct
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from desktop_rag import __version__
from desktop_rag.decoding import msgpack_decoder
from desktop_rag.errors import QueryError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.processes.wire import FrameKind, decode_path, decoded, encode_path, unpack_error
from desktop_rag.retrieval.api import SearchRequest, SearchResult
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

PROTOCOL = 13  # another number for every change of the messages, or of `SearchRequest` and `SearchResult`
MOST_REQUEST = 1 << 20  # bytes
MOST_REPLY = 64 << 20
MAX_ADDRESS_BYTES = 100  # the systems' limits are 104 and 108
ACCEPT_SECONDS = 0.3  # a program that is frozen or busy would cost more time than it saves
ANSWER_SECONDS = 10.0

_LENGTH = struct.Struct("!I")
_LINUX_PEER = struct.Struct("3i")  # process, user, group
_MAC_PEER = struct.Struct("Ii")  # version, user; followed by groups
_encoder = msgspec.msgpack.Encoder(enc_hook=encode_path)


def handshake() -> str:
    """Return what both sides must have in common to understand each other, and to find the same."""
    return f"{PROTOCOL} {__version__} {chosen_encoder()}"


def hosted_search(library: Library, request: SearchRequest, stop: Stop) -> SearchResult | None:
    """Return what a program that has `library` open finds, or None if none answers; raises `QueryError`, `Stopped`."""
    sockets = library.search_sockets() if hasattr(socket, "AF_UNIX") else ()
    opening = _encoder.encode((handshake(), ("search", (request,)))) if sockets else b""
    for path in sockets:
        with suppress(OSError, EOFError, ValueError):
            kind, payload = _asked(path, opening, stop)
            if kind is FrameKind.REPLY:
                return decoded(msgpack_decoder(SearchResult, decode_path), payload)
            error = unpack_error(payload)
            if kind is FrameKind.FAILURE and isinstance(error, (QueryError, Stopped)):
                raise error
        stop.check()
    return None


def _asked(path: Path, opening: bytes, stop: Stop) -> tuple[FrameKind, bytes]:
    with socket.socket(socket.AF_UNIX) as connection, stop.interrupting(lambda: _shut(connection)):
        connection.settimeout(ACCEPT_SECONDS)
        with address_of(path) as address:
            connection.connect(address)
        if not is_same_user(connection):
            raise ConnectionRefusedError
        send_message(connection, opening, ACCEPT_SECONDS)
        first = receive(connection, 1, ACCEPT_SECONDS)
        if first != bytes((FrameKind.HEARTBEAT,)):
            raise ConnectionRefusedError
        reply = receive(connection, MOST_REPLY + 1, ANSWER_SECONDS)
        return FrameKind(reply[0]), reply[1:]


@contextmanager
def address_of(path: Path) -> Generator[str]:
    """Yield the address of a socket: of a long path, which no system takes, on Linux one through its open folder."""
    if sys.platform != "linux" or len(os.fsencode(path)) <= MAX_ADDRESS_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # it is not connected yet
        connection.shutdown(socket.SHUT_RDWR)


def send(connection: socket.socket, kind: FrameKind, payload: bytes = b"", seconds: float = ACCEPT_SECONDS) -> None:
    """Send a message of the host; raises `OSError`, also when it was not taken after `seconds`."""
    send_message(connection, bytes((kind,)) + payload, seconds)


def send_message(connection: socket.socket, message: bytes, seconds: float) -> None:
    """Send a message; raises `OSError`, also when it was not taken after `seconds`."""
    connection.settimeout(seconds)
    connection.sendall(_LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket, longest: int, seconds: float) -> bytes:
    """Return the next message; raises `OSError`, `EOFError`, `ValueError` if it is longer or empty."""
    until = time.monotonic() + seconds
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size, until))
    if not 0 < length <= longest:
        raise ValueError("a message of a length that is not allowed")
    return _exactly(connection, length, until)


def _exactly(connection: socket.socket, count: int, until: float) -> bytes:
    received = bytearray()
    while len(received) < count:
        connection.settimeout(max(until - time.monotonic(), 0.001))
        part = connection.recv(min(count - len(received), 1 << 18))
        if not part:
            raise EOFError
        received += part
    return bytes(received)


def is_same_user(connection: socket.socket) -> bool:
    """Return whether the process at the other end belongs to this user, as the kernel says."""
    if sys.platform == "linux":
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_PEER.size)
        return bool(_LINUX_PEER.unpack(peer)[1] == os.getuid())
    if sys.platform == "darwin":
        peer = connection.getsockopt(0, 1, 256)  # SOL_LOCAL, LOCAL_PEERCRED
        return bool(_MAC_PEER.unpack_from(peer)[1] == os.getuid())
    return False
