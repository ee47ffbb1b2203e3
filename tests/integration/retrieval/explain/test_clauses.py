"""What each part of a query matches by itself, and the formulas of the papers beside our own."""

import pytest

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import ClauseCount, Filter, Mode, SearchRequest
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary


def counted(engine: SearchEngine, query: str, *filters: Filter) -> dict[str, int]:
    clauses = engine.clauses(SearchRequest(query, Mode.KEYWORD, filters=filters), Stop())
    return {clause.text: clause.documents for clause in clauses}


def test_each_part_of_a_query_is_counted_by_itself(engine: SearchEngine) -> None:
    assert counted(engine, 'rent AND "the moon" AND zeppelin') == {"rent": 2, '"the moon"': 0, "zeppelin": 0}
    assert counted(engine, "rent rent (rent OR zeppelin)") == {"rent": 2, "zeppelin": 0}


def test_words_that_stand_everywhere_are_not_counted_beside_others(engine: SearchEngine) -> None:
    assert counted(engine, "the rent of a zeppelin") == {"rent": 2, "zeppelin": 0}
    assert list(counted(engine, "the")) == ["the"]


def test_what_is_forbidden_is_marked(engine: SearchEngine) -> None:
    clauses = engine.clauses(SearchRequest("rent NOT budget", Mode.KEYWORD), Stop())
    assert [(clause.text, clause.forbidden) for clause in clauses] == [("rent", False), ("budget", True)]


def test_conditions_on_files_are_counted_and_filters_hold(engine: SearchEngine) -> None:
    assert counted(engine, "rent ext:py") == {"rent": 2, "ext:py": 1}
    assert counted(engine, "rent ext:exe") == {"rent": 2, "ext:exe": 0}
    assert counted(engine, "rent", Filter(FileField.EXT, ".md")) == {"rent": 1}


def test_a_query_that_cannot_be_understood_is_refused(engine: SearchEngine) -> None:
    with pytest.raises(QueryError):
        counted(engine, "rent AND")


def test_the_searcher_child_counts_alike(engine: SearchEngine, library: SmallLibrary) -> None:
    client = SearcherClient(library.layout.folder)
    try:
        request = SearchRequest("rent zeppelin", Mode.KEYWORD)
        assert client.clauses(request, Stop()) == engine.clauses(request, Stop())
        assert client.clauses(request, Stop())[1] == ClauseCount("zeppelin", 0)
        assert client.search(SearchRequest("rent", published=True), Stop()).hits
    finally:
        client.close()


def test_the_papers_rank_by_the_nearest_sentence_and_by_reciprocal_ranks(engine: SearchEngine) -> None:
    meant = engine.search(SearchRequest("when must I pay for the flat", Mode.SEMANTIC, published=True), Stop())
    assert [hit.score for hit in meant.hits] == sorted((hit.score for hit in meant.hits), reverse=True)
    assert all(-1 <= hit.score <= 1 for hit in meant.hits)
    joined = engine.search(SearchRequest("rent of the flat", Mode.HYBRID, published=True), Stop())
    for hit in joined.hits:
        ranks = [rank for rank in (hit.why.keyword_rank, hit.why.semantic_rank) if rank]
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
