"""A refusal of the built-in model shows the passage in another language that is nearest in meaning, if it is close."""

from dataclasses import replace

import pytest

from desktop_rag.agent.answer_notes import in_language_of
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer import CLOSE_ACROSS, nearest_across
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import certain
from desktop_rag.agent.prompts import CLOSEST, CLOSEST_ACROSS, NOT_FOUND_OPENING
from desktop_rag.retrieval.api import Hit, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, document

QUESTION = "Wie lange schlafen Katzen?"
SLEEP = "A cat sleeps up to sixteen hours a day."


class NearestRetriever(FakeRetriever):
    """Finds the line about sleep with a score of a search by meaning, whatever is asked."""

    across, cut = 0.0, slice(None)

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        found = super().search(replace(request, query="sleeps"), stop)
        return replace(found, query=request.query, hits=tuple(map(self._scored, found.hits)))

    def _scored(self, hit: Hit) -> Hit:
        snippet = replace(hit.snippet, text=f"…{hit.snippet.text[self.cut]}…" if self.cut.start else hit.snippet.text)
        return replace(hit, snippet=snippet, why=replace(hit.why, across=self.across))


@pytest.fixture
def retriever() -> NearestRetriever:
    cats = document("Cats are kept in houses.", SLEEP, "They eat mice.", title="Cats")
    return NearestRetriever(("cats.txt", cats), ("boats.txt", document("A boat has a keel.")))


@pytest.fixture
def asker(retriever: NearestRetriever) -> Asker:
    return Asker(retriever, ExtractiveModel())


def test_a_close_passage_is_quoted_with_its_source_and_is_no_answer(asker: Asker, retriever: NearestRetriever) -> None:
    retriever.across = CLOSE_ACROSS
    answered = asker.answer(QUESTION)
    assert not answered.found
    assert answered.text.startswith(NOT_FOUND_OPENING)
    assert answered.text.index(f"{CLOSEST_ACROSS}\n\n#### ") < answered.text.index(SLEEP)
    (citation,) = answered.citations
    assert SLEEP in citation.quote
    assert citation.verdict == "verbatim"


@pytest.mark.parametrize("across", [0.0, CLOSE_ACROSS - 0.01])
def test_a_distant_passage_is_not_shown(asker: Asker, retriever: NearestRetriever, across: float) -> None:
    retriever.across = across
    answered = asker.answer(QUESTION)
    assert not answered.found
    assert not answered.citations


@pytest.mark.parametrize(
    ("beyond", "shown"),
    [
        ((0.0,), True),
        ((-0.1,), False),
        ((-0.1, -0.1, -0.21), True),  # it leads the third by .1
        ((-0.1, -0.1, -0.19), False),
        ((0.0, 0.0, 0.0, 0.0), True),
    ],
)
def test_the_lead_over_the_third_passage_counts(beyond: tuple[float, ...], *, shown: bool) -> None:
    ranked = [
        certain(CandidateSentence(f"Sentence {number}.", f"turn1search{number}", "", 1, 1, across=CLOSE_ACROSS + each))
        for number, each in enumerate(beyond)
    ]
    heading = CandidateSentence("Cats", "turn1search0", "Cats", 1, 1, shape=SentenceShape.HEADING, across=0.9)
    found = nearest_across([certain(heading), *ranked])
    assert found == (ranked[0] if shown else None)


def test_a_part_of_a_long_sentence_is_enough_to_find_it(asker: Asker, retriever: NearestRetriever) -> None:
    retriever.across, retriever.cut = CLOSE_ACROSS, slice(6, 30)
    assert SLEEP in asker.answer(QUESTION).citations[0].quote


def test_a_passage_with_words_of_the_question_is_told_as_such(asker: Asker, retriever: NearestRetriever) -> None:
    assert CLOSEST_ACROSS not in asker.answer("How long does a dog sleep?").text
    retriever.across = CLOSE_ACROSS
    assert asker.answer("How long does a cat sleep?").found


def test_the_label_is_in_the_language_of_the_question() -> None:
    told = in_language_of(QUESTION, f"{NOT_FOUND_OPENING}\n\n{CLOSEST_ACROSS}\n\n> {SLEEP}")
    assert CLOSEST_ACROSS not in told
    assert CLOSEST not in told
    assert told.endswith(f"anderen Sprache und beantwortet die Frage vielleicht nicht:\n\n> {SLEEP}")
