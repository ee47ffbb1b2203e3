"""The messages between the indexer and a reader child."""

from dataclasses import dataclass

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.source_file import StepReached, max_characters
from desktop_rag.errors import ProblemKind
from desktop_rag.processes.wire import Wire

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
