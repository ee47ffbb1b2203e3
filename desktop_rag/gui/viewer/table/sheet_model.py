"""The table model of one sheet: each row is a line of the catalog, loaded or not."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from desktop_rag.documents.formats.office.sheet_lines import column_name
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer.loaded_lines import LoadedLines
from desktop_rag.gui.viewer.table.sheets import Sheet
from desktop_rag.gui.viewer.viewer_events import Mark
from desktop_rag.text.display import one_line, shorten

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
