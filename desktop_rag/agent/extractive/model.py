"""The built-in chat model: it searches by rules, reads, and answers in sentences quoted from what it read.

It generates no language of its own. It keeps no state: each turn it looks at the messages, as any model does.
"""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.answer import write_answer
from desktop_rag.agent.extractive.candidates import candidates
from desktop_rag.agent.extractive.questions import Question, questions
from desktop_rag.agent.extractive.ranking import Ranked, rank
from desktop_rag.agent.extractive.words import stems
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

READ = 6  # passages read after the first searches
READ_EACH = 4  # the same for each of several questions
READ_AGAIN = 4
MOST_READ = 10
SEARCHES = 2  # calls that begin the work on a question
EVERY = 0  # stands for all questions, which are counted from 1
WINDOW = 128_000
OUTPUT = 2_048
_SYNTAX = re.compile(r"[\"“”„«»():^~*?\[\]{}\\/+!]|\b(?:AND|OR|NOT|TO)\b")

_Call = tuple[int, str, dict[str, object]]  # the number of the question, the tool, its arguments


@dataclass(frozen=True, slots=True)
class _State:
    """Where a run stands, read from its messages; its questions are counted from 1."""

    questions: tuple[Question, ...]
    results: tuple[ToolMessage, ...]
    calls: tuple[ToolCall, ...]
    turns: int  # messages the model has sent in this run

    def used(self, tool: str) -> int:
        """Return how often a tool was called."""
        return sum(call.name == tool for call in self.calls)

    @property
    def numbers(self) -> range:
        """The numbers of the questions."""
        return range(1, len(self.questions) + 1)

    def ranked(self, number: int, stop: Stop) -> list[Ranked]:
        """Return what was read, ranked for one of the questions; its own searches come first."""
        stop.check()
        own = [result for result in self.results if _asked_for(result) in (number, EVERY)]
        others = [result for result in self.results if _asked_for(result) not in (number, EVERY)]
        return rank(self.questions[number - 1], candidates(own, others))


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

    @property
    def max_output(self) -> int:
        """Return more than a few quotations ever take."""
        return OUTPUT

    def count_tokens(self, text: str) -> int:
        """Return an estimate: four characters a token."""
        return len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield calls of the tools offered, or the answer."""
        stop.check()
        state = _state(request.messages)
        calls = _next_calls(state, {tool.name for tool in request.tools}, stop)
        text = "" if calls else _answer(state, stop)
        for piece in re.findall(r"\S+\s*|\s+", text):
            stop.check()
            yield TextDelta(piece)
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        usage = TokenUsage(prompt, self.count_tokens(text), estimated=True)
        yield TurnEnded(AssistantMessage(text, calls), usage, "tools" if calls else "stop")


def _state(messages: Sequence[Message]) -> _State:
    asked = [index for index, message in enumerate(messages) if isinstance(message, UserMessage) and not message.aside]
    texts = [messages[index].text for index in asked]
    own = messages[asked[-1] + 1 :] if asked else ()
    said = [message for message in own if isinstance(message, AssistantMessage)]
    return _State(
        questions=questions(texts[-1] if texts else "", texts[-2] if len(texts) > 1 else ""),
        results=tuple(message for message in own if isinstance(message, ToolMessage)),
        calls=tuple(call for message in said for call in message.tool_calls),
        turns=len(said),
    )


def _next_calls(state: _State, tools: set[str], stop: Stop) -> tuple[ToolCall, ...]:
    """Return the calls to make now: search, read the best, look again if that was poor; none to answer."""
    if not any(question.words for question in state.questions):
        return ()
    several = len(state.questions) > 1
    plan: list[_Call] = []
    if "search" in tools and not state.used("search"):
        plan = [call for number in state.numbers for call in _first_searches(state, number)]
    elif state.turns == 1:
        plan = _reads(state, tools, READ_EACH if several else READ)
    elif state.turns == 2:
        ranked = {number: state.ranked(number, stop) for number in state.numbers}
        unsure = [number for number in state.numbers if not _sure(ranked[number])]
        plan = [call for number in unsure for call in _second_look(state, number, ranked[number], tools)]
    elif state.turns == 3 and state.used("search") > SEARCHES * len(state.questions):
        plan = _reads(state, tools, READ_AGAIN)
    return tuple(
        ToolCall(f"builtin{state.turns + 1}.{index}.{number}", name, json.dumps(arguments, ensure_ascii=False))
        for index, (number, name, arguments) in enumerate(plan, 1)
    )


def _asked_for(result: ToolMessage) -> int:
    """Return the number of the question for which a call was made."""
    number = result.call_id.rpartition(".")[2]
    return int(number) if number.isdigit() else EVERY


def _first_searches(state: _State, number: int) -> list[_Call]:
    question = state.questions[number - 1]
    told = question.context if question.leans else ()  # "And when did he die?" means the one asked about before
    queries = [plain_query(" ".join((question.text, *told))), plain_query(" ".join((*question.words, *told)))]
    if question.names:
        queries.append(plain_query(" ".join((*question.names, *question.numbers))))
    distinct = list(dict.fromkeys(query for query in queries if query))
    if not distinct:
        return []
    return [
        (number, "search", {"queries": distinct, "mode": "hybrid"}),
        (number, "search", {"queries": distinct[:1], "mode": "semantic"}),
    ]


def _reads(state: _State, tools: set[str], count: int) -> list[_Call]:
    """Read the passages whose previews promise most for each question."""
    read = {evidence.reference for result in state.results if result.name != "search" for evidence in result.evidence}
    best: dict[str, int] = {}  # references to the line where to open them
    for number in state.numbers:
        promising = [(name, line) for name, line in _promising(state, number) if name not in read]
        best |= dict(promising[:count])
    names = list(best)[:MOST_READ]
    if not names:
        return []
    if "read_chunks" in tools:
        return [(EVERY, "read_chunks", {"references": names})]
    if "open" in tools:
        return [(EVERY, "open", {"reference": name, "line": max(best[name] - 10, 1)}) for name in names[:3]]
    return []


def _promising(state: _State, number: int) -> list[tuple[str, int]]:
    """Return what the searches for one question found and the first lines seen of it, the most promising first."""
    promise: dict[str, float] = {}
    first: dict[str, int] = {}
    wanted = set(state.questions[number - 1].stems)
    for result in state.results:
        if result.name != "search" or _asked_for(result) != number:
            continue
        for index, evidence in enumerate(result.evidence):
            held = set(stems(f"{evidence.title} {evidence.focus} {' '.join(evidence.lines)}"))
            share = len(wanted & held) / max(len(wanted), 1)
            worth = 1 / (1 + index) ** 0.5 + share
            promise[evidence.reference] = promise.get(evidence.reference, 0.0) + worth
            first.setdefault(evidence.reference, evidence.first_line)
    return [(name, first[name]) for name in sorted(promise, key=lambda name: -promise[name])]


def _second_look(state: _State, number: int, ranked: Sequence[Ranked], tools: set[str]) -> list[_Call]:
    """Search for the words that nothing read so far holds, and look for them in the best document."""
    question = state.questions[number - 1]
    held = {word for found in ranked for word in found.candidate.stems}
    missing = [word for word in question.words if not set(stems(word)) & held]
    rare = missing or sorted(question.words, key=len, reverse=True)
    plan: list[_Call] = []
    if "search" in tools:
        exact = [plain_query(word) for word in (*question.names, *rare)][:3]
        queries = [query for query in exact if query] or [question.text]
        plan.append((number, "search", {"queries": queries, "mode": "exact"}))
    if "find" in tools and ranked:
        plan.append((number, "find", {"reference": ranked[0].candidate.reference, "patterns": rare[:4]}))
    return plan


def _sure(ranked: Sequence[Ranked]) -> bool:
    return bool(ranked) and ranked[0].covered >= 0.8


def _answer(state: _State, stop: Stop) -> str:
    found = [(state.questions[number - 1], state.ranked(number, stop)) for number in state.numbers]
    return write_answer(found, _searched(state))


def _searched(state: _State) -> tuple[str, ...]:
    """Return every query that was searched, each once."""
    found: dict[str, None] = {}
    for call in state.calls:
        arguments: object = json.loads(call.arguments) if call.name == "search" else None
        queries = arguments.get("queries") if isinstance(arguments, dict) else None
        if isinstance(queries, list):
            found |= dict.fromkeys(query for query in queries if isinstance(query, str))
    return tuple(found)


def plain_query(text: str) -> str:
    """Return `text` without anything the query language would take for an operator."""
    return " ".join(_SYNTAX.sub(" ", text).split())
