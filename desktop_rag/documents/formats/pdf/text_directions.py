"""Text directions: text in any direction is laid out as if it ran from left to right.

A frame transforms coordinates so that text runs rightwards and downwards, and transforms the result back.
Vertical Japanese and Chinese is text that runs down; Arabic and Hebrew are mirrored.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum

from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

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
