"""Finds the reading order of a page: its lines, columns and table rows.

A page is split into strips at its horizontal gaps. Adjacent strips with a common vertical gap form
columns, which are read one after the other; if the text beside the gap is too short for prose, it is a
table, which is read row by row.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.aligned_tables import NUMBERING, aligned_rows
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPiece
from desktop_rag.text.raised import looks_raised, lowered, raised

_PROSE_CHARACTERS = 18  # lines in a text column are longer, in a table column shorter
_FEWEST_LINES = 4  # of a column of which one long line does not make prose
_ALIGNED = 0.5  # fraction of lines at equal heights above which two columns are a table
_GAPS_TRIED = 4
_DEPTH = 8
_MAX_PIECES = 20_000  # a page with more pieces keeps its drawing order
_SCRIPT, _SHIFT = 0.85, 0.1  # most size of a raised or lowered piece, least shift, in sizes of its line
_SAME_BASE = 0.3  # em; maximum distance of baselines in one row
_CELL_GAP = 1.3  # em; minimum gap between cells; gaps in justified text are smaller
_SENTENCE_END = re.compile(r"[.!?:。！？؟۔।][\"'”’»)\]」』）]*$")

_LEFT, _TOP, _BASE, _SIZE = map(attrgetter, ("x0", "y0", "base", "size"))

Row = list[PrintedPiece]
Intervals = list[tuple[float, float]]


def in_reading_order(pieces: Sequence[PrintedPiece]) -> list[PrintedLine]:
    """Return the lines of one page in reading order; `gap` marks the starts of paragraphs."""
    if not pieces:
        return []
    rows = _rows(pieces, _DEPTH) if len(pieces) <= _MAX_PIECES else [[piece] for piece in pieces]
    lines = [_line(row) for row in _split_overlapping_rows(rows, pieces)]
    for before, line in pairwise(lines):
        line.gap = _ends_paragraph(before, line)
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        if line.cells > 1 and _is_stretched(before, line, after):
            line.text, line.cells = line.text.replace("\t", " "), 1
    return lines


def _rows(pieces: Sequence[PrintedPiece], depth: int) -> list[Row]:
    """Return the pieces of each line in reading order."""
    rows: list[Row] = []
    for group, taken, has_gap in _groups(_strips(pieces)):
        together = [piece for strip in group for piece in strip] if len(taken) > 1 else []
        columns = _columns(together, taken) if depth and together else None
        if columns is not None:
            rows += _rows(columns[0], depth - 1)
            rows += _rows(columns[1], depth - 1)
            continue
        joined = aligned_rows(together) if has_gap and len(group) > 1 else None
        if joined is not None:
            rows += joined
            continue
        for strip in group:
            rows += [strip] if len(strip) == 1 else _baseline_rows(strip)
    return rows


def _columns(pieces: list[PrintedPiece], taken: Intervals) -> tuple[list[PrintedPiece], list[PrintedPiece]] | None:
    """Return the pieces left and right of a vertical gap, if they are columns of text."""
    gaps = sorted(((right[0] - left[1], left[1]) for left, right in pairwise(taken)), reverse=True)
    min_gap = _min_column_gap(max(pieces, key=_length))
    for width, low in gaps[:_GAPS_TRIED]:
        if width < min_gap:
            break
        left = [piece for piece in pieces if piece.x1 <= low]
        right = [piece for piece in pieces if piece.x1 > low]
        if min(len(left), len(right)) > 2 and (
            (_is_prose(left) and _is_prose(right)) or _share_of_aligned(left, right) < _ALIGNED
        ):
            return left, right
    return None


def _is_prose(pieces: list[PrintedPiece]) -> bool:
    lengths = [len(piece.text) for piece in pieces]
    long = [length for length in lengths if length >= _PROSE_CHARACTERS]
    return sum(long) > 0.6 * sum(lengths) and (len(long) > 1 or len(pieces) < _FEWEST_LINES)


def _share_of_aligned(left: list[PrintedPiece], right: list[PrintedPiece]) -> float:
    """Return the fraction of lines at the same height as a line of the other side, as in table rows."""
    middles = sorted(piece.y0 + piece.y1 for piece in left)
    aligned = 0
    for piece in right:
        middle, tolerance = piece.y0 + piece.y1, 0.4 * piece.size
        at = bisect_left(middles, middle - tolerance)
        aligned += at < len(middles) and middles[at] <= middle + tolerance
    return aligned / min(len(left), len(right))


def _strips(pieces: Sequence[PrintedPiece]) -> list[list[PrintedPiece]]:
    """Return the pieces in vertically disjoint strips, from top to bottom."""
    strips: list[list[PrintedPiece]] = []
    bottom = float("-inf")
    for piece in sorted(pieces, key=_TOP):
        top, low = piece.y0, piece.y1
        if top < bottom - 0.3 * (low - top):
            strips[-1].append(piece)
            bottom = max(bottom, low)
        else:
            strips.append([piece])
            bottom = low
    return strips


def _groups(strips: list[list[PrintedPiece]]) -> Iterator[tuple[list[list[PrintedPiece]], Intervals, bool]]:
    """Yield runs of strips with a common vertical gap, and runs of strips without one; what they take, and which."""
    group: list[list[PrintedPiece]] = []
    taken: Intervals = []
    has_gap = False
    for strip in strips:
        if len(strip) == len(taken) == 1:  # a line of a paragraph, nearly always
            (low, high), left, right = taken[0], strip[0].x0, strip[0].x1
            if left <= high and low <= right:
                group.append(strip)
                taken = [(min(low, left), max(high, right))]
                continue
        own = _merged([(piece.x0, piece.x1) for piece in strip])
        together = _merged(taken + own)
        min_gap = _min_column_gap(strip[0])
        common, alone = _has_gap(together, min_gap), _has_gap(own, min_gap)
        parted = (has_gap or alone) if not common else alone and not has_gap and _crosses(taken, own)
        if group and parted:
            yield group, taken, has_gap
            group, together, common = [], own, alone
        group.append(strip)
        taken, has_gap = together, common
    if group:
        yield group, taken, has_gap


def _crosses(taken: Intervals, own: Intervals) -> bool:
    """Return whether text above, such as a centred title, overlaps the start of a strip's right part."""
    edge = max(pairwise(own), key=lambda pair: pair[1][0] - pair[0][1])[1][0]
    return any(low < edge - 1 and high > edge + 1 for low, high in taken)


def _merged(intervals: Intervals) -> Intervals:
    if len(intervals) < 2:
        return intervals
    intervals = sorted(intervals)
    merged: Intervals = []
    first, last = intervals[0]
    for low, high in intervals:
        if low > last:
            merged.append((first, last))
            first, last = low, high
        elif high > last:
            last = high
    merged.append((first, last))
    return merged


def _has_gap(taken: Intervals, min_gap: float) -> bool:
    return len(taken) > 1 and any(right[0] - left[1] >= min_gap for left, right in pairwise(taken))


def _min_column_gap(sample: PrintedPiece) -> float:
    """Return the minimum width of a gap between columns in points."""
    return max(6.0, 0.7 * sample.size)


def _baseline_rows(strip: list[PrintedPiece]) -> list[Row]:
    """Return the pieces of each line of a strip, from left to right."""
    lines: list[Row] = []
    for piece in sorted(strip, key=_BASE):
        if lines and piece.base - lines[-1][0].base <= _SAME_BASE * min(piece.size, lines[-1][0].size):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    if len(lines) > 1:
        lines = _merge_scripts(lines)
    rows = [sorted(line, key=_LEFT) for line in lines]
    if len(rows) > 1 and len(rows) < len(strip) and any(_covers(row, strip) for row in rows if len(row) > 1):
        rows = [[piece] for cell in _cells(strip) for piece in cell]
    return rows


def _length(piece: PrintedPiece) -> int:
    return len(piece.text)


def _cells(strip: list[PrintedPiece]) -> Iterator[list[PrintedPiece]]:
    """Yield the pieces of each column of a table row whose cells have unaligned lines."""
    cell: list[PrintedPiece] = []
    right = 0.0
    for piece in sorted(strip, key=_LEFT):
        if cell and piece.x0 > right:
            yield sorted(cell, key=_BASE)
            cell, right = [], 0.0
        cell.append(piece)
        right = max(right, piece.x1)
    yield sorted(cell, key=_BASE)


def _merge_scripts(lines: list[Row]) -> list[Row]:
    """Merge superscripts and subscripts, such as footnote numbers, into the line they belong to."""
    kept: list[Row] = []
    for index, line in enumerate(lines):
        hosts = [*kept[-1:], *lines[index + 1 : index + 2]]
        stays: Row = []
        for piece in line:
            host = next((host for host in hosts if _is_script_of(piece, host)), stays)
            host.append(piece)
        if stays:
            kept.append(stays)
    return kept


def _is_script_of(piece: PrintedPiece, line: Row) -> bool:
    middle = (piece.y0 + piece.y1) / 2
    return any(
        piece.size < _SCRIPT * word.size
        and word.y0 < middle < word.y1
        and word.x0 < piece.x0 < word.x1 + 0.5 * word.size
        for word in line
    )


def _split_overlapping_rows(rows: list[Row], pieces: Sequence[PrintedPiece]) -> list[Row]:
    """Split the rows whose rectangle would cover pieces of another row."""
    if all(len(row) == 1 for row in rows):
        return rows
    middles = list(map(_middle, pieces))
    by_height = [pieces[index] for index in sorted(range(len(pieces)), key=middles.__getitem__)]
    heights = sorted(middles)
    apart: list[Row] = []
    for row in rows:
        if len(row) > 1:
            first = bisect_left(heights, min([piece.y0 for piece in row]))
            last = bisect_left(heights, max([piece.y1 for piece in row]))
            if last - first > len(row) and _covers(row, by_height[first:last]):
                apart.extend([piece] for piece in row)
                continue
        apart.append(row)
    return apart


def _covers(row: Row, pieces: Sequence[PrintedPiece]) -> bool:
    """Return whether the rectangle of a row covers the vertical centre of other pieces."""
    low, high = min(piece.y0 for piece in row), max(piece.y1 for piece in row)
    left, right = row[0].x0, max(piece.x1 for piece in row)
    own = set(map(id, row))
    return any(
        low < _middle(piece) < high and piece.x1 > left and piece.x0 < right and id(piece) not in own
        for piece in pieces
    )


def _middle(piece: PrintedPiece) -> float:
    return (piece.y0 + piece.y1) / 2


def _line(row: Row) -> PrintedLine:
    first = longest = row[0]
    if len(row) == 1:
        box = Box(first.x0, first.y0, first.x1, first.y1)
        cells = first.text.count("\t") + 1  # of a row of a ruled table
        return PrintedLine(first.text, box, first.size, first.bold, first.block, cells, gap=False)
    host = max(row, key=_SIZE)
    small = _SCRIPT * host.size
    text = first.text if first.size >= small else _as_script(first, host, "")
    top, bottom, right, bold = first.y0, first.y1, first.x1, first.bold
    for before, piece in pairwise(row):
        distance, size, words = piece.x0 - before.x1, piece.size, piece.text
        if distance <= 0.35 * size:
            text += " " if distance > 0.1 * size else ""
        elif distance < _CELL_GAP * size or NUMBERING.match(text):
            text += " "
        else:
            text += "\t"
        text += (words if size >= small else _as_script(piece, host, text)).strip("\t")
        if len(words) > len(longest.text):
            longest = piece
        top, bottom = min(top, piece.y0), max(bottom, piece.y1)
        right, bold = max(right, piece.x1), bold and piece.bold
    box = Box(first.x0, top, right, bottom)
    return PrintedLine(text, box, longest.size, bold, first.block, text.count("\t") + 1, gap=False)


def _as_script(piece: PrintedPiece, host: PrintedPiece, before: str) -> str:
    """Return the text of a small piece in a row, its figures raised or lowered if it is not on the base line."""
    if abs(piece.base - host.base) < _SHIFT * host.size or not looks_raised(piece.text):
        return piece.text
    return raised(piece.text, before) if piece.base < host.base else lowered(piece.text)


def _is_stretched(before: PrintedLine, line: PrintedLine, after: PrintedLine) -> bool:
    """Return whether an apparent table row is a justified line with a wide gap after a sentence."""
    if line.gap or after.gap or before.cells != 1 or after.cells != 1:
        return False
    edge = 0.1 * line.size
    if abs(before.box.x1 - line.box.x1) > edge or abs(after.box.x0 - line.box.x0) > edge:
        return False
    return all(_SENTENCE_END.search(cell) for cell in line.text.split("\t")[:-1])


def _ends_paragraph(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a paragraph ends between two lines."""
    height = max(line.box.y1 - line.box.y0, 1.0)
    distance = line.box.y0 - before.box.y1
    if before.cells > 1 and line.cells > 1 and 0 <= distance + height / 2 < 1.5 * height:
        return False
    if abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return True
    if distance < -0.5 * height:  # the next column
        return not continues_sentence(before, line)
    if distance > 0.6 * height:
        return True
    return before.block != line.block and (_SENTENCE_END.search(before.text) is not None or not line.text[:1].islower())


def continues_sentence(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a sentence seems to continue from one column or page to the next."""
    if _SENTENCE_END.search(before.text) or abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return False
    last, first = before.text[-1:], line.text[:1]
    if first.islower():
        return last.isalnum() or last in "-\u2010\u00ad,;–—)”"
    is_full = before.box.x1 - before.box.x0 >= 0.95 * (line.box.x1 - line.box.x0)
    return is_full and _is_caseless(last) and _is_caseless(first)


def _is_caseless(letter: str) -> bool:
    """Return whether a letter is of a script without upper case, such as Chinese or Arabic."""
    return letter.isalpha() and letter.lower() == letter.upper()
