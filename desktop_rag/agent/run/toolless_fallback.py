"""Looking things up for a model that calls no tools: the built-in one chooses, what it read is laid out as text."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import RunStarted, ToolCalled
from desktop_rag.agent.extractive.answer import NOTE
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.tools.numbered_lines import number_lines
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    Message,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.stop import Stop

PASSAGES = 1_500  # tokens; who calls no tools is often small, and may have less room than its profile says
HEADER = 30  # tokens of a passage's name
CALL_ID = "lookup-"  # how the ids of these calls begin


class ToollessFallback:
    """One question looked up step by step; whoever carries out the calls hands their results back."""

    def __init__(self, question: str, history: Sequence[Message], tools: Sequence[ToolSpec]) -> None:
        self._question = question
        self._tools = tools
        self._messages: list[Message] = [*history, UserMessage(question)]

    def next_calls(self, stop: Stop) -> tuple[ToolCall, ...]:
        """Return what to call now; nothing when enough was read."""
        said = self._ask(self._tools, stop)
        calls = tuple(replace(call, id=f"{CALL_ID}{call.id}") for call in said.tool_calls)
        if calls:
            self._messages.append(replace(said, tool_calls=calls))
        return calls

    def take(self, result: ToolMessage) -> None:
        """Note what a call brought."""
        self._messages.append(result)

    def passages(self, budget: int, count_tokens: Callable[[str], int]) -> str:
        """Return what was read, or else found, as far as `budget` tokens go, and the question behind it."""
        results = [message for message in self._messages if isinstance(message, ToolMessage)]
        read = [evidence for result in results if "search" not in result.name for evidence in result.evidence]
        parts: list[str] = []
        for evidence in read or [evidence for result in results for evidence in result.evidence]:
            shown = number_lines(evidence.lines, evidence.first_line, budget - HEADER, count_tokens)
            if not shown.lines:
                break
            parts.append(f"[{evidence.reference}] {evidence.title}\n{shown.text}")
            budget -= count_tokens(shown.text) + HEADER
        found = "\n\n".join(parts) or "(nothing was found)"
        return f"Passages:\n\n{found}\n\nQuestion: {self._question}"

    def quotations(self, stop: Stop) -> str:
        """Return the sentences that answer best, quoted and cited; empty if none does."""
        text = self._ask((), stop).text
        return text.removesuffix(NOTE).strip() if text.endswith(NOTE) else ""

    def _ask(self, tools: Sequence[ToolSpec], stop: Stop) -> AssistantMessage:
        ends = (event for event in ExtractiveModel().chat(ChatRequest(self._messages, tools), stop))
        return next((event.message for event in ends if isinstance(event, TurnEnded)), AssistantMessage(""))


def calls_tools(conversation: Conversation, model: str) -> bool | None:
    """Return whether `model` called tools in earlier turns, or had things looked up for it; None if neither."""
    own = looked_up = False
    for turn in conversation.turns:
        here = any(isinstance(event, RunStarted) and event.model == model for event in turn.events)
        ids = [event.call_id for event in turn.events if here and isinstance(event, ToolCalled)]
        own |= any(not name.startswith(CALL_ID) for name in ids)
        looked_up |= any(name.startswith(CALL_ID) for name in ids)
    return own if own or looked_up else None
