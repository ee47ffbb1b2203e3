"""How the bytes of a file travel to a child: in pieces after the request, so that neither side holds them twice."""

from typing import BinaryIO

from desktop_rag.documents.formats.source_file import StepReached, max_characters
from desktop_rag.documents.sandbox.reader_messages import DocumentRead, DocumentRefused, ReadRequest
from desktop_rag.processes.connection import Connection
from desktop_rag.processes.wire import Wire
from desktop_rag.stop import Stop

PIECE = 1024 * 1024

READER_REQUESTS = Wire(ReadRequest)
READER_REPLIES = Wire(DocumentRead, DocumentRefused, StepReached)

_FREE_BYTES = 8 * 1024 * 1024

CHANGED = "This file changed while it was read; it will be read again."


def longest_reply(size: int) -> int:
    """Return how many bytes a file of `size` bytes may become: its text with its chunks and places."""
    return _FREE_BYTES + 4 * max_characters(size)


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
