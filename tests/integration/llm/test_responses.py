"""The Responses API against a real server on loopback: items, thinking, tokens, and what is learned."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_rag.errors import ModelUnreachable, ToolsRefused
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    ReasoningDelta,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.responses import ENCRYPTED
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Api, Profile
from desktop_rag.stop import Stop
from tests.integration.llm.faults.fault import ARGUMENTS
from tests.integration.llm.faults.in_responses import (
    CREATED,
    SENTENCE,
    WHOLE,
    arguments,
    begun,
    call_of,
    ended,
    finished,
    pieces,
    told,
)
from tests.raw_endpoint import RawEndpoint, Step, body, stream

SEARCH = ToolSpec("search", "Searches.", '{"type": "object", "properties": {"query": {"type": "string"}}}')
HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=(0.0,), busy=0.05)
THOUGHT = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "Look for rent."}],
    "encrypted_content": "gAAAA-opaque",
    "status": "completed",
}
CALL = {**call_of(index=1), "arguments": ARGUMENTS}
SEARCHED = stream(
    CREATED,
    begun({**THOUGHT, "summary": [], "encrypted_content": ""}),
    told("response.reasoning_summary_text.delta", output_index=0, summary_index=0, delta="Look for "),
    told("response.reasoning_summary_text.delta", output_index=0, summary_index=0, delta="rent."),
    finished(THOUGHT),
    begun(call_of(index=1), 1),
    arguments(ARGUMENTS, index=1),
    finished(CALL, 1),
    ended(output=[THOUGHT, CALL]),
)
ANSWERED = stream(WHOLE)


def refused(status: str, message: str) -> Sequence[Step]:
    return body(status, json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode())


def profile_of(endpoint: RawEndpoint, api: Api = Api.RESPONSES, effort: str = "") -> Profile:
    return Profile("test", endpoint.base_url, "m", api=api, reasoning_effort=effort)


def sent_to(endpoint: RawEndpoint) -> list[dict[str, object]]:
    return [json.loads(request.body) for request in endpoint.requests]


def ask(chat: OpenAIChat, request: ChatRequest) -> TurnEnded:
    *_, last = chat.chat(request, Stop())
    assert isinstance(last, TurnEnded)
    return last


def test_a_request_has_items_and_leaves_nothing_on_the_server() -> None:
    request = ChatRequest(
        (SystemMessage("Cite."), UserMessage("When is rent due?")), (SEARCH,), 500, '{"type": "object"}'
    )
    with RawEndpoint([ANSWERED]) as endpoint:
        ask(OpenAIChat(profile_of(endpoint, effort="low"), "key"), request)
        (sent,) = sent_to(endpoint)
    assert endpoint.requests[0].start_line.startswith("POST /v1/responses ")
    tool = {"type": "function", "name": "search", "description": "Searches.", "strict": False}
    assert sent == {
        "model": "m",
        "instructions": "Cite.",
        "input": [{"role": "user", "content": "When is rent due?"}],
        "stream": True,
        "store": False,
        "include": [ENCRYPTED],
        "max_output_tokens": 500,
        "reasoning": {"effort": "low", "summary": "auto"},
        "tools": [{**tool, "parameters": json.loads(SEARCH.parameters)}],
        "text": {"format": {"type": "json_schema", "name": "turn", "schema": {"type": "object"}, "strict": False}},
    }


def test_a_turn_has_its_deltas_calls_and_tokens() -> None:
    with RawEndpoint([SEARCHED]) as endpoint:
        chat = OpenAIChat(profile_of(endpoint), "")
        events = list(chat.chat(ChatRequest((UserMessage("?"),), (SEARCH,)), Stop()))
    assert events[:2] == [ReasoningDelta("Look for "), ReasoningDelta("rent.")]
    last = events[-1]
    assert isinstance(last, TurnEnded)
    assert last.reason == "tools"
    assert last.message.reasoning == "Look for rent."
    assert [(call.name, call.arguments) for call in last.message.tool_calls] == [("search", ARGUMENTS)]
    usage = last.usage
    assert (usage.prompt, usage.completion, usage.cached, usage.reasoning, usage.estimated) == (120, 30, 100, 20, False)


@pytest.mark.parametrize(
    ("kind", "reason", "expected"),
    [("completed", "", "stop"), ("incomplete", "max_output", "length"), ("incomplete", "content_filter", "filter")],
)
def test_the_end_says_why(kind: str, reason: str, expected: str) -> None:
    with RawEndpoint([stream(pieces("Rent."), ended(kind, incomplete_details={"reason": reason}))]) as endpoint:
        assert ask(OpenAIChat(profile_of(endpoint), ""), ChatRequest((UserMessage("?"),))).reason == expected


def test_encrypted_thinking_goes_back_before_its_call_and_only_to_its_own_endpoint() -> None:
    question = UserMessage("?")
    with RawEndpoint([SEARCHED, ANSWERED]) as endpoint:
        chat = OpenAIChat(profile_of(endpoint), "")
        message = ask(chat, ChatRequest((question,), (SEARCH,))).message
        result = ToolMessage(message.tool_calls[0].id, "search", "Nothing.")
        ask(chat, ChatRequest((question, message, result), (SEARCH,)))
        items = sent_to(endpoint)[1]["input"]
    call_id = message.tool_calls[0].id
    call = {"type": "function_call", "call_id": call_id, "name": "search", "arguments": ARGUMENTS}
    assert items == [
        {"role": "user", "content": "?"},
        {name: value for name, value in THOUGHT.items() if name != "status"},
        call,
        {"type": "function_call_output", "call_id": call_id, "output": "Nothing."},
    ]
    with RawEndpoint([ANSWERED]) as other:
        ask(OpenAIChat(profile_of(other), ""), ChatRequest((question, message, result), (SEARCH,)))
        items = sent_to(other)[0]["input"]
    assert isinstance(items, list)
    assert items[1] == call


def test_thinking_without_what_followed_it_is_not_sent_back() -> None:
    script = stream(finished(THOUGHT), ended("incomplete"))
    with RawEndpoint([script, ANSWERED]) as endpoint:
        chat = OpenAIChat(profile_of(endpoint), "")
        message = ask(chat, ChatRequest((UserMessage("?"),))).message
        ask(chat, ChatRequest((UserMessage("?"), message, UserMessage("Go on."))))
        items = sent_to(endpoint)[1]["input"]
    assert items == [{"role": "user", "content": "?"}, {"role": "user", "content": "Go on."}]


@pytest.mark.parametrize(("status", "message"), [
    ("404 Not Found", "This model is only supported in v1/responses and not in v1/chat/completions."),
    ("404 Not Found", "This is not a chat model and thus not supported in the v1/chat/completions endpoint."),
    ("400 Bad Request", "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. "
                        "To use function tools, use /v1/responses or set reasoning_effort to 'none'."),
    ("400 Bad Request", "Unsupported: please use the Responses API."),
    ("405 Method Not Allowed", "Chat completions are not available. Use the responses endpoint instead."),
])  # fmt: skip
def test_automatic_learns_the_api_from_the_refusal_and_keeps_it(status: str, message: str, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    request = ChatRequest((UserMessage("?"),), (SEARCH,))
    with RawEndpoint([refused(status, message), ANSWERED]) as endpoint:
        profile = profile_of(endpoint, Api.AUTOMATIC)
        assert ask(OpenAIChat(profile, "", HURRIED, memory), request).message.text == SENTENCE
        assert ask(OpenAIChat(profile, "", HURRIED, memory), request).message.text == SENTENCE
        paths = [request.start_line.split()[1] for request in endpoint.requests]
    assert paths == ["/v1/chat/completions", "/v1/responses", "/v1/responses"]
    assert memory.recall(profile).wants_responses
    assert not memory.recall(profile).refuses_tools()


def test_a_chosen_api_is_not_changed() -> None:
    refusal = refused("404 Not Found", "This model is only supported in v1/responses.")
    with RawEndpoint([refusal]) as endpoint, pytest.raises(ModelUnreachable):
        ask(OpenAIChat(profile_of(endpoint, Api.CHAT_COMPLETIONS), "", HURRIED), ChatRequest((UserMessage("?"),)))
    assert all("/chat/completions" in request.start_line for request in endpoint.requests)


def test_an_address_that_ends_in_responses_is_understood() -> None:
    with RawEndpoint([ANSWERED]) as endpoint:
        profile = Profile("test", f"{endpoint.base_url}/responses", "m")
        assert ask(OpenAIChat(profile, "", HURRIED), ChatRequest((UserMessage("?"),))).message.text == SENTENCE
        assert endpoint.requests[0].start_line.startswith("POST /v1/responses ")


@pytest.mark.parametrize(("message", "gone"), [
    ("Your organization must be verified to generate reasoning summaries. Unsupported value.", "summary"),
    ("Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning"),
    ("Encrypted content is not supported with this model.", "include"),
    ("Unsupported parameter: 'temperature' is not supported with this model.", "temperature"),
    ("Unsupported parameter: 'max_output_tokens'", "max_output_tokens"),
])  # fmt: skip
def test_a_refused_field_is_left_out(message: str, gone: str) -> None:
    with RawEndpoint([refused("400 Bad Request", message), ANSWERED]) as endpoint:
        profile = Profile("test", endpoint.base_url, "m", api=Api.RESPONSES, temperature=0.5, reasoning_effort="high")
        assert ask(OpenAIChat(profile, "", HURRIED), ChatRequest((UserMessage("?"),))).message.text == SENTENCE
        before, after = sent_to(endpoint)
    reasoning = after.get("reasoning")
    fields = [*after, *(reasoning if isinstance(reasoning, dict) else ())]
    assert gone in before or gone == "summary"
    assert gone not in fields
    assert after["store"] is False


def test_a_limit_of_the_answer_and_a_refused_effort_are_learned() -> None:
    limit = refused("400 Bad Request", "Invalid 'max_output_tokens': at most 1000 is supported.")
    effort = refused("400 Bad Request", "Invalid value 'none' for reasoning.effort: expected one of minimal, low.")
    with RawEndpoint([limit, effort, ANSWERED]) as endpoint:
        ask(OpenAIChat(profile_of(endpoint, effort="none"), "", HURRIED), ChatRequest((UserMessage("?"),)))
        last = sent_to(endpoint)[-1]
    assert last["max_output_tokens"] == 1000
    assert last["reasoning"] == {"effort": "minimal", "summary": "auto"}


def test_refused_tools_are_remembered() -> None:
    refusal = refused("400 Bad Request", "This model does not support tools.")
    with RawEndpoint([refusal]) as endpoint:
        chat = OpenAIChat(profile_of(endpoint), "", HURRIED)
        with pytest.raises(ToolsRefused):
            ask(chat, ChatRequest((UserMessage("?"),), (SEARCH,)))
    assert chat.traits.refuses_tools()


def test_the_history_of_chat_completions_becomes_items() -> None:
    raw = json.dumps({"origin": "elsewhere", "message": {"role": "assistant", "content": "Hello."}})
    messages = (UserMessage("Hi"), AssistantMessage("Hello.", raw=raw), UserMessage("When?"))
    with RawEndpoint([ANSWERED]) as endpoint:
        ask(OpenAIChat(profile_of(endpoint), ""), ChatRequest(messages))
        items = sent_to(endpoint)[0]["input"]
    assert items == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "When?"},
    ]


@pytest.mark.parametrize(
    "message",
    [
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        "The encrypted content gAAA… could not be verified. Reason: organization_id did not match.",
    ],
)
def test_refused_thinking_of_the_history_is_left_out(message: str) -> None:
    """A gateway that loses what followed, or another account: the question goes on without the thinking."""
    with RawEndpoint([SEARCHED, refused("400 Bad Request", message), ANSWERED]) as endpoint:
        chat = OpenAIChat(profile_of(endpoint, effort="low"), "")
        first = ask(chat, ChatRequest((UserMessage("?"),), (SEARCH,))).message
        result = ToolMessage(first.tool_calls[0].id, "search", "Monthly.")
        assert ask(chat, ChatRequest((UserMessage("?"), first, result), (SEARCH,))).message.text == SENTENCE
        _, with_it, without = sent_to(endpoint)
    assert '"type": "reasoning"' in json.dumps(with_it["input"])
    assert '"type": "reasoning"' not in json.dumps(without["input"])
    assert "include" not in without
    assert without["reasoning"] == with_it["reasoning"]


def test_the_parts_of_a_summary_are_paragraphs() -> None:
    """Whether they came as deltas or at the end of the item."""
    texts = ("Look.", "Find.")
    whole = finished({**THOUGHT, "summary": [{"type": "summary_text", "text": text} for text in texts]})
    deltas = [
        told("response.reasoning_summary_text.delta", output_index=0, summary_index=number, delta=text)
        for number, text in enumerate(texts)
    ]
    for steps in (deltas, [whole], [deltas[0], whole], [*deltas, whole]):
        with RawEndpoint([stream(CREATED, *steps, pieces("Rent.", index=1), ended())]) as endpoint:
            message = ask(OpenAIChat(profile_of(endpoint), ""), ChatRequest((UserMessage("?"),))).message
        assert message.reasoning == "Look.\n\nFind."
