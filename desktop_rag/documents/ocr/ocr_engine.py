"""The interface of OCR engines, and the choice of the one to use on this machine."""

import time
from typing import TYPE_CHECKING, Protocol

from desktop_rag.documents.ocr.recognised_lines import DOTS_PER_INCH
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
    from desktop_rag.documents.render.painter_messages import PagePainted

MAX_PIXELS = 12_000_000  # per page, slightly more than A4 at that resolution

LOOK_AGAIN_SECONDS = 60.0
NO_ENGINE = "OCR is not installed (install Tesseract: package tesseract-ocr)"


class OcrEngine(Protocol):
    """Recognises pages in a restricted child process; use it from one thread and close it at the end."""

    @property
    def name(self) -> str:
        """Return the name to show, with version and languages."""

    def recognise(self, page: "PagePainted", stop: Stop) -> "tuple[RecognisedLine, ...]":
        """Return the lines of a page in reading order; raises `DocumentError`, `Stopped` or `ProcessError`."""

    def close(self) -> None:
        """End its process."""


class _Installed:
    """The engine of this machine; while there is none, it is looked for again, as it may be installed meanwhile."""

    def __init__(self) -> None:
        self._engine: OcrEngine | None = None
        self._look_at = 0.0

    def engine(self) -> OcrEngine | None:
        from desktop_rag.documents.ocr import rapid, tesseract

        now = time.monotonic()
        if self._engine is None and now >= self._look_at:
            self._engine = tesseract.find() or rapid.find()
            self._look_at = now + LOOK_AGAIN_SECONDS
        return self._engine


_installed = _Installed()


def installed_engine() -> OcrEngine | None:
    """Return the best installed engine: Tesseract, else RapidOCR, else None."""
    return _installed.engine()


def with_remedy(note: str) -> str:
    """Return a note about pages that wait, with what becomes of them: recognised here, or what to install."""
    if installed_engine() is None:
        return f"{note} – OCR is not installed (install Tesseract: package tesseract-ocr)"
    return f"{note} – they are being recognised"


def scale_for(width: float, height: float) -> float:
    """Return the pixels per point at which to render a page of this size in points for OCR."""
    return float(min(DOTS_PER_INCH / 72, (MAX_PIXELS / max(1.0, width * height)) ** 0.5))
