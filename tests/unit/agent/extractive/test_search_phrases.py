import pytest

from desktop_rag.agent.extractive.next_action import about, document_words, keywords, phrasings
from desktop_rag.agent.extractive.question_analysis import analyse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What drove Ulta Beauty's inventories in 2023?", "Ulta Beauty 2023"),
        ("What did the board of Sorel decide?", "Sorel"),
        ("How high was the net income in 2019?", ""),
    ],
)
def test_documents_are_listed_by_names_and_numbers(text: str, words: str) -> None:
    assert document_words(analyse(text)) == words


def test_queries_inside_a_document_omit_its_name_and_year() -> None:
    assert about(analyse("How does Boeing's effective tax rate in 2022 compare?")) == "effective tax rate compare"


def test_phrasings_and_keywords_of_a_question() -> None:
    question = analyse("Who directed the film Sacro Gra in 2013?")
    assert phrasings(question)[0] == "Who directed the film Sacro Gra in 2013"
    assert "Sacro Gra 2013" in phrasings(question)
    assert keywords(question, 2) == ["Sacro Gra", "directed"]
