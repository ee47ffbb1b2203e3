"""A toolkit may number lines and results from 0 for its model; everywhere else lines count from 1."""

from dataclasses import replace

import pytest

from desktop_rag.agent.citations.citation_syntax import parse_citations
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import ToolCalled, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.replay import RecordedModel, recorded
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.llm.chat import AssistantMessage, ToolMessage
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel

SEARCH = ("search", '{"queries": ["rent payable"]}')
FIND = ("find", '{"reference": "turn1search0", "patterns": ["payable"]}')
OPEN = ("open", '{"reference": "turn1search0", "line": 4}')
READ = ("read_chunks", '{"references": ["turn1search0"]}')
ANSWER = 'On the third working day. [turn1search0 L4 "payable on the third working day"]'


@pytest.fixture
def from_zero() -> Toolkit:
    return replace(toolkit("full"), counts_from=0)


def test_every_tool_shows_lines_from_0(library: FakeRetriever, from_zero: Toolkit) -> None:
    model = ScriptedModel([Says(calls=(SEARCH, FIND, OPEN)), Says(calls=(READ,)), Says(ANSWER)])
    events = Asker(library, model, from_zero).ask("When?")
    search, find, opened, read = (m for m in model.requests[2].messages if isinstance(m, ToolMessage))
    for result in (search, find, opened):
        assert "4: Rent is payable on the third" in result.text
    assert [result.evidence[0].first_line for result in (search, find, opened)] == [4, 4, 4]
    assert "read before (lines 4–7)" in read.text
    assert "Viewing lines [4–8] of 9 lines" in opened.text
    assert "lines 4–7" in search.text
    calls = [event.summary for event in events if isinstance(event, ToolCalled)]
    assert calls[2] == "Opening Lease Mill Lane at line 5"
    sources = [event.sources[0].first_line for event in events if isinstance(event, ToolReturned) and event.sources]
    assert sources[1:3] == [5, 5]


def test_a_citation_counted_from_0_points_at_the_right_line(library: FakeRetriever, from_zero: Toolkit) -> None:
    answered = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(ANSWER)]), from_zero).answer("When?")
    [citation] = answered.citations
    assert (citation.reference, citation.first_line, citation.verdict) == ("turn1search0", 5, "verbatim")


def test_the_built_in_model_reads_and_cites_the_same_numbers(library: FakeRetriever, from_zero: Toolkit) -> None:
    answered = Asker(library, ExtractiveModel(), from_zero).answer("When is rent payable?")
    assert answered.citations
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


def test_history_uses_the_numbering_of_the_model(library: FakeRetriever, from_zero: Toolkit) -> None:
    events = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(ANSWER)]), from_zero).ask("When?")
    model = ScriptedModel([Says("As said. [turn1search0 L4]")])
    conversation = Conversation((Turn(1, "When?", tuple(events), 0),))
    answered = Asker(library, model, from_zero, conversation=conversation).answer("Again?")
    said = next(m.text for m in model.requests[0].messages if isinstance(m, AssistantMessage))
    assert said == ANSWER
    assert [citation.first_line for citation in answered.citations] == [5]


def test_a_line_beyond_the_end_is_named_as_requested(library: FakeRetriever, from_zero: Toolkit) -> None:
    beyond = ("open", '{"reference": "turn1search0", "line": 9}')
    model = ScriptedModel([Says(calls=(SEARCH, beyond)), Says("Done.")])
    Asker(library, model, from_zero).ask("When?")
    assert model.requests[1].messages[-1].text == "turn1search0 has only 9 lines; line 9 is beyond its end."


@pytest.mark.parametrize(
    ("text", "relevancy", "lines", "quote"),
    [
        ('turn1search2 L14-15 relevancy 0.9 "the words"', 0.9, (14, 15), "the words"),
        ('turn1search2 L14 "the words" relevancy: 95%', 95.0, (14, 14), "the words"),
        ('turn1search2 L14 "score 3 goals", relevancy=4/5', 4.0, (14, 14), "score 3 goals"),
        ("turn1search2 relevancy 1", 1.0, (None, None), ""),
        ("turn1search2 L7", None, (7, 7), ""),
    ],
)
def test_a_citation_may_carry_how_relevant_its_document_is(
    text: str, relevancy: float | None, lines: tuple[int | None, int | None], quote: str
) -> None:
    [raw] = parse_citations(text)
    assert (raw.relevancy, (raw.first, raw.last), raw.quote) == (relevancy, lines, quote)


def test_relevancy_is_kept_with_the_citation_and_not_shown(library: FakeRetriever) -> None:
    pieces = (
        "On the third working day [turn1search1 L5 ",
        '"payable on the third working day" rel',
        "evancy 0.8]. A late payment costs 15 euros [turn1search1 L6 relevancy 0.3].",
    )
    answered = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(pieces)])).answer("When?")
    assert answered.text == "On the third working day [1](cite:1). A late payment costs 15 euros [2](cite:2)."
    assert [(citation.relevancy, citation.first_line) for citation in answered.citations] == [(0.8, 5), (0.3, 6)]


def test_a_run_counted_from_0_is_replayed_unchanged(library: FakeRetriever) -> None:
    kit = toolkit("agentic-rag")
    said = 'On the third working day. [turn1search0 L4 relevancy 0.9 "payable on the third working day"]'
    events = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(said)]), kit).ask("When?")
    again = RecordedModel(recorded(Turn(1, "When?", tuple(events), 0)), None, "scripted")
    [citation] = Asker(library, again, kit).answer("When?").citations
    assert (citation.reference, citation.first_line, citation.verdict) == ("turn1search0", 5, "verbatim")


def test_a_conversation_may_continue_in_a_toolkit_with_another_numbering(library: FakeRetriever) -> None:
    said = 'On the third working day. [turn1search0 L4 "payable on the third working day"]'
    events = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(said)]), toolkit("agentic-rag")).ask("When?")
    model = ScriptedModel(
        [Says(calls=(("open", '{"reference": "turn1search0", "line": 5}'),)), Says("Yes. [turn1search0 L5]")]
    )
    conversation = Conversation((Turn(1, "When?", tuple(events), 0),))
    answered = Asker(library, model, conversation=conversation).answer("Sure?")
    told = next(m.text for m in model.requests[0].messages if isinstance(m, AssistantMessage))
    assert "[turn1search0 L5 " in told
    assert [citation.first_line for citation in answered.citations] == [5]
