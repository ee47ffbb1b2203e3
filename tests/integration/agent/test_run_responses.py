"""A whole run over the Responses API: its thinking goes back with the results, and the next run has its history."""

import json

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Api, Profile
from tests.integration.llm.faults.in_responses import CREATED, arguments, begun, call_of, ended, finished, pieces
from tests.raw_endpoint import RawEndpoint, stream

QUERIES = '{"queries": ["rent"]}'
THOUGHT = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAAA-opaque"}
CALL = {**call_of(index=1), "arguments": QUERIES}
SEARCHED = stream(
    *(CREATED, finished(THOUGHT), begun(call_of(index=1), 1), arguments(QUERIES, index=1)),
    ended(output=[THOUGHT, CALL]),
)
SAID = stream(pieces("Rent is due ", "monthly [turn1search1]."), ended())


def run(engine: SearchEngine, endpoint: RawEndpoint, question: str, conversation: Conversation) -> list[AgentEvent]:
    model = OpenAIChat(Profile("test", endpoint.base_url, "m", api=Api.RESPONSES), "", proves_arrival=False)
    return list(answer(Question(question, conversation), Run(toolkit("full"), model, engine)))


def items_of(endpoint: RawEndpoint) -> list[list[dict[str, object]]]:
    return [json.loads(request.body)["input"] for request in endpoint.requests]


def test_a_run_searches_answers_and_is_continued(engine: SearchEngine) -> None:
    with RawEndpoint([SEARCHED, SAID]) as endpoint:
        events = run(engine, endpoint, "When is the rent due?", Conversation())
        first, second, *_ = items_of(endpoint)
        conversation = Conversation((Turn(1, "When is the rent due?", tuple(events), 1),))
        again = run(engine, endpoint, "And in winter?", conversation)
        later = items_of(endpoint)[-1]
    assert isinstance(events[-1], Answered)
    assert any(isinstance(event, ToolReturned) for event in events)
    assert isinstance(again[-1], Answered)
    assert [item.get("role") for item in first] == ["user"]
    kinds = [item.get("type", item.get("role")) for item in second]
    assert kinds[:4] == ["user", "reasoning", "function_call", "function_call_output"]
    assert second[1]["encrypted_content"] == "gAAAA-opaque"
    assert second[2]["call_id"] == second[3]["call_id"]
    assert "turn1search1" in str(second[3]["output"])
    calls = {item["call_id"] for item in later if item.get("type") == "function_call"}
    assert calls == {item["call_id"] for item in later if item.get("type") == "function_call_output"}
    assert later[-1].get("role") == "user"
