"""Extracts one page with MuPDF: positioned pieces of text, pictures, annotations and links.

MuPDF writes the text of a page as JSON in C; decoding that is several times faster than visiting its
objects one by one from Python. Annotations and links, which JSON lacks, are read only where present.
"""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.decoding import converted
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.formats.pdf.annotations import comments_and_files, links_of
from desktop_rag.documents.formats.pdf.hidden_pieces import mark_hidden_pieces
from desktop_rag.documents.formats.pdf.printed_words import Comment, PrintedPiece, WebLink
from desktop_rag.documents.formats.pdf.spaced_letters import are_set_apart, joined_words
from desktop_rag.documents.formats.pdf.text_directions import Direction

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

_SCALE = 100.0  # MuPDF writes integers: hundredths of a point
_FEW_CHARACTERS = 60  # as of a stamp or a page number
_PICTURE_SHARE = 0.6
_DRAWN_BYTES = 4000  # of drawing commands on a page without text: its letters may be curves
_THUMBNAIL = 400.0  # pixels on the longer side of the picture that shows whether a page is blank
_CLOSE = 0.06  # of a rectangle's size: distance that counts as touching its side
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
    """A page before layout; the pieces of text by direction."""

    width: float
    height: float
    pieces: dict[Direction, list[PrintedPiece]] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)
    links: list[WebLink] = field(default_factory=list)
    pinned: list["mupdf.PdfObj"] = field(default_factory=list)  # embedded files
    is_picture: bool = False

    @property
    def characters(self) -> int:
        """Return the number of characters of text."""
        return sum(len(piece.text) for group in self.pieces.values() for piece in group)


def read_page(page: "pymupdf.Page") -> RawPage:
    """Extract a page; raises MuPDF's own errors."""
    from pymupdf import TEXT_MEDIABOX_CLIP, TEXT_PRESERVE_IMAGES, mupdf

    shown = mupdf.fz_bound_page(page.this)
    stext = mupdf.FzStextPage(shown)
    device = mupdf.fz_new_stext_device(stext, mupdf.FzStextOptions(TEXT_MEDIABOX_CLIP | TEXT_PRESERVE_IMAGES))
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())  # including form field values
    mupdf.fz_close_device(device)
    buffer = mupdf.FzBuffer(4096)
    out = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(out, stext, _SCALE)
    out.fz_close_output()
    text = _decode(mupdf.fz_buffer_extract_copy(buffer))
    width, height = shown.x1 - shown.x0, shown.y1 - shown.y0
    if any(are_set_apart(line.text) for block in text.blocks for line in block.lines or ()):
        joined = joined_words(page, TEXT_MEDIABOX_CLIP)
        for line in (line for block in text.blocks for line in block.lines or ()):
            line.text = joined.get(line.text.strip(), line.text)
    found = RawPage(width, height, _pieces(text, width, height))
    mark_hidden_pieces(page, [piece for group in found.pieces.values() for piece in group])
    found.comments, found.pinned = comments_and_files(page, stext)
    found.links = links_of(page, stext)
    found.is_picture = _is_picture(page, text, found)
    return found


def _decode(data: bytes) -> _Text:
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError:  # damaged fonts produce invalid Unicode
        repaired = json.loads(data.decode("utf-8", "replace"), strict=False)
        return converted(repaired, _Text)


def _pieces(text: _Text, width: float, height: float) -> dict[Direction, list[PrintedPiece]]:
    pieces: dict[Direction, list[PrintedPiece]] = {}
    drawn: set[tuple[str, int, int]] = set()
    for number, block in enumerate(text.blocks):
        for line in block.lines or ():
            words = (line.text if line.text.isprintable() else clean(line.text)).strip()
            if not words or not words.strip(_NOTHING):
                continue
            rect = line.bbox
            position = (words, int(rect.x // _SCALE), int(rect.y // _SCALE))
            if position in drawn:  # drawn twice for a bold or shadow effect
                continue
            drawn.add(position)
            x0, y0 = max(0.0, rect.x / _SCALE), max(0.0, rect.y / _SCALE)
            x1, y1 = min(width, (rect.x + rect.w + 1) / _SCALE), min(height, (rect.y + rect.h + 1) / _SCALE)
            if x0 < x1 and y0 < y1:
                size, bold = line.font.size / _SCALE, line.font.weight == "bold"
                direction = _direction(line)
                base = (line.y if direction.is_horizontal else line.x) / _SCALE
                piece = PrintedPiece(words, x0, y0, x1, y1, base, size, bold, number)
                pieces.setdefault(direction, []).append(piece)
    return pieces


def _direction(line: _Line) -> Direction:
    """Return the direction of a line, from the origin of its first character within the rectangle.

    The origin is on the baseline at the start of the text.
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
    """Return whether a page has no text layer, only pictures or curves."""
    characters = found.characters
    if characters >= _FEW_CHARACTERS:
        return False
    pictures = [block.bbox for block in text.blocks if block.lines is None and block.bbox is not None]
    if characters:
        covered = sum(rect.w * rect.h / _SCALE**2 for rect in pictures)  # scanners save strips, too
        return covered > _PICTURE_SHARE * found.width * found.height
    return bool(pictures) or len(page.read_contents()) > _DRAWN_BYTES or _shows_anything(page)


def _shows_anything(page: "pymupdf.Page") -> bool:
    """Return whether a page without text is not blank: letters may be curves, or of a font without a meaning."""
    import pymupdf

    zoom = min(1.0, _THUMBNAIL / max(page.rect.width, page.rect.height, 1.0))
    shown = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)
    return not shown.is_unicolor
