"""The built-in chat model: it searches by rules, reads, and answers in sentences quoted from what it read.

It generates no language of its own. It keeps no state: each turn it looks at the messages, as any model does.
"""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.answer import answer_text, convincing, not_found_text
from desktop_rag.agent.extractive.candidates import candidates
from desktop_rag.agent.extractive.questions import Question, analyse
from desktop_rag.agent.extractive.ranking import Ranked, rank
from desktop_rag.agent.extractive.words import stems
from desktop_rag.agent.prompts import LOOP_MESSAGES
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    Message,
    TextDelta,
    TokenUsage,
    ToolCall,
    ToolMessage,
    TurnEnded,
    UserMessage,
)
from desktop_rag.stop import Stop

READ = 6  # passages read after the first search
READ_AGAIN = 4
WINDOW = 128_000
_SYNTAX = re.compile(r"[\"“”„«»():^~*?\[\]{}\\/+!]|\b(?:AND|OR|NOT|TO)\b")


@dataclass(frozen=True, slots=True)
class _State:
    """Where a run stands, read from its messages."""

    question: Question
    before: str  # the question of the turn before
    results: tuple[ToolMessage, ...]
    calls: tuple[ToolCall, ...]
    turns: int  # messages the model has sent in this run

    def used(self, tool: str) -> int:
        """Return how often a tool was called."""
        return sum(call.name == tool for call in self.calls)


class ExtractiveModel:
    """A chat model without a language model: quotes the sentences that answer best, or says that none does."""

    @property
    def name(self) -> str:
        """Return the name shown to the person."""
        return "Built-in (no language model)"

    @property
    def context_window(self) -> int:
        """Return a size in the range of today's models, so that results are cut alike."""
        return WINDOW

    def count_tokens(self, text: str) -> int:
        """Return an estimate: four characters a token."""
        return len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield calls of the tools offered, or the answer."""
        stop.check()
        state = _state(request.messages)
        calls = _next_calls(state, {tool.name for tool in request.tools})
        stop.check()
        text = "" if calls else _answer(state)
        for piece in re.findall(r"\S+\s*|\s+", text):
            stop.check()
            yield TextDelta(piece)
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        usage = TokenUsage(prompt, self.count_tokens(text), estimated=True)
        yield TurnEnded(AssistantMessage(text, calls), usage, "tools" if calls else "stop")


def _state(messages: Sequence[Message]) -> _State:
    asked = [
        index
        for index, message in enumerate(messages)
        if isinstance(message, UserMessage) and message.text not in LOOP_MESSAGES
    ]
    texts = [messages[index].text for index in asked]
    own = messages[asked[-1] + 1 :] if asked else ()
    said = [message for message in own if isinstance(message, AssistantMessage)]
    return _State(
        question=analyse(texts[-1] if texts else ""),
        before=texts[-2] if len(texts) > 1 else "",
        results=tuple(message for message in own if isinstance(message, ToolMessage)),
        calls=tuple(call for message in said for call in message.tool_calls),
        turns=len(said),
    )


def _next_calls(state: _State, tools: set[str]) -> tuple[ToolCall, ...]:
    """Return the calls to make now: search, read the best, look again if that was poor; none to answer."""
    if not state.question.words:
        return ()
    plan: list[tuple[str, dict[str, object]]] = []
    if "search" in tools and not state.used("search"):
        plan = _first_searches(state)
    elif state.turns == 1:
        plan = _reads(state, tools, READ)
    elif state.turns == 2 and not _sure(state):
        plan = _second_look(state, tools)
    elif state.turns == 3 and state.used("search") > 2:
        plan = _reads(state, tools, READ_AGAIN)
    return tuple(
        ToolCall(f"builtin{state.turns + 1}{index}", name, json.dumps(arguments, ensure_ascii=False))
        for index, (name, arguments) in enumerate(plan, 1)
    )


def _first_searches(state: _State) -> list[tuple[str, dict[str, object]]]:
    question = state.question
    whole = question.text
    words = list(question.words)
    if question.leans and state.before:  # "And when did he die?" means the one asked about before
        earlier = analyse(state.before)
        words += earlier.names or earlier.words[:4]
        whole = f"{whole} {' '.join(earlier.names or earlier.words[:4])}"
    queries = [plain_query(whole), plain_query(" ".join(words))]
    if question.names:
        queries.append(plain_query(" ".join((*question.names, *question.numbers))))
    distinct = list(dict.fromkeys(query for query in queries if query))
    return [
        ("search", {"queries": distinct, "mode": "hybrid"}),
        ("search", {"queries": distinct[:1], "mode": "semantic"}),
    ]


def _reads(state: _State, tools: set[str], count: int) -> list[tuple[str, dict[str, object]]]:
    """Read the passages whose previews promise most."""
    promise: dict[str, float] = {}
    first: dict[str, int] = {}
    wanted = set(state.question.stems)
    for result in state.results:
        if result.name != "search":
            continue
        for index, evidence in enumerate(result.evidence):
            held = set(stems(f"{evidence.title} {evidence.focus} {' '.join(evidence.lines)}"))
            share = len(wanted & held) / max(len(wanted), 1)
            worth = 1 / (1 + index) ** 0.5 + share
            promise[evidence.reference] = promise.get(evidence.reference, 0.0) + worth
            first.setdefault(evidence.reference, evidence.first_line)
    read = {evidence.reference for result in state.results if result.name != "search" for evidence in result.evidence}
    best = [name for name in sorted(promise, key=lambda name: -promise[name]) if name not in read][:count]
    if not best:
        return []
    if "read_chunks" in tools:
        return [("read_chunks", {"references": best})]
    if "open" in tools:
        return [("open", {"reference": name, "line": max(first[name] - 10, 1)}) for name in best[:3]]
    return []


def _second_look(state: _State, tools: set[str]) -> list[tuple[str, dict[str, object]]]:
    """Search for the words that nothing read so far holds, and look for them in the best document."""
    question = state.question
    read = candidates(state.results)
    held = {word for candidate in read for word in candidate.stems}
    missing = [word for word in question.words if not set(stems(word)) & held]
    rare = missing or sorted(question.words, key=len, reverse=True)
    plan: list[tuple[str, dict[str, object]]] = []
    if "search" in tools:
        exact = [plain_query(word) for word in (*question.names, *rare)][:3]
        plan.append(("search", {"queries": [query for query in exact if query] or [question.text], "mode": "exact"}))
    if "find" in tools and read:
        top = rank(question, read)[0].candidate.reference
        plan.append(("find", {"reference": top, "patterns": rare[:4]}))
    return plan


def _sure(state: _State) -> bool:
    ranked = rank(state.question, candidates(state.results))
    return bool(ranked) and ranked[0].covered >= 0.8


def _answer(state: _State) -> str:
    ranked: list[Ranked] = rank(state.question, candidates(state.results))
    best = convincing(ranked)
    queries = [query for call in state.calls if call.name == "search" for query in _queries(call)]
    return answer_text(best) if best else not_found_text(tuple(dict.fromkeys(queries)), ranked[:1])


def _queries(call: ToolCall) -> list[str]:
    found: object = json.loads(call.arguments)
    queries = found.get("queries") if isinstance(found, dict) else None
    return [query for query in queries if isinstance(query, str)] if isinstance(queries, list) else []


def plain_query(text: str) -> str:
    """Return `text` without anything the query language would take for an operator."""
    return " ".join(_SYNTAX.sub(" ", text).split())
