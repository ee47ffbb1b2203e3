"""LogicalRAG's search in the query language, and its baseline in plain language."""

import pytest

from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.retrieval.api import Mode
from tests.unit.agent.conftest import FakeRetriever
from tests.unit.agent.tools.desk import Desk


@pytest.fixture
def desk(library: FakeRetriever) -> Desk:
    return Desk(library, "logical-rag")


def test_a_query_is_run_unchanged(desk: Desk, library: FakeRetriever) -> None:
    result = desk.call("search", query='rent AND "late payment"', default_operator="AND", max_results=3)
    [request] = library.searches
    assert (request.query, request.mode, request.limit) == ('rent AND "late payment"', Mode.KEYWORD, 3)
    assert (request.default_and, request.per_file, request.published) == (True, 0, True)
    assert "6: A late payment costs 15 euros." in result.text
    assert result.chunks == (2,)


def test_bare_words_are_alternatives_unless_all_are_required(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", query="rent pets")
    desk.call("search", query="rent pets", default_operator="and", max_results=900)
    desk.call("search", query="rent pets", default_operator="Or")
    assert [request.default_and for request in library.searches] == [False, True, False]
    assert [request.limit for request in library.searches] == [5, 20, 5]
    assert '"default_operator" must be one of or, and' in desk.call("search", query="x", default_operator="XOR").text


def test_a_failed_search_names_the_clauses_without_a_match(desk: Desk) -> None:
    result = desk.call("search", query='rent AND "zeppelin hangar"')
    assert result.text.startswith("No passage matches this query. What its parts match by themselves:\n")
    assert "- rent: 1 document\n- zeppelin hangar: no document at all\n" in result.text
    assert "“zeppelin hangar” stands nowhere" in result.text
    assert result.summary == "Nothing found; “zeppelin hangar” stands nowhere"
    assert not result.failed


def test_a_search_whose_clauses_never_co_occur_says_so(desk: Desk) -> None:
    result = desk.call("search", query="rent AND valve")
    assert "- rent: 1 document\n- valve: 1 document\n" in result.text
    assert "No passage has all of it together" in result.text


def test_clauses_without_a_match_are_named_with_results_too(desk: Desk) -> None:
    assert "No document holds “zeppelin”." in desk.call("search", query="rent zeppelin").text


def test_an_invalid_query_is_answered_with_a_suggestion(desk: Desk) -> None:
    result = desk.call("search", query="rent AND")
    assert result.failed
    assert "AND needs a word behind it Try: leave AND out" in result.text


def test_passages_read_before_are_only_named(desk: Desk) -> None:
    desk.call("search", query="late payment")
    again = desk.call("search", query="pets consent")
    assert "This chunk has been read before (lines 5–8)." in again.text
    assert not again.evidence
    assert again.summary == "1 passage found again"
    assert [source.reference for source in again.sources] == ["turn1search1"]  # it is a result all the same


@pytest.mark.parametrize("query", ["rent AND pets", "rent NOT pets", "(rent)", "rent -pets"])
def test_without_operators_words_and_phrases_are_left(library: FakeRetriever, query: str) -> None:
    desk = Desk(library, "logical-rag-no-operators")
    assert "not available here" in desk.call("search", query=query).text
    assert not library.searches
    assert desk.call("search", query='"late payment" pets', default_operator="AND").evidence
    assert not library.searches[0].default_and
    [tool] = toolkit("logical-rag-no-operators").tools
    assert "default_operator" not in tool.spec.parameters
    assert "AND" not in tool.spec.description


def test_the_syntax_alone_is_a_shorter_description() -> None:
    [whole], [bare] = toolkit("logical-rag").tools, toolkit("logical-rag-syntax-only").tools
    assert whole.spec.description.startswith(bare.spec.description)
    assert "BM25" in whole.spec.description
    assert "BM25" not in bare.spec.description
    assert whole.spec.parameters == bare.spec.parameters


def test_the_hybrid_baseline_takes_plain_language_only(library: FakeRetriever) -> None:
    desk = Desk(library, "agentic-hybrid")
    refused = desk.call("search", query='rent AND "late payment" NOT pets')
    assert refused.failed
    assert "AND, OR and NOT mean nothing to this search" in refused.text
    assert "“rent late payment pets”" in refused.text
    assert not library.searches
    result = desk.call("search", query='What does a "late" payment (rent) cost?', max_results=2)
    [request] = library.searches
    assert (request.query, request.mode, request.limit) == ("What does a late payment rent cost", Mode.HYBRID, 2)
    assert request.published
    assert "6: A late payment costs 15 euros." in result.text
    assert "No passage was found" in desk.call("search", query="zzz").text
