"""Figures whose operands stand beside each other, and dates told by “tomorrow”."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

RULE = "From 831 to 1072 the island was under Omani rule."
MARKET = (
    "The market has about $960 billion in revenue, of which $680 billion is private and the remainder is government."
)
SLAVES = "An estimated 40% of the total 400,000 settlers are estimated to have landed on the island."
FIRMS = "There were about 667,000 firms with 1 million workers."
VIEWS = "In May the site had three billion views; in January it had four billion views."
SPEED = "The baseline sustains 39 TeraFLOPs, the whole cluster 15.1 PetaFLOPs."
PARTY = "Time: 20260320_18:00\nAda: I am hosting a party for the neighbours tomorrow at 9pm."


@pytest.mark.parametrize(
    ("claim", "lines", "result"),
    [
        ("The island was under Omani rule for 241 years, from 831 to 1072.", RULE, "1072 − 831 = 241 years"),
        (
            "The government share of the market has about $280 billion in revenue.",
            MARKET,
            "$960 billion − $680 billion",
        ),
        ("An estimated 160,000 of the settlers landed on the island.", SLAVES, "400,000 × 40%"),
        ("There were roughly two thirds of a million firms.", FIRMS, "667,000 ÷ 1,000,000"),
        ("Views rose from three billion to four billion, an increase of about a third.", VIEWS, "= a third"),
        ("The baseline sustains 0.039 PetaFLOPs.", SPEED, "39 ÷ 1,000"),
        ("The party for the neighbours is on 21 March 2026 at 9 pm.", PARTY, "2026-03-20 + 1 = 21 March 2026"),
    ],
)
def test_a_figure_of_two_that_stand_together_is_computed(claim: str, lines: str, result: str) -> None:
    checked = check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "")
    assert (checked.faults, result in checked.computed) == ((), True)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("The island was under Omani rule for 251 years, from 831 to 1072.", RULE),
        ("The government share of the market has about $380 billion in revenue.", MARKET),
        ("An estimated 140,000 of the settlers landed on the island.", SLAVES),
        ("There were roughly three quarters of a million firms.", FIRMS),
        ("Views rose from three billion to four billion, an increase of about a half.", VIEWS),
        ("The baseline sustains 0.39 PetaFLOPs.", SPEED),
        ("The party for the neighbours is on 22 March 2026 at 9 pm.", PARTY),
    ],
)
def test_another_result_is_doubted(claim: str, lines: str) -> None:
    assert check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults
