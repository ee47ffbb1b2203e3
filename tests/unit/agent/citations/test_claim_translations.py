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
        (
            "Sleep quality improved for 62 % of the participants.",
            SLEEP,
            "negation Sleep quality improved for 62 % of the participants",
        ),
        (
            "La qualité du sommeil s'est améliorée chez 62 % des participants.",
            SLEEP,
            "negation La qualité du sommeil s'est améliorée chez 62 % des participants",
        ),
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


NOTICE_DE, NOTICE_EN = "Die Kündigungsfrist beträgt drei Monate.", "The notice period is three months."
NOTICE_ZH = "任何一方须提前六十日书面通知解除合同。"
ASKED_EN, ASKED_DE = "What does the lease say about the notice period?", "Wie lang ist die Kündigungsfrist?"


@pytest.mark.parametrize(
    ("claim", "line", "question"),
    [
        ("Notice: three months", NOTICE_DE, ASKED_EN),
        ("Written notice required", "Die Kündigung bedarf der Schriftform.", ASKED_EN),
        ("Kündigungsfrist: drei Monate", NOTICE_EN, ASKED_DE),
        ("Either party must give sixty days' notice", NOTICE_ZH, ASKED_EN),
        ("Notice: 60 days", NOTICE_ZH, ASKED_EN),
        ("Die Frist beträgt sechzig Tage.", NOTICE_ZH, ASKED_DE),
        ("通知期为三个月。", NOTICE_DE, "通知期多长？"),
        ("须提前六十日通知。", "Either party must give sixty days' notice in writing.", "通知期多长？"),
    ],
)
def test_a_short_true_translation_is_not_doubted(claim: str, line: str, question: str) -> None:
    assert check_claim(claim, [CitedLines({3: line})], question).faults == ()


@pytest.mark.parametrize(
    ("claim", "line", "question", "figure"),
    [
        ("Notice: four months", NOTICE_DE, ASKED_EN, "four months"),
        ("Kündigungsfrist: vier Monate", NOTICE_EN, ASKED_DE, "vier Monate"),
        ("Notice: 50 days", NOTICE_ZH, ASKED_EN, "50 days"),
        ("通知期为五十日。", "Either party must give sixty days' notice in writing.", "通知期多长？", "五十"),
    ],
)
def test_another_figure_of_a_translation_is_noticed(claim: str, line: str, question: str, figure: str) -> None:
    assert [each.text for each in check_claim(claim, [CitedLines({3: line})], question).faults] == [figure]
