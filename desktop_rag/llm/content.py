"""Separates a model's answer from thinking and tool calls that leaked into the same text."""

import json
import re
from collections.abc import Collection, Iterator

from desktop_rag.llm.chat import ReasoningDelta, TextDelta
from desktop_rag.llm.json_value import as_list, as_object, as_text

_OPENING = ("<think>", "<thinking>")
_CLOSING = ("</think>", "</thinking>")
_LEAKS = ("<tool_call>", "[TOOL_CALLS]", "<function=")


class ContentSplitter:
    """Splits streamed `content`; a tag may be split anywhere.

    Thinking is recognised only at the beginning, so an answer may mention `<think>`. From the first sign of a leaked
    tool call the rest goes to `withheld` instead of being emitted.
    """

    def __init__(self, *, thinking: bool = False, tools: bool = False) -> None:
        """With `thinking`, start inside a thinking block, because the model's prompt template opens it."""
        self._thinking = self._assumed = thinking
        self._tools = tools
        self._pending = ""
        self._started = False
        self.withheld = ""
        self.text = ""
        self.reasoning = ""
        self.closed_unopened = False  # a closing tag came without an opening one

    def feed(self, piece: str) -> Iterator[TextDelta | ReasoningDelta]:
        """Yield the text that is unambiguous after `piece`."""
        if self.withheld:
            self.withheld += piece
            return
        self._pending += piece
        while self._pending:
            found = self._next_tag()
            if found is None:
                yield from self._emit(len(self._pending) - self._uncertain())
                return
            position, tag = found
            yield from self._emit(position)
            self._consume_tag(tag)
            if self.withheld:
                return

    def end(self) -> Iterator[TextDelta | ReasoningDelta]:
        """Flush the buffer; an unterminated thinking block counts as answer text."""
        yield from self._emit(len(self._pending))
        if self._thinking and self._assumed:
            self.text, self.reasoning = self.reasoning, ""
            yield TextDelta(self.text)

    def _tags(self) -> tuple[str, ...]:
        if self._thinking:
            return _CLOSING
        opening = () if self._started or self.reasoning else _OPENING
        closing = () if self.reasoning else _CLOSING
        return (*opening, *closing, *(_LEAKS if self._tools else ()))

    def _next_tag(self) -> tuple[int, str] | None:
        found = [(position, tag) for tag in self._tags() if (position := self._pending.find(tag)) >= 0]
        if found and min(found)[1] in _OPENING and self._pending[: min(found)[0]].strip():
            found = [(position, tag) for position, tag in found if tag not in _OPENING]
        return min(found, default=None)

    def _uncertain(self) -> int:
        """Return the number of characters at the end that may begin a tag."""
        longest = max(map(len, self._tags()), default=1) - 1
        for size in range(min(longest, len(self._pending)), 0, -1):
            if any(tag.startswith(self._pending[-size:]) for tag in self._tags()):
                return size
        return 0

    def _emit(self, size: int) -> Iterator[TextDelta | ReasoningDelta]:
        piece, self._pending = self._pending[:size], self._pending[size:]
        if self._thinking:
            self.reasoning += piece
            if piece:
                yield ReasoningDelta(piece)
            return
        if not self._started:
            piece = piece.lstrip()
        if piece:
            self._started = True
            self.text += piece
            yield TextDelta(piece)

    def _consume_tag(self, tag: str) -> None:
        if tag in _LEAKS:
            self.withheld, self._pending = self._pending, ""
            return
        self._pending = self._pending[len(tag) :]
        if tag in _CLOSING and not self._thinking:  # the text so far was thinking
            self.closed_unopened = True
            self.reasoning, self.text = self.text, ""
        self._thinking = tag in _OPENING
        self._assumed = False
        self._started = False


def leaked_calls(text: str, offered: Collection[str]) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of calls written as text, if every name was offered.

    Known shapes: Hermes and Qwen `<tool_call>{…}</tool_call>`, Qwen3-Coder `<function=…><parameter=…>`, Llama
    `<function=…>{…}</function>`, Mistral `[TOOL_CALLS][{…}]` and `[TOOL_CALLS]name[ARGS]{…}`.
    """
    calls = [*_json_calls(text), *_function_calls(text), *_named_calls(text)]
    return calls if all(name in offered for name, _ in calls) else []


def _json_calls(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"(?:<tool_call>|\[TOOL_CALLS\])\s*(?=[\[{])", text):
        for item in _decoded(text[match.end() :]):
            call = as_object(item)
            name = as_text(call.get("name"))
            if name:
                yield name, json.dumps(call.get("arguments", call.get("parameters", {})), ensure_ascii=False)


def _function_calls(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", text, re.DOTALL):
        name, body = match[1], match[2].strip()
        parameters = re.findall(r"<parameter=([\w.-]+)>\n?(.*?)\n?(?:</parameter>|\Z)", body, re.DOTALL)
        if parameters or not body.startswith("{"):
            yield name, json.dumps({key: _scalar(value) for key, value in parameters}, ensure_ascii=False)
        else:
            yield name, body


def _named_calls(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"([\w.-]+)\[ARGS\]\s*(?={)|(?<=\[TOOL_CALLS\])\s*([\w.-]+)(?={)", text):
        for item in _decoded(text[match.end() :]):
            yield match[1] or match[2], json.dumps(item, ensure_ascii=False)


def _decoded(text: str) -> list[object]:
    try:
        value: object = json.JSONDecoder().raw_decode(text)[0]
    except ValueError:
        return []
    return list(as_list(value)) if isinstance(value, list) else [value]


def _scalar(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
