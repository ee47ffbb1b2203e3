"""Tells tables of values from tables that only arrange a page, and keeps the columns of the former in line."""

from collections.abc import Sequence

from lxml import etree

from desktop_rag.documents.document import InlineMark, Line, LineKind
from desktop_rag.documents.formats.inline_text import shift_marks
from desktop_rag.documents.formats.web.boilerplate import is_larger

_ARRANGED = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "textarea", "form", "nav")
_LONGEST_CELL = 2000  # characters; more is a column of a page
_LARGEST_ROW = 2000  # elements
_MAX_COVERED = 100  # columns or rows that one cell may cover


class HtmlTable:
    """The rows of one table while its cells arrive."""

    def __init__(self) -> None:
        self._cells: list[tuple[str, Sequence[InlineMark]]] = []
        self._covered: dict[int, int] = {}  # how many rows a cell above still covers of each column
        self._headers = 0

    def begin_row(self) -> None:
        """Start the next row."""
        self._cells = []
        self._headers = 0
        self._skip_covered()

    def cell(self, element: "etree._Element", text: str, marks: Sequence[InlineMark]) -> None:
        """Append a cell, and an empty one for each further column it covers."""
        self._headers += element.tag == "th"
        columns, rows = _number(element.get("colspan")), _number(element.get("rowspan"))
        for number in range(columns):
            if rows > 1:
                self._covered[len(self._cells)] = rows - 1
            self._cells.append(("", ()) if number else (text, marks))
        self._skip_covered()

    def end_row(self) -> tuple[Line, list[InlineMark]] | None:
        """Return the row as a line with its marks, unless nothing is in it."""
        if not any(text for text, _ in self._cells):
            return None
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

    def _skip_covered(self) -> None:
        while self._covered.get(len(self._cells), 0):
            self._covered[len(self._cells)] -= 1
            self._cells.append(("", ()))


def is_data(table: "etree._Element") -> bool:
    """Return whether a table holds values in rows, and does not just place parts of the page."""
    if table.get("role") in ("presentation", "none") or next(table.iterdescendants(*_ARRANGED), None) is not None:
        return False
    rows = wide = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        if any(sum(map(len, cell.itertext())) > _LONGEST_CELL for cell in cells):
            return False
        rows += 1
        wide += len(cells) > 1
    return wide > 0 and (rows > 1 or next(table.iter("th"), None) is not None)


def is_labelled(row: "etree._Element") -> bool:
    """Return whether a row says by itself what its values are, whatever the table around it is for."""
    kinds = [cell.tag for cell in row if cell.tag in ("td", "th")]
    if kinds[:1] != ["th"] or "td" not in kinds or is_larger(row, _LARGEST_ROW):
        return False
    if next(row.iterdescendants(*_ARRANGED), None) is not None:
        return False
    return sum(map(len, row.itertext())) <= _LONGEST_CELL


def _number(span: str | None) -> int:
    return max(1, min(int(span), _MAX_COVERED)) if span and span.isdecimal() and len(span) < 6 else 1
