"""A small count is compared with the count of the same things, not with any small number of the lines."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

ZINC = (
    "It is the first element of group 12; its only common oxidation state is two, and one ore is mined. "
    "Zinc is the 24th most abundant element in the crust and has five stable isotopes."
)


@pytest.mark.parametrize("said", ["only one stable isotope", "two stable isotopes"])
def test_another_count_of_the_same_things_is_doubted(said: str) -> None:
    [fault] = check_claim(f"Zinc has {said}.", [CitedLines({1: ZINC})], "").faults
    assert (fault.kind, fault.found) == ("figure", "five")


@pytest.mark.parametrize("said", ["five stable isotopes", "isotopes, of which five are stable", "one ore"])
def test_the_count_of_the_lines_is_not(said: str) -> None:
    assert check_claim(f"Zinc has {said}.", [CitedLines({1: ZINC})], "").faults == ()


def test_a_count_whose_things_are_left_out_is_not() -> None:
    line = "Nine members voted for the new boathouse, four against."
    assert check_claim("Four members voted against the new boathouse.", [CitedLines({1: line})], "").faults == ()
