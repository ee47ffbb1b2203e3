"""Quotations that may not answer are introduced as the closest passages, with what they lack."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import CLOSEST, CLOSEST_PASSAGES
from tests.unit.agent.conftest import Asker, FakeRetriever, document

REPORT = document(
    "The fleet has nine ships. The newest one, the Havørn, was delivered in May 2024. It carries 120 cars and "
    "399 passengers. The oldest, the Gamle Bergen, was built in 1983 and will be sold in 2026.",
    title="Fleet",
)
TRIP = document(
    "Flight TP 571 leaves Hamburg at 6:55 and lands in Lisbon at 9:20.",
    "Hotel: Casa do Jasmim, three nights, 118 euros a night.",
    title="Trip",
)
LEASE = document(
    "Landlord: Castellan Estates Ltd",
    "Tenant: Rowan Pettifer",
    "",
    "The deposit is 1,680 pounds.",
    "",
    "The inspection of the boiler is free of charge.",
    title="Lease of flat 3B",
)
RECIPE = document("Ingredients: 500 g rye flour, 12 g salt.", "", "The bread rests for 90 minutes.", title="Rye bread")
CHAT = document(
    "[2025-03-02 18:12] Rowan: Marek drives, he has a licence for vans.",
    "[2025-03-02 18:15] Tessa: And who carries the piano?",
    "[2025-03-02 18:16] Rowan: Nobody. I sold it to the music school for 400 pounds.",
    title="Moving",
)
VIOLIN = document("Clara Whitcombe plays a violin made by Giovanni Rossetti in 1742.", title="Violin.txt")
ROSSETTI = document("He was a pupil of Carlo Bergonzi.", "", "His instruments are rare.", title="Giovanni Rossetti.txt")
LIBRARY = FakeRetriever(
    ("fleet.md", REPORT),
    ("trip.md", TRIP),
    ("lease.md", LEASE),
    ("bread.md", RECIPE),
    ("moving.txt", CHAT),
    ("Violin.txt", VIOLIN),
    ("Giovanni Rossetti.txt", ROSSETTI),
)


def answered(question: str, library: FakeRetriever = LIBRARY) -> str:
    return Asker(library, ExtractiveModel()).answer(question).text


@pytest.mark.parametrize(
    "question",
    [
        "How many passengers does the Gamle Bergen carry?",  # another ship's
        "When was the Havørn sold?",
        "What did the flight to Lisbon cost?",  # the hotel's price
        "How much sugar is in the rye bread?",
        "Who bought the boiler?",
        "Which film shows the Gamle Bergen?",
    ],
)
def test_the_fact_of_another_thing_is_only_the_closest_passage(question: str) -> None:
    text = answered(question)
    assert text.startswith("[not found]") or CLOSEST in text or CLOSEST_PASSAGES in text


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("How many passengers does the Havørn carry?", "399 passengers"),
        ("When was the Gamle Bergen built?", "1983"),
        ("How much salt is in the rye bread?", "12 g salt"),
        ("What does the inspection of the boiler cost?", "free of charge"),
        ("How much is the deposit?", "1,680 pounds"),
        ("How much did Rowan get for the piano?", "Nobody. I sold it to the music school for 400 pounds."),
    ],
)
def test_what_answers_is_quoted_without_doubt(question: str, quoted: str) -> None:
    text = answered(question)
    assert quoted in text
    assert CLOSEST not in text
    assert CLOSEST_PASSAGES not in text


def test_the_label_with_the_name_is_quoted_beside_what_its_document_says() -> None:
    library = FakeRetriever(("lease.md", LEASE), ("trip.md", TRIP), ("bread.md", RECIPE), ("fleet.md", REPORT))
    text = answered("How much is the deposit of Rowan Pettifer's flat?", library)
    assert "The deposit is 1,680 pounds." in text
    assert "Tenant: Rowan Pettifer" in text
    assert "None of these quotations" not in text


def test_a_file_name_without_title_links_documents_without_its_suffix() -> None:
    text = answered("Who taught the maker of Clara Whitcombe's violin?")
    assert "made by Giovanni Rossetti" in text
    assert "pupil of Carlo Bergonzi" in text


def test_what_another_one_has_is_only_the_closest_passage() -> None:
    party = document("Bram's birthday is on 7 April.", "", "Tilly is eleven.", title="Trip to Belgium")
    library = FakeRetriever(("trip.md", party))
    assert CLOSEST in answered("When is Tilly's birthday?", library) or CLOSEST_PASSAGES in answered(
        "When is Tilly's birthday?", library
    )
    assert CLOSEST not in answered("When is Bram's birthday?", library)


def test_a_section_on_the_name_comes_before_one_on_another() -> None:
    trip = document(
        "## Ghent",
        "Hotel Harmonie, two rooms, breakfast included.",
        "## Bruges",
        "Breakfast costs 18 euros per person.",
        title="Belgium by train",
    )
    text = answered("Is breakfast included in Bruges?", FakeRetriever(("trip.md", trip)))
    assert 0 <= text.find("costs 18 euros") < (text.find("two rooms") if "two rooms" in text else len(text))


NOTES = document(
    "Harpoon gun, iron, 1865, from the whaler Diligence. Weight 38 kg. Bought for 12 guineas.",
    "",
    "Model of the brig Amity, scale 1:48, built between 1921 and 1926. Lent until 2027.",
    "",
    "Treasurer: Mirela Popa. Secretary: vacant.",
    title="Notes",
)


@pytest.mark.parametrize(
    ("question", "first", "doubtful"),
    [
        ("How heavy is the harpoon gun?", "Harpoon gun", False),  # the weight stands in the next sentence
        ("How high is the model of the Amity?", "Model of the brig", True),  # a year is no height
        ("Who is the secretary?", "Secretary: vacant", False),
    ],
)
def test_a_measure_needs_its_unit_and_a_label_its_word(question: str, first: str, doubtful: bool) -> None:
    text = answered(question, FakeRetriever(("notes.md", NOTES)))
    assert (CLOSEST in text or CLOSEST_PASSAGES in text) is doubtful
    assert text.partition("> ")[2].startswith(first)
    assert "heavy" not in question or "Weight 38 kg" in text


def test_who_did_something_of_which_nothing_tells_is_doubtful_in_german() -> None:
    bericht = document("Frau Marggraf war vom 13. bis 20. Oktober bei Dr. Aydin in Behandlung.", title="Bericht")
    text = answered("Wer hat Frau Marggraf operiert?", FakeRetriever(("bericht.txt", bericht)))
    assert CLOSEST in text or CLOSEST_PASSAGES in text or "[not found]" in text


@pytest.mark.parametrize(
    ("question", "doubtful"),
    [
        ("Where was Blanche born?", True),  # Isidore was born in Rye
        ("Where was Isidore born?", False),
        ("What is the phone number of the group leader?", True),  # a name and a sentence on phones, but no number
    ],
)
def test_the_place_of_another_and_a_number_that_is_not_told_are_doubtful(question: str, doubtful: bool) -> None:
    family = document(
        "Isidore was born in Rye, the third son of a ropemaker.", "", "Blanche taught at a school.", title="History"
    )
    camp = document("Group leader: Marguerite Lorne", "", "Phones stay at home.", title="Camp")
    text = answered(question, FakeRetriever(("family.md", family), ("camp.txt", camp)))
    assert (CLOSEST in text or CLOSEST_PASSAGES in text) is doubtful
