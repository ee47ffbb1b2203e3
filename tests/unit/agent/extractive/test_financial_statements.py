import pytest

from desktop_rag.agent.extractive.quantities.financial_statements import (
    BALANCE_SHEET,
    CASH_FLOW_STATEMENT,
    INCOME_STATEMENT,
    latest_first,
    of_period,
    statement_queries,
)
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence

REPORTS = {"a": "ACME_2021_10K.pdf", "b": "ACME_2023_10K.pdf", "c": "ACME_2023Q2_10Q.pdf"}


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Has the quick ratio of Acme improved?", (BALANCE_SHEET,)),
        ("What is the operating margin of Acme in FY2022?", (INCOME_STATEMENT,)),
        ("How much capex did Acme have in 2021?", (CASH_FLOW_STATEMENT,)),
        ("What is the inventory turnover ratio of Acme?", (BALANCE_SHEET, INCOME_STATEMENT)),
        ("Which of operating activities and financing activities brought in more?", (CASH_FLOW_STATEMENT,)),
        ("What drove the gross margin of Acme in FY2022?", ()),  # words, not figures
        ("Why did the working capital rise?", ()),
        ("Who are the customers of Acme?", ()),
        ("How wide is the margin of the page?", ()),
        ("When does the current lease end?", ()),
    ],
)
def test_figures_are_looked_up_in_the_statements_that_hold_them(text: str, statements: tuple[str, ...]) -> None:
    assert statement_queries(analyse(text)) == statements


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("What is the quick ratio in FY2021?", ["a", "b"]),
        ("What is the quick ratio in Q2 of FY2023?", ["c"]),
        ("What is the quick ratio between FY20 and FY21?", ["a", "b"]),
        ("Is the gross margin consistent?", ["b"]),
    ],
)
def test_a_year_is_reported_by_annual_reports(text: str, references: list[str]) -> None:
    assert of_period(analyse(text), REPORTS) == references


def test_without_a_fitting_report_all_are_searched() -> None:
    assert of_period(analyse("What is the gross margin in Q2 of 2023?"), {"a": "Acme 2023.pdf"}) == ["a"]


def test_without_a_year_the_latest_document_comes_first() -> None:
    found = [Evidence(name, file, 1, (), score=1.0, file=file) for name, file in REPORTS.items()]
    better = Evidence("d", "Acme.pdf", 1, (), score=2.0, file="Acme.pdf")
    asked = analyse("Is the gross margin of Acme consistent?")
    assert [each.reference for each in latest_first(asked, [*found, better])] == ["d", "b", "c", "a"]
    asked = analyse("What is the gross margin of Acme in FY21?")
    assert list(latest_first(asked, found)) == found
