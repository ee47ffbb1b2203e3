"""The toolkits of the papers over a real library: run by the built-in model, and each tool alone."""

from collections.abc import Sequence

import pytest

from desktop_rag.agent.events import AgentEvent, Answered, RunFailed, ToolCalled, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.baselines import NO_GOLD, oracle
from desktop_rag.agent.toolkits.registry import toolkit, toolkit_names
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.agent.tools.gold_passages import GoldPassage
from desktop_rag.agent.tools.tool import ToolResult
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, LEASE
from tests.unit.agent.tools.desk import Desk

SEARCHING = [name for name in toolkit_names() if name not in ("direct", "oracle", "auto")]
QUESTIONS = {
    "On which day is the rent paid?": "first day of each month",
    "How many hours a day does a cat sleep?": "sixteen hours",
}


def run(engine: SearchEngine, kit: Toolkit, question: str) -> list[AgentEvent]:
    return list(answer(Question(question), Run(kit, ExtractiveModel(), engine)))


def titles(result: ToolResult) -> Sequence[str]:
    return [source.title for source in result.sources]


@pytest.mark.parametrize("kit", SEARCHING)
def test_the_built_in_model_answers_in_every_toolkit(engine: SearchEngine, kit: str) -> None:
    chosen = toolkit(kit)
    for question, words in QUESTIONS.items():
        events = run(engine, chosen, question)
        answered = events[-1]
        assert isinstance(answered, Answered), answered
        assert words in answered.text
        assert {citation.verdict for citation in answered.citations} == {"verbatim"}
        names = {tool.spec.name for tool in (*chosen.tools, *chosen.pre_step_tools)}
        assert {event.name for event in events if isinstance(event, ToolCalled)} <= names
        assert not any(event.failed for event in events if isinstance(event, ToolReturned))


def test_a_question_no_document_answers_is_not_found_in_any_toolkit(engine: SearchEngine) -> None:
    for kit in SEARCHING:
        answered = run(engine, toolkit(kit), "Who won the zeppelin race of Lakehurst in 1937?")[-1]
        assert isinstance(answered, Answered)
        assert not answered.found, kit


def test_the_oracle_answers_from_the_given_lines_alone(engine: SearchEngine) -> None:
    hit = engine.search(SearchRequest("deposit", Mode.KEYWORD, 1), Stop()).hits[0]
    line = 1 + LEASE[: LEASE.index("The deposit")].count("\n")
    answered = run(engine, oracle([GoldPassage(hit.content, line, line)]), "How high is the deposit?")[-1]
    assert isinstance(answered, Answered)
    assert {(c.first_line, c.verdict) for c in answered.citations} == {(line, "verbatim")}
    refused = run(engine, toolkit("oracle"), "How high is the deposit?")[-1]
    assert isinstance(refused, RunFailed)
    assert refused.message == NO_GOLD


def test_direct_searches_nothing(engine: SearchEngine) -> None:
    events = run(engine, toolkit("direct"), "How high is the deposit?")
    assert not any(isinstance(event, ToolCalled) for event in events)
    assert isinstance(events[-1], Answered)
    assert not events[-1].found


def test_keyword_search_scores_by_count_and_length(engine: SearchEngine) -> None:
    result = Desk(engine, "a-rag").call("keyword_search", keywords=["rent", "Deposit"])
    scores = [evidence.score for evidence in result.evidence]
    chunks = engine.read_chunks(tuple(source.chunk for source in result.sources if source.chunk), Stop())
    texts = [" ".join(chunk.lines).lower() for chunk in chunks]
    assert list(dict.fromkeys(scores)) == [text.count("rent") * 4 + text.count("deposit") * 7 for text in texts]
    assert "The tenant pays the rent on the first day of each month." in result.text
    assert "cats" not in result.text.lower()


def test_snippets_are_whole_sentences_of_the_chunk(engine: SearchEngine) -> None:
    result = Desk(engine, "a-rag").call("keyword_search", keywords=["kitten"])
    assert result.text.endswith("\n... Feed your kitten four times a day until it is six months old. ...")
    [evidence] = result.evidence
    assert CATS.split("\n")[evidence.first_line - 1] == evidence.lines[0]


def test_meaning_is_found_without_a_shared_word(engine: SearchEngine) -> None:
    desk = Desk(engine, "a-rag")
    result = desk.call("semantic_search", query="how often to give food to a young feline", top_k=1)
    assert "Feed your kitten four times a day" in result.text
    name = result.evidence[0].reference
    read = desk.call("chunk_read", chunk_ids=[name])
    assert "Cats in Zürich need a naïve veterinarian" in read.text
    assert "has been read before" in desk.call("chunk_read", chunk_ids=[name, f"{name}+1", f"{name}-1"]).text


def test_find_by_meaning_stays_in_its_document(engine: SearchEngine) -> None:
    desk = Desk(engine, "agentic-rag")
    desk.call("search", queries=["rent of the flat"])
    reference = next(s.reference for s in desk.call("search", queries=["lease"]).sources if s.path.endswith("lease.md"))
    result = desk.call("find", reference_id=reference, patterns=["getting money back when leaving"], mode="semantic")
    assert "paid back after the tenant has moved out" in result.text
    assert len(result.sources) <= 2
    opened = desk.call("open", reference_id=reference)
    assert "Viewing lines [0–7] of 8 lines\n0: # Lease agreement" in opened.text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("rent AND zeppelin", "- rent: 2 documents\n- zeppelin: no document at all\n“zeppelin” stands nowhere"),
        ("kitten AND deposit", "- kitten: 1 document\n- deposit: 1 document\nNo passage has all of it together"),
        ('"rent of the moon"', '- "rent of the moon": no document at all'),
        ("rent AND NOT (tenant OR percent OR landlord)", "- NOT tenant: "),
    ],
)
def test_a_failed_logical_search_explains_its_clauses(engine: SearchEngine, query: str, told: str) -> None:
    assert told in Desk(engine, "logical-rag").call("search", query=query).text


def test_a_logical_search_runs_the_query_unchanged(engine: SearchEngine) -> None:
    desk = Desk(engine, "logical-rag")
    assert set(titles(desk.call("search", query="rent NOT percent"))) == {"Lease agreement"}
    assert len(desk.call("search", query="kitten budget").sources) == 2
    assert not desk.call("search", query="kitten budget", default_operator="AND").sources
    assert titles(desk.call("search", query='title:"Keeping cats"')) == ["Keeping cats"]
    assert "cannot be understood" in desk.call("search", query='"rent').text


def test_the_hybrid_baseline_fuses_ranks(engine: SearchEngine) -> None:
    result = Desk(engine, "agentic-hybrid").call("search", query="what does the tenant pay", max_results=3)
    scores = [evidence.score for evidence in result.evidence]
    assert scores == sorted(scores, reverse=True)
    assert all(score <= 2 / 61 + 1e-9 for score in scores)
    assert result.sources[0].path.endswith("lease.md")
