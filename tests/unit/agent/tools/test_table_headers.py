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
        (PRINTED, 5, {2: "2023 2022 2021"}),
        (PRINTED, 4, {2: "2023 2022 2021"}),
        (("The lease of 2021 ends.", "Rent is due in 2023 and 2024."), 2, {}),
        (("Sales rose.",), 1, {}),
        ((), 1, {}),
    ],
)
def test_the_header_of_a_row_is_found(lines: tuple[str, ...], row: int, found: dict[int, str]) -> None:
    assert header_lines(dict(enumerate(lines, 1)), row) == found


STORES = "2021\t2022\t2023"
MIXED = ("Revenue Mix\tComparable Sales", "2023\t2022\t2023\t2022")
RATES = ("Phones\t45 %\t45 %\t(6.1)%\t1.6 %", "Toys\t30 %\t30 %\t(6.2)%\t4.0 %")
TABLES = (  # as a filing has them: two tables, a sentence between, blank lines inside
    *("Our operating income rate fell in fiscal 2019, mostly by costs of the new", "stores, and rose again.", ""),
    *(STORES, "", "Total Stores", "at End of", "", "Fiscal Year\tOpened\tClosed", "Canada", "Best Buy\t131\t-\t(4)"),
    *("", "The mix of revenue was as follows:", "", *MIXED, "", *RATES),
)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (11, {4: STORES, 9: "Fiscal Year\tOpened\tClosed"}),
        (15, {}),
        (18, {15: MIXED[0], 16: MIXED[1]}),
        (19, {15: MIXED[0], 16: MIXED[1]}),
    ],
)
def test_years_come_from_the_table_of_the_row(row: int, found: dict[int, str]) -> None:
    assert header_lines(dict(enumerate(TABLES, 1)), row) == found


def test_years_of_a_sentence_and_of_a_label_are_no_header() -> None:
    lines = ("Our rate fell in fiscal 2019, mostly by", "costs.", "Notes due 2025\t12\t15", "Bonds\t13\t16")
    assert header_lines(dict(enumerate(lines, 1)), 4) == {}


def test_a_table_without_years_right_above_another_keeps_its_header() -> None:
    lines = ("2023\t2022", "Rent\t900\t800", "", "Item\tPrice", "Oar\t12", "Boat\tn/a", "Rope\t7")
    assert header_lines(dict(enumerate(lines, 1)), 7) == {4: "Item\tPrice"}


def test_a_row_found_by_a_search_is_shown_with_its_years() -> None:
    filing = document("Consolidated statements", *PRINTED, "", "Dividends 0.92 0.88 0.80")
    desk = Desk(FakeRetriever(("ACME_2023_10K.pdf", filing)))
    found = desk.call("search", queries=["dividends"])
    assert "3: 2023 2022 2021" in found.text
    assert {(evidence.first_line, evidence.lines) for evidence in found.evidence} >= {(3, ("2023 2022 2021",))}


def test_a_row_found_inside_a_document_is_shown_with_its_years() -> None:
    rows = ("Interest 1.1 1.2 1.3", "Rents 2.1 2.2 2.3", "Wages 3.1 3.2 3.3", "Repairs 4.1 4.2 4.3")
    filing = document("Consolidated statements", "", *PRINTED, *rows, "Dividends 0.92 0.88 0.80")
    desk = Desk(FakeRetriever(("ACME_2023_10K.pdf", filing)))
    desk.call("search", queries=["interest"])
    found = desk.call("find", reference="turn1search1", patterns=["dividends"])
    assert "4: 2023 2022 2021\n" in found.text
    assert (4, ("2023 2022 2021",)) in {(evidence.first_line, evidence.lines) for evidence in found.evidence}
    assert found.text.count("2023 2022 2021") == 1
    beside = desk.call("find", reference="turn1search1", patterns=["Net sales"])
    assert beside.text.count("2023 2022 2021") == 1  # it stands in the passage itself


def test_a_document_opened_inside_a_table_begins_with_its_years() -> None:
    rows = ("Interest 1.1 1.2 1.3", "Rents 2.1 2.2 2.3", "Wages 3.1 3.2 3.3", "Repairs 4.1 4.2 4.3")
    filing = document("Consolidated statements", "", *PRINTED, *rows)
    desk = Desk(FakeRetriever(("ACME_2023_10K.pdf", filing)))
    desk.call("search", queries=["interest"])
    opened = desk.call("open", reference="turn1search1", line=filing.line_count)
    assert "4: 2023 2022 2021\n" in opened.text
    assert (4, ("2023 2022 2021",)) in {(evidence.first_line, evidence.lines) for evidence in opened.evidence}
    assert desk.call("open", reference="turn1search1", line=1).text.count("2023 2022 2021") == 1


def test_the_header_of_a_table_of_words_stands_above_its_rule() -> None:
    rows = ["| user | host |", "|---|---|", *(f"| u{n} | h{n} |" for n in range(60))]
    lines = dict(enumerate(rows, 1))
    assert header_lines(lines, 20) == {1: "| user | host |"}
    assert header_lines({number: text for number, text in lines.items() if number > 20}, 50) == {}
    assert header_lines(lines, 60) == {}
