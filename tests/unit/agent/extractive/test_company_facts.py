"""The number of employees and the auditors of a company: its own statement, or none."""

import pytest

from desktop_rag.agent.extractive.quantities.company_facts import asked_fact, company_fact
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

REPORT = (
    "At the end of fiscal 2023, we employed more than 90,000 employees in the U.S. and Canada.",
    "Over 9,000 employees leverage these programs every year.",
    "We hired 23,000 new employees in 2023.",
    "/s/ Deloitte & Touche LLP",
    "The registrant's auditors were told of the weakness.",
)
OTHER = ("We employed approximately 500 people.", "KPMG LLP is our independent registered public accounting firm.")


def read(*lines: str, file: str = "BESTBUY_2023_10K.pdf") -> list[ToolMessage]:
    return [ToolMessage("1", "open", "", (Evidence("turn1search1", "Report", 1, lines, 0.0, "", file),))]


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("How many employees does Best Buy have?", REPORT[0]),
        ("What is the number of employees of Best Buy?", REPORT[0]),
        ("Who audited Best Buy's accounts?", REPORT[3]),
        ("Who are Best Buy's auditors?", REPORT[3]),
    ],
)
def test_the_statement_of_the_company_answers(question: str, stated: str) -> None:
    results = [*read(*OTHER, file="OTHER_2023_10K.pdf"), *read(*REPORT)]
    found = company_fact(analyse(question), results)
    assert found is not None
    assert [each.text for each in found] == [stated]


def test_a_workforce_is_a_number_of_employees() -> None:
    said = "As of December 31, 2022, Boeing’s total workforce was approximately 156,000."
    found = company_fact(analyse("How many people does Boeing employ?"), read(said, file="BOEING_2022_10K.pdf"))
    assert found is not None
    assert [each.text for each in found] == [said]


def test_reports_without_the_fact_answer_nothing() -> None:
    assert company_fact(analyse("How many employees does Best Buy have?"), read(*REPORT[1:3])) == ()
    assert company_fact(analyse("Who are Best Buy's auditors?"), read(REPORT[4])) == ()


@pytest.mark.parametrize(
    "question",
    ["How many employees leverage the programs of Boeing?", "How many employees are there?", "Who is Best Buy's CEO?"],
)
def test_other_questions_ask_for_no_such_fact(question: str) -> None:
    assert not asked_fact(analyse(question))
