import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.agent.tools.query_phrasing import any_of, has_boolean_words, has_operators, plain_query
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import binds


@pytest.mark.parametrize("query", ["rent AND lease", "rent NOT deposit", "(a OR b) AND c", 'OR "x"', "title:a AND b"])
def test_boolean_words_are_recognised(query: str) -> None:
    assert has_boolean_words(query)
    assert has_operators(query)


@pytest.mark.parametrize(
    "query",
    ["rent and lease", '"rock AND roll" band', "WHO SAID TO BE OR NOT TO BE AND WHEN", "ANDREW", "Griselda (Vivaldi)"],
)
def test_capitals_and_quotes_are_not_boolean_words(query: str) -> None:
    assert not has_boolean_words(query)


@pytest.mark.parametrize("query", ["+rent lease", "rent -lease", "(rent)"])
def test_signs_and_brackets_are_operators_too(query: str) -> None:
    assert has_operators(query)
    assert not has_boolean_words(query)


def test_words_phrases_and_dashes_are_no_operators() -> None:
    assert not has_operators('well-known "a (b) AND c" 2019-2020 - yes')


def test_keywords_become_alternatives_as_they_are_written() -> None:
    assert any_of(["Ada Byron", 'the "big" one', "Ada Byron", '"']) == '"Ada Byron" OR "the big one"'


@given(st.text(max_size=80))
@example("which are “Model C”-schools?")
def test_a_plain_query_asks_for_words_alone(text: str) -> None:
    query = parse(plain_query(text))
    assert query.files is None
    assert not binds(query.words)


@given(st.lists(st.text(max_size=20), max_size=4))
def test_alternatives_are_always_a_query(keywords: list[str]) -> None:
    assert parse(any_of(keywords)).files is None
