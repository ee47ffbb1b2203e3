"""What the indexer and the child that reads pictures say to each other."""

from dataclasses import dataclass

from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class RecognisePage:
    """Read the text on a page whose RGB pixels follow as a blob: `height` rows of `stride` bytes."""

    width: int
    height: int
    stride: int
    scale: float  # pixels a point


@dataclass(frozen=True, slots=True)
class PageRecognised:
    """The lines of the page in reading order."""

    lines: tuple[RecognisedLine, ...]


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """The page cannot be read; `reason` is a sentence for the person."""

    reason: str


RECOGNISER_REQUESTS = Wire(RecognisePage)
RECOGNISER_REPLIES = Wire(PageRecognised, RecognitionFailed)
