import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

LEASE = "3. The rent is 840 euros per month, payable in advance on the third working day of the month."
PETS = "5. Pets are not permitted in the studio unless the landlord agrees in writing to the keeping of the animal."
SMOKE = "8. Smoking is forbidden in all rooms of the studio except on the balcony of the second floor."
BRIDGE = "The bridge is 84.6 metres long and 7.2 metres wide. It was designed by Harriet Blyth for the county."
SLEEP = "Bei 62 % der Teilnehmer der Studie verbesserte sich die Schlafqualität in dieser Zeit nicht."
COFFEE = "Bei 38 % der Teilnehmer der Studie verbesserte sich die Schlafqualität in dieser Zeit deutlich."


def faults(claim: str, line: str) -> list[str]:
    return [f"{fault.kind} {fault.text}" for fault in check_claim(claim, [CitedLines({3: line})], "").faults]


@pytest.mark.parametrize(
    ("claim", "line", "fault"),
    [
        ("Das Studio kostet 840 Euro im Jahr.", LEASE, "figure im Jahr"),
        ("Haustiere sind in dem Studio erlaubt.", PETS, "direction erlaubt"),
        ("El puente mide 84,6 metros de ancho.", BRIDGE, "figure 84,6 metros … ancho"),
        ("The bridge is 84.6 metres high.", BRIDGE, "figure 84.6 metres … high"),
        ("Sleep quality improved for 62 % of the participants.", SLEEP, "negation 62 %"),
        ("La qualité du sommeil s'est améliorée chez 62 % des participants.", SLEEP, "negation 62 %"),
    ],
)
def test_what_a_translation_turns_round_is_noticed(claim: str, line: str, fault: str) -> None:
    assert faults(claim, line) == [fault]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Das Studio kostet 840 Euro im Monat.", LEASE),
        ("Haustiere sind nur mit schriftlicher Zustimmung des Vermieters erlaubt.", PETS),
        ("Haustiere sind in dem Studio verboten.", PETS),
        ("Auf dem Balkon ist das Rauchen erlaubt.", SMOKE),
        ("El puente mide 84,6 metros de largo y 7,2 metros de ancho.", BRIDGE),
        ("The bridge is 84.6 metres long.", BRIDGE),
        ("Sleep quality did not improve for 62 % of the participants.", SLEEP),
        ("Sleep quality remained unchanged for 62 % of the participants.", SLEEP),
        ("Sleep quality improved for 38 % of the participants.", COFFEE),
    ],
)
def test_an_honest_translation_is_supported(claim: str, line: str) -> None:
    assert faults(claim, line) == []
