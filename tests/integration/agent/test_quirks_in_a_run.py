"""The quirks of ENDPOINTS.md whose remedy is in the loop, by number and over real sockets: 5, 8 and 24."""

import json
from collections.abc import Sequence
from pathlib import Path

from desktop_rag.agent.events import AgentEvent, Answered, ContextMeasured, RunFailed, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn

QUESTION = "When is the rent due?"
SAID = Turn(text="The rent is due on the third day [turn1search1 L1].")
SEARCHED = Turn(calls=[Call("search", '{"queries": ["rent"]}')])


def ask(
    engine: SearchEngine, script: Sequence[ScriptEntry], memory: Path | None = None
) -> tuple[list[AgentEvent], list[SeenRequest]]:
    with ScriptedEndpoint(script) as endpoint:
        profile = Profile("test", endpoint.base_url, "m", context_window=32_768)
        model = OpenAIChat(profile, "", memory=EndpointMemory(memory) if memory else None)
        run = answer(Question(QUESTION), Run(toolkit("full"), model, engine, limits=Limits(steps=4)))
        return list(run), endpoint.requests


def results(request: SeenRequest) -> list[str]:
    return [str(message["content"]) for message in request.messages if message["role"] == "tool"]


def test_5_broken_arguments_get_an_error_and_are_not_run(engine: SearchEngine) -> None:
    broken = Turn(calls=[Call("search", '{"queries": ["re')])
    events, requests = ask(engine, [broken, SEARCHED, SAID, SAID])
    returned = [each for each in events if isinstance(each, ToolReturned)]
    assert [each.failed for each in returned] == [True, False]
    assert not returned[0].sources, "nothing was searched with empty arguments"
    [error] = results(requests[1])
    assert "JSON" in error
    assert [json.loads(call["function"]["arguments"]) for call in _calls(requests[1])] == [{}]
    assert isinstance(events[-1], Answered)


def test_5_arguments_of_the_wrong_type_are_understood(engine: SearchEngine) -> None:
    events, requests = ask(engine, [Turn(calls=[Call("search", '{"queries": "rent"}')]), SAID, SAID])
    [returned] = [each for each in events if isinstance(each, ToolReturned)]
    assert not returned.failed
    assert returned.sources
    assert "rent" in results(requests[1])[0].lower()


def test_8_refused_tools_are_asked_for_once_as_json_and_not_offered_again(engine: SearchEngine, tmp_path: Path) -> None:
    memory = tmp_path / "endpoints.json"
    refusal = Turn(status=400, body='{"error": {"message": "m does not support tools"}}')
    call = Turn(text='{"tool": "search", "arguments": {"queries": ["rent"]}}')
    ready, said = Turn(text='{"tool": "answer"}'), Turn(text="The rent is due on the third day.")
    with ScriptedEndpoint([refusal, call, ready, *[said] * 4, call, ready, *[said] * 4]) as endpoint:
        for number in range(2):
            before = len(endpoint.requests)
            model = OpenAIChat(Profile("test", endpoint.base_url, "m"), "", memory=EndpointMemory(memory))
            run = answer(Question(QUESTION), Run(toolkit("full"), model, engine, limits=Limits(steps=4)))
            events = list(run)
            asked = endpoint.requests[before:]
            assert [bool(seen.tool_names) for seen in asked] == [number == 0, *[False] * (len(asked) - 1)]
            assert any(isinstance(each, ToolReturned) and each.sources for each in events)
            assert isinstance(events[-1], Answered)
            endpoint.script[:] = [call, ready, *[said] * 4]


def test_24_an_overflow_shrinks_the_evidence_and_is_repeated_once(engine: SearchEngine) -> None:
    words = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."
    overflow = Turn(status=400, body=json.dumps({"error": {"message": words, "code": "context_length_exceeded"}}))
    again = Turn(calls=[Call("search", '{"queries": ["pets"]}')])
    events, requests = ask(engine, [SEARCHED, again, overflow, SAID, SAID])
    assert isinstance(events[-1], Answered)
    refused, repeated = requests[2], requests[3]
    assert len(json.dumps(repeated.body)) < len(json.dumps(refused.body))
    assert results(repeated)[0].startswith("[removed to save space")
    assert [each.context.limit for each in events if isinstance(each, ContextMeasured)][-1] == 4_096


def test_24_a_second_overflow_ends_the_run(engine: SearchEngine) -> None:
    overflow = Turn(status=400, body='{"error": {"message": "prompt is too long"}}')
    events, requests = ask(engine, [SEARCHED, *[overflow] * 6])
    assert isinstance(events[-1], RunFailed)
    assert "longer than" in events[-1].message
    assert len(requests) == 3


def _calls(request: SeenRequest) -> list[dict[str, dict[str, str]]]:
    found = [message.get("tool_calls") for message in request.messages if message.get("tool_calls")]
    return json.loads(json.dumps(found[0])) if found else []
