"""Assembles the chunks of a chat-completions stream, tolerating each provider's deviations from the format.

Odd rules are for real servers: Ollama (index missing or always 0, whole calls), LM Studio and vLLM (empty names and
ids), Azure (chunks without choices or delta), OpenRouter (errors inside the stream).
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from desktop_rag.llm.chat import AssistantMessage, ReasoningDelta, TextDelta, TokenUsage, ToolCall
from desktop_rag.llm.content import ContentSplitter
from desktop_rag.llm.endpoint_errors import ChatEndpoint, from_stream, not_chat
from desktop_rag.llm.json_value import JsonObject, as_count, as_list, as_object, as_text
from desktop_rag.llm.message_format import REASONING_FIELDS, new_call_id, pack_raw
from desktop_rag.llm.written_calls import Offered, written_calls
from desktop_rag.text.hidden_characters import visible


class _PartialCall:
    """A tool call under assembly."""

    def __init__(self) -> None:
        self.provider_id = ""
        self.name = ""
        self.arguments = ""
        self.extra: object = None

    def is_complete(self) -> bool:
        """Return whether the arguments are complete JSON."""
        try:
            json.loads(self.arguments)
        except ValueError:
            return False
        return True

    def final_arguments(self) -> str:
        """Return the arguments as JSON text; empty becomes an object, double encoding is undone."""
        text = self.arguments.strip()
        try:
            value: object = json.loads(text or "{}")
        except ValueError:
            return text
        if value is None:
            return "{}"
        return value if isinstance(value, str) and value.lstrip().startswith("{") else text or "{}"


class ToolCallAssembler:
    """Merges the deltas of tool calls; `offered` are the names that exist."""

    def __init__(self, offered: Collection[str]) -> None:
        self._offered = offered
        self._slots: list[_PartialCall] = []
        self._by_index: dict[int, _PartialCall] = {}

    def feed(self, deltas: object) -> None:
        """Take the `tool_calls` of one delta."""
        entries = [as_object(entry) for entry in as_list(deltas)]
        for position, entry in enumerate(entries):
            function = as_object(entry.get("function"))
            provider_id, name = as_text(entry.get("id")), as_text(function.get("name"))
            index = entry.get("index")
            slot = self._slot(index if isinstance(index, int) else None, provider_id, name, position, len(entries))
            slot.provider_id = slot.provider_id or provider_id
            if name and name != slot.name:
                slot.name += name
            slot.extra = entry.get("extra_content") or slot.extra
            arguments = function.get("arguments")
            if isinstance(arguments, str):
                slot.arguments += arguments
            elif arguments is not None and not slot.arguments:
                slot.arguments = json.dumps(arguments, ensure_ascii=False)

    def _slot(self, index: int | None, provider_id: str, name: str, position: int, count: int) -> _PartialCall:
        if index is not None:
            current = self._by_index.get(index)
        elif provider_id:
            current = next((slot for slot in self._slots if slot.provider_id == provider_id), None)
        elif count > 1 and not name and position < len(self._slots):
            current = self._slots[position]
        else:
            current = self._slots[-1] if self._slots else None
        if current is None or self._begins_another(current, provider_id, name):
            current = _PartialCall()
            self._slots.append(current)
        if index is not None:
            self._by_index[index] = current
        return current

    def _begins_another(self, current: _PartialCall, provider_id: str, name: str) -> bool:
        """Return whether a delta for the slot `current` belongs to a new call: only those carry a name."""
        if not name or not current.name:
            return False
        if provider_id and current.provider_id:
            return provider_id != current.provider_id
        if current.arguments:
            return current.is_complete()
        return name != current.name and current.name in self._offered  # otherwise the name is streamed in parts

    def calls(self) -> list[tuple[str, str, object]]:
        """Return name, arguments as JSON text and the provider's extra content of every call that has a name."""
        return [(slot.name, slot.final_arguments(), slot.extra) for slot in self._slots if slot.name]


class TurnReader:
    """Reads decoded chunks in order; afterwards it has the whole message."""

    def __init__(self, endpoint: ChatEndpoint, offered: Offered, *, thinking: bool = False) -> None:
        self._endpoint = endpoint
        self._offered = offered
        self._content = ContentSplitter(thinking=thinking, tools=offered)
        self._calls = ToolCallAssembler(offered)
        self._reasoning = ""
        self._reasoning_field = ""
        self._reasoning_details: list[JsonObject] = []
        self._finish = ""
        self.usage: TokenUsage | None = None
        self.answered = False  # at least one chunk looked like a chat completion

    @property
    def finished(self) -> bool:
        """Return whether the provider sent a finish reason."""
        return bool(self._finish)

    @property
    def opens_thinking(self) -> bool:
        """Return whether a thinking tag was closed that the prompt template had opened."""
        return self._content.closed_unopened

    def feed(self, chunk: object) -> Iterator[TextDelta | ReasoningDelta]:
        """Yield the deltas of a chunk; raises `EndpointFailure` for an error object or anything but a completion."""
        fields = as_object(chunk)
        if fields.get("error"):
            raise from_stream(fields["error"], self._endpoint)
        if "choices" not in fields and "usage" not in fields:
            if self.answered:
                return
            raise not_chat(json.dumps(chunk), self._endpoint)
        self.answered = True
        self._count(fields.get("usage"))
        for choice in map(as_object, as_list(fields.get("choices"))[:1]):
            self._count(choice.get("usage"))
            yield from self._take(as_object(choice.get("delta")) or as_object(choice.get("message")))
            self._finish = as_text(choice.get("finish_reason")) or self._finish
            if self._finish == "error":
                raise from_stream(choice.get("error") or "the provider ended with an error", self._endpoint)

    def _take(self, delta: Mapping[str, object]) -> Iterator[TextDelta | ReasoningDelta]:
        for name in REASONING_FIELDS:
            piece = visible(as_text(delta.get(name)))
            if piece and self._reasoning_field in {"", name}:  # some servers send two fields at once: use only one
                self._reasoning_field = name
                self._reasoning += piece
                yield ReasoningDelta(piece)
        for detail in as_list(delta.get("reasoning_details")):
            _join_detail(self._reasoning_details, detail)
        content = delta.get("content")
        for piece in (
            [content] if isinstance(content, str) else [as_text(as_object(p).get("text")) for p in as_list(content)]
        ):
            yield from self._content.feed(visible(piece))
        self._calls.feed(delta.get("tool_calls"))

    def _count(self, usage: object) -> None:
        counts = as_object(usage)
        if not counts.get("prompt_tokens") and not counts.get("completion_tokens"):
            return
        self.usage = TokenUsage(
            prompt=as_count(counts.get("prompt_tokens")),
            completion=as_count(counts.get("completion_tokens")),
            cached=as_count(as_object(counts.get("prompt_tokens_details")).get("cached_tokens")),
            reasoning=as_count(as_object(counts.get("completion_tokens_details")).get("reasoning_tokens")),
        )

    def end(self) -> Iterator[TextDelta | ReasoningDelta]:
        """Flush the buffered text; call it once, also after a broken stream."""
        yield from self._content.end()
        if self._content.withheld and not self._written():
            self._content.text += self._content.withheld
            yield TextDelta(self._content.withheld)

    def _written(self) -> list[tuple[str, str]]:
        return written_calls(self._content.withheld, self._offered)

    def message(self, origin: str) -> AssistantMessage:
        """Return the whole message, with our own tool call ids and the provider's form of it in `raw`."""
        found = self._calls.calls() or [(name, arguments, None) for name, arguments in self._written()]
        calls = [(ToolCall(new_call_id(), name, arguments), extra) for name, arguments, extra in found]
        raw: JsonObject = {"role": "assistant", "content": self._content.text or None}
        if calls:
            raw["tool_calls"] = [_raw_call(call, extra) for call, extra in calls]
        if self._reasoning_field:
            raw[self._reasoning_field] = self._reasoning
        if self._reasoning_details:
            raw["reasoning_details"] = self._reasoning_details
        return AssistantMessage(
            text=self._content.text,
            tool_calls=tuple(call for call, _ in calls),
            reasoning=self._reasoning + self._content.reasoning,
            raw=pack_raw(origin, raw),
        )

    def reason(self, message: AssistantMessage) -> Literal["stop", "tools", "length", "filter"]:
        """Return why the turn ended; tool calls count more than the provider's finish reason."""
        if message.tool_calls:
            return "tools"
        if self._finish in {"length", "max_tokens", "model_length"}:
            return "length"
        return "filter" if self._finish == "content_filter" else "stop"


def _raw_call(call: ToolCall, extra: object) -> JsonObject:
    written: JsonObject = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    if extra is not None:
        written["extra_content"] = extra  # Gemini rejects the next turn without its thought signature
    return written


def _join_detail(details: list[JsonObject], detail: object) -> None:
    """Add a part of OpenRouter's `reasoning_details`; parts with equal type and index are joined."""
    piece = dict(as_object(detail))
    last = details[-1] if details else {}
    if not last or any(last.get(name) != piece.get(name) for name in ("type", "index")):
        details.append(piece)
        return
    for name, value in piece.items():
        grows = name in {"text", "summary"} and isinstance(value, str)
        last[name] = as_text(last.get(name)) + as_text(value) if grows else value or last.get(name)
