"""The built-in chat model: searches by rules, reads, and answers with quoted sentences.

It is stateless like any chat model: each turn it reads the messages.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import BUILT_IN_MODEL
from desktop_rag.agent.extractive.answer import KNOWS_NOTHING, ExtractiveAnswer, write_answer
from desktop_rag.agent.extractive.digest import write_digest
from desktop_rag.agent.extractive.letter_sender import letter_sender
from desktop_rag.agent.extractive.listed_titles import listed_titles
from desktop_rag.agent.extractive.next_action import as_call, next_calls
from desktop_rag.agent.extractive.offered_tools import classify_tools
from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.run_state import RunState, question_of, state_of
from desktop_rag.agent.extractive.sentence_choice import ChosenSentences
from desktop_rag.agent.extractive.sentence_ranking import certain
from desktop_rag.agent.toolkits.route_rules import is_small_talk
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    Message,
    TextDelta,
    TokenUsage,
    ToolCall,
    TurnEnded,
    UserMessage,
)
from desktop_rag.stop import Stop

WINDOW = 128_000
OUTPUT = 2_048


@dataclass(frozen=True, slots=True)
class ExtractiveTurn:
    """Tool calls, or the parts of the answer, each with whether it is a note of the program."""

    calls: tuple[ToolCall, ...]
    parts: tuple[tuple[str, bool], ...]


class ExtractiveModel:
    """A chat model without a language model: quotes the sentences that answer best, or answers not found."""

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

    def turn(self, request: ChatRequest, stop: Stop) -> ExtractiveTurn:
        """Return the next turn as a whole."""
        state = state_of(request.messages)
        calls = tuple(as_call(name, call) for name, call in next_calls(state, classify_tools(request.tools), stop))
        answer = ExtractiveAnswer() if calls else _answer(request, state, stop)
        return ExtractiveTurn(calls, tuple(answer.parts))


def extractive_answer(messages: Sequence[Message], stop: Stop) -> ExtractiveAnswer:
    """Return the answer to a conversation from the results of its tool calls."""
    return _answer(ChatRequest(messages), state_of(messages), stop)


def _answer(request: ChatRequest, state: RunState, stop: Stop) -> ExtractiveAnswer:
    if _is_asked_to_plan(request, state):
        return ExtractiveAnswer(_plan(state))
    question = question_of(request.messages)
    given = question.given if question else None
    if question and given and given.digest and question.evidence:
        return write_digest(question.evidence, given.note)
    small_talk = all(is_small_talk(each.text) for each in state.questions) and not state.results
    if small_talk or not (given or request.tools or state.calls or state.results):
        return ExtractiveAnswer(note=f"[not found] {KNOWS_NOTHING}")
    found = [(state.questions[number - 1], state.ranked(number, stop)) for number in state.numbers]
    return write_answer(found, state.searched(), dict(_structured(state)))


def _structured(state: RunState) -> Iterator[tuple[AnalysedQuestion, ChosenSentences]]:
    """Yield the questions that the structure of the documents answers: their tables, letterheads and titles."""
    for number in state.numbers:
        asked, results = state.questions[number - 1], state.of(number)
        if answer := answer_quantity(asked, results):
            yield asked, ChosenSentences(asked, answer.quoted, answer.lead_in(results), of_each=True)
        elif senders := letter_sender(asked, results):
            yield asked, ChosenSentences(asked, tuple(map(certain, senders)))
        elif len(titles := listed_titles(asked, results)) > 1:
            said = f"{len(titles)} documents are named like this:"
            yield asked, ChosenSentences(asked, tuple(map(certain, titles)), said, of_each=True)


def _is_asked_to_plan(request: ChatRequest, state: RunState) -> bool:
    last = request.messages[-1] if request.messages else None
    aside = isinstance(last, UserMessage) and last.aside and "plan" in last.text.lower()
    return aside and not request.tools and not state.results


def _plan(state: RunState) -> str:
    """Return a plan with a line for each question."""
    return "\n".join(f"{number}. {question.text}" for number, question in enumerate(state.questions, 1))
