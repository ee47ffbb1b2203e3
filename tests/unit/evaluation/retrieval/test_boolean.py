"""Translation of Boolean questions to the query language."""

from dataclasses import replace

import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, CollectionPassage, CollectionQuestion
from desktop_rag.evaluation.retrieval.retrieval_runner import as_query, boolean_questions
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import All, Either, Not, Word


def test_operators_and_brackets_keep_their_meaning() -> None:
    query = as_query("#and ('titles', #or ('automatic', 'problems'), #not ('music'))")
    assert query == "(titles AND (automatic OR problems) AND NOT (music))"
    assert parse(query).words == All(
        (Word("titles"), Either((Word("automatic"), Word("problems"))), Not(Word("music")))
    )


def test_quoted_words_are_a_phrase() -> None:
    assert as_query("#or('information science', data ) ;") == '("information science" OR data)'
    assert as_query("#and ('alone')") == "alone"


@pytest.mark.parametrize("text", ["#and ('a'", "#and 'a'", "#and ()", "'a' 'b'", ""])
def test_an_invalid_boolean_question_raises_with_its_position(text: str) -> None:
    with pytest.raises(BenchError, match="character"):
        as_query(text)


def test_questions_without_a_boolean_form_are_left_out() -> None:
    questions = (CollectionQuestion("1", "Titles?", "#and ('titles')"), CollectionQuestion("2", "Data?"))
    judged = {"1": {"p": 1}, "2": {"p": 1}}
    collection = Collection(
        "small", (CollectionPassage("p", "", "Titles and data."),), questions, judged, multi_hop=False
    )
    asked = boolean_questions(collection)
    assert [(one.id, one.text) for one in asked.questions] == [("1", "titles")]
    assert (asked.name, set(asked.judged)) == ("small-boolean", {"1"})
    broken = replace(collection, questions=(replace(questions[0], boolean="#and ('titles'"),))
    with pytest.raises(BenchError, match=r"small, question “1”: .* character"):
        boolean_questions(broken)
    with pytest.raises(BenchError, match="Boolean form"):
        boolean_questions(Collection("none", (), questions[1:], judged, multi_hop=False))
