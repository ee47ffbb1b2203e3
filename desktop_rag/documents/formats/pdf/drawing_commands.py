"""Reads the drawing commands of a PDF page: the colours with which they fill and write, and what may cover letters."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

Colour = tuple[float, ...]

_INNER = rb"(?:\\.|[^\\()])"
# No group has a possessive quantifier here: Python 3.11.2 then takes in what a failed turn of it has read.
_INNERMOST = rb"\((?>" + _INNER + rb"*)\)"
_NESTED = rb"\((?>(?:" + _INNER + rb"|\((?>(?:" + _INNER + rb"|" + _INNERMOST + rb")*)\))*)\)"
# What is no command: strings, with balanced parentheses in them; remarks; the bytes of pictures, from ID to EI.
_OTHERS = re.compile(_NESTED + rb"|%[^\r\n]*+", re.DOTALL)
_OTHERS_OR_PICTURE = re.compile(_OTHERS.pattern + rb"|(\sID\s)", re.DOTALL)
_PICTURE_BEGINS, _PICTURE_ENDS = re.compile(rb"\sID\s"), re.compile(rb"\sEI\s")
# Texts shown one after the other, whatever their fonts and places: as good as one.
_STRING = rb"(?:\(\)|<[0-9A-Fa-f\s]*+>)"
_MORE_TEXTS = re.compile(
    rb"T[jJ]\s*+(?>(?:(?>(?:(?:[-+.\d]++|T[dDmcwzLf*]|/[^\s/<>()\[\]]++|BT|ET)\s++)*)"
    rb"(?:" + _STRING + rb"|\[(?>(?:[-+.\d\s]++|" + _STRING + rb")*)\])\s*+T[jJ]\s*+)+)"
)
_APART = (
    (b"\0", b" "),
    (b")", b") "),
    (b"]", b"] "),
    (b">", b"> "),
    (b"(", b" ("),
    (b"[", b" ["),
    (b"<", b" <"),
    (b"/", b" /"),
)
_SET_COLOUR = frozenset((b"g", b"rg", b"k", b"sc", b"scn", b"cs"))
_DEVICES = frozenset((b"/DeviceGray", b"/DeviceRGB", b"/DeviceCMYK"))
_WRITE = frozenset((b"Tj", b"TJ", b"'", b'"'))
_DRAW = frozenset((b"sh", b"Do", b"EI"))  # a picture, or a drawing that writes with the colour in force
_FILL = frozenset((b"f", b"f*", b"F", b"b", b"b*", b"B", b"B*"))
_END_PATH = _FILL | {b"n", b"S", b"s"}  # of a path to cut with, or of lines
_OPERATORS = _SET_COLOUR | _WRITE | _DRAW | _END_PATH | {b"re", b"q", b"Q", b"cm", b"Tr", b"w"}
_CURVES = frozenset((b"c", b"v", b"y"))
_RULE, _LINE = 4.0, 2.0  # points; thinner rectangles are lines, several of which may be an area
_LONGEST_POLYGON = 60  # words
_BLACK: Colour = (0.0,)
INKS = 4  # of a printer
_COUNTS = {b"g": 1, b"rg": 3}
_SHIFTS = re.compile(rb"\b1\s0\s0\s1\s[-+.\d]++\s[-+.\d]++\scm\s")  # matrices that enlarge nothing, as nearly all


class Inks:
    """The colours with which drawing commands fill areas and write, and in what order they do.

    Operands are read only where they are needed: most colours and matrices draw nothing that matters.
    """

    def __init__(self, commands: bytes) -> None:
        self.filled, self.written = set[Colour](), set[Colour]()
        self.covers = False  # whether something may be drawn over letters
        self.strokes = False  # whether a line is as thick as an area
        self._words = words = _words(commands)
        self._outer_matrices: dict[int, int] = {}
        self._scales = {0: 1.0}
        writes = False
        ink, wrote = 0, -1  # places of the operators that set the colour, and the colour of the last letters
        matrix = 0  # the place of the last one in force
        outer = list[tuple[int, int]]()
        rectangles = list[int]()  # of the path that is being drawn
        before = 0  # place of the operator before
        self.undrawn = False  # whether letters may be drawn otherwise than filled
        for place in [place for place, word in enumerate(words) if word in _OPERATORS]:
            word = words[place]
            if word == b"q":
                outer.append((ink, matrix))
            elif word == b"Q":
                ink, matrix = outer.pop() if outer else (0, 0)
            elif word in _END_PATH:
                if word in _FILL:
                    self._fill(self._colour(ink), rectangles, words[before + 1 : place], matrix, over=writes)
                rectangles.clear()
            elif word in _SET_COLOUR:
                ink = place
            elif word == b"re":
                rectangles.append(place)
            elif word in _WRITE or word in _DRAW:
                self.covers |= writes and word in _DRAW
                writes = True
                if wrote != ink:
                    self.written.add(self._colour(ink))
                    wrote = ink
            elif word == b"cm":
                matrix = self._within(matrix, place)
            elif word == b"w":
                self.strokes |= _thickness((words[place - 1],)) * self._scale(matrix) >= _RULE
            else:  # Tr
                self.undrawn |= not self._is_filled(place)
            before = place

    def _fill(
        self, colour: Colour, rectangles: Sequence[int], path: Sequence[bytes], matrix: int, *, over: bool
    ) -> None:
        """Fill a path, perhaps over letters: of no account if it tells nothing new, as nearly all."""
        tells = colour not in self.filled or (over and not self.covers)
        if tells and self._is_area(rectangles, path, matrix):
            self.covers |= over
            self.filled.add(colour)

    def _within(self, matrix: int, place: int) -> int:
        """Return the place of a matrix within another one."""
        self._outer_matrices[place] = matrix
        return place

    def _is_filled(self, place: int) -> bool:
        return _numbers((self._words[place - 1],)) in {(), (0.0,)}

    def _colour(self, place: int) -> Colour:
        """Return the colour set at `place`: a grey, in whatever way it is given, as one number; empty if unknown."""
        if not place:
            return _BLACK
        word = self._words[place]
        if word == b"cs":
            return _BLACK if self._words[place - 1] in _DEVICES else ()
        given = self._words[max(0, place - _COUNTS.get(word, INKS)) : place]
        colour = _numbers(tuple(given[::-1]))
        named = word in {b"sc", b"scn"} and (max(colour, default=2.0) > 1 or not _is_number(self._words[place - 2]))
        return () if named else colour

    def _is_area(self, rectangles: Sequence[int], path: Sequence[bytes], matrix: int) -> bool:
        """Return whether a path is thicker than a rule."""
        sides = [_thickness(tuple(self._words[place - 2 : place])) for place in rectangles]
        if path or not rectangles:
            sides.append(_polygon_thickness(path, alone=not rectangles))
        scale = self._scale(matrix)
        if len(sides) == 1:  # nearly always
            return sides[0] * scale >= _RULE
        return max(sides) * scale >= _RULE or sum(side for side in sides if side * scale > _LINE) * scale >= 2 * _RULE

    def _scale(self, matrix: int) -> float:
        """Return by how much a matrix and those outside of it enlarge."""
        new = list[int]()
        place = matrix
        while place not in self._scales:
            new.append(place)
            place = self._outer_matrices[place]
        for place in reversed(new):
            own = _scale(self._words[max(0, place - 6) : place - 2])
            self._scales[place] = self._scales[self._outer_matrices[place]] * own
        return self._scales[matrix]


def _is_number(word: bytes) -> bool:
    return word[:1].isdigit() or word[:1] in {b".", b"-", b"+"}


def _words(commands: bytes) -> list[bytes]:
    """Return the operands and operators of drawing commands; strings are empty, and several texts in a row are one."""
    commands = _without_pictures(commands)
    if b"(" in commands or b"%" in commands:
        commands = _OTHERS.sub(b"()", commands)
    commands = _SHIFTS.sub(b"", _MORE_TEXTS.sub(b"Tj ", commands))
    for joined, parted in _APART:
        commands = commands.replace(joined, parted)
    return [b"", *commands.split()]


def _without_pictures(commands: bytes) -> bytes:
    """Return the commands without the bytes of the pictures among them; those in strings and remarks are none."""
    if b"ID" not in commands or not _PICTURE_BEGINS.search(commands):  # the former takes a hundredth of the time
        return commands
    kept, start, place = list[bytes](), 0, 0
    while found := _OTHERS_OR_PICTURE.search(commands, place):
        place = found.end()
        if found[1]:
            end = _PICTURE_ENDS.search(commands, place - 1)
            if end is None:
                break
            kept.append(commands[start:place])
            start = place = end.start()
    return b"".join((*kept, commands[start:]))


@lru_cache(maxsize=4096)
def _thickness(sides: tuple[bytes, ...]) -> float:
    """Return the smaller side of a rectangle; infinity if it cannot be told."""
    try:
        return min(abs(float(side)) for side in sides)
    except ValueError:
        return math.inf


def _polygon_thickness(path: Sequence[bytes], *, alone: bool) -> float:
    """Return the smaller side of a polygon's bounding box; infinity for curves, and for no polygon `alone`."""
    if len(path) > _LONGEST_POLYGON or not _CURVES.isdisjoint(path):
        return math.inf
    corners = [place for place, word in enumerate(path) if word in {b"m", b"l"}]
    if not corners:
        return math.inf if alone else 0.0
    try:
        across, down = ([float(path[place - back]) for place in corners] for back in (2, 1))
    except (ValueError, IndexError):
        return math.inf
    return min(max(across) - min(across), max(down) - min(down))


def _scale(matrix: Sequence[bytes]) -> float:
    """Return by how much a matrix enlarges at most; infinity if it cannot be told."""
    try:
        a, b, c, d = (float(number) for number in matrix)
    except ValueError:
        return math.inf
    return max(math.hypot(a, b), math.hypot(c, d))


@lru_cache(maxsize=1024)
def _numbers(backwards: tuple[bytes, ...]) -> Colour:
    found: list[float] = []
    for word in backwards:
        try:
            found.insert(0, round(float(word), 2))
        except ValueError:
            break
    if len(found) == INKS:
        return (round(1 - found[3], 2),) if not any(found[:3]) else tuple(found)
    return (found[0],) if len(set(found)) == 1 else tuple(found)
