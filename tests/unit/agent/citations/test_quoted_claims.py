"""A claim that is a whole sentence, clause or row of its lines, word for word, is supported; a piece of one may not."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines, is_quotation

LIST = "She appears four times. Liz Fraser notches up the second of her four appearances here."
CASE = "Income was lower due to the decree of the U.S. Department of Trade and higher income from leases decreased."
LEASE = "The rent is 800; the deposit is 1,600. It is not true that pets are allowed at all times, as he said."


def _cited(line: str) -> list[CitedLines]:
    return [CitedLines(dict(enumerate(line.split("\n"), 1)))]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Liz Fraser notches up the second of her four appearances here.", LIST),
        ("Department of Trade and higher income from leases decreased", CASE),
        ("The deposit is 1,600.", LEASE),
        ("The rent is 800; the deposit is 1,600", LEASE),
        ("“Zinc is the 24th most abundant element”", "Zinc is the 24th most\nabundant element.\nIt is soft."),
        ("| Rent | 800 | 820 |", "| Item | 2022 | 2023 |\n| --- | --- | --- |\n| Rent | 800 | 820 |"),
    ],
)
def test_a_whole_sentence_is_supported(claim: str, line: str) -> None:
    assert is_quotation(claim, _cited(line))
    assert check_claim(claim, _cited(line), "").faults == ()


@pytest.mark.parametrize(
    "claim",
    [
        "Pets are allowed at all times, as he said.",
        "The deposit is 1,60",
        "The rent is 800, the deposit is 1,600.",
        "The deposit is 1,600, it is not true",
    ],
)
def test_a_piece_of_one_is_not(claim: str) -> None:
    assert not is_quotation(claim, _cited(LEASE))
