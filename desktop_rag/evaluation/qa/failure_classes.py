"""Classifies wrong answers by their trace (after A-RAG, appendix D)."""

from enum import StrEnum

from desktop_rag.evaluation.qa.question_records import JudgeVerdict, QaSystem, Record
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.evaluation.qa.scores import contains, correct, refused


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
    """Return the failure class of an answer, or None if it is correct."""
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
    cited = {number for citation in record.citations for number in citation.gold}
    return AnswerFailure.MISUNDERSTOOD if cited else AnswerFailure.OTHER


def _doubtful(question: QaQuestion, record: Record, judged: JudgeVerdict | None) -> bool:
    """Return whether the judge rejects an answer that contains a right one."""
    rejected = judged is not None and judged.correct is False
    return rejected and record.found and bool(contains(record.text, question.answers))
