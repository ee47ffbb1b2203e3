"""Document counts of each clause, and ranking by the published formulas."""

import pytest

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import ClauseCount, Mode, SearchRequest
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary


def counted(engine: SearchEngine, query: str, *filters: Filter) -> dict[str, int]:
    clauses = engine.clauses(SearchRequest(query, Mode.KEYWORD, filters=filters), Stop())
    return {clause.text: clause.documents for clause in clauses}


def test_each_clause_is_counted_by_itself(engine: SearchEngine) -> None:
    assert counted(engine, 'rent AND "the moon" AND zeppelin') == {"rent": 2, '"the moon"': 0, "zeppelin": 0}
    assert counted(engine, "rent rent (rent OR zeppelin)") == {"rent": 2, "zeppelin": 0}


def test_stop_words_are_counted_only_alone(engine: SearchEngine) -> None:
    assert counted(engine, "the rent of a zeppelin") == {"rent": 2, "zeppelin": 0}
    assert list(counted(engine, "the")) == ["the"]


def test_excluded_clauses_are_marked(engine: SearchEngine) -> None:
    clauses = engine.clauses(SearchRequest("rent NOT budget", Mode.KEYWORD), Stop())
    assert [(clause.text, clause.forbidden) for clause in clauses] == [("rent", False), ("budget", True)]


def test_file_conditions_are_counted_and_filters_apply(engine: SearchEngine) -> None:
    assert counted(engine, "rent ext:py") == {"rent": 2, "ext:py": 1}
    assert counted(engine, "rent ext:exe") == {"rent": 2, "ext:exe": 0}
    assert counted(engine, "rent", Filter(FileField.EXT, ".md")) == {"rent": 1}


def test_an_invalid_query_raises(engine: SearchEngine) -> None:
    with pytest.raises(QueryError):
        counted(engine, "rent AND")


def test_the_searcher_process_returns_the_same_counts(engine: SearchEngine, library: SmallLibrary) -> None:
    client = SearcherClient(library.layout.folder)
    try:
        request = SearchRequest("rent zeppelin", Mode.KEYWORD)
        assert client.clauses(request, Stop()) == engine.clauses(request, Stop())
        assert client.clauses(request, Stop())[1] == ClauseCount("zeppelin", 0)
        assert client.search(SearchRequest("rent", published=True), Stop()).hits
    finally:
        client.close()


def test_published_formulas_rank_by_nearest_sentence_and_reciprocal_rank(engine: SearchEngine) -> None:
    meant = engine.search(SearchRequest("when must I pay for the flat", Mode.SEMANTIC, published=True), Stop())
    assert [hit.score for hit in meant.hits] == sorted((hit.score for hit in meant.hits), reverse=True)
    assert all(-1 <= hit.score <= 1 for hit in meant.hits)
    joined = engine.search(SearchRequest("rent of the flat", Mode.HYBRID, published=True), Stop())
    for hit in joined.hits:
        ranks = [rank for rank in (hit.why.keyword_rank, hit.why.semantic_rank) if rank]
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
