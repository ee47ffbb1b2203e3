"""A sum is of the years and of the group that the claim names, else it proves nothing."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

_HEADER = "| Item | 2022 | 2023 | 2024 (budget) |"
_TABLE = CitedLines(
    {
        1: "| Membership fees | 21,300 | 23,850 | 25,000 |",
        2: "| Repairs | -6,480 | -9,215 | -7,500 |",
        3: "| Insurance | -2,140 | -2,310 | -2,450 |",
    },
    (_HEADER,),
)
_TRIAL = CitedLines(
    {
        1: "Of 400 patients, 200 received veltoxin and 200 received placebo. 38 patients in the veltoxin group and 57 "
        "in the placebo group had a relapse."
    }
)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("From 2022 to 2023 fees rose by 1,150.", _TABLE),
        ("From 2022 to 2023 membership fees rose by 4.8 %.", _TABLE),
        ("Repairs and insurance together cost 11,525 in 2022.", _TABLE),
        ("Repairs and insurance together cost 11,525 in 2024.", _TABLE),
        ("Repairs and insurance together cost 8,620 in 2023.", _TABLE),
        ("28.5 % of the veltoxin group relapsed.", _TRIAL),
    ],
)
def test_a_sum_of_another_year_or_group_proves_nothing(claim: str, lines: CitedLines) -> None:
    check = check_claim(claim, [lines], "")
    assert check.faults
    assert not check.computed


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("From 2022 to 2023 membership fees rose by 2,550.", _TABLE),
        ("From 2023 to 2024 membership fees rise by 1,150.", _TABLE),
        ("Membership fees rose by 12 % in 2023.", _TABLE),
        ("Repairs and insurance together cost 11,525 in 2023.", _TABLE),
        ("Repairs and insurance together cost 8,620 in 2022.", _TABLE),
        ("28.5 % of the placebo group relapsed.", _TRIAL),
    ],
)
def test_a_sum_of_the_years_and_the_group_named_is_shown(claim: str, lines: CitedLines) -> None:
    check = check_claim(claim, [lines], "")
    assert check.computed
    assert not check.faults
