"""Joins the rows of tables whose rows are divided by lines or by painted backgrounds: each becomes one piece of text.

The lines tell what belongs together, which the places of letters alone do not: a cell of several lines beside one that
stands in its middle, an empty cell, a cell that spans rows. Where a table has no vertical lines, the gaps between the
letters tell its columns; where several rows stand between two lines, they are left to the layout of the page.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from desktop_rag.documents.formats.office.sheet_lines import spread
from desktop_rag.documents.formats.pdf.page_blocks import Area
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece
from desktop_rag.documents.formats.pdf.text_directions import is_right_to_left

_THIN, _SHORTEST, _LOWEST = 2.5, 20.0, 6.0  # points: of a line, of a horizontal and a vertical one
_TALL = 0.6  # of a page: areas as high are its background
_MOST_COLUMNS = 30
_MATCH = 4.0  # points between the ends of lines of one table
_NEAR = 1.5  # points between two lines that are one
_FEW, _MOST, _MOST_AREAS = 3, 200, 1_500  # lines, as of two rows; more than these are a drawing
_GAP, _LEAST_GAP = 0.7, 6.0  # em, points; between columns
_WIDE = 0.6  # of a table: a piece as wide is running text
_MOST_LINES, _MOST_LETTERS = 15, 1200  # of a cell; more is a page set in a frame
_SAME_BASE = 0.3  # em


class _Rule(NamedTuple):
    """A horizontal or vertical line: where it is, from where to where it goes."""

    at: float
    start: float
    end: float


_Part = tuple[float, float, float]  # as a rule


@dataclass(slots=True)
class _Table:
    """The sides of a table, or of a part of one, and the heights of the lines that are as wide."""

    x0: float
    x1: float
    heights: list[float]


@dataclass(slots=True)
class _Cell:
    """The pieces of a cell that begins in this column; `above` if it began in a row before."""

    column: int
    pieces: list[PrintedPiece]
    above: bool = False


def join_ruled_rows(pieces: list[PrintedPiece], areas: Sequence[Area], stroked: Sequence[int], height: float) -> None:
    """Replace the pieces of each row of a ruled table by one with its cells, divided by tabs, in the order of reading.

    `areas` are the rectangles and lines painted on a page of this height, those `stroked` not filled.
    """
    if not _FEW <= len(areas) <= _MOST_AREAS:
        return
    across, down = _rules(areas, stroked, height)
    if not _FEW <= len(across) <= _MOST or len(down) > _MOST or len(pieces) < _FEW:
        return
    tables = [table for table in _of_one_width(across) if len(table.heights) >= _FEW]
    if not tables:
        return
    pieces_down = sorted(pieces, key=_middle)
    middles = list(map(_middle, pieces_down))
    mirrored = is_right_to_left(piece.text for piece in pieces)
    for wide in [table for table in tables if len(_inside(table, pieces_down, middles)) >= _FEW]:
        for table in _between_texts(wide, down, pieces):
            inside = _inside(table, pieces_down, middles)
            if len(inside) < _FEW:
                continue
            dividing = [rule for rule in down if _divides(rule, table)]
            edges = _distinct([rule.at for rule in dividing])
            if len(edges) > _MOST_COLUMNS or not (edges or _may_wrap(inside, table.heights)):
                continue
            rows = list(_ruled(table, edges, across, dividing, inside) if edges else _gapped(table, inside))
            placed = {id(piece) for row in rows for cell in row if not cell.above for piece in cell.pieces}
            full = [row for row in rows if sum(bool(cell.pieces) for cell in row) > 1]
            if len(full) > 1 and len(placed) == len(inside) and (edges or _wraps_alone(full, pieces)):
                columns = {cell.column for row in rows for cell in row}
                is_regular = 2 * sum(len(row) == len(columns) for row in rows) >= len(rows)  # no form
                if not is_regular and any(cell.above for row in rows for cell in row):
                    continue  # a diagram
                used = sorted({cell.column for row in rows for cell in row if cell.pieces})
                for row in rows:
                    _join(pieces, row, used if is_regular else None, mirrored=mirrored)


def _rules(areas: Sequence[Area], stroked: Sequence[int], height: float) -> tuple[list[_Rule], list[_Rule]]:
    """Return the horizontal and vertical lines, each joined from its parts; backgrounds tell rows, but no columns."""
    across, down = list[_Part](), list[_Part]()
    tall = _TALL * height
    for (x0, y0, x1, y1), is_stroked in zip(areas, stroked, strict=True):
        width, high = x1 - x0, y1 - y0
        if high <= _THIN:
            if width > _THIN:
                across.append(((y0 + y1) / 2, x0, x1))
        elif width <= _THIN:
            down.append(((x0 + x1) / 2, y0, y1))
        elif width >= _SHORTEST and _LOWEST <= high < tall:
            across += ((y0, x0, x1), (y1, x0, x1))
            down += ((x0, y0, y1), (x1, y0, y1)) if is_stroked else ()
    rows = _joined(across, _SHORTEST) if len(across) >= _FEW else []
    return rows, _joined(down, _LOWEST) if len(rows) >= _FEW else []


def _joined(parts: Sequence[_Part], shortest: float) -> list[_Rule]:
    """Return lines made of the parts that touch."""
    joined: list[_Rule] = []
    at, start, end = 0.0, 0.0, -shortest
    for _, begin, place, last in sorted((round(place / _NEAR), begin, place, last) for place, begin, last in parts):
        if abs(at - place) <= _NEAR and begin <= end + _MATCH:
            start, end = min(start, begin), max(end, last)
            continue
        if end - start >= shortest:
            joined.append(_Rule(at, start, end))
        at, start, end = place, begin, last
    if end - start >= shortest:
        joined.append(_Rule(at, start, end))
    return joined


def _of_one_width(across: Sequence[_Rule]) -> list[_Table]:
    """Return the lines of one width, downwards."""
    tables: list[_Table] = []
    for rule in across:
        for table in tables:
            if abs(table.x0 - rule.start) <= _MATCH and abs(table.x1 - rule.end) <= _MATCH:
                if rule.at - table.heights[-1] > _MATCH:
                    table.heights.append(rule.at)
                break
        else:
            tables.append(_Table(rule.start, rule.end, [rule.at]))
    return tables


def _between_texts(wide: _Table, down: Sequence[_Rule], pieces: Sequence[PrintedPiece]) -> Iterator[_Table]:
    """Yield the tables that running text divides, the rows of each between neighbouring lines."""
    widest = _WIDE * (wide.x1 - wide.x0)
    middles = sorted(
        (piece.y0 + piece.y1) / 2
        for piece in pieces
        if piece.x1 - piece.x0 > widest and wide.x0 < (piece.x0 + piece.x1) / 2 < wide.x1
    )
    sided = [rule for rule in down if wide.x0 - _MATCH <= rule.at <= wide.x1 + _MATCH]
    heights = wide.heights[:1]
    for top, bottom in pairwise(wide.heights):
        band = _Table(wide.x0, wide.x1, [top, bottom])
        is_text = bisect_right(middles, top) < bisect_left(middles, bottom)
        if (is_text and not any(_divides(rule, band) for rule in down)) or _is_between(band, sided):
            if len(heights) >= _FEW:
                yield _Table(wide.x0, wide.x1, heights)
            heights = []
        heights = [*heights, bottom]
    if len(heights) >= _FEW:
        yield _Table(wide.x0, wide.x1, heights)


def _is_between(band: _Table, down: Sequence[_Rule]) -> bool:
    """Return whether vertical lines end above a band and others begin below it: it is between two tables."""
    top, bottom = band.heights
    middle = (top + bottom) / 2
    if any(rule.start < middle < rule.end for rule in down):
        return False
    return any(rule.end < middle for rule in down) and any(rule.start > middle for rule in down)


def _ruled(
    table: _Table,
    edges: Sequence[float],
    across: Sequence[_Rule],
    down: Sequence[_Rule],
    pieces: Sequence[PrintedPiece],
) -> Iterator[list[_Cell]]:
    """Yield the rows between horizontal and vertical lines; cells that span several rows are part of each."""
    parts = [rule for rule in across if rule.start > table.x0 + _MATCH or rule.end < table.x1 - _MATCH]
    parts = [rule for rule in parts if rule.end > table.x0 + _MATCH and rule.start < table.x1 - _MATCH]
    at_edges = [(at, [rule for rule in down if abs(rule.at - at) <= _MATCH]) for at in edges]
    for top, bottom in pairwise(table.heights):
        band = [piece for piece in pieces if top < (piece.y0 + piece.y1) / 2 < bottom]
        if not band:
            continue
        dividing = [rule for rule in parts if top + _MATCH < rule.at < bottom - _MATCH]
        inner = _distinct([rule.at for rule in dividing])
        for above, below in pairwise([top, *inner, bottom]):
            middle = (above + below) / 2
            sides = [
                at for at, rules in at_edges if any(rule.start - _NEAR < middle < rule.end + _NEAR for rule in rules)
            ]
            row: list[_Cell] = []
            for left, right in pairwise([table.x0, *sides, table.x1]):
                x = (left + right) / 2
                lines = [rule.at for rule in dividing if rule.start < x < rule.end]
                first = max((at for at in lines if at < middle), default=top)
                last = min((at for at in lines if at > middle), default=bottom)
                within = _pieces_in(band, left, right, first, last)
                if last - first > below - above + _MATCH and _has_own_rows(within, band):
                    first, last = above, below
                    within = _pieces_in(band, left, right, first, last)
                column = sum(at < left + _MATCH for at in edges) if left > table.x0 else 0
                row.append(_Cell(column, within, above=first < above - _MATCH))
            if sides and not is_one_row([lines_of(cell.pieces) for cell in row if not cell.above]):
                return  # the whole table is left as it is
            yield row


def _has_own_rows(cell: Sequence[PrintedPiece], pieces: Sequence[PrintedPiece]) -> bool:
    """Return whether a cell without lines of its own, beside several rows, has a text for each of them."""
    lines = lines_of(cell)
    own = set(map(id, cell))
    bases = {round(piece.base) for piece in pieces if id(piece) not in own}
    reaches = (round(_SAME_BASE * line[0].size) for line in lines)
    near = ({round(line[0].base) + off for off in range(-r, r + 1)} for line, r in zip(lines, reaches, strict=True))
    return len(lines) > 1 and not any(map(bases.isdisjoint, near))


def _may_wrap(pieces: Sequence[PrintedPiece], heights: Sequence[float]) -> bool:
    """Return whether there are several base lines between two lines of a table."""
    found: dict[int, float] = {}
    for piece in pieces:
        band = bisect_right(heights, (piece.y0 + piece.y1) / 2)
        if abs(found.setdefault(band, piece.base) - piece.base) > _SAME_BASE * piece.size:
            return True
    return False


def _gapped(table: _Table, pieces: Sequence[PrintedPiece]) -> Iterator[list[_Cell]]:
    """Yield the rows between horizontal lines alone."""
    edges = gaps_between(pieces)
    for top, bottom in pairwise(table.heights if edges else ()):
        band = [piece for piece in pieces if top < (piece.y0 + piece.y1) / 2 < bottom]
        sides = pairwise([table.x0, *edges, table.x1])
        cells = [_pieces_in(band, left, right, top, bottom) for left, right in sides]
        lines = [lines_of(cell) for cell in cells]
        counts = [len(each) for each in lines if each]
        if counts and not (min(counts) == 1 and max(counts) <= _FEW * 2 and is_one_row(lines)):
            return
        if counts:
            yield [_Cell(column, cell) for column, cell in enumerate(cells)]


def _wraps_alone(rows: Sequence[Sequence[_Cell]], pieces: Sequence[PrintedPiece]) -> bool:
    """Return whether a cell has several lines, and nothing stands beside the rows: they are whole."""
    own = [piece for row in rows for cell in row for piece in cell.pieces]
    names, bases = set(map(id, own)), {round(piece.base) for piece in own}
    if any(round(piece.base) in bases for piece in pieces if id(piece) not in names):
        return False
    return any(len(lines_of(cell.pieces)) > 1 for row in rows for cell in row)


def gaps_between(pieces: Sequence[PrintedPiece]) -> list[float]:
    """Return the middles of the gaps between columns."""
    gaps: list[float] = []
    right = float("inf")
    for piece in sorted(pieces, key=attrgetter("x0")):
        gap = piece.x0 - right
        if gap >= _LEAST_GAP and gap >= _GAP * piece.size:
            gaps.append((piece.x0 + right) / 2)
        if piece.x1 > right or right == float("inf"):
            right = piece.x1
    return gaps


def is_one_row(cells: Sequence[Sequence[Sequence[PrintedPiece]]]) -> bool:
    """Return whether cells, given by lines, are one row, not several, or a page that is set in a frame."""
    cells = [lines for lines in cells if lines]
    if any(len(lines) > _MOST_LINES or sum(map(len, map(_words, lines))) > _MOST_LETTERS for lines in cells):
        return False
    if any(sum(not _has_letters(line) for line in lines) > 1 for lines in cells):
        return False  # amounts below each other
    counts = {len(lines) for lines in cells}
    return len(cells) < 2 or len(counts) > 1 or max(counts) < _FEW


def _join(pieces: list[PrintedPiece], row: Sequence[_Cell], columns: Sequence[int] | None, *, mirrored: bool) -> None:
    """Put one piece in place of those of a row, with a cell for each column if all rows have these `columns`."""
    by_column = {cell.column: lines_of(cell.pieces) for cell in row}
    cells = [by_column.get(column, []) for column in columns or by_column]
    own = {id(piece) for cell in row if not cell.above for piece in cell.pieces} & set(map(id, pieces))
    kept = [lines for lines in cells if any(id(piece) in own for line in lines for piece in line)]
    if not kept or (len(kept) < 2 and (kept[0] is cells[0] or len(kept[0]) > 1 or columns is None)):
        return
    covered = [column not in by_column for column in columns or by_column]
    joined = joined_row(cells, own, covered, mirrored=mirrored)
    at = next(index for index, piece in enumerate(pieces) if id(piece) in own)
    pieces[:] = [piece for piece in pieces if id(piece) not in own]
    pieces.insert(at, joined)


def joined_row(
    cells: Sequence[Sequence[Sequence[PrintedPiece]]],
    own: Container[int] | None = None,
    covered: Sequence[bool] = (),
    *,
    mirrored: bool = False,
) -> PrintedPiece:
    """Return a row as one piece, its cells divided by tabs; those not its `own` are of a row before.

    Where it is `covered`, a cell is part of the one before.
    """
    whole = [piece for lines in cells for line in lines for piece in line if own is None or id(piece) in own]
    texts = [
        text_of(lines)
        if any(own is None or id(piece) in own or _has_letters(line) for line in lines for piece in line)
        else ""  # a number is not repeated
        for lines in cells
    ]
    if any(covered[1:]):
        spans: list[tuple[str, int]] = []
        for text, goes_on in zip(texts, covered, strict=True):
            spans = [*spans[:-1], (spans[-1][0], spans[-1][1] + 1)] if goes_on and spans else [*spans, (text, 1)]
        texts = spread(spans)
    first = min(whole, key=lambda piece: (piece.base, piece.x0))
    x0, x1 = min(piece.x0 for piece in whole), max(piece.x1 for piece in whole)
    y0, y1 = min(piece.y0 for piece in whole), max(piece.y1 for piece in whole)
    text = "\t".join(reversed(texts) if mirrored else texts)
    size, bold = max(whole, key=lambda piece: len(piece.text)).size, all(piece.bold for piece in whole)
    return PrintedPiece(text, x0, y0, x1, y1, first.base, size, bold, first.block)


def lines_of(pieces: Sequence[PrintedPiece]) -> list[list[PrintedPiece]]:
    """Return the pieces of a cell by lines."""
    if len(pieces) < 2:  # as most cells
        return [list(pieces)] if pieces else []
    lines: list[list[PrintedPiece]] = []
    for piece in sorted(pieces, key=attrgetter("base")):
        if lines and piece.base - lines[-1][0].base <= _SAME_BASE * piece.size:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=attrgetter("x0")) if len(line) > 1 else line for line in lines]


def text_of(lines: Sequence[Sequence[PrintedPiece]]) -> str:
    """Return the text of a cell; a word that a line end divides may have a hyphen, or not."""
    text = ""
    for words in map(_words, lines):
        divided = text[-1:] in tuple("-\u2010") and text[-2:-1].isalpha() and words[:1].islower()
        text += ("\u2060" if divided else " " if text else "") + words
    return text


def _words(line: Sequence[PrintedPiece]) -> str:
    return " ".join(piece.text for piece in line).replace("\t", " ")


def _has_letters(line: Sequence[PrintedPiece]) -> bool:
    return any(map(str.isalpha, _words(line)))


def _inside(table: _Table, pieces: Sequence[PrintedPiece], middles: Sequence[float]) -> list[PrintedPiece]:
    """Return those of the pieces, in order of their `middles`, that are in a table."""
    top, bottom = bisect_right(middles, table.heights[0]), bisect_left(middles, table.heights[-1])
    return [piece for piece in pieces[top:bottom] if table.x0 < (piece.x0 + piece.x1) / 2 < table.x1]


def _middle(piece: PrintedPiece) -> float:
    return (piece.y0 + piece.y1) / 2


def _pieces_in(
    pieces: Sequence[PrintedPiece], left: float, right: float, top: float, bottom: float
) -> list[PrintedPiece]:
    return [p for p in pieces if left < (p.x0 + p.x1) / 2 < right and top < (p.y0 + p.y1) / 2 < bottom]


def _divides(rule: _Rule, part: _Table) -> bool:
    """Return whether a vertical line is between columns of a part of a table."""
    top, bottom = part.heights[0], part.heights[-1]
    is_inside = part.x0 + _MATCH < rule.at < part.x1 - _MATCH
    return is_inside and rule.start < bottom - _MATCH and rule.end > top + _MATCH


def _distinct(values: list[float]) -> list[float]:
    """Return values in order, those that are nearly the same once."""
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _MATCH:
            kept.append(value)
    return kept
