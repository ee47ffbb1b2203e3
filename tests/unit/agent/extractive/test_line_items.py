"""A line of a financial statement is answered by its row in the statement of the whole company."""

import pytest

from desktop_rag.agent.extractive.quantities.line_items import item_row, line_item
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

YEARS = "Years ended December 31,\t2022\t2021"
INCOME = (
    "Consolidated Statements of Operations",
    YEARS,
    "Total revenues\t66,608\t62,286",
    "Cost of products\t(53,969)\t(49,954)",
    "General and administrative expense\t(4,187)\t(4,157)",
    "Loss before income taxes\t(5,022)\t(5,033)",
    "Net loss\t(5,053)\t(4,290)",
    "Net loss attributable to Boeing Shareholders\t($4,935)\t($4,202)",
    "Basic loss per share\t($8.30)\t($7.15)",
    "Diluted loss per share\t($8.30)\t($7.15)",
)
NOTE = ("Net periodic cost", YEARS, "Net income of the plan\t5\t6", "Total revenues\t3\t4", "% of total revenues\t1\t2")
BALANCE = (
    "December 31,\t2022\t2021",
    "Merchandise inventories, net\t1,603\t1,499",
    "Total current assets\t2,681\t2,297",
    "Total assets\t5,370\t4,764",
    "Accounts payable\t559\t552",
)
FLOWS = (
    YEARS,
    "Operating activities",
    "Merchandise inventories\t(104)\t(331)",
    "Accounts payable\t3\t4",
    "Retained earnings\t1\t2",
)


def read(*parts: tuple[str, ...], file: str = "BOEING_2022_10K.pdf", title: str = "Report") -> list[ToolMessage]:
    passages = (
        Evidence(f"turn1search{number}", title, number * 1000, lines, 0.0, "", file)
        for number, lines in enumerate(parts, 1)
    )
    return [ToolMessage("1", "open", "", tuple(passages))]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is the net income of Boeing?", "Net loss\t(5,053)\t(4,290)"),
        ("What was the net income of Boeing in 2021?", "Net loss\t(5,053)\t(4,290)"),
        ("What is the revenue of Boeing?", "Total revenues\t66,608\t62,286"),
        ("What was Boeing's total revenue in 2022?", "Total revenues\t66,608\t62,286"),
        ("What is the difference between Boeing's net loss in 2022 and 2021?", "Net loss\t(5,053)\t(4,290)"),
    ],
)
def test_a_row_of_the_same_meaning_answers_with_its_file_and_years(question: str, row: str) -> None:
    found = item_row(analyse(question), read(NOTE, INCOME))
    assert found is not None
    assert found.text == row
    assert found.columns == f"BOEING_2022_10K, {YEARS}"


def test_a_cash_flow_has_the_change_and_not_the_amount() -> None:
    question, file = analyse("What are the inventories of Ulta Beauty?"), "ULTABEAUTY_2023Q4.pdf"
    found = item_row(question, read(FLOWS, BALANCE, file=file))
    assert found is not None
    assert found.text == "Merchandise inventories, net\t1,603\t1,499"
    assert item_row(question, read(FLOWS, file=file)) is None


def test_a_year_goes_before_a_quarter() -> None:
    quarter = ("13 Weeks Ended", "January 28,\t2022\t2021", "Gross profit\t1,212\t1,027", *INCOME[3:])
    year = ("52 Weeks Ended", "January 28,\t2022\t2021", "Gross profit\t4,044\t3,368", *INCOME[3:])
    found = item_row(analyse("What is the gross profit of Boeing?"), read(quarter, year))
    assert found is not None
    assert found.text == "Gross profit\t4,044\t3,368"
    alone = item_row(analyse("What is the gross profit of Boeing?"), read(quarter))
    assert alone is not None


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the net income of Pfizer?", (INCOME,)),  # of another company
        ("What was the net income of Boeing in 2019?", (INCOME,)),  # of other years
        ("What is the revenue of Boeing?", (NOTE,)),  # of a part of the company
        ("What is the net income of Boeing?", ((*INCOME[:1], *INCOME[2:]),)),  # no header says of which year
        ("What is the inventory of Boeing?", (INCOME,)),
    ],
)
def test_nothing_answers_of_another_company_year_or_part(question: str, parts: tuple[tuple[str, ...], ...]) -> None:
    assert item_row(analyse(question), read(*parts)) is None


@pytest.mark.parametrize(
    "question",
    ["Why did the net income of Boeing fall?", "What is the net income margin of Boeing?", "What is net income?"],
)
def test_other_questions_ask_for_no_line(question: str) -> None:
    assert line_item(analyse(question)) is None
