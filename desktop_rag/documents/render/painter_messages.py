"""What the window and the painter child say to each other."""

from dataclasses import dataclass

from desktop_rag.processes.wire import Wire


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
