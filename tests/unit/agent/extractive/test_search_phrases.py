import pytest

from desktop_rag.agent.extractive.next_action import about, document_words, keywords, phrasings
from desktop_rag.agent.extractive.question_analysis import analyse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What drove Ulta Beauty's inventories at the end of FY2023?", "Ulta Beauty 2023"),
        ("Was there a drop for Best Buy between FY 2022 and Q2 of FY2024?", "Best Buy 2024 Q 2"),
        ("Did Pfizer grow its property between FY20 and FY21?", "Pfizer 2021"),
        ("Which companies does Pfizer name in this 10K report?", "Pfizer 10K"),
        ("What did they announce on 20260806?", "20260806"),
        ("How high was the net income in 2019?", ""),
    ],
)
def test_documents_are_listed_by_names_and_the_latest_period(text: str, words: str) -> None:
    assert document_words(analyse(text)) == words


def test_queries_inside_a_document_omit_its_name_and_year() -> None:
    assert (
        about(analyse("How does Boeing's effective tax rate in FY2022 compare to FY2021?"))
        == "effective tax rate compare"
    )


def test_phrasings_and_keywords_of_a_question() -> None:
    question = analyse("Who directed the film Sacro Gra in 2013?")
    assert phrasings(question)[0] == "Who directed the film Sacro Gra in 2013"
    assert "Sacro Gra 2013" in phrasings(question)
    assert keywords(question, 2) == ["Sacro Gra", "directed"]
