"""Sums that no word of the claim names: accepted if they can hardly agree by chance."""

import pytest

from desktop_rag.agent.citations.sums.computed_figures import recompute

LEASE = "The annual rent is £48,000, payable in equal quarterly instalments in advance."
RAISED = f"{LEASE}\nThe rent shall be increased by 3 per cent on each anniversary."
STUDY = "Participants were randomised to vitamin D (n = 1,212) or placebo (n = 1,206)."
BUDGET = "We have spent 182,400 of the 240,000 dollars."
MEMBERS = "Le nombre d'adhérents est passé de 1 280 à 1 342 ; 214 d'entre eux cultivent en agriculture biologique."
MARGIN = "EBITDA\t2,117\t2,018\nNet sales\t14,544\t14,694"


@pytest.mark.parametrize(
    ("figure", "claim", "source"),
    [
        ("£12,000", "Each quarterly instalment is £12,000.", LEASE),
        ("£4,000", "The rent comes to £4,000 a month.", LEASE),
        ("£49,440", "After the first anniversary the rent is £49,440 a year.", RAISED),
        ("£50,923.20", "After two increases the annual rent is £50,923.20.", RAISED),
        ("50.1%", "50.1% of the participants were in the vitamin D group.", STUDY),
        ("76%", "76% of the dollars have been spent.", BUDGET),
        ("62", "La coopérative a gagné 62 adhérents.", MEMBERS),
        ("13.7%", "The EBITDA margin was 13.7%.", MARGIN),
        ("29 %", "Memory use shrank by 29 %, from 62 % to 44 %.", "Memory use shrank from 62 % to 44 %."),
    ],
)
def test_a_sum_that_can_hardly_be_chance_is_found(figure: str, claim: str, source: str) -> None:
    assert recompute(figure, [source], claim)


@pytest.mark.parametrize(
    ("figure", "claim", "source"),
    [
        ("£16,000", "Each quarterly instalment is £16,000.", LEASE),
        ("£5,000", "The rent comes to £5,000 a month.", LEASE),
        ("£49,540", "After the first anniversary the rent is £49,540 a year.", RAISED),
        ("52.1%", "52.1% of the participants were in the vitamin D group.", STUDY),
        ("67%", "67% of the dollars have been spent.", BUDGET),
        ("72", "La coopérative a gagné 72 adhérents.", MEMBERS),
        ("17.3%", "The EBITDA margin was 17.3%.", MARGIN),
        ("ten years", "The term is ten years.", "The term is five (5) years, ending on 31 March 2026."),
    ],
)
def test_a_wrong_sum_is_not(figure: str, claim: str, source: str) -> None:
    assert recompute(figure, [source], claim) is None
