"""RapidOCR, an engine of Python models in a child process; for machines without Tesseract (the extra `ocr`)."""

import importlib.metadata
import io

from desktop_rag.documents.ocr.recognised_lines import (
    RECOGNISER_REPLIES,
    RECOGNISER_REQUESTS,
    PageRecognised,
    RecognisedLine,
    RecognisePage,
)
from desktop_rag.documents.render.painter_messages import PagePainted
from desktop_rag.documents.sandbox.limited_child import ChildLost, LimitedChild
from desktop_rag.errors import DocumentError, ProcessError
from desktop_rag.stop import Stop

MEMORY_MEGABYTES = 4096  # the models and their intermediate results
SECONDS = 120.0
LONGEST_REPLY = 8 * 1024 * 1024


def find() -> "Rapid | None":
    """Return the engine if its package is installed."""
    try:
        return Rapid(importlib.metadata.version("rapidocr"))
    except importlib.metadata.PackageNotFoundError:
        return None


class Rapid:
    """An engine whose models stay loaded in a child process."""

    def __init__(self, version: str) -> None:
        self.name = f"RapidOCR {version}"
        self._child = LimitedChild("_recogniser", RECOGNISER_REQUESTS, RECOGNISER_REPLIES, MEMORY_MEGABYTES)

    def recognise(self, page: PagePainted, stop: Stop) -> tuple[RecognisedLine, ...]:
        """Return the lines of a page in reading order; raises `DocumentError`, `Stopped` or `ProcessError`."""
        request = RecognisePage(page.width, page.height, page.stride, page.scale)
        pixels = (io.BytesIO(page.pixels), len(page.pixels))
        try:
            reply = self._child.ask(request, pixels, SECONDS, stop, LONGEST_REPLY)
        except ChildLost as lost:
            if lost.from_outside:
                raise ProcessError(f"Recognising text was interrupted: {lost.why}.") from lost
            why = lost.why or "crashed the engine"
            raise DocumentError(f"The text of this page could not be recognised: it {why}.") from lost
        if not isinstance(reply, PageRecognised):
            raise DocumentError("The text of this page could not be recognised.")
        return reply.lines

    def close(self) -> None:
        """End the child."""
        self._child.end()
