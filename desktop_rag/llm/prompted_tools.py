"""Tools for models without tool calls of their own: described in the prompt, called by one JSON object a turn.

Servers that take a JSON Schema (`response_format`) keep the object valid; of others it is parsed tolerantly (prose,
thoughts and fences around it, single quotes, trailing commas), asked for once more if it cannot be read, and
`ToolsRefused` is raised then. Text without such an object is the answer.
"""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from desktop_rag.errors import ToolsRefused
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatModel,
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
from desktop_rag.llm.json_value import as_text, object_in
from desktop_rag.llm.message_format import new_call_id
from desktop_rag.llm.written_calls import objects_in, written_calls
from desktop_rag.stop import Stop

MAX_CALL = 2_000  # characters of the object; small models may fill lists without end
_MOST = 100_000  # characters of a turn
_PREFACE = 400  # characters before an object that are held back: they are no answer if one follows
_SIGN = re.compile(r"[{<]|`{1,2}$|```|\[\s*(?:[{T]|$)")  # where an object may begin
_CALL_KEY = re.compile(r"""[{,]\s*["']?(?:tool|action|tool_name)["']?\s*:""")
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


class _CallSplitter:
    """Splits streamed text: what comes before the first sign of an object may be shown, the rest is `held`."""

    def __init__(self, preface: int) -> None:
        """Hold back the first `preface` characters, too."""
        self.text = ""
        self._preface = preface
        self._shown = 0

    @property
    def before(self) -> str:
        """Return the text before the first sign of an object."""
        sign = _SIGN.search(self.text)
        return self.text[: sign.start()].strip() if sign else self.text

    @property
    def held(self) -> str:
        """Return what was not shown."""
        return self.text[self._shown :]

    def settle(self, text: str) -> None:
        """Take the unchanged text at the end of the turn, if none was shown: its beginning may have been thinking."""
        self.text = self.text if self._shown else text

    def feed(self, piece: str) -> str:
        """Return what may be shown after `piece`."""
        self.text += piece
        sign = _SIGN.search(self.text, self._shown)
        end = sign.start() if sign else len(self.text)
        if end < self._preface or not self.text[:end].strip():
            return ""
        shown, self._shown = self.text[self._shown : end], end
        return shown


class PromptedTools(WrappedModel):
    """A `ChatModel` that calls tools by JSON objects in the text of another one, which calls none."""

    def __init__(self, model: ChatModel, *, must_call: bool = False) -> None:
        """With `must_call` a schema allows no answer before the first result: small models answer from memory."""
        super().__init__(model)
        self._must_call = must_call

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn; raises `ToolsRefused` if the model can write no call, else as the model does."""
        messages = in_words(request.messages, request.tools)
        if not request.tools:
            known, asked = request.known, replace(request, messages=messages, known=())
            yield from self._answer(asked, TokenUsage(0, 0), known, stop)
            return
        usage = TokenUsage(0, 0)
        asked = replace(request, messages=messages, tools=(), schema=self._schema(request))
        for _ in range(2):
            written, ended = yield from self._written(asked, _PREFACE, stop)
            usage = _sum(usage, ended.usage)
            choice = _choice(written.text, request.tools)
            if isinstance(choice, ToolCall):
                message = AssistantMessage(written.before, (choice,), ended.message.reasoning)
                yield TurnEnded(message, usage, "tools")
                return
            text = ended.message.text
            if choice is not None:
                now = (*messages, AssistantMessage(text), UserMessage(_ANSWER_NOW))
                final = replace(request, messages=_merged(now), tools=())
                yield from self._answer(final, usage, request.tools, stop)
                return
            if not _attempts_call(text):
                yield from _released(written, replace(ended, usage=usage))
                return
            repair = _REPAIR.format(names=", ".join((*(tool.name for tool in request.tools), ANSWER)))
            asked = replace(asked, messages=_merged((*messages, AssistantMessage(text), UserMessage(repair))))
        raise ToolsRefused(f"{self.name} wrote no tool call that can be read.")

    def _schema(self, request: ChatRequest) -> str:
        """Return the JSON Schema of the object: one of the tools with its arguments, or the wish to answer."""
        choices: list[Mapping[str, object]] = [
            {"tool": {"const": tool.name}, "arguments": json.loads(tool.parameters)} for tool in request.tools
        ]
        if not self._must_call or any(isinstance(message, ToolMessage) for message in request.messages):
            choices.append({"tool": {"const": ANSWER}})
        objects = [
            {"type": "object", "properties": choice, "required": list(choice), "additionalProperties": False}
            for choice in choices
        ]
        return json.dumps({"anyOf": objects}, ensure_ascii=False)

    def _written(
        self, request: ChatRequest, preface: int, stop: Stop
    ) -> Generator[ChatEvent, None, tuple[_CallSplitter, TurnEnded]]:
        """Pass on what is no call; hold back text from where it may be one. An object without end is cut off."""
        written = _CallSplitter(preface)
        may_be_endless = bool(request.schema)
        with closing(self._model.chat(request, stop)) as events:
            for event in events:
                match event:
                    case TextDelta(text):
                        if shown := written.feed(text):
                            yield TextDelta(shown)
                        if may_be_endless and len(written.held) > MAX_CALL:
                            may_be_endless = False
                            if _attempts_call(written.text):
                                return written, self._cut_off(request, written.text)
                        if len(written.text) > _MOST:
                            return written, self._cut_off(request, written.text)
                    case TurnEnded():
                        written.settle(event.message.text)
                        return written, event
                    case _:
                        yield event
        raise AssertionError("a turn ends with TurnEnded")

    def _cut_off(self, request: ChatRequest, text: str) -> TurnEnded:
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        usage = TokenUsage(prompt, self.count_tokens(text), estimated=True)
        return TurnEnded(AssistantMessage(text), usage, "length")

    def _answer(
        self, request: ChatRequest, usage: TokenUsage, tools: Sequence[ToolSpec], stop: Stop
    ) -> Generator[ChatEvent]:
        """Stream the answer; a call written instead is reported as such, so that it is not shown."""
        written, ended = yield from self._written(request, 0, stop)
        ended = replace(ended, usage=_sum(usage, ended.usage))
        choice = _choice(written.text, tools)
        if choice is None:
            yield from _released(written, ended)
            return
        answer, calls = (choice, ()) if isinstance(choice, str) else ("", (choice,))
        if answer:
            yield TextDelta(answer)
        yield replace(ended, message=AssistantMessage(answer or written.before, calls, ended.message.reasoning))


def _released(written: _CallSplitter, ended: TurnEnded) -> Generator[ChatEvent]:
    """End a turn whose text is the answer after all."""
    if written.held:
        yield TextDelta(written.held)
    yield ended


def _attempts_call(text: str) -> bool:
    """Return whether a text is a JSON object or the beginning of one, bare or in a code fence, or names a tool in one.

    So does an empty one, which is no answer either.
    """
    begins = text.lstrip()
    return not begins or begins[0] in "{[" or "```".startswith(begins[:3]) or bool(_CALL_KEY.search(text))


def _choice(text: str, tools: Sequence[ToolSpec]) -> ToolCall | str | None:
    """Return the call, or the answer that some put there, of the object in `text`; None if it cannot be read."""
    offered = {tool.name: tool.parameter_names() for tool in tools} | {ANSWER: ()}
    objects = list(objects_in(text[:MAX_CALL]))
    for name, arguments in written_calls(text, offered)[:1]:
        return "" if name == ANSWER else ToolCall(f"{_PREFIX}{new_call_id()}", name, arguments)
    answers = [found[ANSWER] for found in objects if set(found) == {ANSWER}]
    return as_text(answers[0]) if answers else None


def in_words(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> tuple[Message, ...]:
    """Return messages without calls and results, after a description of the tools: all is text, and roles alternate."""
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


def _sum(one: TokenUsage, other: TokenUsage) -> TokenUsage:
    return TokenUsage(
        prompt=one.prompt + other.prompt,
        completion=one.completion + other.completion,
        cached=one.cached + other.cached,
        reasoning=one.reasoning + other.reasoning,
        estimated=one.estimated or other.estimated,
    )
