"""Rows are sorted, filtered and grouped by what their cells mean."""

from dataclasses import replace

import pytest

from desktop_rag.work.arrangement import DOCUMENT, Arrangement, arranged, state_of, summaries
from tests.unit.work.tables import COLUMNS, a_table, found

TABLE = a_table()


def numbers(how: Arrangement) -> list[int]:
    return [row.number for group in arranged(TABLE, how) for row in group.rows]


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        (Arrangement(), [1, 2, 3, 4, 5]),
        (Arrangement(sort=2), [4, 2, 1, 3, 5]),
        (Arrangement(sort=2, descending=True), [1, 2, 4, 3, 5]),
        (Arrangement(sort=DOCUMENT, descending=True), [5, 4, 3, 2, 1]),
        (Arrangement(sort=99), [1, 2, 3, 4, 5]),
        (Arrangement(words="meier EURO"), [1]),
        (Arrangement(only=frozenset(("failed", "stale"))), [2, 4]),
        (Arrangement(words="nothing"), []),
    ],
)
def test_rows_are_sorted_and_filtered(how: Arrangement, rows: list[int]) -> None:
    assert numbers(how) == rows


def test_rows_are_grouped_by_the_meaning_of_a_value() -> None:
    groups = arranged(TABLE, Arrangement(group=4, sort=2, descending=True))
    assert [(group.label, [row.number for row in group.rows]) for group in groups] == [
        ("yes", [1]),
        ("", [2, 4, 3, 5]),
    ]


def test_each_cell_tells_its_state() -> None:
    states = {row.number: [state_of(TABLE, row, column) for column in COLUMNS] for row in TABLE.rows}
    assert states == {
        1: ["found"] * 4,
        2: ["found", "found", "absent", "failed"],
        3: ["corrected", "waiting", "waiting", "waiting"],
        4: ["waiting", "stale", "waiting", "waiting"],
        5: ["gone"] * 4,
    }


def test_a_model_is_asked_for_what_was_not_found_without_one() -> None:
    assert (2, 3) not in TABLE.wanting(by_model=True)
    assert {(2, 4), (4, 2)} <= set(TABLE.wanting(by_model=False))
    assert all(row != 5 for row, _ in TABLE.wanting(by_model=True))


def test_columns_are_summed_up() -> None:
    told = summaries(TABLE, TABLE.rows)
    assert told == {1: "", 2: "Σ 1,590.5 EUR", 3: "2021-03-03", 4: "yes 1"}


def test_doubtful_values_and_those_of_gone_documents_do_not_count() -> None:
    cell = TABLE.cell(2, 2)
    assert cell.proof is not None
    claim = replace(cell.proof.claim, mark="otherwise")
    refuted = TABLE.with_cell((2, 2), replace(cell, proof=replace(cell.proof, claim=claim)))
    gone = refuted.with_cell(
        (5, 2), replace(found(COLUMNS[1], "7 euros", 5), correction="8 euros", corrected_normal="8|EUR")
    )
    assert state_of(gone, gone.rows[4], COLUMNS[1]) == "gone"
    assert summaries(gone, gone.rows)[2] == "Σ 1,290 EUR (2 left out)"
    assert summaries(gone, gone.rows[4:])[2] == "(1 left out)"
