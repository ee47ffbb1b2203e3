"""Request bodies of OpenAI's Responses API, and what its refusals teach.

Nothing is stored on the server: `store` is off, and thinking comes back encrypted, to be sent with the next request.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from desktop_rag.llm.chat import AssistantMessage, ChatRequest, Message, SystemMessage, ToolMessage, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointTraits
from desktop_rag.llm.json_value import JsonObject, as_object, as_text
from desktop_rag.llm.message_format import call_item, unpacked_raw, wire_id
from desktop_rag.settings import Profile
from desktop_rag.text.hidden_characters import visible

ENCRYPTED = "reasoning.encrypted_content"
SUMMARY = "reasoning.summary"  # among the dropped fields; OpenAI gives it to verified organizations only
_LEAST_OUTPUT = 16  # OpenAI refuses a smaller `max_output_tokens`

# What endpoints say whose model, or whole API, is reached by the Responses API only.
WANTED = re.compile(
    r"(?:use|using|supported (?:only )?(?:in|by|on|with|via)|available (?:in|via|through)) (?:the )?"
    r"(?:responses (?:api|endpoint)|[`'\"“]?/?v1/responses)|not supported in the v1/chat/completions endpoint",
    re.IGNORECASE,
)
_SUMMARY_REFUSED = re.compile(r"reasoning[. ]summar|generate (?:reasoning )?summar", re.IGNORECASE)
_THOUGHTS_REFUSED = re.compile(  # those of the history: of another account, or of a gateway that lost what followed
    r"without its required following|encrypted[_ ]content\b.{0,200}\bcould not be|invalid_encrypted_content",
    re.IGNORECASE | re.DOTALL,
)
_ENCRYPTED_REFUSED = re.compile(r"encrypted[_ ]content", re.IGNORECASE)
_OPTIONAL = ("reasoning", "include", "temperature", "top_p", "text", "tool_choice", "max_output_tokens")


def responses_body(profile: Profile, traits: EndpointTraits, request: ChatRequest, origin: str) -> JsonObject:
    """Return the body of a streaming response."""
    instructions = "\n\n".join(message.text for message in request.messages if isinstance(message, SystemMessage))
    dropped = traits.dropped_fields
    thinking = {"effort": traits.effort, "summary": "" if SUMMARY in dropped else "auto"}
    tools: list[JsonObject] = [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": json.loads(tool.parameters),
            "strict": False,  # else each property would be required
        }
        for tool in request.tools
    ]
    items = [item for message in request.messages for item in _items(message, origin)]
    if not traits.echo_reasoning:
        items = [item for item in items if item.get("type") != "reasoning"]
    length = max(_LEAST_OUTPUT, min(request.max_tokens, traits.max_output or request.max_tokens))
    fields: JsonObject = {
        "model": profile.model,
        "instructions": visible(instructions) or None,
        "input": items,
        "stream": True,
        "store": False,
        "include": [ENCRYPTED] if traits.echo_reasoning else None,
        "max_output_tokens": length,
        "temperature": request.temperature if profile.temperature is None else profile.temperature,
        "top_p": profile.top_p,
        "reasoning": {name: value for name, value in thinking.items() if value} or None,
        "tools": tools or None,
        "text": {"format": _schema_format(request.schema)} if request.schema else None,
    }
    return {name: value for name, value in fields.items() if value is not None and name not in dropped}


def _schema_format(schema: str) -> JsonObject:
    return {"type": "json_schema", "name": "turn", "schema": as_object(json.loads(schema)), "strict": False}


def _items(message: Message, origin: str) -> Iterator[JsonObject]:
    match message:
        case SystemMessage():
            return
        case UserMessage(text):
            yield {"role": "user", "content": visible(text)}
        case ToolMessage(call_id, _, text):
            yield {"type": "function_call_output", "call_id": wire_id(call_id), "output": visible(text)}
        case AssistantMessage():
            yield from _replayed(message, origin) or _written(message)


def _written(message: AssistantMessage) -> Iterator[JsonObject]:
    if message.text:
        yield {"role": "assistant", "content": visible(message.text)}
    yield from map(call_item, message.tool_calls)


def _replayed(message: AssistantMessage, origin: str) -> list[JsonObject]:
    """Return the items as this endpoint sent them, thinking included; none of another one, or with other calls."""
    raw = unpacked_raw(message, origin)
    items = raw.get("items")
    if not isinstance(items, list):
        return []
    found = [dict(as_object(item)) for item in items]
    ids = [as_text(item.get("call_id")) for item in found if item.get("type") == "function_call"]
    return found if ids == [call.id for call in message.tool_calls] else []


def learned(traits: EndpointTraits, text: str, sent: Mapping[str, object]) -> EndpointTraits:
    """Return `traits` with what a rejection of the body `sent` says."""
    if SUMMARY not in traits.dropped_fields and "reasoning" in sent and _SUMMARY_REFUSED.search(text):
        return _without(traits, SUMMARY)
    if traits.echo_reasoning and _THOUGHTS_REFUSED.search(text):
        return replace(traits, echo_reasoning=False)
    if "include" in sent and _ENCRYPTED_REFUSED.search(text):
        return _without(traits, "include")
    for name in _OPTIONAL:
        if name in sent and re.search(rf"['\"`“.\[]{name}\b|^{name}\b", text, re.MULTILINE):
            return _without(traits, name)
    return traits


def _without(traits: EndpointTraits, field: str) -> EndpointTraits:
    return replace(traits, dropped_fields=(*traits.dropped_fields, field))
