"""The blocks of a clean page (paragraphs, headings, items, rows …), each with its source lines."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from desktop_rag.documents.document import InlineMark


class Markup(StrEnum):
    """How lines make paragraphs and cells; in Markdown and LaTeX, line ends in a paragraph are spaces."""

    NONE = "none"  # a line is a paragraph; cells are between tabs
    MARKDOWN = "markdown"  # cells are between bars
    LATEX = "latex"  # cells are between ampersands


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
    NOTHING = 9  # lines without visible text: a code fence, a table delimiter row
    ABSENT = 10  # lines that are not loaded yet


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """Maps `length` characters from `start` of line `line` to offset `shown` of a strip.

    `width` is the length of their replacement, such as a formula; 0 without one.
    """

    shown: int
    line: int
    start: int
    length: int
    width: int = 0

    def first(self, start: int) -> int:
        """Map the beginning of a range to an offset in the strip."""
        return self.shown + (0 if self.width else max(0, start - self.start))

    def last(self, end: int) -> int:
        """Map the end of a range to an offset in the strip."""
        return self.shown + (self.width or min(self.length, end - self.start))


@dataclass(frozen=True, slots=True)
class Strip:
    """Text that flows together: a paragraph or a cell. Offsets in `marks` refer to `text`."""

    text: str
    pieces: tuple[BlockPiece, ...] = ()
    marks: tuple[InlineMark, ...] = ()

    def shown(self, line: int, start: int, end: int) -> tuple[int, int] | None:
        """Map characters `start` to `end` of a line to offsets in the strip; None if they are hidden."""
        found = [
            (piece.first(start), piece.last(end))
            for piece in self.pieces
            if piece.line == line and start < piece.start + piece.length and end > piece.start
        ]
        return (found[0][0], found[-1][1]) if found else None

    def lines_shown(self, first: int, last: int) -> tuple[int, int] | None:
        """Map whole lines to offsets in the strip; None if they are hidden."""
        found = [piece for piece in self.pieces if first <= piece.line <= last]
        return (found[0].shown, found[-1].last(found[-1].start + found[-1].length)) if found else None

    def line_at(self, offset: int) -> int:
        """Return the source line of the character at `offset`; 0 in an empty strip."""
        line = 0
        for piece in self.pieces:
            if line and piece.shown > offset:
                break
            line = piece.line
        return line


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `first` to `last` as one unit of layout.

    `label` is the bullet or number of an item. `opens` and `closes`: no block of the same kind is directly
    before or after it, so a listing or a table has its edge here. `caption` names the section that begins here.
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
        """Return the text for the clipboard."""
        words = "\t".join(strip.text for strip in self.strips)
        return f"{self.label} {words}" if self.label else words
