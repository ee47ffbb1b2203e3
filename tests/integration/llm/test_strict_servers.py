"""Servers that refuse a form of request until it is as they want it: what they say teaches the client, once.

The texts are those of the servers and gateways named; each judges the requests as that one does.
"""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    SystemMessage,
    ToolCall,
    ToolMessage,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn

HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=(0.0,), busy=0.05)
_CALL = ToolCall("call_abcdefgh", "search", '{"query": "rent"}')
HISTORY = (
    SystemMessage("Be brief."),
    UserMessage("When is the rent due?"),
    AssistantMessage("", (_CALL,), "I search."),
    ToolMessage(_CALL.id, "search", "Monthly."),
    UserMessage("Answer now."),
    UserMessage("Without a tool."),
)
Refuses = Callable[[SeenRequest], str]  # the text of a refusal; empty if it accepts a request


def roles(request: SeenRequest) -> list[object]:
    return [message["role"] for message in request.messages]


def user_after_tool(text: str) -> Refuses:
    return lambda request: text if ("tool", "user") in pairwise(roles(request)) else ""


def repeated_role(text: str) -> Refuses:
    return lambda request: text if ("user", "user") in pairwise(roles(request)) else ""


def field(name: str, text: str) -> Refuses:
    return lambda request: text if name in request.body else ""


def system(text: str) -> Refuses:
    return lambda request: text if "system" in roles(request) else ""


def null_content(text: str) -> Refuses:
    return lambda request: text if any(message.get("content", 1) is None for message in request.messages) else ""


def no_tools(text: str) -> Refuses:
    return lambda request: text if "tool" in roles(request) and "tools" not in request.body else ""


def nameless(text: str) -> Refuses:
    return lambda request: text if any(m["role"] == "tool" and not m.get("name") for m in request.messages) else ""


def above(limit: int, text: str) -> Refuses:
    return lambda request: text if limit < int(str(request.body.get("max_tokens", 0))) else ""


def without_reasoning(text: str) -> Refuses:
    def refuses(request: SeenRequest) -> str:
        answers = [message for message in request.messages if message["role"] == "assistant"]
        return text if any("reasoning_content" not in message for message in answers) else ""

    return refuses


def too_much(window: int, text: str) -> Refuses:
    """Refuse as vLLM does: what the prompt has and the answer may have must fit its window together."""

    def refuses(request: SeenRequest) -> str:
        prompt, answer = len(json.dumps(request.messages)) // 3, int(str(request.body.get("max_tokens", 0)))
        return text.format(window=window, prompt=prompt, answer=answer) if prompt + answer > window else ""

    return refuses


CASES: dict[str, tuple[Refuses, ...]] = {
    "Mistral": (user_after_tool("Unexpected role 'user' after role 'tool'"),),
    "llama.cpp's templates": (repeated_role("Conversation roles must alternate user/assistant/user/assistant/..."),),
    "Perplexity": (
        repeated_role("After the (optional) system message(s), user messages should alternate with assistant messages"),
    ),
    "LiteLLM": (no_tools("Anthropic expects the `tools=` param to be passed in. Or set modify_params = True`"),),
    "Bedrock": (no_tools("The toolConfig field must be defined when using toolUse and toolResult content blocks."),),
    "Anthropic": (no_tools("Requests which include `tool_use` or `tool_result` blocks must define tools"),),
    "Gemma on vLLM": (system("System role not supported"),),
    "Gemma at Google": (system("Developer instruction is not enabled for models/gemma-3-27b-it"),),
    "o1": (system("Unsupported value: 'messages[0].role' does not support 'system' with this model."),),
    "content as OpenAI says it": (null_content("Invalid value for 'content': expected a string, got null."),),
    "content as pydantic says it": (null_content("messages.2.content: Input should be a valid string"),),
    "content as FastAPI says it": (null_content("Input should be a valid string: body.messages.2.content"),),
    "content as serde says it": (null_content("Failed to deserialize the JSON body: missing field `content`"),),
    "Gemini": (nameless("GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty."),),
    "reasoning models": (
        field("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    ),
    "neither name of the limit": (
        field("max_tokens", "Unrecognized request argument supplied: max_tokens"),
        field("max_completion_tokens", "Unrecognized request argument supplied: max_completion_tokens"),
    ),
    "only the default temperature": (
        field("temperature", "'temperature' does not support 0.2 with this model. Only the default (1) is supported."),
    ),
    "temperature or top_p": (
        lambda request: (
            "`temperature` and `top_p` cannot both be specified."
            if {"temperature", "top_p"} <= set(request.body)
            else ""
        ),
    ),
    "no usage": (field("stream_options", "stream_options: Extra inputs are not permitted"),),
    "no usage, in words": (field("stream_options", "Stream options can only be defined when `stream=True`."),),
    "a Go server": (field("stream_options", 'json: unknown field "stream_options"'),),
    "OpenAI's limit": (above(4_096, "max_tokens is too large: 16000. It supports at most 4096 completion tokens."),),
    "Groq's limit": (above(8_192, "`max_tokens` must be less than or equal to `8192`"),),
    "Anthropic's limit": (above(4_096, "max_tokens: 16000 > 4096, which is the maximum allowed number of tokens"),),
    "DeepSeek's limit": (above(8_192, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),),
    "NVIDIA's limit": (above(4_096, "('body', 'max_tokens'): Input should be less than or equal to 4096"),),
    "vLLM's window": (
        too_much(
            4_096,
            "'max_tokens' or 'max_completion_tokens' is too large: {answer}. This model's maximum context length is "
            "{window} tokens and your request has {prompt} input tokens ({answer} > {window} - {prompt}).",
        ),
    ),
    "the window of earlier vLLM": (
        too_much(
            4_096,
            "This model's maximum context length is {window} tokens. However, you requested more ({prompt} in the "
            "messages, {answer} in the completion). Please reduce the length of the messages or completion.",
        ),
    ),
    "DeepSeek": (without_reasoning("Missing `reasoning_content` field in the assistant message at message index 2."),),
    "DeepSeek's other words": (without_reasoning("The `reasoning_content` must be passed back to the API."),),
    "several at once": (
        field("stream_options", "Unknown parameter: 'stream_options'."),
        field("temperature", "Unsupported value: 'temperature'"),
        field("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        user_after_tool("Unexpected role 'user' after role 'tool'"),
        null_content("content: none is not an allowed value"),
    ),
}


@pytest.mark.parametrize("rules", CASES.values(), ids=CASES)
@pytest.mark.parametrize("status", [400, 422])
def test_a_refusal_teaches_for_good(rules: tuple[Refuses, ...], status: int, tmp_path: Path) -> None:
    def judge(request: SeenRequest) -> Turn:
        refused = next(filter(None, (refuses(request) for refuses in rules)), "")
        return (
            Turn(status=status, body=json.dumps({"error": {"message": refused}})) if refused else Turn(text="Monthly.")
        )

    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([judge] * 20) as endpoint:
        profile = Profile("test", endpoint.base_url, "m", 65_536, max_output=16_000, temperature=0.2, top_p=0.9)
        for _ in range(2):
            seen = len(endpoint.requests)
            chat = OpenAIChat(profile, "", HURRIED, memory, proves_arrival=False)
            *_, ended = chat.chat(ChatRequest(HISTORY, (), 16_000), Stop())
            assert isinstance(ended, TurnEnded)
            assert ended.message.text == "Monthly."
        assert seen <= len(rules) + 2
        assert len(endpoint.requests) - seen == 1  # what was learned was kept
