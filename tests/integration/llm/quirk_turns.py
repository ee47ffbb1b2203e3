"""Turns and histories of the tests that replay known deviations of endpoints."""

import json
from collections.abc import Callable, Sequence

from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.message_format import new_call_id
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Json, ScriptEntry, SeenRequest, Turn
from tests.integration.llm.faults.fault import ARGUMENTS
from tests.raw_endpoint import RawEndpoint, stream

SEARCH = ToolSpec("search", "Searches.", '{"type": "object", "properties": {"query": {"type": "string"}}}')
OPEN = ToolSpec("open", "Opens.", '{"type": "object", "properties": {"name": {"type": "string"}}}')
HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=(0.0,), busy=0.05)
QUESTION = UserMessage("When is the rent due?")
RENT = ("search", {"query": "rent"})


def client(url: str, effort: str = "") -> OpenAIChat:
    return OpenAIChat(Profile("test", url, "m", reasoning_effort=effort), "", HURRIED)


def ended(chat: OpenAIChat, *messages: Message, tools: Sequence[ToolSpec] = (SEARCH, OPEN)) -> TurnEnded:
    *_, last = chat.chat(ChatRequest(messages or (QUESTION,), tools), Stop())
    assert isinstance(last, TurnEnded)
    return last


def calls(turn: TurnEnded) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in turn.message.tool_calls]


def streamed(*steps: bytes) -> TurnEnded:
    with RawEndpoint([stream(*steps)]) as endpoint:
        return ended(client(endpoint.base_url))


def history(*, aside: bool = False) -> tuple[Message, ...]:
    """Return a history with a call, its result, and with `aside` a message of the user after it."""
    made = AssistantMessage("", (call_made := search_call(),))
    result = ToolMessage(call_made.id, "search", "Monthly.")
    return (SystemMessage("Be brief."), QUESTION, made, result, *([UserMessage("Answer now.")] if aside else []))


def search_call() -> ToolCall:
    return ToolCall(new_call_id(), "search", ARGUMENTS)


def refusing(test: Callable[[SeenRequest], bool], words: str) -> list[ScriptEntry]:
    """Return the entries of a script: a 400 with `words` while `test` holds, else an answer."""

    def entry(request: SeenRequest) -> Turn:
        if test(request):
            return Turn(status=400, body=json.dumps({"error": {"message": words}}))
        return Turn(text="Monthly.")

    return [entry] * 4


def roles(request: SeenRequest) -> list[Json]:
    return [message.get("role") for message in request.messages]
