"""Quotations begin and end where their sentences do, also over the end of a page."""

import pytest

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

BEFORE_TURN = (
    "If the employment ends without cause, the Company shall for twenty-four months",
    "continue the payment of the salary, and the notice period of the Company shall apply to",
)


@pytest.mark.parametrize("turn", [("7", ""), ("", "- 7 -", ""), ("Page 7 of 9",)])
def test_a_sentence_over_the_end_of_a_page_is_quoted_without_its_number(turn: tuple[str, ...]) -> None:
    rest = "Executive, with respect to the fiscal year in which such termination of employment occurs."
    text = document("Agreement", *BEFORE_TURN, *turn, rest)
    lines = {number: text.line(number).text for number in range(1, text.line_count + 1)}
    whole = f"{BEFORE_TURN[0]} {BEFORE_TURN[1]} {rest}"
    assert [(each.first_line, each.last_line) for each in sentences(lines) if each.text == whole] == [
        (2, text.line_count)
    ]


@pytest.mark.parametrize("end", [(), ("7",), ("", "7"), ("7", "Table of Contents"), ("time basis: two months",)])
def test_a_quotation_that_is_broken_off_says_so(end: tuple[str, ...]) -> None:
    library = FakeRetriever(("agreement.pdf", document("", *BEFORE_TURN, *end)))
    answered = Asker(library, ExtractiveModel()).answer("What is the notice period of the Company?")
    assert f"{BEFORE_TURN[1]} … [1]" in answered.text
    assert [(each.first_line, each.last_line, each.verdict) for each in answered.citations] == [(2, 3, "verbatim")]
    assert answered.claims[0].quoted


def test_a_number_that_is_no_page_number_stays() -> None:
    lines = ("The berth of the Kestrel at the north quay has for many years had the number", "7.", "It is let.")
    assert sentences(dict(enumerate(lines, 1)))[0].text.endswith("had the number 7.")


def test_a_quotation_that_is_too_long_ends_with_an_ellipsis() -> None:
    text = f"The notice period of the harbour lease is {'long and very ' * 60}long."
    answered = Asker(FakeRetriever(("lease.txt", document(text))), ExtractiveModel())
    assert " … [1]" in answered.answer("What is the notice period of the harbour lease?").text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How long is the notice period in the service agreement?", "Either party may terminate with 90 days"),
        ("How long is the notice period in case of a breach?", "In case of a material breach, 14 days"),
    ],
)
def test_a_rule_is_quoted_before_its_exception(question: str, first: str) -> None:
    text = "Either party may terminate with 90 days written notice. In case of a material breach, 14 days suffice."
    text += " Highlights in this paragraph are about the notice period."
    agreement = document("Service agreement", "3. Termination", text, title="Service agreement")
    answered = Asker(FakeRetriever(("agreement.docx", agreement)), ExtractiveModel()).answer(question)
    assert answered.citations[0].quote.startswith(first)
