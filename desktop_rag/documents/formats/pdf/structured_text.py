"""Extracts one page with MuPDF: positioned pieces of text, pictures, annotations and links.

Annotations and links, which the blocks of a page lack, are read only where present.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.annotations import Field, comments_and_files, fields_of, has_fields, links_of
from desktop_rag.documents.formats.pdf.figures_and_symbols import show_figures_and_symbols
from desktop_rag.documents.formats.pdf.hidden_pieces import mark_hidden_pieces
from desktop_rag.documents.formats.pdf.page_blocks import (
    SCALE,
    BlockLine,
    PageBlock,
    blocks_of,
    extracted,
    letters_of,
    painted_places,
)
from desktop_rag.documents.formats.pdf.printed_words import Comment, PrintedPiece, WebLink
from desktop_rag.documents.formats.pdf.right_to_left import put_in_order
from desktop_rag.documents.formats.pdf.ruled_tables import join_ruled_rows
from desktop_rag.documents.formats.pdf.spaced_letters import are_set_apart, joined_words
from desktop_rag.documents.formats.pdf.struck_out import mark_struck_out
from desktop_rag.documents.formats.pdf.text_directions import Direction

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf


_ABOVE = dict(zip("`´ˆ˜¯˘˙¨˚˝ˇ", "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c", strict=True))
_DIVIDED = re.compile(rf"([{''.join(_ABOVE)}])([^\W\d_])|([^\W\d_])¸")
_DOTLESS = {"ı": "i", "ȷ": "j"}


def with_accents(text: str) -> str:
    """Return a text with each accent joined with the letter behind it, and each cedilla with that before it."""
    return _DIVIDED.sub(_joined, text)


def _joined(found: re.Match[str]) -> str:
    letter = found[2] or found[3]
    mark = _ABOVE[found[1]] if found[1] else "\u0327"
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + mark)
    return whole if len(whole) == 1 else found[0]


_FEW_CHARACTERS = 60  # as of a stamp or a page number
_PICTURE_SHARE = 0.6
_DRAWN_BYTES = 4000  # of drawing commands on a page without text: its letters may be curves
_THUMBNAIL = 400.0  # pixels on the longer side of the picture that shows whether a page is blank
_CLOSE = 0.06  # of a rectangle's size: distance that counts as touching its side
_NOTHING = "\ufffd "
_SAME_LINE, _NEXT_LINE = 0.8, 1.5  # times the size of letters, between baselines
_INDENT = 0.5  # points
_LARGE = 1.8  # times the size of the letters beside it: a drop cap
_LABEL = 5.0  # em: most distance of a label from its field
_BULLETS = frozenset("*·•‣⁃⁌⁍∙◉○●◘◦\ufffd")


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


def read_page(page: "pymupdf.Page", *, is_of_tex: bool = False) -> RawPage:
    """Extract a page; raises MuPDF's own errors."""
    from pymupdf import TEXT_MEDIABOX_CLIP, mupdf

    shown = mupdf.fz_bound_page(page.this)
    width, height = shown.x1 - shown.x0, shown.y1 - shown.y0
    stext = extracted(page)
    blocks = blocks_of(stext)
    if are_set_apart("\n".join([line.text for block in blocks for line in block.lines])):
        joined = joined_words(page, TEXT_MEDIABOX_CLIP)
        for line in (line for block in blocks for line in block.lines):
            line.text = joined.get(line.text.strip(), line.text)
    letters = letters_of(page, stext, blocks) if any(block.lines for block in blocks) else b""
    show_figures_and_symbols(stext, blocks, letters)
    stroked = [block.stroked for block in blocks if block.type == "vector"]
    places = painted_places(stext) if stroked else []
    mark_struck_out(stext, blocks, places)
    put_in_order(stext, blocks)
    found = RawPage(width, height, _pieces(blocks, width, height))
    _put_fields(page, found.pieces)
    _join_initials(found.pieces.get(Direction.RIGHT, []))
    mark_hidden_pieces(page, blocks, places, letters, [piece for group in found.pieces.values() for piece in group])
    if is_of_tex:
        for piece in (piece for group in found.pieces.values() for piece in group if not piece.text.isascii()):
            piece.text = with_accents(piece.text)
    join_ruled_rows(found.pieces.get(Direction.RIGHT, []), places, stroked, height)
    found.comments, found.pinned = comments_and_files(page, stext)
    found.links = links_of(page, stext)
    found.is_picture = _is_picture(page, blocks, found)
    return found


def _pieces(blocks: Sequence[PageBlock], width: float, height: float) -> dict[Direction, list[PrintedPiece]]:
    pieces: dict[Direction, list[PrintedPiece]] = {}
    drawn: set[tuple[str, int, int]] = set()
    widest, highest = width * SCALE, height * SCALE
    for number, line in _numbered_lines(blocks):
        words = (line.text if line.text.isprintable() else clean(line.text)).strip()
        if not words or not words.strip(_NOTHING):
            continue
        rect = line.bbox
        position = (words, int(rect.x // SCALE), int(rect.y // SCALE))
        if position in drawn:  # drawn twice for a bold or shadow effect
            continue
        drawn.add(position)
        left, top, right, bottom = rect.x, rect.y, rect.x + rect.w + 1, rect.y + rect.h + 1
        x0, y0 = left / SCALE if left > 0 else 0.0, top / SCALE if top > 0 else 0.0
        x1 = right / SCALE if right < widest else width
        y1 = bottom / SCALE if bottom < highest else height
        if x0 < x1 and y0 < y1:
            size, bold = line.font.size / SCALE, line.font.weight == "bold"
            direction = _direction(line)
            base = (line.y if direction.is_horizontal else line.x) / SCALE
            piece = PrintedPiece(words, x0, y0, x1, y1, base, size, bold, number)
            pieces.setdefault(direction, []).append(piece)
    return pieces


def _put_fields(page: "pymupdf.Page", pieces: dict[Direction, list[PrintedPiece]]) -> None:
    """Write the state of check boxes in place of the letters that draw it, and put what is filled in to its label."""
    if not has_fields(page):
        return
    across = pieces.setdefault(Direction.RIGHT, [])
    fields = list(fields_of(page))
    for each in fields:
        if each.is_box:
            _put_check_box(across, each.box, checked=bool(each.value))
        else:
            _put_to_label(across, each, fields)


def _put_check_box(across: list[PrintedPiece], box: Box, *, checked: bool) -> None:
    for each in [each for each in across if len(each.text) == 1 and _is_in(each, box)]:
        across.remove(each)
    size, sign = box.y1 - box.y0, "☑" if checked else "☐"
    beside = [each for each in across if each.y0 < (box.y0 + box.y1) / 2 < each.y1]
    near = min(beside, key=lambda each: abs(each.x0 - box.x1), default=None)
    block, base = (near.block, near.base) if near is not None else (0, box.y1 - 0.2 * size)
    size = near.size if near is not None else size
    x1 = max(box.x1, near.x0 - 0.2 * size) if near is not None and near.x0 > box.x0 else box.x1
    across.append(PrintedPiece(sign, box.x0, box.y0, x1, box.y1, base, size, bold=False, block=block))


def _put_to_label(across: list[PrintedPiece], own: Field, fields: Sequence[Field]) -> None:
    """Join the one line that a field shows with the label at its left; of a list, only what is chosen is shown."""
    box, inside = own.box, [each for each in across if _is_in(each, own.box)]
    for other in [each for each in inside if own.is_list and each.text.strip() != own.value.strip()]:
        across.remove(other)
        inside.remove(other)
    if len(inside) != 1:
        return
    (shown,) = inside
    middle = (shown.y0 + shown.y1) / 2
    left = [each for each in across if each is not shown and each.x1 <= box.x0 + 2 and each.y0 < middle < each.y1]
    label = max(left, key=lambda each: each.x1, default=None)
    if label is None and own.is_list:  # its label stands at its first line
        left = [each for each in across if each.x1 <= box.x0 + 2 and box.y0 - each.size < each.base < box.y1]
        label = max(left, key=lambda each: (each.x1, -each.y0), default=None)
    if label is None or box.x0 - label.x1 > _LABEL * label.size or any(_is_in(label, each.box) for each in fields):
        return
    across.remove(shown)
    label.text, label.x1 = f"{label.text} {shown.text}", max(label.x1, shown.x1)


def _join_initials(pieces: list[PrintedPiece]) -> None:
    """Join large first letters, which reach over several lines, with the first of these lines."""
    for initial in [piece for piece in pieces if len(piece.text) == 1 and piece.text.isupper()]:
        beside = [
            piece
            for piece in pieces
            if _LARGE * piece.size < initial.size
            and 0 <= piece.x0 - initial.x1 + piece.size < 2 * piece.size
            and initial.y0 - piece.size < (piece.y0 + piece.y1) / 2 < initial.y1
        ]
        first = min(beside, key=lambda piece: piece.y0, default=None)
        if first is not None and len(beside) > 1 and first.text[:1].isalpha():
            first.text, first.x0 = f"{initial.text}{first.text}", initial.x0
            pieces.remove(initial)


def _is_in(piece: PrintedPiece, box: Box) -> bool:
    return box.x0 <= (piece.x0 + piece.x1) / 2 <= box.x1 and box.y0 <= (piece.y0 + piece.y1) / 2 <= box.y1


def _numbered_lines(blocks: Sequence[PageBlock]) -> Iterator[tuple[int, BlockLine]]:
    """Yield each line with the number of its block; blocks that only painted areas divide are one."""
    number = 0
    before: BlockLine | None = None
    for block in blocks:
        if block.type == "vector":
            continue
        if before is None or not block.lines or not _continues(before, block.lines[0]):
            number += 1
        for line in block.lines:
            yield number, line
        before = block.lines[-1] if block.lines else None


def _continues(before: BlockLine, line: BlockLine) -> bool:
    """Return whether MuPDF would put a line into the block of the line before, were nothing painted between them.

    The rule is that of `fz_add_stext_char_imp`: less than one and a half lines further, and not indented.
    """
    if not _direction(before) == _direction(line) == Direction.RIGHT:
        return False
    distance = abs(line.y - before.y) / max(line.font.size, 1.0)
    indented = line.x - before.x > _INDENT * SCALE and before.text[:1] not in _BULLETS
    return distance < _SAME_LINE or (distance < _NEXT_LINE and not indented)


def _direction(line: BlockLine) -> Direction:
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


def _is_picture(page: "pymupdf.Page", blocks: Sequence[PageBlock], found: RawPage) -> bool:
    """Return whether a page has no text layer, only pictures or curves."""
    characters = found.characters
    if characters >= _FEW_CHARACTERS:
        return False
    pictures = [block.bbox for block in blocks if block.type == "image" and block.bbox]
    if characters:
        covered = sum(rect.w * rect.h / SCALE**2 for rect in pictures)  # scanners save strips, too
        return covered > _PICTURE_SHARE * found.width * found.height
    return bool(pictures) or len(page.read_contents()) > _DRAWN_BYTES or _shows_anything(page)


def _shows_anything(page: "pymupdf.Page") -> bool:
    """Return whether a page without text is not blank: letters may be curves, or of a font without a meaning."""
    import pymupdf

    zoom = min(1.0, _THUMBNAIL / max(page.rect.width, page.rect.height, 1.0))
    shown = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)
    samples = shown.samples  # a byte a pixel
    return samples.count(samples[:1]) < len(samples)
