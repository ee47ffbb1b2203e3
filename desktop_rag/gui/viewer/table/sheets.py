"""The sheets of a workbook: their lines, and the cell references of a line."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.document import LineKind, Section, Structure
from desktop_rag.documents.formats.office.sheet_lines import column_name

_PLACE = re.compile(r"!([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$")
_KIND = bytes(packed & 15 for packed in range(256))
_HEADER = bytes((int(LineKind.ROW) | 1 << 4,))


@dataclass(frozen=True, slots=True)
class Cells:
    """A cell range: columns count from 0, rows from 1."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int


class Sheet:
    """Lines `first` to `last` of a document as one table; each line is a row."""

    def __init__(self, name: str, first: int, last: int, kinds: bytes, sections: Sequence[Section]) -> None:
        self.name = name
        self.first = first
        self.last = last
        self._packed = kinds
        self._kinds = kinds[first - 1 : last].translate(_KIND)
        self._sections = sections
        places = [cells for section in sections if (cells := cells_of(section.label))]
        self.first_column = min((cells.first_column for cells in places), default=0)
        self.column_count = max((cells.last_column + 1 for cells in places), default=0) - self.first_column

    @property
    def row_count(self) -> int:
        """Return the number of rows shown."""
        return max(0, self.last - self.first + 1)

    def number(self, line: int) -> int:
        """Return the row number in the workbook; 0 if it is unknown."""
        kind = self._kinds[line - self.first]
        if kind != LineKind.ROW:
            return 0
        if not self._sections:
            return line - self.first + 1
        index = bisect_right(self._sections, line, key=lambda section: section.first_line) - 1
        cells = cells_of(self._sections[index].label) if index >= 0 else None
        if cells is None:
            return 0
        begin = self._sections[index].first_line
        is_consecutive = self._kinds.count(int(LineKind.ROW), begin - self.first, line - self.first) == line - begin
        return cells.first_row + line - begin if is_consecutive else 0

    def header_of(self, line: int) -> int:
        """Return the header line of a row, or 0."""
        return self._packed.rfind(_HEADER, self.first - 1, line) + 1

    def reference(self, first: int, last: int, width: int) -> str:
        """Return the cell reference of lines, like `Budget!A5:D7`; `width` is their number of columns."""
        rows = [number for line in (first, last) if self.first <= line <= self.last and (number := self.number(line))]
        if not rows:
            return self.name
        left = column_name(self.first_column)
        right = column_name(self.first_column + max(1, width) - 1)
        span = f"{left}{rows[0]}:{right}{rows[-1]}"
        return f"{self.name}!{span}" if self.name else span


def sheets_of(kinds: bytes, structure: Structure) -> tuple[Sheet, ...]:
    """Return the sheets of a document; without named sections the whole document is one sheet."""
    sections = structure.sections
    starts = [section for section in sections if not cells_of(section.label)]
    if not starts:
        return (Sheet("", 1, len(kinds), kinds, sections),)
    found = []
    for number, start in enumerate(starts):
        end = starts[number + 1].first_line - 1 if number + 1 < len(starts) else len(kinds)
        first = start.first_line + int(kinds[start.first_line - 1] & 15 == LineKind.HEADING)
        while first <= end and kinds[first - 1] & 15 == LineKind.BLANK:
            first += 1
        while end >= first and kinds[end - 1] & 15 == LineKind.BLANK:
            end -= 1
        low = bisect_left(sections, first, key=lambda section: section.first_line)
        high = bisect_right(sections, end, key=lambda section: section.first_line)
        found.append(Sheet(start.label, first, end, kinds, sections[low:high]))
    return tuple(found)


def cells_of(label: str) -> Cells | None:
    """Parse the cell range in a section label; None if there is none."""
    cells = _PLACE.search(label) if "!" in label else None
    if cells is None:
        return None
    return Cells(column_index(cells[1]), int(cells[2]), column_index(cells[3]), int(cells[4]))


def column_index(letters: str) -> int:
    """Return the index, from 0, of a column given by its letters."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1
