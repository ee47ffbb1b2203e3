"""The messages between the indexer and a reader child."""

from dataclasses import dataclass
from typing import BinaryIO

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.source_file import StepReached, max_characters
from desktop_rag.errors import ProblemKind
from desktop_rag.processes.connection import Connection
from desktop_rag.processes.wire import Wire
from desktop_rag.stop import Stop

_REPLY_BASE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Read the file whose bytes follow as a blob; name and bytes choose the reader."""

    name: str
    size: int
    seconds: float = 30.0
    until: StepReached | None = None  # the step at which an earlier attempt lost its process


@dataclass(frozen=True)
class DocumentRead:
    """The document of a file and its chunks; chunking in the child keeps the parent's threads free."""

    document: Document
    chunks: tuple[DraftChunk, ...]
    short: bool = False  # of memory, after the document was read in part


@dataclass(frozen=True, slots=True)
class DocumentRefused:
    """The file cannot be read; `reason` is a sentence for the user."""

    reason: str
    kind: ProblemKind = ProblemKind.OTHER
    short: bool = False  # of memory, after what was read is freed


READER_REQUESTS = Wire(ReadRequest)
READER_REPLIES = Wire(DocumentRead, DocumentRefused, StepReached)


def longest_reply(size: int) -> int:
    """Return the maximum bytes of the reply for a file of `size` bytes: its text, chunks and line positions."""
    return _REPLY_BASE_BYTES + 4 * max_characters(size)


# Sends the bytes of a file to a child in pieces after the request, so that neither side holds two copies.

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
