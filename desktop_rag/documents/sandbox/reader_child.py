"""The reader child: receives a file name and bytes, replies with a `Document` and its chunks; opens no file."""

import gc
import logging
import math
from dataclasses import replace

from desktop_rag.documents.chunking import split
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.process_limits import SHORT_OF_MEMORY, allow_cpu, limit_this_process
from desktop_rag.documents.sandbox.reader_messages import (
    CHANGED,
    READER_REPLIES,
    READER_REQUESTS,
    DocumentRead,
    DocumentRefused,
    ReadRequest,
    longest_reply,
    receive_blob,
)
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.processes.confinement.confine import confine_this_process
from desktop_rag.processes.connection import Connection, parent_connection
from desktop_rag.processes.shortage import is_memory_short, is_shortage

logger = logging.getLogger(__name__)

MEMORY_MEGABYTES = 2048  # 200 MB of text exist in several copies while they are decoded and sent
_NICENESS = 10
_COLLECTION = 50_000  # objects
_SPARE_BYTES = 128 * 1024 * 1024  # of memory, that most files need at most
_SHARE_FOR_READING = 0.8  # of the time limit; the rest is for chunking and sending


def main(arguments: list[str]) -> int:
    """Answer requests from the parent until it closes the pipe."""
    connection = parent_connection()
    limit_this_process(MEMORY_MEGABYTES, cpu_seconds=30, niceness=_NICENESS)
    confine_this_process()
    gc.freeze()  # a collection need not go through what was imported …
    gc.set_threshold(_COLLECTION)  # … nor often through what a file is read into, which has few cycles
    try:
        connection.send_bytes(READER_REPLIES.encode(StepReached(0)))  # all is imported: what fails now is about a file
        while True:
            _answer(connection)
    except MemoryError:
        return SHORT_OF_MEMORY
    except (EOFError, OSError):
        return 0


def _answer(connection: Connection) -> None:
    request = READER_REQUESTS.decode(connection.recv_bytes())
    assert isinstance(request, ReadRequest)
    allow_cpu(math.ceil(request.seconds))
    reply = READER_REPLIES.encode(_outcome(connection, request))
    if len(reply) > longest_reply(request.size):
        reply = READER_REPLIES.encode(
            DocumentRefused("This file contains far more text than its size allows.", ProblemKind.LIMIT)
        )
    connection.send_bytes(reply)


def _outcome(connection: Connection, request: ReadRequest) -> DocumentRead | DocumentRefused:
    """Read the file; what is not all of it says whether memory is short, which its own appetite has freed by then."""
    short = False
    outcome: DocumentRead | DocumentRefused
    try:
        outcome = _read(connection, request)
    except DocumentError as error:
        outcome = DocumentRefused(str(error), error.kind)
    except MemoryError:
        outcome = DocumentRefused("Reading this file needs more memory than is allowed.", ProblemKind.LIMIT)
    except Exception as error:  # a bug in a reader costs this file, not the process
        logger.exception("a file could not be read")
        outcome = DocumentRefused(f"This file cannot be read ({type(error).__name__}).")
        short = isinstance(error, ImportError) and is_shortage(error)
    if isinstance(outcome, DocumentRead) and not outcome.document.partial:
        return outcome
    return replace(outcome, short=short or is_memory_short(_SPARE_BYTES))


def _read(connection: Connection, request: ReadRequest) -> DocumentRead:
    data = receive_blob(connection, request.size)
    if data is None:
        raise DocumentError(CHANGED)
    document = read_document(
        request.name,
        data,
        request.seconds * _SHARE_FOR_READING,
        request.until,
        lambda reached: connection.send_bytes(READER_REPLIES.encode(reached)),
    )
    return DocumentRead(document, tuple(split(document)))
