"""LLM as a judge: whether an answer is equivalent to the right one, and which searches have the same intent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import MeanDifference, difference
from desktop_rag.evaluation.qa.question_records import JudgeVerdict, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.evaluation.qa.summary import SystemScores
from desktop_rag.llm.chat import ChatModel, ChatRequest, SystemMessage, TurnEnded, UserMessage
from desktop_rag.stop import Stop

TEMPERATURE = 0.3  # the papers' judge
MAX_TOKENS = 1_024  # of a verdict; reasoning models need some before the first word
MAX_ANSWER = 6_000  # characters of an answer that are judged
_VERDICT = re.compile(r"\b(IN)?CORRECT\b", re.IGNORECASE)
_GROUP = re.compile(r"^\W*(\d+)\W+(?:intent\W+)?(\d+)\W*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AnswerJudge:
    """Grades answers with a model; raises `ModelError`."""

    model: ChatModel

    def judge(self, question: QaQuestion, record: Record, system: QaSystem, stop: Stop) -> JudgeVerdict:
        """Return the verdict on an answer; refusals and single searches are decided without the model."""
        correct, reason = None, ""
        judgeable = question.answerable and record.found and not record.error
        if judgeable:
            correct, reason = self._correct(question, record, stop)
        elif question.answerable and not system.without_gold:
            correct = False
        intents = self._intents(question, record.searches, stop) if len(record.searches) > 1 else ()
        return JudgeVerdict(question.id, record.text, correct, intents, reason)

    def _correct(self, question: QaQuestion, record: Record, stop: Stop) -> tuple[bool | None, str]:
        right = "\n".join(f"- {answer}" for answer in question.answers)
        asked = f"Question: {question.text}\n\nRight answer:\n{right}\n\nAnswer to check:\n{record.text[:MAX_ANSWER]}"
        reply = self._ask("judge", asked, stop)
        verdict = _VERDICT.search(reply)
        return (verdict[1] is None if verdict else None), reply.strip()

    def _intents(self, question: QaQuestion, searches: Sequence[RecordedSearch], stop: Stop) -> tuple[int, ...]:
        listed = "\n".join(f"{number}. {search.queries}" for number, search in enumerate(searches, 1))
        reply = self._ask("judge_intents", f"Question: {question.text}\n\nQueries:\n{listed}", stop)
        return parse_intents(reply, len(searches))

    def _ask(self, prompt: str, text: str, stop: Stop) -> str:
        request = ChatRequest((SystemMessage(load_prompt(prompt)), UserMessage(text)), (), MAX_TOKENS)
        ended = [event.message for event in self.model.chat(request, stop) if isinstance(event, TurnEnded)]
        return ended[-1].text if ended else ""


def parse_intents(reply: str, count: int) -> tuple[int, ...]:
    """Return the group of each of `count` searches; one that the model left out is a group of its own."""
    named: dict[int, int] = {}
    for match in _GROUP.finditer(reply):
        named.setdefault(int(match[1]), int(match[2]))
    alone = max(named.values(), default=0)
    return tuple(named.get(number, alone + number) for number in range(1, count + 1))


# Compares two systems on the same questions by McNemar's exact test.

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairwiseComparison:
    """Two systems on one set: how often only one was correct, and the differences of their common measures."""

    collection: str
    first: str
    second: str
    questions: int
    only_first: int
    only_second: int
    p: float  # of McNemar's exact test
    differences: dict[str, MeanDifference]  # first − second

    @property
    def verdict(self) -> str:
        """Return a sentence naming the better system, if the difference is significant."""
        if self.p >= LEVEL:
            return f"not settled by {self.questions:,} questions"
        return f"{self.first if self.only_first > self.only_second else self.second} answers better"


def compare(first: SystemScores, second: SystemScores) -> PairwiseComparison:
    """Compare two systems question by question; raises `BenchError` if they share none."""
    shared = first.values.get("correct", {}).keys() & second.values.get("correct", {}).keys()
    if not shared:
        raise BenchError(f"{first.system.name} and {second.system.name} have no question in common.")
    right, other = first.values["correct"], second.values["correct"]
    only_first = sum(right[question] > other[question] for question in shared)
    only_second = sum(right[question] < other[question] for question in shared)
    differences = {}
    for measure in first.values:
        both = first.values[measure].keys() & second.values.get(measure, {}).keys()
        if both:
            ours = {question: first.values[measure][question] for question in both}
            differences[measure] = difference(ours, second.values[measure])
    names = first.system.name, second.system.name
    p = mcnemar(only_first, only_second)
    return PairwiseComparison(first.collection, *names, len(shared), only_first, only_second, p, differences)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided p of McNemar's exact test (a binomial test on the discordant pairs)."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(total, count) for count in range(fewer + 1)) / (1 << total)
    return min(1.0, 2 * tail)
