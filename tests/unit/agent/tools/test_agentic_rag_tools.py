"""AgenticRAG's search, find, open and summarize."""

import pytest

from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.retrieval.api import Mode
from tests.unit.agent.conftest import FakeRetriever, document
from tests.unit.agent.tools.desk import Desk


@pytest.fixture
def desk(library: FakeRetriever) -> Desk:
    return Desk(library, "agentic-rag")


def test_search_merges_up_to_five_queries_of_ten_results(desk: Desk, library: FakeRetriever) -> None:
    result = desk.call("search", queries=["rent payable", "late payment", "rent payable", "a", "b", "c", "valve"])
    assert [request.query for request in library.searches] == ["rent payable", "late payment", "a", "b", "c"]
    assert {(request.mode, request.limit) for request in library.searches} == {(Mode.HYBRID, 10)}
    assert len(result.sources) == len({source.chunk for source in result.sources})
    assert result.text.startswith("[turn1search0] lease.txt: Lease Mill Lane (2023-11-14, lines 4–7")
    assert "4: Rent is payable on the third working day" in result.text


def test_a_single_query_returns_as_many_results_as_five(library: FakeRetriever) -> None:
    desk = Desk(library, "agentic-rag-single-query")
    desk.call("search", query="rent payable", queries=["ignored"])
    assert [(request.query, request.limit) for request in library.searches] == [("rent payable", 50)]


def test_queries_are_plain_language(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", queries=['title:lease AND "rent', "???"])
    assert [request.query for request in library.searches] == ["title lease rent"]
    assert "no word in “***”" in desk.call("search", queries=["***"]).text


def test_find_shows_two_passages_a_pattern_and_each_once(desk: Desk) -> None:
    desk.call("search", queries=["rent"])
    result = desk.call("find", reference_id="turn1search0", patterns=["RENT", "payable", "cat"])
    assert [source.first_line for source in result.sources] == [4, 5]
    assert "3: The monthly rent is 950 euros." in result.text
    assert "No match for “cat”" in result.text


def test_find_by_meaning_looks_inside_the_one_document(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", queries=["rent"])
    result = desk.call("find", reference_id="turn1search0", patterns=["pets allowed", "valve"], mode="semantic")
    asked = library.searches[-2:]
    assert [(r.query, r.mode, r.limit) for r in asked] == [
        ("pets allowed", Mode.SEMANTIC, 2),
        ("valve", Mode.SEMANTIC, 2),
    ]
    assert {r.scope.contents for r in asked} == {(1,)}
    assert "6: Pets are allowed with written consent." in result.text
    assert "No match for “valve”" in result.text
    library.note = "The vectors cannot be read."
    again = desk.call("find", reference_id="turn1search0", patterns=["consent"], mode="semantic")
    assert again.text.endswith("\n\nThe vectors cannot be read.")
    assert not any(query == "consent" for query, _ in desk.context.phrasings)


def test_find_without_meaning_has_no_mode(library: FakeRetriever) -> None:
    desk = Desk(library, "agentic-rag-no-semantic-find")
    desk.call("search", queries=["rent"])
    result = desk.call("find", reference_id="turn1search0", patterns=["rent"], mode="semantic")
    assert result.failed
    assert "lexical" in result.text
    assert "semantic" not in toolkit("agentic-rag-no-semantic-find").prompt


def test_open_shows_a_window_of_1800_lines_with_its_range() -> None:
    desk = Desk(FakeRetriever(("long.txt", document(*(f"line {n} rent" for n in range(3000))))), "agentic-rag")
    desk.context.budget = 100_000
    desk.call("search", queries=["rent"])
    result = desk.call("open", reference_id="turn1search0")
    assert "\nViewing lines [0–1799] of 3000 lines\n0: line 0 rent\n" in result.text
    assert result.text.endswith("1799: line 1799 rent\nGo on with line 1800.")
    assert (result.sources[0].first_line, result.sources[0].last_line) == (1, 1800)
    assert "Viewing lines [2999–2999] of 3000 lines" in desk.call("open", reference_id="turn1search0", line=2999).text
    assert desk.call("open", reference_id="turn1search0", line=3000).failed


def test_one_result_stays_below_eleven_thousand_tokens() -> None:
    assert toolkit("agentic-rag").result_tokens == 11_000
    desk = Desk(FakeRetriever(("long.txt", document(*("rent " * 40 for _ in range(1800))))), "agentic-rag")
    desk.call("search", queries=["rent"])
    for result in (
        desk.call("open", reference_id="turn1search0"),
        desk.call("find", reference_id="turn1search0", patterns=["rent"]),
    ):
        assert desk.context.count_tokens(result.text) <= 11_000


def test_summarize_keeps_what_is_named_and_says_what_can_still_be_used(desk: Desk) -> None:
    desk.call("search", queries=["rent", "valve"])
    names = desk.context.references.all_names()
    result = desk.call(
        "summarize", summary="The rent is 950 euros.", candidate_reference_ids=[names[1], "turn7search7"]
    )
    assert result.kept == (names[1],)
    assert f"Kept: {names[1]}. There is no turn7search7." in result.text
    assert names[0] in result.text
    assert result.summary == "1 result kept"


def test_summarize_may_keep_nothing_but_has_to_say_something(desk: Desk) -> None:
    assert desk.call("summarize", summary="Nothing yet.", candidate_reference_ids=[]).kept == ()
    result = desk.call("summarize", candidate_reference_ids=["turn1search0"])
    assert result.failed
    assert '"summary" is missing' in result.text


def test_a_removed_document_is_reported(desk: Desk, library: FakeRetriever) -> None:
    desk.call("search", queries=["rent"])
    library.missing.update(library._documents)
    for mode in ("lexical", "semantic"):
        found = desk.call("find", reference_id="turn1search0", patterns=["rent"], mode=mode)
        assert "no longer in the library" in found.text
    assert desk.call("open", reference_id="turn1search0").failed
