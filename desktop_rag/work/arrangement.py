"""The rows of a table in the order in which they are looked at: sorted, filtered, grouped by a column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.text.display import one_line
from desktop_rag.work.columns import Column, Kind, amount_of, number_text, sort_key, summary
from desktop_rag.work.table import Cell, CellState, Row, Table

DOCUMENT = 0  # instead of the id of a column
LEFT_OUT = "({0} left out)"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the rows are looked at; columns by id, `DOCUMENT` is the name of the document, None is none.

    `words` must all be in a row; `only` are the states of which a row must have a cell.
    """

    sort: int | None = None
    descending: bool = False
    group: int | None = None
    words: str = ""
    only: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows with the same value in the column that groups them."""

    label: str
    rows: tuple[Row, ...]


def arranged(table: Table, how: Arrangement) -> tuple[RowGroup, ...]:
    """Return the rows in groups; without a column that groups, in one without a label."""
    rows = [row for row in table.rows if _has_words(table, row, how.words) and _has_state(table, row, how.only)]
    columns = {column.id: column for column in table.columns}
    if how.sort is not None and (how.sort == DOCUMENT or how.sort in columns):
        by = columns.get(how.sort)
        empty = [row for row in rows if by and _key(table, row, by)[0]]
        full = [row for row in rows if not (by and _key(table, row, by)[0])]
        full.sort(key=lambda row: _key(table, row, by) if by else row.title.casefold(), reverse=how.descending)
        rows = full + empty
    if how.group is None or how.group not in columns:
        return (RowGroup("", tuple(rows)),) if rows else ()
    by = columns[how.group]
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_group_key(by, table.cell(row.number, by.id)), []).append(row)
    ordered = sorted(groups.items(), key=lambda each: _key(table, each[1][0], by))
    return tuple(RowGroup(group_label(by, table.cell(own[0].number, by.id)), tuple(own)) for _, own in ordered)


def summaries(table: Table, rows: Iterable[Row], left_out: str = LEFT_OUT) -> dict[int, str]:
    """Return what each column gives together over these rows, by the id of the column.

    Doubtful values, and those of documents that are gone, do not count: `left_out` says how many.
    """
    every = tuple(rows)
    told: dict[int, str] = {}
    for column in table.columns:
        full = [row for row in every if table.cell(row.number, column.id).shown_normal]
        sure = [row for row in full if state_of(table, row, column) not in ("doubtful", "gone")]
        found = summary(column, (table.cell(row.number, column.id).shown_normal for row in sure))
        missing = len(full) - len(sure) if column.kind is not Kind.TEXT else 0
        told[column.id] = f"{found} {left_out.format(missing)}".strip() if missing else found
    return told


def group_label(column: Column, cell: Cell) -> str:
    """Return the name of the group of a value."""
    if column.kind is Kind.AMOUNT and (amount := amount_of(cell.shown_normal)):
        return f"{number_text(amount.number)} {amount.unit}".strip()
    if column.kind is not Kind.TEXT and cell.shown_normal:
        return cell.shown_normal
    return one_line(cell.shown)


def state_of(table: Table, row: Row, column: Column) -> str:
    """Return the state of a cell as it is filtered and exported: a state, or stale, corrected, gone."""
    cell = table.cell(row.number, column.id)
    if row.gone:
        return "gone"
    if cell.correction is not None:
        return "corrected"
    if table.is_stale(row, column.id):
        return "stale"
    if cell.state is CellState.FOUND and cell.proof and cell.proof.claim.mark in ("otherwise", "silent", "altered"):
        return "doubtful"
    return cell.state.value


def _key(table: Table, row: Row, column: Column) -> tuple[bool, str, object, str]:
    cell = table.cell(row.number, column.id)
    return sort_key(column, cell.shown, cell.shown_normal)


def _group_key(column: Column, cell: Cell) -> str:
    return cell.shown_normal or cell.shown.casefold()


def _has_words(table: Table, row: Row, words: str) -> bool:
    wanted = words.casefold().split()
    if not wanted:
        return True
    shown: Sequence[str] = [table.cell(row.number, column.id).shown for column in table.columns]
    text = "\n".join((row.title, row.path, *shown)).casefold()
    return all(word in text for word in wanted)


def _has_state(table: Table, row: Row, only: frozenset[str]) -> bool:
    return not only or any(state_of(table, row, column) in only for column in table.columns)
