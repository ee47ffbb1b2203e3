"""How wide the columns of a table are, and on which side their cells stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

_MOST_COLUMNS = 60
_NUMBER = re.compile(r"[-+−(]?[€$£¥]?\s?\d[\d.,'\s\u00a0]*\s?(?:%|€|\$|£|¥|[A-Za-z]{1,3})?\)?$")
_LONGEST = 60.0  # of a cell, in times the height of a line, before others have to make room for it

Alignment = Qt.AlignmentFlag
_SAID = {"l": Alignment.AlignLeft, "c": Alignment.AlignHCenter, "r": Alignment.AlignRight}


@dataclass(frozen=True, slots=True)
class Columns:
    """Width and side of each column; a row may have fewer cells than that, further ones take the last width."""

    widths: tuple[float, ...]
    sides: tuple[Alignment, ...]

    def width(self, index: int) -> float:
        """Return the width of column `index`, from 0."""
        return self.widths[min(index, len(self.widths) - 1)] if self.widths else 0.0

    def side(self, index: int) -> Alignment:
        """Return on which side the cells of a column stand."""
        return self.sides[index] if index < len(self.sides) else Alignment.AlignLeft


def plan_columns(
    rows: Sequence[Sequence[str]], room: float, metrics: QFontMetricsF, padding: float, said: str = ""
) -> Columns:
    """Return columns for these rows, wide enough for each cell if there is `room`, else as fair as possible.

    `said` names the alignment of each column where the document does; else numbers stand on the right.
    """
    columns = list(zip_longest(*(row[:_MOST_COLUMNS] for row in rows), fillvalue=""))
    wide = [min(_LONGEST * metrics.height(), _widest(cells, metrics)) + padding for cells in columns]
    least = [min(want, _longest_word(cells, metrics) + padding) for want, cells in zip(wide, columns, strict=True)]
    sides = tuple(_side(cells, said[index : index + 1]) for index, cells in enumerate(columns))
    return Columns(tuple(_fitted(wide, least, room)), sides)


def _fitted(wide: list[float], least: list[float], room: float) -> list[float]:
    """Return widths that fill no more than `room` if the least ones allow it; narrow columns stay as they are."""
    widths = list(wide)
    open_columns = set(range(len(wide)))
    while open_columns and sum(widths) > room:
        share = (room - sum(widths[index] for index in range(len(wide)) if index not in open_columns)) / len(
            open_columns
        )
        settled = {index for index in open_columns if wide[index] <= share or least[index] >= share}
        if not settled:
            for index in open_columns:
                widths[index] = share
            break
        for index in settled:
            widths[index] = wide[index] if wide[index] <= share else least[index]
        open_columns -= settled
    return widths


def _widest(cells: Sequence[str], metrics: QFontMetricsF) -> float:
    longest = sorted(cells, key=len)[-3:]  # width follows length closely enough
    return ceil(max((metrics.horizontalAdvance(cell[:500]) for cell in longest), default=0.0)) + 1.0


def _longest_word(cells: Sequence[str], metrics: QFontMetricsF) -> float:
    words = (word for cell in cells for word in cell[:500].split())
    return min(12 * metrics.height(), ceil(metrics.horizontalAdvance(max(words, key=len, default=""))) + 1.0)


def _side(cells: Sequence[str], said: str) -> Alignment:
    if said in _SAID:
        return _SAID[said]
    body = [cell.strip() for cell in cells[1:] if cell.strip()] or [cell.strip() for cell in cells if cell.strip()]
    numbers = sum(1 for cell in body if _NUMBER.match(cell))
    return Alignment.AlignRight if body and 2 * numbers > len(body) else Alignment.AlignLeft
