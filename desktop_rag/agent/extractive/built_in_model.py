"""What the built-in model is for its callers, wherever it runs; light enough to import before the window is shown."""

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import BUILT_IN_MODEL
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    Evidence,
    Message,
    TextDelta,
    TokenUsage,
    ToolCall,
    TurnEnded,
)
from desktop_rag.stop import Stop

WINDOW = 128_000
OUTPUT = 2_048


@dataclass(frozen=True, slots=True)
class ExtractiveTurn:
    """Tool calls, or the parts of the answer, each with whether it is a note of the program."""

    calls: tuple[ToolCall, ...]
    parts: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class AskedCell:
    """A question of a column of a table; `kind` is text, date, amount, yes/no or one of the `options`."""

    name: str
    kind: str = "text"
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedCell:
    """The value of a cell and the words around it in its lines; without a value the document may not say it."""

    value: str = ""
    quote: str = ""
    first_line: int = 0
    last_line: int = 0


class BuiltInModel(ABC):
    """A chat model whose turns are computed as a whole, without a language model."""

    @property
    def name(self) -> str:
        """Return the name shown to the user."""
        return BUILT_IN_MODEL

    @property
    def context_window(self) -> int:
        """Return a typical size, so that tool results are truncated as for language models."""
        return WINDOW

    @property
    def max_output(self) -> int:
        """Return a size that the quotations never reach."""
        return OUTPUT

    def count_tokens(self, text: str) -> int:
        """Return an estimate: four characters per token."""
        return len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield tool calls, or the answer."""
        stop.check()
        turn = self.turn(request, stop)
        for part, note in turn.parts:
            for piece in re.findall(r"\S+\s*|\s+", part):
                stop.check()
                yield TextDelta(piece, note)
        text, calls = "".join(part for part, _ in turn.parts), turn.calls
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        usage = TokenUsage(prompt, self.count_tokens(text), estimated=True)
        yield TurnEnded(AssistantMessage(text, calls), usage, "tools" if calls else "stop")

    def quotations(self, messages: Sequence[Message], stop: Stop) -> str:
        """Return the sentences among the results of tools that answer best, quoted and cited; empty if none does."""
        text = self.reply(messages, stop)
        return "" if text.startswith("[not found]") else text

    def reply(self, messages: Sequence[Message], stop: Stop) -> str:
        """Return the answer from the results of tools without notes: quotations, or [not found]."""
        turn = self.turn(ChatRequest(messages), stop)
        return "".join(part for part, note in turn.parts if not note).strip()

    @abstractmethod
    def key_sentences(self, evidence: Sequence[Evidence], most: int, stop: Stop) -> list[Evidence]:
        """Return the sentences that say most about passages, at most `most`, in their order."""

    @abstractmethod
    def stated_cells(self, asked: Sequence[AskedCell], document: Sequence[Evidence], stop: Stop) -> list[StatedCell]:
        """Return a cell for each question, from the lines of one document."""

    @abstractmethod
    def common_labels(self, documents: Sequence[Sequence[Evidence]], stop: Stop) -> list[tuple[str, int]]:
        """Return labels and headings with the number of documents that have them, the most common first."""

    @abstractmethod
    def turn(self, request: ChatRequest, stop: Stop) -> ExtractiveTurn:
        """Return the next turn as a whole."""
