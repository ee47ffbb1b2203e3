"""What MuPDF finds on one page: pieces of text with their places, pictures, comments and links.

MuPDF prints a page's text as JSON in C; decoding that is several times faster than asking for its
objects one by one from Python. What JSON does not carry is asked for only on pages that have it.
"""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.formats.pdf.annotations import comments_and_files, links_of
from desktop_rag.documents.formats.pdf.printed_words import Comment, PrintedPiece, WebLink
from desktop_rag.documents.formats.pdf.text_directions import Direction

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

_SCALE = 100.0  # MuPDF prints whole numbers: hundredths of a point
_FEW_CHARACTERS = 60  # a stamp, a page number
_MAX_OF_A_PAGE = 0.6
_DRAWN_BYTES = 4000  # of a page without text: its letters may be drawn as curves
_CLOSE = 0.06  # of a rectangle: to one of its sides
_NOTHING = "\ufffd "


class _Rect(msgspec.Struct, gc=False):
    x: float
    y: float
    w: float
    h: float


class _Font(msgspec.Struct, gc=False):
    size: float
    weight: str = ""


class _Line(msgspec.Struct, gc=False):
    bbox: _Rect
    font: _Font
    text: str
    x: float
    y: float
    wmode: int = 0


class _Block(msgspec.Struct, gc=False):
    bbox: _Rect | None = None
    lines: list[_Line] | None = None


class _Text(msgspec.Struct, gc=False):
    blocks: list[_Block]


_decoder = msgspec.json.Decoder(_Text)


@dataclass(slots=True)
class RawPage:
    """A page before its text is put in order; pieces come with the direction in which they run."""

    width: float
    height: float
    pieces: dict[Direction, list[PrintedPiece]] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)
    links: list[WebLink] = field(default_factory=list)
    pinned: list["mupdf.PdfObj"] = field(default_factory=list)  # files
    is_picture: bool = False

    @property
    def characters(self) -> int:
        """Return how much text there is."""
        return sum(len(piece.text) for group in self.pieces.values() for piece in group)


def read_page(page: "pymupdf.Page") -> RawPage:
    """Return what is on a page; MuPDF's own errors are the caller's to catch."""
    from pymupdf import TEXT_MEDIABOX_CLIP, TEXT_PRESERVE_IMAGES, mupdf

    shown = mupdf.fz_bound_page(page.this)
    stext = mupdf.FzStextPage(shown)
    device = mupdf.fz_new_stext_device(stext, mupdf.FzStextOptions(TEXT_MEDIABOX_CLIP | TEXT_PRESERVE_IMAGES))
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())  # with the values of form fields
    mupdf.fz_close_device(device)
    buffer = mupdf.FzBuffer(4096)
    out = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(out, stext, _SCALE)
    out.fz_close_output()
    text = _decoded(mupdf.fz_buffer_extract_copy(buffer))
    width, height = shown.x1 - shown.x0, shown.y1 - shown.y0
    found = RawPage(width, height, _pieces(text, width, height))
    found.comments, found.pinned = comments_and_files(page, stext)
    found.links = links_of(page, stext)
    found.is_picture = _is_picture(page, text, found)
    return found


def _decoded(data: bytes) -> _Text:
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError:  # a broken font can name characters that are not Unicode
        repaired = json.loads(data.decode("utf-8", "replace"), strict=False)
        return msgspec.convert(repaired, _Text)


def _pieces(text: _Text, width: float, height: float) -> dict[Direction, list[PrintedPiece]]:
    pieces: dict[Direction, list[PrintedPiece]] = {}
    drawn: set[tuple[str, int, int]] = set()
    for number, block in enumerate(text.blocks):
        for line in block.lines or ():
            words = (line.text if line.text.isprintable() else clean(line.text)).strip()
            if not words or not words.strip(_NOTHING):
                continue
            rect = line.bbox
            at = (words, int(rect.x // _SCALE), int(rect.y // _SCALE))
            if at in drawn:  # bold or shadowed by being drawn twice
                continue
            drawn.add(at)
            x0, y0 = max(0.0, rect.x / _SCALE), max(0.0, rect.y / _SCALE)
            x1, y1 = min(width, (rect.x + rect.w + 1) / _SCALE), min(height, (rect.y + rect.h + 1) / _SCALE)
            if x0 < x1 and y0 < y1:
                size, bold = line.font.size / _SCALE, line.font.weight == "bold"
                direction = _direction(line)
                base = (line.y if direction.is_level else line.x) / _SCALE
                piece = PrintedPiece(words, x0, y0, x1, y1, base, size, bold, number)
                pieces.setdefault(direction, []).append(piece)
    return pieces


def _direction(line: _Line) -> Direction:
    """Return where the text runs, told from the origin of its first character within the line's rectangle.

    The origin lies on the base line, at the very beginning of the text.
    """
    if line.wmode:
        return Direction.DOWN
    rect = line.bbox
    from_left, from_top = line.x - rect.x, line.y - rect.y
    if from_left <= _CLOSE * rect.w:
        return Direction.RIGHT
    if from_top >= (1 - _CLOSE) * rect.h:
        return Direction.UP
    if from_top <= _CLOSE * rect.h:
        return Direction.DOWN
    return Direction.LEFT if from_left >= (1 - _CLOSE) * rect.w and from_top < 0.5 * rect.h else Direction.RIGHT


def _is_picture(page: "pymupdf.Page", text: _Text, found: RawPage) -> bool:
    """Return whether a page holds only a picture of its text."""
    characters = found.characters
    if characters >= _FEW_CHARACTERS:
        return False
    pictures = [block.bbox for block in text.blocks if block.lines is None and block.bbox is not None]
    if characters:
        covered = max((rect.w * rect.h / _SCALE**2 for rect in pictures), default=0.0)
        return covered > _MAX_OF_A_PAGE * found.width * found.height
    return bool(pictures) or len(page.read_contents()) > _DRAWN_BYTES
