"""Running headers and footers and page numbers: what stands at the same edge of many pages.

A line of text belongs to them if its words come back at the same height, or if it counts the pages; and only
if nothing else stands between it and the edge. The names of a table's columns may come back too, but there are
more of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

_ZONE = 0.14  # of the page's height
_MAX_ROWS = 4  # at one edge
_MANY = 3  # pages
_LONGEST = 200  # characters of a row
_STEP = 4.0  # points; heights less than this apart are the same
_MAX_PARTS = 2  # of a row that have letters, such as chapter and author
_ROMAN_NUMBER = "#"
_DIGITS = re.compile(r"\d{1,9}")
_ROMAN = re.compile(r"[ivxlc]+$", re.I)
_COUNTING = re.compile(
    r"\W*(?:page|seite|p[áa]g(?:e|ina)?|стр|第)?\W*(\d{1,5})\W*(?:(?:of|von|de|sur|di|van|из|/)\W*\d{1,5}|页|頁|ページ)?\W*$",
    re.I,
)

Row = list[PrintedPiece]


class _Edge(IntEnum):
    TOP = 0
    BOTTOM = 1


@dataclass(slots=True)
class PageText:
    """The main text of one page, in its frame, and what `separate_headers_footers` took out of it."""

    pieces: list[PrintedPiece]
    height: float
    above: list[PrintedPiece] = field(default_factory=list)
    below: list[PrintedPiece] = field(default_factory=list)


def separate_headers_footers(pages: Sequence[PageText]) -> None:
    """Take running headers and footers out of the text of pages that follow each other."""
    if len(pages) < _MANY:
        return
    edges = [(_rows_at(page, _Edge.TOP), _rows_at(page, _Edge.BOTTOM)) for page in pages]
    seen = _Seen()
    for number, rows_of_page in enumerate(edges):
        for edge, rows in zip(_Edge, rows_of_page, strict=True):
            seen.note(number, edge, rows)
    for number, (page, (top, bottom)) in enumerate(zip(pages, edges, strict=True)):
        page.above = list(seen.running(number, _Edge.TOP, top))
        page.below = list(seen.running(number, _Edge.BOTTOM, bottom))
        aside = {id(piece) for piece in (*page.above, *page.below)}
        rest = [piece for piece in page.pieces if id(piece) not in aside]
        if rest:
            page.pieces = rest
        else:  # there is nothing that they would stand around
            page.above, page.below = [], []


class _Seen:
    """What stood at the edges of all pages."""

    def __init__(self) -> None:
        self._words: dict[tuple[_Edge, str], Counter[int]] = {}
        self._offsets: Counter[tuple[_Edge, int]] = Counter()

    def note(self, number: int, edge: _Edge, rows: Sequence[Row]) -> None:
        """Count what stands at one edge of page `number`."""
        words = {(text, _level(piece)) for row in rows for piece in row for text in _wordings(piece.text, number)}
        for text, level in words:
            self._words.setdefault((edge, text), Counter())[level] += 1
        offsets = {value - number for row in rows for piece in row if (value := _counted(piece.text)) is not None}
        for offset in offsets:
            self._offsets[edge, offset] += 1

    def running(self, number: int, edge: _Edge, rows: Sequence[Row]) -> Iterator[PrintedPiece]:
        """Yield the pieces of the rows that come back on other pages, from the edge inwards."""
        for row in rows:
            if sum(len(piece.text) for piece in row) > _LONGEST or sum(map(_has_letters, row)) > _MAX_PARTS:
                return
            counts = any(self._is_page_number(piece, number, edge) for piece in (row[0], row[-1]))
            if not (counts and len(row) <= _MAX_PARTS + 1) and not all(
                self._comes_back(piece, number, edge) or self._is_page_number(piece, number, edge) for piece in row
            ):
                return
            yield from row

    def _comes_back(self, piece: PrintedPiece, number: int, edge: _Edge) -> bool:
        return _has_letters(piece) and any(
            self._times(edge, text, _level(piece)) >= _MANY for text in _wordings(piece.text, number)
        )

    def _times(self, edge: _Edge, text: str, level: int) -> int:
        levels = self._words[edge, text]
        return sum(levels[level + step] for step in (-1, 0, 1))

    def _is_page_number(self, piece: PrintedPiece, number: int, edge: _Edge) -> bool:
        if _ROMAN.match(piece.text):
            return self._times(edge, _ROMAN_NUMBER, _level(piece)) >= _MANY
        value = _counted(piece.text)
        return value is not None and self._offsets[edge, value - number] >= _MANY


def _rows_at(page: PageText, edge: _Edge) -> list[Row]:
    """Return the rows of text next to one edge, the outermost first."""
    if not page.pieces:
        return []
    if edge is _Edge.TOP:
        limit = max(_ZONE * page.height, min(piece.y1 for piece in page.pieces) + 1)
        near = sorted((piece for piece in page.pieces if piece.y1 < limit), key=lambda piece: piece.base)
    else:  # where a page ends early, its number may end it too
        limit = min((1 - _ZONE) * page.height, max(piece.y0 for piece in page.pieces) - 1)
        near = sorted((piece for piece in page.pieces if piece.y0 > limit), key=lambda piece: -piece.base)
    rows: list[Row] = []
    for piece in near:
        if rows and abs(rows[-1][0].base - piece.base) < _STEP:
            rows[-1].append(piece)
        elif len(rows) == _MAX_ROWS:
            break
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.x0)
    return rows


def _level(piece: PrintedPiece) -> int:
    return round(piece.base / _STEP)


def _has_letters(piece: PrintedPiece) -> bool:
    return any(map(str.isalpha, piece.text))


def _wordings(text: str, number: int) -> Iterator[str]:
    """Yield a text as it is, and once for each number in it that may count the pages."""
    if _ROMAN.match(text):
        yield _ROMAN_NUMBER
        return
    yield text
    for value in {int(digits) for digits in _DIGITS.findall(text)}:
        yield f"{_DIGITS.sub('#', text)} {value - number}"


def _counted(text: str) -> int | None:
    match = _COUNTING.match(text) if len(text) <= 40 else None
    return int(match[1]) if match else None
