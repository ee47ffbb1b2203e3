"""Rows of tables are shown with the lines that say what their columns are."""

import pytest

from desktop_rag.agent.tools.table_headers import header_lines
from tests.unit.agent.conftest import FakeRetriever, document
from tests.unit.agent.tools.desk import Desk

PRINTED = ("Years ended December 31,", "2023 2022 2021", "(in millions)", "Net sales 900.0 868.2 801.4", "Costs 1 2 3")


@pytest.mark.parametrize(
    ("lines", "row", "found"),
    [
        (("Year\tSales", "2022\t868.2", "2023\t900.0"), 3, {1: "Year\tSales"}),
        (("| Region | Sales |", "|---|---|", "| North | 5.1 |"), 3, {1: "| Region | Sales |"}),
        (PRINTED, 5, {2: "2023 2022 2021", 4: "Net sales 900.0 868.2 801.4"}),
        (PRINTED, 4, {2: "2023 2022 2021"}),
        (("The lease of 2021 ends.", "Rent is due in 2023 and 2024."), 2, {}),
        (("Sales rose.",), 1, {}),
        ((), 1, {}),
    ],
)
def test_the_header_of_a_row_is_found(lines: tuple[str, ...], row: int, found: dict[int, str]) -> None:
    assert header_lines(dict(enumerate(lines, 1)), row) == found


def test_a_row_found_by_a_search_is_shown_with_its_years() -> None:
    filing = document("Consolidated statements", *PRINTED, "", "Dividends 0.92 0.88 0.80")
    desk = Desk(FakeRetriever(("ACME_2023_10K.pdf", filing)))
    found = desk.call("search", queries=["dividends"])
    assert "3: 2023 2022 2021" in found.text
    assert {(evidence.first_line, evidence.lines) for evidence in found.evidence} >= {(3, ("2023 2022 2021",))}
