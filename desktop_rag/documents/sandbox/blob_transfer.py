"""How the bytes of a file travel to a child: in pieces after the request, so that neither side holds them twice."""

from typing import BinaryIO

from desktop_rag.processes.connection import Connection
from desktop_rag.stop import Stop

PIECE = 1024 * 1024

CHANGED = "This file changed while it was read; it will be read again."


def send_blob(connection: Connection, file: BinaryIO, size: int, stop: Stop) -> None:
    """Send `size` bytes of `file` in pieces; an empty piece tells that the file has become shorter."""
    left = size
    while left > 0:
        stop.check()
        try:
            piece = file.read(min(PIECE, left))
        except OSError:  # an unplugged drive: the other side must not wait for the rest
            connection.send_bytes(b"")
            raise
        connection.send_bytes(piece)
        if not piece:
            return
        left -= len(piece)


def receive_blob(connection: Connection, size: int) -> bytes | None:
    """Return the `size` bytes that follow a request, or None if the file has become shorter."""
    pieces: list[bytes] = []
    left = size
    while left > 0:
        piece = connection.recv_bytes()
        if not piece:
            return None
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
