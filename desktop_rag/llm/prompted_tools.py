"""Tools for models without tool calls of their own: described in the prompt, called by one JSON object a turn.

Servers that take a JSON Schema (`response_format`) keep the object valid; of others it is parsed tolerantly, asked for
once more if it cannot be read, and `ToolsRefused` is raised then. Text that is no JSON at all is the answer.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.errors import ToolsRefused
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    Message,
    SystemMessage,
    TextDelta,
    TokenUsage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
    WrappedModel,
)
from desktop_rag.llm.json_value import as_object, as_text, object_in
from desktop_rag.llm.message_format import new_call_id
from desktop_rag.llm.written_calls import written_calls
from desktop_rag.stop import Stop

CALL_TOKENS = 400  # of the object; small models may fill lists without end
ANSWER = "answer"  # the name by which the model says that it has read enough
_PREFIX = "prompted-"  # of the ids of these calls
_INSTRUCTIONS = """\
You have these tools:

{tools}

In each turn send one JSON object and nothing else. To call a tool:
{{"tool": "NAME", "arguments": {{…}}}}
When you have read enough to answer, or know that the tools do not help:
{{"tool": "answer"}}
You are then asked for the answer itself."""
_ANSWER_NOW = "Write the answer to the question now, as plain text and not as JSON, with citations as described."
_REPAIR = 'That was not one JSON object with a "tool" of this list: {names}. Send the object again, and nothing else.'


def was_prompted(call_id: str) -> bool:
    """Return whether a call was made by a JSON object in the model's text."""
    return call_id.startswith(_PREFIX)


@dataclass(frozen=True, slots=True)
class _Choice:
    """What the model chose: a call, or to answer."""

    call: ToolCall | None


class PromptedTools(WrappedModel):
    """A `ChatModel` that calls tools by JSON objects in the text of another one, which calls none."""

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn; raises `ToolsRefused` if the model can write no call, else as the model does."""
        messages = _as_text(request.messages, request.tools)
        if not request.tools:
            yield from self._answer(replace(request, messages=messages), TokenUsage(0, 0), _called(request), stop)
            return
        usage = TokenUsage(0, 0)
        asked = replace(
            request,
            messages=messages,
            tools=(),
            max_tokens=min(CALL_TOKENS, request.max_tokens),
            schema=_schema(request.tools),
        )
        for _ in range(2):
            ended = yield from self._written(asked, stop)
            usage = _sum(usage, ended.usage)
            text = ended.message.text
            if not _may_be_json(text):  # shown already
                yield replace(ended, usage=usage)
                return
            if choice := _choice(text, request.tools):
                if choice.call:
                    yield TurnEnded(AssistantMessage("", (choice.call,), ended.message.reasoning), usage, "tools")
                    return
                now = (*messages, AssistantMessage(text), UserMessage(_ANSWER_NOW))
                final = replace(request, messages=_merged(now), tools=())
                yield from self._answer(final, usage, request.tools, stop)
                return
            repair = _REPAIR.format(names=", ".join((*(tool.name for tool in request.tools), ANSWER)))
            asked = replace(asked, messages=_merged((*messages, AssistantMessage(text), UserMessage(repair))))
        raise ToolsRefused(f"{self.name} wrote no tool call that can be read.")

    def _written(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent, None, TurnEnded]:
        """Pass on what is not JSON; hold back text for as long as it may be."""
        held, shown = "", False
        for event in self._model.chat(request, stop):
            match event:
                case TextDelta(text):
                    held += text
                    if shown or not _may_be_json(held):
                        yield TextDelta(text if shown else held)
                        shown = True
                case TurnEnded():
                    return event
                case _:
                    yield event
        raise AssertionError("a turn ends with TurnEnded")

    def _answer(
        self, request: ChatRequest, usage: TokenUsage, tools: Sequence[ToolSpec], stop: Stop
    ) -> Generator[ChatEvent]:
        """Stream the answer; a call written instead is reported as such, so that it is not shown."""
        ended = yield from self._written(request, stop)
        text, usage = ended.message.text, _sum(usage, ended.usage)
        choice = _choice(text, tools) if _may_be_json(text) else None
        if choice:
            calls = (choice.call,) if choice.call else ()
            yield TurnEnded(AssistantMessage("", calls, ended.message.reasoning), usage, ended.reason)
            return
        if _may_be_json(text) and text:
            yield TextDelta(text)
        yield replace(ended, usage=usage)


def _called(request: ChatRequest) -> tuple[ToolSpec, ...]:
    """Return the tools that were called before; a model asked for an answer may call them again."""
    calls = (message.tool_calls for message in request.messages if isinstance(message, AssistantMessage))
    names = dict.fromkeys(call.name for made in calls for call in made)
    return tuple(ToolSpec(name, "", "{}") for name in names)


def _may_be_json(text: str) -> bool:
    """Return whether a text, or its beginning, may be a JSON object, bare or in a code fence."""
    begins = text.lstrip()
    return not begins or begins[0] in "{[" or "```".startswith(begins[:3])


def _choice(text: str, tools: Sequence[ToolSpec]) -> _Choice | None:
    """Return what the object in `text` chooses; None if it cannot be read."""
    offered = {tool.name: tuple(as_object(_parameters(tool).get("properties"))) for tool in tools}
    for name, arguments in written_calls(text, {**offered, ANSWER: ()})[:1]:
        return _Choice(None if name == ANSWER else ToolCall(f"{_PREFIX}{new_call_id()}", name, arguments))
    start = text.find("{")
    try:
        value, _ = json.JSONDecoder().raw_decode(text[max(start, 0) :])
    except (ValueError, RecursionError):
        return None
    fields = as_object(value)
    if as_text(fields.get("tool")) == ANSWER or set(fields) == {ANSWER}:
        return _Choice(None)
    return None


def _as_text(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> tuple[Message, ...]:
    """Return the messages without calls and results: both are text, and roles alternate."""
    listed = "\n".join(f"- {tool.name}: {tool.description} Arguments: {tool.parameters}" for tool in tools)
    described = [SystemMessage(_INSTRUCTIONS.format(tools=listed))] if tools else []
    return _merged((*described, *map(_plain, messages)))


def _plain(message: Message) -> Message:
    match message:
        case ToolMessage(name=name, text=text, evidence=evidence):
            return UserMessage(f"Result of {name}:\n{text}", evidence)
        case AssistantMessage(text=text, tool_calls=calls) if calls:
            written = (
                json.dumps({"tool": c.name, "arguments": object_in(c.arguments)}, ensure_ascii=False) for c in calls
            )
            return AssistantMessage("\n".join(filter(None, (text, *written))))
        case AssistantMessage(text=text):
            return AssistantMessage(text)
        case _:
            return message


def _merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Join consecutive messages of one role: templates of small models want the roles to alternate."""
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if isinstance(message, UserMessage) and isinstance(last, UserMessage):
            merged[-1] = UserMessage(f"{last.text}\n\n{message.text}", (*last.evidence, *message.evidence))
        elif isinstance(message, AssistantMessage) and isinstance(last, AssistantMessage):
            merged[-1] = AssistantMessage(f"{last.text}\n{message.text}")
        else:
            merged.append(message)
    return tuple(merged)


def _parameters(tool: ToolSpec) -> Mapping[str, object]:
    return as_object(json.loads(tool.parameters))


def _schema(tools: Sequence[ToolSpec]) -> str:
    """Return the JSON Schema of the object: one of the tools with its arguments, or the wish to answer."""
    choices: list[Mapping[str, object]] = [
        {"tool": {"const": tool.name}, "arguments": _parameters(tool)} for tool in tools
    ]
    objects = [
        {"type": "object", "properties": choice, "required": list(choice), "additionalProperties": False}
        for choice in (*choices, {"tool": {"const": ANSWER}})
    ]
    return json.dumps({"anyOf": objects}, ensure_ascii=False)


def _sum(one: TokenUsage, other: TokenUsage) -> TokenUsage:
    return TokenUsage(
        prompt=one.prompt + other.prompt,
        completion=one.completion + other.completion,
        cached=one.cached + other.cached,
        reasoning=one.reasoning + other.reasoning,
        estimated=one.estimated or other.estimated,
    )
