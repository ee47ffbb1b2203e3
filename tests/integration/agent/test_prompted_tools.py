"""A server that refuses tools: the model calls them by JSON in its text, within a schema where the server takes one."""

import json
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.conversations.transcript import Turn as AskedTurn
from desktop_rag.agent.events import AgentEvent, Answered, ToolCalled
from desktop_rag.agent.gate.guarded_chat import GuardedChat
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.prompted_tools import was_prompted
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn
from tests.integration.agent.test_answer import quoting

NO_TOOLS = '{"error": {"message": "registry.ollama.ai/library/small does not support tools"}}'
NO_SCHEMA = '{"error": {"message": "response_format type json_schema is not supported"}}'
QUESTION = "When is the rent due?"


def small_server(request: SeenRequest, *, schemas: bool) -> Turn:
    """Act as a server without tools, whose model searches, reads nothing else, and answers."""
    if request.tool_names:
        return Turn(status=400, body=NO_TOOLS)
    if "response_format" in request.body and not schemas:
        return Turn(status=400, body=NO_SCHEMA)
    if request.last_text.startswith("Write the answer") or "\n\nWrite the answer" in request.last_text:
        found = next(m["content"] for m in request.messages if str(m["content"]).startswith("Result of search"))
        return quoting(SeenRequest("", "", {}, {"messages": [{"role": "tool", "content": found}]}))
    if any(str(message["content"]).startswith("Result of search") for message in request.messages):
        return Turn(text='{"tool": "answer"}')
    return Turn(text=['{"tool": "search", "argu', 'ments": {"queries": ["rent due"]}}'])


def ask(engine: SearchEngine, base_url: str, conversation: Conversation) -> tuple[AgentEvent, ...]:
    model = OpenAIChat(Profile("test", base_url, "small"), "")
    return tuple(answer(Question(QUESTION, conversation), Run(toolkit("full"), model, engine)))


@pytest.mark.parametrize("schemas", [True, False])
def test_model_without_tools_searches_and_cites(schemas: bool, engine: SearchEngine) -> None:
    with ScriptedEndpoint([lambda request: small_server(request, schemas=schemas)] * 20) as endpoint:
        first = ask(engine, endpoint.base_url, Conversation())
        asked = len(endpoint.requests)
        again = ask(engine, endpoint.base_url, Conversation((AskedTurn(1, QUESTION, first, 0),)))
        later = endpoint.requests[asked:]
    for events in (first, again):
        ended = events[-1]
        assert isinstance(ended, Answered)
        [citation] = ended.citations
        assert citation.verdict == "verbatim"
        assert "{" not in ended.text
        assert [event.name for event in events if isinstance(event, ToolCalled)] == ["search"]
    assert not any(request.tool_names for request in later)  # the conversation remembers that tools are refused
    with_schema = [request for request in endpoint.requests if "response_format" in request.body]
    assert with_schema
    offered = json.dumps(with_schema[0].body["response_format"])
    assert "search" in offered
    assert not any(word in offered for word in ("within", "read_chunks", "list_documents", '"answer"'))
    assert not schemas or '"answer"' in json.dumps(with_schema[1].body["response_format"])
    assert all("tool_calls" not in message for request in endpoint.requests for message in request.messages)


@pytest.mark.parametrize("way", [ToolUse.PROMPTED, ToolUse.NONE])
def test_what_is_remembered_of_an_endpoint_saves_the_attempts(
    way: ToolUse, engine: SearchEngine, tmp_path: Path
) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([lambda request: small_server(request, schemas=True)] * 20) as endpoint:
        profile = Profile("test", endpoint.base_url, "small")
        memory.keep(profile, EndpointTraits().with_tool_use(way))
        model = GuardedChat(OpenAIChat(profile, "", memory=memory), profile)
        events = list(answer(Question(QUESTION), Run(toolkit("full"), model, engine)))
    assert not any(request.tool_names for request in endpoint.requests)
    calls = [event.call_id for event in events if isinstance(event, ToolCalled)]
    assert calls
    assert all(was_prompted(call) is (way is ToolUse.PROMPTED) for call in calls)


def test_a_model_that_can_write_no_call_either_is_not_asked_again(engine: SearchEngine, tmp_path: Path) -> None:
    def silent(request: SeenRequest) -> Turn:
        if request.tool_names:
            return Turn(status=400, body=NO_TOOLS)
        asked = any("send one JSON object" in str(message["content"]) for message in request.messages)
        return Turn(text='{"tool": 7') if asked else Turn(text="The rent is due monthly.")

    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([silent] * 20) as endpoint:
        profile = Profile("test", endpoint.base_url, "small")
        for _ in range(2):
            asked = len(endpoint.requests)
            model = OpenAIChat(profile, "", memory=memory)
            *_, last = answer(Question(QUESTION), Run(toolkit("full"), model, engine))
            assert isinstance(last, Answered)
    assert model.tool_use() is ToolUse.NONE
    assert len(endpoint.requests) - asked == 1  # the answer from the passages
