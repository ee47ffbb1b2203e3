"""Directions of text on a page: whatever way it runs, it is laid out as if it ran from left to right.

A frame turns places so that reading goes to the right and downwards, and turns the result back. Upright
Japanese and Chinese is text that runs down; Arabic and Hebrew are mirrored.
"""

import re
from collections.abc import Callable, Sequence
from enum import IntEnum

from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")

Turn = Callable[[Box], Box]


class Direction(IntEnum):
    """Where a text runs on the page as it is shown."""

    RIGHT = 0
    LEFT = 1  # upside down
    UP = 2
    DOWN = 3

    @property
    def is_level(self) -> bool:
        """Return whether lines lie, not stand."""
        return self <= Direction.LEFT


class TextFrame:
    """One way of reading a page of this size; `turned` brings pieces into it, `back` a rectangle out of it."""

    def __init__(self, direction: Direction, width: float, height: float, *, mirrored: bool = False) -> None:
        self._direction = direction
        self._width, self._height = width, height
        self._mirrored = mirrored
        self._across = width if direction.is_level else height
        self.height = height if direction.is_level else width
        self.is_plain = direction is Direction.RIGHT and not mirrored

    def turned(self, pieces: Sequence[PrintedPiece]) -> list[PrintedPiece]:
        """Return the pieces as they stand in this frame."""
        return list(pieces) if self.is_plain else [self._turned(piece) for piece in pieces]

    def back(self, box: Box) -> Box:
        """Return where a rectangle of this frame stands on the page."""
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

    def _turned(self, piece: PrintedPiece) -> PrintedPiece:
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


def is_right_to_left(pieces: Sequence[PrintedPiece]) -> bool:
    """Return whether most of a text is Arabic, Hebrew or another script written from right to left."""
    text = "".join(piece.text for piece in pieces if not piece.text.isascii())
    if _RIGHT_TO_LEFT.search(text) is None:
        return False
    letters = sum(len(_LETTER.findall(piece.text)) for piece in pieces)
    return 2 * len(_RIGHT_TO_LEFT.findall(text)) > letters
