"""Rows of a table whose cells are as wide as their edges say: a cell that spans columns or rows belongs to each."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.formats.office.sheet_lines import has_letters, spread

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
        self._rows: list[GridRow] = []

    @property
    def is_begun(self) -> bool:
        """Return whether rows wait to be appended."""
        return bool(self._rows)

    def add(self, row: GridRow) -> None:
        """Add a row to the table."""
        self._rows.append(row)
        if len(self._rows) >= _MOST_ROWS:
            self.end()

    def end(self) -> None:
        """Append the rows of the table."""
        rows, self._rows = self._rows, []
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
