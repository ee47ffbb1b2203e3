"""Puts the pieces of a printed page in the order in which a person reads them.

A page is cut into strips by its horizontal gaps. Neighbouring strips that leave the same vertical gap
free form columns, read one after the other; if what lies beside the gap is too short to be prose it is
a table, read row by row.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from desktop_rag.documents.readers.pdf.printed import Piece, PrintedLine, union

_PROSE_CHARACTERS = 18  # a column of text has longer lines than this, a column of a table shorter ones
_ALIGNED = 0.5  # the share of lines at equal heights from which two columns are rows of a table
_GAPS_TRIED = 4
_DEPTH = 8
_CELL_GAP = 1.3  # ems between the cells of a row; sentences of a justified line stand closer
_NUMBERING = re.compile(r"(?:[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})(?:\.\d{1,3})*[.)\]:]{0,2}|[•‣◦▪–—●○■□➢✓*-])$")
_SENTENCE_END = re.compile(r"[.!?:。！？][\"'”’»)\]]*$")


def in_reading_order(pieces: Sequence[Piece]) -> list[PrintedLine]:
    """Return the lines of one page in reading order, with the gaps between its paragraphs."""
    if not pieces:
        return []
    upright = [piece for piece in pieces if not _is_sideways(piece)]
    lines = [_line(row) for row in _rows(upright, _DEPTH)]
    lines += [
        PrintedLine(piece.text, piece.box, piece.size, piece.bold, piece.block, cells=0, gap=True)
        for piece in pieces
        if _is_sideways(piece)
    ]
    for before, line in pairwise(lines):
        line.gap = _parts(before, line)
    return lines


def _is_sideways(piece: Piece) -> bool:
    """Return whether a text runs up or down the page, such as a stamp in the margin."""
    width, height = piece.box.x1 - piece.box.x0, piece.box.y1 - piece.box.y0
    return len(piece.text) > 3 and height > 2 * width


def _rows(pieces: list[Piece], depth: int) -> Iterator[list[Piece]]:
    """Yield the pieces of each line, from the first line read to the last."""
    for group in _groups(_strips(pieces)):
        columns = _columns([piece for strip in group for piece in strip]) if depth else None
        if columns is None:
            for strip in group:
                yield from _base_lines(strip)
        else:
            yield from _rows(columns[0], depth - 1)
            yield from _rows(columns[1], depth - 1)


def _columns(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]] | None:
    """Return what stands left and right of a vertical gap, if these are columns to be read one after the other."""
    taken = _merged([(piece.box.x0, piece.box.x1) for piece in pieces])
    gaps = sorted(((right[0] - left[1], left[1]) for left, right in pairwise(taken)), reverse=True)
    for width, low in gaps[:_GAPS_TRIED]:
        if width < _least_gap(pieces[0]):
            break
        left = [piece for piece in pieces if piece.box.x1 <= low]
        right = [piece for piece in pieces if piece.box.x1 > low]
        if min(len(left), len(right)) > 2 and (
            (_is_prose(left) and _is_prose(right)) or _share_of_aligned(left, right) < _ALIGNED
        ):
            return left, right
    return None


def _is_prose(pieces: list[Piece]) -> bool:
    characters = sum(len(piece.text) for piece in pieces)
    in_long = sum(len(piece.text) for piece in pieces if len(piece.text) >= _PROSE_CHARACTERS)
    return in_long > 0.6 * characters


def _share_of_aligned(left: list[Piece], right: list[Piece]) -> float:
    """Return how many of the lines on one side stand at the height of a line on the other, as rows do."""
    middles = sorted(piece.box.y0 + piece.box.y1 for piece in left)
    aligned = 0
    for piece in right:
        middle, tolerance = piece.box.y0 + piece.box.y1, 0.4 * piece.size
        at = bisect_left(middles, middle - tolerance)
        aligned += at < len(middles) and middles[at] <= middle + tolerance
    return aligned / min(len(left), len(right))


def _strips(pieces: list[Piece]) -> list[list[Piece]]:
    """Return the pieces in bands that do not overlap vertically, from top to bottom."""
    strips: list[list[Piece]] = []
    bottom = float("-inf")
    for piece in sorted(pieces, key=lambda piece: piece.box.y0):
        box = piece.box
        overlap = 0.3 * (box.y1 - box.y0)
        if strips and box.y0 < bottom - overlap:
            strips[-1].append(piece)
            bottom = max(bottom, box.y1)
        else:
            strips.append([piece])
            bottom = box.y1
    return strips


def _groups(strips: list[list[Piece]]) -> Iterator[list[list[Piece]]]:
    """Yield runs of strips that leave a vertical gap free, or of strips without any."""
    group: list[list[Piece]] = []
    taken: list[tuple[float, float]] = []
    has_gap = False
    for strip in strips:
        own = _merged([(piece.box.x0, piece.box.x1) for piece in strip])
        together = _merged([*taken, *own])
        least = _least_gap(strip[0])
        common, alone = _has_gap(together, least), _has_gap(own, least)
        if group and not common and (has_gap or alone):
            yield group
            group, together, common = [], own, alone
        group.append(strip)
        taken, has_gap = together, common
    if group:
        yield group


def _merged(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


def _has_gap(taken: list[tuple[float, float]], least: float) -> bool:
    return any(right[0] - left[1] >= least for left, right in pairwise(taken))


def _least_gap(sample: Piece) -> float:
    """Return how wide a gap between columns is at least, in points."""
    return max(6.0, 0.7 * sample.size)


def _base_lines(strip: list[Piece]) -> Iterator[list[Piece]]:
    """Yield the pieces of a strip that stand on one line, from left to right."""
    if len(strip) == 1:
        yield strip
        return
    lines: list[list[Piece]] = []
    for piece in sorted(strip, key=lambda piece: piece.box.y0 + piece.box.y1):
        middle = (piece.box.y0 + piece.box.y1) / 2
        if lines and lines[-1][0].box.y0 < middle < lines[-1][0].box.y1:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    for line in lines:
        yield sorted(line, key=lambda piece: piece.box.x0)


def _line(row: list[Piece]) -> PrintedLine:
    first = row[0]
    text, box, cells = first.text, first.box, 1
    longest = first
    for before, piece in pairwise(row):
        distance = piece.box.x0 - before.box.x1
        if distance <= 0.35 * piece.size:
            text += " " if distance > 0.1 * piece.size else ""
        elif distance < _CELL_GAP * piece.size or (cells == 1 and _NUMBERING.match(text)):
            text += " "
        else:
            text += "\t"
            cells += 1
        text += piece.text
        box = union(box, piece.box)
        if len(piece.text) > len(longest.text):
            longest = piece
    bold = all(piece.bold for piece in row)
    return PrintedLine(text, box, longest.size, bold, first.block, cells, gap=False)


def _parts(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a paragraph ends between two lines."""
    if abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return True
    height = max(line.box.y1 - line.box.y0, 1.0)
    distance = line.box.y0 - before.box.y1
    if before.cells > 1 and line.cells > 1 and 0 <= distance + height / 2 < 1.5 * height:
        return False
    if distance < -0.5 * height:  # the next column
        return _SENTENCE_END.search(before.text) is not None or not line.text[:1].islower()
    if distance > 0.6 * height:
        return True
    return before.block != line.block and (_SENTENCE_END.search(before.text) is not None or not line.text[:1].islower())
