"""Keeps the messages of a run, knows how full the model's context is, and makes room when it fills up."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_rag.agent.events import ContextUse
from desktop_rag.agent.prompts import framed
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatModel,
    Evidence,
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
REMOVED = "[removed to save space; still usable: "
_DRIFT = (0.5, 3.0)  # a count of ours further than this from the endpoint's is not believed


class Context:
    """Messages in order; the first `history` ones and the question come from outside the run."""

    def __init__(
        self, model: ChatModel, limit: int, instructions: str, tools: Sequence[ToolSpec], history: Iterable[Message]
    ) -> None:
        self._model = model
        self.limit = max(min(limit or model.context_window, model.context_window), 512)
        self.answer_tokens = min(model.max_output, self.limit // 4)
        self._sizes: dict[int, int] = {}
        self._factor = 1.0
        self._estimated = True
        self._tool_tokens = sum(
            model.count_tokens(f"{tool.name} {tool.description} {tool.parameters}") + PER_MESSAGE for tool in tools
        )
        self.messages: list[Message] = [SystemMessage(instructions), *history]
        self._own = len(self.messages)  # where the run's own messages begin
        self._pinned: set[str] = set()  # references whose lines stay as long as possible

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

    def replace_question(self, message: UserMessage) -> None:
        """Put `message` in the place of the run's question."""
        self._forget(self.messages[self._own - 1])
        self.messages[self._own - 1] = message

    def pin(self, reference: str) -> None:
        """Keep the lines of a reference when room is made."""
        self._pinned.add(reference)

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
        return self.share() >= FULL

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
                held = () if hard else tuple(e for e in message.evidence if e.reference in self._pinned)
                emptied.add(message.call_id)
                self._forget(message)
                text = _reduced(message, held) if held else _remains(message)
                self.messages[index] = replace(message, text=text, evidence=held)
        while (hard or not self._roomy()) and self._own > 2:
            self._drop_turn()
        return frozenset(emptied)

    def keep_only(self, references: Sequence[str]) -> frozenset[str]:
        """Take everything but the lines of these references out of the tool results; return the calls emptied.

        The last result stays: it is what the model asked for now.
        """
        kept, emptied = frozenset(references), set[str]()
        results = [i for i, message in enumerate(self.messages) if isinstance(message, ToolMessage)]
        for index in results[:-1]:
            message = self.messages[index]
            if isinstance(message, ToolMessage) and message.evidence:
                held = tuple(evidence for evidence in message.evidence if evidence.reference in kept)
                if len(held) == len(message.evidence):
                    continue
                emptied.add(message.call_id)
                self._forget(message)
                self.messages[index] = replace(message, text=_reduced(message, held), evidence=held)
        return frozenset(emptied)

    def drop(self, reference: str) -> frozenset[str]:
        """Take the lines of one reference out of every tool result; return the calls emptied."""
        emptied = set[str]()
        for index, message in enumerate(self.messages):
            if isinstance(message, ToolMessage) and any(e.reference == reference for e in message.evidence):
                held = tuple(evidence for evidence in message.evidence if evidence.reference != reference)
                emptied.add(message.call_id)
                self._forget(message)
                self.messages[index] = replace(message, text=_reduced(message, held), evidence=held)
        return frozenset(emptied)

    def append_to_result(self, text: str) -> None:
        """Put a word of the loop behind the last tool result."""
        message = self.messages[-1]
        if isinstance(message, ToolMessage):
            self._forget(message)
            self.messages[-1] = replace(message, text=f"{message.text}\n\n{text}")

    def share(self) -> float:
        """Return how much of the limit is in use, the answer's room included; 1 is full."""
        return (self.measure().used + self.answer_tokens) / self.limit

    def _roomy(self) -> bool:
        return self.share() <= ROOMY

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


def _reduced(message: ToolMessage, held: Sequence[Evidence]) -> str:
    """Return a tool result with only some of its passages, the others by name."""
    gone = replace(message, evidence=tuple(e for e in message.evidence if e not in held))
    lines = (f"[{e.reference}] {e.title}\n{_numbered(e)}" for e in held)
    text = "\n\n".join((*lines, _remains(gone)))
    return framed(text) if held else text


def _numbered(evidence: Evidence) -> str:
    return "\n".join(f"{number}: {line}" for number, line in enumerate(evidence.lines, evidence.first_line))


def _remains(message: ToolMessage) -> str:
    """Return what is left of a tool result: the names and titles of what it showed."""
    named = {e.reference: f"{e.reference} “{e.title[:60]}” from line {e.first_line}" for e in message.evidence}
    return f"{REMOVED}{'; '.join(named.values()) or 'nothing'}]"
