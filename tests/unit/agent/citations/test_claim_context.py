import pytest

from desktop_rag.agent.citations.checks.claim_context import out_of_context
from desktop_rag.agent.citations.checks.claim_evidence import cited_evidence
from desktop_rag.agent.citations.support import CitedLines

SPEECH = (
    'Pavel Dvorak said: "We will not close the Bristol office."\nMarta Kowalczyk said: "Two of the five lenses failed."'
)
RENT = "The monthly rent is £4,250."
LOAN = "The board approved the purchase of a machine, if the bank grants the loan."


def _faults(claim: str, lines: str) -> list[tuple[str, str, str]]:
    compared = cited_evidence(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "")
    return [(fault.kind, fault.text, fault.found) for fault in out_of_context(*compared)]


@pytest.mark.parametrize(
    ("claim", "lines", "fault"),
    [
        (
            "Marta Kowalczyk said that the Bristol office will not be closed.",
            SPEECH,
            ("name", "Marta Kowalczyk", "Pavel Dvorak"),
        ),
        ("According to Pavel Dvorak, two of five lenses failed.", SPEECH, ("name", "Pavel Dvorak", "Marta Kowalczyk")),
        ("The rent is £4,250 a year.", RENT, ("figure", "a year", "monthly")),
        ("Die Miete beträgt 900 Euro im Monat.", "Die Pacht beträgt jährlich 900 Euro.", None),
        ("The bank granted the loan.", LOAN, ("extent", "bank granted", "if the bank grants the loan")),
    ],
)
def test_what_is_taken_out_of_its_context_is_named(claim: str, lines: str, fault: tuple[str, str, str] | None) -> None:
    assert _faults(claim, lines) == [fault or ("figure", "im Monat", "jährlich")]


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Pavel Dvorak said that the Bristol office will not be closed.", SPEECH),
        ("Ines Carvalho said that lenses failed.", SPEECH),  # the name is checked as a name
        ("The rent is £51,000 a year.", RENT),  # computed
        ("The monthly rent of £4,250 is reviewed every year.", RENT),
        ("The board approved the purchase, provided that the bank grants the loan.", LOAN),
        ("The board approved the purchase of a machine.", LOAN),
        ("It is open whether the bank grants the loan.", LOAN),
        ("", ""),
        ("said: said:", "if if unless"),
    ],
)
def test_what_the_lines_say_is_no_fault(claim: str, lines: str) -> None:
    assert _faults(claim, lines) == []


ROWS = "budget.csv\nMonth | Income | Costs\nJanuary | 4200 | 3100\nFebruary | 4350 | 2900"
TOTALLED = f"{ROWS}\nTotal | 8550 | 6000"


@pytest.mark.parametrize(
    ("claim", "lines", "fault"),
    [
        ("The total costs were 3,100 euros.", ROWS, [("figure", "3,100 euros", "January")]),
        ("Overall the income was 4,350.", TOTALLED, [("figure", "4,350", "February")]),
        ("The total costs were 6,000 euros.", TOTALLED, []),
        ("The total costs of January were 3,100 euros.", ROWS, []),
        ("The total revenue was 500.", "Item | Total\nRevenue | 500", []),
        ("Total sales were 500.", "Revenue | 500\nCosts | 300", []),
        ("The total rent is 1,200 euros.", "The rent is 1,200 euros in all.", []),
    ],
)
def test_a_part_is_not_the_total(claim: str, lines: str, fault: list[tuple[str, str, str]]) -> None:
    assert _faults(claim, lines) == fault
