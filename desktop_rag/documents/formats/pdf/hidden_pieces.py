"""Finds text of a PDF page that nobody can see: white on white, not drawn, transparent, or too small to read.

Colours are asked for only where the page's commands set one that may hide; what it hides is decided by the pixels of
the drawn page, so that white letters on a dark table head, or the text layer of a scan, are not taken for hidden.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.decoding import converted
from desktop_rag.documents.formats.hidden_text import LEAST_SIZE, mark_hidden
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

if TYPE_CHECKING:
    import pymupdf

_LIGHT = rb"(?:1(?:\.0*)?|0?\.9[0-9]*)"
_DARK = rb"(?:0?(?:\.0[0-9]*)?|0)"
_MAY_HIDE = re.compile(
    rb"(?<![\d.])(?:%b\s+(?:%b\s+%b\s+)?(?:g|rg|sc|scn)|%b\s+%b\s+%b\s+%b\s+k|[37]\s+Tr)\b"
    % (_LIGHT, _LIGHT, _LIGHT, _DARK, _DARK, _DARK, _DARK)
)
_CLEAR = re.compile(r"/ca\s+0?(?:\.0\d*)?\s*(?:/|>)")
_WHITE, _TRANSPARENT = 0.9, 0.1
_UNDRAWN = 3  # type of a span that is neither filled nor stroked
_SAME = 10  # levels of grey that the eye does not tell apart
_MOST_SPANS = 500  # on a page
_LEAST_LETTERS = 4  # spaces and marks are set in white to keep columns apart


class _Span(msgspec.Struct, gc=False):
    bbox: tuple[float, float, float, float]
    chars: list[tuple[int, int, tuple[float, float], tuple[float, float, float, float]]]
    color: tuple[float, ...] | None = ()
    opacity: float = 1.0
    type: int = 0


def mark_hidden_pieces(page: "pymupdf.Page", pieces: Sequence[PrintedPiece]) -> None:
    """Mark the words of `pieces` that nobody can see on the page; raises MuPDF's own errors."""
    for piece in pieces:
        if piece.size < LEAST_SIZE and piece.y1 - piece.y0 < 2 * LEAST_SIZE:
            piece.text = mark_hidden(piece.text)
    if not pieces or not _may_hide(page):
        return
    shown = _Pixels(page)
    for bbox, text in _suspects(page):
        if not shown.is_blank(bbox):
            continue
        words = re.compile(r"\s*".join(map(re.escape, "".join(text.split()))))
        for piece in pieces:
            if piece.x0 < bbox[2] and piece.x1 > bbox[0] and piece.y0 < bbox[3] and piece.y1 > bbox[1]:
                piece.text = words.sub(_marked, piece.text, count=1)


def _marked(found: re.Match[str]) -> str:
    before = found.string[: found.start()]
    already = before.rfind("[hidden: ") > before.rfind("]")
    return found[0] if already else mark_hidden(found[0])


def _may_hide(page: "pymupdf.Page") -> bool:
    """Return whether the commands of the page, or of a drawing in it, may draw text that nobody sees."""
    if _MAY_HIDE.search(page.read_contents()):
        return True
    file = page.parent
    if _CLEAR.search(file.xref_get_key(page.xref, "Resources/ExtGState")[1]):
        return True
    return any(_MAY_HIDE.search(file.xref_stream(form[0]) or b"") for form in page.get_xobjects()[:20])


def _suspects(page: "pymupdf.Page") -> Iterator[tuple[tuple[float, float, float, float], str]]:
    """Yield place and text of the spans that may not be seen."""
    import pymupdf

    turned = page.rotation_matrix
    for span in converted(page.get_texttrace(), list[_Span])[: 20 * _MOST_SPANS]:
        white = bool(span.color) and min(span.color or ()) >= _WHITE
        if white or span.type == _UNDRAWN or span.opacity < _TRANSPARENT:
            text = "".join(chr(char[0]) for char in span.chars if char[0] > 0)
            if sum(map(str.isalnum, text)) >= _LEAST_LETTERS:
                placed = pymupdf.Rect(*span.bbox) * turned
                yield (placed.x0, placed.y0, placed.x1, placed.y1), text


class _Pixels:
    """The page as it is seen, in grey, one pixel per point; it is drawn when first asked for."""

    def __init__(self, page: "pymupdf.Page") -> None:
        self._page = page
        self._pixels: memoryview | None = None
        self._width = self._height = self._stride = 0
        self._left = _MOST_SPANS

    def is_blank(self, bbox: tuple[float, float, float, float]) -> bool:
        """Return whether nothing can be told from its background within a rectangle."""
        if self._left <= 0:
            return False
        self._left -= 1
        if self._pixels is None:
            import pymupdf

            drawn = self._page.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False)
            self._width, self._height, self._stride = drawn.width, drawn.height, drawn.stride
            self._pixels = memoryview(drawn.samples)
        x0, y0 = max(0, int(bbox[0])), max(0, int(bbox[1]))
        x1, y1 = min(self._width, int(bbox[2]) + 1), min(self._height, int(bbox[3]) + 1)
        rows = (bytes(self._pixels[y * self._stride + x0 : y * self._stride + x1]) for y in range(y0, y1))
        levels = [(min(row), max(row)) for row in rows if row]
        return not levels or max(most for _, most in levels) - min(least for least, _ in levels) < _SAME
