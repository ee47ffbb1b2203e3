"""A filled table for Python programs: rows of cells with their proofs, and columns of plain values for pandas."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from types import MappingProxyType

from desktop_rag.agent.citations.marks import describe_claim
from desktop_rag.agent.events import Mark
from desktop_rag.text.display import printable
from desktop_rag.work.arrangement import state_of
from desktop_rag.work.cell_values import amount_of
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.table import Row, Table

PlainValue = str | float | bool | date | None


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell: its value by the kind of its column, None without one, and its text as written.

    `state` is found, absent (the document does not say it), unstated (nothing was found without a model), failed,
    waiting, stale, corrected, gone or doubtful. The quotation stands in the lines; `mark` says what was checked.
    """

    value: PlainValue
    text: str
    state: str
    unit: str = ""
    quote: str = ""
    page: int | None = None
    first_line: int = 0
    last_line: int = 0
    mark: Mark | None = None
    says: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A document and its cells by the questions of their columns."""

    document: str  # its id
    path: Path
    title: str
    cells: Mapping[str, TableCell]

    def __getitem__(self, column: str) -> TableCell:
        return self.cells[column]


@dataclass(frozen=True, slots=True)
class FilledTable:
    """A table; `left` cells have no result, `trouble` says why. It is kept in the library under its name."""

    id: int
    name: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    left: int = 0
    trouble: str = ""

    def __iter__(self) -> Iterator[TableRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def data(self) -> dict[str, list[PlainValue]]:
        """The values by column, for `pandas.DataFrame(table.data)`."""
        values: dict[str, list[PlainValue]] = {"document": [row.title for row in self.rows]}
        return values | {column: [row[column].value for row in self.rows] for column in self.columns}

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{_text(name)}</th>" for name in ("", *self.columns))
        rows = (
            f"<tr><th>{_text(row.title)}</th>{''.join(_cell_html(row[column]) for column in self.columns)}</tr>"
            for row in self.rows
        )
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def filled_table(table: Table, left: int = 0, trouble: str = "") -> FilledTable:
    """Return a stored table for Python programs."""
    rows = tuple(
        TableRow(
            row.sha256,
            Path(row.path),
            row.title,
            MappingProxyType({column.name: _cell(table, row, column) for column in table.columns}),
        )
        for row in table.rows
    )
    return FilledTable(table.id, table.name, tuple(column.name for column in table.columns), rows, left, trouble)


def _cell(table: Table, row: Row, column: Column) -> TableCell:
    cell = table.cell(row.number, column.id)
    amount = amount_of(cell.shown_normal) if column.kind is Kind.AMOUNT else None
    citation = cell.proof.citation if cell.proof else None
    return TableCell(
        value=_plain(column, cell.shown, cell.shown_normal),
        text=cell.shown,
        state=state_of(table, row, column),
        unit=amount.unit if amount else "",
        quote=citation.quote if citation else "",
        page=citation.page if citation else None,
        first_line=citation.first_line if citation else 0,
        last_line=citation.last_line if citation else 0,
        mark=cell.proof.claim.mark if cell.proof else None,
        says=describe_claim(cell.proof.claim) if cell.proof else "",
        note=cell.note,
    )


def _plain(column: Column, text: str, normal: str) -> PlainValue:
    """Return a value by its kind; as text what says less than a whole date, or is no amount."""
    if not text:
        return None
    match column.kind:
        case Kind.AMOUNT if amount := amount_of(normal):
            return float(amount.number)
        case Kind.DATE if len(normal) == len("2024-01-31"):
            return date.fromisoformat(normal)
        case Kind.YES_NO if normal:
            return normal == "yes"
        case Kind.ONE_OF if normal:
            return normal
        case _:
            return text


def _cell_html(cell: TableCell) -> str:
    title = f"{cell.quote} ({cell.says or cell.state})"
    return f'<td title="{_text(title)}">{_text(cell.text)}</td>'


def _text(text: str) -> str:
    return escape(printable(text))
