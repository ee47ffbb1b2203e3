"""Text directions: text in any direction is laid out as if it ran from left to right.

A frame transforms coordinates so that text runs rightwards and downwards, and transforms the result back.
Vertical Japanese and Chinese is text that runs down; Arabic and Hebrew are mirrored.
"""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, BlockLine, PageBlock, Rect, letters_in_place
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

if TYPE_CHECKING:
    from pymupdf import mupdf

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")

Turn = Callable[[Box], Box]


class Direction(IntEnum):
    """The direction of text on the rotated page."""

    RIGHT = 0
    LEFT = 1  # upside down
    UP = 2
    DOWN = 3

    @property
    def is_horizontal(self) -> bool:
        """Return whether the lines are horizontal."""
        return self <= Direction.LEFT


class TextFrame:
    """A coordinate system for one direction on a page; `to_frame` converts pieces, `to_page` converts back."""

    def __init__(self, direction: Direction, width: float, height: float, *, mirrored: bool = False) -> None:
        self._direction = direction
        self._width, self._height = width, height
        self._mirrored = mirrored
        self._across = width if direction.is_horizontal else height
        self.height = height if direction.is_horizontal else width
        self.is_plain = direction is Direction.RIGHT and not mirrored

    def to_frame(self, pieces: Sequence[PrintedPiece]) -> list[PrintedPiece]:
        """Return the pieces in the coordinates of this frame."""
        return list(pieces) if self.is_plain else [self._transformed(piece) for piece in pieces]

    def to_page(self, box: Box) -> Box:
        """Return a rectangle of this frame in the coordinates of the page."""
        if self.is_plain:
            return box
        x0, y0, x1, y1 = box.x0, box.y0, box.x1, box.y1
        if self._mirrored:
            x0, x1 = self._across - x1, self._across - x0
        match self._direction:
            case Direction.RIGHT:
                return Box(x0, y0, x1, y1)
            case Direction.LEFT:
                return Box(self._width - x1, self._height - y1, self._width - x0, self._height - y0)
            case Direction.UP:
                return Box(y0, self._height - x1, y1, self._height - x0)
            case Direction.DOWN:
                return Box(self._width - y1, x0, self._width - y0, x1)

    def _transformed(self, piece: PrintedPiece) -> PrintedPiece:
        x0, y0, x1, y1, base = piece.x0, piece.y0, piece.x1, piece.y1, piece.base
        width, height = self._width, self._height
        match self._direction:
            case Direction.LEFT:
                x0, y0, x1, y1, base = width - x1, height - y1, width - x0, height - y0, height - base
            case Direction.UP:
                x0, y0, x1, y1 = height - y1, x0, height - y0, x1
            case Direction.DOWN:
                x0, y0, x1, y1, base = y0, width - x1, y1, width - x0, width - base
        if self._mirrored:
            x0, x1 = self._across - x1, self._across - x0
        return PrintedPiece(piece.text, x0, y0, x1, y1, base, piece.size, piece.bold, piece.block)


def has_right_to_left(text: str) -> bool:
    """Return whether a text has letters of a right-to-left script such as Arabic or Hebrew."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_right_to_left(texts: Iterable[str], share: float = 0.5) -> bool:
    """Return whether more than a share of the letters is of a right-to-left script."""
    text = "".join(texts)
    return has_right_to_left(text) and len(_RIGHT_TO_LEFT.findall(text)) > share * len(_LETTER.findall(text))


# Puts lines with Hebrew or Arabic letters in the order in which they are read.
#
# Some files draw such a line from left to right, others from right to left or piece by piece; only the places of its
# letters are the same. By place they are the line as it is seen, which the rules for text in two directions (Unicode
# Standard Annex 9) turn into the order of reading: from the right, numbers and foreign words from their left.

_GAP, _LEAST = 0.2, 0.1  # em between letters: a blank, if one is drawn there
_SAME_BASE, _APART = 0.3, 1.2  # em between the baselines of one line, between pieces that are cells
_LINE = re.compile(rb"<line [^>]*?dir=\"([^\"]*)\"[^>]*>(.*?)</line>", re.DOTALL)
_VISUAL_LETTER = re.compile(rb'<char c="([^"]*)" quad="([-\d.e]+) \S+ ([-\d.e]+) ')
_CLASSES = {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "N", "CS": "S", "ET": "T", "NSM": "M"}
_LEFT_TO_RIGHT = re.compile("L(?:[^R]*[LN])?T*|T*N(?:S?N)*T*")  # foreign words with what is between them; a number
_RUN_RIGHT_TO_LEFT = re.compile("R(?:[^L]*R)?M*")  # its words, and numbers between them
_ARABIC = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_OPENING, _CLOSING = re.compile(r"[(\[{]"), re.compile(r"[)\]}]")

Placed = tuple[float, float, str]  # the left and right end of a letter with its marks
Piece = tuple[BlockLine, list[Placed]]


def put_in_order(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock]) -> None:
    """Rewrite the lines of a page that have letters of a right-to-left script."""
    lines = [line for block in blocks for line in block.lines]
    if not any(has_right_to_left(line.text) for line in lines):
        return
    is_whole_page = is_right_to_left(line.text for line in lines)
    pieces = [
        (line, list(_placed(letters, line)))
        for line, (direction, letters) in zip(lines, _LINE.findall(letters_in_place(stext)), strict=False)
        if direction == b"1 0"
    ]
    for row in _rows(sorted(((line, letters) for line, letters in pieces if letters), key=_base)):
        if any(has_right_to_left(line.text) for line, _ in row):
            seen = _as_seen([letter for _, letters in row for letter in letters], row[0][0].font.size / SCALE)
            _join([line for line, _ in row], in_reading_order(seen, is_whole_page=is_whole_page))


def _base(piece: Piece) -> float:
    return piece[0].y


def _rows(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the pieces on one baseline that are no cells of a table."""
    at = 0
    while at < len(pieces):
        line = pieces[at][0]
        end = at + 1
        while end < len(pieces) and pieces[end][0].y - line.y <= _SAME_BASE * line.font.size:
            end += 1
        row: list[Piece] = []
        right = 0.0
        for piece in sorted(pieces[at:end], key=lambda piece: piece[0].bbox.x):
            box = piece[0].bbox
            if row and box.x - right > _APART * line.font.size:
                yield row
                row = []
            row.append(piece)
            right = max(right, box.x + box.w) if len(row) > 1 else box.x + box.w
        yield row
        at = end


def _join(lines: Sequence[BlockLine], text: str) -> None:
    """Make lines one, which is the longest of them."""
    whole = max(lines, key=lambda line: line.bbox.w)
    left, top = min(line.bbox.x for line in lines), min(line.bbox.y for line in lines)
    right, bottom = max(line.bbox.x + line.bbox.w for line in lines), max(line.bbox.y + line.bbox.h for line in lines)
    for line in lines:
        line.text = ""
    whole.text, whole.bbox = text, Rect(left, top, right - left, bottom - top)


def in_reading_order(seen: str, *, is_whole_page: bool) -> str:
    """Return a line as it is read, given as it is seen; it, or its page, may be in a left-to-right script."""
    if is_right_to_left([seen], 0.35 if is_whole_page else 0.5):  # a sentence on such a page may be of foreign words
        return _from_the_right(seen)
    return "".join(_from_the_right(piece) if found else piece for found, piece in _pieces(_RUN_RIGHT_TO_LEFT, seen))


def _from_the_right(seen: str) -> str:
    text = "".join([piece if found else _turned(piece) for found, piece in _pieces(_LEFT_TO_RIGHT, seen)][::-1])
    opening, closing = _OPENING.search(text), _CLOSING.search(text)
    is_read = opening is not None and closing is not None and closing.start() < opening.start()
    return text.translate(_MIRRORED) if is_read else text  # a file may name brackets as they are read


def _pieces(runs: re.Pattern[str], text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a text, and whether their classes are such a run."""
    at = 0
    for run in runs.finditer(_classes(text)):
        yield False, text[at : run.start()]
        yield True, text[run.start() : run.end()]
        at = run.end()
    yield False, text[at:]


def _turned(seen: str) -> str:
    return seen[::-1].translate(_MIRRORED)


def _classes(text: str) -> str:
    """Return a letter for each character: its class in the rules for two directions, and a small one for marks."""
    classes = "".join(map(_class, text))
    if _ARABIC.search(text):  # behind its letters 5-7 and 5% are read from the right
        return classes.replace("-", "O").replace("T", "O")
    return classes.replace("-", "S")


@lru_cache(maxsize=4096)
def _class(character: str) -> str:
    if character in "+-":
        return "-"
    return _CLASSES.get(unicodedata.bidirectional(character), "O")


def _placed(letters: bytes, line: BlockLine) -> Iterator[Placed]:
    """Yield the letters of a line with their places, marks with the letter that they are written on."""
    found = [(float(x0), float(x1), html.unescape(text.decode())) for text, x0, x1 in _VISUAL_LETTER.findall(letters)]
    if len(found) == len(line.text):  # with raised figures
        found = [(x0, x1, text) for (x0, x1, _), text in zip(found, line.text, strict=True)]
    before: Placed | None = None
    for x0, x1, text in found:
        if before is not None and unicodedata.combining(text[:1]):
            before = (before[0], before[1], before[2] + text)
            continue
        if before is not None:
            yield before
        before = (x0, x1, text)
    if before is not None:
        yield before


def _as_seen(placed: Sequence[Placed], size: float) -> str:
    """Return letters from left to right; blanks, which some files draw on top of letters, by the gaps between them."""
    ordered = sorted((letter for letter in placed if not letter[2].isspace()), key=_middle)
    blanks = sorted(_middle(letter) for letter in placed if letter[2].isspace())
    text = ordered[0][2] if ordered else ""
    for (_, end, _), (start, _, letter) in pairwise(ordered):
        is_drawn = bisect_left(blanks, 2 * end) < bisect_left(blanks, 2 * start)
        text += f" {letter}" if start - end > (_LEAST if is_drawn else _GAP) * size else letter
    return text


def _middle(letter: Placed) -> float:
    return letter[0] + letter[1]
