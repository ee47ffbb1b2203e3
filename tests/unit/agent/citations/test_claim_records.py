"""What one row of a CSV file says is not what another says, though both are cited."""

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


_PARTS = CitedLines(
    {
        8: "Bracket\tA-12\tSteel\tDunmore\t40",
        9: "\tA-15\tBrass\tKelso\t",
        10: "Hinge\tB-07\tSteel\tOban\t8",
    }
)


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("The Bracket comes from Oban.", "Dunmore"),
        ("Hinge has the number A-12.", "B-07"),
        ("A-15 is stored in Dunmore.", "Kelso"),
        ("40 of the Hinge are in stock.", "8"),
        ("B-07, the Hinge, is stored in Oban.", ""),
        ("The Bracket, A-12, comes from Dunmore, where 40 are left.", ""),
        ("A-15 and B-07 are stored in Kelso and Oban.", ""),
        ("The Bracket is made of Steel as the Hinge.", ""),
    ],
)
def test_a_name_or_code_of_another_row_is_noticed(claim: str, found: str) -> None:
    assert [fault.found for fault in check_claim(claim, [_PARTS], "").faults] == [found] * bool(found)


def test_a_row_of_years_heads_columns() -> None:
    table = CitedLines({1: "$ in millions\t2021\t2020", 2: "Revenues\t62,286\t58,158"})
    assert check_claim("Revenues were $58,158 million in 2020.", [table], "").faults == ()
