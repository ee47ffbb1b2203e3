"""Widths and alignments of table columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

_MAX_COLUMNS = 60
_NUMBER = re.compile(r"[-+−(]?[€$£¥]?\s?\d[\d.,'\s\u00a0]*\s?(?:%|€|\$|£|¥|[A-Za-z]{1,3})?\)?$")
_LONGEST = 60.0  # maximum width of a cell, in line heights

Alignment = Qt.AlignmentFlag
_BY_LETTER = {"l": Alignment.AlignLeft, "c": Alignment.AlignHCenter, "r": Alignment.AlignRight}


@dataclass(frozen=True, slots=True)
class Columns:
    """Width and alignment of each column; cells beyond the last column take its width."""

    widths: tuple[float, ...]
    alignments: tuple[Alignment, ...]

    def width(self, index: int) -> float:
        """Return the width of column `index`, from 0."""
        return self.widths[min(index, len(self.widths) - 1)] if self.widths else 0.0

    def alignment(self, index: int) -> Alignment:
        """Return the alignment of a column."""
        return self.alignments[index] if index < len(self.alignments) else Alignment.AlignLeft


def plan_columns(
    rows: Sequence[Sequence[str]], room: float, metrics: QFontMetricsF, padding: float, given: str = ""
) -> Columns:
    """Return columns wide enough for every cell if they fit `room`, else with the space shared fairly.

    `given` holds the alignments given by the document (see `BlockComposer.alignments`); else numbers align right.
    """
    columns = list(zip_longest(*(row[:_MAX_COLUMNS] for row in rows), fillvalue=""))
    wide = [min(_LONGEST * metrics.height(), _widest(cells, metrics)) + padding for cells in columns]
    least = [min(want, _longest_word(cells, metrics) + padding) for want, cells in zip(wide, columns, strict=True)]
    alignments = tuple(_alignment_of(cells, given[index : index + 1]) for index, cells in enumerate(columns))
    return Columns(tuple(_fitted(wide, least, room)), alignments)


def _fitted(wide: list[float], least: list[float], room: float) -> list[float]:
    """Shrink wide columns until all fit `room`, but none below its minimum; narrow columns keep their width."""
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
    longest = sorted(cells, key=len)[-3:]  # length predicts width well enough
    return ceil(max((metrics.horizontalAdvance(cell[:500]) for cell in longest), default=0.0)) + 1.0


def _longest_word(cells: Sequence[str], metrics: QFontMetricsF) -> float:
    words = (word for cell in cells for word in cell[:500].split())
    return min(12 * metrics.height(), ceil(metrics.horizontalAdvance(max(words, key=len, default=""))) + 1.0)


def _alignment_of(cells: Sequence[str], given: str) -> Alignment:
    if given in _BY_LETTER:
        return _BY_LETTER[given]
    body = [cell.strip() for cell in cells[1:] if cell.strip()] or [cell.strip() for cell in cells if cell.strip()]
    numbers = sum(1 for cell in body if _NUMBER.match(cell))
    return Alignment.AlignRight if body and 2 * numbers > len(body) else Alignment.AlignLeft
