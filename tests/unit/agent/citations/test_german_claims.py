import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import ClaimFault

DEPOSIT = "Die Kaution wird nicht verzinst."
BOARD = "Der Vorstand hat den Antrag nicht genehmigt, aber den Haushalt beschlossen."
ENTRY = "Kinder zahlen keinen Eintritt."
PETS = "Haustiere sind in der Wohnung nicht erlaubt."
HEATING = "Der Mieter muss die Heizung nicht selbst warten."
SALES = "Der Umsatz ist gegenüber dem Vorjahr gesunken."
SUBLET = "Eine Untervermietung ist ohne Zustimmung des Vermieters untersagt."
NOTICE = "Die Kündigungsfrist verlängert sich nach fünf Jahren."


def faults(claim: str, line: str) -> tuple[ClaimFault, ...]:
    return check_claim(claim, [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Für die Kaution gibt es keine Zinsen.", DEPOSIT),
        ("Der Vorstand lehnte den Antrag ab.", BOARD),
        ("Der Haushalt wurde beschlossen.", BOARD),
        ("Kinder haben freien Eintritt.", ENTRY),
        ("Haustiere sind in der Wohnung verboten.", PETS),
        ("Die Heizung muss der Mieter nicht warten.", HEATING),
        ("Der Umsatz sank gegenüber dem Vorjahr.", SALES),
        ("Untervermietung ist nur mit Zustimmung des Vermieters erlaubt.", SUBLET),
    ],
)
def test_a_negation_in_other_words_is_supported(claim: str, line: str) -> None:
    assert faults(claim, line) == ()


@pytest.mark.parametrize(
    ("claim", "line", "kind"),
    [
        ("Die Kaution wird verzinst.", DEPOSIT, "negation"),
        ("Der Vorstand genehmigte den Antrag.", BOARD, "negation"),
        ("Kinder zahlen Eintritt.", ENTRY, "negation"),
        ("Haustiere sind in der Wohnung erlaubt.", PETS, "negation"),
        ("Der Mieter muss die Heizung selbst warten.", HEATING, "negation"),
        ("Der Umsatz stieg gegenüber dem Vorjahr.", SALES, "direction"),
        ("Eine Untervermietung ist ohne Zustimmung des Vermieters erlaubt.", SUBLET, "direction"),
        ("Die Kündigungsfrist verkürzt sich nach fünf Jahren.", NOTICE, "direction"),
    ],
)
def test_a_contradiction_is_doubted(claim: str, line: str, kind: str) -> None:
    assert [fault.kind for fault in faults(claim, line)] == [kind]
