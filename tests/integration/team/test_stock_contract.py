"""The contract on stock Whoosh below the same service: every query finds, counts and shows the same."""

from collections.abc import Iterator

import pytest

from benchmarks.reference import stock_keywords
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.contract import FILES_ASKED, KNOWN, KNOWN_STOCK, MEANING, MEANING_MODES, WORDS
from tests.integration.team.test_contract import hits_of, in_order, key, shown

EVERY = (*WORDS, *FILES_ASKED, *KNOWN)
Engines = tuple[SearchEngine, SearchEngine]


@pytest.fixture(scope="module")
def engines(agreed: SmallLibrary) -> Iterator[Engines]:
    folder = agreed.layout.folder
    stock = stock_keywords(PassageLibrary(folder.parent, ()), lambda _: None)
    found = SearchEngine(folder), SearchEngine(folder, keywords=stock)
    yield found
    for engine in found:
        engine.close()


@pytest.mark.parametrize("query", EVERY)
def test_stock_whoosh_finds_the_same_passages(engines: Engines, query: str) -> None:
    here, there = (hits_of(engine, query) for engine in engines)
    assert {key(hit): shown(hit) for hit in there} == {key(hit): shown(hit) for hit in here}
    assert in_order(here, there) != (query in KNOWN_STOCK)


@pytest.mark.parametrize("query", EVERY)
def test_stock_whoosh_counts_the_same_documents(engines: Engines, query: str) -> None:
    here, there = engines
    request = SearchRequest(query, Mode.KEYWORD)
    assert there.facets(request, Stop()) == here.facets(request, Stop())
    assert there.clauses(request, Stop()) == here.clauses(request, Stop())


@pytest.mark.parametrize("query", MEANING)
@pytest.mark.parametrize("mode", MEANING_MODES)
def test_stock_whoosh_answers_a_question_the_same(engines: Engines, query: str, mode: Mode) -> None:
    here, there = (hits_of(engine, query, mode, 10) for engine in engines)
    assert [(key(hit), shown(hit)) for hit in there] == [(key(hit), shown(hit)) for hit in here]
