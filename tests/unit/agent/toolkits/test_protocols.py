"""The protocols of the papers' systems: prompts, permitted calls and limits."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import pytest

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    LimitReached,
    Remark,
    RunFailed,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import FROM_MEMORY, PLAN, SUMMARIZE_NOW
from desktop_rag.agent.toolkits.baselines import NO_GOLD, oracle
from desktop_rag.agent.toolkits.registry import toolkit, toolkit_names
from desktop_rag.agent.tools.gold_passages import GoldPassage
from desktop_rag.documents.document import Document
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import AssistantMessage, ChatEvent, ChatRequest, SystemMessage, ToolMessage, UserMessage
from desktop_rag.retrieval.api import Mode
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document
from tests.unit.agent.run.test_loop import of

FREE = Limits(steps=100, tool_calls=100, seconds=0, context_tokens=0, total_tokens=0)
DONE = Says("[not found] Nothing.")
LOGICAL = ("logical-rag", "logical-rag-no-operators", "logical-rag-syntax-only", "agentic-hybrid")


def search(kit: str, number: int) -> tuple[str, str]:
    """Return a call of a toolkit's first tool that differs from others by its number."""
    tool = toolkit(kit).tools[0]
    value = f'["rent", "{number}"]' if tool.parameters[0] in ("queries", "keywords") else f'"rent {number}"'
    return tool.spec.name, f'{{"{tool.parameters[0]}": {value}}}'


def asides(request: ChatRequest) -> list[str]:
    return [message.text for message in request.messages if isinstance(message, UserMessage) and message.aside]


def results(request: ChatRequest) -> list[ToolMessage]:
    return [message for message in request.messages if isinstance(message, ToolMessage)]


def tools(events: Sequence[AgentEvent]) -> list[str]:
    return [event.name for event in of(events, ToolCalled)]


@pytest.mark.parametrize(("kit", "steps"), [("agentic-rag", 15), ("a-rag", 20), ("a-rag-naive", 20)])
def test_a_toolkit_ends_after_the_steps_of_its_paper(library: FakeRetriever, kit: str, steps: int) -> None:
    model = ScriptedModel([*(Says(calls=(search(kit, number),)) for number in range(steps)), DONE])
    events = Asker(library, model, toolkit(kit), limits=FREE).ask("When?")
    assert [event.limit for event in of(events, LimitReached)] == ["steps"]
    assert len(tools(events)) == steps
    assert model.requests[-1].tools == ()
    assert asides(model.requests[-1])[-1] == toolkit(kit).ending


def test_a_rag_takes_the_users_limit_if_it_is_smaller(library: FakeRetriever) -> None:
    assert toolkit("a-rag").bind(Limits()).steps == 15
    assert toolkit("a-rag").bind(Limits(steps=5)).steps == 5
    assert toolkit("a-rag").ending == "Answer the question"


def test_a_rag_runs_one_tool_a_step(library: FakeRetriever) -> None:
    both = Says(calls=(search("a-rag", 1), ("semantic_search", '{"query": "rent"}')))
    model = ScriptedModel([both, DONE])
    events = Asker(library, model, toolkit("a-rag")).ask("When?")
    assert tools(events) == ["keyword_search"]
    first, second = results(model.requests[1])
    assert "[turn1search1]" in first.text
    assert second.text.startswith("Not run: only 1 a step.")


@pytest.mark.parametrize("kit", LOGICAL)
def test_logical_rag_plans_first_and_searches_at_most_eight_times(library: FakeRetriever, kit: str) -> None:
    turns = [
        Says("1. When rent is payable."),
        *(Says(calls=(search(kit, n), search(kit, 50 + n))) for n in range(8)),
        DONE,
    ]
    model = ScriptedModel(turns)
    events = Asker(library, model, toolkit(kit), limits=FREE).ask("When is rent payable?")
    assert model.requests[0].tools == ()
    assert asides(model.requests[0]) == [PLAN]
    assert of(events, Remark) == [Remark(1, "plan", "1. When rent is payable.")]
    assert AssistantMessage("1. When rent is payable.") in model.requests[-1].messages
    assert tools(events) == ["search"] * 8
    assert [event.limit for event in of(events, LimitReached)] == ["tool calls"]
    assert len(of(events, StepStarted)) == 9


def long_library() -> FakeRetriever:
    one = document(*(f"alpha line {n} of the first report about rent" for n in range(400)))
    two = document(*(f"beta line {n} of the second report about rent" for n in range(400)))
    return FakeRetriever(("one.txt", one), ("two.txt", two))


def opened(name: str, line: int = 0) -> tuple[str, str]:
    return "open", f'{{"reference_id": "{name}", "line": {line}}}'


@dataclass
class Summing(ScriptedModel):
    """Sums up when nothing else is offered, then answers."""

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        if [tool.name for tool in request.tools] == ["summarize"]:
            arguments = '{"summary": "The first report matters.", "candidate_reference_ids": ["turn1search0"]}'
            self.turns = [*self.turns[: len(self.requests)], Says(calls=(("summarize", arguments),)), DONE]
        yield from super().chat(request, stop)


def test_agentic_rag_summarises_when_its_context_is_full() -> None:
    turns = [
        Says(calls=(("search", '{"queries": ["alpha report", "beta report"]}'),)),
        *(Says(calls=(opened(f"turn1search{n % 2}", 40 * n),)) for n in range(14)),
    ]
    model = Summing(turns, window=5_000, output=500)
    events = Asker(long_library(), model, toolkit("agentic-rag"), limits=FREE).ask("What do the reports say?")
    assert isinstance(events[-1], Answered)
    assert not of(events, LimitReached)
    forced = next(n for n, request in enumerate(model.requests) if [t.name for t in request.tools] == ["summarize"])
    told = asides(model.requests[forced])
    assert told[0].startswith("Your context is 9")
    assert told[1] == SUMMARIZE_NOW.format(tool="summarize")
    before, after = model.requests[forced], model.requests[forced + 1]
    assert len(after.tools) == 4
    assert sum(len(result.text) for result in results(after)) < sum(len(result.text) for result in results(before))
    kept = {shown.reference for result in results(after)[:-1] for shown in result.evidence}
    assert kept == {"turn1search0"}
    assert "still usable: turn1search1" in results(after)[0].text
    assert results(after)[-1].text.startswith("Noted. Kept: turn1search0.")


def test_without_summarize_old_results_leave_the_context(library: FakeRetriever) -> None:
    kit = toolkit("agentic-rag-no-summarize")
    assert "summarize" not in kit.prompt
    turns = [
        Says(calls=(search("agentic-rag", n), opened("turn1search0") if n else search("agentic-rag", 90 + n)))
        for n in range(9)
    ]
    model = ScriptedModel([*turns, DONE], window=9_000, output=500)
    events = Asker(long_library(), model, kit, limits=FREE).ask("What do the reports say?")
    assert isinstance(events[-1], Answered)
    assert any("removed to save space" in result.text for request in model.requests for result in results(request))


def test_references_of_an_earlier_turn_are_used_again(library: FakeRetriever) -> None:
    kit = toolkit("agentic-rag")
    first = ScriptedModel([Says(calls=(search("agentic-rag", 1),)), Says("950 euros. [turn1search0 L3 relevancy 0.9]")])
    events = Asker(library, first, kit).ask("How much is the rent?")
    conversation = Conversation((Turn(1, "How much is the rent?", tuple(events), 0),))
    answer = 'On the third working day. [turn1search0 L4 relevancy 1 "payable on the third working day"]'
    second = ScriptedModel(
        [Says(calls=(opened("turn1search0"),)), Says(calls=(search("agentic-rag", 2),)), Says(answer)]
    )
    events = Asker(library, second, kit, conversation=conversation).ask("And when is it payable?")
    returned = of(events, ToolReturned)
    assert not any(event.failed for event in returned)
    assert "turn1search0" in {source.reference for source in returned[1].sources}
    [citation] = of(events, Answered)[0].citations
    assert (citation.first_line, citation.relevancy) == (5, 1.0)


def test_single_shot_searches_once_and_answers(library: FakeRetriever) -> None:
    model = ScriptedModel([Says('On the third working day. [turn1search1 L5 "payable on the third working day"]')])
    events = Asker(library, model, toolkit("single-shot")).ask("When is rent payable?")
    [request] = model.requests
    assert request.tools == ()
    system, question = request.messages
    assert isinstance(system, SystemMessage)
    assert "step" not in system.text
    assert isinstance(question, UserMessage)
    assert question.text.startswith("Passages:\n\n")
    assert "] lease.txt: Lease Mill Lane (lines 5–8)\n5: Rent is payable" in question.text
    assert question.text.endswith("\n\nQuestion: When is rent payable?")
    assert question.evidence
    assert tools(events) == ["naive_embedding_search"]
    assert of(events, Answered)[0].citations[0].verdict == "verbatim"


def test_one_search_of_agentic_rag_shows_previews_by_its_own_numbers(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("On the third working day. [turn1search0 L4]")])
    events = Asker(library, model, toolkit("agentic-rag-single-shot")).ask("When is rent payable?")
    assert tools(events) == ["search"]
    assert "4: Rent is payable on the third" in model.requests[0].messages[-1].text
    assert of(events, Answered)[0].citations[0].first_line == 5


def test_a_single_retrieval_fits_a_small_window() -> None:
    model = ScriptedModel([DONE], window=2_000, output=300)
    Asker(long_library(), model, toolkit("single-shot")).ask("What do the reports say about rent?")
    assert sum(model.count_tokens(message.text) for message in model.requests[0].messages) < 1_700


def test_single_shot_reports_an_empty_result(library: FakeRetriever) -> None:
    model = ScriptedModel([DONE])
    Asker(library, model, toolkit("single-shot")).ask("Zeppelins?")
    assert "No chunk is near to this in meaning." in model.requests[0].messages[-1].text
    answered = Asker(library, ExtractiveModel(), toolkit("single-shot")).answer("Zeppelins?")
    assert not answered.found
    assert answered.text.startswith("No sentence that answers this was found in your library.")


def test_direct_searches_nothing_and_says_so(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("Paris.")])
    answered = Asker(library, model, toolkit("direct")).answer("What is the capital of France?")
    assert answered.text == f"Paris.\n\n{FROM_MEMORY}"
    assert answered.citations == ()
    assert not library.searches
    [request] = model.requests
    assert [type(message) for message in request.messages] == [SystemMessage, UserMessage]
    assert "library" not in request.messages[0].text


def test_direct_needs_no_library_and_no_note_for_what_it_does_not_know() -> None:
    answered = Asker(FakeRetriever(), ScriptedModel([Says("[not found] I do not know.")]), toolkit("direct")).answer(
        "Who?"
    )
    assert (answered.text, answered.found) == ("I do not know.", False)


def test_the_built_in_model_knows_nothing_by_itself(library: FakeRetriever) -> None:
    answered = Asker(library, ExtractiveModel(), toolkit("direct")).answer("What is the capital of France?")
    assert not answered.found
    assert answered.text.startswith("The built-in model knows nothing by itself")
    assert answered.claims == ()


def test_the_oracle_is_given_the_right_lines(library: FakeRetriever) -> None:
    kit = oracle([GoldPassage(ContentId(1), 5, 6), GoldPassage(ContentId(2), 3, 1 << 40)])
    text = (
        'On the third working day. [turn1search1 L5 "payable on the third working day"] At three bar. [turn1search2 L3]'
    )
    model = ScriptedModel([Says(text)])
    answered = Asker(library, model, kit).answer("When is rent payable?")
    question = model.requests[0].messages[-1].text
    assert (
        "[turn1search1] lease.txt: Lease Mill Lane\n5: Rent is payable on the third working day of each month.\n6: A"
        in question
    )
    assert "7: Pets" not in question
    assert "5: Order part 4711" in question
    assert [(c.first_line, c.verdict) for c in answered.citations] == [(5, "verbatim"), (3, "paraphrase")]
    assert not library.searches


def test_the_oracle_without_gold_passages_fails_with_a_reason(library: FakeRetriever) -> None:
    last = Asker(library, ScriptedModel([DONE]), toolkit("oracle")).ask("When?")[-1]
    assert isinstance(last, RunFailed)
    assert last.message == NO_GOLD


def test_removed_gold_passages_are_reported(library: FakeRetriever) -> None:
    library.missing.add(ContentId(1))
    model = ScriptedModel([DONE])
    Asker(library, model, oracle([GoldPassage(ContentId(1), 1, 3)])).ask("When?")
    assert "no longer holds the passages" in model.requests[0].messages[-1].text


@pytest.mark.parametrize("kit", [name for name in toolkit_names() if name != "oracle"])
def test_the_built_in_model_works_in_every_toolkit(lease: Document, manual: Document, kit: str) -> None:
    library = FakeRetriever(("lease.txt", lease), ("boiler.pdf", manual))
    chosen = toolkit(kit)
    events = Asker(library, ExtractiveModel(), chosen).ask("When is rent payable?")
    answered = events[-1]
    assert isinstance(answered, Answered)
    if kit == "direct":
        return
    assert "Rent is payable on the third working day of each month." in answered.text
    assert answered.citations[0].first_line == 5
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


@pytest.mark.parametrize("kit", [name for name in toolkit_names() if toolkit(name).tools])
def test_a_model_that_calls_no_tools_is_given_passages_in_every_toolkit(library: FakeRetriever, kit: str) -> None:
    model = ScriptedModel([Says("On the third working day of each month, I believe.")])
    answered = Asker(library, model, toolkit(kit)).answer("When is rent payable?")
    given = model.requests[-1].messages[-1].text
    assert "\nRent is payable on the third working day of each month.\n" in given
    assert "> Rent is payable on the third working day of each month." in answered.text
    assert answered.citations[0].first_line == 5
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


@pytest.mark.parametrize("question", ["When is rent payable?", "List all amounts of rent"])
def test_the_literal_toolkit_never_searches_by_meaning(library: FakeRetriever, question: str) -> None:
    by_meaning = Says(calls=(("search", '{"queries": ["rent"], "mode": "semantic"}'),))
    by_default = Says(calls=(("search", '{"queries": ["rent"]}'),))
    events = Asker(library, ScriptedModel([by_meaning, by_default, DONE]), toolkit("literal")).ask(question)
    Asker(library, ExtractiveModel(), toolkit("literal")).ask(question)
    assert {request.mode for request in library.searches} <= {Mode.KEYWORD, Mode.EXACT}
    assert library.searches
    assert of(events, Answered)


def test_the_quick_toolkit_searches_once_and_reads(library: FakeRetriever) -> None:
    model = ScriptedModel([Says('On the third. [turn1search1 L5 "payable on the third working day"]')])
    events = Asker(library, model, toolkit("quick")).ask("When is rent payable?")
    assert tools(events) == ["search", "read_chunks"]
    assert [request.query for request in library.searches] == ["When is rent payable?"]
    assert len(model.requests) == 1
