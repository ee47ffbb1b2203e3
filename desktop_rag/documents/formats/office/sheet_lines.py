"""Appends the rows of a sheet as lines, with sections named by cell ranges."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Line, LineKind
from desktop_rag.documents.formats.source_file import ReadBudget

_AMOUNT = re.compile(r"(?!(?:19|20)\d\d$)\W*\d")  # a year may name a column
_FIGURE = re.compile(r"\d")
_MAX_SECTIONS = 2000  # per sheet; in longer sheets a section covers several rows

Row = tuple[int, Sequence[str]]  # (number from 1, cells)


def append_sheet(
    builder: DocumentBuilder, budget: ReadBudget, name: str, rows: Iterable[Row], first_column: int, height: int
) -> None:
    """Append a sheet: its name as a heading, each non-empty row as a line in a section like `Budget!A5:D5`.

    `first_column` counts from 0, `height` is the approximate number of rows.
    """
    step = height // _MAX_SECTIONS + 1
    before, until, begun = 0, 0, False
    waiting: tuple[int, list[str]] | None = None  # a possible header row

    def put(number: int, cells: list[str], *, header: bool) -> None:
        nonlocal until
        if number > until:
            until = number + step - 1
            columns = column_name(first_column), column_name(first_column + len(cells) - 1)
            builder.begin_section(f"{name}!{columns[0]}{number}:{columns[1]}{min(until, max(height, number))}")
        builder.add_row(cells, header=header)

    for number, cells in rows:
        texts = _trimmed(cells)
        if not texts:
            continue
        budget.check(builder.characters)
        if not begun:
            builder.begin_section(name, apart=True)
            builder.add(Line(name, LineKind.HEADING, 2))
            begun = True
        if waiting:
            put(*waiting, header=number == waiting[0] + 1 and names_columns(waiting[1], texts))
            waiting = None
        if number != before + 1 or not before:
            builder.add_blank()
            if names_columns(texts):
                waiting, before = (number, texts), number
                continue
        put(number, texts, header=False)
        before = number
    if waiting:
        put(*waiting, header=False)


def rows_of(cells: Mapping[int, Mapping[int, str]]) -> Iterator[Row]:
    """Yield the rows of cells by row and column, both from 0."""
    for row, texts in sorted(cells.items()):
        yield row + 1, [texts.get(column, "") for column in range(max(texts) + 1)]


def column_name(index: int) -> str:
    """Return the letters of a column, counted from 0."""
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _trimmed(cells: Sequence[str]) -> list[str]:
    texts = [" ".join(cell.split()) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def spread(cells: Sequence[tuple[str, int]]) -> list[str]:
    """Return a row of cells, given with the columns that they span: a text in each of them.

    A number is not repeated, which would count twice, unless all numbers of the row span columns, which they name; nor
    is a single cell, a title.
    """
    named = all(columns > 1 for text, columns in cells if text and not has_letters(text)) and len(cells) > 1
    texts: list[str] = []
    for text, columns in cells:
        again = text if named or (len(cells) > 1 and has_letters(text)) else ""
        texts += [text, *[again] * (columns - 1)]
    return texts


def has_letters(text: str) -> bool:
    """Return whether a text is more than a number."""
    return any(map(str.isalpha, text))


def names_columns(texts: Sequence[str], below: Sequence[str] = ()) -> bool:
    """Return whether the first row of a block looks like column names: several cells, none twice, none an amount.

    Nor is it a row like the next: Invoice 1, Paid above Invoice 2, Open.
    """
    named = [text for text in texts if text]
    if len(named) < 2 or 2 * len(named) < len(texts) or len(set(named)) < len(named):
        return False
    if any(_AMOUNT.match(text) for text in named):
        return False
    alike = (_FIGURE.sub("0", above) == _FIGURE.sub("0", under) for above, under in zip(texts, below, strict=False))
    return not any(same and _FIGURE.search(above) for same, above in zip(alike, texts, strict=False))


# Rows of a table whose cells are as wide as their edges say: a cell that spans columns or rows belongs to each.

_SAME = 40  # twips between edges that are one
_MOST_ROWS, _MOST_EDGES = 2_000, 200


@dataclass(frozen=True, slots=True)
class GridRow:
    """The cells of a row, and their edges from left to right; some continue the cell above or the one at the left."""

    cells: Sequence[str]
    edges: Sequence[int] = ()
    below: Sequence[bool] = ()
    beside: Sequence[bool] = ()
    is_header: bool = False


class CellGrid:
    """The rows of one table after the other."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.rows: list[GridRow] = []  # that wait to be appended

    def add(self, row: GridRow) -> None:
        """Add a row to the table."""
        self.rows.append(row)
        if len(self.rows) >= _MOST_ROWS:
            self.end()

    def end(self) -> None:
        """Append the rows of the table."""
        rows, self.rows = self.rows, []
        columns = _columns(rows)
        above: list[str] = []
        for row in rows:
            texts = _texts(row, columns, above) if columns and _is_whole(row) else list(row.cells)
            above = [text if has_letters(text) else "" for text in texts]  # a number is not repeated
            if any(texts):
                self._builder.add_row(texts, header=row.is_header)


def _is_whole(row: GridRow) -> bool:
    return 0 < len(row.cells) == len(row.edges) - 1


def _columns(rows: Sequence[GridRow]) -> list[int]:
    """Return the edges of the columns; none if all rows have the same ones and no cell goes on."""
    known = [row for row in rows if _is_whole(row)]
    if not any(any(row.below) or any(row.beside) for row in known) and len({tuple(row.edges) for row in known}) < 2:
        return []
    columns: list[int] = []
    for edge in sorted({edge for row in known for edge in row.edges}):
        if not columns or edge - columns[-1] > _SAME:
            columns.append(edge)
    return columns if len(columns) <= _MOST_EDGES else []


def _texts(row: GridRow, columns: Sequence[int], above: Sequence[str]) -> list[str]:
    at = [min(range(len(columns)), key=lambda number: abs(columns[number] - edge)) for edge in row.edges]
    cells: list[tuple[str, int]] = [("", 1)] * at[0]
    for number, text in enumerate(row.cells):
        width = max(1, at[number + 1] - at[number])
        if cells and number < len(row.beside) and row.beside[number] and not text:
            cells[-1] = cells[-1][0], cells[-1][1] + width
            continue
        if number < len(row.below) and row.below[number] and at[number] < len(above):
            text = above[at[number]]
        cells.append((text, width))
    return spread(cells)
