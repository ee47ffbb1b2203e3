"""Reads the events of OpenAI's Responses API as chunks of a chat completion: one reader bounds and cleans both.

Gateways leave out events, repeat them whole at the end of an item, or send the response without streaming: what an
event at the end says counts only where its deltas did not come.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    Message,
    StreamedEvent,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from desktop_rag.llm.endpoint_traits import EndpointTraits
from desktop_rag.llm.failures import ChatEndpoint, from_stream
from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text
from desktop_rag.llm.message_format import call_item, pack_raw, unpacked_raw, wire_id
from desktop_rag.llm.streaming import MAX_CALLS, TurnReader
from desktop_rag.llm.written_calls import Offered
from desktop_rag.settings import Profile
from desktop_rag.text.hidden_characters import visible

_DELTAS = {
    "response.output_text.delta": "content",
    "response.refusal.delta": "refusal",
    "response.reasoning_text.delta": "reasoning_content",
    "response.reasoning_summary_text.delta": "reasoning",
}
_DONE = {
    "response.output_text.done": ("content", "text"),
    "response.refusal.done": ("refusal", "refusal"),
    "response.reasoning_text.done": ("reasoning_content", "text"),
    "response.reasoning_summary_text.done": ("reasoning", "text"),
}
_ARGUMENTS = "response.function_call_arguments"
_ENDS = {"response.completed": "stop", "response.incomplete": "length", "completed": "stop", "incomplete": "length"}


class ResponsesReader(TurnReader):
    """Reads decoded events in order; `message` keeps the items that the next request must repeat."""

    def __init__(self, endpoint: ChatEndpoint, offered: Offered, *, thinking: bool = False) -> None:
        super().__init__(endpoint, offered, thinking=thinking)
        self._numbers: dict[str, int] = {}  # of items, by their ids
        self._order: dict[int, str] = {}  # the types of items by their numbers
        self._thoughts: dict[int, JsonObject] = {}  # encrypted thinking, by the item's number
        # The deltas of items and fields, by part; one event may have told the part, and another not (None).
        self._heard: dict[tuple[int, str], dict[int | None, list[str]]] = {}
        self._arguments: set[int] = set()  # items whose arguments came as deltas

    def feed(self, chunk: object) -> Iterator[StreamedEvent]:
        """Yield the deltas of an event; raises `EndpointFailure` for an error or anything but a response."""
        fields = as_object(chunk)
        kind = as_text(fields.get("type"))
        if kind == "error" or kind in {"response.failed", "response.cancelled"}:
            raise self._failure(fields)
        if fields.get("object") == "response" and not kind:  # a server that does not stream
            yield from self._take_response(fields, as_text(fields.get("status")))
        elif not kind.startswith("response."):
            if kind and self.answered:
                return
            yield from super().feed(chunk)
        else:
            self.answered = True
            if kind in _ENDS:
                yield from self._take_response(as_object(fields.get("response")), kind)
            else:
                yield from self._take_event(kind, fields)

    def message(self, origin: str) -> AssistantMessage:
        """Return the whole message, with its items in `raw`."""
        message = super().message(origin)
        items = pack_raw(origin, {"items": list(self._replayed(message))})
        return replace(message, raw=self._redact.secrets_only(items))

    def _failure(self, fields: Mapping[str, object]) -> Exception:
        error = fields.get("error") or as_object(fields.get("response")).get("error") or fields
        return from_stream(error, self._endpoint)

    def _take_event(self, kind: str, fields: Mapping[str, object]) -> Iterator[StreamedEvent]:
        number = self._number(fields)
        if kind in _DELTAS:
            yield from self._delta(number, _DELTAS[kind], _part(fields), fields.get("delta"))
        elif kind in _DONE:
            name, whole = _DONE[kind]
            yield from self._whole(number, name, _part(fields), fields.get(whole))
        elif kind == f"{_ARGUMENTS}.delta":
            yield from self._call(number, arguments=fields.get("delta"))
        elif kind == f"{_ARGUMENTS}.done":
            yield from self._whole_call(number, fields)
        elif kind in {"response.output_item.added", "response.output_item.done"}:
            yield from self._take_item(number, as_object(fields.get("item")), ended=kind.endswith("done"))

    def _take_item(self, number: int, item: Mapping[str, object], *, ended: bool) -> Iterator[StreamedEvent]:
        kind = as_text(item.get("type"))
        self._order.setdefault(number, kind)
        if kind == "function_call":
            if ended:
                yield from self._whole_call(number, item)
            else:
                yield from self._call(number, item)
        elif kind == "reasoning" and ended:
            if item.get("encrypted_content") and len(self._thoughts) < MAX_CALLS:
                self._thoughts[number] = {name: value for name, value in item.items() if name != "status"}
            yield from self._parts(number, "reasoning", "text", item.get("summary"))
            yield from self._parts(number, "reasoning_content", "text", item.get("content"))
        elif kind == "message" and ended:
            yield from self._parts(number, "content", "text", item.get("content"))
            yield from self._parts(number, "refusal", "refusal", item.get("content"))

    def _take_response(self, response: Mapping[str, object], kind: str) -> Iterator[StreamedEvent]:
        """Take the end of the response: what its items say beyond the deltas, why it ended, and its tokens."""
        self.answered = True
        if response.get("error") or kind == "failed":
            raise self._failure({"response": response})
        for number, item in enumerate(map(as_object, as_list(response.get("output")))):
            yield from self._take_item(number, item, ended=True)
        reason = as_text(as_object(response.get("incomplete_details")).get("reason"))
        usage = as_object(response.get("usage"))
        counts = {
            "prompt_tokens": usage.get("input_tokens"),
            "completion_tokens": usage.get("output_tokens"),
            "prompt_tokens_details": usage.get("input_tokens_details"),
            "completion_tokens_details": usage.get("output_tokens_details"),
        }
        finish = "content_filter" if "filter" in reason else _ENDS.get(kind, "stop")
        yield from super().feed({"choices": [{"delta": {}, "finish_reason": finish}], "usage": counts})

    def _number(self, fields: Mapping[str, object]) -> int:
        """Return the number of the item that an event is about."""
        number = fields.get("output_index")
        item_id = as_text(fields.get("item_id")) or as_text(as_object(fields.get("item")).get("id"))
        if isinstance(number, int):
            return self._numbers.setdefault(item_id, number) if item_id else number
        return self._numbers.setdefault(item_id, len(self._numbers))

    def _parts(self, number: int, name: str, field: str, parts: object) -> Iterator[StreamedEvent]:
        for part, whole in enumerate(map(as_object, as_list(parts))):
            yield from self._whole(number, name, part, whole.get(field))

    def _delta(self, number: int, name: str, part: int | None, piece: object) -> Iterator[StreamedEvent]:
        if not isinstance(piece, str) or not piece:
            return
        self._order.setdefault(number, "reasoning" if name.startswith("reasoning") else "message")
        heard = self._heard.setdefault((number, name), {})
        apart = "\n\n" if name == "reasoning" and heard and part not in heard else ""  # of a summary
        heard.setdefault(part, []).append(piece)
        yield from super().feed({"choices": [{"delta": {name: apart + piece}}]})

    def _whole(self, number: int, name: str, part: int | None, whole: object) -> Iterator[StreamedEvent]:
        """Take what a whole part has beyond its deltas; nothing if it cannot be told which these are."""
        heard = self._heard.get((number, name), {})
        if heard and None in (part, *heard):
            return
        came = "".join(heard.get(part, ()))
        if isinstance(whole, str) and whole.startswith(came):
            yield from self._delta(number, name, part, whole[len(came) :])

    def _call(
        self, number: int, item: Mapping[str, object] | None = None, arguments: object = None
    ) -> Iterator[StreamedEvent]:
        item = item or {}
        self._order.setdefault(number, "function_call")
        if arguments:
            self._arguments.add(number)
        function = {"name": item.get("name"), "arguments": arguments}
        entry = {"index": number, "id": item.get("call_id"), "function": function}
        yield from super().feed({"choices": [{"delta": {"tool_calls": [entry]}}]})

    def _whole_call(self, number: int, item: Mapping[str, object]) -> Iterator[StreamedEvent]:
        arguments = None if number in self._arguments else item.get("arguments")
        yield from self._call(number, item, arguments)

    def _replayed(self, message: AssistantMessage) -> Iterator[JsonObject]:
        """Yield the items in their order; thinking only before what it led to, without which it is refused."""
        calls = iter(message.tool_calls)
        text = message.text
        waiting: list[JsonObject] = []
        for number in sorted(self._order):
            match self._order[number]:
                case "reasoning":
                    waiting += [self._thoughts[number]] if number in self._thoughts else []
                case "message" if text:
                    yield from waiting
                    yield {"role": "assistant", "content": text}
                    text, waiting = "", []
                case "function_call" if (call := next(calls, None)) is not None:
                    yield from waiting
                    yield call_item(call)
                    waiting = []
        if text:
            yield {"role": "assistant", "content": text}
        yield from map(call_item, calls)


def _part(fields: Mapping[str, object]) -> int | None:
    """Return the number of the part of an item that an event is about."""
    told = fields.get("summary_index", fields.get("content_index"))
    return told if isinstance(told, int) else None


# Request bodies of OpenAI's Responses API, and what its refusals teach.
#
# Nothing is stored on the server: `store` is off, and thinking comes back encrypted, to be sent with the next request.

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
        return traits.without(SUMMARY)
    if traits.echo_reasoning and _THOUGHTS_REFUSED.search(text):
        return replace(traits, echo_reasoning=False)
    if "include" in sent and _ENCRYPTED_REFUSED.search(text):
        return traits.without("include")
    for name in _OPTIONAL:
        if name in sent and re.search(rf"['\"`“.\[]{name}\b|^{name}\b", text, re.MULTILINE):
            return traits.without(name)
    return traits
