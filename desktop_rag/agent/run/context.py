"""The messages of a run within the model's context window: token counts, and eviction when it fills up."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_rag.agent.events import ContextUse
from desktop_rag.agent.prompts import mark_as_data, ordering
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
from desktop_rag.text.display import shorten

PER_MESSAGE = 4  # tokens of overhead a provider adds to each message
FULL_SHARE = 0.9  # AgenticRAG warns here; from here on older tool results are evicted
TARGET_SHARE = 0.6  # how full eviction leaves the context
CROWDED_SHARE = 0.75  # from here on, without tool results, too little room is left for them
LARGEST_RESERVE = 0.25  # share of the context that may be kept for the answer
LEAST_RESERVE = 128  # tokens
LEAST_CONTEXT = 512  # tokens
SHORTENED = "\n[the rest was removed to save space]"
REMOVED = "[removed to save space; still usable: "
_DRIFT = (0.5, 3.0)  # plausible ratios of the endpoint's count to ours; others are ignored


class MessageContext:
    """Messages in order: instructions, history, question, then the run's own."""

    def __init__(
        self, model: ChatModel, limit: int, instructions: str, tools: Sequence[ToolSpec], history: Iterable[Message]
    ) -> None:
        self._model = model
        self.limit = max(min(limit or model.context_window, model.context_window), LEAST_CONTEXT)
        self.answer_tokens = min(model.max_output, int(self.limit * LARGEST_RESERVE))
        self._dropped = 0  # tool results removed to make room
        self._sizes: dict[int, int] = {}
        self._factor = 1.0
        self._estimated = True
        self._tool_tokens = sum(
            model.count_tokens(f"{tool.name} {tool.description} {tool.parameters}") + PER_MESSAGE for tool in tools
        )
        self.messages: list[Message] = [SystemMessage(instructions), *history]
        self._own = len(self.messages)  # index of the run's first own message
        self._pinned: set[str] = set()  # references whose lines are evicted last

    @property
    def history(self) -> tuple[Message, ...]:
        """The messages of earlier turns."""
        return tuple(self.messages[1 : self._own - 1])

    def instructions(self) -> tuple[str, ...]:
        """Return the texts that tell the model what to do, without documents."""
        told = (each for each in self.messages if isinstance(each, SystemMessage) or _is_aside(each))
        return tuple(each.text for each in told)

    def add(self, message: Message) -> None:
        """Append a message."""
        self.messages.append(message)

    def begin_run(self) -> None:
        """Count all messages so far as history; later ones belong to this run."""
        self._own = len(self.messages)

    def restart(self, instructions: str, message: Message) -> None:
        """Restart the run without tools and history, with other instructions and `message` instead of the question."""
        self._sizes.clear()
        self.messages = [SystemMessage(instructions), message]
        self._own, self._tool_tokens = len(self.messages), 0

    def replace_question(self, message: UserMessage) -> None:
        """Replace the run's question by `message`."""
        self._forget(self.messages[self._own - 1])
        self.messages[self._own - 1] = message

    def pin(self, reference: str) -> None:
        """Keep the lines of a reference on eviction."""
        self._pinned.add(reference)

    def measure(self) -> ContextUse:
        """Return the tokens in use by kind, scaled to the endpoint's last count."""
        instructions = self._size(self.messages[0]) + self._tool_tokens
        history = sum(self._size(message) for message in self.messages[1 : self._own])
        own = self.messages[self._own :]
        evidence = sum(self._size(message) for message in own if isinstance(message, ToolMessage))
        answer = sum(self._size(message) for message in own if not isinstance(message, ToolMessage))
        return ContextUse(
            instructions=round(instructions * self._factor),
            history=round(history * self._factor),
            evidence=round(evidence * self._factor),
            answer=round(answer * self._factor),
            limit=self.limit,
            estimated=self._estimated,
            reserve=self.answer_tokens,
            dropped=self._dropped,
        )

    def fit(self, window: int) -> None:
        """Stay below a window that turned out to be smaller."""
        self.limit = min(self.limit, max(window, LEAST_CONTEXT))
        self.answer_tokens = min(self.answer_tokens, int(self.limit * LARGEST_RESERVE))

    def keep_for_answer(self, tokens: int) -> None:
        """Keep `tokens` for the answer, within the limits of what may be kept."""
        self.answer_tokens = max(LEAST_RESERVE, min(tokens, int(self.limit * LARGEST_RESERVE)))

    def calibrate(self, usage: TokenUsage, answered: Message) -> None:
        """Scale our counts to the endpoint's count of a request, which did not include `answered` yet."""
        if usage.estimated or usage.prompt <= 0:
            return
        counted = self._tool_tokens + sum(self._size(m) for m in self.messages if m is not answered)
        low, high = _DRIFT
        if counted and low <= usage.prompt / counted <= high:
            self._factor = usage.prompt / counted
            self._estimated = False

    def free(self) -> int:
        """Return the tokens left for tool results after reserving the answer's."""
        return max(self.limit - self.measure().used - self.answer_tokens, 0)

    def is_full(self) -> bool:
        """Return whether the context, with the answer's reserve, has reached 90 % of its limit."""
        return self.share() >= FULL_SHARE

    def evict(self, keep: int = 1, *, hard: bool = False) -> frozenset[str]:
        """Evict older tool results, then older turns, until the target is met; return the ids of the emptied calls.

        The last `keep` tool results stay whole. The names of references stay in the text. With `hard` everything else
        goes, pinned lines included: the endpoint reported a smaller window than we assumed.
        """
        emptied: set[str] = set()
        results = [i for i, message in enumerate(self.messages) if isinstance(message, ToolMessage)]
        for index in results[: len(results) - keep] if keep else results:
            if self._has_room() and not hard:
                return frozenset(emptied)
            message = self.messages[index]
            if isinstance(message, ToolMessage) and not message.text.startswith(REMOVED):
                held = () if hard else tuple(e for e in message.evidence if e.reference in self._pinned)
                emptied.add(self._reduce(index, message, held))
                self._dropped += 1
        while (hard or not self._has_room()) and self._own > 2:
            self._drop_turn()
        return frozenset(emptied)

    def is_crowded(self) -> bool:
        """Return whether there are tool results, and hardly room for them beside everything else."""
        use = self.measure()
        return use.evidence > 0 and use.used - use.evidence + self.answer_tokens >= CROWDED_SHARE * self.limit

    def instruct(self, instructions: str) -> None:
        """Go on with other instructions, and without tools."""
        self._forget(self.messages[0])
        self.messages[0] = SystemMessage(instructions)
        self.drop_tools()

    def drop_tools(self) -> None:
        """Count no tools any more: they are not offered in what follows."""
        self._tool_tokens = 0

    def shorten_last_result(self) -> frozenset[str]:
        """Leave passages out of the last tool result, from the end, until the context is not full.

        The first passage, and a text without passages, lose lines. Return the id of its call, if it changed.
        """
        index = max((i for i, each in enumerate(self.messages) if isinstance(each, ToolMessage)), default=0)
        message = self.messages[index]
        if not isinstance(message, ToolMessage) or not self.is_full():
            return frozenset()
        count, lines, text = len(message.evidence), 0, message.text
        while self.is_full() and (count or (text and not message.evidence)):
            self._forget(self.messages[index])
            if not message.evidence:
                text = text[: len(text) // 2]
                self.messages[index] = replace(message, text=text + SHORTENED)
                continue
            lines = (lines or len(message.evidence[0].lines)) // 2 if count == 1 else 0
            count = count - 1 if not lines else 1
            held, left_out = _split(message.evidence, count, lines)
            text = _reduced(replace(message, evidence=left_out), held)
            self.messages[index] = replace(message, text=text, evidence=held)
        return frozenset({message.call_id})

    def keep_only(self, references: Sequence[str]) -> frozenset[str]:
        """Evict all lines but those of these references from the tool results; return the ids of the emptied calls.

        The last result stays whole: the model has just asked for it.
        """
        kept, emptied = frozenset(references), set[str]()
        results = [i for i, message in enumerate(self.messages) if isinstance(message, ToolMessage)]
        for index in results[:-1]:
            message = self.messages[index]
            if isinstance(message, ToolMessage) and message.evidence:
                held = tuple(evidence for evidence in message.evidence if evidence.reference in kept)
                if len(held) < len(message.evidence):
                    emptied.add(self._reduce(index, message, held))
        return frozenset(emptied)

    def drop(self, reference: str) -> frozenset[str]:
        """Remove the lines of one reference from every tool result; return the ids of the emptied calls."""
        emptied = set[str]()
        for index, message in enumerate(self.messages):
            if isinstance(message, ToolMessage) and any(e.reference == reference for e in message.evidence):
                held = tuple(evidence for evidence in message.evidence if evidence.reference != reference)
                emptied.add(self._reduce(index, message, held))
        return frozenset(emptied)

    def _reduce(self, index: int, message: ToolMessage, held: tuple[Evidence, ...]) -> str:
        """Keep only the `held` passages of a tool result; return the id of its call."""
        self._forget(message)
        self.messages[index] = replace(message, text=_reduced(message, held), evidence=held)
        return message.call_id

    def append_to_result(self, text: str) -> None:
        """Append a notice of the loop to the last tool result."""
        message = self.messages[-1]
        if isinstance(message, ToolMessage):
            self._forget(message)
            self.messages[-1] = replace(message, text=f"{message.text}\n\n{text}")

    def share(self) -> float:
        """Return the share of the limit in use, with the answer's reserve; 1 is full."""
        return (self.measure().used + self.answer_tokens) / self.limit

    def _has_room(self) -> bool:
        return self.share() <= TARGET_SHARE

    def _drop_turn(self) -> None:
        """Drop the oldest question of the history with its answers."""
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
            self._sizes[key] = self._model.count_tokens(_counted_text(message)) + PER_MESSAGE
        return self._sizes[key]


def _counted_text(message: Message) -> str:
    """Return the text of a message that counts in tokens: for the model's own, with reasoning and calls."""
    if isinstance(message, AssistantMessage):
        return " ".join((message.text, message.reasoning, *(f"{c.name} {c.arguments}" for c in message.tool_calls)))
    return message.text


def _split(evidence: Sequence[Evidence], count: int, lines: int) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """Return the first `count` passages and the others; of the only one the first `lines`, if not 0, and the rest."""
    if not lines:
        return tuple(evidence[:count]), tuple(evidence[count:])
    first = evidence[0]
    rest = replace(first, first_line=first.first_line + lines, lines=first.lines[lines:])
    return (replace(first, lines=first.lines[:lines]),), (rest, *evidence[1:])


def _reduced(message: ToolMessage, held: Sequence[Evidence]) -> str:
    """Return a tool result with only the `held` passages; the others are named."""
    evicted = replace(message, evidence=tuple(e for e in message.evidence if e not in held))
    lines = (f"[{e.reference}] {e.label}\n{_numbered(e)}" for e in held)
    text = "\n\n".join((*lines, _stub(evicted)))
    return mark_as_data(text, ordering(held)) if held else text


def _numbered(evidence: Evidence) -> str:
    return "\n".join(f"{number}: {line}" for number, line in enumerate(evidence.lines, evidence.first_line))


def _stub(message: ToolMessage) -> str:
    """Return the placeholder of an evicted result: the names and titles of its passages."""
    named = {e.reference: f"{e.reference} “{shorten(e.label)}” from line {e.first_line}" for e in message.evidence}
    return f"{REMOVED}{'; '.join(named.values()) or 'nothing'}]"


def _is_aside(message: Message) -> bool:
    return isinstance(message, UserMessage) and message.aside
