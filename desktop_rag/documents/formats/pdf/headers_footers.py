"""Recognises running headers, running footers and page numbers: rows that repeat at the same edge of many pages.

A row belongs to them if its words repeat at the same height or if it counts the pages, and only if nothing else is
between it and the edge. The header row of a table may repeat too, but has more columns.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import attrgetter

from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

_ZONE = 0.14  # of the page height
_MAX_ROWS = 4  # per edge
_MANY = 3  # pages
_LONGEST = 200  # characters per row
_STEP = 4.0  # points; heights closer than this count as equal
_MAX_PARTS = 2  # pieces with letters in one row, such as chapter and author
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
    """The main text of one page in its frame, and the headers and footers separated from it."""

    pieces: list[PrintedPiece]
    height: float
    headers: list[PrintedPiece] = field(default_factory=list)
    footers: list[PrintedPiece] = field(default_factory=list)


def separate_headers_footers(pages: Sequence[PageText]) -> None:
    """Move running headers and footers of consecutive pages from `pieces` to `headers` and `footers`."""
    if len(pages) < _MANY:
        return
    edges = [(_rows_at(page, _Edge.TOP), _rows_at(page, _Edge.BOTTOM)) for page in pages]
    statistics = _EdgeStatistics()
    for number, rows_of_page in enumerate(edges):
        for edge, rows in zip(_Edge, rows_of_page, strict=True):
            statistics.count(number, edge, rows)
    for number, (page, (top, bottom)) in enumerate(zip(pages, edges, strict=True)):
        page.headers = list(statistics.running(number, _Edge.TOP, top))
        page.footers = list(statistics.running(number, _Edge.BOTTOM, bottom))
        aside = {id(piece) for piece in (*page.headers, *page.footers)}
        if not aside:
            continue
        rest = [piece for piece in page.pieces if id(piece) not in aside]
        if rest:
            page.pieces = rest
        else:  # a page of nothing else: keep it as text
            page.headers, page.footers = [], []


class _EdgeStatistics:
    """Counts what appears at the edges of all pages."""

    def __init__(self) -> None:
        self._words: Counter[tuple[_Edge, str, int]] = Counter()
        self._offsets: Counter[tuple[_Edge, int]] = Counter()

    def count(self, number: int, edge: _Edge, rows: Sequence[Row]) -> None:
        """Count the rows at one edge of page `number`."""
        pieces = [(piece.text, _level(piece)) for row in rows for piece in row]
        self._words.update({(edge, words, level) for text, level in pieces for words in _wordings(text, number)})
        values = {value for text, _ in pieces if (value := _page_number_in(text)) is not None}
        self._offsets.update((edge, value - number) for value in values)

    def running(self, number: int, edge: _Edge, rows: Sequence[Row]) -> Iterator[PrintedPiece]:
        """Yield the pieces of repeated rows, from the edge inwards."""
        for row in rows:
            if sum(len(piece.text) for piece in row) > _LONGEST or sum(map(_has_letters, row)) > _MAX_PARTS:
                return
            counts = any(self._is_page_number(piece, number, edge) for piece in (row[0], row[-1]))
            if not (counts and len(row) <= _MAX_PARTS + 1) and not all(
                self._repeats(piece, number, edge) or self._is_page_number(piece, number, edge) for piece in row
            ):
                return
            yield from row

    def _repeats(self, piece: PrintedPiece, number: int, edge: _Edge) -> bool:
        return _has_letters(piece) and any(
            self._times(edge, text, _level(piece)) >= _MANY for text in _wordings(piece.text, number)
        )

    def _times(self, edge: _Edge, text: str, level: int) -> int:
        return sum([self._words.get((edge, text, level + step), 0) for step in (-1, 0, 1)])

    def _is_page_number(self, piece: PrintedPiece, number: int, edge: _Edge) -> bool:
        if _ROMAN.match(piece.text):
            return self._times(edge, _ROMAN_NUMBER, _level(piece)) >= _MANY
        value = _page_number_in(piece.text)
        return value is not None and self._offsets[edge, value - number] >= _MANY


def _rows_at(page: PageText, edge: _Edge) -> list[Row]:
    """Return the rows near one edge, the outermost first."""
    if not page.pieces:
        return []
    if edge is _Edge.TOP:
        limit = max(_ZONE * page.height, min([piece.y1 for piece in page.pieces]) + 1)
        near = sorted([piece for piece in page.pieces if piece.y1 < limit], key=attrgetter("base"))
    else:  # on a short page the number may follow the text
        limit = min((1 - _ZONE) * page.height, max([piece.y0 for piece in page.pieces]) - 1)
        near = sorted([piece for piece in page.pieces if piece.y0 > limit], key=lambda piece: -piece.base)
    rows: list[Row] = []
    for piece in near:
        if rows and abs(rows[-1][0].base - piece.base) < _STEP:
            rows[-1].append(piece)
        elif len(rows) == _MAX_ROWS:
            break
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=attrgetter("x0"))
    return rows


def _level(piece: PrintedPiece) -> int:
    return round(piece.base / _STEP)


def _has_letters(piece: PrintedPiece) -> bool:
    return any(map(str.isalpha, piece.text))


def _wordings(text: str, number: int) -> Iterator[str]:
    """Yield a text, and a variant for each number in it relative to the page number."""
    if _ROMAN.match(text):
        yield _ROMAN_NUMBER
        return
    yield text
    for value in set(map(int, _DIGITS.findall(text))):
        yield f"{_DIGITS.sub('#', text)} {value - number}"


def _page_number_in(text: str) -> int | None:
    match = _COUNTING.match(text) if len(text) <= 40 else None
    return int(match[1]) if match else None
