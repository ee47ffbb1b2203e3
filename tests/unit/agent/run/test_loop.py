from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

import pytest

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.prompts import ANSWER_NOW, EMPTY_REPLY, NOT_FOUND_OPENING
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.errors import ContextOverflow, LibraryError, ModelRefused, PromptTruncated, StreamCut
from desktop_rag.index.records import FolderId
from desktop_rag.llm.chat import AssistantMessage, ChatEvent, ChatRequest, TokenUsage, ToolMessage, UserMessage
from desktop_rag.retrieval.api import Scope
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document

Kind = TypeVar("Kind")
SEARCH = ("search", '{"queries": ["rent payable"]}')
READ = ("read_chunks", '{"references": ["turn1search1"]}')
ANSWER = 'Rent is due on the third working day. [turn1search1 L5 "payable on the third working day"]'


def kinds(events: Sequence[AgentEvent]) -> list[str]:
    return [type(event).__name__ for event in events if not isinstance(event, ContextMeasured)]


def of(events: Sequence[AgentEvent], kind: type[Kind]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def test_a_run_searches_reads_and_answers_with_citations(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(thinking="Let me see.", calls=(SEARCH,)), Says(calls=(READ,)), Says(ANSWER)])
    events = Asker(library, model).ask("When is rent payable?")
    assert kinds(events) == [
        "RunStarted",
        *("StepStarted", "Thought", "ToolCalled", "ToolReturned"),
        *("StepStarted", "ToolCalled", "ToolReturned"),
        *("StepStarted", "AnswerDelta", "Answered"),
    ]
    assert events[0] == RunStarted("When is rent payable?", "full", "scripted", 1)
    assert of(events, ToolCalled)[0] == ToolCalled(1, "call1_1", *SEARCH, "Searching “rent payable”")
    assert of(events, ToolReturned)[0].summary == "2 passages in 1 document"
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert answered.text == "Rent is due on the third working day. [1](cite:1)"
    assert answered.text == "".join(event.text for event in of(events, AnswerDelta))
    assert (answered.steps, answered.found, answered.usage.requests) == (3, True, 3)
    [citation] = answered.citations
    assert (citation.number, citation.first_line, citation.last_line, citation.verdict) == (1, 5, 5, "verbatim")
    assert citation.quote == "payable on the third working day"
    assert (citation.path, citation.sha256[-1], citation.passage_first_line) == ("/library/lease.txt", "1", 2)
    assert citation.quote in citation.passage.split("\n")[citation.first_line - citation.passage_first_line]


def test_a_preamble_becomes_a_thought(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(("I will ", "search."), calls=(SEARCH,)), Says("[not found] Done.")])
    events = Asker(library, model).ask("When?")
    assert kinds(events)[2:6] == ["AnswerDelta", "AnswerDelta", "AnswerRestarted", "Thought"]
    assert of(events, Thought) == [Thought(1, "I will search.")]
    assert of(events, AnswerRestarted) == [AnswerRestarted(1)]
    assert of(events, Answered)[0].text.startswith("Done.")


def test_every_call_of_a_message_is_answered_in_order(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(SEARCH, READ, ("nonsense", "{"), SEARCH)), Says("Done.")])
    Asker(library, model).ask("When?")
    messages = model.requests[1].messages
    assert [m.call_id for m in messages if isinstance(m, ToolMessage)] == [f"call1_{n}" for n in range(1, 5)]


def test_an_unread_source_is_never_cited(library: FakeRetriever) -> None:
    model = ScriptedModel(
        [Says(calls=(SEARCH,)), Says("The moon is cheese [turn1search7 L3]. So [turn1search1 L900].")]
    )
    answered = Asker(library, model).answer("What is the moon?")
    assert answered.citations == ()
    assert "cite:" not in answered.text


def test_a_citation_of_wrong_lines_is_corrected(library: FakeRetriever) -> None:
    text = 'A late payment costs 15 euros. [turn1search1 L2 "A late payment costs 15 euros"]'
    model = ScriptedModel([Says(calls=(SEARCH, READ)), Says(text)])
    [citation] = Asker(library, model).answer("What if I am late?").citations
    assert (citation.first_line, citation.verdict) == (6, "misattributed")


def test_a_quote_not_found_anywhere_is_marked(library: FakeRetriever) -> None:
    text = 'Rent is due in advance. [turn1search1 L5 "payable six months in advance"]'
    model = ScriptedModel([Says(calls=(SEARCH, READ)), Says(text)])
    [citation] = Asker(library, model).answer("When?").citations
    assert (citation.first_line, citation.verdict) == (5, "not found")


def test_a_citation_without_words_gets_the_sentence_that_supports_it(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(SEARCH, READ)), Says("Being late costs 15 euros [turn1search1 L5-7].")])
    [citation] = Asker(library, model).answer("What if I am late?").citations
    assert (citation.first_line, citation.last_line, citation.verdict) == (5, 7, "paraphrase")
    assert citation.quote == "A late payment costs 15 euros."


def test_a_citation_has_its_page(library: FakeRetriever) -> None:
    calls = (("search", '{"queries": ["pressure"]}'), READ)
    model = ScriptedModel([Says(calls=calls), Says("Between one and two bar [turn1search1 L4].")])
    [citation] = Asker(library, model).answer("Pressure?").citations
    assert (citation.page, citation.format) == (2, "pdf")


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(steps=2), "steps"),
        (Limits(tool_calls=2), "tool calls"),
        (Limits(total_tokens=250), "total tokens"),
    ],
)
def test_a_limit_ends_the_search_with_one_last_turn_without_tools(
    library: FakeRetriever, limits: Limits, limit: str
) -> None:
    calls = [Says(calls=(("search", f'{{"queries": ["rent {n}"]}}'),), usage=TokenUsage(100, 5)) for n in range(3)]
    model = ScriptedModel([*calls[: {"steps": 2, "tool calls": 2}.get(limit, 3)], Says("What I know.")])
    events = Asker(library, model, limits=limits).ask("When?")
    assert [event.limit for event in of(events, LimitReached)] == [limit]
    assert of(events, Answered)[0].text.startswith("What I know.")
    assert model.requests[-1].tools == ()
    assert model.requests[-1].messages[-1] == UserMessage(ANSWER_NOW, aside=True)


def test_a_limit_before_anything_was_read_leaves_the_search_to_the_program(library: FakeRetriever) -> None:
    events = Asker(library, ScriptedModel([Says("[not found]")]), limits=Limits(context_tokens=600)).ask("Rent?")
    assert [event.limit for event in of(events, LimitReached)] == ["context"]
    assert "> The monthly rent is 950 euros." in of(events, Answered)[0].text


def test_no_more_calls_are_made_than_allowed_but_all_are_answered(library: FakeRetriever) -> None:
    calls = tuple(("search", f'{{"queries": ["rent {n}"]}}') for n in range(200))
    model = ScriptedModel([Says(calls=calls), Says("Done.")])
    events = Asker(library, model, limits=Limits(tool_calls=5)).ask("When?")
    assert len(of(events, ToolCalled)) == len(library.searches) == 5
    assert sum(isinstance(message, ToolMessage) for message in model.requests[-1].messages) == 200


def test_repeated_calls_end_the_search(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(SEARCH,)) for _ in range(4)] + [Says("Fine.")])
    events = Asker(library, model).ask("When?")
    assert [event.limit for event in of(events, LimitReached)] == ["repetition"]
    assert len(library.searches) == 1


def test_a_long_run_evicts_results_and_continues() -> None:
    long = document(*(f"zebra number {n} lives in the zoo of the old town" for n in range(400)))
    library = FakeRetriever(("zoo.txt", long))
    opens = [Says(calls=(("open", f'{{"reference": "turn1search1", "line": {n}}}'),)) for n in range(1, 13)]
    model = ScriptedModel([Says(calls=(("search", '{"queries": ["zebra"]}'),)), *opens, Says("Done.")], window=6_000)
    dropping = replace(toolkit("full"), summarizer="", short="never")
    events = Asker(library, model, dropping).ask("Where do zebras live?")
    assert of(events, LimitReached) == []
    assert all(event.context.used <= 6_000 for event in of(events, ContextMeasured))
    assert any(m.text.startswith("[removed") for m in model.requests[-1].messages if isinstance(m, ToolMessage))


def test_a_full_context_is_announced_and_then_summarised() -> None:
    long = document(*(f"zebra number {n} lives in the zoo of the old town" for n in range(400)))
    opens = [Says(calls=(("open", f'{{"reference": "turn1search1", "line": {n}}}'),)) for n in range(1, 30)]
    keep = Says(calls=(("summarize", '{"summary": "In the zoo.", "candidate_reference_ids": ["turn1search1"]}'),))

    def turn(request: ChatRequest) -> Says:
        offered = [tool.name for tool in request.tools]
        return keep if offered == ["summarize"] else opens.pop() if len(opens) > 20 else Says("In the zoo.")

    model = RespondingModel(turn, window=6_000)
    search = Says(calls=(("search", '{"queries": ["zebra"]}'),))
    opens.append(search)
    searching = replace(toolkit("full"), short="never")
    events = Asker(FakeRetriever(("zoo.txt", long)), model, searching).ask("Where do zebras live?")
    said = [m.text for r in model.requests for m in r.messages if isinstance(m, UserMessage)]
    assert any("full. Call `summarize` soon" in text for text in said)
    assert any("Your context is full. Call `summarize` now" in text for text in said)
    assert of(events, LimitReached) == []
    assert of(events, Answered)[0].text.startswith("In the zoo.")


def test_an_empty_message_is_asked_again_once_then_the_program_searches(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(SEARCH,)), Says(""), Says("Here.")])
    assert Asker(library, model).answer("When?").text.startswith("Here.")
    assert model.requests[2].messages[-1] == UserMessage(EMPTY_REPLY, aside=True)
    answered = Asker(library, ScriptedModel([Says("")])).answer("Unicorns?")
    assert (answered.found, answered.text.startswith(NOT_FOUND_OPENING)) == (False, True)


def test_output_used_up_by_thinking_is_explained(library: FakeRetriever) -> None:
    direct = toolkit("direct")
    failed = Asker(library, ScriptedModel([Says(thinking="hm", reason="length")]), direct).ask("When?")[-1]
    assert isinstance(failed, RunFailed)
    assert "maximum output" in failed.message


def test_not_found_after_a_search_is_a_proper_answer(library: FakeRetriever) -> None:
    search = Says(calls=(("search", '{"queries": ["unicorn"]}'),))
    model = ScriptedModel([search, Says("[not found] I searched for unicorns.")])
    answered = Asker(library, model).answer("Unicorns?")
    assert (answered.text, answered.found) == ("I searched for unicorns.", False)


def test_not_found_without_a_search_is_no_answer(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("[not found] There is nothing.")])
    answered = Asker(library, model).answer("When is rent payable?")
    assert answered.found
    assert "> Rent is payable on the third working day of each month." in answered.text


def test_the_closest_passage_is_no_claim(library: FakeRetriever) -> None:
    text = "[not found] Nothing on unicorns. The closest is that rent is payable. [turn1search1 L5]"
    answered = Asker(library, ScriptedModel([Says(calls=(SEARCH,)), Says(text)])).answer("Unicorns?")
    assert (answered.found, answered.claims) == (False, ())
    assert len(answered.citations) == 1


def test_not_found_mentions_incomplete_indexing(lease_text: str) -> None:
    library = FakeRetriever(("lease.txt", document(lease_text)), coverage=0.25)
    answered = Asker(library, ScriptedModel([Says("[not found] Nothing.")])).answer("Unicorns?")
    assert answered.text.endswith("search by meaning covers 25% of it so far.")


@pytest.fixture
def lease_text() -> str:
    return "The rent is 950 euros."


@pytest.mark.parametrize(
    ("files", "scope", "start"),
    [
        (0, Scope(), "Your library is empty."),
        (7, Scope(), "Your documents are still being read: 7 files found"),
        (0, Scope(folders=(FolderId(1),)), "There is nothing to search in the folders or documents chosen."),
    ],
)
def test_an_empty_library_needs_no_model(files: int, scope: Scope, start: str) -> None:
    model = ScriptedModel([Says("never")])
    answered = Asker(FakeRetriever(files=files), model, scope=scope).answer("When?")
    assert answered.text.startswith(start)
    assert not answered.found
    assert model.requests == []


def test_stop_keeps_the_partial_answer(library: FakeRetriever) -> None:
    stop = Stop()
    asker = Asker(library, ScriptedModel([Says(("Rent ", "is ", "due."))]), stop=stop)
    events: list[AgentEvent] = []
    for event in asker.events("When?"):
        events.append(event)
        if isinstance(event, AnswerDelta):
            stop.set()
    assert isinstance(events[-1], RunStopped)
    assert events[-1].text == "Rent"  # a blank at the end is held back


def test_stop_while_a_tool_runs_closes_its_step(library: FakeRetriever) -> None:
    stop = Stop()
    asker = Asker(library, ScriptedModel([Says(calls=(SEARCH, READ))]), stop=stop)
    events: list[AgentEvent] = []
    for event in asker.events("When?"):
        events.append(event)
        if isinstance(event, ToolCalled):
            stop.set()
    assert kinds(events)[-3:] == ["ToolCalled", "ToolReturned", "RunStopped"]
    returned = of(events, ToolReturned)[0]
    assert (returned.call_id, returned.failed, returned.summary) == ("call1_1", True, "Stopped")


def test_a_stop_set_before_the_run_ends_it_at_once(library: FakeRetriever) -> None:
    stop = Stop()
    stop.set()
    assert kinds(Asker(library, ScriptedModel([Says("x")]), stop=stop).ask("When?")) == ["RunStarted", "RunStopped"]


def test_a_model_that_fails_leaves_the_partial_answer(library: FakeRetriever) -> None:
    cut = StreamCut("The connection broke off.")
    model = ScriptedModel([Says(calls=(SEARCH, READ)), Says("Rent is due [turn1search1 L5]. And then", error=cut)])
    failed = Asker(library, model).ask("When?")[-1]
    assert isinstance(failed, RunFailed)
    assert (failed.title, failed.message) == (StreamCut.title, "The connection broke off.")
    assert failed.text == "Rent is due [1](cite:1). And then"
    assert len(failed.citations) == 1


def test_a_refused_key_is_a_failed_run(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(error=ModelRefused("Check the key."))])
    assert Asker(library, model).ask("When?")[-1] == RunFailed(ModelRefused.title, "Check the key.", "", ())


def test_a_library_that_fails_is_a_failed_run_with_its_step_closed(library: FakeRetriever) -> None:
    def fail() -> None:
        library.fault = LibraryError("The disk is gone.")

    events = Asker(library, ScriptedModel([Says(calls=(SEARCH,), before=fail)])).ask("When?")
    assert kinds(events)[-2:] == ["ToolReturned", "RunFailed"]


def test_a_context_overflow_is_retried_once_with_less(library: FakeRetriever) -> None:
    overflow = ContextOverflow("too long")
    model = ScriptedModel([Says(calls=(SEARCH,)), Says(calls=(READ,)), Says(error=overflow), Says("Done.")])
    assert Asker(library, model).answer("When?").text.startswith("Done.")
    assert any(m.text.startswith("[removed") for m in model.requests[-1].messages if isinstance(m, ToolMessage))
    model = ScriptedModel([Says(error=overflow)])
    assert isinstance(Asker(library, model).ask("When?")[-1], RunFailed)
    assert len(model.requests) == 2


class Truncates(ScriptedModel):
    """An endpoint of 1,800 tokens, which is found out by the first prompt that exceeds it."""

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        if self.size_of(request) > 1_800:
            self.requests.append(request)
            self.window = 1_800
            raise PromptTruncated("The beginning is missing.", 1_800)
        yield from super().chat(request, stop)

    def size_of(self, request: ChatRequest) -> int:
        """Return the tokens of a request."""
        tools = sum(self.count_tokens(f"{spec.name}{spec.description}{spec.parameters}") for spec in request.tools)
        return tools + sum(self.count_tokens(message.text) for message in request.messages)


def test_a_truncated_request_is_repeated_within_the_window_that_it_showed() -> None:
    long = document(*("The rent is payable on the third working day. " * 20 for _ in range(40)))
    library = FakeRetriever(*((f"lease{n}.txt", long) for n in range(5)))
    model = Truncates([Says(calls=(SEARCH,)), Says(), Says(ANSWER)])
    events = Asker(library, model).ask("When is rent payable?")
    assert isinstance(events[-1], Answered)
    cut, repeated = model.requests[1:3]
    assert model.size_of(repeated) <= 1_800 < model.size_of(cut)
    (shortened,) = [message for message in repeated.messages if isinstance(message, ToolMessage)]
    assert "[removed to save space" in shortened.text
    at = next(i for i, event in enumerate(events) if isinstance(event, LimitReached) and event.limit == "truncated")
    assert next(event.context.limit for event in events[at:] if isinstance(event, ContextMeasured)) == 1_800


def test_closing_a_run_closes_the_model(library: FakeRetriever) -> None:
    asker = Asker(library, ScriptedModel([Says(("a", "b"))]))
    with closing(asker.events("When?")) as events:
        assert any(isinstance(event, AnswerDelta) for event in events)


def test_a_follow_up_sees_the_answer_and_may_cite_it_again(library: FakeRetriever) -> None:
    first = Asker(library, ScriptedModel([Says(calls=(SEARCH, READ)), Says(ANSWER)])).ask("When is rent payable?")
    conversation = Conversation((Turn(1, "When is rent payable?", tuple(first), 0),))
    calls = (("find", '{"reference": "turn1search1", "patterns": ["late"]}'), ("search", '{"queries": ["valve"]}'))
    model = ScriptedModel([Says(calls=calls), Says("As said [turn1search1 L5], or else [turn1search1 L6].")])
    events = Asker(library, model, conversation=conversation).ask("And if I am late?")
    assert model.requests[0].messages[1:3] == (
        UserMessage("When is rent payable?"),
        AssistantMessage(ANSWER),
    )
    assert of(events, RunStarted)[0].turn == 2
    assert of(events, ToolReturned)[1].sources[0].reference == "turn2search3"
    assert [citation.first_line for citation in of(events, Answered)[0].citations] == [5, 6]


def test_steps_are_reported(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(SEARCH,)), Says("Done.")])
    assert of(Asker(library, model, limits=Limits(steps=4)).ask("When?"), StepStarted) == [
        StepStarted(1, 4),
        StepStarted(2, 4),
    ]


def test_a_turn_may_take_what_the_model_allows_but_no_more_than_a_quarter_of_its_window(library: FakeRetriever) -> None:
    for output, window, allowed in ((6_000, 32_000, 6_000), (6_000, 10_000, 2_500)):
        model = ScriptedModel([Says(ANSWER)], window=window, output=output)
        Asker(library, model).ask("When is rent payable?")
        assert model.requests[0].max_tokens == allowed


class RespondingModel(ScriptedModel):
    """Answers each request by a function."""

    def __init__(self, turn: Callable[[ChatRequest], Says], window: int) -> None:
        super().__init__([], window)
        self._turn = turn

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        self.turns = [*self.turns, self._turn(request)]
        yield from super().chat(request, stop)
