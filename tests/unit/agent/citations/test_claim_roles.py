import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

BOARD = "Present: Ines Carvalho (chair), Tomasz Zielinski (treasurer), Ruth Ellingham (secretary)."
ROLES = "| Name | Role |\n|---|---|\n| Ada Brandt | director |\n| Jonas Lenz | secretary |"
SIGNED = "Mara Olsen, the director, and Piet Vos, the secretary, signed the contract."
COSTS = "Monthly costs: rent 1,200, deposit 2,400, heating 150."
TABLE = "Port dues | 9,120 | 8,450\nLeases | 2,310 | 2,275"
YEARS = "Visitors: 48,300 in 2020 and 91,750 in 2019. Income 2020: 310; 2019: 520"


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Ines Carvalho is the chair.", BOARD),
        ("Ines Carvalho (chair) and Ruth Ellingham (secretary) were present.", BOARD),
        ("Ines Carvalho, chair of the board, was present.", BOARD),
        ("Ines Carvalho is not the treasurer.", BOARD),
        ("Ada Brandt is the director and Jonas Lenz the secretary.", ROLES),
        ("The director Mara Olsen and the secretary Piet Vos signed the contract.", SIGNED),
        ("Ada Brandt was treasurer.", "Ada Brandt (chair, formerly treasurer), Jonas Lenz (treasurer)"),
        ("The rent is 1,200 and the deposit 2,400.", COSTS),
        ("Rent and heating are 1,200 and 150.", COSTS),
        ("Leases brought 2,310.", TABLE),
        ("Visitors fell from 91,750 in 2019 to 48,300 in 2020.", YEARS),
        ("In 2019 the income was 520.", YEARS),
        ("", ""),
    ],
)
def test_what_the_lines_bind_or_leave_open_is_none(claim: str, lines: str) -> None:
    faults = check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults
    assert not [fault for fault in faults if fault.kind in ("name", "figure")]


SUBLET = "The tenant may sublet one room with the landlord's prior written consent."


@pytest.mark.parametrize(
    ("claim", "line", "doubted"),
    [
        ("With the landlord's prior written consent the tenant may sublet one room.", SUBLET, False),
        ("The bank was sued by the board in May.", "The board sued the bank in May.", False),
        ("The new hall is smaller than the old hall.", "The old hall is larger than the new hall.", False),
        ("Bert Oaks married Anna Vale in May.", "Anna Vale married Bert Oaks in May.", False),
    ],
)
def test_two_words_in_the_place_of_each_other(claim: str, line: str, doubted: bool) -> None:
    assert bool(check_claim(claim, [CitedLines({1: line})], "").faults) == doubted


_WING = "William IV hired Edward Blore; studies were led by Maxime Faget. Hugh Dryden spoke."


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ("William IV hired Hugh Dryden.", "Hugh Dryden → Edward Blore"),
        ("The studies were led by Hugh Dryden.", "Hugh Dryden → Maxime Faget"),
        ("Hugh Dryden hired Edward Blore.", "Hugh Dryden → William IV"),
        ("William IV hired Blore.", ""),
        ("The studies were led by Faget.", ""),
    ],
)
def test_another_name_beside_a_verb_is_doubted(claim: str, fault: str) -> None:
    found = check_claim(claim, [CitedLines({1: _WING})], "").faults
    assert [f"{each.text} → {each.found}" for each in found] == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("claim", "line", "doubted"),
    [
        ("Leeds United beat Hull United.", "Hull United beat Leeds United in May.", True),
        ("Petts bought the Mill Company in 1895.", "Petts sold his company to the Mill Company in 1895.", True),
        ("Die Steelers besiegten die Broncos.", "Die Broncos besiegten die Steelers in Bonn.", True),
        ("Ilse Brandt built the lock.", "The lock was built in 1990 by Owen Pryce; Ilse Brandt painted it.", True),
        ("Owen Pryce developed it for Ilse Brandt.", "It was developed for Owen Pryce by Ilse Brandt in May.", True),
        ("Hull United beat Leeds United.", "Hull United beat Leeds United in May.", False),
        ("The Mill Company bought the company of Petts.", "Petts sold his company to the Mill Company.", False),
        ("Die Broncos besiegten die Steelers.", "Die Broncos besiegten die Steelers in Bonn.", False),
        ("Pierre Curie found it.", "It was found by Marie and Pierre Curie in 1898.", False),
        ("Sheffield sold the house.", "The house was sold by Buckingham's heir, Sheffield, in 1761.", False),
    ],
)
def test_who_did_what_is_compared_across_passive_and_converse_verbs(claim: str, line: str, doubted: bool) -> None:
    assert bool(check_claim(claim, [CitedLines({1: line})], "").faults) == doubted
