"""Which models take the short path, over HTTP: by their size as servers tell it, their window, what they did before."""

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, AnswerRestarted, RunFailed, RunStopped
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, Turn

QUESTION = "When is the rent due?"
RENT = "The tenant pays the rent on the first day of each month."
SAID = Turn("Nobody does, I think.")


def profile(endpoint: ScriptedEndpoint, window: int = 32_768) -> Profile:
    return Profile("test", endpoint.base_url, "scripted", window)


def ask(
    engine: SearchEngine, used: Profile, memory: EndpointMemory, kit: str = "full", asked: str = QUESTION
) -> tuple[AgentEvent, ...]:
    run = Run(toolkit(kit), OpenAIChat(used, "", memory=memory), engine)
    return tuple(answer(Question(asked), run))


def _listed(count: int) -> str:
    return json.dumps({"data": [{"id": "scripted", "meta": {"n_params": count}}]})


PAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "llama.cpp": (_listed(1_777_088_000), {}),
    "Ollama": ("", {"/api/show": json.dumps({"model_info": {"general.parameter_count": 1_777_088_000}})}),
    "old Ollama": ("", {"/api/show": json.dumps({"details": {"parameter_size": "1.8B"}})}),
    "LM Studio": ("", {"/api/v1/models": json.dumps({"models": [{"key": "scripted", "params_string": "1.8B"}]})}),
}


@pytest.mark.parametrize("server", PAGES)
@pytest.mark.parametrize("kit", ["full", "auto", "quick"])
def test_a_model_that_is_told_to_be_small_is_asked_about_few_lines(
    server: str, kit: str, engine: SearchEngine, tmp_path: Path
) -> None:
    body, pages = PAGES[server]
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([SAID] * 9, models_body=body, pages=pages) as endpoint:
        for _ in range(2):
            assert isinstance(ask(engine, profile(endpoint), memory, kit)[-1], Answered)
        lookups = [seen.path for seen in endpoint.all_requests if seen.path != "/v1/chat/completions"]
        assert all("tools" not in seen.body and seen.body["temperature"] == 0 for seen in endpoint.requests)
        assert memory.recall(profile(endpoint)).is_small()
    assert len(endpoint.requests) == 2
    assert len(lookups) == len(set(lookups))


def test_a_large_model_searches_itself(engine: SearchEngine, tmp_path: Path) -> None:
    with ScriptedEndpoint([SAID] * 9, models_body=_listed(8_000_000_000)) as endpoint:
        ask(engine, profile(endpoint), EndpointMemory(tmp_path / "endpoints.json"))
    assert endpoint.requests[0].tool_names


def test_a_small_window_takes_the_short_path(engine: SearchEngine, tmp_path: Path) -> None:
    with ScriptedEndpoint([SAID] * 9) as endpoint:
        ask(engine, profile(endpoint, 4_096), EndpointMemory(tmp_path / "endpoints.json"))
    assert [seen.tool_names for seen in endpoint.requests] == [[]]


def test_a_run_that_searched_nothing_is_remembered_until_it_is_forgotten(engine: SearchEngine, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([SAID] * 20) as endpoint:
        used = profile(endpoint)
        ask(engine, used, memory)
        assert memory.recall(used).tool_use() is ToolUse.NONE
        first = len(endpoint.requests)
        ask(engine, used, memory)
        assert [seen.tool_names for seen in endpoint.requests[first:]] == [[]]
        memory.forget(used)
        ask(engine, used, memory)
        assert endpoint.requests[first + 1].tool_names


def test_searches_that_led_to_no_answer_are_remembered(engine: SearchEngine, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    searched = Turn(calls=[Call("search", '{"queries": ["rent due"]}')])
    with ScriptedEndpoint([searched, *[Turn("<tools>")] * 9]) as endpoint:
        used = profile(endpoint)
        assert isinstance(ask(engine, used, memory)[-1], Answered)
        assert memory.recall(used).tool_use() is ToolUse.NONE
        first = len(endpoint.requests)
        ask(engine, used, memory)
        assert [seen.tool_names for seen in endpoint.requests[first:]] == [[]]


@pytest.mark.parametrize("said", [SAID, Turn("[not found]"), Turn(calls=[Call("search", '{"queries": ["rent"]}')])])
@pytest.mark.parametrize("kit", ["full", "auto", "quick"])
def test_a_small_model_is_asked_once_whatever_it_says(
    said: Turn, kit: str, engine: SearchEngine, tmp_path: Path
) -> None:
    """The passages stay as they were shown, or that nothing was found, of which `auto` makes no second attempt."""
    asked = "Who won the football world cup in 1998?"
    with ScriptedEndpoint([said] * 9, models_body=_listed(1_777_088_000)) as endpoint:
        memory = EndpointMemory(tmp_path / "endpoints.json")
        last = ask(engine, profile(endpoint), memory, kit)[-1]
        nothing = ask(engine, profile(endpoint), memory, kit, asked)[-1]
    assert len(endpoint.requests) == 2
    assert isinstance(last, Answered)
    assert isinstance(nothing, Answered)
    assert "The model wrote no answer" not in last.text
    assert "1998" in nothing.text


@pytest.mark.parametrize("moment", ["hold", "hold_text"], ids=["while it reads", "while it writes"])
def test_the_passages_stay_when_the_model_is_stopped(moment: str, engine: SearchEngine) -> None:
    stop, never = Stop(), threading.Event()
    said = Turn(["The tenant pays ", "the rent."])
    held = replace(said, hold=never) if moment == "hold" else replace(said, hold_text=never)
    with ScriptedEndpoint([held], models_body=_listed(1_777_088_000)) as endpoint:
        run = Run(toolkit("full"), OpenAIChat(profile(endpoint), ""), engine, stop=stop)
        shown = ""
        for event in answer(Question(QUESTION), run):
            shown = "" if isinstance(event, AnswerRestarted) else shown
            shown += event.text if isinstance(event, AnswerDelta) else ""
            if isinstance(event, AnswerDelta) and (RENT in shown if moment == "hold" else shown.startswith("The t")):
                threading.Timer(0.0 if moment == "hold_text" else 0.2, stop.set).start()
    assert isinstance(event, RunStopped)
    assert RENT in event.text
    assert shown == event.text
    assert event.citations


def test_the_passages_stay_when_even_few_lines_are_too_long(engine: SearchEngine) -> None:
    full = Turn(status=400, body='{"error": {"type": "exceed_context_size_error", "n_ctx": 64, "message": "too long"}}')
    with ScriptedEndpoint([full] * 9, models_body=_listed(1_777_088_000)) as endpoint:
        *_, last = answer(Question(QUESTION), Run(toolkit("full"), OpenAIChat(profile(endpoint), ""), engine))
    assert isinstance(last, RunFailed)
    assert RENT in last.text


@pytest.mark.parametrize(
    "arguments",
    [
        {"queries": ["rent due"], "within": ["rent"]},
        {"queries": ["rent due"], "type": "pdf", "date": ""},
        {"queries": ["rent due"], "folder": "/contracts", "author": "landlord"},
        {"queries": ["rent due"], "date": "last spring or so", "mode": "fast"},
    ],
    ids=["within", "type", "folder", "date"],
)
def test_invented_conditions_are_left_out_with_a_note(arguments: Mapping[str, object], engine: SearchEngine) -> None:
    called = Turn(calls=[Call("search", json.dumps(arguments))])
    with ScriptedEndpoint([called, Turn("On the third working day.")]) as endpoint:
        run = Run(toolkit("full"), OpenAIChat(profile(endpoint), ""), engine)
        tuple(answer(Question(QUESTION), run))
    result = str(endpoint.requests[1].messages[-1]["content"])
    assert "turn1search1" in result
    assert "left out" in result
