"""Distinguishes data tables from layout tables, and aligns the columns of data tables."""

from collections.abc import Sequence

from lxml import etree

from desktop_rag.documents.document import InlineMark, Line, LineKind
from desktop_rag.documents.formats.inline_text import shift_marks
from desktop_rag.documents.formats.web.boilerplate import is_larger

_LAYOUT_CONTENT = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "textarea", "form", "nav")
_MAX_CELL = 2000  # characters; a longer cell is a column of the page layout
_MAX_ROW_ELEMENTS = 2000  # elements
_MAX_COVERED = 100  # columns or rows that one cell may span


class HtmlTable:
    """Builds the rows of one data table cell by cell."""

    def __init__(self) -> None:
        self._cells: list[tuple[str, Sequence[InlineMark]]] = []
        self._spanned: dict[int, tuple[int, str]] = {}  # by column: the rows that a cell above still spans, its text
        self._own = self._from_above = 0  # cells of the row
        self._headers = 0

    def begin_row(self) -> None:
        """Start the next row."""
        self._cells = []
        self._headers = self._own = self._from_above = 0
        self._skip_spanned()

    def cell(self, element: "etree._Element", text: str, marks: Sequence[InlineMark]) -> None:
        """Append a cell, in each column and row that it spans; a number that names no column only once."""
        self._headers += element.tag == "th"
        columns, rows = _number(element.get("colspan")), _number(element.get("rowspan"))
        self._own += 1
        again = text if element.tag == "th" or any(map(str.isalpha, text)) else ""
        for number in range(columns):
            if rows > 1:
                self._spanned[len(self._cells)] = rows - 1, again
            self._cells.append((again, ()) if number else (text, marks))
        self._skip_spanned()

    def end_row(self) -> tuple[Line, list[InlineMark]] | None:
        """Return the row as a line with its marks, or None if it is empty."""
        if not any(text for text, _ in self._cells):
            return None
        if self._own == 1 and not self._from_above:
            del self._cells[1:]  # a title over the whole table
        texts: list[str] = []
        placed: list[InlineMark] = []
        length = 0
        for text, marks in self._cells:
            placed.extend(shift_marks(marks, -length, length + len(text)))
            texts.append(text)
            length += len(text) + 1
        filled = sum(1 for text in texts if text)
        header = filled > 1 and self._headers >= filled
        return Line("\t".join(texts).rstrip("\t"), LineKind.ROW, int(header)), placed

    def _skip_spanned(self) -> None:
        while (above := self._spanned.get(len(self._cells), (0, "")))[0]:
            self._spanned[len(self._cells)] = above[0] - 1, above[1]
            self._cells.append((above[1], ()))
            self._from_above += 1


def is_data_table(table: "etree._Element") -> bool:
    """Return whether a table contains data rather than page layout."""
    if table.get("role") in ("presentation", "none") or next(table.iterdescendants(*_LAYOUT_CONTENT), None) is not None:
        return False
    rows = wide = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        if any(sum(map(len, cell.itertext())) > _MAX_CELL for cell in cells):
            return False
        rows += 1
        wide += len(cells) > 1
    return wide > 0 and (rows > 1 or next(table.iter("th"), None) is not None)


def is_labelled_row(row: "etree._Element") -> bool:
    """Return whether a row consists of a header cell and its values, even in a layout table."""
    kinds = [cell.tag for cell in row if cell.tag in ("td", "th")]
    if kinds[:1] != ["th"] or "td" not in kinds or is_larger(row, _MAX_ROW_ELEMENTS):
        return False
    if next(row.iterdescendants(*_LAYOUT_CONTENT), None) is not None:
        return False
    return sum(map(len, row.itertext())) <= _MAX_CELL


def _number(span: str | None) -> int:
    return max(1, min(int(span), _MAX_COVERED)) if span and span.isdecimal() and len(span) < 6 else 1
