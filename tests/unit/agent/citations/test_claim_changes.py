"""Directions against figures, rows of a table, senders of mails, prefixes and parts of all."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines, context_above

INCOME = "2022 $ million\t2023 $ million\nNet income\t805\t1,048\nFree cash flow\t1,066\t848"
LAMPS = "Region\tProduct\tUnits\tRevenue\nNorth\tLamp\t1200\t24000.00\nNorth\tChair\t450\t31500.00"
SCORES = "System\tQNLI\tAverage\nBERTBASE\t90.5\t79.6\nBERTLARGE\t92.7\t82.1\nOpenAI GPT\t87.4\t75.1"
MAIL = "From: Priya Raman <p@labs.example>\nTo: Tom Becker <t@labs.example>\nSubject: Delivery"
PRINTER = f"{MAIL}\n\nThe printer comes on Thursday."
SHARES = "The dividend was 12.25 cents per share (compared with 12.0 cents per share in the same quarter last year)."


BRIDGE = "On average 6,200 vehicles cross the bridge every day; in 2011 there were 4,960."


def _check(claim: str, text: str) -> ClaimCheck:
    lines = dict(enumerate(text.split("\n"), 1))
    return check_claim(claim, [CitedLines(lines, context_above(lines, lines))], "")


@pytest.mark.parametrize(
    ("claim", "text", "word"),
    [
        ("Earnings per share grew from $6.68 to $5.41.", "Earnings per share were $6.68, after $5.41.", "grew"),
        ("The dividend per share was cut to 12.25 cents.", SHARES, "cut"),
        ("Free cash flow rose to $848 million.", INCOME, "rose"),
        ("Net income fell from $1,048 million to $805 million.", INCOME, "fell"),
        ("It happened in the late 1990s.", "It happened in the early 1990s.", "late"),
        ("The notice came early.", "Solveig, the notice came late.", "early"),
        ("Die Zahl sank von 5.106 auf 4.812.", "Die Zahl erhöhte sich von 4.812 auf 5.106.", "5.106 auf 4.812"),
        ("The revenue fell by 7.4% that year.", "Der Umsatz stieg in diesem Jahr um 7,4 %, wie erwartet.", "fell"),
        ("Stones were more common with placebo than with vitamin D.",
         "Stones were more common with vitamin D than with placebo (31 versus 19).", "more"),
        ("The rent is payable in arrears.", "The annual rent is payable in equal instalments in advance.", "arrears"),
        ("In the North, 450 lamps were sold.", LAMPS, "450"),
        ("Tom Becker wrote to Priya Raman.", MAIL, "Tom Becker"),
        ("According to Tom Becker, the printer comes on Thursday.", PRINTER, "Tom Becker"),
        ("Tom Becker wrote that the printer comes on Thursday.", PRINTER, "Tom Becker"),
        ("Der Verlag hat seinen Sitz in Österreich.", "Der Verlag hat seinen Sitz in Deutschland.", "Österreich"),
        ("Das Buch wurde am 3. März auf dem Mars veröffentlicht.",
         "Der Verlag veröffentlichte das Buch am 3. März.", "Mars"),
        ("Le silo d'Angers a été rénové.", "Le silo de Saumur a été rénové.", "Angers"),
        ("Leverage was 30 times.", "Net debt was $6,057 million at June 30, 2023. Leverage was 3.0 times.", "30"),
    ],
)  # fmt: skip
def test_what_contradicts_the_lines_is_a_fault(claim: str, text: str, word: str) -> None:
    faults = _check(claim, text).faults
    assert [fault.text for fault in faults] == [word]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Earnings per share grew from $5.41 to $6.68.", "Earnings per share were $6.68, after $5.41."),
        ("The dividend per share was raised to 12.25 cents.", SHARES),
        ("Free cash flow fell to $848 million.", INCOME),
        ("The loss decreased from $9 million to $7 million.", "The loss was $7 million, against $9 million."),
        ("The rent rose by 154 euros, from 3,850 euros to 4,004 euros.", "The rent rose from 3,850 to 4,004 euros."),
        ("The revenue rose by 7.4% that year.", "Der Umsatz stieg in diesem Jahr um 7,4 %, wie erwartet."),
        ("Stones were less common with placebo than with vitamin D.",
         "Stones were more common with vitamin D than with placebo (31 versus 19)."),
        ("Katrin Behrens folgte auf Holger Lind.", "Katrin Behrens folgte am 1. Juli auf Holger Lind."),
        ("Such an agreement is not valid.", "Such an agreement is invalid."),
        ("Interest was $124 million higher.",
         "Net interest expense of $259 million was $124 million higher than last year."),
        ("In the North, 1,200 lamps were sold.", LAMPS),
        ("BERT-Large reaches an average of 82.1, BERT-Base one of 79.6.", SCORES),
        ("Ten of the ten nominees were elected.", "Each of the ten nominees to the Board was duly elected."),
        ("Priya Raman wrote to Tom Becker.", MAIL),
        ("According to Priya Raman, the printer comes on Thursday.", PRINTER),
        ("Der deutsche Verlag hat dort seinen Sitz.", "Der Verlag hat dort, in Deutschland, seinen Sitz."),
        ("Ulta's sales grew in fiscal 2020.", "Ulta's sales grew in the year ended January 30, 2021."),
    ],
)  # fmt: skip
def test_what_agrees_with_the_lines_is_none(claim: str, text: str) -> None:
    assert _check(claim, text).faults == ()


_BRIDGE = CitedLines({1: "On average 6,200 vehicles cross the bridge every day; in 2011 there were 4,960."})
_REGATTA = CitedLines(
    {1: "| Regatta income | 4,120 | 3,770 | 4,000 |"},
    ("| Item | 2022 | 2023 | 2024 (budget) |",),
)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Traffic has fallen since 2011.", _BRIDGE),
        ("Traffic has halved since 2011.", _BRIDGE),
        ("Traffic has doubled since 2011.", _BRIDGE),
        ("Traffic has tripled since 2011.", _BRIDGE),
        ("Traffic has fallen from 4,960 in 2011 to 6,200 vehicles a day.", _BRIDGE),
        ("Since 2011 traffic has dropped by 1,240 vehicles.", _BRIDGE),
        ("Regatta income rose in 2023.", _REGATTA),
        ("Regatta income increased in 2023 compared with 2022.", _REGATTA),
        ("Regatta income rose from 3,770 to 4,120 in 2023.", _REGATTA),
        ("Regatta income doubled from 2022 to 2023.", _REGATTA),
        ("Regatta income fell in 2024.", _REGATTA),
    ],
)
def test_a_change_against_the_amounts_of_its_years_is_noticed(claim: str, lines: CitedLines) -> None:
    assert [fault.kind for fault in check_claim(claim, [lines], "").faults] == ["direction"]


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Traffic has risen since 2011.", _BRIDGE),
        ("Traffic has risen from 4,960 in 2011 to 6,200 vehicles a day.", _BRIDGE),
        ("Since 2011 traffic has grown by 1,240 vehicles.", _BRIDGE),
        ("Regatta income fell in 2023.", _REGATTA),
        ("Regatta income decreased in 2023 compared with 2022.", _REGATTA),
        ("Regatta income fell from 4,120 in 2022 to 3,770 in 2023.", _REGATTA),
        ("Regatta income rises from 3,770 in 2023 to 4,000 in 2024.", _REGATTA),
        ("Regatta income has not doubled since 2022.", _REGATTA),
        ("Clicks have doubled since 2020.", CitedLines({1: "In 2020 there were 410 clicks; now there are 850."})),
    ],
)
def test_a_change_with_the_amounts_of_its_years_is_none(claim: str, lines: CitedLines) -> None:
    assert not check_claim(claim, [lines], "").faults


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("Traffic is ten times as heavy as in 2011.", True),  # scores higher in Galician than in English
        ("Traffic went down from 2011 to 2021.", True),
        ("Traffic went up from 2011 to 2021.", False),
        ("Up to 6,200 vehicles cross every day.", False),
    ],
)
def test_a_direction_of_two_words_is_compared(claim: str, doubted: bool) -> None:
    text = "Vehicles\t2011\t2021\nTraffic\t4,960\t6,200" if "went" in claim else BRIDGE
    assert bool(_check(claim, text).faults) == doubted


@pytest.mark.parametrize(
    ("claim", "question", "doubted"),
    [
        ("The crane costs £2,000.", "", True),
        ("The warranty lasts three months.", "", True),
        ("The loan was £2,000.", "", False),
        ("The crane costs £2,000.", "What did she pay for the crane?", False),
        ("It costs £2,000.", "", False),
        ("Der Kran kostet 2.000 £.", "", False),  # in another language
    ],
)
def test_an_amount_of_a_thing_that_stands_nowhere_near(claim: str, question: str, doubted: bool) -> None:
    line = CitedLines({4: "Oonagh lent the club £2,000 for three months; the loan was repaid in October."})
    assert bool(check_claim(claim, [line], question).faults) == doubted


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("The number of ships fell by 288.", "by 288"),
        ("Income rose by €447.6 million.", "by €447.6 million"),
        ("The strength fell to 19.2 MPa.", "to 19.2"),
        ("The number of ships fell to 288.", ""),
        ("Income rose to €447.6 million.", ""),
        ("The strength fell by 19.2 MPa.", ""),
        ("The number of ships fell by 812.", ""),
    ],
)
def test_what_something_became_is_not_by_how_much_it_changed(claim: str, doubted: str) -> None:
    text = (
        "The number of ships fell from 1,100 to only 288. Income increased 19.4 % to €447.6 million. "
        "In the cold, strength decreased by 19.2 MPa."
    )
    assert [fault.text for fault in _check(claim, text).faults] == ([doubted] if doubted else [])
