"""The messages between the GUI and the painter child."""

from dataclasses import dataclass

from desktop_rag.processes.wire import Wire

WHITE, BLACK = 0xFFFFFF, 0x000000


@dataclass(frozen=True, slots=True)
class OpenForPainting:
    """Open the paged file whose bytes follow as a blob."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class PaintPage:
    """Render page `number` (from 1) at `scale` pixels per point, white as `paper` and black as `ink` (0xRRGGBB)."""

    number: int
    scale: float
    paper: int = WHITE
    ink: int = BLACK


@dataclass(frozen=True, slots=True)
class PagesOpened:
    """The (width, height) of each page in points, after rotation."""

    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PagePainted:
    """A rendered page: RGB pixels, 3 bytes each, in rows of `stride` bytes."""

    number: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PaintingFailed:
    """The page or file cannot be rendered; `reason` is a sentence for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReadPage:
    """Locate the characters of page `number` (from 1), so that they can be selected."""

    number: int


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A run of characters on one baseline; `boxes` has x0 y0 x1 y1 of each as float32, in points after rotation."""

    text: str
    boxes: bytes


@dataclass(frozen=True, slots=True)
class PageRead:
    """The text of a page in drawing order."""

    number: int
    runs: tuple[PrintedText, ...]


PAINTER_REQUESTS = Wire(OpenForPainting, PaintPage, ReadPage)
PAINTER_REPLIES = Wire(PagesOpened, PagePainted, PageRead, PaintingFailed)
