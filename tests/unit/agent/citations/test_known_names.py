"""Names that other lines of a document give to those whom the cited lines call otherwise."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.known_names import names_from_elsewhere
from desktop_rag.agent.citations.support import CitedLines

CONTRACT = {
    1: "Contract",
    3: 'Between Halden GmbH ("the Company") and Rosa Berg, born 3 May 1988 ("the Employee").',
    9: "The Employee works 38 hours a week.",
}
LETTER = {
    1: "Patient: Gwen Parry, born 11.02.1951",
    2: "Ward doctor: Leena Sandhu",
    6: "Mrs Parry fell on the stairs and broke her left hip.",
}
MINUTES = {3: "Present: Winifred Sallow (chair), Petra Nowak", 5: "Petra spoke against it."}


def _doubted(document: dict[int, str], line: int, claim: str) -> bool:
    cited = {line: document[line]}
    return bool(check_claim(claim, [CitedLines(cited, (), names_from_elsewhere(document, cited))], "").faults)


@pytest.mark.parametrize(
    ("document", "line", "claim"),
    [
        (CONTRACT, 9, "Rosa Berg works 38 hours a week."),
        (CONTRACT, 9, "Rosa works 38 hours a week."),
        (LETTER, 6, "Gwen fell on the stairs."),
        (MINUTES, 5, "Petra Nowak spoke against it."),
    ],
)
def test_a_person_may_be_named_as_elsewhere_in_the_document(document: dict[int, str], line: int, claim: str) -> None:
    assert not _doubted(document, line, claim)


@pytest.mark.parametrize(
    ("document", "line", "claim"),
    [
        (CONTRACT, 9, "Marta Berg works 38 hours a week."),
        (LETTER, 6, "Leena fell on the stairs."),
        (MINUTES, 5, "Winifred Sallow spoke against it."),
    ],
)
def test_somebody_else_may_not(document: dict[int, str], line: int, claim: str) -> None:
    assert _doubted(document, line, claim)


@pytest.mark.parametrize("claim", ["Barbecues with charcoal are banned.", "Painkillers such as these are stopped."])
def test_a_noun_in_the_plural_at_the_beginning_is_no_name(claim: str) -> None:
    assert not check_claim(claim, [CitedLines({1: "Grills with Charcoal are banned and stopped."})], "").faults


def test_a_people_in_the_plural_is_a_name() -> None:
    assert check_claim("Germans are banned.", [CitedLines({1: "The French are banned."})], "").faults
