"""LLM as a judge: whether an answer is equivalent to the right one, and which searches have the same intent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.evaluation.qa.question_records import JudgeVerdict, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.llm.chat import ChatModel, ChatRequest, SystemMessage, TurnEnded, UserMessage
from desktop_rag.stop import Stop

TEMPERATURE = 0.3  # the papers' judge
MAX_TOKENS = 1_024  # of a verdict; reasoning models need some before the first word
MAX_ANSWER = 6_000  # characters of an answer that are judged
_VERDICT = re.compile(r"\b(IN)?CORRECT\b", re.IGNORECASE)
_GROUP = re.compile(r"^\W*(\d+)\W+(?:intent\W+)?(\d+)\W*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Judge:
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
