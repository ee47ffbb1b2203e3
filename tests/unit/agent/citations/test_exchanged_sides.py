"""Statements with the words of their lines in other places: sides of a verb, figures of names, clauses, dates."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

_SALE = "Many mills were built before Sprague sold his company to the Otis Mill Company in 1895."
_PLANET = (
    "The planet was observed by Johann Galle within a degree of the position that was predicted by Urbain Leroy. "
    "In 1843, John Adams began his work. He requested data from George Airy."
)
_ADVICE = "The sovereign acts on the advice of his or her ministers."
_GUN = "The Krupp gun had a longer range than the French cannon."
_SHARES = (
    "Dell took 13 percent of the profits, behind Apple that took 45 percent, seven percent at Packard, and one at Acer."
)
_ISLES = "About 170 people were taken from Funa and about 250 were taken from Nuku, fewer than 300 in 1861."
_ARMIES = (
    "The combined German forces, under Moltke, had 210 battalions and 133 squadrons. "
    "The French army, under Bazaine, had 183 battalions and 104 squadrons."
)
_HOUSES = "Bishops, abbots and barons formed the upper house, while shires and boroughs formed the lower house."
_HEROES = "It had a story of Carl Burgos' hero the Torch, and a story of Bill Everett's anti-hero Namor."
_ROWS = "| | 2023 |\n|---|---|\n| Comparable sales | (5.4)% |\n| Loss from operations | (2,902) |\n| Earnings | 274 |"
_BOUGHT = "IBM acquired Kenexa (2012) and SPSS (2009)."
_SHIPS = "Captain Byron charted the atolls in 1764. Mourelle sailed past Niuto on 5 May 1781."


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("In 1895 Otis sold his company to Sprague.", _SALE),
        ("Urbain Leroy observed the planet near the position that was predicted by Johann Galle.", _PLANET),
        ("George Airy requested data from John Adams.", _PLANET),
        ("Ministers act on the advice of the sovereign.", _ADVICE),
        ("The French cannon had a longer range than the Krupp gun.", _GUN),
        ("Packard took 13 percent of the profits.", _SHARES),
        ("Dell took more of the profits than Apple.", _SHARES),
        ("Apple's share was 22 percentage points above Dell's.", _SHARES),
        ("More people were taken from Funa than from Nuku.", _ISLES),
        ("The French army had 133 squadrons.", _ARMIES),
        ("The French had more battalions than the Germans.", _ARMIES),
        ("Boroughs formed the upper house, while bishops and barons formed the lower house.", _HOUSES),
        ("Bill Everett created the Torch and Carl Burgos Namor.", _HEROES),
        ("Mourelle sailed past Niuto before Byron charted the atolls.", _SHIPS),
        ("IBM acquired Kenexa before it acquired SPSS.", _BOUGHT),
        ("Comparable sales grew by 5.4 %.", _ROWS),
        ("There were earnings from operations of 2,902.", _ROWS),
        ("There was a net loss of 274.", _ROWS),
        ("Byron charted the atolls after Mourelle sailed past Niuto.", _SHIPS),
    ],
)
def test_exchanged_sides_are_noticed(claim: str, lines: str) -> None:
    assert check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("In 1895 Sprague sold his company to Otis.", _SALE),
        ("In 1895 the company of Sprague was sold to Otis.", _SALE),
        ("Johann Galle observed the planet near the position that Urbain Leroy had predicted.", _PLANET),
        ("John Adams requested data from George Airy.", _PLANET),
        ("On the advice of ministers the sovereign acts.", _ADVICE),
        ("The range of the Krupp gun was longer than that of the French cannon.", _GUN),
        ("Of the profits 13 percent were taken by Dell.", _SHARES),
        ("Dell took 13 percent of the profits, more than Packard.", _SHARES),
        ("Apple's share was 32 percentage points above Dell's.", _SHARES),
        ("More people were taken from Nuku than from Funa.", _ISLES),
        ("Under Bazaine the French had 104 squadrons.", _ARMIES),
        ("The Germans had more battalions than the French.", _ARMIES),
        ("Boroughs formed the lower house, while bishops, abbots and barons formed the upper house.", _HOUSES),
        ("Carl Burgos created the Torch and Bill Everett Namor.", _HEROES),
        ("Byron charted the atolls before Mourelle sailed past Niuto.", _SHIPS),
        ("IBM acquired SPSS before it acquired Kenexa.", _BOUGHT),
        ("Comparable sales fell by 5.4 %.", _ROWS),
        ("There was a loss from operations of 2,902.", _ROWS),
        ("There were net earnings of 274.", _ROWS),
        ("After Byron charted the atolls, Mourelle sailed past Niuto.", _SHIPS),
    ],
)
def test_the_same_sides_in_another_order_are_none(claim: str, lines: str) -> None:
    assert not check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults
