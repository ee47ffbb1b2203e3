"""Engines that read the text in a picture, and which of them this machine has."""

from functools import cache
from typing import Protocol

from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.documents.render.painter_messages import PagePainted
from desktop_rag.stop import Stop

MIN_CONFIDENCE = 0.3  # of a line; what is less certain is no text but a texture
DOTS_PER_INCH = 300  # engines are made for the resolution of scanners
MAX_PIXELS = 12_000_000  # of a page, a little more than A4 has at that resolution

NO_ENGINE = "OCR is not installed (Tesseract reads them: package tesseract-ocr)"


class OcrEngine(Protocol):
    """Reads pages in a limited process of its own; use it from one thread, and close it at the end."""

    @property
    def name(self) -> str:
        """Return what a person calls it, with its version and languages."""
        ...

    def recognise(self, page: PagePainted, stop: Stop) -> tuple[RecognisedLine, ...]:
        """Return the lines of a page in reading order; raises `DocumentError`, `Stopped` or `ProcessError`."""
        ...

    def close(self) -> None:
        """End its process."""
        ...


@cache
def installed_engine() -> OcrEngine | None:
    """Return the best engine of this machine: Tesseract, else RapidOCR, else None; looks once."""
    from desktop_rag.documents.ocr import rapid, tesseract

    return tesseract.find() or rapid.find()


def scale_for(width: float, height: float) -> float:
    """Return the pixels a point at which a page of this size in points is painted for an engine."""
    return float(min(DOTS_PER_INCH / 72, (MAX_PIXELS / max(1.0, width * height)) ** 0.5))
