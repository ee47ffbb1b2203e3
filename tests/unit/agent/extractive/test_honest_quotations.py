"""What the built-in model says of its quotations is so, and the sentence that answers stands first."""

import pytest

from desktop_rag.agent.citations.wording import count_claims
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

LEASE = document(
    "The lease begins on 1 April 2023 and runs for five years. The tenant may end it early with a notice of six months "
    "to the end of a quarter. The landlord may not end it early.",
    title="Lease of the harbour office",
)
FEBRUARY = document(
    "Present: Maren Quist, Jonas Weber, Aylin Demir.", "", "Next meeting: 7 May 2024.", title="Board, 6 February 2024"
)
MAY = document("Present: Aylin Demir, Paul Okafor.", "", "Paul asked for a review.", title="Board, 7 May 2024")
MAIL = document("Der Drucker kostet 2.390 Euro und wird in der 23. Woche geliefert. Die Garantie läuft zwei Jahre.")
CODE = document('"""Reads tide gauges."""', "", "MAX_RETRIES = 5", "", "", "def mean_level(levels):", "    pass")
FEES = document("From July the parking fee is 85 euros a month for each car.")
LINKS = document("Harbour Wiki", "https://wiki.example/harbour", title="Search results")
WIKI = document("The harbour master resigned in 1983.", "", "A new quay was built.", title="Harbour Wiki")


@pytest.fixture
def asker() -> Asker:
    named = {
        "lease.md": LEASE,
        "2024-02-06.md": FEBRUARY,
        "2024-05-07.md": MAY,
        "drucker.eml": MAIL,
        "tides.py": CODE,
        "parking.eml": FEES,
        "links.html": LINKS,
        "wiki.html": WIKI,
    }
    return Asker(FakeRetriever(*named.items()), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("May the landlord end the lease early?", "The landlord may not end it early."),
        ("Who was present at the board in May 2024?", "Present: Aylin Demir, Paul Okafor."),
        ("Wie viel kostet der Drucker?", "Der Drucker kostet 2.390 Euro und wird in der 23. Woche geliefert."),
        ("What is MAX_RETRIES?", "MAX_RETRIES = 5"),
        ("Who of the harbour resigned?", "The harbour master resigned in 1983."),
    ],
)
def test_the_sentence_that_answers_stands_first(asker: Asker, question: str, first: str) -> None:
    assert asker.answer(question).citations[0].quote == first


def test_quotations_are_counted_as_quotations(asker: Asker) -> None:
    answered = asker.answer("How much is the parking fee?")
    assert count_claims(answered.claims) == "1 quotation, word for word"
    assert all(claim.quoted for claim in answered.claims)


def test_a_word_that_stands_nowhere_is_named(asker: Asker) -> None:
    answered = asker.answer("How much is the monthly cleaning fee for each car?")
    assert "Nothing that was read mentions “cleaning”." in answered.text
    notes = [text for text, is_note in split_notes(answered.text) if is_note]
    assert any("“cleaning”" in note for note in notes)
    assert len(answered.claims) == 1  # the note makes no claim


def test_a_word_in_another_form_is_not_named(asker: Asker) -> None:
    assert "Nothing that was read" not in asker.answer("What are the fees for parking cars?").text


def test_a_word_inside_a_compound_is_not_named() -> None:
    library = FakeRetriever(("fees.txt", document("Die Parkgebühr kostet 85 Euro im Monat.")))
    assert "Gebühr" not in Asker(library, ExtractiveModel()).answer("Wie viel kostet die Gebühr im Monat?").text
