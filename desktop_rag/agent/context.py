"""Keeps the messages of a run, knows how full the model's context is, and makes room when it fills up."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_rag.agent.events import ContextUse
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatModel,
    Message,
    SystemMessage,
    TokenUsage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)

PER_MESSAGE = 4  # tokens a provider adds around each message
FULL = 0.9  # AgenticRAG warns here; older tool results are taken out from here on
ROOMY = 0.6  # how full the context is left after that
ANSWER = 2_048
REMOVED = "[removed to save space; still usable: "
_DRIFT = (0.5, 3.0)  # a count of ours further than this from the endpoint's is not believed


class Context:
    """Messages in order; the first `history` ones and the question come from outside the run."""

    def __init__(
        self, model: ChatModel, limit: int, instructions: str, tools: Sequence[ToolSpec], history: Iterable[Message]
    ) -> None:
        self._model = model
        self.limit = max(min(limit or model.context_window, model.context_window), 512)
        self.answer_tokens = min(ANSWER, self.limit // 4)
        self._sizes: dict[int, int] = {}
        self._factor = 1.0
        self._estimated = True
        self._tool_tokens = sum(
            model.count_tokens(f"{tool.name} {tool.description} {tool.parameters}") + PER_MESSAGE for tool in tools
        )
        self.messages: list[Message] = [SystemMessage(instructions), *history]
        self._own = len(self.messages)  # where the run's own messages begin

    @property
    def history(self) -> tuple[Message, ...]:
        """What was said in earlier turns."""
        return tuple(self.messages[1 : self._own - 1])

    def add(self, message: Message) -> None:
        """Append a message."""
        self.messages.append(message)

    def begin_run(self) -> None:
        """Count everything said so far as history; what follows is this run's."""
        self._own = len(self.messages)

    def restart(self, instructions: str, message: Message) -> None:
        """Begin the run anew, without tools: with other instructions and `message` in place of the question."""
        for dropped in (self.messages[0], *self.messages[self._own - 1 :]):
            self._forget(dropped)
        self.messages[0] = SystemMessage(instructions)
        self.messages[self._own - 1 :] = [message]
        self._tool_tokens = 0

    def measure(self) -> ContextUse:
        """Return the tokens in use by kind, scaled to what the endpoint last counted."""
        instructions = self._size(self.messages[0]) + self._tool_tokens
        history = sum(self._size(message) for message in self.messages[1 : self._own])
        own = self.messages[self._own :]
        evidence = sum(self._size(message) for message in own if isinstance(message, ToolMessage))
        said = sum(self._size(message) for message in own if not isinstance(message, ToolMessage))
        return ContextUse(
            instructions=round(instructions * self._factor),
            history=round(history * self._factor),
            evidence=round(evidence * self._factor),
            answer=round(said * self._factor),
            limit=self.limit,
            estimated=self._estimated,
        )

    def calibrate(self, usage: TokenUsage, answered: Message) -> None:
        """Learn from the endpoint's own count of a request; `answered` was not yet part of it."""
        if usage.estimated or usage.prompt <= 0:
            return
        counted = self._tool_tokens + sum(self._size(m) for m in self.messages if m is not answered)
        low, high = _DRIFT
        if counted and low <= usage.prompt / counted <= high:
            self._factor = usage.prompt / counted
            self._estimated = False

    def free(self) -> int:
        """Return the tokens left for tool results once the answer has its room."""
        return max(self.limit - self.measure().used - self.answer_tokens, 0)

    def is_full(self) -> bool:
        """Return whether the context has reached 90 % of its limit, the answer's room included."""
        return self.measure().used + self.answer_tokens >= FULL * self.limit

    def make_room(self, keep: int = 1, *, hard: bool = False) -> frozenset[str]:
        """Empty older tool results, then drop older turns, until there is room; return the calls emptied.

        The last `keep` tool results stay whole. References survive in the text left behind. With `hard`
        nothing else that can go stays: the endpoint said that its window is smaller than we believe.
        """
        emptied: set[str] = set()
        results = [i for i, message in enumerate(self.messages) if isinstance(message, ToolMessage)]
        for index in results[: len(results) - keep] if keep else results:
            if self._roomy() and not hard:
                return frozenset(emptied)
            message = self.messages[index]
            if isinstance(message, ToolMessage) and not message.text.startswith(REMOVED):
                emptied.add(message.call_id)
                self._forget(message)
                self.messages[index] = replace(message, text=_remains(message), evidence=())
        while (hard or not self._roomy()) and self._own > 2:
            self._drop_turn()
        return frozenset(emptied)

    def _roomy(self) -> bool:
        return self.measure().used + self.answer_tokens <= ROOMY * self.limit

    def _drop_turn(self) -> None:
        """Drop the oldest message of the history, and what answered it."""
        self._forget(self.messages.pop(1))
        self._own -= 1
        while self._own > 2 and not isinstance(self.messages[1], UserMessage):
            self._forget(self.messages.pop(1))
            self._own -= 1

    def _forget(self, message: Message) -> None:
        self._sizes.pop(id(message), None)  # the next object may get the same id

    def _size(self, message: Message) -> int:
        key = id(message)
        if key not in self._sizes:
            self._sizes[key] = self._model.count_tokens(_written(message)) + PER_MESSAGE
        return self._sizes[key]


def _written(message: Message) -> str:
    """Return what a message costs: its text, and for the model's own the calls it made."""
    if isinstance(message, AssistantMessage):
        return " ".join((message.text, message.reasoning, *(f"{c.name} {c.arguments}" for c in message.tool_calls)))
    return message.text


def _remains(message: ToolMessage) -> str:
    """Return what is left of a tool result: the names and titles of what it showed."""
    named = {e.reference: f"{e.reference} “{e.title[:60]}” from line {e.first_line}" for e in message.evidence}
    return f"{REMOVED}{'; '.join(named.values()) or 'nothing'}]"
