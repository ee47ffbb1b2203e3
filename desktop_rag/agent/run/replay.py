"""Replay of a stored run up to any step: to resume it, to try another query, to see what changed.

The loop does not notice: a recorded model repeats the stored messages, the tools run on today's library, and after
the last recorded message a real model takes over.
"""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

from desktop_rag.agent.conversations.history import as_written
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Remark,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    end_of,
)
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.prompts import CONTINUE_ANSWER, LOOP_NOTES
from desktop_rag.agent.run.short_path import FALLBACK_ID
from desktop_rag.agent.run.tool_dispatch import PRE_STEP_ID
from desktop_rag.agent.toolkits.registry import counts_from
from desktop_rag.errors import ModelError
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatModel,
    ChatRequest,
    ReasoningDelta,
    TextDelta,
    TokenUsage,
    ToolCall,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.json_value import object_in
from desktop_rag.stop import Stop

ANSWER = 2_048  # tokens
QUERY_NAMES = ("queries", "query", "keywords", "patterns", "pattern")  # parameters that hold search words
_CLOSE_OF_SENTENCE = re.compile(r"(?<!\d)[.!?](?:\s*\[[^\]]*\])*(?=\s)|[。！？]|\n")
_AT_THE_JOINT = 60  # characters of the continuation that are compared with what there is
_LEAST_REPEATED = 8  # characters; fewer are alike by chance
_OVER = "The recorded run ends here, and there is no model to continue it."


class RecordedModel:
    """Repeats the messages of a stored run's model, then continues with another model."""

    def __init__(
        self, recorded: Sequence[AssistantMessage], then: ChatModel | None, name: str = "", begun: str = ""
    ) -> None:
        """`then` continues the run, and the answer `begun` in it; without it, `name` is the recorded model's."""
        self._recorded = list(recorded)
        self._begun = begun
        self._then = then
        self._name = name

    @property
    def name(self) -> str:
        """Return the name of the continuing model, else of the recorded one."""
        return self._then.name if self._then else self._name

    @property
    def context_window(self) -> int:
        """Return the window of the continuing model."""
        return self._then.context_window if self._then else 1_000_000

    @property
    def max_output(self) -> int:
        """Return the output limit of the continuing model."""
        return self._then.max_output if self._then else ANSWER

    def count_tokens(self, text: str) -> int:
        """Count as the continuing model does."""
        return self._then.count_tokens(text) if self._then else len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield the next recorded turn, at no cost, or a new one."""
        stop.check()
        offered = {tool.name for tool in request.tools}
        if self._recorded and all(call.name in offered for call in self._recorded[0].tool_calls):
            yield from _stream(self._recorded.pop(0))
            return
        self._recorded.clear()  # the run has diverged from the recorded one
        if self._then is None:
            raise ModelError(_OVER)
        begun, self._begun = self._begun, ""
        if begun and not request.schema:
            yield from _continued(begun, request, self._then, stop)
        else:
            yield from self._then.chat(request, stop)


def begun_answer(turn: Turn) -> str:
    """Return the whole sentences of an answer that broke off or was stopped, with citations as the model wrote them.

    Empty if there are none, or where the searches were made for the model: its prompt was another one.
    """
    last = turn.events[-1] if turn.events else None
    calls = (event.call_id for event in turn.events if isinstance(event, ToolCalled))
    if not isinstance(last, RunStopped | RunFailed) or any(call.startswith(FALLBACK_ID) for call in calls):
        return ""
    text = _answer(turn)
    ends = [found.end() for found in _CLOSE_OF_SENTENCE.finditer(f"{text}\n")]
    return text[: max((end for end in ends if end <= len(text)), default=0)]


def _continued(begun: str, request: ChatRequest, model: ChatModel, stop: Stop) -> Generator[ChatEvent]:
    """Have a model continue the answer `begun`; yield both as one. If it starts over, its text replaces `begun`.

    A request to go on, not a prompt that ends with the model's text: few servers continue that.
    """
    asked = (*request.messages, AssistantMessage(begun), UserMessage(CONTINUE_ANSWER))
    start, joined = "", False
    try:
        for event in model.chat(replace(request, messages=asked), stop):
            if isinstance(event, TextDelta) and not joined:
                start += event.text
                if joined := len(start) >= _AT_THE_JOINT:
                    yield TextDelta(_join(begun, start))
            elif isinstance(event, TurnEnded):
                if not joined:
                    yield TextDelta(_join(begun, start))
                text = event.message.text
                yield replace(event, message=replace(event.message, text=_join(begun, text)))
                return
            else:
                yield event
    except ModelError:
        if not joined:
            yield TextDelta(_join(begun, start))
        raise


def _join(begun: str, more: str) -> str:
    """Return an answer and its continuation without what it repeats of the end; the latter alone if it starts over."""
    more = more.strip() if not more.strip() else more.lstrip(" ")
    opening = more[:_AT_THE_JOINT].strip()
    if len(opening) >= _LEAST_REPEATED and begun.startswith(opening):
        return more
    sizes = range(min(len(begun), _AT_THE_JOINT, len(more)), _LEAST_REPEATED - 1, -1)
    repeated = next((size for size in sizes if begun.endswith(more[:size])), 0)
    more = more[repeated:]
    return begun + ("" if not more or more[0].isspace() or begun[-1].isspace() else " ") + more


def recorded(
    turn: Turn, before_step: int | None = None, edited: Mapping[str, str] | None = None
) -> tuple[AssistantMessage, ...]:
    """Return the model's messages of a stored run, in order.

    With `before_step` only those before that step. `edited` maps call ids of that step to other arguments: the step
    is then included with these, as the last one.
    """
    messages: list[AssistantMessage] = []
    for step, events in _steps(turn.events):
        if before_step is not None and step >= before_step:
            if edited and step == before_step:
                messages += _with_arguments(_messages(events), edited)
            return tuple(messages)
        messages += _messages(events)
    if before_step is None and (answer := _answer(turn)):
        messages.append(AssistantMessage(answer))
    return tuple(messages)


def resume_step(turn: Turn) -> int:
    """Return the step from which to resume an interrupted run: the first one that lacks a result."""
    open_step = 0
    for step, events in _steps(turn.events):
        called = {event.call_id for event in events if isinstance(event, ToolCalled)}
        returned = {event.call_id for event in events if isinstance(event, ToolReturned) and not _is_interrupted(event)}
        open_step = step
        if called and called <= returned:
            open_step = step + 1
    return max(open_step, 1)


def _steps(events: Sequence[AgentEvent]) -> list[tuple[int, list[AgentEvent]]]:
    """Group the events of a run by step."""
    steps: list[tuple[int, list[AgentEvent]]] = []
    for event in events:
        if isinstance(event, StepStarted):
            steps.append((event.step, []))
        elif steps:
            steps[-1][1].append(event)
    return steps


def _messages(events: Sequence[AgentEvent]) -> list[AssistantMessage]:
    """Return the model's message of a step before the last: its plan, or its calls with the reasoning."""
    plans = [event.text for event in events if isinstance(event, Remark) and event.kind == "plan"]
    if plans:
        return [AssistantMessage(plans[0])]
    called = [event for event in events if isinstance(event, ToolCalled)]
    own = tuple(
        ToolCall(event.call_id, event.name, event.arguments)
        for event in called
        if not event.call_id.startswith((FALLBACK_ID, PRE_STEP_ID))
    )
    thought = "".join(event.text for event in events if isinstance(event, Thought))
    if own:
        return [AssistantMessage("", own, reasoning=thought)]
    return [AssistantMessage(thought)] if thought and not called else []


def _with_arguments(messages: Sequence[AssistantMessage], edited: Mapping[str, str]) -> list[AssistantMessage]:
    return [
        replace(
            message,
            tool_calls=tuple(replace(c, arguments=edited.get(c.id, c.arguments)) for c in message.tool_calls),
        )
        for message in messages
        if any(call.id in edited for call in message.tool_calls)
    ]


def _answer(turn: Turn) -> str:
    if (end := end_of(turn.events)) is None:
        return ""
    text = as_written(end.text, end.citations, _counts_from(turn))
    for note in LOOP_NOTES:
        text = text.partition(note)[0]
    mark = "[not found] " if isinstance(end, Answered) and not end.found else ""
    return f"{mark}{text.strip()}" if text.strip() else ""


def _counts_from(turn: Turn) -> int:
    """Return the number by which the run's model saw a document's first line."""
    started = next((event for event in turn.events if isinstance(event, RunStarted)), None)
    return counts_from(started.toolkit) if started else 1


def _is_interrupted(event: ToolReturned) -> bool:
    """Return whether a call has no result because the run was interrupted."""
    return event.failed and not event.tokens


def _stream(message: AssistantMessage) -> Generator[ChatEvent]:
    if message.reasoning:
        yield ReasoningDelta(message.reasoning)
    if message.text:
        for part, note in split_notes(message.text):
            yield TextDelta(part, note)
    yield TurnEnded(message, TokenUsage(0, 0), "tools" if message.tool_calls else "stop")


def query_words(arguments: str) -> tuple[str, ...]:
    """Return the search words of a call, for editing; empty for a call without any."""
    name, words = _words(arguments)
    return words if name else ()


def with_query_words(arguments: str, words: Sequence[str]) -> str:
    """Return the arguments of a call with other search words."""
    name, _ = _words(arguments)
    if not name:
        return arguments
    value = dict(object_in(arguments))
    value[name] = list(words) if isinstance(value[name], list) else " ".join(words)
    return json.dumps(value, ensure_ascii=False)


def _words(arguments: str) -> tuple[str, tuple[str, ...]]:
    value = object_in(arguments)
    for name in QUERY_NAMES:
        found = value.get(name)
        if isinstance(found, str):
            return name, (found,)
        if isinstance(found, list):
            return name, tuple(item for item in found if isinstance(item, str))
    return "", ()
