"""The text selection on printed pages, across any number of pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF

from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout
from desktop_rag.gui.viewer.pages.page_marks import Areas

Step = Literal["letter", "word", "line", "edge"]


@dataclass(frozen=True, slots=True, order=True)
class Caret:
    """A position between two glyphs."""

    page: int
    index: int


class PageSelection:
    """A selection from `anchor` to `caret`; nothing is selected on pages whose glyphs have not arrived."""

    def __init__(self, letters: Callable[[int], GlyphLayout | None]) -> None:
        self._letters = letters
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
        letters = self._letters(page)
        self.anchor = self.caret = Caret(page, letters.caret_at(point)) if letters else None

    def extend(self, page: int, point: QPointF) -> None:
        """Extend the selection to a point of a page."""
        letters = self._letters(page)
        if letters is not None:
            self.caret = Caret(page, letters.caret_at(point))
            self.anchor = self.anchor or self.caret

    def take_word(self, page: int, point: QPointF) -> None:
        """Select the word at a point."""
        self._take(page, point, GlyphLayout.word_at)

    def take_line(self, page: int, point: QPointF) -> None:
        """Select the line at a point."""
        self._take(page, point, GlyphLayout.line_at)

    def take_page(self, page: int) -> None:
        """Select everything on a page."""
        if (letters := self._letters(page)) is not None:
            self.anchor, self.caret = Caret(page, 0), Caret(page, letters.end)

    def move(self, step: Step, by: int) -> None:
        """Extend the selection by a character, word or line, or to the line's edge, forward (1) or back (-1)."""
        if self.caret is None or (letters := self._letters(self.caret.page)) is None:
            return
        page, index = self.caret.page, self.caret.index
        match step:
            case "letter":
                index += by
            case "word":
                index = _next_word(letters, index, by)
            case "line":
                index = _next_line(letters, index, by)
            case "edge":
                number, _ = letters.place_of(index)
                index = letters.start_of(number) + (len(letters.runs[number].text) if by > 0 and letters.runs else 0)
        self.caret = self._over_the_edge(page, index, letters)

    def text(self) -> str:
        """Return the selected text."""
        return "\n".join(filter(None, (letters.text(first, last) for _, letters, first, last in self._parts())))

    def lines(self) -> tuple[int, int]:
        """Return the first and last selected catalog line; 0 if there is none."""
        lines = [letters.lines(first, last) for _, letters, first, last in self._parts()]
        known = [pair for pair in lines if pair[0]]
        return (min(first for first, _ in known), max(last for _, last in known)) if known else (0, 0)

    def areas(self) -> Areas:
        """Return the rectangles of the selection by page."""
        return {page: letters.areas(first, last) for page, letters, first, last in self._parts()}

    def caret_area(self) -> tuple[int, QRectF] | None:
        """Return the page and rectangle of the caret."""
        if self.caret is None or not (letters := self._letters(self.caret.page)) or not letters.runs:
            return None
        number, index = letters.place_of(self.caret.index)
        return self.caret.page, letters.runs[number].edge(index)

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
            if (letters := self._letters(page)) is not None:
                start = first.index if page == first.page else 0
                yield page, letters, start, last.index if page == last.page else letters.end

    def _take(self, page: int, point: QPointF, around: Callable[[GlyphLayout, int], tuple[int, int]]) -> None:
        if (letters := self._letters(page)) is not None:
            first, last = around(letters, letters.caret_at(point))
            self.anchor, self.caret = Caret(page, first), Caret(page, last)

    def _over_the_edge(self, page: int, index: int, letters: GlyphLayout) -> Caret:
        """Move a caret beyond its page to the adjacent page, if its glyphs are known."""
        if index > letters.end and self._letters(page + 1) is not None:
            return Caret(page + 1, 0)
        if index < 0 and page > 1 and (before := self._letters(page - 1)) is not None:
            return Caret(page - 1, before.end)
        return Caret(page, max(0, min(index, letters.end)))


def _next_word(letters: GlyphLayout, index: int, by: int) -> int:
    number, at = letters.place_of(index)
    if not letters.runs:
        return index
    text, start = letters.runs[number].text, letters.start_of(number)
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


def _next_line(letters: GlyphLayout, index: int, by: int) -> int:
    number, at = letters.place_of(index)
    other = number + by
    if not letters.runs or other < 0:
        return -1
    if other >= len(letters.runs):
        return letters.end + 1
    point = letters.runs[number].edge(at).center()
    run = letters.runs[other]
    edges = range(len(run.text) + 1)
    if run.upright:
        nearest = min(edges, key=lambda place: abs(run.edge(place).x() - point.x()))
    else:
        nearest = min(edges, key=lambda place: abs(run.edge(place).y() - point.y()))
    return letters.start_of(other) + nearest
