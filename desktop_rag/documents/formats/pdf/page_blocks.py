"""Runs MuPDF's text extraction on a page: lines, pictures and painted areas in the order in which they are drawn.

MuPDF writes them as JSON in C; decoding that is several times faster than visiting its objects one by one from Python.
What JSON lacks is taken from its other formats: the colours of letters from HTML, the places of areas from XML.
"""

import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from desktop_rag.decoding import converted

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

SCALE = 100.0  # MuPDF writes integers: hundredths of a point
_COLOUR = re.compile(rb"font-size:[\d.]+pt(?:;color:#(\w{6}))?")
_AREA = re.compile(rb'<vector bbox="([^"]+)"')

Area = tuple[float, float, float, float]


class Rect(msgspec.Struct, gc=False):
    """A rectangle in hundredths of a point."""

    x: float
    y: float
    w: float
    h: float


class LineFont(msgspec.Struct, gc=False):
    """The font of the first character of a line."""

    size: float
    weight: str = ""


class BlockLine(msgspec.Struct, gc=False):
    """A line of a block; `x` and `y` are the origin of its first character."""

    bbox: Rect
    font: LineFont
    text: str
    x: float
    y: float
    wmode: int = 0


class PageBlock(msgspec.Struct, gc=False):
    """Lines, a picture, or, with a colour in `argb`, an area or line that is painted; `continues` if its path does."""

    type: str = ""
    bbox: Rect | None = None
    lines: tuple[BlockLine, ...] = ()
    argb: int = 0
    stroked: int = 0
    continues: int = 0


class _Page(msgspec.Struct, gc=False):
    blocks: list[PageBlock]


_decoder = msgspec.json.Decoder(_Page)


def extracted(page: "pymupdf.Page") -> "mupdf.FzStextPage":
    """Return what is drawn on a page, form field values included; raises MuPDF's own errors."""
    from pymupdf import TEXT_MEDIABOX_CLIP, TEXT_PRESERVE_IMAGES, mupdf

    flags = TEXT_MEDIABOX_CLIP | TEXT_PRESERVE_IMAGES
    options = mupdf.FzStextOptions(flags | mupdf.FZ_STEXT_COLLECT_VECTORS | mupdf.FZ_STEXT_LAZY_VECTORS)
    stext = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
    device = mupdf.fz_new_stext_device(stext, options)
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return stext


def blocks_of(stext: "mupdf.FzStextPage") -> list[PageBlock]:
    """Return the blocks in the order of drawing; an area drawn within a line comes after it."""
    from pymupdf import mupdf

    data = _printed(lambda out: mupdf.fz_print_stext_page_as_json(out, stext, SCALE))
    try:
        return _decoder.decode(data).blocks
    except msgspec.DecodeError:  # damaged fonts produce invalid Unicode
        return converted(json.loads(data.decode("utf-8", "replace"), strict=False), _Page).blocks


def letters_of(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock]) -> bytes:
    """Return the letters of a page as HTML, with what JSON lacks: their colours and sizes, and which are raised.

    Pictures pass for areas meanwhile, which HTML leaves out: it would contain their pixels.
    """
    from pymupdf import mupdf

    pictures = list(islice(_pictures(stext), sum(block.type == "image" for block in blocks)))
    for each in pictures:
        each.type = mupdf.FZ_STEXT_BLOCK_VECTOR
    try:
        return _printed(lambda out: mupdf.fz_print_stext_page_as_html(out, stext, 0))
    finally:
        for each in pictures:
            each.type = mupdf.FZ_STEXT_BLOCK_IMAGE


def _pictures(stext: "mupdf.FzStextPage") -> "Iterator[mupdf.fz_stext_block]":
    from pymupdf import mupdf

    block = stext.m_internal.first_block
    while block:
        if block.type == mupdf.FZ_STEXT_BLOCK_IMAGE:
            yield block
        block = block.next


def letters_in_place(stext: "mupdf.FzStextPage") -> bytes:
    """Return the letters of a page as XML, each with its place."""
    from pymupdf import mupdf

    return _printed(lambda out: mupdf.fz_print_stext_page_as_xml(out, stext, 0))


class Letter(NamedTuple):
    """A letter: its text, its sides, its baseline, and the size of its font."""

    text: str
    left: float
    right: float
    base: float
    size: float


def letters_of_lines(stext: "mupdf.FzStextPage", wanted: Container[int], count: int) -> dict[int, list[Letter]]:
    """Return the letters of the lines with these numbers; none if the page has not as many lines.

    Asking for each letter takes longer than printing a line, but most pages have no line that is asked for.
    """
    from pymupdf import mupdf

    found: dict[int, list[Letter]] = {}
    number = 0
    for block in stext:
        if block.m_internal.type != mupdf.FZ_STEXT_BLOCK_TEXT:
            continue
        for line in block:
            if number in wanted:
                found[number] = [_letter(char.m_internal) for char in line]
            number += 1
    return found if number == count else {}


def _letter(char: "mupdf.fz_stext_char") -> Letter:
    quad = char.quad
    return Letter(chr(char.c), quad.ul.x, quad.ur.x, char.origin.y, char.size)


def colours_of(letters: bytes) -> set[bytes]:
    """Return the colours of letters, three bytes each; no bytes for those not drawn, or filled with a pattern."""
    return {bytes.fromhex(colour.decode()) for colour in set(_COLOUR.findall(letters))}


def painted_places(stext: "mupdf.FzStextPage") -> list[Area]:
    """Return the rectangles, in points, around the painted areas and lines, in the order of their blocks.

    Strokes extend by half of their width before it is scaled.
    """
    from pymupdf import mupdf

    data = _printed(lambda out: mupdf.fz_print_stext_page_as_xml_with_flags(out, stext, 0, 0))
    sides = list(map(float, b" ".join(_AREA.findall(data)).split()))
    return list(zip(sides[::4], sides[1::4], sides[2::4], sides[3::4], strict=True))


def _printed(write: "Callable[[mupdf.FzOutput], None]") -> bytes:
    from pymupdf import mupdf

    buffer = mupdf.FzBuffer(4096)
    out = mupdf.FzOutput(buffer)
    write(out)
    out.fz_close_output()
    return bytes(mupdf.fz_buffer_extract_copy(buffer))
