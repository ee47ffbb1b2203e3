"""Joins the rows of tables without lines, whose columns stand below each other: cells of several lines, empty cells.

A cell goes on in the next line if that is as near as the lines of a paragraph and the next row is further away. What is
not certain stays as it is: amounts below each other, several cells that wrap, rows as near as lines.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

import msgspec

from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece
from desktop_rag.documents.formats.pdf.ruled_tables import gaps_between, is_one_row, joined_row, lines_of

NUMBERING = re.compile(
    r"(?:[(\[]?\.?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})(?:\.\d{1,3})*[.)\]:]{0,2}|[•‣◦▪–—●○■□➢✓*\uf000-\uf0ff-])$"
)
_FILLED = 0.3  # least share of the cells of each column that are not empty
_TIGHT = 0.3  # of a size: most distance of the lines of a cell
_FEWEST_LINES = 3
_MOST_LINES, _ALIGNED = 6, 2.0  # of a cell; points

Cell = list[list[PrintedPiece]]
PlacedCell = tuple[float, float, Cell]  # its top and bottom


def aligned_rows(pieces: Sequence[PrintedPiece]) -> list[list[PrintedPiece]] | None:
    """Return the rows of a part of a page with gaps from top to bottom, whole rows as one piece; None if none is."""
    edges = gaps_between(pieces)
    if not edges:  # prose
        return None
    if any(len(piece.text) == 1 and unicodedata.category(piece.text) == "Sc" for piece in pieces):
        pieces = list(_with_currencies(pieces))
        edges = gaps_between(pieces)
    if not edges:
        return None
    on_lines = Counter([round(piece.base) for piece in pieces])
    if all(count == len(edges) + 1 for count in on_lines.values()):  # every line is a whole row
        return None
    columns = _by_columns(pieces, edges)
    if 2 * sum(NUMBERING.match(piece.text) is not None for piece in columns[0]) >= len(columns[0]):  # a list
        return None
    rows = list(_rows([[*_cells(column)] for column in columns]))
    full = [row for row in rows if sum(map(bool, row)) > 1]
    wraps = any(len(cell) > 1 for row in full for cell in row)
    slips = len(edges) > 1 and len(rows) > 2 and any(not all(row) for row in full)
    is_filled = all(sum(map(bool, column)) >= _FILLED * len(full) for column in zip(*full, strict=True))
    if len(full) < 2 or not is_filled or not (wraps or slips) or not all(map(_is_certain, full)):
        return _by_lines(pieces)
    return [line for row in rows for line in _lines(row)]


def _by_lines(pieces: Sequence[PrintedPiece]) -> list[list[PrintedPiece]] | None:
    """Return the lines, those with an empty cell before another as one piece that keeps its place; None without any."""
    if len(pieces) <= 2 * _FEWEST_LINES:
        return None
    lines = lines_of(pieces)
    edges = gaps_between([piece for line in lines if len(line) > 1 for piece in line])
    if len(edges) < 2:
        return None
    placed = [_by_columns(line, edges) for line in lines]
    several = [cells for cells in placed if sum(map(bool, cells)) > 1]
    if len(several) < _FEWEST_LINES or not any(map(all, several)) or not any(map(_has_hole, several)):
        return None
    return [
        [joined_row([[cell] if cell else [] for cell in cells])] if _has_hole(cells) else line
        for cells, line in zip(placed, lines, strict=True)
    ]


def _by_columns(pieces: Sequence[PrintedPiece], edges: Sequence[float]) -> list[list[PrintedPiece]]:
    columns: list[list[PrintedPiece]] = [[] for _ in range(len(edges) + 1)]
    for piece in pieces:
        middle = (piece.x0 + piece.x1) / 2
        column = bisect_left(edges, middle)
        if column == len(edges) or middle < edges[column]:
            columns[column].append(piece)
    return columns


def _has_hole(cells: Sequence[Sequence[PrintedPiece]]) -> bool:
    filled = [number for number, cell in enumerate(cells) if cell]
    return len(filled) > 1 and len(filled) <= filled[-1]


def _lines(row: Sequence[Cell]) -> list[list[PrintedPiece]]:
    return [[joined_row(row)]] if sum(map(bool, row)) > 1 else [line for cell in row for line in cell]


def _with_currencies(pieces: Sequence[PrintedPiece]) -> Iterator[PrintedPiece]:
    """Yield the pieces, those that are the sign of a currency with the amount behind it."""
    for line in lines_of(pieces):
        sign: PrintedPiece | None = None
        for piece in line:
            if len(piece.text) == 1 and unicodedata.category(piece.text) == "Sc":
                sign = piece
                continue
            if sign is not None:
                text = f"{sign.text} {piece.text}"
                yield msgspec.structs.replace(piece, text=text, x0=sign.x0)
            else:
                yield piece
            sign = None
        if sign is not None:
            yield sign


def _cells(column: Sequence[PrintedPiece]) -> Iterator[PlacedCell]:
    """Yield the cells of a column: lines that are as near to each other as those of a paragraph."""
    cell: Cell = []
    top = bottom = below = 0.0
    for line in lines_of(column):
        first, several = line[0], len(line) > 1
        above = min([piece.y0 for piece in line]) if several else first.y0
        if cell and above - below > _TIGHT * first.size:
            yield top, bottom, cell
            cell = []
        below = max([piece.y1 for piece in line]) if several else first.y1
        top, bottom = (min(top, above), max(bottom, below)) if cell else (above, below)
        cell.append(line)
    if cell:
        yield top, bottom, cell


def _rows(columns: Sequence[Sequence[PlacedCell]]) -> Iterator[list[Cell]]:
    """Yield rows of cells at the same height, an empty one where a column has none."""
    placed = sorted(((*cell, column) for column, cells in enumerate(columns) for cell in cells), key=itemgetter(0))
    row: list[Cell] = []
    below = float("-inf")
    for top, bottom, cell, column in placed:
        if row and top >= below - _TIGHT * cell[0][0].size:
            yield row
            row = []
        row = row or [[] for _ in columns]
        row[column] = [*row[column], *cell] if row[column] else cell
        below = max(below, bottom)
    if row:
        yield row


def _is_certain(row: Sequence[Cell]) -> bool:
    several = [cell for cell in row if len(cell) > 1]
    return len(several) < 2 and all(map(_is_set_together, several)) and is_one_row(row)


def _is_set_together(cell: Cell) -> bool:
    """Return whether the lines of a cell are few, and begin, end or have their middle at one place."""
    lefts, rights = [line[0].x0 for line in cell], [line[-1].x1 for line in cell]
    middles = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
    return len(cell) <= _MOST_LINES and any(max(at) - min(at) < _ALIGNED for at in (lefts, rights, middles))
