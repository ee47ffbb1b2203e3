"""The painter child: gets the bytes of a PDF once, then paints the pages it is asked for."""

import logging
from typing import TYPE_CHECKING

from desktop_rag.documents.blobs import CHANGED, PAINTER_REPLIES, PAINTER_REQUESTS, receive_blob
from desktop_rag.documents.limits import allow_cpu, limit_this_process
from desktop_rag.documents.readers.pdf.pages import MAX_PAGES, open_pdf
from desktop_rag.documents.requests import OpenForPainting, PagePainted, PagesOpened, PaintingFailed, PaintPage
from desktop_rag.errors import DocumentError
from desktop_rag.processes.connection import Connection, parent_connection

if TYPE_CHECKING:
    import pymupdf

logger = logging.getLogger(__name__)

MEMORY_MEGABYTES = 2048
CPU_SECONDS = 30
_MAX_PIXELS = 32_000_000


def main(arguments: list[str]) -> int:
    """Answer requests from the parent until it closes the pipe."""
    connection = parent_connection()
    limit_this_process(MEMORY_MEGABYTES, CPU_SECONDS)
    painter = _Painter(connection)
    try:
        while True:
            painter.answer()
    except (EOFError, OSError):
        return 0


class _Painter:
    """The open document, and what is said about it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._document: pymupdf.Document | None = None

    def answer(self) -> None:
        request = PAINTER_REQUESTS.decode(self._connection.recv_bytes())
        allow_cpu(CPU_SECONDS)
        reply: object
        try:
            reply = self._open(request) if isinstance(request, OpenForPainting) else self._paint(request)
        except DocumentError as error:
            reply = PaintingFailed(str(error))
        except MemoryError:
            reply = PaintingFailed("Showing this page needs more memory than is allowed.")
        except Exception as error:  # MuPDF raises many kinds; the page is lost, not the process
            logger.exception("a page could not be painted")
            reply = PaintingFailed(f"This page is damaged and cannot be shown ({type(error).__name__}).")
        self._connection.send_bytes(PAINTER_REPLIES.encode(reply))

    def _open(self, request: OpenForPainting) -> PagesOpened:
        data = receive_blob(self._connection, request.size)
        if self._document is not None:
            self._document.close()
            self._document = None
        if data is None:
            raise DocumentError(CHANGED)
        document = open_pdf(data)
        self._document = document
        return PagesOpened(tuple(_size(document, number) for number in range(min(document.page_count, MAX_PAGES))))

    def _paint(self, request: object) -> PagePainted:
        import pymupdf

        assert isinstance(request, PaintPage)
        if self._document is None or not 1 <= request.number <= self._document.page_count:
            raise DocumentError("This page does not exist any more.")
        page = self._document.load_page(request.number - 1)
        width, height = page.rect.width, page.rect.height
        scale = min(request.scale, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
        return PagePainted(request.number, scale, pixels.width, pixels.height, pixels.stride, pixels.samples)


def _size(document: "pymupdf.Document", number: int) -> tuple[float, float]:
    from pymupdf import mupdf

    try:
        shown = mupdf.fz_bound_page(document.load_page(number).this)
    except (RuntimeError, ValueError, mupdf.FzErrorBase):
        return 595.0, 842.0  # a broken page still has its place among the others
    return shown.x1 - shown.x0, shown.y1 - shown.y0
