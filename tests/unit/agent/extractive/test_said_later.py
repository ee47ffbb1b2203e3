"""What a later sentence says against a plan stands first, and who is named as the source is quoted."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

PROMISE = document(
    "12 November 2024", "", "We will fit an extractor fan in the bathroom on 26 November.", title="Reply"
)
COMPLAINT = document("2 December 2024", "", "The fan was not fitted on 26 November: nobody came.", title="Complaint")
EARLIER = document("3 October 2024", "", "The fan was not fitted last year.", title="Earlier letter")
MINUTES = document(
    "Tom Reuter proposed to raise the fee from 60 to 72 euros. Elif Arslan was against it. "
    "The proposal was rejected by two votes to one.",
    "",
    "Yara Haddad will buy a new canoe for the club. It does not need a trailer.",
    title="Minutes of the board",
)
OWN = document("Our surveyor found that the damp is caused by condensation and not by a gutter.", title="Landlord")
OTHER = document(
    "An independent surveyor, Judith Amery, inspected the wall. In her opinion the damp comes from the gutter.",
    title="Tenant",
)


@pytest.fixture
def asker() -> Asker:
    named = {
        "reply.txt": PROMISE,
        "complaint.txt": COMPLAINT,
        "earlier.txt": EARLIER,
        "minutes.md": MINUTES,
        "own.txt": OWN,
        "other.txt": OTHER,
    }
    return Asker(FakeRetriever(*named.items()), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "first", "plan"),
    [
        ("When was the extractor fan fitted?", "The fan was not fitted on 26 November", "We will fit an extractor fan"),
        ("Was the fee raised?", "The proposal was rejected", "Tom Reuter proposed to raise the fee"),
    ],
)
def test_what_denies_a_plan_later_is_quoted_before_it(asker: Asker, question: str, first: str, plan: str) -> None:
    text = asker.answer(question).text
    assert 0 <= text.find(first) < text.find(plan)
    assert "last year" not in text


def test_a_plan_that_is_asked_for_is_quoted_before_what_rejects_it(asker: Asker) -> None:
    text = asker.answer("Who proposed to raise the fee?").text
    assert 0 <= text.find("Tom Reuter proposed to raise the fee") < text.find("The proposal was rejected")


def test_a_negation_behind_a_plan_that_does_not_reject_it_is_not_put_first(asker: Asker) -> None:
    text = asker.answer("Who will buy a new canoe?").text
    assert 0 <= text.find("Yara Haddad will buy") < text.find("It does not need a trailer")


def test_according_to_someone_that_ones_sentence_is_quoted(asker: Asker) -> None:
    text = asker.answer("What causes the damp according to the independent surveyor?").text
    assert "In her opinion the damp comes from the gutter." in text
    assert "condensation" not in text


def test_who_says_otherwise_in_the_same_paragraph_is_left_out() -> None:
    report = document("According to the architect, the shed can stay. According to the fire officer, the shed must go.")
    text = (
        Asker(FakeRetriever(("report.txt", report)), ExtractiveModel())
        .answer("What about the shed according to the architect?")
        .text
    )
    assert "the shed can stay" in text
    assert "fire officer" not in text


def test_what_came_instead_on_a_later_day_is_quoted_first() -> None:
    diary = document(
        "## 3 March 2025",
        "We agreed that Priya does the electrics.",
        "## 9 May 2025",
        "Priya could not come. Dov Lindqvist did the wiring instead.",
        title="Diary of the workshop",
    )
    text = Asker(FakeRetriever(("diary.md", diary)), ExtractiveModel()).answer("Who did the electrics?").text
    assert 0 <= text.find("Dov Lindqvist did the wiring") < text.find("Priya does the electrics")


def test_another_day_and_place_that_a_later_entry_names_is_quoted_first() -> None:
    minutes = document(
        "## 9 January 2025",
        "The concert is planned for 17 May in St Giles.",
        "## 6 March 2025",
        "Present: all. The concert will be on 24 May in the Methodist church instead.",
        title="Choir committee",
    )
    asker = Asker(FakeRetriever(("minutes.md", minutes)), ExtractiveModel())
    for question in ("When is the concert?", "Where will the concert take place?"):
        text = asker.answer(question).text
        assert 0 <= text.find("on 24 May in the Methodist church") < text.find("planned for 17 May")
