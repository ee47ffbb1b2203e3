"""Converts messages to the wire format of chat completions; keeps the provider's raw messages for the next request.

`rearranged` and `stub_tools` are for endpoints that accept only some orders and forms of history.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence

from desktop_rag.llm.chat import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolSpec, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointTraits
from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text, well_formed
from desktop_rag.llm.written_calls import called_name, wire_arguments
from desktop_rag.text.hidden_characters import visible

REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH = 9  # Mistral accepts exactly nine letters and digits, and so do all others
_NO_PARAMETERS = '{"type": "object", "properties": {}}'
_OUR_ID = re.compile(r"[A-Za-z0-9]{9}")


def rearranged(messages: Sequence[JsonObject], traits: EndpointTraits) -> list[JsonObject]:
    """Return `messages` as an endpoint of these traits accepts them."""
    arranged = list(messages)
    if not traits.system_role:
        arranged = _without_system(arranged)
    if traits.named_results:
        arranged = _with_names(arranged)
    if traits.alternates or not traits.user_after_tool:
        arranged = _joined(arranged, traits)
    if not traits.null_content:
        arranged = [{**message, "content": message.get("content") or ""} for message in arranged]
    return arranged


def stub_tools(messages: Sequence[Mapping[str, object]]) -> list[JsonObject]:
    """Return a description of each tool that was called: some endpoints want one as long as its results are there."""
    names = [name for message in messages for _, name in _calls(message)]
    return tools_to_wire([ToolSpec(name, "Not to be called.", _NO_PARAMETERS) for name in dict.fromkeys(names)])


def _calls(message: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return id and name of the calls of a message."""
    calls = map(as_object, as_list(message.get("tool_calls")))
    return [(as_text(call.get("id")), as_text(as_object(call.get("function")).get("name"))) for call in calls]


def _with_names(messages: list[JsonObject]) -> list[JsonObject]:
    names = dict(call for message in messages for call in _calls(message))
    return [
        {**message, "name": names.get(as_text(message.get("tool_call_id")), "tool")}
        if message["role"] == "tool"
        else message
        for message in messages
    ]


def _without_system(messages: list[JsonObject]) -> list[JsonObject]:
    """Put the instructions before the first message of the user."""
    if not messages or messages[0]["role"] != "system":
        return messages
    instructions, *rest = messages
    text = as_text(instructions.get("content"))
    first = next((number for number, message in enumerate(rest) if message["role"] == "user"), None)
    if first is None:
        return [{"role": "user", "content": text}, *rest]
    rest[first] = {**rest[first], "content": f"{text}\n\n{as_text(rest[first].get('content'))}"}
    return rest


def _joined(messages: list[JsonObject], traits: EndpointTraits) -> list[JsonObject]:
    """Add a user's message to the tool result, and with `alternates` to the user's message, that it follows."""
    arranged: list[JsonObject] = []
    for message in messages:
        before = arranged[-1] if arranged else {}
        role, last = message["role"], before.get("role")
        follows_tool = role == "user" and last == "tool"
        repeats = traits.alternates and role == last and role in {"user", "assistant"} and not before.get("tool_calls")
        if follows_tool or repeats:
            text = "\n\n".join(filter(None, (as_text(before.get("content")), as_text(message.get("content")))))
            arranged[-1] = (
                {**before, **message, "role": last, "content": text} if repeats else {**before, "content": text}
            )
        else:
            arranged.append(message)
    return arranged


def new_call_id() -> str:
    """Return a tool call id that every provider accepts."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def wire_id(call_id: str) -> str:
    """Return `call_id` if valid everywhere, else a valid id derived from it."""
    if _OUR_ID.fullmatch(call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode()).digest()
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:_ID_LENGTH])


def pack_raw(origin: str, message: Mapping[str, object]) -> str:
    """Return the JSON for `AssistantMessage.raw`: the provider's message and its origin."""
    return well_formed(json.dumps({"origin": origin, "message": message}, ensure_ascii=False))


def unpacked_raw(message: AssistantMessage, origin: str) -> Mapping[str, object]:
    """Return the message as its provider wrote it; empty if that was not `origin`."""
    # A request cannot carry Python's NaN.
    packed = as_object(json.loads(message.raw, parse_constant=lambda _: None)) if message.raw else {}
    return as_object(packed.get("message")) if packed.get("origin") == origin else {}


def to_wire(
    messages: Sequence[Message], origin: str, *, echo_reasoning: bool = True, demand_reasoning: bool = False
) -> list[JsonObject]:
    """Return the request's `messages`: one system message first, foreign tool call ids replaced.

    A raw message is sent back only to its own `origin` and only if its tool calls are unchanged.
    `demand_reasoning` adds an empty `reasoning_content` if there is none (DeepSeek, in a tool loop).
    """
    instructions = "\n\n".join(message.text for message in messages if isinstance(message, SystemMessage))
    wire: list[JsonObject] = [{"role": "system", "content": visible(instructions)}] if instructions else []
    for message in messages:
        match message:
            case SystemMessage():
                continue
            case UserMessage(text):
                wire.append({"role": "user", "content": visible(text)})
            case ToolMessage(call_id, _, text):
                wire.append({"role": "tool", "tool_call_id": wire_id(call_id), "content": visible(text)})
            case AssistantMessage():
                wire.extend(_assistant(message, origin, echo_reasoning, demand_reasoning))
    return wire


def _assistant(message: AssistantMessage, origin: str, echo: bool, demand: bool) -> Iterator[JsonObject]:  # noqa: FBT001  # private, passed on
    written = _replayed(message, origin)
    if written is None:
        written = {"role": "assistant", "content": visible(message.text) or None}
        if message.tool_calls:
            written["tool_calls"] = [wire_call(call) for call in message.tool_calls]
    if not echo:
        written = {name: value for name, value in written.items() if not name.startswith("reasoning")}
    elif demand and not any(name in written for name in REASONING_FIELDS):
        written["reasoning_content"] = ""
    if written.get("content") or written.get("tool_calls"):  # some servers reject empty assistant messages
        yield written


def _replayed(message: AssistantMessage, origin: str) -> JsonObject | None:
    raw = unpacked_raw(message, origin)
    ids = [as_text(as_object(call).get("id")) for call in as_list(raw.get("tool_calls"))]
    return dict(raw) if raw and ids == [call.id for call in message.tool_calls] else None


def wire_call(call: ToolCall) -> JsonObject:
    """Return a call of a message."""
    return {
        "id": wire_id(call.id),
        "type": "function",
        "function": {"name": called_name(call.name, ()), "arguments": wire_arguments(call.arguments)},
    }


def call_item(call: ToolCall) -> JsonObject:
    """Return a call as an item of the Responses API."""
    return {
        "type": "function_call",
        "call_id": wire_id(call.id),
        "name": called_name(call.name, ()),
        "arguments": wire_arguments(call.arguments),
    }


def tools_to_wire(tools: Sequence[ToolSpec]) -> list[JsonObject]:
    """Return the request's `tools`; `strict` is omitted because some servers reject it."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": json.loads(tool.parameters),
            },
        }
        for tool in tools
    ]
