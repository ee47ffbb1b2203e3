"""What a claim takes from another clause of a sentence, or swaps for another word of its class."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines

FERRY = "The ferry Solvay was built in 1894 in Bremen and rebuilt in 1931 in Rotterdam."
CAPTAIN = "Captain Ann Teller, born in 1968, has commanded her since 2003."
LOAD = "She carries up to 240 passengers and 12 cars."
HOURS = "The clubhouse opens at 8 a.m. on weekdays and at 10 a.m. on Sundays."
VOTE = "Nine members voted for the new boathouse, four against, and two abstained."
BOATS = "The club owns seven boats, three of which are out of repair."
PROBE = "The software was written by a team of nine at the University of Turku."
FOIL = "Its antenna is partly covered by foil."
AUTHORS = "The parser was rewritten in Rust by Mina Sato; the tests were written by Idris Bello."
DENIAL = "The operator denied that the engine had failed."
FEES = "Fees double from 60 to 120 euros in 2025."
BOARD = "Present: Ines Carvalho (chair), Tomasz Zielinski (treasurer), Ruth Ellingham (secretary)."
TERM = "The lease begins on 1 April 2023 and ends on 31 March 2028."
TRAFFIC = "Container traffic rose by 8.4 %, while bulk cargo fell by 2.1 %."
HAUS = "Frau Rieke Holm verwaltet das Haus seit Mai 2016."


def _check(claim: str, line: str) -> ClaimCheck:
    return check_claim(claim, [CitedLines({3: line}, ("# Notes",))], "")


@pytest.mark.parametrize(
    ("claim", "line", "text", "found"),
    [
        ("The lease begins on 31 March 2028.", TERM, "begins", "ends"),
        ("Captain Ann Teller commanded her until 2003.", CAPTAIN, "until", "since"),
        ("She carries at least 240 passengers.", LOAD, "at least", "up to"),
        ("She carries exactly 240 passengers.", LOAD, "exactly", "up to"),
        ("The clubhouse opens at 8 p.m. on weekdays.", HOURS, "8 p.m.", ""),
        ("Thirteen members voted against the new boathouse.", VOTE, "Thirteen", ""),
        ("Four of the seven boats are out of repair.", BOATS, "Four", ""),
        ("The software was written in Reading.", PROBE, "Reading", ""),
        ("It was released on Mars.", "BERT was released in March 2018 by Google.", "Mars", ""),
        ("The antenna is entirely covered by foil.", FOIL, "entirely", "partly"),
        ("The fees triple in 2025.", FEES, "triple", "double"),
        ("Frau Rieke Holm verwaltet das Haus bis Mai 2016.", HAUS, "bis", "seit"),
        ("Frau Rieke Sommer verwaltet das Haus seit Mai 2016.", HAUS, "Sommer", ""),
        ("The probe is no longer in operation.", "The probe is still in operation.", "no", ""),
        ("Training resumed in autumn.", "Training resumed in spring after the flood.", "autumn", "spring"),
        ("The option is on by default.", "The option `--fast` is off by default.", "on", "off"),
        ("The limit is 85 °F.", "The limit is 85 °C.", "85 °F", ""),
        ("Write to info@solvay.example.", "Write to ferry@solvay.example.", "info@solvay.example", ""),
        ("Dogs are not welcome on deck.", "Dogs are welcome on deck, cats are not.", "not", ""),
        ("It was built in the eighteenth century.", "It was built in 1894.", "eighteenth century", ""),
    ],
)
def test_a_word_of_another_clause_or_of_the_same_class_is_a_fault(claim: str, line: str, text: str, found: str) -> None:
    faults = [(fault.text, fault.found) for fault in _check(claim, line).faults]
    assert (text, found) in faults or (text in dict(faults) and not found)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Built in Bremen in 1894, the ferry was rebuilt in 1931.", FERRY),
        ("The ferry was rebuilt in Rotterdam.", FERRY),
        ("Ann Teller was 35 when she took command in 2003.", CAPTAIN),
        ("On Sundays the clubhouse opens at 10.", HOURS),
        ("The clubhouse opens at 08:00 on weekdays.", HOURS),
        ("Thirteen members voted for or against it.", VOTE),
        ("Fifteen votes were counted: nine for, four against and two abstentions.", VOTE),
        ("Four of the seven boats can be used.", BOATS),
        ("The software was written in Turku.", PROBE),
        ("Part of the antenna is covered by foil.", FOIL),
        ("Mina Sato rewrote the parser, Idris Bello wrote the tests.", AUTHORS),
        ("The operator denies an engine failure.", DENIAL),
        ("The fees will be doubled in 2025.", FEES),
        ("Ines Carvalho is the chair.", BOARD),
        ("Rieke Holm verwaltet das Haus seit 2016.", HAUS),
        ("The ferry was built in the 19th century.", FERRY),
        ("The number is 0421778210.", "Call 0421 778 210."),
        ("The limit is 85 degrees Celsius.", "The limit is 85 °C."),
        ("The crossing takes 90 minutes.", "The crossing to Sund takes an hour and a half."),
        ("The cache holds half a gigabyte.", "The cache holds 512 MB."),
        ("Cats are not welcome.", "Dogs are welcome on deck, cats are not."),
        ("The ale is weaker than the lager.", "The lager is stronger than the ale."),
        ("About one third of the fuel was left.", "About two thirds of the fuel was used."),
    ],
)
def test_the_same_in_other_words_is_none(claim: str, line: str) -> None:
    assert _check(claim, line).faults == ()
