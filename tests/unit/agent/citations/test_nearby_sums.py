"""Sums of the few figures of one sentence or row."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

SALARY = "The salary is EUR 5,200 a month, paid thirteen times a year."
PREMIUM = "The premium is £318.40, or twelve instalments of £28.10."
DEPOSIT = "The deposit is two months' rent; the rent is 1,150."
BOATS = ("| Canoe | 12 | 34 | 52 |", "| Boat | 1 hour | half day | full day |")
CITY = "The city grew from about 5,000 inhabitants in the 15th century to 60,000 in 1900."


def _doubted(line: str, claim: str, *above: str) -> bool:
    return bool(check_claim(claim, [CitedLines({1: line}, above)], "").faults)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        (SALARY, "In a year she is paid EUR 67,600."),
        (PREMIUM, "Paying in instalments costs £18.80 more."),
        (DEPOSIT, "The full deposit is 2,300."),
        (CITY, "It had 12 times as many inhabitants in 1900 as in the 15th century."),
    ],
)
def test_a_sum_of_one_sentence_is_found(line: str, claim: str) -> None:
    assert not _doubted(line, claim)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        (SALARY, "In a year she is paid EUR 62,500."),
        (PREMIUM, "Paying in instalments costs £28.80 more."),
        (DEPOSIT, "The full deposit is 3,200."),
        (CITY, "It had 14 times as many inhabitants in 1900 as in the 15th century."),
    ],
)
def test_another_figure_is_doubted(line: str, claim: str) -> None:
    assert _doubted(line, claim)


def test_a_row_is_compared_and_half_a_day_is_a_half_day() -> None:
    row, header = BOATS
    assert not _doubted(row, "The canoe is 18 dearer for a full day than for half a day.", header)
    assert _doubted(row, "The canoe is 28 dearer for a full day than for half a day.", header)


def test_once_is_no_eleven() -> None:
    assert not _doubted(
        "After the trial period the employee has a week.", "Once the trial period is over, she has a week."
    )


def test_what_was_wrong_or_replaced_is_no_denial() -> None:
    assert not _doubted("The bill was £318, not £381.", "The bill had been given as £381 by mistake.")
    assert not _doubted("Mr Dunn no longer teaches; Ms Okeke teaches.", "Ms Okeke teaches and has replaced Mr Dunn.")
    assert _doubted("The bill was £318, not £381.", "The bill was £381.")
