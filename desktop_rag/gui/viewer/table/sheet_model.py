"""The table model of one sheet: each row is a line of the catalog, loaded or not."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from desktop_rag.documents.document import LineKind, Section, Structure
from desktop_rag.documents.formats.office.sheet_lines import column_name
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer.document_loading import LoadedLines
from desktop_rag.gui.viewer.viewer_events import Mark
from desktop_rag.text.display import one_line, shorten

# The sheets of a workbook: their lines, and the cell references of a line.

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


_MAX_COLUMNS = 2_000
_MAX_SHOWN = 300  # characters of a cell in the table; the field above shows all of them
_LONGEST_TIP = 2_000
_LONGEST_NAME = 24  # characters of a row's first cell beside its number
_NUMBER = re.compile(r"[-+−(]?[€$£¥]?\s?\d[\d.,'\s\u00a0]*\s?(?:%|€|\$|£|¥)?\)?$")
_CITED_ALPHA = 120

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class SheetModel(QAbstractTableModel):
    """The cells of one sheet, coloured by citation, quote and matches."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = LoadedLines()
        self._sheet: Sheet | None = None
        self._columns = 0
        self._header = 0  # the line with the current column names
        self._names: dict[int, list[str]] = {}  # cells of header lines, which may be far above the loaded lines
        self._font, self._small_font = text_font(), text_font(-1)  # read for every painted cell
        self._cited = (0, -1)
        self._bookmarked: tuple[tuple[int, int], ...] = ()
        self._names_rows = False
        self._quoted: dict[int, set[int]] = {}  # line: columns
        self._matched: dict[int, dict[int, bool]] = {}  # line: column: whether it is the current match
        self._marks: tuple[tuple[Mark, ...], Sequence[tuple[Mark, ...]], int] = ((), (), -1)

    @property
    def sheet(self) -> Sheet | None:
        """Return the current sheet."""
        return self._sheet

    def show(self, sheet: Sheet | None) -> None:
        """Show another sheet, or none."""
        self.beginResetModel()
        self._sheet = sheet
        self._columns = max(1, min(_MAX_COLUMNS, sheet.column_count), self._widest()) if sheet else 0
        self._header = 0
        self._names = {}
        self.endResetModel()

    def lines_changed(self) -> None:
        """Update after lines were loaded."""
        if self._sheet is None:
            return
        if (wide := self._widest()) > self._columns:
            self.beginInsertColumns(_ROOT, self._columns, wide - 1)
            self._columns = wide
            self.endInsertColumns()
        self._find_columns()
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self._columns - 1))

    def set_header(self, line: int) -> None:
        """Take the column names from a line; 0: no names."""
        if line and line not in self._names and (cells := self.cells(line)):
            self._names[line] = cells
        elif line == self._header:
            return
        self._header = line
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def lacks_names(self) -> bool:
        """Return whether the header line is not loaded yet."""
        return self._header > 0 and self._header not in self._names

    def set_names(self, line: int, text: str) -> None:
        """Store the text of a header line."""
        self._names[line] = text.split("\t")
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def names(self) -> list[str]:
        """Return the known column names."""
        return self._names.get(self._header, [])

    def set_cited(self, first: int, last: int) -> None:
        """Highlight the rows of these lines."""
        self._cited = (first, last)
        self._redraw()

    def set_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the row numbers of the bookmarked passages, each given as (first, last) line."""
        self._bookmarked = bookmarked
        if self.rowCount():
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def name_rows(self, *, named: bool) -> None:
        """Show the first cell of each row beside its number, because its column is out of sight."""
        if named != self._names_rows:
            self._names_rows = named
            if self.rowCount():
                self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def quoted_columns(self, line: int) -> set[int]:
        """Return the columns of a line that are quoted."""
        return self._quoted.get(line, set())

    def set_marks(self, quote: tuple[Mark, ...], matches: Sequence[tuple[Mark, ...]], current: int) -> None:
        """Mark the cells with the quote and the matches."""
        self._marks = (quote, matches, current)
        self._find_columns()
        self._redraw()

    def set_zoom(self, zoom: float) -> None:
        """Enlarge the text by this many points."""
        self._font, self._small_font = text_font(zoom), text_font(zoom - 1)

    def font(self) -> QFont:
        """Return the font of the cells."""
        return self._font

    def line_of(self, row: int) -> int:
        """Return the line of a row."""
        return (self._sheet.first if self._sheet else 1) + row

    def row_of(self, line: int) -> int:
        """Return the row of a line; -1 if it is not on this sheet."""
        sheet = self._sheet
        return line - sheet.first if sheet and sheet.first <= line <= sheet.last else -1

    def cells(self, line: int) -> list[str]:
        """Return the cells of a line; empty if it is not loaded."""
        return self.lines.text(line).split("\t") if self.lines.hold(line, line) else []

    def width_of(self, first: int, last: int) -> int:
        """Return the number of columns of the widest of these lines."""
        return max((len(self.cells(line)) for line in range(first, last + 1)), default=0)

    def _widest(self) -> int:
        sheet = self._sheet
        if sheet is None:
            return 1
        texts = self.lines.texts(max(sheet.first, self.lines.first), sheet.last)
        return min(_MAX_COLUMNS, max((text.count("\t") for text in texts), default=0) + 1)

    def _column_at(self, line: int, offset: int) -> int:
        return self.lines.text(line).count("\t", 0, offset) if self.lines.hold(line, line) else -1

    def _find_columns(self) -> None:
        quote, matches, current = self._marks
        self._quoted, self._matched = {}, {}
        for line, start, end in quote:
            first, last = self._column_at(line, start), self._column_at(line, end)
            self._quoted.setdefault(line, set()).update(range(first, last + 1))
        for number, match in enumerate(matches):
            for line, start, _ in match:
                columns = self._matched.setdefault(line, {})
                column = self._column_at(line, start)
                columns[column] = columns.get(column, False) or number == current

    def _redraw(self) -> None:
        if self._sheet is not None and self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self._columns - 1))

    def _background(self, line: int, column: int) -> QColor | None:
        colors = current_colors()
        found = self._matched.get(line, {}).get(column)
        if found is not None:
            return QColor(colors.accent if found else colors.selected)
        if column in self._quoted.get(line, ()):
            return QColor(colors.mark)
        if self._cited[0] <= line <= self._cited[1]:
            shade = QColor(colors.mark)
            shade.setAlpha(_CITED_ALPHA)
            return shade
        return None

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() or self._sheet is None else self._sheet.row_count

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the number of known columns."""
        return 0 if parent.isValid() or self._sheet is None else self._columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text or appearance of a cell."""
        line, column = self.line_of(index.row()), index.column()
        roles = Qt.ItemDataRole
        if role == roles.BackgroundRole:
            return self._background(line, column)
        if role == roles.ForegroundRole:
            return QColor(current_colors().on_accent) if self._matched.get(line, {}).get(column) else None
        if role == roles.FontRole:
            return self._font
        cells = self.cells(line)
        cell = cells[column] if column < len(cells) else ""
        if role == roles.DisplayRole:
            return one_line(cell[:_MAX_SHOWN])
        if role == roles.EditRole:
            return cell
        if role == roles.ToolTipRole:
            return tool_tip(cell[:_LONGEST_TIP]) if len(cell) > 20 else None
        if role == roles.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if _NUMBER.match(cell[:40]) else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the letters and name of a column, or the number of a row."""
        if self._sheet is None:
            return None
        if role == Qt.ItemDataRole.FontRole:
            return self._small_font
        if orientation is Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.DisplayRole:
                number = self._sheet.number(self.line_of(section))
                sign = "●" if any(first <= self.line_of(section) <= last for first, last in self._bookmarked) else ""
                cells = self.cells(self.line_of(section)) if self._names_rows else []
                name = shorten(one_line(cells[0]), _LONGEST_NAME) if cells else ""
                return " ".join(filter(None, (sign, str(number or ""), name and f" {name}")))
            return None
        letters = column_name(self._sheet.first_column + section)
        names = self.names()
        name = one_line(names[section][:_MAX_SHOWN]) if section < len(names) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{letters}  {name}" if name else letters
        return tool_tip(name) if role == Qt.ItemDataRole.ToolTipRole and name else None
