"""Aggregates the records of one system on one question set."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.evaluation.metrics import MeanDifference, difference
from desktop_rag.evaluation.qa.question_records import JudgeVerdict, QaSystem, Record
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.evaluation.qa.scores import Values, contains, correct, is_comparable, measures, refused


class AnswerFailure(StrEnum):
    """The class of a wrong answer; the first that applies."""

    FAILED = "no answer"
    INVENTED = "answered without evidence"
    NOT_THERE = "not in corpus"
    DOUBTFUL = "judge doubtful"
    BUDGET = "budget spent"
    NOT_FOUND = "not retrieved"
    NOT_READ = "retrieved but not read"
    GAVE_UP = "gave up"
    OTHER = "read but other entity"
    MISUNDERSTOOD = "misunderstood"


def failure(
    question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem
) -> AnswerFailure | None:
    """Return the failure class of an answer, or None if it is correct or there is nothing to compare it with."""
    if correct(question, record, judged, system):
        return None
    if record.error:
        return AnswerFailure.FAILED
    if not question.answerable or system.without_gold:
        return AnswerFailure.INVENTED
    if record.missing:
        return AnswerFailure.NOT_THERE
    if _doubtful(question, record, judged):
        return AnswerFailure.DOUBTFUL
    every = set(range(len(question.gold)))
    read = {number for passage in record.opened for number in passage.gold}
    found = read | {number for search in record.searches for number in search.gold}
    if read != every:
        spent = AnswerFailure.BUDGET if record.limit else None
        return spent or (AnswerFailure.NOT_READ if found == every else AnswerFailure.NOT_FOUND)
    if refused(record):
        return AnswerFailure.GAVE_UP
    if not is_comparable(question, judged):
        return None
    cited = {number for citation in record.citations for number in citation.gold}
    return AnswerFailure.MISUNDERSTOOD if cited else AnswerFailure.OTHER


def _doubtful(question: QaQuestion, record: Record, judged: JudgeVerdict | None) -> bool:
    """Return whether the judge rejects an answer that contains a right one."""
    rejected = judged is not None and judged.correct is False
    return rejected and record.found and bool(contains(record.text, question.answers))


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a million prompt and completion tokens."""

    prompt: float
    completion: float

    def of(self, record: Record) -> float:
        """Return the cost of a question."""
        return (record.prompt_tokens * self.prompt + record.completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system on one set: the measures of each question, and the failure classes of wrong answers."""

    collection: str
    system: QaSystem
    questions: Mapping[str, QaQuestion]
    records: Mapping[str, Record]
    judged: Mapping[str, JudgeVerdict]
    values: Mapping[str, Values]  # measure → question → value
    failures: Mapping[str, AnswerFailure]

    def mean(self, measure: str) -> MeanDifference | None:
        """Return the mean of a measure with its interval, over the questions that have it."""
        found = self.values.get(measure)
        return difference(found, dict.fromkeys(found, 0.0)) if found else None

    def calls(self) -> dict[str, float]:
        """Return the mean number of calls of each tool per question."""
        total = Counter[str]()
        for record in self.records.values():
            total.update(record.calls)
        return {tool: count / len(self.records) for tool, count in total.most_common()}


def summarise(
    collection: str,
    system: QaSystem,
    questions: Mapping[str, QaQuestion],
    records: Mapping[str, Record],
    judged: Mapping[str, JudgeVerdict],
    price: Price,
) -> SystemScores:
    """Compute the measures of all recorded questions."""
    values: dict[str, Values] = {}
    failures: dict[str, AnswerFailure] = {}
    asked = {name: question for name, question in questions.items() if name in records}
    for name, question in asked.items():
        record, verdict = records[name], judged.get(name)
        found = measures(question, record, verdict, system)
        if price.prompt or price.completion:
            found["cost"] = price.of(record)
        for measure, value in found.items():
            values.setdefault(measure, {})[name] = float(value)
        if wrong := failure(question, record, verdict, system):
            failures[name] = wrong
    kept = {name: records[name] for name in asked}
    return SystemScores(collection, system, asked, kept, judged, values, failures)
