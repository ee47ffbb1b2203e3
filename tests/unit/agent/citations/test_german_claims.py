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


RELEASE = "BERT wurde im März 2018 von Google veröffentlicht."
MEETING = "Die Sitzung fand am 7. Mai in der Bibliothek statt."
ROVER = "Der Rover landete im Februar auf dem Mars."


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


@pytest.mark.parametrize(
    ("claim", "line", "place"),
    [
        ("BERT wurde auf dem Mars veröffentlicht.", RELEASE, "Mars"),
        ("BERT wurde von Google auf dem Mars veröffentlicht.", RELEASE, "Mars"),
        ("BERT wurde auf Mars veröffentlicht.", RELEASE, "Mars"),
        ("BERT wurde auf der Venus veröffentlicht.", RELEASE, "Venus"),
        ("Die Sitzung fand auf dem Mond statt.", MEETING, "Mond"),
        ("La réunion a eu lieu sur Mars.", "La réunion a eu lieu le 7 mars dans la bibliothèque.", "Mars"),
    ],
)
def test_an_invented_place_is_doubted(claim: str, line: str, place: str) -> None:
    assert [(fault.kind, fault.text) for fault in faults(claim, line)] == [("name", place)]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Der Rover ist auf dem Mars gelandet.", ROVER),
        ("BERT wurde im März veröffentlicht.", RELEASE),
        ("Die Sitzung fand im Mai auf der Grundlage der Satzung statt.", f"{MEETING} Es gilt die Satzung."),
        ("La réunion a eu lieu en mars.", "La réunion a eu lieu le 7 mars dans la bibliothèque."),
    ],
)
def test_a_place_or_month_of_the_lines_is_supported(claim: str, line: str) -> None:
    assert faults(claim, line) == ()
