"""The text selection on printed pages, across any number of pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF

from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout
from desktop_rag.gui.viewer.pages.page_geometry import Areas

Step = Literal["letter", "word", "line", "edge"]


@dataclass(frozen=True, slots=True, order=True)
class Caret:
    """A position between two glyphs."""

    page: int
    index: int


class PageSelection:
    """A selection from `anchor` to `caret`; nothing is selected on pages whose glyphs have not arrived."""

    def __init__(self, glyphs: Callable[[int], GlyphLayout | None]) -> None:
        self._glyphs = glyphs
        self.anchor: Caret | None = None
        self.caret: Caret | None = None

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.caret = None

    def is_empty(self) -> bool:
        """Return whether nothing is selected."""
        return self.anchor == self.caret

    def begin(self, page: int, point: QPointF) -> None:
        """Start a selection at a point of a page."""
        glyphs = self._glyphs(page)
        self.anchor = self.caret = Caret(page, glyphs.caret_at(point)) if glyphs else None

    def extend(self, page: int, point: QPointF) -> None:
        """Extend the selection to a point of a page."""
        glyphs = self._glyphs(page)
        if glyphs is not None:
            self.caret = Caret(page, glyphs.caret_at(point))
            self.anchor = self.anchor or self.caret

    def take_word(self, page: int, point: QPointF) -> None:
        """Select the word at a point."""
        self._take(page, point, GlyphLayout.word_at)

    def take_line(self, page: int, point: QPointF) -> None:
        """Select the line at a point."""
        self._take(page, point, GlyphLayout.line_at)

    def take_page(self, page: int) -> None:
        """Select everything on a page."""
        if (glyphs := self._glyphs(page)) is not None:
            self.anchor, self.caret = Caret(page, 0), Caret(page, glyphs.end)

    def move(self, step: Step, by: int) -> None:
        """Extend the selection by a character, word or line, or to the line's edge, forward (1) or back (-1)."""
        if self.caret is None or (glyphs := self._glyphs(self.caret.page)) is None:
            return
        page, index = self.caret.page, self.caret.index
        match step:
            case "letter":
                index += by
            case "word":
                index = _next_word(glyphs, index, by)
            case "line":
                index = _next_line(glyphs, index, by)
            case "edge":
                number, _ = glyphs.position_of(index)
                index = glyphs.start_of(number) + (len(glyphs.runs[number].text) if by > 0 and glyphs.runs else 0)
        self.caret = self._over_the_edge(page, index, glyphs)

    def text(self) -> str:
        """Return the selected text."""
        return "\n".join(filter(None, (glyphs.text(first, last) for _, glyphs, first, last in self._parts())))

    def lines(self) -> tuple[int, int]:
        """Return the first and last selected catalog line; 0 if there is none."""
        lines = [glyphs.lines(first, last) for _, glyphs, first, last in self._parts()]
        known = [pair for pair in lines if pair[0]]
        return (min(first for first, _ in known), max(last for _, last in known)) if known else (0, 0)

    def areas(self) -> Areas:
        """Return the rectangles of the selection by page."""
        return {page: glyphs.areas(first, last) for page, glyphs, first, last in self._parts()}

    def caret_area(self) -> tuple[int, QRectF] | None:
        """Return the page and rectangle of the caret."""
        if self.caret is None or not (glyphs := self._glyphs(self.caret.page)) or not glyphs.runs:
            return None
        number, index = glyphs.position_of(self.caret.index)
        return self.caret.page, glyphs.runs[number].edge(index)

    def pages(self) -> range:
        """Return the pages of the selection."""
        if self.anchor is None or self.caret is None:
            return range(0)
        first, last = sorted((self.anchor.page, self.caret.page))
        return range(first, last + 1)

    def _parts(self) -> Iterator[tuple[int, GlyphLayout, int, int]]:
        if self.anchor is None or self.caret is None or self.is_empty():
            return
        first, last = sorted((self.anchor, self.caret))
        for page in self.pages():
            if (glyphs := self._glyphs(page)) is not None:
                start = first.index if page == first.page else 0
                yield page, glyphs, start, last.index if page == last.page else glyphs.end

    def _take(self, page: int, point: QPointF, around: Callable[[GlyphLayout, int], tuple[int, int]]) -> None:
        if (glyphs := self._glyphs(page)) is not None:
            first, last = around(glyphs, glyphs.caret_at(point))
            self.anchor, self.caret = Caret(page, first), Caret(page, last)

    def _over_the_edge(self, page: int, index: int, glyphs: GlyphLayout) -> Caret:
        """Move a caret beyond its page to the adjacent page, if its glyphs are known."""
        if index > glyphs.end and self._glyphs(page + 1) is not None:
            return Caret(page + 1, 0)
        if index < 0 and page > 1 and (before := self._glyphs(page - 1)) is not None:
            return Caret(page - 1, before.end)
        return Caret(page, max(0, min(index, glyphs.end)))


def _next_word(glyphs: GlyphLayout, index: int, by: int) -> int:
    number, at = glyphs.position_of(index)
    if not glyphs.runs:
        return index
    text, start = glyphs.runs[number].text, glyphs.start_of(number)
    if by > 0:
        while at < len(text) and not text[at].isspace():
            at += 1
        while at < len(text) and text[at].isspace():
            at += 1
        return start + at if start + at > index else index + 1
    while at > 0 and text[at - 1].isspace():
        at -= 1
    while at > 0 and not text[at - 1].isspace():
        at -= 1
    return start + at if start + at < index else index - 1


def _next_line(glyphs: GlyphLayout, index: int, by: int) -> int:
    number, at = glyphs.position_of(index)
    other = number + by
    if not glyphs.runs or other < 0:
        return -1
    if other >= len(glyphs.runs):
        return glyphs.end + 1
    point = glyphs.runs[number].edge(at).center()
    run = glyphs.runs[other]
    edges = range(len(run.text) + 1)
    if run.upright:
        nearest = min(edges, key=lambda place: abs(run.edge(place).x() - point.x()))
    else:
        nearest = min(edges, key=lambda place: abs(run.edge(place).y() - point.y()))
    return glyphs.start_of(other) + nearest
