"""Sends the bytes of a file to a child in pieces after the request, so that neither side holds two copies."""

from typing import BinaryIO

from desktop_rag.processes.connection import Connection
from desktop_rag.stop import Stop

PIECE_BYTES = 1024 * 1024

CHANGED = "This file changed while it was read; it will be read again."


def send_blob(connection: Connection, file: BinaryIO, size: int, stop: Stop) -> None:
    """Send `size` bytes of `file` in pieces; an empty piece signals that the file is shorter by now."""
    left = size
    while left > 0:
        stop.check()
        try:
            piece = file.read(min(PIECE_BYTES, left))
        except OSError:  # an unplugged drive: unblock the receiver
            connection.send_bytes(b"")
            raise
        connection.send_bytes(piece)
        if not piece:
            return
        left -= len(piece)


def receive_blob(connection: Connection, size: int) -> bytes | None:
    """Return the `size` bytes that follow a request, or None if the file is shorter by now."""
    pieces: list[bytes] = []
    left = size
    while left > 0:
        piece = connection.recv_bytes()
        if not piece:
            return None
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
