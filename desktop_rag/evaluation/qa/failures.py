"""Why an answer is wrong, told from its trace (after A-RAG, appendix D)."""

from enum import StrEnum

from desktop_rag.evaluation.qa.questions import Question
from desktop_rag.evaluation.qa.records import Judgement, Record, System
from desktop_rag.evaluation.qa.scores import contains, correct, refused


class Failure(StrEnum):
    """The class of a wrong answer; the first that fits, in the order of the work."""

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


def failure(question: Question, record: Record, judged: Judgement | None, system: System) -> Failure | None:
    """Return why the answer to a question is wrong, or None if it is right."""
    if correct(question, record, judged, system):
        return None
    if record.error:
        return Failure.FAILED
    if not question.answerable or system.without_gold:
        return Failure.INVENTED
    if record.missing:
        return Failure.NOT_THERE
    if _doubtful(question, record, judged):
        return Failure.DOUBTFUL
    every = set(range(len(question.gold)))
    read = {number for passage in record.opened for number in passage.gold}
    found = read | {number for search in record.searches for number in search.gold}
    if read != every:
        spent = Failure.BUDGET if record.limit else None
        return spent or (Failure.NOT_READ if found == every else Failure.NOT_FOUND)
    if refused(record):
        return Failure.GAVE_UP
    cited = {number for citation in record.citations for number in citation.gold}
    return Failure.MISUNDERSTOOD if cited else Failure.OTHER


def _doubtful(question: Question, record: Record, judged: Judgement | None) -> bool:
    """Return whether the words of a right answer stand in what the judge calls wrong."""
    said_wrong = judged is not None and judged.correct is False
    return said_wrong and record.found and bool(contains(record.text, question.answers))
