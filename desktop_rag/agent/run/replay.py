"""A stored run done again, up to any step: to go on where it broke off, to try another query, to see what changed.

The loop does not know it: a recorded model says again what the model said then, the tools run on today's library, and
after the last recorded turn the word goes to a real model.
"""

import json
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
)
from desktop_rag.agent.prompts import LOOP_NOTES
from desktop_rag.agent.run.tool_dispatch import OPENING_ID
from desktop_rag.agent.run.toolless_fallback import CALL_ID
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
)
from desktop_rag.stop import Stop

ANSWER = 2_048  # tokens
QUERY_NAMES = ("queries", "query", "keywords", "patterns", "pattern")  # parameters that hold words to look for
_OVER = "The recorded run ends here, and there is no model to go on."


class RecordedModel:
    """Says again what the model of a stored run said, then leaves the word to another one."""

    def __init__(self, recorded: Sequence[AssistantMessage], then: ChatModel | None, name: str = "") -> None:
        """`name` is the recorded model's, for a run without another one."""
        self._recorded = list(recorded)
        self._then = then
        self._name = name

    @property
    def name(self) -> str:
        """Return the name of the model that goes on, else of the recorded one."""
        return self._then.name if self._then else self._name

    @property
    def context_window(self) -> int:
        """Return the window of the model that goes on."""
        return self._then.context_window if self._then else 1_000_000

    @property
    def max_output(self) -> int:
        """Return what the model that goes on may write at once."""
        return self._then.max_output if self._then else ANSWER

    def count_tokens(self, text: str) -> int:
        """Count as the model that goes on."""
        return self._then.count_tokens(text) if self._then else len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield the next recorded turn, which costs nothing, or a new one."""
        stop.check()
        offered = {tool.name for tool in request.tools}
        if self._recorded and all(call.name in offered for call in self._recorded[0].tool_calls):
            yield from _say(self._recorded.pop(0))
            return
        self._recorded.clear()  # the run went another way than then
        if self._then is None:
            raise ModelError(_OVER)
        yield from self._then.chat(request, stop)


def recorded(
    turn: Turn, before_step: int | None = None, edited: Mapping[str, str] | None = None
) -> tuple[AssistantMessage, ...]:
    """Return what the model said in a stored run, in order.

    With `before_step` only what it said before that step; `edited` gives calls of that step other arguments, by id:
    the step is then said again with these and is the last one.
    """
    said: list[AssistantMessage] = []
    for step, events in _steps(turn.events):
        if before_step is not None and step >= before_step:
            if edited and step == before_step:
                said += _with_arguments(_messages(events), edited)
            return tuple(said)
        said += _messages(events)
    if before_step is None and (answer := _answer(turn)):
        said.append(AssistantMessage(answer))
    return tuple(said)


def last_step(turn: Turn) -> int:
    """Return the step from which a run that broke off has to be done again: the first without all its results."""
    open_step = 0
    for step, events in _steps(turn.events):
        called = {event.call_id for event in events if isinstance(event, ToolCalled)}
        returned = {event.call_id for event in events if isinstance(event, ToolReturned) and not _broken(event)}
        open_step = step
        if called and called <= returned:
            open_step = step + 1
    return max(open_step, 1)


def _steps(events: Sequence[AgentEvent]) -> list[tuple[int, list[AgentEvent]]]:
    """Return the events of a run by step."""
    steps: list[tuple[int, list[AgentEvent]]] = []
    for event in events:
        if isinstance(event, StepStarted):
            steps.append((event.step, []))
        elif steps:
            steps[-1][1].append(event)
    return steps


def _messages(events: Sequence[AgentEvent]) -> list[AssistantMessage]:
    """Return what the model said in one step that was not the last: its plan, or its calls with what led to them."""
    plans = [event.text for event in events if isinstance(event, Remark) and event.kind == "plan"]
    if plans:
        return [AssistantMessage(plans[0])]
    called = [event for event in events if isinstance(event, ToolCalled)]
    own = tuple(
        ToolCall(event.call_id, event.name, event.arguments)
        for event in called
        if not event.call_id.startswith((CALL_ID, OPENING_ID))
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
    for event in reversed(turn.events):
        if isinstance(event, Answered | RunStopped | RunFailed):
            text = as_written(event.text, event.citations, _counts_from(turn))
            for note in LOOP_NOTES:
                text = text.partition(note)[0]
            mark = "[not found] " if isinstance(event, Answered) and not event.found else ""
            return f"{mark}{text.strip()}" if text.strip() else ""
    return ""


def _counts_from(turn: Turn) -> int:
    """Return the number that the run's model saw for a document's first line."""
    started = next((event for event in turn.events if isinstance(event, RunStarted)), None)
    return counts_from(started.toolkit) if started else 1


def _broken(event: ToolReturned) -> bool:
    """Return whether a call has no result because the run was stopped or broke in it."""
    return event.failed and not event.tokens


def _say(message: AssistantMessage) -> Generator[ChatEvent]:
    if message.reasoning:
        yield ReasoningDelta(message.reasoning)
    if message.text:
        yield TextDelta(message.text)
    yield TurnEnded(message, TokenUsage(0, 0), "tools" if message.tool_calls else "stop")


def words_of(arguments: str) -> tuple[str, ...]:
    """Return what a call looks for, as a person would change it; nothing for a call that looks for no words."""
    name, words = _words(arguments)
    return words if name else ()


def with_words(arguments: str, words: Sequence[str]) -> str:
    """Return the arguments of a call that looks for other words."""
    name, _ = _words(arguments)
    if not name:
        return arguments
    value: object = json.loads(arguments)
    if isinstance(value, dict):
        value[name] = list(words) if isinstance(value[name], list) else " ".join(words)
    return json.dumps(value, ensure_ascii=False)


def _words(arguments: str) -> tuple[str, tuple[str, ...]]:
    try:
        value: object = json.loads(arguments)
    except ValueError:
        return "", ()
    for name in QUERY_NAMES if isinstance(value, dict) else ():
        found = value.get(name) if isinstance(value, dict) else None
        if isinstance(found, str):
            return name, (found,)
        if isinstance(found, list):
            return name, tuple(item for item in found if isinstance(item, str))
    return "", ()
