"""What a page consists of: paragraphs, headings, items, rows and so on, each with the lines it was made of."""

from dataclasses import dataclass
from enum import IntEnum

from desktop_rag.documents.document import InlineMark


class BlockShape(IntEnum):
    """How a block is laid out."""

    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    ROW = 3
    CODE = 4
    QUOTE = 5
    FIELD = 6
    GAP = 7
    RULE = 8
    NOTHING = 9  # lines of which nothing is shown: the fence of a listing, the ruler of a table
    ABSENT = 10  # lines that are still on their way


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """Characters that are shown as they stand: `length` of line `line` from `start` on, shown from `shown` on."""

    shown: int
    line: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Words that flow together: a paragraph, or a cell. Offsets in `marks` count in `text`."""

    text: str
    pieces: tuple[BlockPiece, ...] = ()
    marks: tuple[InlineMark, ...] = ()

    def shown(self, line: int, start: int, end: int) -> tuple[int, int] | None:
        """Return where characters `start` to `end` of a line are shown; None if nothing of them is."""
        found = [
            (piece.shown + max(start, piece.start) - piece.start, piece.shown + min(end, after) - piece.start)
            for piece in self.pieces
            if piece.line == line and start < (after := piece.start + piece.length) and end > piece.start
        ]
        return (found[0][0], found[-1][1]) if found else None

    def lines_shown(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where these lines are shown; None if nothing of them is."""
        found = [piece for piece in self.pieces if first <= piece.line <= last]
        return (found[0].shown, found[-1].shown + found[-1].length) if found else None

    def line_at(self, offset: int) -> int:
        """Return the line to which the character at `offset` belongs; 0 in a strip without words."""
        line = 0
        for piece in self.pieces:
            if line and piece.shown > offset:
                break
            line = piece.line
        return line

    def link_at(self, offset: int) -> str:
        """Return the target of the link at `offset`, or an empty text."""
        return next((mark.target for mark in self.marks if mark.target and mark.start <= offset < mark.end), "")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `first` to `last` as one thing on the page.

    `label` is the bullet or number of an item. `opens` and `closes`: no block of the same kind stands directly
    before or after it, so that a listing or a table has its edge here. `caption` names the part that begins here.
    """

    shape: BlockShape
    first: int
    last: int
    strips: tuple[Strip, ...] = ()
    level: int = 0
    label: str = ""
    opens: bool = True
    closes: bool = True
    caption: str = ""

    def text(self) -> str:
        """Return the words as they are copied."""
        words = "\t".join(strip.text for strip in self.strips)
        return f"{self.label} {words}" if self.label else words
