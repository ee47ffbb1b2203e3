"""Finds in what ways a PDF page may hide letters: by their colour, in areas of that colour, or below what is painted.

It may find too much: whether letters are seen is decided by the pixels of the page.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.documents.formats.pdf.page_blocks import (
    SCALE,
    Area,
    PageBlock,
    colours_of,
)

LEAST_PAINTED = (12.0, 5.0)  # width and height in points; lines and rules cover no text
_LINE, _SEVERAL = 2.0, 8.0  # points; several rectangles of a path that are thicker than lines may be an area
_WHITE = 230  # of 255: least level of the colours of paper
_SAME = 24  # levels of each colour between letters and an area that hardly anybody can read
_SPACES = bytes.maketrans(b"\0\t\n\f\r", b"     ")
_MODE, _MATRIX = re.compile(rb" Tr(?![^ /\[(<%])"), re.compile(rb" cm(?![^ /\[(<%])")
_SHIFT = re.compile(rb" 1 0 0 1 [-+.\d]+ [-+.\d]+ cm(?= )")  # as nearly all matrices
_PLACED = re.compile(rb" */[^ ]+ +Do")
_LONGEST_MATRIX = 200  # bytes
_ENLARGED = 1.001


@dataclass(frozen=True, slots=True)
class PagePaint:
    """In what ways a page may hide letters."""

    unseen: bool  # letters in the colour of paper, a pattern, or not filled
    same: bool  # letters within an area of their colour
    covers: bool  # an area or a picture that is drawn over letters
    strokes: bool  # such areas may be thick lines


def paint_of(
    blocks: Sequence[PageBlock], places: Sequence[Area], letters: bytes, commands: Sequence[bytes]
) -> PagePaint:
    """Return in what ways a page may hide `letters` (HTML); its areas have these `places`.

    `commands` draw the page, then its forms.
    """
    colours = colours_of(letters)
    commands = [part.translate(_SPACES) for part in commands]
    unseen = any(not colour or min(colour) >= _WHITE for colour in colours) or not all(map(_fills_letters, commands))
    same, covers, strokes = set[int](), set[int](), any(block.stroked for block in blocks)
    enlarged = strokes and any(_enlarges(part, has_forms=len(commands) > 1) for part in commands)
    areas = list(_areas(blocks, places))
    lines = _Lines(blocks if areas else ())
    alike = {argb for argb in {block.argb for _, block, _ in areas} if argb and _is_alike(argb, colours)}
    for number, block, area in areas:
        if block.argb in alike and block.stroked not in same and lines.are_in(area):
            same.add(block.stroked)
        if block.stroked not in covers and lines.are_in(area, number):
            covers.add(block.stroked)
    return PagePaint(unseen, bool(same) or enlarged, bool(covers) or enlarged, enlarged or 1 in same | covers)


class _Lines:
    """The middles of the lines of a page, where all letters are, by their height."""

    def __init__(self, blocks: Sequence[PageBlock]) -> None:
        places = list[tuple[float, float, float, float, int]]()
        self._highest = 0.0
        self._lowest = list[float]()  # by block: the lower side of the lowest line of those before it
        lowest = -math.inf
        for number, block in enumerate(blocks):
            self._lowest.append(lowest)
            for line in block.lines:
                x, y, width, height = line.bbox.x, line.bbox.y, line.bbox.w, line.bbox.h
                margin = min(width, height) / 4
                bottom, right = (y + height - margin) / SCALE, (x + width - margin) / SCALE
                places.append(((y + margin) / SCALE, bottom, (x + margin) / SCALE, right, number))
                self._highest = max(self._highest, (height - 2 * margin) / SCALE)
                lowest = max(lowest, bottom)
        self._places = sorted(places)

    def are_in(self, area: Area, before: int | None = None) -> bool:
        """Return whether an area touches a line, of a block before number `before` if one is given."""
        x0, y0, x1, y1 = area
        if before is not None and self._lowest[before] <= y0:
            return False  # as nearly all areas of a page that is drawn downwards
        first = bisect_left(self._places, (y0 - self._highest,))
        last = bisect_right(self._places, (y1,), first)
        return any(
            bottom > y0 and (before is None or number < before) and left < x1 and right > x0
            for _, bottom, left, right, number in self._places[first:last]
        )


def _areas(blocks: Sequence[PageBlock], painted: Sequence[Area]) -> Iterator[tuple[int, PageBlock, Area]]:
    """Yield pictures and painted areas with the numbers of their blocks, and their rectangles in points."""
    places = iter(painted)
    path, (width, height) = list[Area](), LEAST_PAINTED
    for number, block in enumerate(blocks):
        if block.type == "vector":
            area = next(places)
            if area[2] - area[0] >= width and area[3] - area[1] >= height:
                yield number, block, area
            if path or block.continues:
                path.append(area)
            if path and not block.continues:
                if sum(side for each in path if (side := _thickness(each)) > _LINE) >= _SEVERAL:
                    lefts, tops, rights, bottoms = zip(*path, strict=True)
                    yield number, block, (min(lefts), min(tops), max(rights), max(bottoms))
                path.clear()
        elif block.type == "image" and block.bbox:
            x, y = block.bbox.x / SCALE, block.bbox.y / SCALE
            yield number, block, (x, y, x + block.bbox.w / SCALE, y + block.bbox.h / SCALE)


def _thickness(area: Area) -> float:
    return min(area[2] - area[0], area[3] - area[1])


def _is_alike(argb: int, colours: set[bytes]) -> bool:
    levels = (argb & 0xFFFFFF).to_bytes(3)
    known = filter(None, colours)
    return any(max(abs(one - two) for one, two in zip(levels, colour, strict=True)) < _SAME for colour in known)


def _fills_letters(commands: bytes) -> bool:
    """Return whether all letters are filled, and nothing else is done with them."""
    return all(_numbers(_operands(commands, found.start(), 1)) == [0.0] for found in _MODE.finditer(commands))


def _enlarges(commands: bytes, *, has_forms: bool) -> bool:
    """Return whether a matrix may enlarge the width of lines; one that only places a picture does not."""
    commands = _SHIFT.sub(b"", commands)
    return any(
        _enlargement(_operands(commands, found.start(), 6)[:4]) > _ENLARGED
        and (has_forms or not _PLACED.match(commands, found.end()))
        for found in _MATRIX.finditer(commands)
    )


def _operands(commands: bytes, end: int, count: int) -> tuple[bytes, ...]:
    return tuple(commands[max(0, end - _LONGEST_MATRIX) : end].rsplit(None, count)[-count:])


@lru_cache(maxsize=1024)
def _enlargement(factors: tuple[bytes, ...]) -> float:
    """Return by how much a matrix enlarges at most, its largest singular value; infinity if it cannot be told."""
    numbers = _numbers(factors)
    if len(numbers) < 4:
        return math.inf
    a, b, c, d = numbers
    squares, determinant = a * a + b * b + c * c + d * d, a * d - b * c
    return math.sqrt((squares + math.sqrt(max(0.0, squares**2 - 4 * determinant**2))) / 2)


def _numbers(words: Sequence[bytes]) -> list[float]:
    """Return operands as numbers; none if one is no number."""
    try:
        return [float(word) for word in words]
    except ValueError:
        return []
