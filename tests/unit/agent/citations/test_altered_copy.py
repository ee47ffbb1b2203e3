"""Copies of a sentence with another figure, name or date, or a negation; never a paraphrase."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import Alteration
from desktop_rag.text.normalize import fold_quote

LEASE = "The lease of Rosa Berg runs from 1 March 2021 to 28 February 2024 and costs 1,240 euros a month."
PETS = "Pets are not allowed in the flat, as the owner said."


def altered(claim: str, *lines: str) -> Alteration | None:
    return find_facts(claim, [CitedLines(dict(enumerate(lines, 1)))]).altered


@pytest.mark.parametrize(
    ("claim", "line", "found"),
    [
        (LEASE.replace("1,240", "1,420"), LEASE, ("1,420 euros", "1,240 euros")),
        (LEASE.replace("1,240", "620"), LEASE, ("620 euros", "1,240 euros")),
        (LEASE.replace("1 March", "1 May"), LEASE, ("1 May 2021", "1 March 2021")),
        (LEASE.replace("Rosa Berg", "Petra Nowak"), LEASE, ("Petra Nowak", "Rosa Berg")),
        ("Pets are allowed in the flat, as the owner said.", PETS, ("Pets are allowed in", "Pets are not allowed in")),
        (
            "Overnight stays are permitted.",
            "Overnight stays are not permitted.",
            ("stays are permitted", "stays are not permitted"),
        ),
        (
            "Haustiere sind ohne Zustimmung der Vermieterin erlaubt.",
            "Haustiere sind ohne Zustimmung der Vermieterin nicht erlaubt.",
            ("der Vermieterin erlaubt", "der Vermieterin nicht erlaubt"),
        ),
        (
            "La réunion se tient le 4 mai 2024 à Lyon.",
            "La réunion se tient le 3 mai 2024 à Lyon.",
            ("4 mai 2024", "3 mai 2024"),
        ),
    ],
)
def test_both_wordings_of_an_altered_copy_are_told(claim: str, line: str, found: tuple[str, str]) -> None:
    assert altered(claim, line) == Alteration(*found)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (LEASE, LEASE),
        ("Rosa Berg pays 1,240 euros a month.", LEASE),
        ("Rosa Berg pays 1,420 euros a month.", LEASE),
        ("The owner forbids pets in the flat.", PETS),
        ("Rent is 15 euros.", "The monthly rent is 950 euros, payable to the owner."),
        ("Pets are forbidden in the flat, as the owner said.", PETS),
        ("Pets are allowed in the flat with consent.", "Pets are not allowed in the flat without consent."),
        ("Not only pets are allowed in the flat.", "Pets are allowed in the flat."),
        ("The lease costs 14,880 euros in twelve months.", "The lease costs 1,240 euros in every single month."),
        ("The meeting of the board was in Munich in 2021.", "The meeting of the board was in München in 2021."),
        ("The fee for the two rooms is 300 euros.", "The fee for the rooms is 100 euros and 200 euros."),
        (
            "The lease costs 14,880 euros a year, besides the heating.",
            "The lease costs 1,240 euros a month, besides the heating.",
        ),
        ("The pump works at 800 mbar on warm days.", "The pump works at 0.9 bar on warm days."),
        ("The pump costs 380 euros a month with the oil.", "The pump costs 950 euros a quarter with the oil."),
        ("The ferry takes 100 minutes on a calm day.", "The ferry takes two hours on a calm day."),
        (
            "The county pays 31,650 of the cost if it is done in May.",
            "The county pays 60 % of the cost if it is done in May.",
        ),
    ],
)
def test_a_paraphrase_a_sum_and_another_form_are_no_alterations(claim: str, line: str) -> None:
    assert altered(claim, line) is None


_NUMBERS = st.integers(11, 99_999).filter(lambda number: not 1_000 <= number <= 2_100)


def test_a_rounded_figure_is_no_alteration() -> None:
    line = "The city on the river had 1,243,518 inhabitants in the summer of 2019."
    assert altered(line.replace("1,243,518", "1,240,000"), line) is None
    assert altered(line.replace("1,243,518", "1,600,000"), line) is not None


@given(_NUMBERS, _NUMBERS)
def test_an_exchanged_number_is_told_with_the_words_of_both_sides(one: int, other: int) -> None:
    claim, line = (f"The society of the old harbour has {number} members in the city." for number in (one, other))
    found = altered(claim, line)
    shorter = len(str(one).rstrip("0")) < len(str(other).rstrip("0"))
    assert (found is None) == (one == other or (shorter and abs(one - other) * 100 <= 6 * other))
    if found:
        assert fold_quote(found.text) in fold_quote(claim)
        assert fold_quote(found.found) in fold_quote(line)
        assert str(one) in found.text
        assert str(other) in found.found


_SAID = "the not Rosa Berg pays 950 960 euros in Rome never March 3 2021 a flat is"
_WORDS = st.lists(st.sampled_from(_SAID.split()), max_size=12)


@given(_WORDS, _WORDS)
def test_what_is_told_stands_in_both(one: list[str], other: list[str]) -> None:
    claim, line = " ".join(one), " ".join(other)
    if found := altered(claim, line):
        assert found.text in claim
        assert found.found in line
        assert found.text != found.found
