"""Honest statements that reviewers wrote and that were doubted, with lies of the same form."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines, context_above

GRADUAL = "The onset of symptoms is usually gradual, over several minutes, and rarely instantaneous."
CROWNED = "Henry had been crowned King in 1170, but was not given any formal powers by his father."
CHAT = {1: "Time: 20260113", 2: "LiHua: Any ideas for the menu?", 3: "Wolfgang: I love dumplings!",
        4: "LiHua: Soup?", 5: "Wolfgang: If you could make dumplings, that would be perfect."}  # fmt: skip
CENSUS = "Race data of the census, in which respondents chose several races, cannot be compared with those of 1990."


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The symptoms of a heart attack tend to begin gradually rather than suddenly.", GRADUAL),
        ("Although Henry was crowned in 1170, his father gave him no formal powers.", CROWNED),
        ("As respondents chose several races, its race data cannot be compared with those of 1990.", CENSUS),
        ("The motion was rejected by 7 votes to 2.", "The motion was rejected by 7 votes to 2 in May."),
    ],
)
def test_an_honest_statement_is_not_doubted(claim: str, line: str) -> None:
    assert not check_claim(claim, [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Whales migrate towards warmer oceans in autumn.", GRADUAL),
        ("His father gave Henry, crowned King in 1170, formal powers.", CROWNED),
        ("The motion was rejected by 2 votes to 7.", "The motion was rejected by 7 votes to 2 in May."),
        ("Acme acquired Bolt in May.", "Bolt acquired Acme in May."),
    ],
)
def test_a_lie_of_the_same_form_is_doubted(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults


def test_whom_somebody_talks_to_in_a_chat_is_known() -> None:
    cited = {5: CHAT[5]}
    above = context_above(CHAT, cited)
    assert not check_claim("Wolfgang asked Li Hua to make dumplings.", [CitedLines(cited, above)], "").faults
    assert check_claim("Wolfgang asked Yuriko to make dumplings.", [CitedLines(cited, above)], "").faults


STORM = "On 23 May 2001 a cyclone brought winds up to 190 kilometres per hour (120 mph)."
ZINC = "Zinc metal was not produced on a large scale until the 12th century in India."
GAUGE = "In 2002 she marked her jubilee. Her sister and mother died in February and March respectively."
PALACE = (
    "The palace became the residence on the accession of Queen Victoria, who was the first monarch to reside there."
)
TUBE = "In those with HIV, this occurs in more than 50% of cases. It was shown on television."
WEDDING = "Because Britain had not yet completely recovered from the war, Elizabeth required coupons to buy the cloth."
LAUNCH = "Land acquisition was started in July 1961 for a Launch Center. Construction of it began in November 1962."
COURT = "The costs are fixed at S$25,000.00. Date of Judgment: 04\u00adMarch\u00ad2020."
DINNER = "Want to meet up for dinner around 5 at that new place?"
SALES = (
    "\t2022\t2021\t2022\t2021\nGross profit\t662\t645\t1,330\t1,295\nResearch and development expenses\t24\t23\t49\t48"
)
BOOKING = "Shows\tGross Amount\tNet Amount\n48\t$12,500.00\t$11,250.00"
SLAVERY = (
    "Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und Sklavenhandel in allen ihren Formen "
    "sind verboten."
)
ASYLUM = "Dieses Recht, Asyl zu suchen, besteht nicht im Falle einer Verfolgung wegen Verbrechen nichtpolitischer Art."
PADDLE = "Der Supreme Court entschied 1977, dass Schläge mit dem Paddel nicht gegen die Verfassung verstoßen."


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The cyclone brought winds of up to 190 km/h.", STORM),
        ("Large-scale production began in India in the 1100s.", ZINC),
        ("The island covers just under 100 km².", "The island has an area of 98 square kilometres."),
        ("Her sister died in February 2002.", GAUGE),
        ("No monarch before Victoria lived at the palace.", PALACE),
        ("More than half of HIV-positive patients have it.", TUBE),
        ("It was shown on TV.", TUBE),
        ("Elizabeth required coupons, as the country had not recovered from the war.", WEDDING),
        ("Work on the Launch Center started in November 1962, after land acquisition began.", LAUNCH),
        ("The costs are fixed at 25,000 Singapore dollars.", COURT),
        ("The date of judgment was 4 March 2020.", COURT),
        ("They meet for dinner at 5 p.m.", DINNER),
        ("Gross profit grew by 2.7 % in 2022.", SALES),
        ("The net amount is 10 % below the gross amount.", BOOKING),
        ("24 was spent on R&D in 2022.", SALES),
        ("Sklaverei ist in jeder Form verboten.", SLAVERY),
        ("Das Asylrecht gilt nicht, wenn jemand wegen eines unpolitischen Verbrechens gesucht wird.", ASYLUM),
        ("Der Supreme Court erlaubte 1977 Schläge mit dem Paddel.", PADDLE),
        (
            "A club needs at least six and at most fourteen games.",
            "The minimum number of games ranges from six to fourteen.",
        ),
    ],
)
def test_other_words_and_units_for_the_same_are_not_doubted(claim: str, line: str) -> None:
    assert not check_claim(claim, [CitedLines(dict(enumerate(line.split("\n"), 1)))], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The cyclone brought winds of up to 190 m/s.", STORM),
        ("Large-scale production began in India in the 1200s.", ZINC),
        ("Her sister died in April 2002.", GAUGE),
        ("More than half of HPV-positive patients have it.", TUBE),
        ("Work on the Launch Center started in November 1962, before land acquisition began.", LAUNCH),
        ("The costs are fixed at 25,000 Norwegian crowns.", COURT),
        ("The date of judgment was 5 March 2020.", COURT),
        ("They meet for dinner at 6 p.m.", DINNER),
        ("Gross profit grew by 3.7 % in 2022.", SALES),
    ],
)
def test_a_lie_about_the_same_lines_is_doubted(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines(dict(enumerate(line.split("\n"), 1)))], "").faults


STACKED = (
    "13 Weeks Ended\nJanuary\tJanuary\tJanuary\n28,\t29,\t30,\n(in millions)\t2023\t2022\t2021\n"
    "Net sales\t3,226.8\t2,729.4\t2,198.7\nOrders\t15.6%\t21.4%\t(4.8%)"
)
PAIRED = "March 28,\tApril 2,\n2023\t2022\nNet sales\t3,226.8\t2,729.4"
FILM = "The Long Winter | 142 min | IMAX"
TRIP = "The section is nearly 86 km long and descends from a height of 599 m to 396 m."
SHIPS = "Trade routes moved: a decline in the number of ships from 1,100 in 1855 to only 288 in 1889."
SALARY = "She receives $1,300,000 annually.\nShe also gets a bonus of $250,000 on signing."


@pytest.mark.parametrize(
    ("text", "claim", "honest"),
    [
        (STACKED, "Orders fell by 4.8 % in the quarter ended January 30, 2021.", True),
        (STACKED, "Orders fell by 4.8 % in the quarter ended January 31, 2021.", False),
        (PAIRED, "Net sales were 3,226.8 in the quarter ended March 28, 2023.", True),
        (PAIRED, "Net sales were 3,226.8 in the quarter ended March 28, 2021.", False),
        (FILM, "The Long Winter lasts 2 h 22 min.", True),
        (FILM, "The Long Winter lasts 2 hours and 12 minutes.", False),
        (TRIP, "The river falls by 203 metres there.", True),
        (TRIP, "The river falls by 213 metres there.", False),
        (SHIPS, "The number of ships fell by about three quarters.", True),
        (SHIPS, "The number of ships fell by about a quarter.", False),
        (SALARY, "She gets $1.3 million a year and a bonus of a quarter of a million dollars.", True),
    ],
)
def test_dates_of_headers_durations_and_steps_are_read(text: str, claim: str, honest: bool) -> None:
    lines = dict(enumerate(text.split("\n"), 1))
    assert (not check_claim(claim, [CitedLines(lines)], "").faults) == honest


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        (
            "Roughly 18% of all kinds migrate far.",
            "Approximately 1800 of the world's 10,000 kinds migrate far.",
        ),
        (
            "16 of the 19.4 million patients were poor.",
            "It struck 19.4 million in 2004 (16 million were poor).",
        ),
        ("Less than 5% was mined before 1900.", "More than 95% of all copper has been mined since 1900."),
        ("The club missed only three of the 114 seasons.", "They played most seasons, 111 seasons out of 114."),
        ("The value corresponds to 289 units at $45.", "Unit cost\tTotal value\n$45.00\t$13,005.00"),
        ("A salad with bacon costs £12.", "Salad £10.0\n- Add bacon £2.0"),
        (
            "Four more clubs entered in 2005 than in 1922.",
            "In 2005, 660 clubs entered, beating the record of 656 from 1922. It was 674 in 2006, 687 in 2007, "
            "731 in 2008, 762 in 2009 and 2010, 759 in 2011 and a record 763 in 2012.",
        ),
    ],
)
def test_shares_rests_and_sums_in_a_long_paragraph_are_computed(claim: str, lines: str) -> None:
    assert not check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("It was the first station in the world without emissions.", "It is the world's first zero-emissions station."),
        (
            "Cowell sat on the panel when it started in 2001.",
            "The show debuted in 2001 with Lythgoe as showrunner and Simon Cowell as one of the panel.",
        ),
        ("Jordanes wrote in the sixth century.", "In the 6th century AD, Jordanes wrote in Latin."),
        (
            "Most derive the word from Arabic and not from Syriac.",
            "Some derive the word from Syriac, most from Arabic.",
        ),
        ("Hoteliers had a boardwalk built.", "A boardwalk was built to help hotel owners."),
        ("Microbes live more than half a kilometre below.", "Microbes live in rocks up to 580 metres below."),
        (
            "Presley started his career there.",
            "It is home to musicians such as Presley, who began his career there.[not verified in body]",
        ),
    ],
)
def test_orders_years_bounds_and_notes_of_editors_do_not_deny(claim: str, line: str) -> None:
    assert not check_claim(claim, [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Microbes live more than 580 metres below.", "Microbes live in rocks up to 580 metres below."),
        ("It was not the first station in Antarctica.", "It is the first station in Antarctica."),
    ],
)
def test_a_contrary_bound_and_a_denied_rank_are_doubted(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults
