"""Long tables in parts: a streaming answer then parses and lays out only the last part of an unfinished table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtGui import QFont, QFontMetricsF

from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownTable, Pieces, Unit

PART_ROWS = 16  # rows of a part, without the header
_PART_CELLS = 96  # of wide tables a part has fewer rows
_PADDING = 16.0  # pixels of a cell, left and right together
_WIDEST = 0.5  # share of the width that the text of one column may claim


def in_parts(units: Sequence[Unit], part: int = 0) -> tuple[Unit, ...]:
    """Return `units` with one unit per part of a long table; the text begins in `part` of one (from 2), or in none."""
    parted: list[Unit] = []
    for unit in units:
        table = unit.blocks[0] if len(unit.blocks) == 1 else None
        if isinstance(table, MarkdownTable) and not table.depth and (part or len(table.rows) > part_rows(table) + 1):
            parted += _parts(unit.line, table, part or 1)
        else:
            parted.append(unit)
        part = 0
    return tuple(parted)


def _parts(line: int, table: MarkdownTable, part: int) -> Iterator[Unit]:
    """Yield a unit for each part; all have the header as their first row, so that they are tables themselves."""
    header, rows, size = table.rows[0], table.rows[1:], part_rows(table)
    for start in range(0, max(1, len(rows)), size):
        more = start + size < len(rows)
        shown = replace(table, rows=(header, *rows[start : start + size]), part=part, more=more)
        yield Unit(line + 2 + start if start else line, (shown,))  # below the header is the line of its marks
        part += 1


def part_rows(table: MarkdownTable) -> int:
    """Return how many rows a part of a table has, without the header."""
    return min(PART_ROWS, max(1, _PART_CELLS // len(table.rows[0])))


def head_of(lines: Sequence[str], units: Sequence[Unit], head: str) -> str:
    """Return the lines to parse before the last of `units`: the header if it begins in a table, nothing else.

    `head` is that of the text before.
    """
    if not part_of(units[-1]) > 1:
        return ""
    first = next((unit for unit in reversed(units) if part_of(unit) == 1), None)
    return "".join(f"{line}\n" for line in lines[first.line : first.line + 2]) if first else head


def part_of(unit: Unit) -> int:
    """Return which part of a table a unit is, from 1; 0 if it is none."""
    block = unit.blocks[0] if unit.blocks else None
    return block.part if isinstance(block, MarkdownTable) else 0


def shown_rows(table: MarkdownTable) -> tuple[tuple[Pieces, ...], ...]:
    """Return the rows of a table; later parts of one do not repeat its header."""
    return table.rows[1:] if table.part > 1 else table.rows


def continues(before: MarkdownTable, after: MarkdownTable) -> bool:
    """Return whether a table is the one before with more in its last row and below."""
    last = len(before.rows) - 1
    one, other = (replace(table, rows=table.rows[:last]) for table in (before, after))
    return last > 0 and one == other


def column_shares(table: MarkdownTable, font: QFont, room: float) -> tuple[float, tuple[float, ...]]:
    """Return the width of a table in percent of `room` pixels, and those of its columns in percent of the table."""
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    plain, strong = QFontMetricsF(font), QFontMetricsF(bold)
    columns = max(len(row) for row in table.rows)
    needed = [_PADDING] * columns
    for number, row in enumerate(table.rows):
        metrics = plain if number else strong
        for column, pieces in enumerate(row):
            width = metrics.horizontalAdvance("".join(f" {p.text} " if p.citation else p.text for p in pieces))
            needed[column] = max(needed[column], min(width, _WIDEST * room) + _PADDING)
    together = sum(needed)
    return min(100.0, 100 * together / room), tuple(100 * width / together for width in needed)
