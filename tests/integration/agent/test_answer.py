import json
import os
import threading
import time
from collections.abc import Sequence
from contextlib import closing

import pytest

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    ContextMeasured,
    RunFailed,
    RunStopped,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import OTHER_LANGUAGE
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import ChatModel
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.endpoint import Call, CallStyle, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn
from tests.integration.retrieval.conftest import SmallLibrary

SEARCH = Call("search", '{"queries": ["rent due", "deposit"]}')


def ask(engine: SearchEngine, model: ChatModel, question: str = "When is the rent due?") -> list[AgentEvent]:
    kit = toolkit("full")
    return list(answer(Question(question), Run(kit, model, engine)))


def over(script: Sequence[ScriptEntry], engine: SearchEngine) -> tuple[list[AgentEvent], list[SeenRequest]]:
    with ScriptedEndpoint(script) as endpoint:
        events = ask(engine, OpenAIChat(Profile("test", endpoint.base_url, "scripted"), ""))
        return events, endpoint.requests


def quoting(request: SeenRequest) -> Turn:
    """Answer with a citation of the line that holds the rent, found in what the tool sent."""
    lines = request.last_text.splitlines()
    header = next(line for line in lines if "Lease" in line and line.startswith("["))
    number = next(line.split(":")[0] for line in lines if "first day of each month" in line)
    name = header[1 : header.index("]")]
    return Turn(text=["On the first day. [", name, f" L{number} ", '"rent on the first day of each month"', "]"])


def test_an_endpoint_searches_and_its_citations_are_verified(engine: SearchEngine) -> None:
    for style in CallStyle:
        events, requests = over([Turn(text="Let me look.", calls=[SEARCH], style=style), quoting], engine)
        answered = events[-1]
        assert isinstance(answered, Answered), (style, answered)
        assert answered.text == "On the first day. [1](cite:1)"
        [citation] = answered.citations
        assert citation.verdict == "verbatim"
        assert citation.path.endswith("lease.md")
        line = citation.passage.split("\n")[citation.first_line - citation.passage_first_line]
        assert citation.quote in line
        assert set(requests[0].tool_names) == {spec.name for spec in toolkit("full").specs()}


def test_the_endpoints_usage_fills_the_meter(engine: SearchEngine) -> None:
    events, _ = over([Turn(calls=[SEARCH], usage=(900, 12)), Turn(text="Done.", usage=(1_400, 8))], engine)
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert (answered.usage.prompt_tokens, answered.usage.completion_tokens) == (2_300, 20)
    assert not answered.usage.estimated
    measured = [event for event in events if isinstance(event, ContextMeasured)]
    assert measured[0].context.estimated
    assert not measured[-1].context.estimated


def test_invalid_arguments_are_reported_to_the_model(engine: SearchEngine) -> None:
    calls = [Call("search", '{"queries": ['), Call("browse", "{}"), Call("open", '{"reference": "turn1search99"}')]
    events, requests = over([Turn(calls=calls), *[Turn(text="I see.")] * 3], engine)
    assert isinstance(events[-1], Answered)
    returned = [event for event in events if isinstance(event, ToolReturned)]
    assert [event.failed for event in returned[:4]] == [True, True, True, False]  # then the program searches
    answers = [message for message in requests[1].messages if message["role"] == "tool"]
    assert len(answers) == 3
    assert "not valid JSON" in json.dumps(answers[0])


def test_a_cut_connection_keeps_the_partial_answer(engine: SearchEngine) -> None:
    events, _ = over([Turn(text=["The rent ", "is"], cut=True)], engine)
    failed = events[-1]
    assert isinstance(failed, RunFailed)
    assert failed.text == "The rent is"


def test_a_wrong_key_ends_the_run_with_advice(engine: SearchEngine) -> None:
    with ScriptedEndpoint([], key="right") as endpoint:
        events = ask(engine, OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "wrong"))
    assert isinstance(events[-1], RunFailed)
    assert events[-1].message


def test_stop_ends_a_waiting_run_at_once(engine: SearchEngine) -> None:
    hold = threading.Event()
    with ScriptedEndpoint([Turn(text=["The rent ", "never"], hold_text=hold)]) as endpoint:
        model, stop = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), ""), Stop()
        kit = toolkit("full")
        pressed = 0.0
        events: list[AgentEvent] = []
        for event in answer(Question("When?"), Run(kit, model, engine, stop)):
            events.append(event)
            if isinstance(event, AnswerDelta):
                pressed = time.monotonic()
                threading.Timer(0.01, stop.set).start()
        ended = time.monotonic()
        hold.set()
    assert isinstance(events[-1], RunStopped)
    assert events[-1].text == "The rent"
    assert ended - pressed < 2  # 0.2 s on a machine that does nothing else


def test_the_built_in_model_answers_from_a_real_library(engine: SearchEngine) -> None:
    for question, words in (
        ("On which day is the rent paid?", "first day of each month"),
        ("How long does a cat sleep?", "sixteen hours"),
        ("How high is the deposit?", "two months' rent"),
        ("When is the next meeting?", "in March"),
    ):
        events = ask(engine, ExtractiveModel(), question)
        answered = events[-1]
        assert isinstance(answered, Answered)
        assert answered.found
        assert words in answered.citations[0].quote
        assert {citation.verdict for citation in answered.citations} == {"verbatim"}
        assert [event.name for event in events if isinstance(event, ToolCalled)][:3] == [
            "search",
            "search",
            "read_chunks",
        ]


def test_the_built_in_model_reports_not_found(engine: SearchEngine) -> None:
    answered = ask(engine, ExtractiveModel(), "Who composed the Brandenburg concertos?")[-1]
    assert isinstance(answered, Answered)
    assert not answered.found


@pytest.mark.skipif(os.name != "posix", reason="only there a process can be made to hang from outside")
def test_a_question_in_another_language_than_the_documents_is_told(engine: SearchEngine) -> None:
    def said(question: str) -> str:
        answered = ask(engine, ExtractiveModel(), question)[-1]
        assert isinstance(answered, Answered)
        assert not answered.found
        return answered.text

    assert said("Wann ist die Miete zu zahlen und wie hoch ist sie?").endswith(OTHER_LANGUAGE)
    assert OTHER_LANGUAGE not in said("Who composed the Brandenburg concertos?")
    assert OTHER_LANGUAGE not in said("List all zeppelins of the Gesellschaft für Musik")


def test_stop_ends_a_run_whose_searcher_hangs(library: SmallLibrary) -> None:
    with closing(SearcherClient(library.layout.folder)) as searcher:
        stop, kit = Stop(), toolkit("full")
        question, limits = "When is the rent due?", Limits()
        ready = searcher.facts(Scope(), stop)
        assert ready.contents
        events: list[AgentEvent] = []
        for event in answer(Question(question), Run(kit, ExtractiveModel(), searcher, stop, limits)):
            events.append(event)
            if isinstance(event, ToolCalled):
                for child in child_processes("_searcher"):
                    child.suspend()
                threading.Timer(0.05, stop.set).start()
                pressed = time.monotonic() + 0.05
        ended = time.monotonic()
    assert isinstance(events[-1], RunStopped)
    assert isinstance(events[-2], ToolReturned)
    assert events[-2].failed
    assert ended - pressed < 2  # a millisecond on a machine that does nothing else
