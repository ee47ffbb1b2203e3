"""Phone numbers and homes of whom a question describes, also in two steps, and the nights of a range of dates."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import CLOSEST_PASSAGES
from tests.unit.agent.conftest import Asker, FakeRetriever, document

HANDBOOK = document(
    "The shift leader is Gwendolyn Asher; her deputy is Piotr Zaleski.",
    "",
    "The early shift runs from 3:30 to 11:30.",
    title="Handbook",
)
CONTACTS = document(
    "- Gwendolyn Asher: 07700 900 277, lives at 8 Ferry Lane, Selby",
    "- Dov Lindqvist, electrician: 07700 900 845",
    "- Hotel Harmonie: +32 9 324 26 80",
    "- Hotel Central: 2 April 2026, 138 euros",
    title="Contacts",
)
DIARY = document("Dov Lindqvist did the wiring on 9 May.", title="Diary")
TRIP = document(
    "## 2–5 April: Ghent",
    "Hotel Harmonie, Kraanlei 37, two rooms.",
    "## 5–9 April: Bruges",
    "One family room at 164 euros a night.",
    "## 9–11 April: Ostend",
    "Hotel Central, three nights.",
    title="Belgium by train",
)


@pytest.fixture
def asker() -> Asker:
    named = (("handbook.md", HANDBOOK), ("contacts.md", CONTACTS), ("diary.md", DIARY), ("trip.md", TRIP))
    return Asker(FakeRetriever(*named), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "who", "detail"),
    [
        ("Where does the shift leader live?", "shift leader is Gwendolyn", "8 Ferry Lane"),
        ("What is the phone number of the hotel in Ghent?", "Hotel Harmonie, Kraanlei", "+32 9 324 26 80"),
        ("What is the electrician's phone number who did the wiring?", "did the wiring", "07700 900 845"),
        ("What is Dov Lindqvist's phone number?", "Dov Lindqvist, electrician", "07700 900 845"),
    ],
)
def test_a_detail_stands_behind_the_sentence_that_says_whose_it_is(
    asker: Asker, question: str, who: str, detail: str
) -> None:
    text = asker.answer(question).text
    assert 0 <= text.find(who) < text.find(detail)
    assert "Nothing that was read" not in text  # “phone” stands nowhere, but the number does
    assert CLOSEST_PASSAGES not in text


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What is Piotr Zaleski's phone number?", "900"),  # his is not told
        ("What is the phone number of the hotel in Rome?", "+32"),
        ("What is the phone number of the plumber?", "900"),
    ],
)
def test_a_detail_of_another_is_at_most_the_closest_passage(asker: Asker, question: str, absent: str) -> None:
    text = asker.answer(question).text
    assert absent not in text or text.index(CLOSEST_PASSAGES) < text.index(absent)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many nights do we stay in Ghent?", "3 nights, going by 2 April to 5 April:"),
        ("How many nights are we in Bruges?", "4 nights, going by 5 April to 9 April:"),
        ("How many days are we in Bruges?", "5 days, the first and the last counted, going by 5 April to 9 April:"),
    ],
)
def test_nights_and_days_of_a_range_are_counted(asker: Asker, question: str, said: str) -> None:
    assert asker.answer(question).text.startswith(said)


def test_a_number_of_nights_that_is_stated_is_quoted(asker: Asker) -> None:
    text = asker.answer("How many nights do we stay in Ostend?").text
    assert "going by" not in text
    assert "three nights" in text
