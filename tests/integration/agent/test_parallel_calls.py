"""Several tool calls in one turn: fetched in parallel by real searchers, carried out in order."""

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from desktop_rag.agent.events import AgentEvent, Answered, RunStopped, ToolCalled, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.processes.pool import PoolLimits
from desktop_rag.retrieval.api import Retriever, Scope, SearchRequest, SearchResult
from desktop_rag.retrieval.service import searcher_client
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn
from tests.integration.retrieval.conftest import SmallLibrary

Seen = tuple[list[AgentEvent], list[SeenRequest]]
FIRST = [
    Call("search", json.dumps({"queries": ["rent due", "deposit"]})),
    Call("search", json.dumps({"queries": ["cats"], "mode": "keyword"})),
    Call("open", json.dumps({"reference": "turn1search99"})),  # fails
    Call("search", json.dumps({"queries": ['"unfinished AND']})),
    Call("list_documents", "{}"),
    Call("search", json.dumps({"queries": ["cats"], "mode": "keyword"})),  # made before
]
SECOND = [
    Call("open", json.dumps({"reference": "turn1search1", "lines": 20})),
    Call("find", json.dumps({"reference": "turn1search2", "patterns": ["rent", "cat"]})),
    Call("search", json.dumps({"queries": ["landlord"]})),
]


@pytest.fixture
def searcher(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearcherClient]:
    monkeypatch.setattr(searcher_client, "_limits", lambda: PoolLimits(2, patience=0.01))  # on any machine
    with closing(SearcherClient(library.layout.folder)) as client:
        client.facts(Scope(), Stop())  # started
        yield client


def run(retriever: Retriever, stop: Stop, on_event: Callable[[AgentEvent], None] = lambda _: None) -> Seen:
    script = [Turn(calls=FIRST), Turn(calls=SECOND), Turn(text="It is due on the first day.")]
    with ScriptedEndpoint(script) as endpoint:
        model, kit = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), ""), toolkit("full")
        events: list[AgentEvent] = []
        question = "When is the rent due?"
        for event in answer(Question(question), Run(kit, model, retriever, stop)):
            events.append(event)
            on_event(event)
        return events, endpoint.requests


def results(events: list[AgentEvent]) -> list[ToolReturned]:
    """Return the calls that returned, without what differs between runs: times, and tokens of random codes."""
    found = [event for event in events if isinstance(event, ToolReturned)]
    return [replace(event, call_id="", seconds=0.0, tokens=0) for event in found]


def messages(requests: list[SeenRequest]) -> list[str]:
    """Return what the tools told the model, without the codes that end each result: they are random."""
    sent = requests[-1].body["messages"]
    assert isinstance(sent, list)
    known = [message for message in sent if isinstance(message, dict)]
    told = [str(message["content"]) for message in known if message["role"] == "tool"]
    return [re.sub(r"(End of data) \w+", r"\1", each) for each in told]


def fetching() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("fetch ahead")]


def test_parallel_calls_have_the_results_of_serial_ones(searcher: SearcherClient, engine: SearchEngine) -> None:
    serial, told = run(engine, Stop())
    parallel, told_in_parallel = run(searcher, Stop())
    assert isinstance(parallel[-1], Answered)
    assert messages(told_in_parallel) == messages(told)
    assert results(parallel) == results(serial)
    failed = [event.failed for event in results(parallel)]
    assert failed[:6] == [False, False, True, failed[3], False, False]  # a failing call fails alone
    assert [type(each) for each in parallel if isinstance(each, ToolCalled | ToolReturned)] == [
        ToolCalled,
        ToolReturned,
    ] * len(FIRST + SECOND)
    assert fetching() == []


def test_nothing_is_asked_of_the_library_twice(searcher: SearcherClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(client: SearcherClient, request: SearchRequest, stop: Stop) -> SearchResult:
        asked.append(request.query)
        return search(client, request, stop)

    search = SearcherClient.search
    monkeypatch.setattr(SearcherClient, "search", counted)
    run(searcher, Stop())
    assert sorted(query for query in asked if not query.startswith('"')) == ["cats", "deposit", "landlord", "rent due"]


def test_calls_of_a_turn_wait_together(searcher: SearcherClient) -> None:
    """While the only searcher hangs, all calls of the turn are waiting for it, not just the first."""
    waiting: list[int] = []

    def look(event: AgentEvent) -> None:
        if isinstance(event, ToolCalled) and not waiting:
            for child in child_processes("_searcher"):
                child.suspend()
            threading.Thread(target=count).start()

    def count() -> None:
        while len(fetching()) < 4:
            pass
        waiting.append(len(fetching()))
        for child in child_processes("_searcher"):
            child.resume()

    if os.name != "posix":
        pytest.skip("only there a process can be made to hang from outside")
    events, _ = run(searcher, Stop(), look)
    assert waiting == [4]
    assert isinstance(events[-1], Answered)


@pytest.mark.skipif(os.name != "posix", reason="only there a process can be made to hang from outside")
def test_stop_ends_all_parallel_calls(searcher: SearcherClient) -> None:
    stop = Stop()

    def press(event: AgentEvent) -> None:
        if isinstance(event, ToolCalled):
            for child in child_processes("_searcher"):
                child.suspend()
            threading.Timer(0.05, stop.set).start()

    events, _ = run(searcher, stop, press)
    assert isinstance(events[-1], RunStopped)
    assert [event.failed for event in results(events)] == [True]
    assert fetching() == []


@pytest.mark.skipif(os.name != "posix", reason="only there a process can be made to hang from outside")
def test_a_searcher_killed_in_mid_call_changes_nothing(searcher: SearcherClient, engine: SearchEngine) -> None:
    killed: list[int] = []

    def kill(event: AgentEvent) -> None:
        if isinstance(event, ToolCalled) and not killed:
            child, *_ = child_processes("_searcher")
            child.suspend()  # it cannot answer, so calls are surely under way when it dies
            killed.append(child.pid)
            threading.Timer(0.2, child.kill).start()

    events, told = run(searcher, Stop(), kill)
    assert isinstance(events[-1], Answered)
    assert killed
    assert messages(told) == messages(run(engine, Stop())[1])
