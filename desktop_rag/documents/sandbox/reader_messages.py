"""What the indexer says to the reader children, and what these answer."""

from dataclasses import dataclass

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.source_file import StepReached, max_characters
from desktop_rag.processes.wire import Wire

_REPLY_BASE_BYTES = 8 * 1024 * 1024

READER_VERSION = 3  # raise it when a reader's output changes: contents are read again under the new number


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Read the file whose bytes follow as a blob; `name` decides the reader together with the bytes."""

    name: str
    size: int
    seconds: float = 30.0
    until: StepReached | None = None  # where an earlier reading was lost


@dataclass(frozen=True)
class DocumentRead:
    """The file became this document, in these chunks; splitting here keeps the asker's threads free."""

    document: Document
    chunks: tuple[DraftChunk, ...]


@dataclass(frozen=True, slots=True)
class DocumentRefused:
    """The file cannot be turned into text; `reason` is a sentence for the person."""

    reason: str


READER_REQUESTS = Wire(ReadRequest)
READER_REPLIES = Wire(DocumentRead, DocumentRefused, StepReached)


def longest_reply(size: int) -> int:
    """Return the maximum bytes of the reply for a file of `size` bytes: its text, chunks and line positions."""
    return _REPLY_BASE_BYTES + 4 * max_characters(size)
