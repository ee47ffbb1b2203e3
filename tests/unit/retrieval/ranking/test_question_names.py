import pytest

from desktop_rag.retrieval.ranking.link_boost import asks_by_name

TITLES = ("The Silent Harbour", "Information", "寂静的港湾")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who is the mother of the director of Jump for Glory?", True),
        ("Wann wurde die Firma Krupp gegründet?", True),
        ("Где родился Пушкин?", True),
        ('Who directed "Winter" and what else?', True),
        ("What problems are there in making up descriptive titles?", False),
        ("How can data be retrieved? What is the need for it? Which way is best?", False),
        ("A study of the way in which people look for what they need to know. I want methods.", False),
        ("Active IL-6 activates STAT3 in T-cells, and DNA breaks.", False),
        ("Active IL-6 activates the Golgi apparatus.", True),
        ("What was the most remarkable creation of MTV?", True),
        ("was it O'Hara who wrote", True),
        ("who directed the silent harbour", True),
        ("WHO DIRECTED THE SILENT HARBOUR", True),
        ("who directed the harbour", False),
        ("谁导演了寂静的港湾", True),
        ("谁写了这本书", False),
        ("", False),
        ("?", False),
    ],
)
def test_names_are_told_by_case_or_by_titles(question: str, named: bool) -> None:
    assert asks_by_name(question, TITLES) is named
