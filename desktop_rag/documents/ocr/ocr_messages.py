"""The messages between the indexer and the OCR child."""

from dataclasses import dataclass

from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class RecognisePage:
    """Recognise the text of a page whose RGB pixels follow as a blob: `height` rows of `stride` bytes."""

    width: int
    height: int
    stride: int
    scale: float  # pixels per point


@dataclass(frozen=True, slots=True)
class PageRecognised:
    """The lines of the page in reading order."""

    lines: tuple[RecognisedLine, ...]


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """The page cannot be recognised; `reason` is a sentence for the user."""

    reason: str


RECOGNISER_REQUESTS = Wire(RecognisePage)
RECOGNISER_REPLIES = Wire(PageRecognised, RecognitionFailed)
