"""A-RAG's keyword search, semantic search and reading of chunks."""

import pytest

from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.tools.arguments import MAX_CHARACTERS
from desktop_rag.retrieval.api import Mode
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document
from tests.unit.agent.tools.desk import Desk


@pytest.fixture
def desk(library: FakeRetriever) -> Desk:
    return Desk(library, "a-rag")


def test_keywords_are_searched_literally_five_chunks_by_default(desk: Desk, library: FakeRetriever) -> None:
    result = desk.call("keyword_search", keywords=["rent", "Ada Byron"])
    [request] = library.searches
    assert (request.query, request.mode, request.limit, request.per_file) == ('"rent" OR "Ada Byron"', Mode.EXACT, 5, 0)
    assert [evidence.score for evidence in result.evidence[:2]] == [len("rent") + len("Ada Byron"), len("rent")]


def test_top_k_ends_at_twenty(desk: Desk, library: FakeRetriever) -> None:
    desk.call("keyword_search", keywords=["rent"], top_k=500)
    desk.call("semantic_search", query="rent", top_k=0)
    assert [request.limit for request in library.searches] == [20, 1]


def test_snippets_are_the_sentences_with_a_keyword(desk: Desk) -> None:
    result = desk.call("keyword_search", keywords=["late"])
    assert "[turn1search1] lease.txt: Lease Mill Lane\n... A late payment costs 15 euros. ..." in result.text
    assert "Pets" not in result.text
    [evidence] = result.evidence
    assert (evidence.first_line, evidence.lines) == (6, ("A late payment costs 15 euros.",))


def test_long_keywords_are_answered_with_advice(desk: Desk) -> None:
    long = "the person who invented the telephone"
    alone = desk.call("keyword_search", keywords=[long])
    assert alone.text.startswith(f"No chunk contains “{long}”.")
    assert "is too long for that. Use short, specific terms of 1 to 3 words" in alone.text
    assert "Alexander Bell" in alone.text
    among = desk.call("keyword_search", keywords=[long, "rent"])
    assert "The monthly rent is 950 euros." in among.text
    assert "too long" in among.text
    assert "too long" not in desk.call("keyword_search", keywords=["World War 2"]).text


def test_semantic_search_goes_by_the_nearest_sentence(desk: Desk, library: FakeRetriever) -> None:
    result = desk.call("semantic_search", query="When: is (rent) due?")
    [request] = library.searches
    assert (request.query, request.mode, request.limit) == ("When is rent due", Mode.SEMANTIC, 5)
    assert request.published
    assert result.text.startswith("[turn1search1] lease.txt: Lease Mill Lane\n")
    assert {len(evidence.lines) for evidence in result.evidence} == {1}


def test_chunks_are_read_whole_and_without_line_numbers(desk: Desk) -> None:
    desk.call("keyword_search", keywords=["late"])
    result = desk.call("chunk_read", chunk_ids=["turn1search1"])
    assert result.text == (
        "[turn1search1] lease.txt: Lease Mill Lane (lines 5–8)\n"
        "Rent is payable on the third working day of each month.\n"
        "A late payment costs 15 euros.\n"
        "Pets are allowed with written consent.\n"
    )
    assert result.evidence[0].first_line == 5


def test_a_chunk_that_was_read_is_only_named(desk: Desk) -> None:
    desk.call("keyword_search", keywords=["late"])
    desk.call("chunk_read", chunk_ids=["turn1search1"])
    again = desk.call("chunk_read", chunk_ids=["turn1search1", "turn1search1+1"])
    assert "[turn1search1] This chunk has been read before." in again.text
    assert "The lease ends on 31 July 2027." in again.text
    assert again.summary == "1 passage read, 1 already read"


@pytest.mark.parametrize(
    ("asked", "lines"), [("turn1search1+1", "9–9"), ("turn1search1 -1", "1–4"), ("turn1search1−1", "1–4")]
)
def test_adjacent_chunks_are_read_on_request(desk: Desk, asked: str, lines: str) -> None:
    desk.call("keyword_search", keywords=["late"])
    result = desk.call("chunk_read", chunk_ids=[asked])
    assert f"(lines {lines})" in result.text
    assert len(result.sources) == 1


def test_beyond_a_documents_end_there_is_no_chunk(desk: Desk) -> None:
    desk.call("keyword_search", keywords=["late"])
    result = desk.call("chunk_read", chunk_ids=["turn1search1+2", "turn1search1-9"])
    assert result.failed
    assert "There is no chunk 2 after turn1search1 in its document." in result.text
    assert "There is no chunk 9 before turn1search1 in its document." in result.text


def test_unknown_ids_are_mentioned_and_the_others_read(desk: Desk) -> None:
    assert "search first" in desk.call("chunk_read", chunk_ids=["24"]).text
    desk.call("keyword_search", keywords=["late"])
    result = desk.call("chunk_read", chunk_ids=["24", "turn1search1"])
    assert "A late payment costs 15 euros." in result.text
    assert result.text.endswith("There is no chunk 24.")
    assert "turn1search1" in desk.call("chunk_read", chunk_ids=["172"]).text


def test_without_chunk_read_the_searches_return_whole_chunks(library: FakeRetriever) -> None:
    desk = Desk(library, "a-rag-no-chunk-read")
    by_words = desk.call("keyword_search", keywords=["late"])
    assert "Rent is payable on the third working day" in by_words.text
    assert by_words.chunks == (2,)
    assert "This chunk has been read before" in desk.call("semantic_search", query="late payment").text


def test_naive_embedding_search_returns_whole_chunks(library: FakeRetriever) -> None:
    desk = Desk(library, "a-rag-naive")
    result = desk.call("naive_embedding_search", query="late payment")
    assert (library.searches[0].mode, library.searches[0].limit) == (Mode.SEMANTIC, 5)
    assert "Rent is payable on the third working day" in result.text


def test_a_query_without_words_is_an_error(desk: Desk, library: FakeRetriever) -> None:
    library.note = "The vectors cannot be read."
    assert library.note in desk.call("semantic_search", query="late").text
    assert "There is no word" in desk.call("semantic_search", query="(((").text
    assert "There is no word" in desk.call("keyword_search", keywords=['"""']).text
    assert "too long" in desk.raw("keyword_search", '{"keywords": ["' + "a" * MAX_CHARACTERS + '"]}').text


def test_a_discarded_passage_is_not_shown(desk: Desk) -> None:
    desk.call("keyword_search", keywords=["late"])
    desk.context.discarded.add("turn1search1")
    assert "turn1search1]" not in desk.call("semantic_search", query="late payment").text
    assert desk.call("chunk_read", chunk_ids=["turn1search1"]).failed


def test_a_huge_chunk_is_truncated_with_a_note() -> None:
    desk = Desk(FakeRetriever(("a.txt", document(*("rent " * 2000 for _ in range(4))))), "a-rag")
    desk.context.budget = 500
    desk.call("keyword_search", keywords=["rent"])
    result = desk.call("chunk_read", chunk_ids=["turn1search1"])
    assert "Cut here to save space" in result.text
    assert "open turn1search1" not in result.text
    assert desk.context.count_tokens(result.text) < 520


def test_a_citation_of_a_chunk_by_its_words_finds_the_line(library: FakeRetriever) -> None:
    search, read = ("keyword_search", '{"keywords": ["late"]}'), ("chunk_read", '{"chunk_ids": ["turn1search1"]}')
    text = 'A late payment costs 15 euros. [turn1search1 "A late payment costs 15 euros"]'
    model = ScriptedModel([Says(calls=(search,)), Says(calls=(read,)), Says(text)])
    [citation] = Asker(library, model, toolkit("a-rag")).answer("What if I am late?").citations
    assert (citation.first_line, citation.verdict) == (6, "verbatim")
