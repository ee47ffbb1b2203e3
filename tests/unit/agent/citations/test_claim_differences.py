"""Computed differences that go the other way: what rose did not fall, and more is not less."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines, context_above

HEADCOUNT = "Headcount went from 1,204 to 1,310."
RENT = "The monthly rent is EUR 1.250,00.\nThe Landlord increased the rent on 1 February 2023 from EUR 1.180,00."
SALES = "Net sales rose from $900,033 thousand to $1.1 billion between 2021 and 2022."
STAFF = "Staff in Bergen: 310. Staff in Tromsø: 124. Staff in Bodø: 66."
COSTS = "Electricity cost £4,812 in 2022 and £6,160 in 2023."
GROUPS = "Group A had 3.0% and group B 2.3% failures."
CROP = "The 2019 crop was 40 tons, the 2020 crop 35 tons and the 2021 crop 50 tons."


def _check(claim: str, text: str) -> ClaimCheck:
    lines = dict(enumerate(text.split("\n"), 1))
    return check_claim(claim, [CitedLines(lines, context_above(lines, lines))], "")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Headcount declined by 106.", HEADCOUNT),
        ("Rent fell by €70.", RENT),
        ("The rent was lowered by €70 on 1 February 2023.", RENT),
        ("Net sales fell by about $200 million.", SALES),
        ("Tromsø has 186 more staff than Bergen.", STAFF),
        ("Bergen has 186 fewer staff than Tromsø.", STAFF),
        ("Electricity cost £1,348 less in 2023 than in 2022.", COSTS),
        ("The failure rate of group B was 0.7 percentage points higher than that of group A.", GROUPS),
        ("From 2020 to 2021 the crop shrank by 15 tons.", CROP),
    ],
)
def test_a_difference_in_the_wrong_direction_is_a_fault(claim: str, text: str) -> None:
    assert [fault.kind for fault in _check(claim, text).faults] == ["direction"]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Headcount rose by 106.", HEADCOUNT),
        ("The rent rose by €70 on 1 February 2023.", RENT),
        ("Net sales rose by about $200 million.", SALES),
        ("Bergen has 186 more staff than Tromsø.", STAFF),
        ("Tromsø has 186 fewer staff than Bergen.", STAFF),
        ("Electricity cost £1,348 more in 2023 than in 2022.", COSTS),
        ("The failure rate of group B was 0.7 percentage points lower than that of group A.", GROUPS),
        ("From 2020 to 2021 the crop grew by 15 tons.", CROP),
    ],
)
def test_a_difference_in_the_right_direction_is_computed(claim: str, text: str) -> None:
    checked = _check(claim, text)
    assert not checked.faults
    assert checked.computed


GUESTS = "At least 12 and at most 20 guests are admitted."
BALCONY = "Smoking on the balcony is allowed until 22:00."
VETO = "The chair may veto any budget over £50,000."
FEE = "The fee is due within 30 days."
KILN = "Stoneware must not be placed on the top shelf unless the pyrometer reads below 1,240 °C."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("More than 20 guests are admitted.", GUESTS),
        ("Fewer than 12 guests are admitted.", GUESTS),
        ("Smoking on the balcony is allowed from 22:00.", BALCONY),
        ("The chair may veto any budget under £50,000.", VETO),
        ("The chair may veto any budget up to £50,000.", VETO),
        ("The fee is due after 30 days.", FEE),
    ],
)
def test_a_contrary_bound_of_the_same_figure_is_a_fault(claim: str, text: str) -> None:
    assert [fault.kind for fault in _check(claim, text).faults] == ["direction"]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("No more than 20 guests are admitted.", GUESTS),
        ("Smoking on the balcony is allowed till 10 pm.", BALCONY),
        ("The chair may veto budgets of more than £50,000.", VETO),
        ("The fee is due within 30 days.", FEE),
        ("Stoneware must not be placed on the top shelf unless the pyrometer reads less than 1,240 °C.", KILN),
        ("The cost must not exceed 12,000 euros.", "The cost is at most 12,000 euros."),
        ("The shop does not open until 9:00.", "The shop opens from 9:00."),
    ],
)
def test_the_same_bound_in_other_words_is_no_fault(claim: str, text: str) -> None:
    assert [fault for fault in _check(claim, text).faults if fault.kind == "direction"] == []


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("The rent of 2022 and 2023 is 1,850 euros in total.", False),
        ("The rent of 2023 and 2024 is 1,900 euros in total.", False),
        ("The rent of 2022 and 2023 is 1,900 euros in total.", True),
    ],
)
def test_a_total_for_years_has_their_amounts(claim: str, doubted: bool) -> None:
    rents = {
        1: "In 2022 the rent is 900 euros.",
        2: "In 2023 the rent is 950 euros.",
        3: "In 2024 the rent is 950 euros.",
    }
    assert bool(check_claim(claim, [CitedLines(rents)], "").faults) == doubted
