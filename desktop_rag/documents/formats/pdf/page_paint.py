"""Finds the lines of a PDF page that may be hidden: by their colour, in areas of that colour, below what is painted.

It may find too much: whether letters are seen is decided by the pixels of the page.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from desktop_rag.documents.formats.pdf.page_blocks import (
    SCALE,
    Area,
    BlockLine,
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
_ALONE = re.compile(rb" *(?:BX +)?/(?:([^ ]+) +Do|[^ ]+ +sh)(?: +EX)? +Q(?![^ /\[(<%])")
_LONGEST_MATRIX = 200  # bytes
_ENLARGED = 1.001
_MOST_TOUCHED = 50_000  # lines by areas; where more are, all lines may be hidden

_Painted = tuple[int, PageBlock, Area]  # with the number of its block


@dataclass(frozen=True, slots=True)
class PagePaint:
    """Which letters a page may hide."""

    lines: Sequence[BlockLine]  # with letters in the colour of paper or in a pattern, or within or below an area
    everywhere: bool  # other lines may have letters that are not filled
    by_areas: bool  # in the colour of letters, or drawn over them
    by_pictures: bool  # that are drawn over letters


def paint_of(
    blocks: Sequence[PageBlock],
    places: Sequence[Area],
    letters: bytes,
    commands: Sequence[bytes],
    forms: Container[str] | None,
) -> PagePaint:
    """Return what a page may hide of its `letters` (HTML); its areas have these `places`.

    `commands` draw the page, then its forms, whose names are known or too many.
    """
    commands = [part.translate(_SPACES) for part in commands]
    everywhere = not all(map(_fills_letters, commands))
    enlarged = any(block.stroked for block in blocks) and any(_enlarges(part, forms) for part in commands)
    by_areas, by_pictures = enlarged, False
    colours, of_lines, count = colours_of(letters), letters.split(b"</p>"), sum(len(block.lines) for block in blocks)
    if len(of_lines) != count + 1:  # which letters are of which line is not known
        of_lines = [letters] * count
    unseen = {colour for colour in colours if not colour or min(colour) >= _WHITE}
    marks = [colour.hex().encode() for colour in unseen]
    lined = [(at, part) for at, part in enumerate(of_lines if marks else ()) if any(mark in part for mark in marks)]
    found = {at for at, part in lined if not unseen.isdisjoint(colours_of(part))}
    areas = list(_areas(blocks, places))
    lines = _Lines(blocks if areas or found or enlarged else ())
    alike = {argb for argb in {block.argb for _, block, _ in areas} if argb and _is_alike(argb, colours, _SAME)}
    near = [each for each in areas if each[1].argb in alike or lines.begin_above(each[2], each[0])]
    touched = list(islice(lines.touched_by(near), _MOST_TOUCHED))
    for number, block, own, line in touched:
        if own < number:
            by_areas = True
            by_pictures |= block.type == "image"
            found.add(line)
        elif block.argb in alike:
            by_areas = True
            if line not in found and _is_alike(block.argb, colours_of(of_lines[line]), 2 * _SAME):
                found.add(line)
    if by_areas:  # pictures, and what lets through what is below it, have no colour of their own
        unclear = [each for each in areas if each[1].argb >> 24 & 0xFF != 0xFF]
        beside = list(islice(lines.touched_by(unclear), _MOST_TOUCHED))
        found |= {line for *_, line in beside}
        if enlarged or len(touched) == _MOST_TOUCHED or len(beside) == _MOST_TOUCHED:
            found = set(range(len(lines.all)))
            by_pictures = any(block.type == "image" for _, block, _ in areas)
    drawn = lines.all if found else ()
    seen = [drawn[at] for at in sorted(found) if not drawn[at].text.isspace()]
    return PagePaint(seen, everywhere, by_areas, by_pictures)


class _Lines:
    """The lines of a page, and their middles, where all letters are, by their height."""

    def __init__(self, blocks: Sequence[PageBlock]) -> None:
        self._blocks = blocks
        self._lowest = list[float]()  # by block: the lower side of the lowest line of those before it
        lowest = -math.inf
        for block in blocks:
            self._lowest.append(lowest)
            for line in block.lines:
                box = line.bbox
                bottom = (box.y + box.h - min(box.w, box.h) / 4) / SCALE
                if bottom > lowest and not line.text.isspace():
                    lowest = bottom

    @cached_property
    def all(self) -> list[BlockLine]:
        """Return the lines in the order of drawing."""
        return [line for block in self._blocks for line in block.lines]

    @cached_property
    def _places(self) -> list[tuple[float, float, float, float, int, int]]:
        places = []
        of_blocks = ((number, line) for number, block in enumerate(self._blocks) for line in block.lines)
        for at, (number, line) in enumerate(of_blocks):
            x, y, width, height = line.bbox.x, line.bbox.y, line.bbox.w, line.bbox.h
            margin = min(width, height) / 4
            bottom, right = (y + height - margin) / SCALE, (x + width - margin) / SCALE
            if not line.text.isspace():
                places.append(((y + margin) / SCALE, bottom, (x + margin) / SCALE, right, number, at))
        return sorted(places)

    def begin_above(self, area: Area, before: int) -> bool:
        """Return whether a line of a block before number `before` begins above the lower side of an area."""
        return self._lowest[before] > area[1]  # which few do on a page that is drawn downwards

    def touched_by(self, areas: Iterable[_Painted]) -> Iterator[tuple[int, PageBlock, int, int]]:
        """Yield the block of each area and of each line that it touches, and the number of the line."""
        highest = max([line.bbox.h for line in self.all], default=0.0) / SCALE
        for number, block, (x0, y0, x1, y1) in areas:
            first = bisect_left(self._places, (y0 - highest,))
            last = bisect_right(self._places, (y1,), first)
            for _, bottom, left, right, own, line in self._places[first:last]:
                if bottom > y0 and left < x1 and right > x0:
                    yield number, block, own, line


def _areas(blocks: Sequence[PageBlock], painted: Sequence[Area]) -> Iterator[_Painted]:
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


def _is_alike(argb: int, colours: set[bytes], least: int) -> bool:
    levels = (argb & 0xFFFFFF).to_bytes(3)
    known = filter(None, colours)
    return any(max(abs(one - two) for one, two in zip(levels, colour, strict=True)) < least for colour in known)


def _fills_letters(commands: bytes) -> bool:
    """Return whether all letters are filled, and nothing else is done with them."""
    return all(_numbers(_operands(commands, found.start(), 1)) == [0.0] for found in _MODE.finditer(commands))


def _enlarges(commands: bytes, forms: Container[str] | None) -> bool:
    """Return whether a matrix may enlarge the width of lines; one of a picture or a shade alone does not."""
    commands = _SHIFT.sub(b"", commands)
    return any(
        _enlargement(_operands(commands, found.start(), 6)[:4]) > _ENLARGED
        and not ((alone := _ALONE.match(commands, found.end())) and _is_other(alone[1], forms))
        for found in _MATRIX.finditer(commands)
    )


def _is_other(name: bytes | None, forms: Container[str] | None) -> bool:
    """Return whether what is drawn by a name is none of the forms."""
    return name is None or (forms is not None and b"#" not in name and name.decode("utf-8", "replace") not in forms)


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
