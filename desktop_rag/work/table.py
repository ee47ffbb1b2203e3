"""A table over documents: rows are documents, columns are questions, each cell a value with its proof."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from desktop_rag.agent.events import Citation, Claim
from desktop_rag.work.cell_notes import NOT_LOOKED
from desktop_rag.work.columns import Column

TableId = NewType("TableId", int)
Place = tuple[int, int]  # the number of a row and the id of a column

MOST_ROWS = 2_000


class CellState(StrEnum):
    """How far a cell is."""

    WAITING = "waiting"  # not asked yet
    FOUND = "found"
    ABSENT = "absent"  # the model says that the document does not say it
    UNSTATED = "unstated"  # nothing was found without a model, which proves little
    FAILED = "failed"  # no answer that can be used; the note says why


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a value stands, and what is known of it: the statement is “question: value”."""

    citation: Citation
    claim: Claim


@dataclass(frozen=True, slots=True)
class Cell:
    """The found value of a cell, its proof, and the user's correction, which is kept apart from it.

    `sha256` is the document as it was read; `by` names the model. The note says why there is no value, or how much of
    the document was read.
    """

    state: CellState = CellState.WAITING
    value: str = ""
    normal: str = ""
    proof: Proof | None = None
    note: str = ""
    by: str = ""
    sha256: str = ""
    asked_ns: int = 0
    correction: str | None = None
    corrected_normal: str = ""

    @property
    def shown(self) -> str:
        """The value that counts: the correction, else what was found."""
        return self.value if self.correction is None else self.correction

    @property
    def shown_normal(self) -> str:
        """The normal form of what is shown."""
        return self.normal if self.correction is None else self.corrected_normal

    @property
    def is_asked(self) -> bool:
        """Whether there is a result, even if it is that the document does not say it."""
        return self.state in (CellState.FOUND, CellState.ABSENT, CellState.UNSTATED)


NO_CELL = Cell()


@dataclass(frozen=True, slots=True)
class Row:
    """A document; `gone` if the library has it no more. Its number stays."""

    number: int
    sha256: str
    path: str
    title: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TableHead:
    """A table in a list; `filled` of `cells` have a result."""

    id: TableId
    name: str
    rows: int
    cells: int
    filled: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table, as it was when it was loaded."""

    id: TableId
    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    cells: Mapping[Place, Cell] = field(default_factory=dict)

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell at the number of a row and the id of a column."""
        return self.cells.get((row, column), NO_CELL)

    def is_stale(self, row: Row, column: int) -> bool:
        """Return whether the document has changed since a cell was asked."""
        cell = self.cell(row.number, column)
        return cell.is_asked and not row.gone and cell.sha256 != row.sha256

    def only_looked(self, row: Row, column: int) -> bool:
        """Return whether a cell has a value, and only the second look at it is wanting."""
        return self.cell(row.number, column).note == NOT_LOOKED and not self.is_stale(row, column)

    def wanting(self, *, by_model: bool, looks: bool = False) -> tuple[Place, ...]:
        """Return the cells to ask, row by row: those without a result, and stale ones; not those corrected by hand.

        A model is asked for what nothing was found of without one, too; with `looks` for a second look that is wanting.
        """
        return tuple(
            (row.number, column.id)
            for row in self.rows
            if not row.gone
            for column in self.columns
            if (cell := self.cell(row.number, column.id)).correction is None
            and (
                not cell.is_asked
                or self.is_stale(row, column.id)
                or (by_model and cell.state is CellState.UNSTATED)
                or (looks and self.only_looked(row, column.id))
            )
        )

    def with_cell(self, place: Place, cell: Cell) -> "Table":
        """Return the table with another cell."""
        return replace(self, cells={**self.cells, place: cell})
