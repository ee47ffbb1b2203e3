"""The words on a printed page as pieces with a place, before anything is known of columns, rows and headings."""

from dataclasses import dataclass

from desktop_rag.documents.document import Box


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words on one base line, as the file draws it; `block` groups the pieces drawn together."""

    text: str
    box: Box
    size: float
    bold: bool
    block: int


@dataclass(slots=True)
class PrintedLine:
    """A line in reading order: one piece, or the cells of a table row."""

    text: str
    box: Box
    size: float
    bold: bool
    block: int
    cells: int  # 0 for text that runs up or down the page
    gap: bool  # whether a paragraph ends before it


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A page as it is shown, in points, with its lines in reading order."""

    width: float
    height: float
    lines: list[PrintedLine]


def union(first: Box, second: Box) -> Box:
    """Return the smallest rectangle around two."""
    return Box(min(first.x0, second.x0), min(first.y0, second.y0), max(first.x1, second.x1), max(first.y1, second.y1))
