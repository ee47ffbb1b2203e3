"""What the indexer and the window say to the reader and painter children, and what these answer."""

from dataclasses import dataclass

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.readers.source import StepReached

READER_VERSION = 2  # raise it when a reader's output changes: contents are read again under the new number


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


@dataclass(frozen=True, slots=True)
class OpenForPainting:
    """The paged file whose bytes follow as a blob is to be painted from now on."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class PaintPage:
    """Paint page `number` (from 1) at `scale` pixels a point."""

    number: int
    scale: float


@dataclass(frozen=True, slots=True)
class PagesOpened:
    """The file has these pages: (width, height) in points, as shown."""

    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PagePainted:
    """RGB pixels, 3 bytes a pixel, rows of `stride` bytes."""

    number: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PaintingFailed:
    """The page or file cannot be painted; `reason` is a sentence for the person."""

    reason: str
