"""A figure of one row of a CSV file is none of another, though both are cited."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

_STATIONS = CitedLines(
    {
        1: "Station\tCountry\tOpened\tPlatforms\tPassengers per day",
        2: "Varnholt\tGermany\t1874\t6\t14200",
        3: "Eskdalen\tNorway\t1911\t2\t830",
        4: "Port Celan\tFrance\t1888\t9\t31750",
    }
)


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("Eskdalen has 31,750 passengers per day.", True),
        ("Eskdalen has 9 platforms.", True),
        ("Eskdalen opened in 1874.", True),
        ("Eskdalen has 830 passengers per day.", False),
        ("Port Celan has 31,750 passengers per day.", False),
        ("Port Celan has 9 platforms and opened in 1888.", False),
        ("Varnholt opened in 1874, Eskdalen in 1911.", False),
    ],
)
def test_a_figure_of_another_row_is_noticed(claim: str, doubted: bool) -> None:
    assert bool(check_claim(claim, [_STATIONS], "").faults) == doubted


def test_the_figures_of_two_rows_are_not_mixed_up() -> None:
    lines = CitedLines({1: "Item\t2022\t2023", 2: "Sales\t1,805\t2,048", 3: "Net income\t305\t448"})
    assert not check_claim("In 2023 sales were 2,048, and net income was 448.", [lines], "").faults
