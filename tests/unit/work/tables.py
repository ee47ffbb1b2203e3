"""A small table with cells of every kind and state, for tests."""

from desktop_rag.agent.events import Citation, Claim
from desktop_rag.index.records import ContentId
from desktop_rag.work.columns import Column, Kind, normal_form
from desktop_rag.work.table import Cell, CellState, Place, Proof, Row, Table, TableId

COLUMNS = (
    Column("Landlord", id=1),
    Column("Rent", Kind.AMOUNT, id=2),
    Column("Start", Kind.DATE, id=3),
    Column("Pets", Kind.YES_NO, id=4),
)


def found(column: Column, value: str, row: int = 1) -> Cell:
    citation = Citation(
        1, f"turn1search{row}", ContentId(row), f"{row:064x}", f"/home/me/{row}.md", f"Lease {row}", "md", None, 5, 5,
        f"it says {value}", f"it says {value}.", 5, "verbatim",
    )  # fmt: skip
    proof = Proof(citation, Claim(0, 5, "unchecked", (1,)))
    return Cell(CellState.FOUND, value, normal_form(column, value), proof, "", "model", f"{row:064x}", 1)


def a_table() -> Table:
    landlord, rent, start, pets = COLUMNS
    rows = tuple(Row(number, f"{number:064x}", f"/home/me/{number}.md", f"Lease {number}") for number in (1, 2, 3))
    changed = Row(4, f"{44:064x}", "/home/me/4.md", "Lease 4")
    gone = Row(5, f"{5:064x}", "/home/me/5.md", "Lease 5", gone=True)
    cells: dict[Place, Cell] = {
        (1, 1): found(landlord, "Anna Meier"),
        (1, 2): found(rent, "1,200 euros"),
        (1, 3): found(start, "3 March 2021"),
        (1, 4): found(pets, "yes"),
        (2, 1): found(landlord, '=HYPERLINK("x")', 2),
        (2, 2): found(rent, "300.50 euros", 2),
        (2, 3): Cell(CellState.ABSENT, sha256=f"{2:064x}"),
        (2, 4): Cell(CellState.FAILED, note="The model sent an empty message."),
        (3, 1): Cell(CellState.UNSTATED, sha256=f"{3:064x}", correction="Ben Cole", corrected_normal="ben cole"),
        (4, 2): found(rent, "90 euros", 4),
    }
    return Table(TableId(1), "Leases: all", COLUMNS, (*rows, changed, gone), cells)
