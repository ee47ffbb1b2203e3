"""The words for kinds, states and sums of tables in the language of the window."""

from PySide6.QtCore import QCoreApplication, QDate

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import claim, number, place, shown_day
from desktop_rag.text.display import one_line
from desktop_rag.work.arrangement import state_of
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.table import Cell, Row, Table


def _tr(text: str) -> str:
    return QCoreApplication.translate("TableWording", text)


def kind_name(kind: Kind) -> str:
    """Return the name of a kind of answers."""
    return {
        Kind.TEXT: _tr("Text"),
        Kind.DATE: _tr("Date"),
        Kind.AMOUNT: _tr("Amount"),
        Kind.YES_NO: _tr("Yes or no"),
        Kind.ONE_OF: _tr("One of"),
    }[kind]


def state_name(state: str) -> str:
    """Return a state of a cell in a word or two."""
    return {
        "waiting": _tr("not asked yet"),
        "asked": _tr("asking…"),
        "found": "",
        "absent": _tr("not in this document"),
        "unstated": _tr("not found without a model"),
        "failed": _tr("no answer"),
        "stale": _tr("the document has changed since"),
        "corrected": _tr("corrected by hand"),
        "gone": _tr("the document is gone"),
        "doubtful": _tr("doubtful"),
    }[state]


def short_state(state: str) -> str:
    """Return a state as it stands in a cell: the tooltip has the whole of it."""
    return _tr("not found") if state == "unstated" else state_name(state)


def shown_value(column: Column, cell: Cell) -> str:
    """Return a value as it is shown: dates and yes or no in the language of the window, all else as written."""
    normal = cell.shown_normal
    if column.kind is Kind.DATE and len(normal) == len("2024-01-31"):
        return shown_day(QDate(*map(int, normal.split("-"))))
    if column.kind is Kind.YES_NO and normal:
        return _tr("yes") if normal == "yes" else _tr("no")
    return one_line(cell.shown)


def cell_tip(table: Table, row: Row, column: Column) -> str:
    """Return what is known of a cell: its state, what was found beside a correction, and its proof."""
    cell = table.cell(row.number, column.id)
    parts = [state_name(state_of(table, row, column))]
    if cell.correction is not None and cell.value:
        parts.append(_tr("found: {0}").format(one_line(cell.value)))
    if cell.note:
        parts.append(sentence(cell.note))
    return "\n".join(filter(None, (*parts, proof_text(cell))))


def proof_text(cell: Cell) -> str:
    """Return the quotation of a cell with its place and its mark; empty without one."""
    if cell.proof is None:
        return ""
    cited = cell.proof.citation
    where = place(cited.page, cited.first_line, cited.last_line, cited.section)
    quoted = _tr("“{0}”").format(one_line(cited.quote))
    return f"{quoted} – {where}. {claim(cell.proof.claim)}"


def cells_text(done: int, of: int) -> str:
    """Return how many cells have a result."""
    return _tr("{0} of {1} cells").format(number(done), number(of))
