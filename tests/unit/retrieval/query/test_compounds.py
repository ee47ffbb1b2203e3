import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.retrieval.query.term_expansion import compound_parts

WORDS = """miete mietvertrag vertrag vertrags ende kundigung frist strasse arbeit zeit gesetz steuer erklarung haus"""
KNOWN = frozenset(WORDS.split())


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("kundigungsfrist", ("kundigung", "frist")),
        ("mietvertrag", ("miete", "vertrag")),
        ("mietvertragsende", ("mietvertrag", "ende")),
        ("arbeitszeitgesetz", ("arbeit", "zeit", "gesetz")),
        ("steuererklarung", ("steuer", "erklarung")),
        ("strassengesetz", ("strasse", "gesetz")),
        ("rechnung", ()),
        ("hausrat", ()),
        ("vertrag", ()),
    ],
)
def test_a_compound_is_split_into_words_of_the_library(word: str, parts: tuple[str, ...]) -> None:
    assert compound_parts(word, KNOWN.__contains__) == parts


@given(st.text("abens", max_size=24), st.sets(st.text("abens", min_size=1, max_size=8)))
def test_parts_are_known_and_in_the_order_of_the_word(word: str, known: set[str]) -> None:
    at = 0
    for part in compound_parts(word, known.__contains__):
        assert part in known
        at = word.index(part[:-1], at) + len(part) - 1
