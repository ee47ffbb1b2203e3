"""Honest statements and lies about what the lines deny, and about sums that a statement writes out."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.marks import describe_faults
from desktop_rag.agent.citations.support import CitedLines, best_support, telling_support
from desktop_rag.agent.events import ClaimFault

MAIL = "He wanted 80 euros in cash for the ladder; I did not pay."
CAMP = "I pay for the tent, but not for the planks: they lay outside the fence."
ROOM = "No heating. Electricity is charged at 0.29 euros per kilowatt hour."
MINUTES = "Anna proposes to sell the trailer. Ben wants to keep it until the autumn. No vote was taken."
PETS = "Birds are allowed; snakes are not."
REPORT = "We could not explain why two seams failed beside the weld."
PENALTY = "For each week of delay the supplier pays 1 % of the order value, at most 6 %."
RENT = "Rent: 430 euros a month.\nDeposit: 860 euros."
FEE = "From 1 May 2025 the monthly fee is 1,940 euros."
NOTICE = "Die Kündigungsfrist bleibt unverändert bei drei Monaten zum Quartalsende."
ADVANCE = "Ab dem 1. Januar 2025 erhöht sich die monatliche Vorauszahlung von 240 auf 285 Euro."
CLOSED = "The office is closed from 4 to 22 August 2025."
GLUES = "Glue A was stronger than glue B at 8 % and 12 %, but not at 20 %."
OFFER = "We put the damage at 340 euros. I offer you half, 170 euros, as a gesture."
DISCOUNTS = (
    "With payment within 7 days the customer deducts 2 % as a discount.\nThere is no discount for early payment."
)
FELL = "The strength fell from 58.6 to 39.4 MPa."

HONEST = (
    (MAIL, "The writer did not pay the 80 euros."),
    (MAIL, "He wanted 80 euros for the ladder."),
    (CAMP, "The planks lay outside the fence."),
    (CAMP, "The writer does not pay for the planks."),
    (ROOM, "The room has no heating."),
    (ROOM, "The room is unheated."),
    (MINUTES, "Anna proposes to sell the trailer."),
    (MINUTES, "The meeting took no vote on the trailer."),
    (PETS, "Birds are allowed."),
    (PETS, "Snakes are prohibited."),
    (REPORT, "Two seams failed beside the weld."),
    (PENALTY, "The penalty is 1 % a week, up to 6 % of the order value."),
    (RENT, "The deposit is 2 × 430 euros = 860 euros."),
    (RENT, "The deposit is twice the monthly rent."),
    (RENT, "The deposit of 860 euros is two months' rent."),
    (FEE, "The fee for a year is 12 × 1,940 = 23,280 euros."),
    (NOTICE, "The notice period is three months to the end of a quarter."),
    (ADVANCE, "The monthly advance rises by 45 euros to 285 euros."),
    (CLOSED, "The office is closed for nineteen days."),
    (FEE, "Another fee was paid until April 2025."),
    (GLUES, "At 20 % glue B was stronger than glue A."),
    (OFFER, "Half of the damage was offered."),
    (DISCOUNTS, "The new version dropped the 2 % discount for early payment."),
)
LIES = (
    (MAIL, "The writer paid the 80 euros."),
    (CAMP, "The writer pays for the planks."),
    (ROOM, "There is heating in the room."),
    (MINUTES, "The meeting took a vote on the trailer."),
    (PETS, "Snakes are allowed."),
    (PETS, "Birds are not allowed."),
    (PENALTY, "The penalty is 6 % of the order value."),
    (RENT, "The deposit is 3 × 430 euros = 860 euros."),
    (RENT, "The deposit is 2 × 430 euros = 870 euros."),
    (RENT, "The deposit of 860 euros is three months' rent."),
    (FEE, "The fee for a year is 12 × 1,940 = 23,820 euros."),
    (FEE, "The fee for a year is 11 × 1,940 = 21,340 euros."),
    (NOTICE, "The notice period is six months to the end of a quarter."),
    (ADVANCE, "The monthly advance falls by 45 euros to 240 euros."),
    (CLOSED, "The office is closed for seventeen days."),
    (FEE, "Another fee was paid until March 2025."),
    (GLUES, "At 12 % glue B was stronger than glue A."),
)


def _check(lines: str, claim: str) -> ClaimCheck:
    return check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "")


@pytest.mark.parametrize(("lines", "claim"), HONEST)
def test_an_honest_statement_is_supported(lines: str, claim: str) -> None:
    assert _check(lines, claim).faults == ()


@pytest.mark.parametrize(("lines", "claim"), LIES)
def test_a_lie_is_doubted(lines: str, claim: str) -> None:
    assert _check(lines, claim).faults


@pytest.mark.parametrize(("lines", "claim"), [pair for pair in LIES if pair[0] in (MAIL, CAMP, ROOM, PETS, PENALTY)])
def test_what_the_lines_are_said_to_say_stands_in_them(lines: str, claim: str) -> None:
    found = [fault.found for fault in _check(lines, claim).faults if fault.found]
    assert all(each in lines for each in found)


def test_the_denial_is_quoted_as_it_stands() -> None:
    assert describe_faults(_check(PETS, "Snakes are allowed.").faults) == (
        "the lines say “snakes are not”, not “Snakes”",
    )


@pytest.mark.parametrize(
    ("lines", "claim", "sum_"),
    [
        (FELL, "It fell from 58.6 to 39.4 MPa, that is by 33 %.", "(58.6 − 39.4) ÷ 58.6 = 33 %"),
        (FELL, "It fell from 58.6 to 39.4 MPa, by a third.", "(58.6 − 39.4) ÷ 58.6 = a third"),
        (RENT, "The deposit is 2 × 430 euros = 860 euros.", "2 × 430 euros = 860 euros"),
        (OFFER, "The writer offers half of the damage of 340 euros, 170 euros.", ""),
    ],
)
def test_a_sum_is_a_true_equation(lines: str, claim: str, sum_: str) -> None:
    assert (_check(lines, claim).faults, _check(lines, claim).computed) == ((), sum_)


def test_the_sentence_with_the_figure_supports_a_claim_that_names_somebody() -> None:
    lines = {
        3: "Between Olga Brandt (landlord) and Tidal Works Ltd (tenant).",
        25: "The landlord may end the lease without notice if the rent is more than two months late.",
    }
    claim = "Olga Brandt may terminate at once if the rent is more than two months overdue."
    support = best_support(claim, lines)
    assert support is not None
    assert telling_support(claim, lines, support).first_line == 25


@pytest.mark.parametrize(
    ("claim", "source", "doubted"),
    [
        (
            "The concert will be repeated because of rain.",
            "The concert was cancelled because of rain and will not be repeated.",
            "not be repeated",
        ),
        (
            "The match between Rooks and Cragside will be replayed because of snow.",
            "The match between Rooks and Cragside was abandoned because of snow and will not be replayed.",
            "not be replayed",
        ),
        ("Mr Lund may drive.", "Mr Lund must not drive until he has been seen.", "must not drive"),
        ("Mr Lund may drive until he is seen.", "Mr Lund must not drive until he has been seen.", "must not drive"),
        ("Mr Lund may drive once he has been seen.", "Mr Lund must not drive until he has been seen.", ""),
        (
            "She reported it once by phone and once by e-mail.",
            "I first reported it by telephone on 9 September 2024 and again by e-mail on 2 October 2024.",
            "",
        ),
        ("The lifts are inspected every three months.", "Die Aufzüge werden vierteljährlich geprüft.", ""),
        ("It costs 148 euros plus VAT.", "Die Pauschale beträgt 148,00 Euro zuzüglich Umsatzsteuer.", ""),
    ],
)
def test_a_denial_with_a_reason_or_an_end_stays_one(claim: str, source: str, doubted: str) -> None:
    faults = check_claim(claim, [CitedLines({1: source})], "").faults
    assert [fault.found for fault in faults] == ([doubted] if doubted else [])


def test_a_code_is_mentioned_and_no_figure() -> None:
    assert describe_faults([ClaimFault("figure", "AO-60")]) == ("no cited line mentions AO-60",)
    assert describe_faults([ClaimFault("figure", "three million")]) == ("no cited line has the figure three million",)


def test_every_three_months_is_quarterly_but_three_months_are_not() -> None:
    quarterly = [CitedLines({1: "The notice is given quarterly."})]
    assert not check_claim("The notice is given every three months.", quarterly, "").faults
    assert check_claim("The notice is three months.", quarterly, "").faults
