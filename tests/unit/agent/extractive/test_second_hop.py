"""What is searched for a question whose answer stands two documents away."""

import pytest

from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.second_hop import second_hop_queries
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import rank

_READ = (
    ("Jump for Glory", "Jump for Glory is a 1937 British film directed by Raoul Walsh and starring Alan Hale."),
    ("Damerjog", "Damerjog is a small village in eastern Djibouti, populated by farmers."),
    ("Glory", "Glory is a 1989 American war film."),
    ("Minutes of 3 May", "Maren Quist reported that the budget of the harbour was approved."),
)


def _queries(question: str) -> list[str]:
    asked = analyse(question)
    read = [CandidateSentence(text, f"turn1search{n}", title, 1, 1) for n, (title, text) in enumerate(_READ)]
    return second_hop_queries(asked, rank(asked, read))


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("Who is the spouse of the director of Jump for Glory?", ["Raoul Walsh spouse", "Alan Hale spouse"]),
        ("Who was the first president of Damerjog's country?", ["Djibouti first president country"]),
        ("Who directed the film Jump for Glory?", []),  # the first sentence has every word
        ("Who approved the wages of the harbour master?", []),  # names no document
        ("Wer ist die Ehefrau des Regisseurs von Jump for Glory?", []),  # a capital marks no name
    ],
)
def test_the_name_that_a_sentence_tells_is_searched_with_the_words_it_lacks(question: str, queries: list[str]) -> None:
    assert _queries(question) == queries


def test_nothing_that_was_read_leads_nowhere() -> None:
    assert second_hop_queries(analyse("Who is the spouse of Raoul Walsh?"), []) == []
