from dataclasses import replace

import pytest

from desktop_rag.agent.tools.search_results import MORE
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ToolCall
from desktop_rag.retrieval.api import Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever, document
from tests.unit.agent.tools.desk import Desk


@pytest.fixture
def desk(library: FakeRetriever) -> Desk:
    return Desk(library)


def test_a_document_is_opened_for_some_lines(desk: Desk) -> None:
    desk.call("search", queries=["rent payable"])
    opened = desk.call("open", reference="turn1search1", line=5, lines=2)
    assert [len(evidence.lines) for evidence in opened.evidence] == [2]
    assert "Viewing lines [5–6] of 9 lines" in opened.text


def test_search_merges_queries_and_shows_each_passage_once(desk: Desk, library: FakeRetriever) -> None:
    result = desk.call("search", queries=["rent payable", "late payment", "valve"])
    assert [request.query for request in library.searches] == ["rent payable", "late payment", "valve"]
    assert len(result.sources) == len({source.chunk for source in result.sources})
    assert "[turn1search1] lease.txt: Lease Mill Lane (2023-11-14, lines 5–8, from query 1, 2)" in result.text
    assert "5: Rent is payable on the third working day" in result.text
    assert result.summary.endswith("in 2 documents")


def test_search_takes_five_queries_and_fifty_results_at_most(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", queries=[f"rent {n}" for n in range(9)], limit=500, mode="EXACT")
    assert len(library.searches) == 5
    assert {(request.limit, request.mode) for request in library.searches} == {(50, Mode.EXACT)}


def test_search_explains_an_invalid_query_and_runs_the_others(desk: Desk) -> None:
    result = desk.call("search", queries=["rent AND", "rent"], mode="keyword")
    assert not result.failed
    assert "“rent AND” cannot be understood: AND needs a word behind it Try: leave AND out" in result.text
    assert desk.call("search", queries=["rent AND"]).failed


def test_search_without_a_hit_says_so(desk: Desk) -> None:
    result = desk.call("search", queries="zebra")
    assert result.summary == "Nothing found"
    assert "No passage in the library matches “zebra”" in result.text


def test_limitations_of_a_search_are_reported_to_model_and_user() -> None:
    retriever = FakeRetriever(("lease.txt", document("The rent is 950 euros.")))
    retriever.note = "The encoder is missing. These were found by their words only."
    result = Desk(retriever).call("search", queries=["rent", "deposit"])
    assert result.summary == f"1 passage in 1 document. {retriever.note}"
    assert retriever.note in result.text


def test_search_reports_incomplete_vectors(lease_only: Desk) -> None:
    result = lease_only.call("search", queries=["rent"])
    assert "search by meaning covers 40% of it" in result.text
    assert result.summary == "1 passage in 1 document. Search by meaning covers 40% so far."
    assert "so far" not in lease_only.call("search", queries=["rent"], mode="keyword").summary


@pytest.fixture
def lease_only() -> Desk:
    return Desk(FakeRetriever(("lease.txt", document("The rent is 950 euros.")), coverage=0.4))


def test_search_results_stay_within_the_budget(desk: Desk) -> None:
    desk.context.budget = 110
    result = desk.call("search", queries=["rent", "valve", "boiler", "pets"])
    assert len(result.sources) == 1
    assert "weaker results are left out" in result.text


def test_a_preview_of_a_long_line_is_cut_around_the_words_that_matched() -> None:
    line = "nothing here, " * 200 + "the zebra sleeps at noon, " + "nothing there, " * 200
    result = Desk(FakeRetriever(("zoo.txt", document(line)))).call("search", queries=["zebra"])
    assert len(result.text) < 900


def test_find_shows_two_passages_for_a_pattern_with_their_pages(desk: Desk) -> None:
    desk.call("search", queries=["valve"])
    result = desk.call("find", reference="turn1search1", patterns=["VALVE", "pressure", "zebra"])
    assert "“VALVE”, page 1:\n3: The safety valve opens at three bar." in result.text
    assert "No match for “zebra”." in result.text
    assert [source.first_line for source in result.sources] == [3, 4, 5]
    assert [source.page for source in result.sources] == [1, 2, 2]


def test_find_without_any_match_gives_advice(desk: Desk) -> None:
    desk.call("search", queries=["valve"])
    result = desk.call("find", reference="turn1search1", pattern="zebra")
    assert result.summary == "No match"
    assert result.text.startswith("No match for “zebra”.")


def test_open_says_which_lines_of_how_many_it_shows(desk: Desk) -> None:
    desk.call("search", queries=["rent"])
    result = desk.call("open", reference="turn1search1", line="4")
    assert "Viewing lines [4–9] of 9 lines\n4: The monthly rent is 950 euros." in result.text
    assert "Go on" not in result.text


def test_open_shows_a_window_and_where_to_continue() -> None:
    desk = Desk(FakeRetriever(("long.txt", document(*(f"zebra {n}" for n in range(1, 2_001))))))
    desk.call("search", queries=["zebra"])
    desk.context.budget = 100_000
    assert "Viewing lines [1–1800] of 2000" in desk.call("open", reference="turn1search1").text
    desk.context.budget = 300
    result = desk.call("open", reference="turn1search1", line=7)
    last = result.sources[0].last_line
    assert result.text.endswith(f"Cut here to save space. Go on with line {last + 1}.")
    assert len(result.text) // 4 <= 300


def test_open_shows_the_beginning_of_a_line_that_is_too_long() -> None:
    desk = Desk(FakeRetriever(("wide.txt", document("zebra " * 100_000))))
    desk.call("search", queries=["zebra"])
    desk.context.budget = 300
    assert len(desk.call("open", reference="turn1search1").text) < 1_300


def test_open_beyond_the_end_is_an_answer(desk: Desk) -> None:
    desk.call("search", queries=["rent"])
    assert "has only 9 lines" in desk.call("open", reference="turn1search1", line=10).text


def test_a_chunk_in_the_context_is_not_sent_twice(desk: Desk) -> None:
    desk.call("search", queries=["rent payable"])
    first = desk.call("read_chunks", references=["turn1search1"])
    again = desk.call("read_chunks", references=["turn1search1"], adjacent=1)
    assert "5: Rent is payable" in first.text
    assert "This chunk has been read before (lines 5–8)" in again.text
    assert "5: Rent is payable" not in again.text
    assert "9: The lease ends" in again.text
    assert again.summary == "2 passages read, 1 already read"


def test_neighbours_never_come_from_another_document(desk: Desk) -> None:
    desk.call("search", queries=["lease ends"])
    result = desk.call("read_chunks", references="turn1search1", adjacent=3)
    assert {source.title for source in result.sources} == {"Lease Mill Lane"}


def test_a_chunk_cut_by_the_budget_may_be_read_again(desk: Desk) -> None:
    desk.call("search", queries=["rent payable"])
    desk.context.budget = 80
    assert (
        "Cut here to save space; open turn1search1 at line" in desk.call("read_chunks", references="turn1search1").text
    )
    assert not desk.context.chunks_in_context


def test_evicted_chunks_may_be_read_again(desk: Desk) -> None:
    desk.call("search", queries=["rent payable"])
    desk.call("read_chunks", references=["turn1search1"])
    desk.calls.forget(frozenset({"2"}))
    assert "5: Rent is payable" in desk.call("read_chunks", references=["turn1search1"]).text


@pytest.mark.parametrize("name", ["find", "open", "read_chunks"])
def test_a_removed_document_is_a_result(desk: Desk, library: FakeRetriever, name: str) -> None:
    desk.call("search", queries=["rent"])
    library.missing.add(ContentId(1))
    result = desk.call(name, reference="turn1search1", patterns=["rent"])
    assert result.failed
    assert "no longer in the library" in result.text


@pytest.mark.parametrize("name", ["find", "open", "read_chunks"])
def test_a_wrong_reference_is_answered_with_those_that_exist(desk: Desk, name: str) -> None:
    assert "search first" in desk.call(name, reference="turn1search1", patterns=["x"]).text
    desk.call("search", queries=["rent"])
    result = desk.call(name, reference="/etc/passwd", patterns=["x"])
    assert result.failed
    assert "Known references: turn1search1" in result.text


def test_an_unknown_tool_is_answered_with_the_tools_there_are(desk: Desk) -> None:
    result = desk.call("delete_everything")
    assert result.failed
    assert (
        "The tools are: list_documents, search, find, open, read_chunks, compare, calculate, summarize" in result.text
    )


@pytest.mark.parametrize("arguments", ['{"queries": [', "[]", "12", '{"queries": []}', '{"queries": [""]}'])
def test_invalid_arguments_are_a_result(desk: Desk, arguments: str) -> None:
    result = desk.raw("search", arguments)
    assert result.failed or result.summary == "Nothing found"
    assert result.text


def test_the_user_sees_the_search_mode(desk: Desk) -> None:
    how = {"hybrid": "", "semantic": " by meaning", "linked": " and what it leads to", "keyword": " by words"}
    for mode, words in how.items():
        call = ToolCall("1", "search", f'{{"queries": ["rent"], "mode": "{mode}"}}')
        assert desk.calls.summarize(call) == f"Searching “rent”{words}"


def test_the_same_call_is_not_made_twice(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", queries=["Rent"])
    result = desk.raw("search", '{ "queries" : ["rent"] }')
    assert "made this very call already (“2 passages in 1 document”)" in result.text
    assert len(library.searches) == 1
    assert desk.calls.repeats == 1


def test_exactly_the_shown_lines_count_as_read(desk: Desk) -> None:
    desk.call("search", queries=["pets"])
    assert set(desk.context.lines_read.lines(ContentId(1))) == {7}
    desk.call("read_chunks", references=["turn1search1"])
    assert set(desk.context.lines_read.lines(ContentId(1))) == {5, 6, 7, 8}


def test_a_call_is_described_for_the_user(desk: Desk) -> None:
    def summary(name: str, arguments: str) -> str:
        return desk.calls.summarize(ToolCall("1", name, arguments))

    assert summary("search", '{"queries": ["rent", "a\\nb"]}') == "Searching “rent”, “a b”"
    desk.call("search", queries=["rent"])
    assert summary("open", '{"reference": "turn1search1", "line": 7}') == "Opening Lease Mill Lane at line 7"
    assert summary("find", '{"reference": "turn1search1", "patterns": "x"}') == "Looking for “x” in Lease Mill Lane"
    assert summary("read_chunks", '{"references": ["turn1search1"]}') == "Reading Lease Mill Lane"
    assert summary("nonsense", "{") == "Calling nonsense"


def test_the_model_is_told_that_more_fulfils_its_query(
    desk: Desk, library: FakeRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = library.search
    monkeypatch.setattr(library, "search", lambda request, stop: replace(search(request, stop), more=True))
    assert MORE in desk.raw("search", '{"queries": ["+rent"]}').text
    assert MORE not in desk.raw("search", '{"queries": ["rent"]}').text  # of plain words there are always more


def test_similar_passages_are_set_apart_for_the_model(
    desk: Desk, library: FakeRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = library.search

    def only_similar(request: SearchRequest, stop: Stop) -> SearchResult:
        hits = search(replace(request, query="rent"), stop).hits
        none = request.query != "pets"
        own = search(request, stop).hits
        return SearchResult(request.query, request.mode, 0.0, () if none else own, 1.0, similar=hits)

    monkeypatch.setattr(library, "search", only_similar)
    result = desk.raw("search", '{"queries": ["\\"the rent\\""]}')
    assert result.text.startswith("No passage fulfils the query. Similar passages that do not fulfil the query:")
    mixed = desk.raw("search", '{"queries": ["pets"]}')
    assert mixed.text.startswith("[turn")
    assert "\n\nSimilar passages that do not fulfil the query:\n\n[turn" in mixed.text
    assert len(mixed.evidence) > 1
