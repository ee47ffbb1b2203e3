"""The painter child: receives a file once, then renders its pages and locates their characters."""

import logging
from array import array
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.decoding import converted
from desktop_rag.documents.formats.paged_files import open_paged
from desktop_rag.documents.formats.pdf.open_pdf import page_size
from desktop_rag.documents.formats.pdf.pdf_reader import MAX_PAGES
from desktop_rag.documents.render.painter_messages import (
    BLACK,
    PAINTER_REPLIES,
    PAINTER_REQUESTS,
    WHITE,
    OpenForPainting,
    PagePainted,
    PageRead,
    PagesOpened,
    PaintingFailed,
    PaintPage,
    PrintedText,
    ReadPage,
)
from desktop_rag.documents.sandbox.process_limits import allow_cpu, limit_this_process
from desktop_rag.documents.sandbox.reader_messages import CHANGED, receive_blob
from desktop_rag.errors import DocumentError
from desktop_rag.processes.confinement.confine import confine_this_process
from desktop_rag.processes.connection import Connection, parent_connection

if TYPE_CHECKING:
    import pymupdf

logger = logging.getLogger(__name__)

MEMORY_MEGABYTES = 2048
CPU_SECONDS = 30
_MAX_PIXELS = 32_000_000
MAX_CHARACTERS = 50_000  # per page; more is never selected by hand


def main(arguments: list[str]) -> int:
    """Answer requests from the parent until it closes the pipe."""
    connection = parent_connection()
    limit_this_process(MEMORY_MEGABYTES, CPU_SECONDS)
    confine_this_process()
    import pymupdf  # noqa: F401  # at startup, while the window still looks up the cited lines

    painter = _Painter(connection)
    try:
        while True:
            painter.answer()
    except (EOFError, OSError):
        return 0


class _Painter:
    """The open document and the replies about it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._document: pymupdf.Document | None = None

    def answer(self) -> None:
        request = PAINTER_REQUESTS.decode(self._connection.recv_bytes())
        allow_cpu(CPU_SECONDS)
        reply: object
        try:
            reply = self._reply(request)
        except DocumentError as error:
            reply = PaintingFailed(str(error))
        except MemoryError:
            reply = PaintingFailed("Showing this page needs more memory than is allowed.")
        except Exception as error:  # MuPDF raises many types; the page is lost, not the process
            logger.exception("a page could not be painted")
            reply = PaintingFailed(f"This page is damaged and cannot be shown ({type(error).__name__}).")
        self._connection.send_bytes(PAINTER_REPLIES.encode(reply))

    def _reply(self, request: object) -> object:
        match request:
            case OpenForPainting():
                return self._open(request)
            case PaintPage():
                return self._paint(request)
            case ReadPage():
                return PageRead(request.number, runs_of(self._page(request.number)))
        raise DocumentError("The painter received an unknown request.")

    def _open(self, request: OpenForPainting) -> PagesOpened:
        data = receive_blob(self._connection, request.size)
        if self._document is not None:
            self._document.close()
            self._document = None
        if data is None:
            raise DocumentError(CHANGED)
        document = open_paged(request.name, data)
        self._document = document
        return PagesOpened(tuple(page_size(document, number) for number in range(min(document.page_count, MAX_PAGES))))

    def _page(self, number: int) -> "pymupdf.Page":
        if self._document is None or not 1 <= number <= self._document.page_count:
            raise DocumentError("This page does not exist any more.")
        return self._document.load_page(number - 1)

    def _paint(self, request: PaintPage) -> PagePainted:
        import pymupdf

        page = self._page(request.number)
        width, height = page.rect.width, page.rect.height
        scale = min(request.scale, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
        page_painted = PagePainted(request.number, scale, pixels.width, pixels.height, pixels.stride, pixels.samples)
        if (request.paper, request.ink) == (WHITE, BLACK):
            return page_painted
        from desktop_rag.documents.render.dark_pages import darken  # numpy, which most painters never need

        boxes = [tuple(scale * edge for edge in box) for box in _pictures_of(page)]
        return darken(page_painted, request.paper, request.ink, boxes)


class _Character(msgspec.Struct):
    c: str
    bbox: tuple[float, float, float, float]


class _Span(msgspec.Struct):
    chars: list[_Character]


class _Line(msgspec.Struct):
    spans: list[_Span]


class _Block(msgspec.Struct):
    lines: list[_Line] = []


class _Picture(msgspec.Struct):
    bbox: tuple[float, float, float, float]


class _Text(msgspec.Struct):
    blocks: list[_Block]


def runs_of(page: "pymupdf.Page") -> tuple[PrintedText, ...]:
    """Return the character runs of a page in drawing order."""
    runs: list[PrintedText] = []
    characters = 0
    for block in _text_of(page).blocks:
        for line in block.lines:
            run = _run(line)
            characters += len(run.text)
            if characters > MAX_CHARACTERS:
                return tuple(runs)
            if run.text.strip():
                runs.append(run)
    return tuple(runs)


def _text_of(page: "pymupdf.Page") -> _Text:
    return converted(_text_page(page).extractRAWDICT(), _Text)


def _pictures_of(page: "pymupdf.Page") -> tuple[tuple[float, float, float, float], ...]:
    """Return the boxes of the pictures on a page, in points after rotation."""
    import pymupdf

    pictures = _text_page(page, pymupdf.TEXT_PRESERVE_IMAGES).extractIMGINFO()
    return tuple(picture.bbox for picture in converted(pictures, list[_Picture]))


def _text_page(page: "pymupdf.Page", flags: int = 0) -> "pymupdf.TextPage":
    """Return text and pictures of a page; `Page.get_text` gives coordinates before rotation."""
    import pymupdf
    from pymupdf import mupdf

    text = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
    device = mupdf.fz_new_stext_device(text, mupdf.FzStextOptions(pymupdf.TEXT_MEDIABOX_CLIP | flags))
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(text)


def _run(line: _Line) -> PrintedText:
    letters: list[str] = []
    boxes = array("f")
    for span in line.spans:
        for character in span.chars:
            letter = character.c
            if len(letter) == 1:
                letters.append(" " if letter in "\r\n\t\0" else letter)
                boxes.extend(character.bbox)
    return PrintedText("".join(letters), boxes.tobytes())
