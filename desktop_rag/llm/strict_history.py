"""Rearranges the messages of a request for endpoints that accept only some orders and forms of history."""

from collections.abc import Mapping, Sequence

from desktop_rag.llm.endpoint_traits import EndpointTraits
from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text


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
    parameters = {"type": "object", "properties": {}}
    return [
        {"type": "function", "function": {"name": name, "description": "Not to be called.", "parameters": parameters}}
        for name in dict.fromkeys(names)
    ]


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
