"""A claim that is a whole sentence, clause or row of its lines, word for word, is quoted; a piece of one is not."""

import pytest

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.support import CitedLines, is_quotation

LIST = "She appears four times. Liz Fraser notches up the second of her four appearances here."
CASE = "Income was lower due to the decree of the U.S. Department of Trade and higher income from leases decreased."
LEASE = (
    "The rent is 800; the deposit is 1,600. At most 2.5 times a year it is checked. "
    "It is not true that pets are allowed at all times, as he said."
)


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
        (
            "Each lift is inspected every month.",
            "It is in force.\n3.2 Each lift is inspected every month. It is tested.",
        ),
        (
            "| Rent | 800 | 820 | 840 |",
            "| Item | 2022 | 2023 | 2024 |\n| --- | --- | --- | --- |\n| Rent | 800 | 820 | 840 |",
        ),
    ],
)
def test_a_whole_sentence_is_quoted(claim: str, line: str) -> None:
    assert is_quotation(claim, _cited(line))
    assert find_facts(claim, _cited(line)).quoted


@pytest.mark.parametrize(
    "claim",
    [
        "Pets are allowed at all times, as he said.",
        "The deposit is 1,60",
        "The rent is 800, the deposit is 1,600.",
        "The deposit is 1,600, it is not true",
        "the deposit",
        "Times a year it is checked.",
    ],
)
def test_a_piece_of_one_is_not(claim: str) -> None:
    assert not is_quotation(claim, _cited(LEASE))


def test_quoted_words_that_the_lines_do_not_have_are_a_fact_of_their_own() -> None:
    said = "The lease says that “pets are allowed at all times”, and that “the deposit is ever repaid in full”."
    facts = find_facts(said, _cited(LEASE))
    assert (facts.quoted, facts.altered, facts.missing) == (False, None, ("the deposit is ever repaid in full",))


def test_a_row_with_the_names_of_its_columns_was_rebuilt_and_is_no_quotation() -> None:
    lines = [CitedLines({3: "Rent\t800\t820\t840"}, ("Item\t2022\t2023\t2024",))]
    assert is_quotation("Rent\t800\t820\t840", lines)
    assert not is_quotation("Item: Rent · 2022: 800 · 2023: 820 · 2024: 840", lines)
