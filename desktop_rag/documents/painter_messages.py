"""What the window and the painter child say to each other."""

from dataclasses import dataclass

from desktop_rag.documents.requests import OpenForPainting, PagePainted, PagesOpened, PaintingFailed, PaintPage
from desktop_rag.processes.wire import Wire

__all__ = [
    "PAINTER_REPLIES",
    "PAINTER_REQUESTS",
    "OpenForPainting",
    "PagePainted",
    "PageRead",
    "PagesOpened",
    "PaintPage",
    "PaintingFailed",
    "PrintedText",
    "ReadPage",
]


@dataclass(frozen=True, slots=True)
class ReadPage:
    """Tell which characters stand where on page `number` (from 1), so that they can be selected."""

    number: int


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A run of characters on one base line; `boxes` has four float32 a character (x0 y0 x1 y1), in points as shown."""

    text: str
    boxes: bytes


@dataclass(frozen=True, slots=True)
class PageRead:
    """The text of a page in the order in which the file draws it."""

    number: int
    runs: tuple[PrintedText, ...]


PAINTER_REQUESTS = Wire(OpenForPainting, PaintPage, ReadPage)
PAINTER_REPLIES = Wire(PagesOpened, PagePainted, PageRead, PaintingFailed)
