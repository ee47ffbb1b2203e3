"""Retrieval for models that call no tools: the built-in model chooses the calls, the model answers from the results."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import RunStarted, ToolCalled
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.agent.tools.numbered_lines import number_lines
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatModel,
    ChatRequest,
    Evidence,
    GivenPassages,
    Message,
    RemembersToolUse,
    ToolCall,
    ToolMessage,
    ToolSpec,
    ToolUse,
    UserMessage,
)
from desktop_rag.llm.prompted_tools import was_prompted
from desktop_rag.stop import Stop

PASSAGES = 1_500  # tokens; models without tool calls are often small, with a smaller window than their profile says
HEADER = 30  # tokens of a passage's heading
NOTICE = 60  # tokens of what marks the passages as data
FALLBACK_ID = "lookup-"  # prefix of the ids of these calls


class ToollessFallback:
    """The retrieval of one question: `built_in` chooses calls, the caller runs them and passes their results back."""

    def __init__(
        self, question: str, history: Sequence[Message], tools: Sequence[ToolSpec], built_in: BuiltInModel
    ) -> None:
        self._built_in = built_in
        self._question = question
        self._tools = tools
        self._messages: list[Message] = [*history, UserMessage(question)]

    def next_calls(self, stop: Stop) -> tuple[ToolCall, ...]:
        """Return the calls to run next; empty when enough was read."""
        turn = self._built_in.turn(ChatRequest(self._messages, self._tools), stop)
        calls = tuple(replace(call, id=f"{FALLBACK_ID}{call.id}") for call in turn.calls)
        if calls:
            self._messages.append(AssistantMessage("", calls))
        return calls

    def add_result(self, result: ToolMessage) -> None:
        """Add the result of a call."""
        self._messages.append(result)

    def passages(self, budget: int, count_tokens: Callable[[str], int]) -> UserMessage:
        """Return the passages read (or else found) within `budget` tokens, followed by the question."""
        results = [message for message in self._messages if isinstance(message, ToolMessage)]
        shown_lines = [
            (result.name, evidence) for result in results for evidence in result.evidence if any(evidence.lines)
        ]
        read = [evidence for name, evidence in shown_lines if "search" not in name]
        parts: list[str] = []
        sent: list[Evidence] = []
        budget -= NOTICE
        for evidence in read or [evidence for _, evidence in shown_lines]:
            shown = number_lines(evidence.lines, evidence.first_line, budget - HEADER, count_tokens)
            if not shown.lines:
                break
            parts.append(f"[{evidence.reference}] {evidence.label}\n{shown.text}")
            sent.append(replace(evidence, lines=evidence.lines[: shown.text.count("\n") + 1]))
            budget -= count_tokens(shown.text) + HEADER
        passages = mark_as_data("\n\n".join(parts), ordering(sent)) if parts else "(nothing was found)"
        text = f"Passages:\n\n{passages}\n\nQuestion: {self._question}"
        return UserMessage(text, tuple(sent), given=GivenPassages(self._question))

    @property
    def messages(self) -> Sequence[Message]:
        """The question with the calls and their results."""
        return self._messages


def known_tool_use(conversation: Conversation, model: ChatModel) -> ToolUse | None:
    """Return how `model` searches, by the conversation or else by what is remembered of its endpoint; None: unknown."""
    if isinstance(model, BuiltInModel):
        return ToolUse.NATIVE
    remembered = model.tool_use() if isinstance(model, RemembersToolUse) else None
    return tool_use(conversation, model.name) or remembered


def tool_use(conversation: Conversation, model: str) -> ToolUse | None:
    """Return the best way in which `model` used tools in earlier turns; None if no earlier turn with it did."""
    used: set[ToolUse] = set()
    for turn in conversation.turns:
        if any(isinstance(event, RunStarted) and event.model == model for event in turn.events):
            used |= {_use_of(event.call_id) for event in turn.events if isinstance(event, ToolCalled)}
    return next((way for way in ToolUse if way in used), None)


def _use_of(call_id: str) -> ToolUse:
    if call_id.startswith(FALLBACK_ID):
        return ToolUse.NONE
    return ToolUse.PROMPTED if was_prompted(call_id) else ToolUse.NATIVE
