"""Extracts one page with MuPDF: positioned pieces of text, pictures, annotations and links.

Annotations and links, which the blocks of a page lack, are read only where present.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from desktop_rag.decoding import converted
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.inline_text import mark_deleted
from desktop_rag.documents.formats.pdf.annotations import FormField, comments_and_files, fields_of, has_fields, links_of
from desktop_rag.documents.formats.pdf.figures_and_symbols import show_figures_and_symbols
from desktop_rag.documents.formats.pdf.hidden_pieces import mark_hidden_pieces
from desktop_rag.documents.formats.pdf.page_blocks import (
    SCALE,
    Area,
    BlockLine,
    Letter,
    PageBlock,
    blocks_of,
    extracted,
    letters_of,
    letters_of_lines,
    painted_places,
)
from desktop_rag.documents.formats.pdf.printed_words import Comment, PrintedPiece, WebLink
from desktop_rag.documents.formats.pdf.ruled_tables import join_ruled_rows
from desktop_rag.documents.formats.pdf.text_directions import Direction, put_in_order

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf


# Joins letters set apart to words, as in the text layers of some scans: “B e i j i n g 100031”.
#
# MuPDF adds a space where letters are far from each other. It is none of a word where the page has spaces of its own
# between words, and the letters of a run are about equally far from each other.

_RUN = re.compile(r" (?<=(?<!\S)\w )\w \w \w(?!\w)")  # four letters in a row, looked for at their first blank
_LEAST = 4  # letters of a run from which the usual distance of the line is taken
_LONGEST_WORD = 20
_NEAR = 0.45  # of the size of the letters: distance of letters of one word
_EVEN = 1.5  # times the usual distance
_SPACES = 1 / 12  # least number of the page's own spaces for each letter


class _Char(TypedDict):
    c: str
    bbox: tuple[float, float, float, float]
    synthetic: bool


class _Span(TypedDict):
    size: float
    chars: list[_Char]


class _Line(TypedDict):
    dir: tuple[float, float]
    spans: list[_Span]


class _Block(TypedDict, total=False):
    lines: list[_Line]


class _Text(TypedDict):
    blocks: list[_Block]


_END: _Char = {"c": " ", "bbox": (0.0, 0.0, 0.0, 0.0), "synthetic": False}


def are_set_apart(text: str) -> bool:
    """Return whether a line may have a word whose letters are set apart."""
    return _RUN.search(text) is not None


def joined_words(page: "pymupdf.Page", flags: int) -> dict[str, str]:
    """Return the lines of a page whose letters are set apart, with their words joined."""
    from pymupdf import TEXT_INHIBIT_SPACES

    own = page.get_text("text", flags=flags | TEXT_INHIBIT_SPACES)  # without the spaces that MuPDF adds
    if own.count(" ") < _SPACES * sum(map(str.isalnum, own)):
        return {}
    blocks = converted(page.get_text("rawdict", flags=flags), _Text)["blocks"]
    found = {}
    for line in (line for block in blocks for line in block.get("lines", ())):
        text = "".join(char["c"] for span in line["spans"] for char in span["chars"]).strip()
        if are_set_apart(text):
            found[text] = _without_gaps(line).strip()
    return found


def _without_gaps(line: _Line) -> str:
    chars = [char for span in line["spans"] for char in span["chars"]]
    size = max(span["size"] for span in line["spans"])
    upright = abs(line["dir"][1]) > abs(line["dir"][0])
    gaps: dict[int, float] = {}  # by the place of the added space: the distance of single letters beside it
    runs = list(_runs(chars))
    for at in (place for run in runs for place in run):
        one, other = sorted((chars[at - 1]["bbox"], chars[at + 1]["bbox"]), key=lambda box: box[1 if upright else 0])
        gaps[at] = other[1] - one[3] if upright else other[0] - one[2]
    sure = sorted(gaps[at] for run in runs if len(run) >= _LEAST - 1 for at in run)
    usual = sure[len(sure) // 2] if sure else 0.0
    joined = {
        at
        for run in runs
        if len(run) < _LONGEST_WORD and all(gaps[at] <= min(_EVEN * usual, _NEAR * size) for at in run)
        for at in run
    }
    return "".join(char["c"] for at, char in enumerate(chars) if at not in joined)


def _runs(chars: Sequence[_Char]) -> Iterator[list[int]]:
    """Yield the places of the added spaces of each word of single letters, which ends at spaces of the page's own."""
    run: list[int] = []
    is_word = True
    for at, char in enumerate((*chars, _END)):
        if char["c"] == " " and not char["synthetic"]:
            if run and is_word:
                yield run
            run, is_word = [], True
        elif char["c"] == " ":
            is_word = is_word and 0 < at < len(chars) - 1 and _is_single(chars, at - 1) and _is_single(chars, at + 1)
            run.append(at)


def _is_single(chars: Sequence[_Char], at: int) -> bool:
    beside = (chars[at - 1]["c"] if at else " ", chars[at + 1]["c"] if at + 1 < len(chars) else " ")
    return chars[at]["c"] != " " and beside == (" ", " ")


# Marks the words of a page through which a line is drawn: they are deleted, and their values no longer hold.

_THICKEST, _SHORTEST = 2.0, 3.0  # points
_LOWEST, _HIGHEST = 0.12, 0.48  # em above the baseline, in which letters are crossed
_UPPER, _LOWER, _BESIDE = 0.42, 0.72, 3.0  # of the height of a line, points: where such lines may be
_MOST = 150  # thin areas of a page; more are a drawing
_OWN = 0.8  # least share of a line that letters cover: the others are those of tables and charts


def mark_struck_out(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock], areas: Sequence[Area]) -> None:
    """Mark the letters of lines that one of the painted `areas`, a thin one, crosses."""
    thin = [area for area in areas if area[3] - area[1] <= _THICKEST and area[2] - area[0] >= _SHORTEST]
    if not 0 < len(thin) <= _MOST:
        return
    rules = sorted(thin, key=_middle)
    heights = [SCALE * _middle(rule) for rule in rules]
    lines = [line for block in blocks for line in block.lines]
    last = len(heights)
    near: list[Sequence[Area]] = []
    for line in lines:
        box = line.bbox
        first = bisect_left(heights, box.y + _UPPER * box.h)
        is_near = first < last and heights[first] <= box.y + _LOWER * box.h
        near.append(_near(line, rules, heights, first) if is_near else ())
    if not 0 < sum(map(len, near)) <= _MOST:
        return
    places = letters_of_lines(stext, {number for number, own in enumerate(near) if own}, len(lines))
    covered = dict.fromkeys(map(id, rules), 0.0)
    for number, letters in places.items():
        for rule in near[number]:
            covered[id(rule)] += sum(letter.right - letter.left for letter in letters if _is_crossed(letter, rule))
    for number, letters in places.items():
        line = lines[number]
        through = [rule for rule in near[number] if covered[id(rule)] >= _OWN * (rule[2] - rule[0])]
        if through and len(letters) == len(line.text):
            struck = [any(_is_crossed(letter, rule) for rule in through) for letter in letters]
            line.text = _marked(line.text, struck)


def _is_crossed(letter: Letter, rule: Area) -> bool:
    above = letter.base - _middle(rule)
    is_at = rule[0] - 0.5 <= (letter.left + letter.right) / 2 <= rule[2] + 0.5
    return is_at and _LOWEST * letter.size < above < _HIGHEST * letter.size


def _near(line: BlockLine, rules: Sequence[Area], heights: Sequence[float], first: int) -> Sequence[Area]:
    """Return the rules (sorted by heights) from number `first` on that begin and end at a line and may cross it."""
    box = line.bbox
    left, right = box.x / SCALE - _BESIDE, (box.x + box.w) / SCALE + _BESIDE
    last = bisect_right(heights, box.y + _LOWER * box.h)
    return [rule for rule in rules[first:last] if left < rule[0] and rule[2] < right]


def _middle(rule: Area) -> float:
    return (rule[1] + rule[3]) / 2


def _marked(text: str, struck: Sequence[bool]) -> str:
    """Return a text with its struck-out letters marked; white space alone is not."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and struck[end] == struck[at]:
            end += 1
        parts.append(mark_deleted(text[at:end]) if struck[at] else text[at:end])
        at = end
    return "".join(parts)


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
_ACROSS, _DOWN = Direction.RIGHT, Direction.DOWN  # a member is found faster than by its class


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
    characters: int = 0  # of text


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
    letters = letters_of(stext, blocks) if any(block.lines for block in blocks) else b""
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
    found.characters = sum([len(piece.text) for group in found.pieces.values() for piece in group])
    found.is_picture = _is_picture(page, blocks, found)
    return found


def _pieces(blocks: Sequence[PageBlock], width: float, height: float) -> dict[Direction, list[PrintedPiece]]:
    pieces: dict[Direction, list[PrintedPiece]] = {}
    drawn: set[tuple[str, int, int]] = set()
    widest, highest = width * SCALE, height * SCALE
    for number, line in _numbered_lines(blocks):
        words = (line.text if line.text.isprintable() else clean(line.text)).strip()
        if not words.strip(_NOTHING):
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
            base = (line.y if direction is _ACROSS or direction.is_horizontal else line.x) / SCALE
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


def _put_to_label(across: list[PrintedPiece], own: FormField, fields: Sequence[FormField]) -> None:
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
    if not _direction(before) is _direction(line) is _ACROSS:
        return False
    distance = abs(line.y - before.y) / max(line.font.size, 1.0)
    indented = line.x - before.x > _INDENT * SCALE and before.text[:1] not in _BULLETS
    return distance < _SAME_LINE or (distance < _NEXT_LINE and not indented)


def _direction(line: BlockLine) -> Direction:
    """Return the direction of a line, from the origin of its first character within the rectangle.

    The origin is on the baseline at the start of the text.
    """
    if line.wmode:
        return _DOWN
    rect = line.bbox
    from_left, from_top = line.x - rect.x, line.y - rect.y
    if from_left <= _CLOSE * rect.w:
        return _ACROSS
    if from_top >= (1 - _CLOSE) * rect.h:
        return Direction.UP
    if from_top <= _CLOSE * rect.h:
        return _DOWN
    return Direction.LEFT if from_left >= (1 - _CLOSE) * rect.w and from_top < 0.5 * rect.h else Direction.RIGHT


def _is_picture(page: "pymupdf.Page", blocks: Sequence[PageBlock], found: RawPage) -> bool:
    """Return whether a page has no text layer, only pictures or curves."""
    if found.characters >= _FEW_CHARACTERS:
        return False
    pictures = [block.bbox for block in blocks if block.type == "image" and block.bbox]
    if found.characters:
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
