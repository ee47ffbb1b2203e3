"""The text of a page as positioned pieces and lines, before headings and paragraphs are recognised."""

from dataclasses import dataclass, field

import msgspec

from desktop_rag.documents.document import Box


class PrintedPiece(msgspec.Struct, gc=False):  # a million per document: much faster than a dataclass
    """A run of words on one baseline; `block` groups the pieces drawn together.

    Coordinates are on the page after rotation, or in a `TextFrame` during layout.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float  # the y coordinate of the baseline
    size: float
    bold: bool
    block: int


class PrintedLine(msgspec.Struct, gc=False):
    """A line in reading order: one piece, or the cells of a table row."""

    text: str
    box: Box
    size: float
    bold: bool
    block: int
    cells: int  # 0 for text in another direction than the main text
    gap: bool  # whether it starts a paragraph


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a page, or a highlighted passage."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class WebLink:
    """An external link on a page and its words."""

    target: str
    words: str
    box: Box


@dataclass(slots=True)
class PrintedPage:
    """A page after rotation, in points: its running text in reading order, headers, footers, comments and links."""

    width: float
    height: float
    lines: list[PrintedLine] = field(default_factory=list)
    headers: list[PrintedLine] = field(default_factory=list)  # running headers
    footers: list[PrintedLine] = field(default_factory=list)  # running footers, page numbers
    comments: list[Comment] = field(default_factory=list)
    links: list[WebLink] = field(default_factory=list)
    is_picture: bool = False
