"""The words on a printed page as pieces with a place, before anything is known of columns, rows and headings."""

from dataclasses import dataclass, field

import msgspec

from desktop_rag.documents.document import Box


class PrintedPiece(
    msgspec.Struct, gc=False
):  # a document has a million of them: made several times faster than a dataclass
    """A run of words on one base line, as the file draws it; `block` groups the pieces drawn together.

    Its place is that on the page as it is shown, or within the `Frame` in which it is being laid out.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float  # the height of the base line
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
    cells: int  # 0 for text that runs across the direction of its page
    gap: bool  # whether a paragraph ends before it


@dataclass(frozen=True, slots=True)
class Comment:
    """What a person wrote onto a page, or marked on it."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class WebLink:
    """A place on a page that leads out of the file, and the words on it."""

    target: str
    words: str
    box: Box


@dataclass(slots=True)
class PrintedPage:
    """A page as it is shown, in points: its lines in reading order, and what does not belong to its text."""

    width: float
    height: float
    lines: list[PrintedLine] = field(default_factory=list)
    above: list[PrintedLine] = field(default_factory=list)  # running headers
    below: list[PrintedLine] = field(default_factory=list)  # running footers, page numbers
    comments: list[Comment] = field(default_factory=list)
    links: list[WebLink] = field(default_factory=list)
    is_picture: bool = False
